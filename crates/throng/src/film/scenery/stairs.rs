//! Stairs and ramps as solid blocks.
//!
//! How far up a connector a point is depends on how far it is from the foot and from the head. Where that is the same there
//! is a straight line, so every tread is what two such lines leave of the connector's polygon.

use glam::{DVec2, Vec2, Vec3};
use throng_world::walkable::{Area, intersection};
use throng_world::{Climb, Connector};

use super::Surface;

/// Slopes between edges that are not parallel are twisted, and made of this many parts.
const TWISTED: u16 = 16;

/// Adds `connector` to `surface`: its treads, the risers between them, and sides down to the height `bottom`.
pub fn build(surface: &mut Surface, connector: &Connector, climb: Climb, bottom: f32) {
    let lines = Lines::new(connector);
    let strips = match climb.risers {
        0 if lines.are_parallel() => 1,
        0 => TWISTED,
        1 => 2,
        risers => risers - 1,
    };
    let whole = [Area::from(&connector.polygon)];
    for index in 0..strips {
        let [begin, end] = [index, index + 1].map(|line| f64::from(line) / f64::from(strips));
        let strip = Strip { begin, end, lines: &lines, connector, climb, bottom, strips };
        let Some(around) = strip.outline() else { continue };
        for area in intersection(&whole, &[around]) {
            strip.build(surface, &area);
        }
    }
}

/// The lines along foot and head: a point of each, and the unit vector away from it over the connector.
struct Lines([(DVec2, DVec2); 2]);

impl Lines {
    fn new(connector: &Connector) -> Self {
        Self([connector.lower_edge, connector.upper_edge].map(|edge| {
            let (a, b) = connector.edge(edge);
            (a.as_dvec2(), (b - a).as_dvec2().perp().normalize_or_zero())
        }))
    }

    fn are_parallel(&self) -> bool {
        let [(_, from_foot), (_, from_head)] = self.0;
        from_foot.perp_dot(from_head).abs() < 1e-3
    }

    /// 0 on the line that is this far up, more above it, about in metres.
    fn beyond(&self, progress: f64, point: DVec2) -> f64 {
        let [below, above] = self.0.map(|(place, away)| (point - place).dot(away));
        (1.0 - progress) * below - progress * above
    }
}

/// The part of a connector between two lines.
struct Strip<'a> {
    /// How far up it begins and ends.
    begin: f64,
    end: f64,
    lines: &'a Lines,
    connector: &'a Connector,
    climb: Climb,
    /// How far down its sides reach, m.
    bottom: f32,
    /// How many there are.
    strips: u16,
}

impl Strip<'_> {
    /// A polygon around it. The first and the last strip take what is before the foot and beyond the head.
    fn outline(&self) -> Option<Area> {
        let mut points: Vec<DVec2> =
            self.connector.polygon.bounds().grown(1.0).corners().map(Vec2::as_dvec2).into();
        if self.begin > 0.0 {
            points = cut(&points, |point| self.lines.beyond(self.begin, point));
        }
        if self.end < 1.0 {
            points = cut(&points, |point| -self.lines.beyond(self.end, point));
        }
        Area::new(points, Vec::new()).ok()
    }

    fn build(&self, surface: &mut Surface, area: &Area) {
        if self.climb.risers > 0 {
            surface.cover(area, |_| self.tread(self.begin), |_| Vec3::Y);
        } else {
            surface.cover(
                area,
                |point| self.slope(point),
                |point| self.connector.slope_normal(&self.climb, point),
            );
        }
        for ring in area.rings() {
            for (index, from) in ring.iter().enumerate() {
                self.side(surface, [*from, ring[(index + 1) % ring.len()]]);
            }
        }
    }

    /// What is below an edge of the strip.
    fn side(&self, surface: &mut Surface, edge: [DVec2; 2]) {
        let on_line = |progress: f64| {
            edge.iter().all(|point| self.lines.beyond(progress, *point).abs() < 1e-4)
        };
        let ends = edge.map(DVec2::as_vec2);
        let (bottom, high) = ([self.bottom; 2], self.climb.ends[1]);
        let is_ramp = self.climb.risers == 0;
        if self.end < 1.0 && on_line(self.end) {
            return;
        }
        if self.begin > 0.0 && on_line(self.begin) {
            if !is_ramp {
                let before = self.tread(self.begin - 1.0 / f64::from(self.strips));
                surface.face(ends, [before; 2], [self.tread(self.begin); 2]);
            }
            return;
        }
        if is_ramp {
            surface.face(ends, bottom, ends.map(|point| self.slope(point)));
        } else if on_line(1.0) {
            // The last riser leads onto the floor, and ends what is seen from below it.
            surface.face(ends, bottom, [high; 2]);
            surface.face([ends[1], ends[0]], [self.tread(self.begin); 2], [high; 2]);
        } else {
            surface.face(ends, bottom, [self.tread(self.begin); 2]);
        }
    }

    /// The height of the tread that begins this far up, m.
    fn tread(&self, begin: f64) -> f32 {
        self.climb.surface((begin + 0.5 / f64::from(self.strips)) as f32)
    }

    fn slope(&self, point: Vec2) -> f32 {
        self.climb.surface(self.connector.progress(point))
    }
}

/// What is left of a convex polygon where `side` is not negative. It changes evenly from point to point.
fn cut(points: &[DVec2], side: impl Fn(DVec2) -> f64) -> Vec<DVec2> {
    let mut left = Vec::with_capacity(points.len() + 1);
    for (index, from) in points.iter().enumerate() {
        let to = points[(index + 1) % points.len()];
        let (here, there) = (side(*from), side(to));
        if here >= 0.0 {
            left.push(*from);
        }
        if (here < 0.0) != (there < 0.0) {
            left.push(from.lerp(to, here / (here - there)));
        }
    }
    left
}
