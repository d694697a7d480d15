//! Alone along a path: whoever is drawn on gets to its end, however it doubles back.

use std::sync::Arc;

use glam::{DVec2, Vec2};
use proptest::prelude::*;
use throng_nav::{CorridorMap, MapRules, Path, Progress};
use throng_world::Scene;
use throng_world::scene::LayerId;

use super::Guidance;
use super::route::{Onlooker, Route, Way};

const STEP: f32 = 0.1;
const SPEED: f32 = 1.3;

/// A hall of 30 m by 20 m with a pillar in it.
fn hall() -> Guidance {
    let text = "format = 1\nworld = { bounds = [[0, 0], [30, 20]], closed = true }\n\
                obstacles = [{ box = { center = [9, 13], size = [2, 2] } }]\n";
    let scene = Scene::parse("hall", text, std::path::Path::new("")).unwrap();
    let map = CorridorMap::of_scene(&scene, &MapRules::default()).unwrap();
    Guidance::new(Arc::new(map), &[], STEP)
}

fn path(points: &[[f64; 2]]) -> Path {
    let points: Vec<DVec2> = points.iter().map(|&point| point.into()).collect();
    Path { layers: vec![LayerId(0); points.len() - 1], points }
}

/// A person at the beginning of a route along a path.
fn set_out(path: Path, from: Vec2) -> (Route, Onlooker) {
    let route = Route::new(Way::Shortest(path, Progress::default()), 0.1);
    let person =
        Onlooker { position: from, layer: LayerId(0), radius: 0.2, speed: SPEED, aim: from };
    (route, person)
}

/// Where somebody gets to in `seconds` who begins at a point and is drawn on along a path; `None` if they are told on the
/// way that it does not lead them any more.
fn follow(guidance: &Guidance, path: Path, from: Vec2, seconds: f32) -> Option<Vec2> {
    let end = path.points[path.points.len() - 1].as_vec2();
    let (mut route, mut who) = set_out(path, from);
    let mut outlook = guidance.look_up(&mut route, &who)?;
    for _ in 0..(seconds / STEP) as usize {
        if outlook.rest <= 0.0 || outlook.is_beside(who.position) {
            outlook = guidance.look_up(&mut route, &who)?;
        }
        who.aim = outlook.aim;
        who.position += (outlook.aim - who.position).clamp_length_max(SPEED * STEP);
        outlook.rest -= STEP;
        if who.position.distance(end) < 0.5 {
            break;
        }
    }
    Some(who.position)
}

#[test]
fn nobody_walks_to_and_fro_on_a_way_that_leads_back_beside_itself() {
    // People in a hall had such a way when it was crowded where they set out: about the crowd, and back.
    let guidance = hall();
    let way = [[22.1, 1.5], [27.8, 9.5], [21.1, 1.5], [21.4, 0.7]];
    for share in [0.1, 0.3, 0.5, 0.6, 0.7, 0.9] {
        let from = DVec2::from(way[0]).lerp(way[1].into(), share).as_vec2();
        let at = follow(&guidance, path(&way), from, 40.0);
        let end = Vec2::new(21.4, 0.7);
        assert!(at.is_some_and(|at| at.distance(end) < 0.5), "from {from}: {at:?}");
    }
}

#[test]
fn who_is_drawn_past_a_loop_goes_on_from_there() {
    // A person in a large disc sees the last leg from the first one. In smaller discs nearer to it, a search from the
    // first leg ended at the loop, and the person stayed for ever where the previous look-up had drawn them.
    let way = [[23.2, 2.4], [16.7, 3.1], [12.0, 8.0], [12.0, 1.0], [26.4, 1.0]];
    let end = Vec2::new(26.4, 1.0);
    for share in [0.1, 0.2, 0.28, 0.4, 0.6] {
        let from = DVec2::from(way[0]).lerp(way[1].into(), share).as_vec2();
        let at = follow(&hall(), path(&way), from, 40.0);
        assert!(at.is_some_and(|at| at.distance(end) < 0.5), "from {from}: {at:?}");
    }
}

#[test]
fn nobody_goes_round_and_round_on_a_way_with_loops() {
    // Each next point was less than a right angle from the one before, and yet they led round in a circle.
    let ways: [(Vec2, &[[f64; 2]]); 3] = [
        (
            Vec2::new(26.084_528, 7.097_027),
            &[
                [26.365492036594432, 7.097027699803545],
                [15.915034031300987, 18.612565630375958],
                [25.77808955958757, 1.0],
                [12.0, 7.6036213503121015],
                [25.26701398882906, 16.85451995196661],
            ],
        ),
        (
            Vec2::new(25.513_182, 0.5),
            &[
                [25.513181689562256, 1.0],
                [21.916824235173863, 17.912968255844643],
                [22.184529668241193, 4.699284017023175],
                [12.0, 1.0],
                [24.936782279697702, 12.528089660474842],
            ],
        ),
        (
            Vec2::new(16.332_129, 10.241_684),
            &[
                [14.948146932955531, 8.003498894004448],
                [25.754756515109218, 18.81019491764943],
                [12.0, 4.190626315143161],
                [12.0, 1.0],
                [12.0, 8.705104576373957],
                [22.171795532730144, 17.640805204238955],
            ],
        ),
    ];
    for (from, way) in ways {
        let end = DVec2::from(way[way.len() - 1]).as_vec2();
        let at = follow(&hall(), path(way), from, 100.0);
        assert!(at.is_some_and(|at| at.distance(end) < 0.5), "from {from} to {end}: {at:?}");
    }
}

proptest! {
    #[test]
    fn whatever_the_path_whoever_is_drawn_on_gets_to_its_end(
        points in prop::collection::vec([12.0..29.0_f64, 1.0..19.0_f64], 2..8),
        share in 0.0..1.0_f64,
        aside in [-1.0..1.0_f32, -1.0..1.0_f32],
    ) {
        let guidance = hall();
        let path = path(&points);
        let from = path.points[0].lerp(path.points[1], share).as_vec2() + Vec2::from(aside);
        let from = from.clamp(Vec2::splat(0.5), Vec2::new(29.5, 19.5));
        // In a corner, discs are smaller than people are aside here; from there they ask for another path.
        let (mut route, person) = set_out(path.clone(), from);
        prop_assume!(guidance.look_up(&mut route, &person).is_some());
        let (end, length) = (path.points[points.len() - 1].as_vec2(), path.length() as f32);
        let at = follow(&guidance, path, from, 20.0 + 1.5 * length / SPEED);
        // Nothing is in the way: they always can walk straight to what draws them on.
        prop_assert!(at.is_some_and(|at| at.distance(end) < 0.5), "{at:?} and not {end}");
    }
}
