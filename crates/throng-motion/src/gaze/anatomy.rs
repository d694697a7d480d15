//! Which joints of a skeleton look, how far each can turn, and how much of a turn it takes.

use glam::{Quat, Vec3, Vec3A};
use thiserror::Error;

use super::chain::Stance;
use super::shares::linear_shares;
use super::turn::Turn;
use crate::landmark::Landmark;
use crate::pose::Pose;
use crate::skeleton::{JointId, Skeleton};

/// How many joints below the eyes turn at most: five of the spine, two of the neck, and the head.
pub const MAX_TURNING: usize = 8;

/// Joints that move together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segment {
    /// The five joints of the spine: slow.
    Spine,
    /// Both joints of the neck: as fast as the head.
    Neck,
    /// The head.
    Head,
}

/// How far joints turn away from the pose they have without gaze, to either side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Each joint of the spine.
    pub spine: Turn,
    /// Each joint of the neck.
    pub neck: Turn,
    /// The head on the neck.
    pub head: Turn,
    /// Each eye in the head, from straight ahead.
    pub eye: Turn,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            spine: Turn::degrees(12.0, 8.0),
            neck: Turn::degrees(25.0, 20.0),
            head: Turn::degrees(30.0, 25.0),
            eye: Turn::degrees(35.0, 30.0),
        }
    }
}

impl Limits {
    /// Of the joints of a segment.
    pub fn of(&self, segment: Segment) -> Turn {
        match segment {
            Segment::Spine => self.spine,
            Segment::Neck => self.neck,
            Segment::Head => self.head,
        }
    }
}

/// Why a skeleton cannot look, or not like that.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum AnatomyError {
    #[error("the skeleton has no head that could be found; name its landmarks in a mapping")]
    NoHead,
    #[error("{given} shares for {expected} joints (the eyes are the last); give one for each")]
    ShareCount { given: usize, expected: usize },
    #[error("share {index} is {share}; write numbers of at least 0, and more than 0 for the last")]
    Share { index: usize, share: f64 },
}

/// What a skeleton looks with: found once, used for every body that has it.
///
/// Skeletons may lack some of it. What is there shares the turn: with three joints in the spine, `n` is 7 instead of 9;
/// without eyes, the head does what is left.
///
/// ```
/// use throng_motion::gaze::Anatomy;
/// use throng_motion::{Human, Proportions};
///
/// let human = Human::new(Proportions::default())?;
/// let anatomy = Anatomy::of(human.skeleton())?;
/// assert_eq!(anatomy.turning().count(), 8);
/// assert_eq!(anatomy.eyes().count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Anatomy {
    /// How far joints turn.
    pub limits: Limits,
    /// All joints from the root to the head.
    pub(super) lineage: Vec<Link>,
    pub(super) slots: [Slot; MAX_TURNING],
    pub(super) count: usize,
    pub(super) eyes: [Option<Eye>; 2],
    pub(super) eyes_share: Share,
    /// From how the head is turned to how its axes are: those of the body at rest.
    pub(super) head_axes: Quat,
    pub(super) joints: usize,
}

/// A joint on the way from the root to an eye.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub joint: u16,
    /// Which of the turning joints it is; [`NO_SLOT`] if it only hangs between them.
    pub slot: u8,
    pub offset: Vec3A,
}

pub(super) const NO_SLOT: u8 = u8::MAX;

/// A joint that turns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub joint: u16,
    pub segment: Segment,
    pub share: Share,
}

/// What a joint takes of a turn: if all joints turn, and if only neck, head and eyes do.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Share {
    pub all: f32,
    pub upper: f32,
}

#[derive(Clone, Debug)]
pub(super) struct Eye {
    pub joint: u16,
    /// The joints from the head to the eye, without the head.
    pub lineage: Vec<Link>,
    /// What is ahead in its own space.
    pub forward: Vec3A,
}

impl Anatomy {
    /// Finds what a skeleton looks with by its landmarks. At rest a body faces `+Z`, and so do its eyes.
    ///
    /// # Errors
    ///
    /// If it has no head.
    pub fn of(skeleton: &Skeleton) -> Result<Self, AnatomyError> {
        use Segment::{Head, Neck, Spine};
        const TURNING: [(Landmark, Segment); MAX_TURNING] = [
            (Landmark::Spine1, Spine),
            (Landmark::Spine2, Spine),
            (Landmark::Spine3, Spine),
            (Landmark::Spine4, Spine),
            (Landmark::Spine5, Spine),
            (Landmark::Neck1, Neck),
            (Landmark::Neck2, Neck),
            (Landmark::Head, Head),
        ];
        let head = skeleton.landmark(Landmark::Head).ok_or(AnatomyError::NoHead)?;
        let nobody = Slot { joint: 0, segment: Spine, share: Share::default() };
        let (mut slots, mut count) = ([nobody; MAX_TURNING], 0);
        let mut lineage = links(skeleton, head, None);
        // In the order in which they hang from one another, whatever a mapping called them.
        for link in &mut lineage {
            let segment = TURNING.iter().find(|(landmark, _)| {
                let joint = skeleton.landmark(*landmark);
                joint.is_some_and(|joint| joint.index() == usize::from(link.joint))
            });
            if let Some((_, segment)) = segment {
                slots[count] = Slot { joint: link.joint, segment: *segment, ..nobody };
                link.slot = count as u8;
                count += 1;
            }
        }
        let eyes = [Landmark::LeftEye, Landmark::RightEye]
            .map(|landmark| eye(skeleton, skeleton.landmark(landmark)?, head));
        let mut anatomy = Self {
            limits: Limits::default(),
            lineage,
            slots,
            count,
            eyes,
            eyes_share: Share::default(),
            head_axes: skeleton.rest_rotation(head).inverse(),
            joints: skeleton.len(),
        };
        anatomy.share_linearly();
        Ok(anatomy)
    }

