//! Which discs become zones.
//!
//! Every free place lies on the straight line from a point of the medial axis to one of the two wall
//! points that are nearest to it. So it suffices to walk along the axis in small steps and to write
//! down what the zones must do there:
//!
//! - **near**: some zone has its centre near this point of the axis, relative to its size;
//! - **together**: some zone, shrunk by the body, holds this point and the next one;
//! - **covered**: some zone holds the places beside it, up to where a body touches the wall.
//!
//! Where the axis is farther from the walls than the largest zone, the line to the wall is walked
//! in the same manner. Then needs are met greedily, wide places first, each unmet one by the zone
//! it was written down for; and zones that meet no need alone are taken away again, narrow ones
//! first.
//!
//! "Together" is what makes ways hang together: the zones of one step and of the next share the
//! point in between. A point within a zone is never behind a wall, because a zone is free, so plain
//! distances do.

use glam::DVec2;
use throng_world::scene::LayerId;

use super::discs::DiscGrid;
use super::{GraphError, GraphRules, Zone};
use crate::map::CorridorMap;
use crate::piece::Piece;

/// Walls lie on a lattice of a millimetre, so a passage may be narrower than drawn by this, m.
const LATTICE_SLACK: f64 = 1e-3;

/// Steps along the axis are at most this share of the clearance: enough to see the scallops that
/// discs leave along a wall.
const STEP: f64 = 1.0 / 6.0;

/// Of open ground this many times the square of the largest zone is covered; where there is more,
/// zones grow. It keeps a steppe of 100 km from having a billion of them.
const MOST_LARGEST: f64 = 20_000.0;

/// More needs than this take more memory than a graph should.
const MOST_NEEDS: usize = 2_000_000;

/// What some zone must do.
#[derive(Clone, Copy, Debug)]
struct Need {
    kind: Kind,
    /// Both points must be held. They are the same if it is about one.
    points: [DVec2; 2],
    /// A free disc that does it.
    centre: DVec2,
    radius: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Near,
    Together,
    Covered,
}

impl Need {
    fn is_met_by(&self, zone: &Zone, rules: &GraphRules) -> bool {
        let reach = match self.kind {
            Kind::Near => zone.radius * rules.spacing,
            Kind::Together => zone.radius - rules.body,
            Kind::Covered => zone.radius,
        };
        // A little less strict than zones are made, so that rounding never asks for one more.
        let reach = reach + 1e-9;
        reach >= 0.0 && self.points.iter().all(|p| p.distance_squared(zone.centre) <= reach * reach)
    }
}

/// A point of the axis.
#[derive(Clone, Copy, Debug)]
struct Sample {
    point: DVec2,
    clearance: f64,
}

/// The box around all walls of a floor, and so around all that is free; `None` if there are none.
pub(super) fn extent(map: &CorridorMap, layer: LayerId) -> Option<[DVec2; 2]> {
    let corners = &map.floors.get(layer.0 as usize)?.sites.corners;
    let first = *corners.first()?;
    Some(corners.iter().fold([first; 2], |[min, max], &corner| [min.min(corner), max.max(corner)]))
}

/// The zones of a floor, not yet numbered by component.
pub(super) fn zones(
    map: &CorridorMap,
    layer: LayerId,
    rules: &GraphRules,
) -> Result<Vec<Zone>, GraphError> {
    let Some([min, max]) = extent(map, layer) else { return Ok(Vec::new()) };
    let size = max - min;
    let largest = rules.largest_zone.max((size.x * size.y / MOST_LARGEST).sqrt());
    let mut survey = Survey { rules, largest, needs: Vec::new() };
    for piece in pieces(map, layer) {
        survey.walk(piece)?;
    }
    let mut needs = survey.needs;
    // Stable, so that equal places come in the order of the map.
    needs.sort_by(|a, b| a.kind.cmp(&b.kind).then(b.radius.total_cmp(&a.radius)));

    let mut grid = DiscGrid::new(Some([min, max]), largest);
    let mut zones: Vec<Zone> = Vec::new();
    for need in &needs {
        let met = |&zone: &u32| need.is_met_by(&zones[zone as usize], rules);
        if grid.at(need.points[0]).iter().any(met) {
            continue;
        }
        // Pieces are computed in floating point, distances to walls are the reference.
        let radius = need.radius.min(map.clearance(layer, need.centre));
        if radius >= rules.body {
            grid.insert(zones.len() as u32, need.centre, radius);
            zones.push(Zone { centre: need.centre, radius, layer, component: 0 });
        }
    }
    Ok(without_redundant(zones, &needs, &grid, rules))
}

fn pieces(map: &CorridorMap, layer: LayerId) -> impl Iterator<Item = &Piece> {
    let on_layer = move |&(_, owner): &(_, _)| map.layer(owner) == layer;
    map.arcs.iter().zip(map.owners.iter().copied()).filter(on_layer).map(|(arc, _)| &arc.piece)
}

