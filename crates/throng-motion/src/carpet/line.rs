//! Rows of a carpet that is bent along a way.
//!
//! Each row is laid from the one before it by a follower that heads for a point of the way a little further on
//! and turns no more sharply than a body can: a point `v` aside of a line of curvature `κ` moves `1 ± κ v` times as
//! fast as the line, so that in a sharp bend the outer side races and the inner side stands or runs backwards.
//! Corners are cut instead; what cannot be cut is for a clip that turns on the spot ([`Advice`]).
//!
//! Rows are spaced along the ground and not along the map: on a slope, steps are as long as they were.
//!
//! When the way changes, rows under feet that stand stay where they are. Those beyond go over to the new way
//! within a few tenths of a second.

use std::collections::VecDeque;
use std::f64::consts::PI;

use glam::{DVec2, DVec3, Vec2};
use throng_base::frame::wrap_angle_f64;
use throng_base::ground::Ground;

use super::centre_line::CentreLine;
use super::window::{Plan, sound};

/// How far ahead the follower looks, as a part of the sharpest bend's radius: enough to begin a corner in time.
const LOOK_AHEAD: f64 = 0.8;
/// A turn that is sharper than this within half a stride is no bend, radians.
const PIVOT: f64 = PI / 3.0;
/// How soon rows are where they should be, s: 95 % within three times as long.
const SETTLING: f64 = 0.1;
/// Rows on their way are laid again whenever they have moved by this much, m. Joints belong to seven rows or so, and so
/// none of them ever moves by more than a part of it.
const NOTICED: f64 = 1e-3;
/// How far aside a turn is looked at, m.
const ASIDE: f64 = 0.4;

/// Whether a carpet can be bent along a way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Advice {
    /// It can.
    #[default]
    Bend,
    /// The way turns too sharply, or there is no room to cut the corner: turn on the spot by so much (radians, to
    /// the left), then lay the carpet anew from the foot that stands.
    Pivot {
        /// How far the way turns, radians.
        turn: f32,
    },
    /// There is no way: the carpet goes straight on.
    NoWay,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    centre: DVec2,
    /// Not wrapped, so that halves of it are on the same side from row to row.
    heading: f64,
    /// Where it is going to be, if the way has changed.
    to: DVec2,
    to_heading: f64,
    height: f32,
    /// Where descriptors are, which follow the row by steps that are too small to be seen.
    laid: DVec2,
    laid_heading: f64,
    /// To the left of that heading, and its half as cosine and sine: every descriptor of the row needs them.
    left: DVec2,
    half: Vec2,
    /// Whether descriptors are to be laid again.
    moved: bool,
}

impl Row {
    fn new(place: DVec2, heading: f64, height: f32) -> Self {
        let row = Self {
            centre: place,
            heading,
            to: place,
            to_heading: heading,
            height,
            laid: place,
            laid_heading: heading,
            left: DVec2::X,
            half: Vec2::X,
            moved: false,
        };
        row.laid()
    }

    /// With its descriptors where it is.
    fn laid(self) -> Self {
        let (sin, cos) = self.heading.sin_cos();
        let (half_sin, half_cos) = (0.5 * self.heading).sin_cos();
        Self {
            laid: self.centre,
            laid_heading: self.heading,
            left: DVec2::new(cos, -sin),
            half: Vec2::new(half_cos as f32, half_sin as f32),
            ..self
        }
    }

    /// How far its descriptors are from where it is, m.
    fn lag(&self) -> f64 {
        let turn = (self.heading - self.laid_heading).abs();
        (self.centre - self.laid).abs().max_element() + ASIDE * turn
    }
}

/// How a line is followed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Following {
    pub spacing: f32,
    /// The sharpest curvature, 1/m.
    pub sharpest: f64,
    /// The tangent of the steepest slope.
    pub steepest: f32,
}

/// The rows of a carpet.
#[derive(Clone, Debug)]
pub(super) struct Line {
    following: Following,
    way: CentreLine,
    /// How far along the way the last row is.
    progress: f64,
    rows: VecDeque<Row>,
    /// The number of the first row.
    first: i32,
    changed: bool,
    moving: bool,
}

impl Line {
    pub fn new(following: Following, place: DVec2, heading: f64, height: f32) -> Self {
        let mut rows = VecDeque::with_capacity(128);
        rows.push_back(Row::new(place, heading, height));
        Self {
            following,
            way: CentreLine::default(),
            progress: 0.0,
            rows,
            first: 0,
            changed: false,
            moving: false,
        }
    }

    /// Forgets all rows and begins anew with row `row` at a place.
    pub fn begin_at(&mut self, row: i32, place: DVec2, heading: f64, height: f32) {
        self.rows.clear();
        self.rows.push_back(Row::new(place, heading, height));
        self.first = row;
        self.changed = !self.way.is_empty();
        self.moving = false;
    }

