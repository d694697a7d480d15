//! Gates: where two zones overlap, and where a stair joins zones of two floors.
//!
//! Two circles with radii `R1`, `R2` and distance `D` cut each other in a chord, at
//! `x = (D² + R1² − R2²) / 2D` from the first centre and `√(R1² − x²)` to either side. All of the lens
//! around it is free. A body of radius `r` stays within both zones where the two circles *shrunk by
//! `r`* overlap, so its own gate is the chord of these; it exists up to `r = (R1 + R2 − D) / 2`.
//!
//! If the centre of the smaller disc is inside the larger one, the chord may lie beyond that centre
//! and be narrower than the way. Then the gate is the widest chord of the smaller disc instead,
//! through its centre.
//!
//! Not every pair that overlaps needs a gate. If the chord is all in the power cells of other zones,
//! one passes through these anyway. What is left, the edges of an alpha complex, hangs together
//! exactly as the shrunk discs do.

use glam::DVec2;

use super::discs::DiscGrid;
use super::{Gate, Zone, ZoneId};
use crate::map::{CorridorMap, EdgeId, VertexId};

/// Ties between chords of discs on a lattice are not decided by rounding: both stay, m².
const TIE: f64 = 1e-7;

/// A chord of two circles.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Chord {
    middle: DVec2,
    /// Unit vector along it, to the left when one goes from the first centre to the second.
    along: DVec2,
    half_width: f64,
}

impl Chord {
    fn ends(&self) -> [DVec2; 2] {
        [self.middle + self.along * self.half_width, self.middle - self.along * self.half_width]
    }
}

/// Appends the gates between zones of one floor.
pub(super) fn between_zones(zones: &[Zone], grid: &DiscGrid, body: f64, gates: &mut Vec<Gate>) {
    for first in grid.ids() {
        let zone = &zones[first as usize];
        let near: Vec<u32> = grid
            .near(zone.centre, zone.radius)
            .into_iter()
            .filter(|&other| other != first && room(zone, &zones[other as usize]) >= body)
            .collect();
        for &second in near.iter().filter(|&&second| second > first) {
            let other = &zones[second as usize];
            let Some(chord) = gate_chord([zone, other]) else { continue };
            let around = near.iter().filter(|&&third| third != second);
            if !is_hidden([zone, other], around.map(|&third| &zones[third as usize]), body) {
                gates.push(Gate {
                    zones: [ZoneId(first), ZoneId(second)],
                    ends: chord.ends(),
                    room: room(zone, other),
                });
            }
        }
    }
}

/// Appends the gates where floors are joined: half-way up each stair, between the zones that hold the
/// place best.
pub(super) fn on_stairs(
    map: &CorridorMap,
    zones: &[Zone],
    floors: &[DiscGrid],
    body: f64,
    gates: &mut Vec<Gate>,
) {
    for edge in map.edges().iter().filter(|edge| edge.arcs.is_empty()) {
        let vertices = edge.ends.map(|end| map.vertex(end));
        let middle = (vertices[0].point + vertices[1].point) * 0.5;
        let deepest = |vertex: &crate::Vertex| {
            let around = floors[vertex.layer.0 as usize].at(middle).iter().copied();
            around.max_by(|&a, &b| {
                let depth = |zone: u32| zones[zone as usize].depth(middle);
                depth(a).total_cmp(&depth(b)).then(b.cmp(&a))
            })
        };
        let [Some(lower), Some(upper)] = vertices.map(deepest) else { continue };
        let pair = [lower, upper].map(|zone| &zones[zone as usize]);
        let room = pair[0].depth(middle).min(pair[1].depth(middle));
        let Some(along) = across_axis(map, edge.ends[0]) else { continue };
        if let Some(ends) = clip(middle, along, pair, 0.0).filter(|_| room >= body) {
            gates.push(Gate { zones: [ZoneId(lower), ZoneId(upper)], ends, room });
        }
    }
}

/// Where a body passes `gate` and stays within both of its zones, as the ends of a segment.
pub(super) fn passage(zones: [&Zone; 2], gate: &Gate, body: f64) -> Option<[DVec2; 2]> {
    if !(body >= 0.0 && body <= gate.room) {
        return None;
    }
    if zones[0].layer != zones[1].layer {
        let along = (gate.ends[0] - gate.ends[1]).try_normalize()?;
        return clip(gate.middle(), along, zones, body);
    }
    Some(chord(zones, body).ends())
}

/// Radius of the largest body that can be within both zones.
fn room(a: &Zone, b: &Zone) -> f64 {
    0.5 * (a.radius + b.radius - a.centre.distance(b.centre))
}

/// The gate between two zones; none if they do not overlap or one holds the other.
fn gate_chord(zones: [&Zone; 2]) -> Option<Chord> {
    let [a, b] = zones.map(|zone| zone.radius);
    let distance = zones[0].centre.distance(zones[1].centre);
    ((a - b).abs() < distance && distance < a + b).then(|| chord(zones, 0.0))
}

/// The chord of two zones shrunk by `body`, which is not larger than there is room for.
fn chord(zones: [&Zone; 2], body: f64) -> Chord {
    let [a, b] = zones.map(|zone| zone.radius - body);
    let way = zones[1].centre - zones[0].centre;
    let distance = way.length();
    let forward = way / distance;
    let x = ((distance * distance + a * a - b * b) / (2.0 * distance)).clamp(0.0, distance);
    let y = distance - x;
    let half_width = (a * a - x * x).min(b * b - y * y).max(0.0).sqrt();
    Chord { middle: zones[0].centre + forward * x, along: forward.perp(), half_width }
}

