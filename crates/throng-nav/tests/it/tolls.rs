//! What it costs to get past a place: another way is taken when it is longer by less.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use crate::support::{GROUND, map, point, rectangle};
use glam::DVec2;
use throng_nav::{Berth, CorridorMap, Extras, Search, Walker};

const WALKER: Walker = Walker { radius: 0.2, margin: 0.1 };

/// Two rooms with passages at y = 3 and y = 12 between them.
fn rooms() -> CorridorMap {
    let walls = [
        rectangle([10.0, 13.0], [0.0, 2.4]),
        rectangle([10.0, 13.0], [3.6, 11.4]),
        rectangle([10.0, 13.0], [12.6, 16.0]),
    ];
    map(&[rectangle([0.0, 24.0], [0.0, 16.0])], &walls)
}

/// Whether the way to the other room leads through the upper passage for somebody at `from` who pays so much to get past
/// `at`, and whether they pay it.
fn by_upper(map: &CorridorMap, from: DVec2, at: DVec2, cost: f32) -> (bool, bool) {
    let tolls = [None, map.toll((GROUND, from), (GROUND, at), cost)];
    let extras = Extras { tolls: &tolls, ..Extras::default() };
    let ends = [(GROUND, from), (GROUND, point(20.0, 3.0))];
    let search = &mut Search::default();
    let (path, due) = map.individual_way(search, ends, &WALKER, Berth::default(), extras).unwrap();
    assert!(!due[0], "there is none");
    (path.points.iter().any(|point| point.y > 11.0), due[1])
}

#[test]
fn a_toll_leads_another_way_if_that_is_longer_by_less() {
    let map = rooms();
    let (from, plug) = (point(6.0, 3.0), point(11.5, 3.0));
    assert_eq!(by_upper(&map, from, plug, 2.0), (false, true));
    assert_eq!(by_upper(&map, from, plug, 40.0), (true, false));
    assert_eq!(by_upper(&map, from, point(11.5, 12.0), 40.0), (false, false));
}

#[test]
fn who_stands_in_the_mouth_of_a_passage_is_led_out_of_it() {
    let map = rooms();
    let plug = point(12.0, 3.0);
    for x in [8.5, 9.5, 10.2, 11.0, 11.6] {
        assert_eq!(by_upper(&map, point(x, 3.0), plug, 40.0), (true, false), "from {x}");
    }
    // Beyond it, there is nothing to pay.
    assert_eq!(by_upper(&map, point(12.5, 3.0), plug, 40.0), (false, false));
    assert_eq!(map.toll((GROUND, plug), (GROUND, point(11.5, 8.0)), 1.0), None, "in a wall");
}