/// Takes zones away, narrow ones first, while every need that is met stays so.
fn without_redundant(
    zones: Vec<Zone>,
    needs: &[Need],
    grid: &DiscGrid,
    rules: &GraphRules,
) -> Vec<Zone> {
    let mut meets: Vec<Vec<u32>> = vec![Vec::new(); zones.len()];
    let mut times_met = vec![0u32; needs.len()];
    for (number, need) in (0..).zip(needs) {
        for &zone in grid.at(need.points[0]) {
            if need.is_met_by(&zones[zone as usize], rules) {
                meets[zone as usize].push(number);
                times_met[number as usize] += 1;
            }
        }
    }
    let mut order: Vec<usize> = (0..zones.len()).collect();
    order.sort_by(|&a, &b| zones[a].radius.total_cmp(&zones[b].radius).then(b.cmp(&a)));
    let mut is_kept = vec![true; zones.len()];
    for zone in order {
        if meets[zone].iter().all(|&need| times_met[need as usize] > 1) {
            meets[zone].iter().for_each(|&need| times_met[need as usize] -= 1);
            is_kept[zone] = false;
        }
    }
    zones.into_iter().zip(is_kept).filter_map(|(zone, is_kept)| is_kept.then_some(zone)).collect()
}

/// Writes down needs.
struct Survey<'a> {
    rules: &'a GraphRules,
    largest: f64,
    needs: Vec<Need>,
}

impl Survey<'_> {
    fn walk(&mut self, piece: &Piece) -> Result<(), GraphError> {
        let sample = |share: f64| {
            let point = piece.at(share);
            (share, Sample { point, clearance: piece.clearance(point) })
        };
        // Clearance falls up to the narrowest point and rises from there.
        let narrowest = piece.narrowest();
        let mut samples = vec![sample(0.0).1];
        if narrowest > 0.0 && narrowest < 1.0 {
            self.refine(&sample, sample(0.0), sample(narrowest), &mut samples)?;
            self.refine(&sample, sample(narrowest), sample(1.0), &mut samples)?;
        } else {
            self.refine(&sample, sample(0.0), sample(1.0), &mut samples)?;
        }
        let is_way = |sample: &Sample| sample.clearance >= self.rules.passage - LATTICE_SLACK;
        for run in samples.split(|sample| !is_way(sample)) {
            for pair in run.windows(2) {
                self.need_together(pair[0], pair[1]);
            }
            for &sample in run {
                self.need(Kind::Near, [sample.point; 2], sample);
                for wall in [piece.left, piece.right] {
                    self.need_side(sample, wall.nearest(sample.point));
                }
            }
        }
        if self.needs.len() > MOST_NEEDS { Err(GraphError::TooLarge) } else { Ok(()) }
    }

    /// Adds samples after `from` up to `to`, close enough for zones of neighbouring ones to overlap.
    fn refine(
        &self,
        sample: &impl Fn(f64) -> (f64, Sample),
        from: (f64, Sample),
        to: (f64, Sample),
        samples: &mut Vec<Sample>,
    ) -> Result<(), GraphError> {
        // Depth first with the nearer half on top, so that they come in order.
        let mut ends = vec![to];
        let mut from = from;
        while let Some(&to) = ends.last() {
            let narrower = from.1.clearance.min(to.1.clearance);
            let middle = 0.5 * (from.0 + to.0);
            let wider = from.1.clearance.max(to.1.clearance);
            let is_fine = from.1.point.distance(to.1.point) <= self.longest_step(narrower)
                || wider < self.rules.passage - LATTICE_SLACK
                || !(from.0 < middle && middle < to.0);
            if is_fine {
                samples.push(to.1);
                from = to;
                ends.pop();
            } else {
                ends.push(sample(middle));
            }
            // At least four needs come of a sample.
            if self.needs.len() + 4 * samples.len() > MOST_NEEDS {
                return Err(GraphError::TooLarge);
            }
        }
        Ok(())
    }

    fn longest_step(&self, clearance: f64) -> f64 {
        let clearance = clearance.clamp(self.rules.passage, self.largest);
        // Not all that the body leaves, since radii are rounded.
        (0.8 * (clearance - self.rules.body)).min(STEP * clearance)
    }

    fn need(&mut self, kind: Kind, points: [DVec2; 2], from: Sample) {
        let radius = from.clearance.min(self.largest);
        self.needs.push(Need { kind, points, centre: from.point, radius });
    }

    fn need_together(&mut self, a: Sample, b: Sample) {
        let wider = if a.clearance >= b.clearance { a } else { b };
        self.need(Kind::Together, [a.point, b.point], wider);
    }

    /// What is needed between a point of the axis and the wall point nearest to it.
    fn need_side(&mut self, axis: Sample, wall: DVec2) {
        let away = (axis.point - wall) / axis.clearance;
        let at = |clearance: f64| Sample { point: wall + away * clearance, clearance };
        let mut inner = axis;
        if axis.clearance > self.largest {
            let way = axis.clearance - self.largest;
            let steps = (way / (self.largest / 3.0)).ceil();
            for step in 1..=steps as u32 {
                let outer = at(axis.clearance - way * f64::from(step) / steps);
                self.need_together(inner, outer);
                inner = outer;
            }
        }
        let touching = at(self.rules.passage.min(axis.clearance)).point;
        self.need(Kind::Covered, [touching; 2], inner);
    }
}
