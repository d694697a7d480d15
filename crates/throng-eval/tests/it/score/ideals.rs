//! What the way of somebody alone would be.

use throng_eval::score::{Collector, Ideals, ScoreOptions, quantity};
use throng_world::scene::RunQuantity;

use super::track::{Somebody, at, hall, take};

fn people(goals: &str, more: &str) -> Ideals {
    let scene = hall(&format!(
        "{more}[[groups]]\nname = \"walkers\"\nspeed = 1.25\nradius = 0.25\n\
         [[groups.people]]\nposition = [0, 0]\ngoals = [{goals}]\nthen = \"leave\"\n"
    ));
    Ideals::of(&scene).unwrap()
}

#[test]
fn in_the_open_the_way_is_straight_and_ends_where_the_goal_begins() {
    let ideals = people("{ seek = [10, 0], within = 0.5 }", "");
    let ideal = ideals.get(0).unwrap();
    assert!((ideal.length - 9.5).abs() < 1e-6, "{ideal:?}");
    assert!((ideal.time - 9.5 / 1.25).abs() < 1e-6);
    assert!((ideal.energy - 0.5 * 1.25 * 1.25 * ideal.time).abs() < 1e-6);
    // From where the first is achieved to the next, at another speed.
    let ideals =
        people("{ seek = [10, 0], within = 1 }, { seek = [9, 6], speed = 0.5, within = 2 }", "");
    let ideal = ideals.get(0).unwrap();
    assert!((ideal.length - 13.0).abs() < 1e-6, "{ideal:?}");
    assert!((ideal.time - (9.0 / 1.25 + 4.0 / 0.5)).abs() < 1e-5, "{ideal:?}");
    // Time that is up ends a goal, and waiting takes time.
    let ideals = people("{ idle = 4 }, { seek = [10, 0], duration = 2 }", "");
    let ideal = ideals.get(0).unwrap();
    assert!((ideal.length - 2.5).abs() < 1e-6 && (ideal.time - 6.0).abs() < 1e-6, "{ideal:?}");
}

#[test]
fn around_a_wall_the_way_keeps_a_body_away_from_it() {
    let wall = "[[obstacles]]\npolygon = [[4, -30], [6, -30], [6, 3], [4, 3]]\n";
    let ideals = people("{ seek = [10, 0], within = 0.2 }", wall);
    let ideal = ideals.get(0).unwrap();
    // Tangents to circles of 0.25 m around the corners at (4, 3) and (6, 3), arcs, and 2 m between.
    let (away, radius) = (5.0f64, 0.25f64);
    let tangent = (away * away - radius * radius).sqrt();
    let turn = 0.75f64.atan() + (radius / away).asin();
    let length = 2.0 * (tangent + radius * turn) + 2.0 - 0.2;
    assert!((ideal.length - length).abs() < 0.005, "{ideal:?} is not {length}");
    let path = ideals.path(0).unwrap();
    assert!(path.iter().any(|point| point.y > 3.2), "{path:?}");
}

#[test]
fn regions_are_entered_at_the_nearest_place_by_the_ways_there_are() {
    let region = "[[regions]]\nname = \"goal\"\nrectangle = [[8, -2], [12, 2]]\n";
    let ideals = people("{ seek = \"goal\" }", region);
    assert!((ideals.get(0).unwrap().length - 8.0).abs() < 1e-4, "{:?}", ideals.get(0));
}

#[test]
fn goals_that_move_or_are_drawn_have_no_ideal() {
    let region = "[[regions]]\nname = \"goal\"\nrectangle = [[8, -2], [12, 2]]\n";
    assert_eq!(people("{ seek = { random = \"goal\" } }", region).len(), 0);
    assert!(people("{ flow = [1, 0] }", "").is_empty());
    assert!(
        people("{ seek = [10, 0] }, { seek = [0, 9] }, { flow = [1, 0], duration = 5 }", "")
            .is_empty()
    );
    let scene = hall(
        "[[groups]]\nname = \"walkers\"\ngoals = [{ seek = [3, 0] }]\nthen = \"repeat\"\n\
         [[groups.people]]\nposition = [0, 0]\n",
    );
    assert!(Ideals::of(&scene).unwrap().is_empty());
}

#[test]
fn deviation_is_the_largest_distance_from_the_path() {
    let scene = hall(
        "[[groups]]\nname = \"walkers\"\nspeed = 1\nthen = \"leave\"\n[[groups.people]]\n\
         position = [0, 0]\ngoals = [{ seek = [10, 0], within = 0.5 }]\n",
    );
    let mut collector = Collector::new(&scene, ScoreOptions::default()).unwrap();
    for frame in 0..=95 {
        let x = frame as f32 * 0.1;
        let bulge = if (3.0..7.0).contains(&x) { 0.8 } else { 0.1 };
        take(&mut collector, f64::from(frame) * 0.1, &[at(0, x, bulge)]).unwrap();
    }
    take(&mut collector, 9.7, &[] as &[Somebody]).unwrap();
    let ideals = collector.ideals().clone();
    let metrics = collector.finish();
    let quantity = |of| quantity(&metrics, &ideals, of).unwrap();
    assert!((quantity(RunQuantity::Deviation) - 0.8).abs() < 1e-5);
    let ratio = quantity(RunQuantity::LengthRatio);
    // Two steps aside by 0.7 m while one gets on by 0.1 m.
    let length = 9.5 + 2.0 * (0.7f64.hypot(0.1) - 0.1);
    assert!((ratio - length / 9.5).abs() < 1e-3, "{ratio}");
    assert!((quantity(RunQuantity::IdealTime) - 9.5).abs() < 1e-6);
    assert!((quantity(RunQuantity::Time) - 9.5).abs() < 1e-9);
    assert_eq!(quantity(RunQuantity::Completion), 1.0);
}
