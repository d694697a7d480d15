//! Where the carpet wants each joint: blended frames of the descriptors that it belongs to.

use glam::Vec3;

use super::descriptor::{Carried, Map};
use super::relation::{Changing, Say};
use super::rig::Rig;
use super::window::Window;

/// Sums of maps over the says in where a joint goes.
pub(super) struct Sums {
    pub leaning: Map,
    pub upright: Map,
    pub total: f32,
}

impl Sums {
    /// Of a relation that was found for this very pose.
    pub fn live(window: &Window, says: &[Say], upright: f32) -> Self {
        Self::of(window, upright, says.iter().map(|say| (say.row, say.column, say.weight)))
    }

    /// Of a table, a `part` of the way from one frame to the next; the table's rows are counted from `row`.
    pub fn tabled(window: &Window, says: &[Changing], part: f32, row: i32, upright: f32) -> Self {
        let says = says.iter().map(|say| {
            let weight = say.weight + part * say.change;
            (row + i32::from(say.row), i32::from(say.column), weight)
        });
        Self::of(window, upright, says)
    }

    /// Says come row by row.
    #[inline(always)]
    fn of(
        window: &Window,
        upright: f32,
        says: impl Iterator<Item = (i32, i32, f32)> + Clone,
    ) -> Self {
        let mut sums = Self { leaning: Map::default(), upright: Map::default(), total: 0.0 };
        if upright < 1.0 {
            let mut slots = window.row(0);
            for (row, column, weight) in says.clone() {
                if row != slots.row {
                    slots = window.row(row);
                }
                sums.leaning.add(weight, window.leaning(slots, column));
            }
        }
        if upright > 0.0 {
            let mut slots = window.row(0);
            for (row, column, weight) in says {
                if row != slots.row {
                    slots = window.row(row);
                }
                sums.upright.add(weight, window.upright(slots, column));
                sums.total += weight;
            }
        }
        sums
    }

    /// Where what was at `rest` over the flat carpet is carried.
    pub fn carry(&self, rest: Vec3, upright: f32) -> Carried {
        if upright <= 0.0 {
            Carried::leaning(&self.leaning, rest)
        } else if upright >= 1.0 {
            Carried::upright(&self.upright, self.total, rest)
        } else {
            let leaning = Carried::leaning(&self.leaning, rest);
            leaning.towards(Carried::upright(&self.upright, self.total, rest), upright)
        }
    }
}

/// How strictly a joint keeps to where the carpet wants it: those near the ground the most.
///
/// The publication divides the sum of a joint's weights by the sum over all joints. Weights of a joint sum to
/// one, so that this is the same for all joints ([`Affinity::Uniform`]); what it is meant for, that joints near
/// the ground hold their places, follows from how near they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Affinity {
    /// By the distance to the nearest descriptor.
    #[default]
    Nearness,
    /// The same for all, as printed.
    Uniform,
}

impl Affinity {
    /// That of a joint whose nearest descriptor is `nearest` metres away, in a body with `joints` joints.
    pub fn of(self, nearest: f32, height: f32, floor: f32, joints: usize) -> f32 {
        match self {
            Self::Nearness => {
                let near = 1.0 - nearest / height;
                if near.is_finite() { near.max(floor).min(1.0) } else { floor }
            }
            Self::Uniform => 1.0 / joints.max(1) as f32,
        }
    }
}

/// Where a joint at `rest` is carried.
pub(super) fn carry(rig: &Rig, rest: Vec3, sums: impl Fn(f32) -> Sums) -> (Vec3, glam::Quat) {
    let upright = rig.upright_at(rest.y);
    let carried = sums(upright).carry(rest, upright);
    (carried.at_height(rest.y), carried.rotation)
}
