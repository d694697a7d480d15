//! The shortest path through a sequence of gaps, found while walking through them.
//!
//! A funnel holds the shortest paths from the start to both ends of the last gap. They run together up
//! to the *apex* and part there. Points that shortest paths bend at are kept in a tree, so that a
//! funnel is three numbers, and a search can extend one in several directions without copying it.

use glam::DVec2;

/// Shortest paths from one start.
#[derive(Clone, Debug, Default)]
pub(crate) struct PathTree {
    bends: Vec<Bend>,
    chain: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Bend {
    point: DVec2,
    /// The bend before.
    parent: u32,
    /// Length of the path up to here.
    length: f64,
}

/// The paths to both ends of a gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Funnel {
    apex: u32,
    left: u32,
    right: u32,
}

/// Both ends of a gap, as seen on the way through it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gap {
    pub left: DVec2,
    pub right: DVec2,
}

/// Points nearer than this are the same, m.
const SAME: f64 = 1e-6;

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Left,
    Right,
}

impl Side {
    /// Positive if `b` is on the outer side of `a` on this side of the funnel.
    fn turn(self, a: DVec2, b: DVec2) -> f64 {
        match self {
            Self::Left => a.perp_dot(b),
            Self::Right => b.perp_dot(a),
        }
    }
}

impl PathTree {
    /// With room for so many bends: each gap makes two at most.
    pub fn with_capacity(bends: usize) -> Self {
        Self { bends: Vec::with_capacity(bends), chain: Vec::new() }
    }

    /// Forgets all paths and begins at `point`.
    pub fn start(&mut self, point: DVec2) -> Funnel {
        self.bends.clear();
        self.bends.push(Bend { point, parent: 0, length: 0.0 });
        Funnel { apex: 0, left: 0, right: 0 }
    }

    /// Whether no gap has been passed yet.
    pub fn is_start(&self, funnel: Funnel) -> bool {
        funnel == Funnel { apex: 0, left: 0, right: 0 }
    }

    /// Through one more gap.
    pub fn pass(&mut self, funnel: Funnel, gap: Gap) -> Funnel {
        let funnel = self.move_end(funnel, gap.left, Side::Left);
        self.move_end(funnel, gap.right, Side::Right)
    }

    fn move_end(&mut self, funnel: Funnel, to: DVec2, side: Side) -> Funnel {
        let (own, other) = match side {
            Side::Left => (funnel.left, funnel.right),
            Side::Right => (funnel.right, funnel.left),
        };
        // Ends that differ by rounding only would make sides whose direction is noise.
        if self.bends[own as usize].point.distance_squared(to) < SAME * SAME {
            return funnel;
        }
        // Back along the own side, as long as the path would bend the wrong way.
        let mut from = own;
        while from != funnel.apex {
            let Bend { point, parent, .. } = self.bends[from as usize];
            let (before, after) = (point - self.bends[parent as usize].point, to - point);
            let turn = side.turn(before, after);
            // Along a straight wall, ends of gaps are on one line, and only the last is a bend.
            let is_straight = turn * turn <= SAME * SAME * (before + after).length_squared()
                && before.dot(after) > 0.0;
            if turn >= 0.0 && !is_straight {
                break;
            }
            from = parent;
        }
        let mut apex = funnel.apex;
        if from == apex {
            // The whole side is taut. If the end has come over to the other side, the path follows
            // that one, and the apex with it.
            apex = self.follow(apex, other, to, side);
            from = apex;
        }
        let own = self.bend(from, to);
        match side {
            Side::Left => Funnel { apex, left: own, right: other },
            Side::Right => Funnel { apex, left: other, right: own },
        }
    }

