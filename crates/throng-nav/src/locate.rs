//! From places to the map: which disc holds a point, and where the nearest free place is.
//!
//! Moving a point straight away from its nearest wall leads to the axis, and the disc there holds the
//! point with all of its clearance. Each wall and corner has a list of the pieces of axis around it,
//! so a query is a search for the nearest wall and a look at a short list.

use glam::DVec2;
use throng_world::scene::LayerId;

use crate::index::{Nearest, WallIndex, by_row};
use crate::map::{CorridorMap, EdgeId, Stub};
use crate::medial::{Arc, SiteId, Sites};
use crate::piece::{Piece, Site};

/// A place on the axis of a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// The edge it is on.
    pub edge: EdgeId,
    /// Number of the piece on the whole map.
    pub(crate) arc: u32,
    /// How much of that piece is behind it, from 0 to 1.
    pub(crate) share: f64,
    /// Where it is.
    pub point: DVec2,
    /// Distance from there to the nearest walls, m.
    pub clearance: f64,
}

/// A point and the disc of the map that holds it best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The point.
    pub point: DVec2,
    /// Its floor.
    pub layer: LayerId,
    /// Its own distance to the nearest wall, m.
    pub clearance: f64,
    /// The centre of a disc that holds all that is free around the point.
    pub anchor: Anchor,
}

/// Finds the pieces around a wall or corner.
#[derive(Clone, Debug)]
pub(crate) struct Locator {
    index: WallIndex,
    /// Rows of `around`, by site.
    begins: Vec<u32>,
    around: Vec<Part>,
}

/// A piece seen from one of its two sites.
#[derive(Clone, Copy, Debug)]
struct Part {
    piece: Piece,
    arc: u32,
    /// Where on that arc, if the piece itself is not on the map.
    cut_off: Option<f64>,
}

impl Locator {
    pub fn new<'a>(
        sites: &Sites,
        arcs: impl Iterator<Item = (u32, &'a Arc)>,
        stubs: impl Iterator<Item = &'a Stub>,
    ) -> Self {
        let kept = arcs.map(|(number, arc)| (arc, number, None));
        let cut_off = stubs.map(|stub| (&stub.arc, stub.at, Some(stub.share)));
        let (mut parts, mut pairs) = (Vec::new(), Vec::new());
        for (arc, number, cut_off) in kept.chain(cut_off) {
            pairs.extend([arc.left, arc.right].map(|site| (site.0, parts.len() as u32)));
            parts.push(Part { piece: arc.piece, arc: number, cut_off });
        }
        let (begins, around) = by_row(sites.len(), &pairs);
        let around = around.into_iter().map(|part| parts[part as usize]).collect();
        Self { index: WallIndex::new(sites), begins, around }
    }

    pub fn bounds(&self) -> [DVec2; 2] {
        self.index.bounds()
    }

    pub fn nearest(&self, sites: &Sites, point: DVec2) -> Option<Nearest> {
        self.index.nearest(sites, point)
    }

    pub fn room_along(&self, sites: &Sites, line: [DVec2; 2], least: f64, most: f64) -> f64 {
        self.index.room_along(sites, line, least, most)
    }

    /// Where the axis is if one moves away from `site` through `point`.
    fn axis_beyond(&self, sites: &Sites, site: SiteId, point: DVec2) -> Option<(u32, f64)> {
        let row = self.begins[site.0 as usize] as usize..self.begins[site.0 as usize + 1] as usize;
        let (ray, parts) = (Ray::new(sites.site(site), point), &self.around[row]);
        let met = parts.iter().find_map(|part| Some((part, ray.meets(&part.piece)?)));
        let (part, share) = met.or_else(|| {
            // Because of rounding, or where the axis has been cut off.
            let missed = parts.iter().map(|part| (part, ray.misses(&part.piece)));
            let nearest = missed.reduce(|best, next| if next.1.1 < best.1.1 { next } else { best });
            nearest.map(|(part, (share, _))| (part, share))
        })?;
        Some((part.arc, part.cut_off.unwrap_or(share)))
    }
}