    /// Takes another way from the next time that rows are laid.
    pub fn follow(&mut self, path: impl IntoIterator<Item = DVec2>) -> bool {
        self.changed = true;
        self.way.lead_through(path)
    }

    /// Lays rows from `first` to `last`; those up to `frozen` stay where they are. Whether any beyond
    /// [moved](Self::moved).
    pub fn lay(
        &mut self,
        [first, last]: [i32; 2],
        frozen: i32,
        dt: f32,
        ground: &(impl Ground + ?Sized),
    ) -> bool {
        while self.first < first - 1 && self.rows.len() > 1 {
            self.rows.pop_front();
            self.first += 1;
        }
        while self.first > first {
            let before = self.backwards(ground);
            self.rows.push_front(before);
            self.first -= 1;
        }
        let mut moved = false;
        if self.changed {
            self.changed = false;
            self.head_anew(frozen, ground);
        }
        if self.moving {
            moved = self.settle(frozen, dt);
        }
        while self.first + (self.rows.len() as i32) <= last {
            let Some(row) = self.rows.back().copied() else { break };
            let mut next = self.forwards(row, ground);
            next.centre = next.to + (row.centre - row.to);
            next.heading = next.to_heading + (row.heading - row.to_heading);
            self.rows.push_back(next.laid());
        }
        moved
    }

    /// Finds where the rows beyond `frozen` should be on the way as it is now.
    fn head_anew(&mut self, frozen: i32, ground: &(impl Ground + ?Sized)) {
        let from = (frozen - self.first).clamp(0, self.rows.len() as i32 - 1) as usize;
        let mut row = self.rows[from];
        (row.centre, row.heading) = (row.laid, row.laid_heading);
        (row.to, row.to_heading) = (row.laid, row.laid_heading);
        self.rows[from] = row;
        self.progress = self.way.nearest(row.to);
        for index in from + 1..self.rows.len() {
            row = self.forwards(row, ground);
            let kept = &mut self.rows[index];
            (kept.to, kept.to_heading, kept.height) = (row.to, row.to_heading, row.height);
        }
        self.moving = true;
    }

    fn settle(&mut self, frozen: i32, dt: f32) -> bool {
        let part = 1.0 - (-f64::from(dt.max(0.0)) / SETTLING).exp();
        let from = (frozen + 1 - self.first).max(0) as usize;
        let (mut largest, mut moved): (f64, bool) = (0.0, false);
        for row in self.rows.iter_mut().skip(from) {
            let (away, turn) = (row.to - row.centre, row.to_heading - row.heading);
            let far = away.abs().max_element().max(turn.abs());
            largest = largest.max(far);
            row.centre += part * away;
            row.heading += part * turn;
            // Nearly there is there.
            let there = far < 1e-5;
            if there {
                (row.centre, row.heading) = (row.to, row.to_heading);
            }
            let lag = row.lag();
            if lag > NOTICED || (there && lag > 0.0) {
                *row = Row { moved: true, ..row.laid() };
                moved = true;
            }
        }
        self.moving = largest > 0.0;
        moved
    }

