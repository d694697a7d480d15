//! Joints and how they hang together.
//!
//! A skeleton is a tree with one root, stored with parents before children so that one pass over
//! the joints carries every transform down. Bones do not stretch: a joint's place in its parent is
//! part of the skeleton, and only the root moves. That covers people (and most animals), halves
//! what a pose has to store, and is why a planted foot can be computed to a fraction of a
//! millimetre; importers say so when a file contains stretching bones.

use std::collections::HashSet;

use glam::{Quat, Vec3, Vec3A};
use thiserror::Error;

use crate::landmark::{Landmark, Landmarks};

/// More joints than any rig of a person needs; files with more are refused.
pub const MAX_JOINTS: usize = 4096;

/// The number of a joint in its skeleton. Parents have smaller numbers than their children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct JointId(u16);

impl JointId {
    /// The root of every skeleton.
    pub const ROOT: Self = Self(0);

    /// The joint with this index.
    ///
    /// # Panics
    ///
    /// If no skeleton can have that many joints.
    pub fn new(index: usize) -> Self {
        assert!(index < MAX_JOINTS, "no skeleton has {index} joints");
        Self(index as u16)
    }

    /// Its index into the arrays of poses.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A joint at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Its name, different from that of every other joint.
    pub name: String,
    /// The joint it hangs from; none for the root.
    pub parent: Option<JointId>,
    /// Where it is in its parent's space, in metres.
    pub translation: Vec3,
    /// How it is turned in its parent's space at rest.
    pub rotation: Quat,
}

/// What is wrong with a list of joints.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum SkeletonError {
    #[error("a skeleton needs at least one joint")]
    Empty,
    #[error("{count} joints are more than the {MAX_JOINTS} that a skeleton may have")]
    TooMany { count: usize },
    #[error("joint \"{name}\" comes before its parent; list parents first")]
    ChildFirst { name: String },
    #[error("joint \"{name}\" has no parent, but \"{root}\" is the root already")]
    SecondRoot { name: String, root: String },
    #[error("two joints are called \"{name}\"")]
    DuplicateName { name: String },
    #[error("joint \"{name}\" has a rest transform that is not finite")]
    NotFinite { name: String },
    #[error("landmark {landmark} is joint number {joint}, but there are only {count} joints")]
    NoSuchJoint { landmark: &'static str, joint: usize, count: usize },
}

/// A tree of joints with named landmarks.
#[derive(Clone, Debug)]
pub struct Skeleton {
    joints: Vec<Joint>,
    landmarks: Landmarks,
    /// The parent's index; the root has its own, which loops over joints never read.
    parents: Vec<u16>,
    translations: Vec<Vec3A>,
    /// How the joints are turned in body space at rest.
    rest_rotations: Vec<Quat>,
    rest_positions: Vec<Vec3>,
    mirrored: Vec<JointId>,
}

impl Skeleton {
    /// A skeleton of `joints`, parents first.
    ///
    /// # Errors
    ///
    /// If the joints are no tree with one root, or have names or places that cannot be.
    pub fn new(mut joints: Vec<Joint>, landmarks: Landmarks) -> Result<Self, SkeletonError> {
        check(&joints, &landmarks)?;
        for joint in &mut joints {
            joint.rotation = joint.rotation.normalize();
        }
        let parent = |joint: &Joint| joint.parent.map_or(0, |parent| parent.0);
        let mut rest_rotations = Vec::with_capacity(joints.len());
        let mut rest_positions: Vec<Vec3> = Vec::with_capacity(joints.len());
        for joint in &joints {
            let (turned, at) = joint.parent.map_or((Quat::IDENTITY, Vec3::ZERO), |parent| {
                (rest_rotations[parent.index()], rest_positions[parent.index()])
            });
            rest_positions.push(at + turned * joint.translation);
            rest_rotations.push((turned * joint.rotation).normalize());
        }
        Ok(Self {
            parents: joints.iter().map(parent).collect(),
            translations: joints.iter().map(|joint| joint.translation.into()).collect(),
            mirrored: mirrored(&joints, &landmarks),
            rest_rotations,
            rest_positions,
            joints,
            landmarks,
        })
    }

    /// The joints, parents first.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// A joint and all that it hangs from, up to the root.
    pub fn lineage(&self, joint: JointId) -> impl Iterator<Item = JointId> + '_ {
        std::iter::successors(Some(joint), |joint| self.joints[joint.index()].parent)
    }

    /// How many joints there are.
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Never true: every skeleton has a root.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// The joint called `name`.
    pub fn find(&self, name: &str) -> Option<JointId> {
        self.joints.iter().position(|joint| joint.name == name).map(JointId::new)
    }

    /// Which joints are landmarks.
    pub fn landmarks(&self) -> &Landmarks {
        &self.landmarks
    }

    /// The joint that is `landmark`, if there is one.
    pub fn landmark(&self, landmark: Landmark) -> Option<JointId> {
        self.landmarks.get(landmark)
    }

    /// Where a joint is in body space at rest.
    pub fn rest_position(&self, joint: JointId) -> Vec3 {
        self.rest_positions[joint.index()]
    }

    /// How a joint is turned in body space at rest.
    pub fn rest_rotation(&self, joint: JointId) -> Quat {
        self.rest_rotations[joint.index()]
    }

    /// The joint of the other half of the body; itself if it is in the middle or has no twin.
    pub fn mirrored(&self, joint: JointId) -> JointId {
        self.mirrored[joint.index()]
    }

    /// The length of the bone that leads to `joint`.
    pub fn bone_length(&self, joint: JointId) -> f32 {
        self.translations[joint.index()].length()
    }

    pub(crate) fn parents(&self) -> &[u16] {
        &self.parents
    }

    pub(crate) fn translations(&self) -> &[Vec3A] {
        &self.translations
    }

    pub(crate) fn rest_rotations(&self) -> &[Quat] {
        &self.rest_rotations
    }
}

