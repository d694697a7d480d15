//! The room each person has: Voronoi cells, cut off by walls and by a circle.
//!
//! A person's cell is everything that is nearer to them than to anyone else (Steffen and Seyfried
//! 2010). It begins as a circle of the cut-off radius, so that people at the rim of a crowd do not
//! seem to have half the world; the half-planes nearer to each of their neighbours are cut away; and
//! where walls are near, only that part of the ground is left which is connected with the person,
//! so that no cell leaks through a wall. As in `PedPy`, people behind a wall still limit a cell.
//!
//! Density in an area is the integral of `1 / size of the cell` over it, by its size: a person whose
//! cell lies half inside counts half. Speed is the mean weighted with the cells' part in the area.
//!
//! What differs from `PedPy`: the circle is a polygon of the same *area*, so that someone alone has
//! exactly `π r²`; parts of the area that obstacles stand on are no part of its size; and speed is
//! averaged over what is covered by cells, where `PedPy` counts the rest as speed 0. Multiply by
//! [`Reading::covered`] to get its number.

mod buckets;

use std::f64::consts::TAU;

use glam::{DVec2, Vec2};
use throng_base::Polygon;
use throng_world::walkable::{Area, intersection};

use buckets::Buckets;

/// Corners of the polygon that stands for the cut-off circle.
const CIRCLE_SIDES: usize = 64;

/// An area whose density is measured.
#[derive(Clone, Debug)]
pub struct Meter {
    /// The parts of the area that one can walk on.
    area: Vec<Area>,
    /// Their size, m².
    size: f64,
    extent: (DVec2, DVec2),
    area_edges: Buckets,
    /// Everything around that one can walk on.
    ground: Vec<Area>,
    ground_edges: Buckets,
    circle: Vec<DVec2>,
    /// Distance of the circle's corners, m.
    reach: f64,
}

/// What is measured at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reading {
    /// People per square metre.
    pub density: f64,
    /// Mean speed, m/s, weighted with the cells' part in the area. `None` if nobody has one.
    pub speed: Option<f64>,
    /// How much of the area belongs to somebody's cell, 0 to 1.
    pub covered: f64,
}

/// What someone has of an area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// Index of the person.
    pub index: usize,
    /// Size of their cell, m².
    pub cell: f64,
    /// Size of the part of it that is in the area, m².
    pub inside: f64,
    /// How many people stand on the very same point and have the same cell; usually 1.
    pub together: usize,
}

impl Meter {
    /// Measures in `area` on the `ground` that one can walk on, with cells cut off at a radius of
    /// `cut_off`.
    pub fn new(area: &Polygon, ground: &[Area], cut_off: f64) -> Self {
        // A regular polygon of n sides has the area n/2 r² sin(2π/n).
        let angle = TAU / CIRCLE_SIDES as f64;
        let reach = cut_off * (angle / angle.sin()).sqrt();
        let corner = |i: usize| DVec2::from_angle(angle * i as f64) * reach;
        let bounds = area.bounds();
        let (low, high) = (bounds.min.as_dvec2(), bounds.max.as_dvec2());
        // Beyond, no cell reaches that matters; a whole city need not be looked at.
        let around = box_area(low - 3.0 * reach, high + 3.0 * reach);
        let ground = intersection(ground, &around);
        let area = intersection(&[Area::from(area)], &ground);
        Self {
            size: area.iter().map(Area::size).sum(),
            extent: (low, high),
            area_edges: Buckets::of_edges(&area, reach),
            area,
            ground_edges: Buckets::of_edges(&ground, reach),
            ground,
            circle: (0..CIRCLE_SIDES).map(corner).collect(),
            reach,
        }
    }

    /// The part of the area that one can walk on, m².
    pub fn size(&self) -> f64 {
        self.size
    }

    /// Density and speed of people at `positions`, of whom `speed` knows the speed by index.
    pub fn read(&self, positions: &[Vec2], speed: impl Fn(usize) -> Option<f64>) -> Reading {
        if self.size <= 0.0 {
            return Reading::default();
        }
        let shares = self.shares(positions);
        let own = |share: &Share| share.inside / share.together as f64;
        let moving = shares.iter().filter_map(|share| Some((own(share), speed(share.index)?)));
        let (weight, sum) = moving
            .fold((0.0, 0.0), |(weight, sum), (own, speed)| (weight + own, sum + own * speed));
        Reading {
            density: shares.iter().map(|share| share.inside / share.cell).sum::<f64>() / self.size,
            speed: (weight > 0.0).then(|| sum / weight),
            covered: shares.iter().map(own).sum::<f64>() / self.size,
        }
    }

