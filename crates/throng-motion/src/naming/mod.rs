//! Which joint is which landmark, found by names.
//!
//! Every program has its own names for joints, and so has everyone who ever made a rig. Names tell
//! sides and parts ([`words`]); the hierarchy tells what names leave open ([`limbs`]): the hips are
//! where the legs and the trunk meet, the chest is where the arms meet, the spine is what lies
//! between, and the neck leads from the chest to the head. What is found can be looked through
//! ([`LandmarkMap::listing`]) and put right by a small file
//! ([`MappingFile`](crate::files::mapping::MappingFile)).

mod limbs;
mod tree;
mod words;

use std::fmt::Write as _;

use crate::contact::Side;
use crate::landmark::{Landmark, Landmarks};
use crate::skeleton::{JointId, Skeleton};

use limbs::{Link, Search};
use tree::Tree;
use words::{Meaning, Part, meaning};

/// How a landmark was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundBy {
    /// Its joint's name says it.
    Name,
    /// Its joint is where it should be in the tree.
    Place,
    /// Somebody has said it.
    Said,
}

impl FoundBy {
    fn words(self) -> &'static str {
        match self {
            Self::Name => "by its name",
            Self::Place => "by its place",
            Self::Said => "as said",
        }
    }
}

/// The landmarks of a skeleton as they were found.
///
/// ```
/// use throng_motion::{Human, Landmark, LandmarkMap};
///
/// let human = Human::new(Default::default())?;
/// let map = LandmarkMap::find(human.skeleton());
/// assert_eq!(map.landmarks().get(Landmark::LeftFoot), human.skeleton().find("LeftFoot"));
/// assert_eq!(map.missing().count(), 0);
/// # Ok::<(), throng_motion::ProportionsError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LandmarkMap {
    landmarks: Landmarks,
    found_by: Vec<(Landmark, FoundBy)>,
}

impl LandmarkMap {
    /// Finds the landmarks of `skeleton` by the names and places of its joints. The landmarks that
    /// it has already do not count.
    pub fn find(skeleton: &Skeleton) -> Self {
        Self::find_with(skeleton, &[])
    }

    /// As [`Self::find`], with some landmarks said: to be a joint, or not to exist. The rest is found
    /// in their light.
    pub fn find_with(skeleton: &Skeleton, said: &[(Landmark, Option<JointId>)]) -> Self {
        let meanings: Vec<Meaning> =
            skeleton.joints().iter().map(|joint| meaning(&joint.name)).collect();
        let mut finder =
            Finder { skeleton, tree: &Tree::of(skeleton), meanings, said, map: Self::default() };
        for (landmark, joint) in said {
            if let Some(joint) = joint.filter(|joint| joint.index() < skeleton.len()) {
                finder.map.set(*landmark, joint, FoundBy::Said);
            }
        }
        for side in Side::BOTH {
            finder.find_limbs(side);
        }
        finder.find_trunk();
        finder.find_eyes();
        finder.map
    }

    /// Which joint is which landmark.
    pub fn landmarks(&self) -> &Landmarks {
        &self.landmarks
    }

    /// How a landmark was found; nothing if it was not.
    pub fn found_by(&self, landmark: Landmark) -> Option<FoundBy> {
        self.found_by.iter().find(|(other, _)| *other == landmark).map(|(_, found_by)| *found_by)
    }

    /// The landmarks that were not found.
    pub fn missing(&self) -> impl Iterator<Item = Landmark> + '_ {
        Landmark::ALL.into_iter().filter(|landmark| self.landmarks.get(*landmark).is_none())
    }

    /// The landmarks without which a body cannot walk, and that were not found.
    pub fn missing_for_walking(&self) -> impl Iterator<Item = Landmark> + '_ {
        let legs = Side::BOTH.into_iter().flat_map(|side| {
            [Landmark::upper_leg(side), Landmark::lower_leg(side), Landmark::foot(side)]
        });
        std::iter::once(Landmark::Hips)
            .chain(legs)
            .filter(|landmark| self.landmarks.get(*landmark).is_none())
    }

    /// A table for people: each landmark, its joint and how it was found, then what is missing.
    pub fn listing(&self, skeleton: &Skeleton) -> String {
        let name = |joint: JointId| &skeleton.joints()[joint.index()].name;
        let width = self.landmarks.iter().map(|(_, joint)| name(joint).chars().count()).max();
        let width = width.unwrap_or(0);
        let mut text = String::new();
        for (landmark, joint) in self.landmarks.iter() {
            let how = self.found_by(landmark).unwrap_or(FoundBy::Said).words();
            let _ = writeln!(text, "{:<16} {:<width$}  {how}", landmark.name(), name(joint));
        }
        let missing: Vec<&str> = self.missing().map(Landmark::name).collect();
        if !missing.is_empty() {
            let _ = writeln!(text, "{:<16} {}", "missing", missing.join(", "));
        }
        text
    }

    fn set(&mut self, landmark: Landmark, joint: JointId, found_by: FoundBy) {
        self.landmarks.set(landmark, Some(joint));
        self.found_by.push((landmark, found_by));
    }
}

