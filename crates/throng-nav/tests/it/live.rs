//! Maps of ground that changes: as good as new ones.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::cell::Cell;

use glam::DVec2;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use throng_nav::{CorridorMap, Extras, Footprint, LiveMap, MapRules, Search, Sweep, Walker};
use throng_world::walkable::Area;

use crate::support::{self, Dice, GROUND, city, point, rectangle, scattered, scattered_over};

fn footprint(ground: &[Area], solids: &[Area]) -> Footprint {
    Footprint::without(ground, solids).unwrap()
}

fn live(ground: &[Area], solids: &[Area]) -> LiveMap {
    LiveMap::new(&[footprint(ground, solids)], &[], &MapRules::default()).unwrap()
}

fn moved(area: &Area, by: DVec2) -> Area {
    let ring = area.rings().next().unwrap().iter().map(|&corner| corner + by).collect();
    Area::new(ring, Vec::new()).unwrap()
}

/// How long the way between two places is, if there is one.
fn way(map: &CorridorMap, search: &mut Search, from: DVec2, to: DVec2) -> Option<f64> {
    let walker = Walker { radius: 0.2, margin: 0.05 };
    let found =
        map.corridor(search, (GROUND, from), (GROUND, to), &walker, Extras::default()).ok()?;
    let path = found.shortest_path(walker.clearance());
    Some(path.points.windows(2).map(|leg| leg[0].distance(leg[1])).sum())
}

/// Compares a map that was brought up to date with one that was made anew.
fn assert_same(live: &LiveMap, ground: &[Area], solids: &[Area], dice: &mut Dice) {
    let (map, new) = (live.map(), support::map(ground, solids));
    let length = |map: &CorridorMap| map.edges().iter().map(|edge| edge.length).sum::<f64>();
    let (now, then) = (length(map), length(&new));
    assert!((now - then).abs() < 1e-5 * (1.0 + then), "axis of {now} m instead of {then} m");
    assert_eq!(map.edges().len(), new.edges().len());
    assert_eq!(map.vertices().len(), new.vertices().len());
    let (min, max) = ground[0].extent();
    let mut places = Vec::new();
    for _ in 0..60 {
        let at = point(dice.between(min.x, max.x), dice.between(min.y, max.y));
        match (map.locate(GROUND, at), new.locate(GROUND, at)) {
            (Some(a), Some(b)) => {
                assert!((a.clearance - b.clearance).abs() < 1e-9, "{at}: {a:?} {b:?}");
                let apart = a.anchor.point.distance(b.anchor.point);
                // Two walls may be equally near.
                let same = apart < 1e-5 || (a.anchor.clearance - b.anchor.clearance).abs() < 1e-5;
                assert!(same, "{at}: {a:?} {b:?}");
                // Where nobody fits, ways begin at one of several places that are as good.
                if a.clearance > 0.3 {
                    places.push((at, a.anchor.edge, b.anchor.edge));
                }
            }
            (a, b) => assert_eq!(a.is_some(), b.is_some(), "{at}"),
        }
    }
    let mut search = Search::default();
    for pair in places.windows(2) {
        let [(from, a, new_a), (to, b, new_b)] = [pair[0], pair[1]];
        assert_eq!(map.is_connected(a, b), new.is_connected(new_a, new_b), "{from} {to}");
        let ways = [map, &new].map(|map| way(map, &mut search, from, to));
        match ways {
            // Searches end when they are good enough, and ties are broken by numbers.
            [Some(a), Some(b)] => assert!((a - b).abs() < 0.01 * b + 1e-6, "{from} {to}: {a} {b}"),
            [a, b] => assert_eq!(a.is_some(), b.is_some(), "{from} {to}"),
        }
    }
}

/// What is done to a world: the kind of edit, which obstacle, and where to.
type Edit = (usize, usize, f64, f64);

fn edit(solids: &mut Vec<Area>, spare: &[Area], (kind, which, x, y): Edit) {
    match kind {
        0 => solids.push(moved(&spare[which % spare.len()], point(x, y))),
        1 if !solids.is_empty() => drop(solids.swap_remove(which % solids.len())),
        _ if !solids.is_empty() => {
            let which = which % solids.len();
            solids[which] = moved(&solids[which], point(x, y) * 0.2);
        }
        _ => {}
    }
}

