//! Which joint of one body follows which of another.

use glam::Quat;

use crate::landmark::{Landmark, Landmarks};
use crate::skeleton::{JointId, Skeleton};

/// What a joint does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Follow {
    /// It stays as it is at rest in its parent.
    Rest,
    /// It deviates from the reference as much as a joint of the source does.
    Joint(JointId),
    /// It deviates as something between two joints does: a part of the way from one to the other.
    Between(JointId, JointId, f32),
}

/// What each joint of `target` does in a motion of `source`.
///
/// Landmarks follow landmarks, other joints those of the same name. Spines and necks of different
/// numbers of joints are followed along their length: the chest ends up as the chest, the head as the
/// head, and what is between bends evenly.
pub(super) fn follow(source: &Skeleton, target: &Skeleton) -> Vec<Follow> {
    let mut follows: Vec<Follow> = target
        .joints()
        .iter()
        .enumerate()
        .map(|(index, joint)| {
            let landmark = target.landmarks().of(JointId::new(index));
            let same = landmark.and_then(|landmark| source.landmark(landmark));
            let unclaimed = |joint: &JointId| source.landmarks().of(*joint).is_none();
            same.or_else(|| source.find(&joint.name).filter(unclaimed))
                .map_or(Follow::Rest, Follow::Joint)
        })
        .collect();
    let (from, to) = (source.landmarks(), target.landmarks());
    let spine = |landmarks: &Landmarks| landmarks.spine().collect::<Vec<_>>();
    let source_spine: Vec<JointId> =
        from.get(Landmark::Hips).into_iter().chain(spine(from)).collect();
    along(&source_spine, &spine(to), &mut follows);
    if let Some(chest) = source_spine.last() {
        let upwards = |landmarks: &Landmarks| -> Vec<JointId> {
            let neck = [Landmark::Neck1, Landmark::Neck2, Landmark::Head];
            neck.into_iter().filter_map(|landmark| landmarks.get(landmark)).collect()
        };
        // Without a head on both sides necks have no common end to be measured against.
        if from.get(Landmark::Head).is_some() == to.get(Landmark::Head).is_some() {
            let source_neck: Vec<JointId> = [*chest].into_iter().chain(upwards(from)).collect();
            along(&source_neck, &upwards(to), &mut follows);
        }
    }
    follows
}

/// Spreads the way along `knots`, of which the first does not count as a joint, over `joints`.
fn along(knots: &[JointId], joints: &[JointId], follows: &mut [Follow]) {
    let steps = knots.len().saturating_sub(1);
    if steps == 0 {
        return;
    }
    for (index, joint) in joints.iter().enumerate() {
        // In whole numbers, so that equal spines follow each other exactly.
        let (whole, rest) =
            ((index + 1) * steps / joints.len(), (index + 1) * steps % joints.len());
        follows[joint.index()] = if rest == 0 {
            Follow::Joint(knots[whole])
        } else {
            Follow::Between(knots[whole], knots[whole + 1], rest as f32 / joints.len() as f32)
        };
    }
}

impl Follow {
    /// By how much the joint deviates from the reference, given how those of the source do.
    pub fn deviation(self, of: impl Fn(JointId) -> Quat) -> Option<Quat> {
        match self {
            Self::Rest => None,
            Self::Joint(joint) => Some(of(joint)),
            Self::Between(from, to, part) => Some(of(from).slerp(of(to), part)),
        }
    }
}