fn check(joints: &[Joint], landmarks: &Landmarks) -> Result<(), SkeletonError> {
    let Some(root) = joints.first() else { return Err(SkeletonError::Empty) };
    let count = joints.len();
    if count > MAX_JOINTS {
        return Err(SkeletonError::TooMany { count });
    }
    let mut names = HashSet::with_capacity(count);
    for (index, joint) in joints.iter().enumerate() {
        let name = || joint.name.clone();
        match joint.parent {
            None if index > 0 => {
                return Err(SkeletonError::SecondRoot { name: name(), root: root.name.clone() });
            }
            Some(parent) if parent.index() >= index => {
                return Err(SkeletonError::ChildFirst { name: name() });
            }
            _ => {}
        }
        let length = joint.rotation.length_squared();
        if !joint.translation.is_finite() || !length.is_finite() || length < 1e-12 {
            return Err(SkeletonError::NotFinite { name: name() });
        }
        if !names.insert(joint.name.as_str()) {
            return Err(SkeletonError::DuplicateName { name: name() });
        }
    }
    match landmarks.iter().find(|(_, joint)| joint.index() >= count) {
        Some((landmark, joint)) => Err(SkeletonError::NoSuchJoint {
            landmark: landmark.name(),
            joint: joint.index(),
            count,
        }),
        None => Ok(()),
    }
}

/// Each joint's twin: by landmarks, then by names that differ in the side only.
fn mirrored(joints: &[Joint], landmarks: &Landmarks) -> Vec<JointId> {
    (0..joints.len())
        .map(|index| {
            let joint = JointId::new(index);
            let by_landmark =
                landmarks.of(joint).and_then(|landmark| landmarks.get(landmark.mirrored()));
            let by_name = || {
                let other = other_side(&joints[index].name)?;
                joints.iter().position(|joint| joint.name == other).map(JointId::new)
            };
            by_landmark.or_else(by_name).unwrap_or(joint)
        })
        .collect()
}

/// `name` with its left turned to right or the other way round: `LeftHand`, `hand_l`, `Hand.R`.
fn other_side(name: &str) -> Option<String> {
    const WORDS: [(&str, &str); 3] = [("Left", "Right"), ("left", "right"), ("LEFT", "RIGHT")];
    for (left, right) in WORDS {
        for (from, to) in [(left, right), (right, left)] {
            if name.contains(from) {
                return Some(name.replacen(from, to, 1));
            }
        }
    }
    let separator = |byte: u8| matches!(byte, b'_' | b'.' | b'-' | b' ' | b':');
    let bytes = name.as_bytes();
    let lone = (0..bytes.len()).find(|&at| {
        matches!(bytes[at], b'l' | b'L' | b'r' | b'R')
            && (at == 0 || separator(bytes[at - 1]))
            && (at + 1 == bytes.len() || separator(bytes[at + 1]))
    })?;
    let other = match bytes[lone] {
        b'l' => "r",
        b'L' => "R",
        b'r' => "l",
        _ => "L",
    };
    Some(format!("{}{other}{}", &name[..lone], &name[lone + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joint(name: &str, parent: Option<usize>) -> Joint {
        Joint {
            name: name.into(),
            parent: parent.map(JointId::new),
            translation: Vec3::Y,
            rotation: Quat::IDENTITY,
        }
    }

    #[test]
    fn what_is_no_tree_is_refused_with_the_joint_at_fault() {
        let made = |joints: &[(&str, Option<usize>)]| {
            let joints = joints.iter().map(|(name, parent)| joint(name, *parent)).collect();
            Skeleton::new(joints, Landmarks::default()).map(|_| ())
        };
        assert_eq!(made(&[]), Err(SkeletonError::Empty));
        assert_eq!(made(&[("a", None), ("b", Some(0))]), Ok(()));
        assert_eq!(
            made(&[("a", None), ("b", Some(1))]),
            Err(SkeletonError::ChildFirst { name: "b".into() })
        );
        assert_eq!(
            made(&[("a", None), ("b", None)]),
            Err(SkeletonError::SecondRoot { name: "b".into(), root: "a".into() })
        );
        assert_eq!(
            made(&[("a", None), ("a", Some(0))]),
            Err(SkeletonError::DuplicateName { name: "a".into() })
        );
        let mut bad = joint("a", None);
        bad.translation.x = f32::NAN;
        assert!(matches!(
            Skeleton::new(vec![bad], Landmarks::default()),
            Err(SkeletonError::NotFinite { .. })
        ));
    }

    #[test]
    fn twins_are_found_by_their_names() {
        for (name, other) in [
            ("LeftHand", "RightHand"),
            ("mixamorig:RightUpLeg", "mixamorig:LeftUpLeg"),
            ("thumb_01_l", "thumb_01_r"),
            ("Hand.R", "Hand.L"),
            ("l_hand", "r_hand"),
        ] {
            assert_eq!(other_side(name).as_deref(), Some(other));
        }
        assert_eq!(other_side("spine"), None);
        assert_eq!(other_side("collar"), None);
    }

    #[test]
    fn rest_positions_add_up_along_the_chain() {
        let joints = vec![joint("a", None), joint("b", Some(0)), joint("c", Some(1))];
        let skeleton = Skeleton::new(joints, Landmarks::default()).unwrap();
        assert_eq!(skeleton.rest_position(JointId::new(2)), Vec3::new(0.0, 3.0, 0.0));
    }
}
