//! Arms and legs: chains of joints whose names say so.
//!
//! A name alone may mean two joints: `shoulder` is a collar bone or the joint of the arm, `foot` the
//! ankle or the ball. So all chains of candidates, each below the one before, are weighed against
//! each other: by what their names say, and by whether their bones are as long as those of a limb.

use crate::skeleton::{JointId, Skeleton};

use super::tree::Tree;
use super::words::{Meaning, Part};

/// What to look for.
pub(super) struct Search<'a> {
    pub skeleton: &'a Skeleton,
    pub tree: &'a Tree,
    /// What the names of all joints say.
    pub meanings: &'a [Meaning],
    /// The side that names must have.
    pub side: crate::contact::Side,
}

/// A joint of a limb that is looked for.
#[derive(Clone, Copy)]
pub(super) struct Link {
    pub part: Part,
    /// Whether the bone from it to the next joint is one of the two long bones of a limb.
    pub long: bool,
    /// What is known for certain: a joint, or that there is none.
    pub pin: Option<Option<JointId>>,
}

/// More candidates than this for one link are not joints of one limb.
const MOST: usize = 12;
/// What is pinned outweighs every name.
const CERTAIN: i32 = 100;

impl Search<'_> {
    /// The best chain: a joint for each link, or none.
    pub fn best(&self, links: &[Link]) -> Vec<Option<JointId>> {
        let candidates: Vec<Vec<(JointId, i32)>> =
            links.iter().map(|link| self.candidates(link)).collect();
        let mut best = (0, vec![None; links.len()]);
        let mut chain = Vec::with_capacity(links.len());
        self.extend(links, &candidates, (&mut chain, 0), &mut best);
        best.1
    }

    fn candidates(&self, link: &Link) -> Vec<(JointId, i32)> {
        match link.pin {
            Some(Some(joint)) => return vec![(joint, CERTAIN)],
            Some(None) => return Vec::new(),
            None => {}
        }
        let mut found: Vec<(JointId, i32)> = (0..self.meanings.len())
            .filter(|&index| self.meanings[index].side == Some(self.side))
            .map(|index| (JointId::new(index), self.meanings[index].weight(link.part)))
            .filter(|(_, weight)| *weight > 0)
            .collect();
        found.sort_by_key(|(joint, weight)| (-weight, *joint));
        found.truncate(MOST);
        found.sort_by_key(|(joint, _)| *joint);
        found
    }

    /// Tries all ways on from `chain`. Of chains that weigh the same the one nearer to the root is
    /// kept: a wrist rather than the hand beyond it.
    fn extend(
        &self,
        links: &[Link],
        candidates: &[Vec<(JointId, i32)>],
        (chain, weight): (&mut Vec<Option<JointId>>, i32),
        best: &mut (i32, Vec<Option<JointId>>),
    ) {
        let at = chain.len();
        if at == links.len() {
            let weight = weight + self.shape(links, chain);
            if weight > best.0 {
                *best = (weight, chain.clone());
            }
            return;
        }
        let last = chain.iter().rev().find_map(|joint| *joint);
        for (joint, more) in &candidates[at] {
            if last.is_none_or(|last| self.tree.is_above(last, *joint)) {
                chain.push(Some(*joint));
                self.extend(links, candidates, (chain, weight + more), best);
                chain.pop();
            }
        }
        chain.push(None);
        self.extend(links, candidates, (chain, weight), best);
        chain.pop();
    }

    /// Limbs have two long bones of similar length.
    fn shape(&self, links: &[Link], chain: &[Option<JointId>]) -> i32 {
        let long = (0..links.len().saturating_sub(1)).filter(|&index| links[index].long);
        let lengths: Vec<f32> = long
            .filter_map(|index| chain[index].zip(chain[index + 1]))
            .map(|(from, to)| {
                self.skeleton.rest_position(from).distance(self.skeleton.rest_position(to))
            })
            .collect();
        let longest = lengths.iter().copied().fold(0.0, f32::max);
        lengths.iter().map(|length| if *length > 0.4 * longest { 1 } else { -3 }).sum()
    }
}
