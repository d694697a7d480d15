//! How wide exits are: the narrowest passage on the way to each.

use glam::DVec2;
use throng_nav::{CorridorMap, Extras, MapRules, Search, Walker};
use throng_world::Scene;
use throng_world::scene::{LayerId, Region, RegionId};

/// How much searches look at before they take what they have found; ample for buildings.
const THOROUGHNESS: usize = 20_000;

/// Of listed people, so many are looked at as places to start from.
const STARTS: usize = 20;

/// The widths of the narrowest passages on the shortest ways from where people start to exits, m; `None` where all is open
/// or no way leads.
pub(super) fn passages(scene: &Scene, exits: &[RegionId]) -> Vec<Option<f64>> {
    let Some(map) = CorridorMap::of_scene(scene, &MapRules::of_scene(scene)).ok() else {
        return vec![None; exits.len()];
    };
    let mut search = Search::new(THOROUGHNESS);
    let starts = starts(scene);
    let mut passage = |id: &RegionId| {
        let exit = middle(&scene.regions[usize::from(id.0)]);
        let ways = starts.iter().filter_map(|start| {
            let walker = Walker { radius: narrowest_body(scene), margin: 0.0 };
            let way = map.corridor(&mut search, *start, exit, &walker, Extras::default()).ok()?;
            let width = 2.0 * way.narrowest().clearance;
            Some((way.shortest_path(walker.clearance()).length(), width))
        });
        let shortest = ways.min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(shortest.1)
    };
    exits.iter().map(&mut passage).collect()
}

/// Where people start: the middles of regions, and the first of those who are listed.
fn starts(scene: &Scene) -> Vec<(LayerId, DVec2)> {
    let mut regions: Vec<RegionId> = Vec::new();
    for group in &scene.groups {
        regions.extend(group.crowds.iter().map(|crowd| crowd.region));
        regions.extend(group.sources.iter().map(|source| source.region));
    }
    regions.sort();
    regions.dedup();
    let people = scene.groups.iter().flat_map(|group| &group.people).take(STARTS);
    let people = people.map(|person| (person.layer, person.position.as_dvec2()));
    let regions = regions.iter().map(|id| middle(&scene.regions[usize::from(id.0)]));
    regions.chain(people).collect()
}

fn middle(region: &Region) -> (LayerId, DVec2) {
    let bounds = region.polygon.bounds();
    let middle = region.polygon.nearest_point((bounds.min + bounds.max) * 0.5);
    (region.layer, middle.as_dvec2())
}

fn narrowest_body(scene: &Scene) -> f64 {
    let groups = scene.groups.iter().map(|group| f64::from(group.radii()[0]));
    groups.fold(f64::INFINITY, f64::min).clamp(0.05, 0.5)
}
