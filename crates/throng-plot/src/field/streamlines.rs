//! Streamlines that are about equally far apart, after Jobard and Lefer ("Creating evenly-spaced
//! streamlines of arbitrary density", Visualization in Scientific Computing, 1997).
//!
//! A line is followed both ways until it comes too near to another one, leaves the map, enters a wall
//! or stands still; beside each of its points, a new one may begin.

use std::collections::VecDeque;

use glam::Vec2;
use throng::base::Bounds;

use super::is_covered;
use crate::ground::Ground;
use crate::map::View;

/// A line ends where it is nearer to another than this share of the distance at which lines begin.
const NEAREST: f32 = 0.55;
/// A step along a line, as a share of that distance.
const STEP: f32 = 0.2;
/// Lines with fewer points are left out: specks.
const SHORTEST: usize = 12;
/// Speed below which nobody gets anywhere, m/s.
const STANDSTILL: f32 = 1e-3;
/// Most points of all lines together.
const MOST_POINTS: usize = 60_000;
/// Most points of one line in one direction.
const MOST_OF_ONE: usize = 2000;
/// Seeds along each side of the map where no line has come.
const SEEDS: usize = 24;

pub(super) struct Streamlines<'a, F> {
    ground: &'a Ground,
    bounds: Bounds,
    velocity: F,
    /// Distance of lines, m.
    spacing: f32,
    /// Points of all lines, by cell.
    cells: Vec<Vec<Vec2>>,
    columns: usize,
    lines: Vec<Vec<Vec2>>,
    points: usize,
}

impl<'a, F: Fn(Vec2) -> Vec2> Streamlines<'a, F> {
    /// Lines that are `spacing` apart on the page.
    pub(super) fn new(ground: &'a Ground, view: &View, spacing: f32, velocity: F) -> Self {
        let spacing = (f64::from(spacing) / view.scale) as f32;
        let size = (ground.bounds.size() / spacing).ceil().clamp(Vec2::ONE, Vec2::splat(512.0));
        let cells = vec![Vec::new(); (size.x * size.y) as usize];
        let (bounds, columns) = (ground.bounds, size.x as usize);
        Self { ground, bounds, velocity, spacing, cells, columns, lines: Vec::new(), points: 0 }
    }

    /// All lines, as points of the ground.
    pub(super) fn lines(mut self) -> Vec<Vec<Vec2>> {
        for i in 0..SEEDS * SEEDS {
            let at = Vec2::new((i % SEEDS) as f32 + 0.5, (i / SEEDS) as f32 + 0.5) / SEEDS as f32;
            let mut seeds = VecDeque::from([self.bounds.min + self.bounds.size() * at]);
            while let Some(seed) = seeds.pop_front() {
                if self.points > MOST_POINTS || !self.is_free(seed, self.spacing) {
                    continue;
                }
                let line = self.follow(seed);
                if line.len() < SHORTEST {
                    continue;
                }
                for pair in line.windows(2).step_by(4) {
                    let across =
                        (pair[1] - pair[0]).normalize_or_zero().perp() * self.spacing * 1.01;
                    seeds.extend([pair[0] + across, pair[0] - across]);
                }
                self.keep(line);
            }
        }
        self.lines
    }

    fn keep(&mut self, line: Vec<Vec2>) {
        for &point in &line {
            if let Some(cell) = self.cell(point) {
                self.cells[cell].push(point);
            }
        }
        self.points += line.len();
        self.lines.push(line);
    }

    fn follow(&self, seed: Vec2) -> Vec<Vec2> {
        let mut line: Vec<Vec2> = self.follow_one_way(seed, -1.0);
        line.reverse();
        line.push(seed);
        line.extend(self.follow_one_way(seed, 1.0));
        line
    }

    fn follow_one_way(&self, seed: Vec2, sign: f32) -> Vec<Vec2> {
        let step = sign * STEP * self.spacing;
        let mut line: Vec<Vec2> = Vec::new();
        let (mut here, mut last_way) = (seed, Vec2::ZERO);
        while line.len() < MOST_OF_ONE {
            // The midpoint rule.
            let middle = self.direction(here).map(|way| here + way * (0.5 * step));
            let Some(way) = middle.and_then(|middle| self.direction(middle)) else { break };
            let next = here + way * step;
            // It turns back where it has stepped over a place where the field stands still.
            let turns_back = way.dot(last_way) < 0.0;
            let is_free = self.is_free(next, NEAREST * self.spacing);
            if turns_back || !is_free || self.meets_itself(&line, seed, next) {
                break;
            }
            line.push(next);
            (here, last_way) = (next, way);
        }
        line
    }

    fn direction(&self, place: Vec2) -> Option<Vec2> {
        let velocity = (self.velocity)(place);
        (velocity.length() > STANDSTILL).then(|| velocity.normalize_or_zero())
    }

    /// Whether a line runs into its own beginning: around an eddy.
    fn meets_itself(&self, line: &[Vec2], seed: Vec2, next: Vec2) -> bool {
        let near = NEAREST * self.spacing;
        let skipped = (2.0 / STEP) as usize;
        let earlier = line.len().saturating_sub(skipped);
        let is_near = |point: &Vec2| point.distance(next) < near;
        (line.len() > skipped && is_near(&seed)) || line[..earlier].iter().any(is_near)
    }

    /// Whether a place is open ground, this far from all lines.
    fn is_free(&self, place: Vec2, distance: f32) -> bool {
        if is_covered(self.ground, place) {
            return false;
        }
        let Some(cell) = self.cell(place) else { return false };
        let (row, column) = (cell / self.columns, cell % self.columns);
        let rows = self.cells.len() / self.columns;
        for row in row.saturating_sub(1)..=(row + 1).min(rows - 1) {
            for column in column.saturating_sub(1)..=(column + 1).min(self.columns - 1) {
                let near = |point: &Vec2| point.distance(place) < distance;
                if self.cells[row * self.columns + column].iter().any(near) {
                    return false;
                }
            }
        }
        true
    }

    fn cell(&self, place: Vec2) -> Option<usize> {
        let rows = self.cells.len() / self.columns;
        let at = (place - self.bounds.min) / self.spacing;
        let (column, row) = (at.x.floor(), at.y.floor());
        let is_inside = column >= 0.0 && row >= 0.0 && place.is_finite();
        let clamped = |value: f32, count: usize| (value as usize).min(count - 1);
        is_inside.then(|| clamped(row, rows) * self.columns + clamped(column, self.columns))
    }
}
