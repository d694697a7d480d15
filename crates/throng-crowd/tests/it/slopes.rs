//! How fast people are on slopes and stairs.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests too")]

use glam::Vec2;
use throng_base::Bounds;
use throng_crowd::{Crowd, Setting};
use throng_world::{Heightfield, Layer};

use crate::support::{self, bits, run, scene, state};

/// Horizontal speeds on stairs of somebody who walks 1.34 m/s on the level (Weidmann 1993), up and down.
const ON_STAIRS: [f32; 2] = [0.61, 0.69];

/// Somebody who walks 1.34 m/s, over 6 m of a connector that rises by 3 m, up or down.
fn climber(kind: &str, simulation: &str, model: &str, goes_up: bool) -> Crowd {
    let (from, to) =
        if goes_up { ((-4, "lower"), (12, "upper")) } else { ((10, "upper"), (-6, "lower")) };
    let wide = support::STAIRS.replace("-1]", "-2]").replace(" 1]", " 2]");
    let way_up = wide.replace("kind = \"stairs\"", &format!("kind = \"{kind}\""));
    let text = format!(
        r#"
        [simulation]
        {simulation}

        [world]
        bounds = [[-14, -8], [14, 8]]

        {way_up}
        [[groups]]
        name = "climber"
        speed = 1.34
        steering = {{ model = "{model}" }}
        people = [{{ position = [{}, 0], layer = "{}", goal = {{ seek = [{}, 0], layer = "{}" }} }}]
        "#,
        from.0, from.1, to.0, to.1
    );
    Crowd::from_scene(&scene(&text)).unwrap()
}

/// How long somebody takes from one x to another, s.
fn time_between(crowd: &mut Crowd, from: f32, to: f32) -> f32 {
    let forward = (to - from).signum();
    let mut passed = [None; 2];
    let mut before = state(crowd, 0).position.x;
    while passed[1].is_none() {
        crowd.step();
        let now = state(crowd, 0).position.x;
        for (passed, line) in passed.iter_mut().zip([from, to]) {
            let is_passed = (now - line) * forward >= 0.0;
            if is_passed && passed.is_none() {
                let share = (line - before) / (now - before);
                *passed = Some(crowd.time() as f32 - 0.1 * (1.0 - share));
            }
        }
        before = now;
        assert!(crowd.time() < 60.0, "{:?}", state(crowd, 0));
    }
    passed[1].unwrap() - passed[0].unwrap()
}

#[track_caller]
fn assert_within(value: f32, expected: f32, share: f32) {
    assert!((value / expected - 1.0).abs() < share, "{value}, and not {expected}");
}

#[test]
fn stairs_take_as_long_as_people_were_measured_to_take() {
    for (goes_up, speed) in [true, false].into_iter().zip(ON_STAIRS) {
        let ends = if goes_up { [0.0, 6.0] } else { [6.0, 0.0] };
        let mut crowd = climber("stairs", "", "orca", goes_up);
        assert_within(time_between(&mut crowd, ends[0], ends[1]), 6.0 / speed, 0.05);
    }
}

#[test]
fn whatever_model_steers_people_they_are_slower_on_stairs() {
    for model in
        ["none", "headway", "social_force", "pedestrian", "predictive", "hidac", "opensteer", "ppr"]
    {
        for (goes_up, speed) in [true, false].into_iter().zip(ON_STAIRS) {
            // Models with inertia take a metre to slow down.
            let part = if goes_up { [1.5, 5.5] } else { [4.5, 0.5] };
            let mut crowd = climber("stairs", "", model, goes_up);
            let speed = 4.0 / time_between(&mut crowd, part[0], part[1]) / speed;
            assert!((0.95..1.05).contains(&speed), "{model}: {speed} of it");
        }
    }
}

#[test]
fn ramps_are_slopes_and_a_scene_can_do_without() {
    // 26.6°, which is 21.6° too much.
    let factors = [(true, 1.0 - 0.02 * 21.565), (false, 1.0 - 0.01 * 21.565)];
    for (goes_up, factor) in factors {
        let ends = if goes_up { [0.0, 6.0] } else { [6.0, 0.0] };
        let time = |kind: &str, simulation: &str| {
            time_between(&mut climber(kind, simulation, "orca", goes_up), ends[0], ends[1])
        };
        assert_within(time("ramp", ""), 6.0 / (1.34 * factor), 0.03);
        for kind in ["ramp", "stairs"] {
            assert_within(time(kind, "slopes = false"), 6.0 / 1.34, 0.01);
        }
    }
}

/// People on a plane that rises by `rise` metres for each metre to the east, all on their way somewhere.
fn on_a_hill(rise: f32, slopes: bool) -> Crowd {
    let bounds = Bounds { min: Vec2::splat(-100.0), max: Vec2::splat(100.0) };
    let heights = vec![0.0, 200.0 * rise, 0.0, 200.0 * rise];
    let field = Heightfield::new(bounds, 2, 2, heights).unwrap();
    let layer = Layer { name: "hill".into(), elevation: 0.0, terrain: field.into() };
    let mut crowd = Crowd::new(Setting { layers: vec![layer], slopes, ..support::plane() });
    for (i, way) in [Vec2::X, -Vec2::X, Vec2::Y, Vec2::ONE].into_iter().enumerate() {
        let start = Vec2::new(0.0, i as f32 * 20.0 - 30.0);
        support::walker(&mut crowd, start, start + way * 60.0);
    }
    crowd
}

#[test]
fn hills_slow_those_who_go_up_more_than_those_who_go_down_and_nobody_along_them() {
    let speeds = |rise: f32, slopes: bool| {
        let mut crowd = on_a_hill(rise, slopes);
        run(&mut crowd, 3.0);
        [0, 1, 2, 3].map(|id| state(&crowd, id).velocity.length())
    };
    let level = speeds(0.0, true);
    let steep = speeds(0.2, true);
    // 11.3° up and down, 0° along, 8.05° where the way is oblique.
    for (i, factor) in [0.8738, 0.9369, 1.0, 0.939].into_iter().enumerate() {
        assert_within(steep[i], level[i] * factor, 0.005);
    }
    assert_eq!(speeds(0.08, true), level, "gentle slopes do nothing");
    assert_eq!(speeds(0.2, false), level);
}

#[test]
fn on_level_ground_nothing_changes() {
    let states = |rise, slopes| {
        let mut crowd = on_a_hill(rise, slopes);
        run(&mut crowd, 5.0);
        bits(&crowd)
    };
    assert_eq!(states(0.0, true), states(0.0, false));
    assert_ne!(states(0.3, true), states(0.3, false));
}