    /// What everyone has of the area, for those who have something of it, by index.
    pub fn shares(&self, positions: &[Vec2]) -> Vec<Share> {
        let near = |p: DVec2, distance: f64| {
            p.cmpge(self.extent.0 - distance).all() && p.cmple(self.extent.1 + distance).all()
        };
        let people: Vec<(usize, DVec2)> = (positions.iter().map(|p| p.as_dvec2()).enumerate())
            .filter(|&(_, p)| p.is_finite() && near(p, 3.0 * self.reach))
            .collect();
        let index = Buckets::of_points(people.iter().map(|&(_, p)| p), 2.0 * self.reach);
        let touching = people.iter().filter(|&&(_, p)| near(p, self.reach));
        touching.filter_map(|&(i, p)| self.share(i, p, &people, &index)).collect()
    }

    fn share(
        &self,
        index: usize,
        position: DVec2,
        people: &[(usize, DVec2)],
        nearby: &Buckets,
    ) -> Option<Share> {
        let mut offsets: Vec<DVec2> =
            nearby.near(position).map(|other| people[other].1 - position).collect();
        let together = offsets.iter().filter(|offset| **offset == DVec2::ZERO).count();
        offsets.retain(|offset| *offset != DVec2::ZERO);
        let cell = self.clip_to_ground(position, convex_cell(&self.circle, &mut offsets))?;
        let size = cell.size();
        let inside = self.size_in_area(position, cell);
        (inside > 0.0 && size > 0.0).then_some(Share { index, cell: size, inside, together })
    }

    /// The part of a cell that is connected with its person. `None` if they are inside of something.
    fn clip_to_ground(&self, position: DVec2, cell: Vec<DVec2>) -> Option<Area> {
        let placed = cell.into_iter().map(|corner| position + corner).collect();
        let cell = Area::new(placed, Vec::new()).ok()?;
        let is_inside = || self.ground.iter().any(|ground| ground.contains(position));
        if !self.ground_edges.reach(position, self.reach) {
            return is_inside().then_some(cell);
        }
        let pieces = intersection(&[cell], &self.ground);
        pieces.into_iter().find(|piece| piece.contains(position))
    }

    fn size_in_area(&self, position: DVec2, cell: Area) -> f64 {
        if !self.area_edges.reach(position, self.reach) {
            let inside = self.area.iter().any(|area| area.contains(position));
            return if inside { cell.size() } else { 0.0 };
        }
        intersection(&[cell], &self.area).iter().map(Area::size).sum()
    }
}

/// What is left of `circle`, around the origin, without what is nearer to somebody at one of
/// `offsets` than to the origin. The offsets are not zero, and are left in another order.
fn convex_cell(circle: &[DVec2], offsets: &mut [DVec2]) -> Vec<DVec2> {
    offsets.sort_by(|a, b| {
        let by_place = || a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y));
        a.length_squared().total_cmp(&b.length_squared()).then_with(by_place)
    });
    let mut cell = circle.to_vec();
    let mut clipped = Vec::with_capacity(cell.len() + 2);
    let farthest = |cell: &[DVec2]| cell.iter().map(|p| p.length_squared()).fold(0.0, f64::max);
    let mut radius_squared = farthest(&cell);
    for offset in offsets {
        // Half-way to this person, and to all who follow, is beyond the cell.
        if offset.length_squared() > 4.0 * radius_squared {
            break;
        }
        keep_nearer_half(&cell, *offset, &mut clipped);
        std::mem::swap(&mut cell, &mut clipped);
        radius_squared = farthest(&cell);
    }
    cell
}

/// The part of a convex `cell` that is nearer to the origin than to `other`.
fn keep_nearer_half(cell: &[DVec2], other: DVec2, kept: &mut Vec<DVec2>) {
    kept.clear();
    let beyond = |p: DVec2| p.dot(other) - 0.5 * other.length_squared();
    for (i, &corner) in cell.iter().enumerate() {
        let next = cell[(i + 1) % cell.len()];
        let (here, there) = (beyond(corner), beyond(next));
        if here <= 0.0 {
            kept.push(corner);
        }
        if (here < 0.0 && there > 0.0) || (here > 0.0 && there < 0.0) {
            kept.push(corner.lerp(next, here / (here - there)));
        }
    }
}

/// An upright rectangle.
fn box_area(low: DVec2, high: DVec2) -> Vec<Area> {
    let corners = vec![low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y)];
    Area::new(corners, Vec::new()).into_iter().collect()
}

#[cfg(test)]
mod tests;