/// Whether no part of the chord of two zones, shrunk by `body`, is theirs alone: at each point, some
/// other zone has a lower power, that is square of distance less square of radius.
fn is_hidden<'a>(zones: [&Zone; 2], others: impl Iterator<Item = &'a Zone>, body: f64) -> bool {
    let [a, b] = zones.map(|zone| zone.radius - body);
    let way = zones[1].centre - zones[0].centre;
    let distance = way.length();
    let (forward, along) = (way / distance, way.perp() / distance);
    let x = (distance * distance + a * a - b * b) / (2.0 * distance);
    let half_width = (a * a - x * x).max(0.0).sqrt();
    let (mut low, mut high) = (-half_width, half_width);
    for other in others {
        let to_other = other.centre - zones[0].centre;
        let radius = other.radius - body;
        // Power of the other less that of the pair, at `t` along the chord: `offset + slope t`.
        let offset =
            to_other.length_squared() - radius * radius + a * a - 2.0 * x * forward.dot(to_other);
        let slope = -2.0 * along.dot(to_other);
        if slope.abs() < 1e-12 {
            if offset < -TIE {
                return true;
            }
        } else if slope > 0.0 {
            low = low.max((-TIE - offset) / slope);
        } else {
            high = high.min((-TIE - offset) / slope);
        }
    }
    low > high
}

/// The part of a line that lies in both zones shrunk by `body`, from its left to its right end.
fn clip(through: DVec2, along: DVec2, zones: [&Zone; 2], body: f64) -> Option<[DVec2; 2]> {
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for zone in zones {
        let to_centre = zone.centre - through;
        let (foot, off) = (to_centre.dot(along), to_centre.perp_dot(along));
        let radius = zone.radius - body;
        let half_width = (radius * radius - off * off).max(0.0).sqrt();
        (low, high) = (low.max(foot - half_width), high.min(foot + half_width));
    }
    (low <= high).then(|| [through + along * high, through + along * low])
}

/// The direction across the axis at a vertex half-way up a stair.
fn across_axis(map: &CorridorMap, vertex: VertexId) -> Option<DVec2> {
    let has_pieces = |edge: &&EdgeId| !map.edge(**edge).arcs.is_empty();
    let &edge = map.edges_at(vertex).iter().find(has_pieces)?;
    let way = if map.edge(edge).ends[0] == vertex {
        let piece = map.pieces(edge).next()?;
        piece.at(0.01) - piece.from
    } else {
        let piece = map.pieces(edge).next_back()?;
        piece.to - piece.at(0.99)
    };
    way.try_normalize().map(DVec2::perp)
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_world::scene::LayerId;

    fn zone(x: f64, y: f64, radius: f64) -> Zone {
        Zone { centre: DVec2::new(x, y), radius, layer: LayerId(0), component: 0 }
    }

    fn gate(a: f64, b: f64, distance: f64) -> Option<Chord> {
        gate_chord([&zone(0.0, 0.0, a), &zone(distance, 0.0, b)])
    }

    #[test]
    fn a_gate_is_the_chord_of_two_circles() {
        let chord = gate(3.0, 2.0, 4.0).unwrap();
        assert!((chord.middle.x - 2.625).abs() < 1e-12 && chord.middle.y == 0.0);
        assert!((2.0 * chord.half_width - 2.904_737_509_655_563).abs() < 1e-12);
        let [left, right] = chord.ends();
        assert!(left.y > 0.0 && right.y < 0.0);
    }

    #[test]
    fn discs_apart_touching_or_nested_have_no_gate() {
        assert_eq!(gate(3.0, 2.0, 5.1), None);
        assert_eq!(gate(3.0, 2.0, 5.0), None);
        assert_eq!(gate(3.0, 2.0, 1.0), None);
        assert_eq!(gate(3.0, 2.0, 0.5), None);
        assert_eq!(gate(3.0, 2.0, 0.0), None);
        assert!(gate(3.0, 2.0, 1.001).is_some() && gate(3.0, 2.0, 4.999).is_some());
    }

    #[test]
    fn a_nearly_nested_disc_has_its_gate_across_its_centre() {
        let chord = gate(3.0, 1.0, 2.01).unwrap();
        assert_eq!(chord.middle.x, 2.01);
        assert!((chord.half_width - 1.0).abs() < 1e-12, "{chord:?}");
    }

    #[test]
    fn a_body_passes_within_both_shrunk_zones() {
        let zones = [zone(0.0, 0.0, 3.0), zone(3.0, 2.0, 1.5)];
        let gate = Gate {
            zones: [ZoneId(0), ZoneId(1)],
            ends: gate_chord([&zones[0], &zones[1]]).unwrap().ends(),
            room: room(&zones[0], &zones[1]),
        };
        for body in [0.0, 0.1, 0.25, 0.4, gate.room - 1e-9] {
            for end in passage([&zones[0], &zones[1]], &gate, body).unwrap() {
                assert!(zones.iter().all(|zone| zone.depth(end) >= body - 1e-9), "{body}: {end}");
            }
        }
        assert_eq!(passage([&zones[0], &zones[1]], &gate, gate.room + 0.01), None);
        assert_eq!(passage([&zones[0], &zones[1]], &gate, f64::NAN), None);
    }

    #[test]
    fn a_zone_between_two_hides_their_gate_and_one_at_its_end_does_not() {
        let pair = [zone(-1.5, 0.0, 2.0), zone(1.5, 0.0, 2.0)];
        let hidden = |other: Zone| is_hidden([&pair[0], &pair[1]], [&other].into_iter(), 0.0);
        assert!(hidden(zone(0.0, 0.0, 2.0)));
        assert!(!hidden(zone(0.0, 1.5, 1.0)));
        assert!(!hidden(zone(0.0, 9.0, 1.0)));
    }
}
