//! Spreading people: who takes which path, and where in the width of it they walk.
//!
//! Paths that are wide and not much longer than the shortest are taken by more people. Along a path,
//! everyone keeps to a lane of their own, and now and then moves over to another within a few gates. So
//! people fill the width of a way and yet walk without zigzags.

use glam::DVec2;
use throng_base::random::Stream;
use throng_world::scene::LayerId;

use super::{NavGraph, Path, PathSet, ZoneId};

/// A path that is longer by this share of the cheapest is taken by fewer by a factor of e.
const INDIFFERENCE: f64 = 0.25;

/// Nobody walks in the outermost parts of a gate, as shares of it.
const LATERAL: [f32; 2] = [0.1, 0.9];

/// How often another lane is chosen, per gate.
const CHANGE: f32 = 0.1;

/// How much of the way to their lane people make good from gate to gate. At 1 tracks zigzag; much
/// nearer to 0, everybody ends up in the middle.
const MOVE_OVER: f64 = 0.2;

/// The next place to walk to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waypoint {
    /// Where it is.
    pub point: DVec2,
    /// The zone in which the straight way to it lies.
    pub zone: ZoneId,
    /// The floor of that zone.
    pub layer: LayerId,
}

impl PathSet {
    /// The shares of people who take each path. They add up to one, or there are none.
    pub fn shares(&self) -> Vec<f64> {
        let Some(cheapest) = self.paths.first().map(|path| path.cost) else { return Vec::new() };
        let weight = |path: &Path| {
            let detour = (path.cost - cheapest) / (INDIFFERENCE * cheapest).max(f64::MIN_POSITIVE);
            path.width * (-detour).exp()
        };
        let weights: Vec<f64> = self.paths.iter().map(weight).collect();
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    }

    /// The path for someone with the random number `draw`, from 0 to 1.
    pub fn choose(&self, draw: f64) -> Option<&Path> {
        let mut rest = draw;
        for (path, share) in self.paths.iter().zip(self.shares()) {
            if rest < share {
                return Some(path);
            }
            rest -= share;
        }
        // Rounding, or a draw of one.
        self.paths.last()
    }
}

impl NavGraph {
    /// Where someone with a body of radius `body` crosses the gates of `path` on the way from `from` to
    /// `to`, and `to` itself. `None` if the body does not fit through.
    ///
    /// Each straight way lies within one zone shrunk by `body`, and touches no wall, if `from` and `to`
    /// are in the first and last zone at least so deep.
    pub fn waypoints(
        &self,
        path: &Path,
        from: DVec2,
        to: DVec2,
        body: f64,
        random: &mut Stream,
    ) -> Option<Vec<Waypoint>> {
        let draw = |random: &mut Stream| f64::from(random.between(LATERAL[0], LATERAL[1]));
        let mut lane = draw(random);
        let mut lateral = lane;
        let mut points = Vec::with_capacity(path.zones.len());
        let middle = |gate: usize| path.gates.get(gate).map(|&gate| self.gate(gate).middle());
        for (number, &gate) in path.gates.iter().enumerate() {
            let [a, b] = self.passage(gate, body)?;
            // Left and right as one walks.
            let before = number.checked_sub(1).and_then(middle).unwrap_or(from);
            let ahead = middle(number + 1).unwrap_or(to) - before;
            let [left, right] = if ahead.perp_dot(a - b) >= 0.0 { [a, b] } else { [b, a] };
            points.push(left.lerp(right, lateral));
            if random.unit() < CHANGE {
                lane = draw(random);
            }
            lateral += MOVE_OVER * (lane - lateral);
        }
        points.push(to);
        let waypoint = |(point, &zone)| Waypoint { point, zone, layer: self.zone(zone).layer };
        Some(points.into_iter().zip(&path.zones).map(waypoint).collect())
    }
}
