//! Joints other than the root that have places in every frame.
//!
//! Many programs write the same offset again and again for every joint; then there is nothing to it.
//! Some rigs keep their root where it is and move the hips: that movement is given to the root. What
//! is left are bones that stretch, which Throng's bodies do not do.

use glam::DVec3;

use super::hierarchy::{Channel, Node};
use crate::files::Warnings;

/// The places of a joint over all frames, in units of the file.
pub(super) struct Places {
    mean: DVec3,
    /// The largest distance from the mean.
    spread: f64,
    /// Whether they are added to the joint's offset instead of replacing it.
    added: bool,
}

/// The place of a joint in its parent in one frame, as its channels say.
pub(super) fn place(node: &Node, row: &[f64]) -> DVec3 {
    let mut place = node.offset;
    for (channel, number) in node.channels.iter().zip(&row[node.first_number..]) {
        if let Channel::Position(axis) = channel {
            place[*axis] = *number;
        }
    }
    place
}

impl Places {
    /// What the frames say of a joint; nothing if it has no channels for it.
    pub fn of(node: &Node, rows: &[f64], width: usize) -> Option<Self> {
        let moves = |channel: &Channel| matches!(channel, Channel::Position(_));
        if !node.channels.iter().any(moves) || rows.is_empty() {
            return None;
        }
        let places = || rows.chunks_exact(width).map(|row| place(node, row));
        let mean = places().sum::<DVec3>() / (rows.len() / width) as f64;
        let spread = places().map(|place| place.distance(mean)).fold(0.0, f64::max);
        // Places about zero of a bone that is long can only be meant on top of its offset.
        let added = mean.length() + spread < 0.2 * node.offset.length();
        Some(Self { mean, spread, added })
    }

    /// Where the joint is in its parent in one frame.
    pub fn at(&self, node: &Node, row: &[f64]) -> DVec3 {
        if self.added { node.offset + place(node, row) } else { place(node, row) }
    }

    /// Whether the joint moves in its parent by more than rounding, at `unit` metres.
    pub fn moves(&self, unit: f64) -> bool {
        self.spread * unit > 1e-3
    }

    /// Makes the joint's offset what it mostly is in the frames, and says what that changes.
    pub fn settle(&self, node: &mut Node, unit: f64, carried: bool, warnings: &mut Warnings) {
        let mean = if self.added { node.offset + self.mean } else { self.mean };
        let differs = mean.distance(node.offset) * unit;
        let centimetres = 100.0 * self.spread * unit;
        if carried {
            let found = format!("joint {:?} moves, and its root does not carry it", node.name);
            warnings.add(node.place.clone(), found, "the root is moved instead");
        } else if self.moves(unit) {
            warnings.add(
                node.place.clone(),
                format!("the bone to joint {:?} stretches by up to {centimetres:.1} cm", node.name),
                "its mean length is used in all frames",
            );
        } else if differs > 1e-3 {
            warnings.add(
                node.place.clone(),
                format!("joint {:?} is elsewhere in the frames than its OFFSET says", node.name),
                "the frames are believed",
            );
        } else {
            return;
        }
        if !carried {
            node.offset = mean;
        }
    }
}