/// A ray from a site through a point.
#[derive(Clone, Copy)]
enum Ray {
    /// Straight away from a wall: where the wall begins, its direction, and how far along it the ray begins, m.
    Wall(DVec2, DVec2, f64),
    /// From a corner, and the way to the point.
    Corner(DVec2, DVec2),
}

impl Ray {
    fn new(site: Site, point: DVec2) -> Self {
        match site {
            Site::Wall(a, b) => {
                let along = (b - a).normalize_or_zero();
                Self::Wall(a, along, (point - a).dot(along))
            }
            Site::Point(corner) => Self::Corner(corner, point - corner),
        }
    }

    /// Where the ray meets a piece that borders on its site, as a share of the way along the piece.
    fn meets(self, piece: &Piece) -> Option<f64> {
        match self {
            Self::Wall(..) => {
                let (share, miss) = self.misses(piece);
                (miss == 0.0).then_some(share)
            }
            Self::Corner(corner, way) => {
                let (from, to) = (piece.from - corner, piece.to - corner);
                let is_left = from.perp_dot(to) >= 0.0;
                let (first, last) = if is_left { (from, to) } else { (to, from) };
                // No piece turns about its corner by half a circle.
                let is_between = first.perp_dot(way) > 0.0 && way.perp_dot(last) > 0.0;
                is_between.then(|| piece.meet(corner, way))
            }
        }
    }

    /// The share of the way along a piece that is nearest to the ray, and by how much the ray misses it, m for walls and
    /// radians for corners.
    fn misses(self, piece: &Piece) -> (f64, f64) {
        match self {
            Self::Wall(begin, along, at) => {
                let [from, to] = [piece.from, piece.to].map(|end| (end - begin).dot(along));
                let miss = (from.min(to) - at).max(at - from.max(to)).max(0.0);
                // On a parabola, too, shares are those of the way along the wall.
                let share = (at - from) / (to - from);
                (if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.5 }, miss)
            }
            Self::Corner(corner, way) => {
                let turn = |end: DVec2| (end - corner).angle_to(way).abs();
                let (from, to) = (turn(piece.from), turn(piece.to));
                if !(from.is_finite() && to.is_finite()) {
                    return (0.0, 0.0);
                }
                if from < to { (0.0, from) } else { (1.0, to) }
            }
        }
    }
}

impl CorridorMap {
    /// The disc that holds `point` with all that is free around it; `None` inside walls and off the
    /// map.
    pub fn locate(&self, layer: LayerId, point: DVec2) -> Option<Place> {
        let floor = self.floors.get(layer.0 as usize)?;
        let nearest = floor.locator.nearest(&floor.sites, point)?;
        if !floor.sites.is_free_side(nearest.site, point) {
            return None;
        }
        let (arc, share) = floor.locator.axis_beyond(&floor.sites, nearest.site, point)?;
        Some(Place { point, layer, clearance: nearest.distance, anchor: self.anchor(arc, share) })
    }

    pub(crate) fn anchor(&self, arc: u32, share: f64) -> Anchor {
        let piece = &self.arcs[arc as usize].piece;
        let point = piece.at(share);
        let edge = self.owners[arc as usize];
        Anchor { edge, arc, share, point, clearance: piece.clearance(point) }
    }

    /// The corners of a rectangle that holds all walls of a floor, m; `None` if there is no such floor.
    pub fn bounds(&self, layer: LayerId) -> Option<[DVec2; 2]> {
        self.floors.get(layer.0 as usize).map(|floor| floor.locator.bounds())
    }

    /// Distance from `point` to the nearest wall, m: negative inside of solids, infinite if there are
    /// no walls.
    pub fn clearance(&self, layer: LayerId, point: DVec2) -> f64 {
        let Some(floor) = self.floors.get(layer.0 as usize) else { return f64::INFINITY };
        match floor.locator.nearest(&floor.sites, point) {
            Some(nearest) if floor.sites.is_free_side(nearest.site, point) => nearest.distance,
            Some(nearest) => -nearest.distance,
            None => f64::INFINITY,
        }
    }