    /// From `apex` outwards along the side that ends at `tail`, as long as `to` lies beyond it, seen
    /// from an end of `side`.
    fn follow(&mut self, apex: u32, tail: u32, to: DVec2, side: Side) -> u32 {
        self.chain.clear();
        let mut bend = tail;
        while bend != apex {
            self.chain.push(bend);
            bend = self.bends[bend as usize].parent;
        }
        let mut at = apex;
        for &next in self.chain.iter().rev() {
            let here = self.bends[at as usize].point;
            let along = self.bends[next as usize].point - here;
            let turn = side.turn(along, to - here);
            let (next_away, to_away) = (along.length_squared(), to.distance_squared(here));
            // On one line with the side, what is nearer comes first. Somebody who stands nearer to a wall
            // than the path keeps is beyond the near end of the gap they stand in, and its far end must
            // not come first because of rounding. Who stands in the gap has its ends on both sides, and
            // need not go to either.
            let is_on_line = turn * turn <= SAME * SAME * next_away.max(to_away);
            let is_between = along.dot(to - here) < 0.0;
            let comes_first =
                if is_on_line { is_between || next_away >= to_away } else { turn > 0.0 };
            if comes_first {
                break;
            }
            at = next;
        }
        at
    }

    fn bend(&mut self, parent: u32, point: DVec2) -> u32 {
        let before = &self.bends[parent as usize];
        let length = before.length + before.point.distance(point);
        self.bends.push(Bend { point, parent, length });
        self.bends.len() as u32 - 1
    }

    /// The lengths of the shortest paths to the left and the right end of the last gap.
    pub fn lengths(&self, funnel: Funnel) -> [f64; 2] {
        [funnel.left, funnel.right].map(|end| self.bends[end as usize].length)
    }

    /// The bend from which `to` is reached straight, once one is through the gap.
    fn last_bend(&mut self, funnel: Funnel, to: DVec2) -> u32 {
        match self.follow(funnel.apex, funnel.right, to, Side::Left) {
            at if at != funnel.apex => at,
            _ => self.follow(funnel.apex, funnel.left, to, Side::Right),
        }
    }

    /// The shortest path through all gaps to `to`, if nothing is in the way after the last one: its
    /// length up to the last bend, and from there on.
    pub fn lengths_to(&mut self, funnel: Funnel, to: DVec2) -> [f64; 2] {
        let last = self.last_bend(funnel, to);
        let Bend { point, length, .. } = self.bends[last as usize];
        [length, point.distance(to)]
    }

    /// The same for the shortest path that crosses the last gap, whatever comes after it.
    pub fn least_lengths_to(&mut self, funnel: Funnel, to: DVec2) -> [f64; 2] {
        let [left, right] = [funnel.left, funnel.right].map(|end| self.bends[end as usize].point);
        let across = right - left;
        let behind = across.perp_dot(to - right);
        if self.is_start(funnel) || behind >= 0.0 {
            return self.lengths_to(funnel, to);
        }
        // There and back again is as long as through to the mirror image.
        let mirrored = match across.try_normalize() {
            Some(across) => to - 2.0 * across.perp() * across.perp().dot(to - right),
            None => to,
        };
        self.lengths_to(funnel, mirrored)
    }