    /// The same with other shares (`a_i`): of all joints, from the lowest to the eyes, and of those from the neck up,
    /// who turn alone towards what is nearly ahead. Only how they compare matters.
    ///
    /// # Errors
    ///
    /// If there are not as many as joints, one is not a number of at least 0, or the last is 0: who takes the last of
    /// what remains decides whether anything is left.
    pub fn with_shares(mut self, all: &[f64], upper: &[f64]) -> Result<Self, AnatomyError> {
        for (shares, expected) in [(all, self.sharing()), (upper, self.sharing_above())] {
            if shares.len() != expected {
                return Err(AnatomyError::ShareCount { given: shares.len(), expected });
            }
            let last = shares.len().saturating_sub(1);
            let is_fine = |index: usize, share: f64| {
                share.is_finite() && (0.0..=1e9).contains(&share) && (index < last || share > 1e-9)
            };
            if let Some((index, share)) =
                shares.iter().enumerate().find(|(index, share)| !is_fine(*index, **share))
            {
                return Err(AnatomyError::Share { index, share: *share });
            }
        }
        self.share(all, upper);
        Ok(self)
    }

    /// The same with other limits.
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The joints that turn, from the lowest up, without the eyes.
    pub fn turning(&self) -> impl Iterator<Item = (JointId, Segment)> + '_ {
        self.slots[..self.count]
            .iter()
            .map(|slot| (JointId::new(usize::from(slot.joint)), slot.segment))
    }

    /// The joints of the eyes, the left one first.
    pub fn eyes(&self) -> impl Iterator<Item = JointId> + '_ {
        self.eyes.iter().flatten().map(|eye| JointId::new(usize::from(eye.joint)))
    }

    /// Where somebody sees from in `pose`, in body space, and where they look: the middle of their eyes.
    ///
    /// # Panics
    ///
    /// If the pose is of another skeleton.
    pub fn sight(&self, pose: &Pose) -> (Vec3, Vec3) {
        let stance = Stance::of(self, pose);
        (stance.eye.into(), stance.gaze.direction().into())
    }

    /// The number of joints that share a turn (`n`): with the eyes as the last, if there are any.
    fn sharing(&self) -> usize {
        self.count + usize::from(self.has_eyes())
    }

    fn sharing_above(&self) -> usize {
        let above =
            self.slots[..self.count].iter().filter(|slot| slot.segment != Segment::Spine).count();
        above + usize::from(self.has_eyes())
    }

    pub(super) fn has_eyes(&self) -> bool {
        self.eyes.iter().any(Option::is_some)
    }

    fn share_linearly(&mut self) {
        let all: Vec<f64> = linear_shares(self.sharing()).collect();
        let upper: Vec<f64> = linear_shares(self.sharing_above()).collect();
        self.share(&all, &upper);
    }

    fn share(&mut self, all: &[f64], upper: &[f64]) {
        let part = |shares: &[f64], index: usize| {
            let whole: f64 = shares.iter().sum();
            shares.get(index).map_or(0.0, |share| (share / whole) as f32)
        };
        let mut above = 0;
        for (index, slot) in self.slots[..self.count].iter_mut().enumerate() {
            slot.share = Share { all: part(all, index), upper: 0.0 };
            if slot.segment != Segment::Spine {
                slot.share.upper = part(upper, above);
                above += 1;
            }
        }
        self.eyes_share = Share { all: part(all, self.count), upper: part(upper, above) };
    }
}

fn eye(skeleton: &Skeleton, joint: JointId, head: JointId) -> Option<Eye> {
    // An eye that hangs elsewhere does not move with the head.
    let hangs = joint != head && skeleton.lineage(joint).any(|above| above == head);
    hangs.then(|| Eye {
        joint: joint.index() as u16,
        lineage: links(skeleton, joint, Some(head)),
        forward: (skeleton.rest_rotation(joint).inverse() * Vec3::Z).into(),
    })
}

/// The joints from the root, or from below `above`, to `joint`.
fn links(skeleton: &Skeleton, joint: JointId, above: Option<JointId>) -> Vec<Link> {
    let mut links: Vec<Link> = skeleton
        .lineage(joint)
        .take_while(|joint| Some(*joint) != above)
        .map(|joint| Link {
            joint: joint.index() as u16,
            slot: NO_SLOT,
            offset: skeleton.translations()[joint.index()],
        })
        .collect();
    links.reverse();
    links
}
