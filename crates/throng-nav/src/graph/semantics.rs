//! What places mean: tags and costs of regions, attached to the zones they touch.
//!
//! People know what their zone means without searching. A zone that a region only touches counts as
//! well; who needs to know it exactly asks for the tags at a point.

use std::collections::BTreeMap;

use glam::DVec2;
use throng_world::scene::{LayerId, Region};

use super::discs::DiscGrid;
use super::{NavGraph, PathFinder, Zone, ZoneId};

/// Regions, and which zones they touch.
#[derive(Clone, Debug, Default)]
pub(super) struct Semantics {
    regions: Vec<Region>,
    /// Regions that touch each zone; empty for all if there are no regions.
    touching: Vec<Vec<u32>>,
    /// What a metre costs in each zone, likewise.
    costs: Vec<f64>,
    zones: BTreeMap<String, Vec<ZoneId>>,
}

impl Semantics {
    pub fn new(regions: &[Region], zones: &[Zone], floors: &[DiscGrid]) -> Self {
        let mut touching = vec![Vec::new(); zones.len()];
        let mut costs = vec![1.0; zones.len()];
        let mut by_tag: BTreeMap<String, Vec<ZoneId>> = BTreeMap::new();
        for (number, region) in (0..).zip(regions) {
            let Some(grid) = floors.get(region.layer.0 as usize) else { continue };
            let bounds = region.polygon.bounds();
            let (centre, reach) = ((bounds.min + bounds.max) * 0.5, bounds.size() * 0.5);
            for zone in grid.near(centre.as_dvec2(), reach.max_element().into()) {
                let id = zone as usize;
                if touches(region, &zones[id]) {
                    touching[id].push(number);
                    costs[id] = f64::max(costs[id], region.cost.into());
                    for tag in &region.tags {
                        by_tag.entry(tag.clone()).or_default().push(ZoneId(zone));
                    }
                }
            }
        }
        for zones in by_tag.values_mut() {
            zones.sort_unstable();
            zones.dedup();
        }
        Self { regions: regions.to_vec(), touching, costs, zones: by_tag }
    }

    /// What a metre in a zone costs: 1 where nothing else is said.
    pub fn cost(&self, zone: usize) -> f64 {
        self.costs.get(zone).copied().unwrap_or(1.0)
    }
}

fn touches(region: &Region, zone: &Zone) -> bool {
    let nearest = region.polygon.nearest_point(zone.centre.as_vec2());
    zone.depth(nearest.as_dvec2()) >= 0.0
}

impl NavGraph {
    /// The regions that a zone touches, in the order of the scene.
    pub fn regions_of(&self, zone: ZoneId) -> impl Iterator<Item = &Region> {
        let touching = self.semantics.touching.get(zone.0 as usize).map_or(&[][..], Vec::as_slice);
        touching.iter().map(|&region| &self.semantics.regions[region as usize])
    }

    /// The tags of a zone, each once.
    pub fn tags_of(&self, zone: ZoneId) -> Vec<&str> {
        distinct(self.regions_of(zone))
    }

    /// The tags of the regions that a point lies in, each once.
    pub fn tags_at(&self, layer: LayerId, point: DVec2) -> Vec<&str> {
        let holds =
            |region: &&Region| region.layer == layer && region.polygon.contains(point.as_vec2());
        distinct(self.semantics.regions.iter().filter(holds))
    }

    /// What walking a metre in a zone costs compared to elsewhere: the largest cost of its regions.
    pub fn cost_of(&self, zone: ZoneId) -> f64 {
        self.semantics.cost(zone.0 as usize)
    }

    /// The zones with a tag, in ascending order.
    pub fn zones_with(&self, tag: &str) -> &[ZoneId] {
        self.semantics.zones.get(tag).map_or(&[], Vec::as_slice)
    }

    /// The zone with a tag that is nearest on foot to a point, and the cost of the way there; `None` if
    /// none can be reached, or the point is off the graph.
    pub fn nearest_with(
        &self,
        layer: LayerId,
        point: DVec2,
        tag: &str,
        finder: &mut PathFinder,
    ) -> Option<(ZoneId, f64)> {
        let wanted = self.zones_with(tag);
        let from = self.best_zone(layer, point)?;
        let is_wanted = |zone: ZoneId| wanted.binary_search(&zone).is_ok();
        finder.nearest(self, from, point, self.rules.body, is_wanted)
    }
}

fn distinct<'a>(regions: impl Iterator<Item = &'a Region>) -> Vec<&'a str> {
    let mut tags: Vec<&str> = regions.flat_map(|region| &region.tags).map(String::as_str).collect();
    tags.sort_unstable();
    tags.dedup();
    tags
}