#[test]
fn a_repaired_map_is_as_good_as_a_new_one() {
    let edits = prop::collection::vec((0usize..3, 0usize..1000, -6.0f64..6.0, -6.0f64..6.0), 1..6);
    let worlds = (prop_oneof![1 => 1u32..30, 5 => 60u32..160], 0u64..1_000_000, edits);
    let (local, all) = (Cell::new(0), Cell::new(0));
    let mut runner = TestRunner::new(ProptestConfig::with_cases(48));
    let result = runner.run(&worlds, |(count, seed, edits)| {
        let (ground, mut solids) = scattered_over(80.0, count, seed);
        let (_, spare) = scattered_over(80.0, 8, seed + 1);
        let mut live = live(&ground, &solids);
        let mut dice = Dice::new(seed);
        for change in edits {
            edit(&mut solids, &spare, change);
            let sweep = live.change(GROUND, &footprint(&ground, &solids)).unwrap();
            assert_same(&live, &ground, &solids, &mut dice);
            local.set(local.get() + u32::from(matches!(sweep, Sweep::Local { .. })));
            all.set(all.get() + u32::from(sweep != Sweep::Nothing));
        }
        Ok(())
    });
    result.unwrap();
    // Whole sweeps are nothing new: it is repairs that are to be tried.
    let (local, all) = (local.get(), all.get());
    assert!(4 * local > 3 * all, "only {local} of {all} changes were repaired");
}

#[test]
fn in_a_city_only_the_neighbourhood_is_swept() {
    let (ground, mut solids) = city(20);
    let mut live = live(&ground, &solids);
    let mut dice = Dice::new(3);
    let all = footprint(&ground, &solids).corners();
    // A kiosk is put up at a crossing, moved into a street, and taken away; a block leans over.
    let kiosk = rectangle([104.0, 106.0], [106.0, 109.0]);
    let block = solids[210].clone();
    type Edit<'a> = &'a dyn Fn(&mut Vec<Area>);
    let edits: [Edit; 4] = [
        &|solids| solids.push(kiosk.clone()),
        &|solids| *solids.last_mut().unwrap() = moved(&kiosk, point(14.0, -1.0)),
        &|solids| drop(solids.pop()),
        &|solids| solids[210] = moved(&block, point(1.5, -0.7)),
    ];
    for edit in edits {
        edit(&mut solids);
        let sweep = live.change(GROUND, &footprint(&ground, &solids)).unwrap();
        let Sweep::Local { walls } = sweep else { panic!("{sweep:?}") };
        assert!(walls > 0 && walls < all / 10, "{walls} of {all}");
        assert_same(&live, &ground, &solids, &mut dice);
    }
    assert_eq!(live.change(GROUND, &footprint(&ground, &solids)).unwrap(), Sweep::Nothing);
}

#[test]
fn a_closed_door_is_no_way_until_it_opens() {
    let ground = [rectangle([0.0, 20.0], [0.0, 8.0])];
    let walls = [rectangle([10.0, 10.2], [0.0, 3.0]), rectangle([10.0, 10.2], [4.0, 8.0])];
    let door = rectangle([10.0, 10.2], [3.0, 4.0]);
    let closed = [walls.as_slice(), &[door]].concat();
    let mut live = live(&ground, &walls);
    let old = live.map().clone();
    let mut search = Search::default();
    let (a, b) = (point(2.0, 2.0), point(18.0, 6.0));
    let open_way = way(live.map(), &mut search, a, b).unwrap();
    live.change(GROUND, &footprint(&ground, &closed)).unwrap();
    assert_eq!(way(live.map(), &mut search, a, b), None);
    assert_eq!(way(&old, &mut search, a, b), Some(open_way), "who has the old map keeps it");
    live.change(GROUND, &footprint(&ground, &walls)).unwrap();
    assert!((way(live.map(), &mut search, a, b).unwrap() - open_way).abs() < 1e-6);
}

#[test]
fn ground_may_vanish_and_come_back() {
    let (ground, solids) = scattered(12, 4);
    let mut live = live(&ground, &solids);
    live.change(GROUND, &footprint(&[], &[])).unwrap();
    assert!(live.map().edges().is_empty());
    live.change(GROUND, &footprint(&ground, &solids)).unwrap();
    assert_same(&live, &ground, &solids, &mut Dice::new(1));
    assert_eq!(
        live.change(throng_world::scene::LayerId(7), &footprint(&[], &[])).unwrap(),
        Sweep::Nothing
    );
}
