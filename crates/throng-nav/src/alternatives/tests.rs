//! What is chosen is what one would choose from a list of all ways.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeSet;

use proptest::prelude::*;
use throng_world::walkable::Area;

use super::*;
use crate::map::{EdgeId, MapRules};
use crate::{Footprint, Place};

const GROUND: LayerId = LayerId(0);
const WALKER: Walker = Walker { radius: 0.25, margin: 0.1 };

fn rectangle(x: [f64; 2], y: [f64; 2]) -> Area {
    let corners = [(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1])];
    Area::new(corners.map(DVec2::from).to_vec(), Vec::new()).unwrap()
}

/// Houses between streets: along either axis, how wide each house and the street behind it are. With the
/// places to go from and to.
fn city(columns: &[[f64; 2]], rows: &[[f64; 2]]) -> (CorridorMap, [(LayerId, DVec2); 2]) {
    let spans = |sizes: &[[f64; 2]]| {
        let mut at = 2.0;
        let span = |&[house, street]: &[f64; 2]| {
            let begin = at;
            at += house + street;
            [begin, begin + house]
        };
        (sizes.iter().map(span).collect::<Vec<_>>(), at)
    };
    let ((columns, width), (rows, height)) = (spans(columns), spans(rows));
    let houses = columns.iter().flat_map(|&x| rows.iter().map(move |&y| rectangle(x, y)));
    let ground = [rectangle([0.0, width], [0.0, height])];
    let footprint = Footprint::without(&ground, &houses.collect::<Vec<_>>()).unwrap();
    let map = CorridorMap::new(&[footprint], &MapRules::default()).unwrap();
    let ends = [DVec2::new(0.7, 1.1), DVec2::new(width - 1.1, height - 0.6)];
    (map, ends.map(|point| (GROUND, point)))
}

/// Every walk from one edge to another that passes no vertex twice, as sets of edges.
fn walks(map: &CorridorMap, from: EdgeId, to: EdgeId) -> BTreeSet<Vec<EdgeId>> {
    fn go_on(
        map: &CorridorMap,
        at: VertexId,
        to: EdgeId,
        passed: &mut Vec<VertexId>,
        edges: &mut Vec<EdgeId>,
        walks: &mut BTreeSet<Vec<EdgeId>>,
    ) {
        if passed.contains(&at) {
            return;
        }
        passed.push(at);
        for &edge in map.edges_at(at) {
            if edges.contains(&edge) || (map.edge(edge).is_tip && edge != to) {
                continue;
            }
            edges.push(edge);
            if edge == to {
                walks.insert(edges.clone());
            } else {
                let [begin, end] = map.edge(edge).ends;
                go_on(map, if begin == at { end } else { begin }, to, passed, edges, walks);
            }
            edges.pop();
        }
        passed.pop();
    }
    let mut walks_found = BTreeSet::new();
    for end in map.edge(from).ends {
        go_on(map, end, to, &mut Vec::new(), &mut vec![from], &mut walks_found);
    }
    walks_found
}

/// What is chosen from all ways that there are.
fn by_force(map: &CorridorMap, [from, to]: &[Place; 2], rules: &Alternatives) -> Vec<Corridor> {
    let mut search = Search::new(usize::MAX);
    let query = Query {
        map,
        from,
        to,
        walker: &WALKER,
        extras: Extras::default(),
        detour: None,
        lead: None,
    };
    let best = map.way(&mut search, &query).unwrap();
    let mut other = Search::new(usize::MAX);
    let mut selection = Selection::new(query, rules, &mut search);
    selection.add(best, None);
    for edges in walks(map, from.anchor.edge, to.anchor.edge) {
        let mut closed = vec![f32::INFINITY; map.edges().len()];
        edges.iter().for_each(|edge| closed[edge.0 as usize] = 0.0);
        let only = Query { extras: Extras::new(&closed), ..query };
        if let Some(found) = other.find(&only, f64::INFINITY) {
            selection.add(found, None);
        }
    }
    selection.into_corridors()
}

fn alternatives(
    map: &CorridorMap,
    [from, to]: [(LayerId, DVec2); 2],
    rules: &Alternatives,
) -> Vec<Corridor> {
    let mut search = Search::new(usize::MAX);
    map.alternatives(&mut search, from, to, &WALKER, Extras::default(), rules).unwrap()
}

#[test]
fn all_shortest_ways_round_blocks_are_found() {
    // As many as there are orders in which to go some blocks east and some north.
    for (columns, rows, count) in [(1, 1, 2), (2, 1, 3), (3, 1, 4), (2, 2, 6), (3, 2, 10)] {
        let [columns, rows] = [columns, rows].map(|blocks| vec![[12.0, 2.0]; blocks]);
        let (map, ends) = city(&columns, &rows);
        let rules = Alternatives { count: 30, stretch: 1.2, sharing: 0.99, effort: 1000 };
        let ways = alternatives(&map, ends, &rules);
        let lengths: Vec<f64> = ways.iter().map(|way| way.shortest_path(0.35).length()).collect();
        assert_eq!(ways.len(), count, "{lengths:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 4))]
    #[test]
    fn what_is_chosen_is_the_best_choice_from_all_ways(
        columns in prop::collection::vec((6.0f64..16.0, 2.0f64..5.0), 1..4),
        rows in prop::collection::vec((6.0f64..16.0, 2.0f64..5.0), 1..3),
        (count, stretch, sharing) in (2usize..8, 1.1f64..1.8, 0.2f64..0.95),
    ) {
        let [columns, rows] =
            [columns, rows].map(|sizes| sizes.into_iter().map(<[f64; 2]>::from).collect::<Vec<_>>());
        let (map, ends) = city(&columns, &rows);
        let rules = Alternatives { count, stretch, sharing, effort: 2000 };
        let places = map.places_for(ends, &WALKER).unwrap();
        // The goal may be seen from one edge or the other, which makes ways a metre longer along the axis.
        let [expected, other] = [-0.03, 0.03].map(|more| {
            by_force(&map, &places, &Alternatives { sharing: sharing + more, ..rules })
        });
        if are_same(&expected, &other) {
            prop_assert!(are_same(&alternatives(&map, ends, &rules), &expected));
        }
    }
}

fn are_same(some: &[Corridor], others: &[Corridor]) -> bool {
    let is_same = |(a, b): (&Corridor, &Corridor)| {
        let [a, b] = [a, b].map(|way| way.shortest_path(WALKER.clearance()));
        (a.length() - b.length()).abs() < 0.01 && a.is_along(&b, 0.01) && b.is_along(&a, 0.01)
    };
    some.len() == others.len() && some.iter().zip(others).all(is_same)
}