    /// Whether a body of this radius can go straight from one point to another of the same floor.
    ///
    /// Where it begins or ends closer to a wall than its radius, it may.
    pub fn is_clear(&self, layer: LayerId, from: DVec2, to: DVec2, radius: f64) -> bool {
        let (way, whole) = ((to - from).normalize_or_zero(), from.distance(to));
        // Small enough to be no wider than the lattice, and to need few steps along a wall.
        let slack = 0.02;
        // Where nothing is near, or something is in the way, the map need not be asked all along.
        if self.room_along(layer, [from, to], radius, radius) >= radius {
            return [from, to].into_iter().all(|end| self.locate(layer, end).is_some());
        }
        let (end, in_the_way) = (1.1 * radius + slack, 0.85 * radius - slack);
        if whole > 2.0 * end && in_the_way > 0.0 {
            let middle = [from + way * end, to - way * end];
            if self.room_along(layer, middle, in_the_way, radius) < in_the_way {
                return false;
            }
        }
        let mut done = 0.0;
        loop {
            let point = from + way * done;
            let Some(place) = self.locate(layer, point) else { return false };
            let at_end = done <= radius || whole - done <= radius;
            if place.clearance < radius - slack && !at_end {
                return false;
            }
            // As far as the body stays in the disc of the map.
            let (centre, room) = (place.anchor.point, place.anchor.clearance - radius);
            let off = centre - point;
            let along = off.dot(way);
            let reach = room * room - (off.length_squared() - along * along);
            let step = if room > 0.0 && reach > 0.0 { along + reach.sqrt() } else { 0.0 };
            done += step.max(place.clearance - radius).max(0.5 * slack.max(0.2 * radius));
            if done >= whole {
                return self.locate(layer, to).is_some();
            }
        }
    }

    /// How far the straight line between two points of a floor is from all walls, m; `most` if it is
    /// further. Where it is less than `least`, it may be even less than what is told. Within solids, walls
    /// are as far away as they are outside.
    pub fn room_along(&self, layer: LayerId, line: [DVec2; 2], least: f64, most: f64) -> f64 {
        let floor = self.floors.get(layer.0 as usize);
        floor.map_or(most, |floor| floor.locator.room_along(&floor.sites, line, least, most))
    }

    /// The place nearest to `point` where a body of this radius fits: the point itself, if it does
    /// there. `None` if it fits nowhere on this floor.
    pub fn nearest_free(&self, layer: LayerId, point: DVec2, radius: f64) -> Option<Place> {
        if let Some(place) = self.locate(layer, point).filter(|place| place.clearance >= radius) {
            return Some(place);
        }
        // In the disc around each point of the axis one may go as far as its clearance allows. The
        // nearest place is in one of the discs of the pieces.
        let mut best: Option<(f64, DVec2)> = None;
        for (arc, owner) in self.arcs.iter().zip(&self.owners) {
            if self.layer(*owner) != layer {
                continue;
            }
            let piece = &arc.piece;
            let reach = piece.clearance(piece.from).max(piece.clearance(piece.to)) - radius;
            let nearest_end = piece.from.distance(point).min(piece.to.distance(point));
            let bound = nearest_end - piece.length() - reach;
            if reach < 0.0 || best.is_some_and(|(distance, _)| bound >= distance) {
                continue;
            }
            let steps = (piece.length() / 0.1).ceil().clamp(1.0, 200.0);
            for step in 0..=steps as u32 {
                let centre = piece.at(f64::from(step) / steps);
                let room = piece.clearance(centre) - radius;
                if room < 0.0 {
                    continue;
                }
                let free = centre + (point - centre).clamp_length_max(room);
                let distance = free.distance(point);
                if best.is_none_or(|(least, _)| distance < least) {
                    best = Some((distance, free));
                }
            }
        }
        self.locate(layer, best?.1)
    }
}
