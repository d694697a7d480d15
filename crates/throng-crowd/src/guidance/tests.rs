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

/// Where somebody gets to in `seconds` who begins at a point and is drawn on along a path; `None` if they are told on the
/// way that it does not lead them any more.
fn follow(guidance: &Guidance, path: Path, from: Vec2, seconds: f32) -> Option<Vec2> {
    let end = path.points[path.points.len() - 1].as_vec2();
    let mut route = Route::new(Way::Shortest(path, Progress::default()), 0.1);
    let mut who =
        Onlooker { position: from, layer: LayerId(0), radius: 0.2, speed: SPEED, aim: from };
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
        let (end, length) = (path.points[points.len() - 1].as_vec2(), path.length() as f32);
        let at = follow(&guidance, path, from.clamp(Vec2::splat(0.5), Vec2::new(29.5, 19.5)), 20.0 + 1.5 * length / SPEED);
        // Nothing is in the way: they always can walk straight to what draws them on.
        prop_assert!(at.is_some_and(|at| at.distance(end) < 0.5), "{at:?} and not {end}");
    }
}