    /// The points of that path, from the start to `to`.
    pub fn path_to(&mut self, funnel: Funnel, to: DVec2) -> Vec<DVec2> {
        let mut bend = self.last_bend(funnel, to);
        let mut path = vec![to];
        loop {
            let Bend { point, parent, .. } = self.bends[bend as usize];
            if path.last() != Some(&point) {
                path.push(point);
            }
            if bend == 0 {
                break;
            }
            bend = parent;
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn gap(left: (f64, f64), right: (f64, f64)) -> Gap {
        Gap { left: left.into(), right: right.into() }
    }

    fn through(start: DVec2, gaps: &[Gap], goal: DVec2) -> (f64, Vec<DVec2>) {
        let mut tree = PathTree::default();
        let start = tree.start(start);
        let funnel = gaps.iter().fold(start, |funnel, &gap| tree.pass(funnel, gap));
        let length = tree.lengths_to(funnel, goal).iter().sum();
        (length, tree.path_to(funnel, goal))
    }

    #[test]
    fn what_is_in_sight_is_reached_straight() {
        let gaps = [gap((1.0, 1.0), (1.0, -1.0)), gap((2.0, 2.0), (2.0, -1.0))];
        let goal = DVec2::new(3.0, 0.5);
        let (length, path) = through(DVec2::ZERO, &gaps, goal);
        assert_eq!(path, [DVec2::ZERO, goal]);
        assert!((length - goal.length()).abs() < 1e-12);
    }

    #[test]
    fn a_slalom_bends_at_the_poles() {
        let gaps = [
            gap((1.0, 9.0), (1.0, 1.0)),
            gap((2.0, -1.0), (2.0, -9.0)),
            gap((3.0, 9.0), (3.0, 1.0)),
        ];
        let (_, path) = through(DVec2::ZERO, &gaps, DVec2::new(4.0, 0.0));
        let poles = [(0.0, 0.0), (1.0, 1.0), (2.0, -1.0), (3.0, 1.0), (4.0, 0.0)].map(DVec2::from);
        assert_eq!(path, poles);
    }

    #[test]
    fn who_stands_beyond_the_near_end_of_a_gap_does_not_leave_by_the_far_one() {
        let goal = DVec2::new(3.0, 0.2);
        for noise in [-1e-9, 0.0, 1e-9] {
            let near_right = [gap((noise, 9.0), (0.0, 0.1)), gap((1.0, 9.0), (1.0, 0.1))];
            let near_left = near_right.map(|Gap { left, right }| {
                let turned = |at: DVec2| DVec2::new(at.x, -at.y);
                Gap { left: turned(right), right: turned(left) }
            });
            for (gaps, goal) in [(near_right, goal), (near_left, DVec2::new(goal.x, -goal.y))] {
                let (length, path) = through(DVec2::ZERO, &gaps, goal);
                assert!(length < 3.2 && path.iter().all(|at| at.y.abs() < 1.0), "{path:?}");
            }
        }
    }

    #[test]
    fn who_stands_in_a_gap_goes_to_neither_end() {
        let goal = DVec2::new(3.0, 0.2);
        for noise in [-1e-9, 0.0, 1e-9] {
            for (left, right) in [(1.0, -2.0), (2.0, -1.0), (2.0, -2.0)] {
                let gaps = [gap((noise, left), (-noise, right)), gap((1.0, 2.0), (1.0, -2.0))];
                let (_, path) = through(DVec2::ZERO, &gaps, goal);
                assert_eq!(path, [DVec2::ZERO, goal], "{noise} {left} {right}");
            }
        }
    }

    /// By dynamic programming over points of each gap: never shorter than the true path.
    fn by_force(start: DVec2, gaps: &[Gap], goal: DVec2) -> f64 {
        const POINTS: usize = 200;
        let mut reached = vec![(start, 0.0)];
        for gap in gaps {
            let at = |i: usize| gap.left.lerp(gap.right, i as f64 / POINTS as f64);
            reached = (0..=POINTS)
                .map(|i| {
                    let length = |(from, length): &(DVec2, f64)| length + from.distance(at(i));
                    (at(i), reached.iter().map(length).fold(f64::INFINITY, f64::min))
                })
                .collect();
        }
        let length = |(from, length): &(DVec2, f64)| length + from.distance(goal);
        reached.iter().map(length).fold(f64::INFINITY, f64::min)
    }

    proptest! {
        #[test]
        fn no_other_path_through_the_gaps_is_shorter(
            ends in prop::collection::vec((-4.0f64..4.0, 0.0f64..3.0, -0.04f64..0.04), 1..7),
            start in -3.0f64..3.0,
            goal in -3.0f64..3.0,
        ) {
            // Gaps one after the other that do not cross.
            let gaps: Vec<Gap> = (1..).zip(&ends).map(|(x, &(low, width, slant))| Gap {
                left: DVec2::new(f64::from(x) + slant * width.min(1.0), low + width),
                right: DVec2::new(f64::from(x) - slant * width.min(1.0), low),
            }).collect();
            let start = DVec2::new(0.0, start);
            let goal = DVec2::new(gaps.len() as f64 + 1.0, goal);
            let (length, path) = through(start, &gaps, goal);
            let legs: f64 = path.windows(2).map(|leg| leg[0].distance(leg[1])).sum();
            prop_assert!((legs - length).abs() < 1e-9);
            let force = by_force(start, &gaps, goal);
            prop_assert!(length <= force + 1e-9, "{} {} {:?}", length, force, path);
            prop_assert!(length >= force - 0.05, "{} {} {:?}", length, force, path);
        }
    }
}
