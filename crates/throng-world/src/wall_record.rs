//! Edges as sixteen numbers each, for code that looks at the walls of many people at once.

use crate::walls::Wall;

/// A wall edge with what one has to know of the edges beside it, laid out to be loaded as lanes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct WallRecord {
    /// Start x and y, end x and y, direction x and y, and whether the solid has a convex corner at the
    /// start and at the end: 1 or 0.
    pub edge: [f32; 8],
    /// Direction x and y of the edge before it and of the one after it; the rest is zero.
    pub beside: [f32; 8],
}

impl WallRecord {
    /// For lanes that have no edge: a point at the origin.
    pub const NONE: Self = Self { edge: [0.0; 8], beside: [0.0; 8] };

    pub(crate) fn of_all(walls: &[Wall]) -> Vec<Self> {
        let of = |wall: &Wall| {
            let (previous, next) = (walls[wall.previous.0 as usize], walls[wall.next.0 as usize]);
            let [start, end, direction] =
                [wall.start, wall.end, wall.direction].map(|vector| vector.to_array());
            let [before, after] = [previous, next].map(|beside| beside.direction.to_array());
            let [convex, next_convex] = [wall.convex, next.convex].map(f32::from);
            Self {
                edge: [
                    start[0],
                    start[1],
                    end[0],
                    end[1],
                    direction[0],
                    direction[1],
                    convex,
                    next_convex,
                ],
                beside: [before[0], before[1], after[0], after[1], 0.0, 0.0, 0.0, 0.0],
            }
        };
        walls.iter().map(of).collect()
    }
}
