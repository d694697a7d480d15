//! Who hangs from whom.

use crate::skeleton::{JointId, Skeleton};

/// Parents and children of a skeleton's joints.
pub(super) struct Tree {
    parents: Vec<Option<JointId>>,
    children: Vec<Vec<JointId>>,
}

impl Tree {
    pub fn of(skeleton: &Skeleton) -> Self {
        let parents: Vec<_> = skeleton.joints().iter().map(|joint| joint.parent).collect();
        let mut children = vec![Vec::new(); parents.len()];
        for (index, parent) in parents.iter().enumerate() {
            if let Some(parent) = parent {
                children[parent.index()].push(JointId::new(index));
            }
        }
        Self { parents, children }
    }

    pub fn children(&self, joint: JointId) -> &[JointId] {
        &self.children[joint.index()]
    }

    /// The joint and all it hangs from, up to the root.
    pub fn upwards(&self, joint: JointId) -> impl Iterator<Item = JointId> + '_ {
        std::iter::successors(Some(joint), |joint| self.parents[joint.index()])
    }

    /// Whether `below` hangs from `above`, over however many joints.
    pub fn is_above(&self, above: JointId, below: JointId) -> bool {
        // Parents have smaller numbers, so most answers take few steps.
        above != below
            && self.upwards(below).take_while(|joint| *joint >= above).any(|joint| joint == above)
    }

    /// The last joint from which both hang (or which one of them is).
    pub fn meeting(&self, a: JointId, b: JointId) -> JointId {
        let (mut a, mut b) = (a, b);
        while a != b {
            let later = if a > b { &mut a } else { &mut b };
            *later = self.parents[later.index()].unwrap_or(JointId::ROOT);
        }
        a
    }

    /// The joints between two, from the upper to the lower, without either.
    pub fn between(&self, above: JointId, below: JointId) -> Vec<JointId> {
        let mut path: Vec<JointId> =
            self.upwards(below).skip(1).take_while(|joint| *joint > above).collect();
        path.reverse();
        path
    }
}