struct Finder<'a> {
    skeleton: &'a Skeleton,
    tree: &'a Tree,
    meanings: Vec<Meaning>,
    said: &'a [(Landmark, Option<JointId>)],
    map: LandmarkMap,
}

impl Finder<'_> {
    /// What somebody has said of a landmark.
    fn said(&self, landmark: Landmark) -> Option<Option<JointId>> {
        self.said.iter().find(|(said, _)| *said == landmark).map(|(_, joint)| *joint)
    }

    /// Sets what was found, unless something else was said, or the joint is a landmark already.
    fn set(&mut self, landmark: Landmark, joint: JointId, found_by: FoundBy) {
        if self.said(landmark).is_none() && self.map.landmarks.of(joint).is_none() {
            self.map.set(landmark, joint, found_by);
        }
    }

    fn find_limbs(&mut self, side: Side) {
        let arm = [
            (Landmark::shoulder(side), Part::Shoulder, false),
            (Landmark::upper_arm(side), Part::UpperArm, true),
            (Landmark::forearm(side), Part::Forearm, true),
            (Landmark::hand(side), Part::Hand, false),
        ];
        let leg = [
            (Landmark::upper_leg(side), Part::UpperLeg, true),
            (Landmark::lower_leg(side), Part::LowerLeg, true),
            (Landmark::foot(side), Part::Foot, false),
            (Landmark::toes(side), Part::Toes, false),
        ];
        for limb in [arm, leg] {
            let links =
                limb.map(|(landmark, part, long)| Link { part, long, pin: self.said(landmark) });
            let (skeleton, tree, meanings) = (self.skeleton, self.tree, &self.meanings);
            let chain = Search { skeleton, tree, meanings, side }.best(&links);
            for ((landmark, ..), joint) in limb.into_iter().zip(chain) {
                if let Some(joint) = joint {
                    self.set(landmark, joint, FoundBy::Name);
                }
            }
        }
    }

    fn find_trunk(&mut self) {
        let legs = self.meeting([Landmark::LeftUpperLeg, Landmark::RightUpperLeg]);
        let arms = self
            .meeting([Landmark::LeftShoulder, Landmark::RightShoulder])
            .or_else(|| self.meeting([Landmark::LeftUpperArm, Landmark::RightUpperArm]));
        let head = self.said(Landmark::Head).unwrap_or_else(|| self.named(Part::Head));
        let Some(hips) = self.find_hips(legs, arms, head) else { return };
        // In some rigs the collar bones hang from the neck; the chest is below it all the same.
        let is_neck = |joint: &JointId| self.weight(*joint, Part::Neck) > 0;
        let top =
            arms.or_else(|| self.named(Part::Neck)).or_else(|| self.tree.upwards(head?).nth(1));
        let chest = top.and_then(|top| self.tree.upwards(top).find(|joint| !is_neck(joint)));
        let Some(chest) = chest.filter(|chest| self.tree.is_above(hips, *chest)) else {
            if let Some(head) = head {
                self.find_neck(hips, Some(head));
            }
            return;
        };
        let mut spine = self.tree.between(hips, chest);
        spine.push(chest);
        self.find_spine(&spine);
        self.find_neck(chest, head);
    }

    /// The joint from which the legs, the arms and the head hang, or the nearest above it that is
    /// called the hips.
    fn find_hips(
        &mut self,
        legs: Option<JointId>,
        arms: Option<JointId>,
        head: Option<JointId>,
    ) -> Option<JointId> {
        if let Some(said) = self.said(Landmark::Hips) {
            return said;
        }
        let meeting = [legs, arms, head]
            .into_iter()
            .flatten()
            .reduce(|a, b| self.tree.meeting(a, b))
            .filter(|_| legs.is_some());
        let is_hips = |joint: &JointId| self.weight(*joint, Part::Hips) > 0;
        let named = match meeting {
            Some(meeting) => self.tree.upwards(meeting).find(is_hips),
            None => self.named(Part::Hips),
        };
        let hips = named.or(meeting)?;
        let found_by = if named.is_some() { FoundBy::Name } else { FoundBy::Place };
        self.set(Landmark::Hips, hips, found_by);
        Some(hips)
    }

    /// Spreads the joints of the spine over its landmarks: the lowest is the first and the highest
    /// the last.
    fn find_spine(&mut self, spine: &[JointId]) {
        let places: &[usize] = match spine.len() {
            0 => &[],
            1 => &[0],
            2 => &[0, 4],
            3 => &[0, 2, 4],
            4 => &[0, 1, 3, 4],
            _ => &[0, 1, 2, 3, 4],
        };
        let last = spine.len().saturating_sub(1);
        for (index, place) in places.iter().enumerate() {
            // Of more joints than landmarks the ends and the most even ones between count.
            let at = if places.len() > 1 { (index * last + 2) / (places.len() - 1) } else { 0 };
            let joint = spine[if spine.len() <= 5 { index } else { at.min(last) }];
            let found_by = self.found_as(joint, Part::Spine);
            self.set(Landmark::SPINE[*place], joint, found_by);
        }
    }

    fn find_neck(&mut self, chest: JointId, head: Option<JointId>) {
        let (neck, head) = match head.filter(|head| self.tree.is_above(chest, *head)) {
            Some(head) => (self.tree.between(chest, head), Some(head)),
            None => {
                let mut column = self.column(chest);
                let is_neck = |joint: JointId| self.weight(joint, Part::Neck) > 0;
                let head = match column.last() {
                    Some(last) if !is_neck(*last) => column.pop(),
                    _ => None,
                };
                (column, head)
            }
        };
        if let Some(head) = head {
            let found_by = self.found_as(head, Part::Head);
            self.set(Landmark::Head, head, found_by);
        }
        if let Some(first) = neck.first() {
            let found_by = self.found_as(*first, Part::Neck);
            self.set(Landmark::Neck1, *first, found_by);
        }
        if let Some(last) = neck.last().filter(|_| neck.len() > 1) {
            let found_by = self.found_as(*last, Part::Neck);
            self.set(Landmark::Neck2, *last, found_by);
        }
    }

    /// The joints that go on from the chest as a spine or neck does, in rigs whose head is only the
    /// last of them.
    fn column(&self, chest: JointId) -> Vec<JointId> {
        let next = |joint: &JointId| {
            let goes_on = |child: &&JointId| {
                self.meanings[child.index()].side.is_none()
                    && (self.weight(**child, Part::Neck) > 0
                        || self.weight(**child, Part::Spine) > 0)
            };
            self.tree.children(*joint).iter().find(goes_on).copied()
        };
        std::iter::successors(next(&chest), next).collect()
    }

    fn find_eyes(&mut self) {
        let Some(head) = self.map.landmarks.get(Landmark::Head) else { return };
        for (side, landmark) in [(Side::Left, Landmark::LeftEye), (Side::Right, Landmark::RightEye)]
        {
            let eye = (0..self.meanings.len()).map(JointId::new).find(|joint| {
                let meaning = &self.meanings[joint.index()];
                meaning.side == Some(side)
                    && meaning.weight(Part::Eye) > 0
                    && self.tree.is_above(head, *joint)
            });
            if let Some(eye) = eye {
                self.set(landmark, eye, FoundBy::Name);
            }
        }
    }

    /// How much the name of a joint in the middle says that it is `part`.
    fn weight(&self, joint: JointId, part: Part) -> i32 {
        let meaning = &self.meanings[joint.index()];
        if meaning.side.is_none() { meaning.weight(part) } else { 0 }
    }

    fn found_as(&self, joint: JointId, part: Part) -> FoundBy {
        if self.weight(joint, part) > 0 { FoundBy::Name } else { FoundBy::Place }
    }

    /// The first joint in the middle with a name for `part`.
    fn named(&self, part: Part) -> Option<JointId> {
        (0..self.meanings.len()).map(JointId::new).find(|joint| self.weight(*joint, part) > 0)
    }

    /// Where two landmarks meet; what carries one if there is only one.
    fn meeting(&self, of: [Landmark; 2]) -> Option<JointId> {
        match of.map(|landmark| self.map.landmarks.get(landmark)) {
            [Some(a), Some(b)] => Some(self.tree.meeting(a, b)),
            [Some(one), None] | [None, Some(one)] => self.tree.upwards(one).nth(1),
            [None, None] => None,
        }
    }
}

#[cfg(test)]
mod tests;