    /// The rows whose descriptors are to be laid again, each told of once.
    pub fn moved(&mut self) -> impl Iterator<Item = i32> + '_ {
        let rows = (self.first..).zip(&mut self.rows);
        rows.filter_map(|(number, row)| std::mem::take(&mut row.moved).then_some(number))
    }

    /// The row after `row`, which is the last that was found.
    fn forwards(&mut self, row: Row, ground: &(impl Ground + ?Sized)) -> Row {
        let spacing = f64::from(self.following.spacing);
        let curvature = self.steer(row.to, row.to_heading);
        let (step, height) = self.step(row.to, row.to_heading, row.height, 1.0, ground);
        let middle = row.to_heading + 0.5 * curvature * step;
        // Along the arc and not along its chord.
        let half = 0.5 * curvature * step;
        let chord = if half.abs() < 1e-6 { step } else { step * half.sin() / half };
        let to = row.to + chord * ahead(middle);
        let to_heading = row.to_heading + curvature * step;
        if !self.way.is_empty() {
            let (near, along) = self.way.at(self.progress + step);
            let correction = (to - near).dot(along).clamp(-spacing, spacing);
            self.progress += step + correction;
        }
        // Whoever keeps it lays it.
        Row { centre: to, heading: to_heading, to, to_heading, height, moved: false, ..row }
    }

    /// The row before the first: straight back.
    fn backwards(&self, ground: &(impl Ground + ?Sized)) -> Row {
        let Some(row) = self.rows.front().copied() else {
            return Row::new(DVec2::ZERO, 0.0, 0.0);
        };
        let (step, height) = self.step(row.laid, row.laid_heading, row.height, -1.0, ground);
        Row::new(row.laid - step * ahead(row.laid_heading), row.laid_heading, height)
    }

    /// The curvature with which to go on: that of the circle through a point of the way further on.
    fn steer(&self, place: DVec2, heading: f64) -> f64 {
        if self.way.is_empty() {
            return 0.0;
        }
        let look_ahead = (LOOK_AHEAD / self.following.sharpest.max(1e-3)).clamp(0.1, 2.0);
        let to = self.way.at(self.progress + look_ahead).0 - place;
        let distance = to.length();
        if distance < 1e-6 {
            return 0.0;
        }
        let aside = wrap_angle_f64(to.x.atan2(to.y) - heading);
        // What is behind is turned to as sharply as can be.
        let bend = if aside.abs() > 0.5 * PI { aside.signum() } else { aside.sin() };
        let curvature = 2.0 * bend / distance.max(0.1);
        curvature.clamp(-self.following.sharpest, self.following.sharpest)
    }

    /// How far the next row is in plan, and how high the ground is there.
    fn step(
        &self,
        place: DVec2,
        heading: f64,
        height: f32,
        sign: f64,
        ground: &(impl Ground + ?Sized),
    ) -> (f64, f32) {
        let spacing = f64::from(self.following.spacing);
        let mean = |along: f64, hint: f32| {
            let places = [along - spacing, along, along + spacing]
                .map(|along| (place + along * sign * ahead(heading)).as_vec2());
            let mut heights = [hint; 3];
            ground.sample(&places, &[hint; 3], &mut heights);
            let heights = heights.map(|height| if sound(height) { height } else { hint });
            (heights[0] + heights[1] + heights[2]) / 3.0
        };
        let here = mean(0.0, height);
        let there = mean(spacing, here);
        let steepest = self.following.steepest;
        let slope = ((there - here) / self.following.spacing).clamp(-steepest, steepest);
        (spacing / f64::from(1.0 + slope * slope).sqrt(), there)
    }

    /// The place and the heading of the abstract root, so many rows on.
    pub fn at(&self, rows: f64) -> (DVec2, f64) {
        let floor = rows.floor();
        let row = |index: i32| {
            let index = (index - self.first).clamp(0, self.rows.len() as i32 - 1);
            &self.rows[index as usize]
        };
        let (a, b) = (row(floor as i32), row(floor as i32 + 1));
        let part = rows - floor;
        let heading = a.laid_heading + part * (b.laid_heading - a.laid_heading);
        (a.laid.lerp(b.laid, part), heading)
    }

    /// Whether the way ahead of a row can be bent along: `within` is half a stride, and `clearance` how much
    /// room there is to cut corners, if that is known.
    pub fn advise(&self, row: f64, within: f64, clearance: Option<f64>) -> Advice {
        if self.way.is_empty() {
            return Advice::NoWay;
        }
        let (place, heading) = self.at(row);
        let from = self.way.nearest(place);
        let spacing = 0.05;
        let headings = |along: f64| {
            let direction = self.way.at(from + along).1;
            direction.x.atan2(direction.y)
        };
        let mut turn: f64 = wrap_angle_f64(headings(0.0) - heading);
        let mut sharpest = turn;
        // The largest turn within any half stride of the next stride.
        let count = (within / spacing).ceil().max(1.0) as usize;
        for start in 0..count {
            let first = headings(start as f64 * spacing);
            for end in 1..=count {
                turn = wrap_angle_f64(headings((start + end) as f64 * spacing) - first);
                if turn.abs() > sharpest.abs() {
                    sharpest = turn;
                }
            }
        }
        let cut = (1.0 / (0.5 * sharpest.abs().min(0.95 * PI)).cos() - 1.0)
            / self.following.sharpest.max(1e-3);
        if sharpest.abs() > PIVOT || clearance.is_some_and(|clearance| cut > clearance) {
            Advice::Pivot { turn: sharpest as f32 }
        } else {
            Advice::Bend
        }
    }
}

impl Plan for Line {
    fn place(&self, row: i32, column: i32, anchor: DVec3) -> (Vec2, Vec2) {
        let index = (row - self.first).clamp(0, self.rows.len() as i32 - 1);
        let row = &self.rows[index as usize];
        let aside = f64::from(column) * f64::from(self.following.spacing);
        let place = row.laid + aside * row.left - DVec2::new(anchor.x, anchor.z);
        (place.as_vec2(), row.half)
    }
}

/// The direction of a heading in plan.
fn ahead(heading: f64) -> DVec2 {
    let (sin, cos) = heading.sin_cos();
    DVec2::new(sin, cos)
}
