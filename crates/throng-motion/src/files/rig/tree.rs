//! How the nodes of a file hang together, and where they are.

use glam::Affine3A;

use super::{Source, TOO_FAR, is_sane};
use crate::files::document::ReadError;

/// The nodes of a file as trees, of which there may be several.
pub(super) struct Tree {
    /// Every node after its parent.
    pub order: Vec<usize>,
    /// Where every node is, as the file has it.
    pub world: Vec<Affine3A>,
}

impl Tree {
    /// The trees, or an error if nodes go round in circles or are nowhere.
    pub fn new(source: &Source) -> Result<Self, ReadError> {
        let nodes = &source.nodes;
        let mut children = vec![Vec::new(); nodes.len()];
        let mut order = Vec::with_capacity(nodes.len());
        for (index, node) in nodes.iter().enumerate() {
            match node.parent {
                Some(parent) => children[parent].push(index),
                None => order.push(index),
            }
            if !node.local.is_finite() {
                return Err(ReadError::part(part(source, index), "its transform is not finite"));
            }
        }
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            order.extend(&children[node]);
            next += 1;
        }
        if order.len() < nodes.len() {
            let mut reached = vec![false; nodes.len()];
            order.iter().for_each(|node| reached[*node] = true);
            let lost = reached.iter().position(|reached| !reached).unwrap_or(0);
            return Err(ReadError::part(part(source, lost), "it is its own ancestor"));
        }
        let mut world = vec![Affine3A::IDENTITY; nodes.len()];
        for &node in &order {
            let above = nodes[node].parent.map_or(source.base, |parent| world[parent]);
            world[node] = above * nodes[node].local.matrix();
            if !(world[node].is_finite() && is_sane(world[node].translation)) {
                return Err(ReadError::part(part(source, node), TOO_FAR));
            }
        }
        Ok(Self { order, world })
    }

    /// Where the parent of a node is.
    pub fn above(&self, source: &Source, node: usize) -> Affine3A {
        source.nodes[node].parent.map_or(source.base, |parent| self.world[parent])
    }
}

/// How errors and warnings call a node.
pub(super) fn part(source: &Source, node: usize) -> String {
    let name = &source.nodes[node].name;
    if name.is_empty() { format!("nodes[{node}]") } else { format!("nodes[{node}] {name:?}") }
}
