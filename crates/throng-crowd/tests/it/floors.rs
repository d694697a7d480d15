//! Floors one above the other, stairs between them, and heights.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests too")]

use std::path::Path;

use glam::Vec2;
use throng_crowd::{Crowd, Obstruction, PersonId, PersonState, Status};
use throng_world::scene::LayerId;

use crate::support::{
    STAIRS, assert_out_of_walls, assert_sound, crowd, overlaps, run, scene_in, state,
};

const LOWER: LayerId = LayerId(0);
const UPPER: LayerId = LayerId(1);

/// A house with [`STAIRS`].
fn house(people: &str) -> Crowd {
    crowd(&format!(
        r#"
        [world]
        bounds = [[-14, -8], [14, 8]]
        closed = true

        {STAIRS}

        [[regions]]
        name = "below"
        rectangle = [[-13, -7], [13, 7]]
        layer = "lower"

        [[regions]]
        name = "above"
        rectangle = [[-13, -7], [13, 7]]
        layer = "upper"

        {people}
        "#
    ))
}

fn is_on_stairs(p: &PersonState) -> bool {
    (0.0..=6.0).contains(&p.position.x) && p.position.y.abs() <= 1.0
}

/// The height of someone in [`house`]: their floor's, or what they have climbed of the stairs.
fn expected_height(p: &PersonState) -> f32 {
    match p.layer {
        _ if is_on_stairs(p) => p.position.x * 0.5,
        LOWER => 0.0,
        _ => 3.0,
    }
}

#[test]
fn people_on_different_floors_walk_through_the_same_place() {
    let meet = |layer: &str| {
        house(&format!(
            r#"
            [[groups]]
            name = "walkers"
            steering.max_acceleration = 0
            speed = 1
            people = [
              {{ position = [-8, 5], goal = {{ flow = [1, 0] }} }},
              {{ position = [0, 5], layer = "{layer}", goal = {{ flow = [-1, 0] }} }},
            ]
            "#
        ))
    };
    let (mut apart, mut together) = (meet("upper"), meet("lower"));
    run(&mut apart, 8.0);
    run(&mut together, 8.0);
    let (first, second) = (state(&apart, 0), state(&apart, 1));
    assert!(first.position.distance(Vec2::new(0.0, 5.0)) < 0.01, "{first:?}");
    assert!(second.position.distance(Vec2::new(-8.0, 5.0)) < 0.01, "{second:?}");
    assert_eq!((first.height, second.height), (0.0, 3.0));
    assert!((state(&together, 0).position.y - 5.0).abs() > 0.05, "on one floor they step aside");
}

#[test]
fn an_obstacle_stands_on_its_own_floor_only() {
    let mut crowd = house(
        r#"
        [[obstacles]]
        layer = "upper"
        box = { center = [-8, 0], size = [1, 15] }

        [[groups]]
        name = "walkers"
        speed = 1
        goals = [{ flow = [1, 0] }]
        people = [{ position = [-12, 4] }, { position = [-12, 4], layer = "upper" }]
        "#,
    );
    run(&mut crowd, 8.0);
    assert!(state(&crowd, 0).position.x > -4.5);
    assert!(state(&crowd, 1).position.x < -8.7);
    assert_eq!(state(&crowd, 1).obstruction, Obstruction::Wall);
}

#[test]
fn stairs_are_climbed_step_by_step_and_change_the_floor_half_way() {
    for (start, first_layer, goal, goal_layer) in
        [(-4.0_f32, LOWER, 9.0, UPPER), (9.0, UPPER, -4.0, LOWER)]
    {
        let name = |layer| if layer == LOWER { "lower" } else { "upper" };
        let mut crowd = house(&format!(
            r#"
            [[groups]]
            name = "climber"
            speed = 1
            goals = [{{ seek = [{goal}, 0], layer = "{}" }}]
            people = [{{ position = [{start}, 0], layer = "{}" }}]
            "#,
            name(goal_layer),
            name(first_layer)
        ));
        let mut last = state(&crowd, 0);
        while last.status != Status::Arrived {
            crowd.step();
            let now = state(&crowd, 0);
            assert!((now.height - expected_height(&now)).abs() < 1e-3, "{now:?}");
            let climbed = (now.height - last.height) * (goal - start).signum();
            assert!((-1e-6..=0.052).contains(&climbed), "{climbed} m in a step: {now:?}");
            let before_middle = (now.position.x < 3.0) == (start < 3.0);
            assert_eq!(now.layer == first_layer, before_middle, "{now:?}");
            // 13 s of them on the stairs.
            assert!(crowd.time() < 22.0, "{now:?}");
            last = now;
        }
        assert_eq!(last.layer, goal_layer);
        assert!((last.position.x - goal).abs() < 0.7, "{last:?}");
    }
}

#[test]
fn whoever_starts_on_the_stairs_is_at_their_height() {
    let crowd = house(
        r#"
        [[groups]]
        name = "climbers"
        people = [
          { position = [2, 0] },
          { position = [4, 0], layer = "upper" },
          { position = [2, 4] },
          { position = [4, 4], layer = "upper" },
        ]
        "#,
    );
    let heights: Vec<f32> = crowd.people().map(|p| p.height).collect();
    assert_eq!(heights, [1.0, 2.0, 0.0, 3.0]);
}

#[test]
fn of_a_group_those_on_the_own_floor_come_first_but_the_others_are_sought_as_well() {
    let mut crowd = house(
        r#"
        [[groups]]
        name = "guard"
        speed = 1
        goals = [{ seek = { group = "guests" } }]
        people = [{ position = [-6, 0] }]

        [[groups]]
        name = "guests"
        people = [{ position = [-6, 6] }, { position = [10, 0], layer = "upper" }]
        "#,
    );
    run(&mut crowd, 2.0);
    assert!(state(&crowd, 0).velocity.y > 0.9, "{:?}", state(&crowd, 0));
    crowd.remove(PersonId(1));
    run(&mut crowd, 1.0);
    let guard = state(&crowd, 0);
    assert_eq!(guard.status, Status::Walking);
    assert!(guard.preferred_velocity.x > 0.9, "to the stairs: {guard:?}");
    while state(&crowd, 0).status != Status::Arrived {
        crowd.step();
        assert!(crowd.time() < 30.0, "{:?}", state(&crowd, 0));
    }
    assert_eq!(state(&crowd, 0).layer, UPPER);
}

#[test]
fn opposed_streams_on_one_stairs_keep_apart_across_the_middle() {
    let mut people = String::new();
    for i in 0..6 {
        let (x, y) = (i as f32 * -0.8, if i % 2 == 0 { 0.4 } else { -0.4 });
        people += &format!(
            "{{ position = [{}, {y}], goals = [{{ seek = [7, 0], layer = \"upper\", within = 1 }}, \
              {{ seek = [12, 5], layer = \"upper\" }}] }},\n\
             {{ position = [{}, {y}], layer = \"upper\", goals = [{{ seek = [-1, 0], within = 1 }}, \
              {{ seek = [-12, 5] }}] }},\n",
            x - 1.0,
            7.0 - x,
        );
    }
    let mut crowd = house(&format!(
        "[[groups]]\nname = \"climbers\"\nradius = 0.2\nthen = \"leave\"\npeople = [{people}]"
    ));
    let mut met_across_the_middle = false;
    while !crowd.is_empty() {
        crowd.step();
        assert_sound(&crowd);
        let on_stairs: Vec<_> = crowd.people().filter(is_on_stairs).collect();
        for (i, a) in on_stairs.iter().enumerate() {
            for b in &on_stairs[i + 1..] {
                let share = a.position.distance(b.position) / (a.radius + b.radius);
                assert!(share >= 1.0 - throng_crowd::CONTACT_TOLERANCE - 1e-5, "{a:?}\n{b:?}");
                met_across_the_middle |= a.layer != b.layer && share < 1.5;
            }
        }
        assert!(crowd.time() < 90.0, "{} are stuck", crowd.len());
    }
    assert!(met_across_the_middle, "otherwise this shows nothing");
}

#[test]
fn stairs_are_shut_at_their_sides_below_their_head_and_at_the_rim() {
    let mut crowd = house(
        r#"
        [[groups]]
        name = "stubborn"
        speed = 1
        people = [
          { position = [3.5, 5], goal = { flow = [0, -1] } },
          { position = [2.5, -5], layer = "upper", goal = { flow = [0, 1] } },
          { position = [10, 0], goal = { flow = [-1, 0] } },
          { position = [-4, 0], layer = "upper", goal = { flow = [1, 0] } },
        ]
        "#,
    );
    run(&mut crowd, 12.0);
    let stand = [
        (Vec2::new(3.5, 1.25), LOWER),
        (Vec2::new(2.5, -1.25), UPPER),
        (Vec2::new(6.25, 0.0), LOWER),
        (Vec2::new(-0.25, 0.0), UPPER),
    ];
    for (id, (place, layer)) in (0..).zip(stand) {
        let p = state(&crowd, id);
        assert!(p.position.distance(place) < 0.1, "{p:?}");
        assert_eq!((p.layer, p.height), (layer, if layer == LOWER { 0.0 } else { 3.0 }));
        assert_eq!((p.status, p.obstruction), (Status::Blocked, Obstruction::Wall), "{p:?}");
    }
}

#[test]
fn however_people_jostle_they_enter_and_leave_stairs_by_their_ends() {
    let mut crowd = house(
        r#"
        [[groups]]
        name = "below"
        radius = { min = 0.15, max = 0.35 }
        goals = [
          { seek = { random = "below" }, duration = 6 },
          { seek = [-1, 0], within = 1, duration = 8 },
          { seek = [7, 0], layer = "upper", within = 1, duration = 8 },
          { seek = { random = "above" }, duration = 6 },
          { seek = [7, 0], layer = "upper", within = 1, duration = 8 },
          { seek = [-1, 0], within = 1, duration = 8 },
        ]
        then = "repeat"
        people = [{ position = [-3, 0] }]
        sources = [
          { region = "below", schedule = [{ to = 5, rate = 12 }] },
          { region = "above", schedule = [{ to = 5, rate = 12 }] },
        ]
        "#,
    );
    let mut before: Vec<Option<PersonState>> = Vec::new();
    let mut changes = 0;
    while crowd.time() < 60.0 {
        crowd.step();
        let (_, closest) = overlaps(&crowd);
        assert!(closest > 0.99, "at {:.1} s: {closest}", crowd.time());
        assert_out_of_walls(&crowd);
        let now: Vec<_> = (0..crowd.ever()).map(|id| crowd.person(PersonId(id))).collect();
        for (a, b) in before.iter().flatten().zip(now.iter().flatten()) {
            assert!((b.height - expected_height(b)).abs() < 1e-3, "{b:?}");
            assert!((b.height - a.height).abs() < 0.2, "a jump from {a:?} to {b:?}");
            changes += usize::from(a.layer != b.layer);
            if is_on_stairs(a) != is_on_stairs(b) {
                let x = if b.layer == LOWER { 0.0 } else { 6.0 };
                let at_end = (b.position.x - x).abs() < 0.3 && (a.position.x - x).abs() < 0.3;
                assert!(at_end, "through the side, from {a:?} to {b:?}");
            }
        }
        before = now;
    }
    assert!(changes > 30, "hardly anyone took the stairs: {changes}");
}

/// A 16-bit greyscale image that rises evenly from black in the west to white in the east.
fn write_slope(path: &Path) {
    let mut image = Vec::new();
    let mut encoder = png::Encoder::new(&mut image, 65, 3);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Sixteen);
    let row = (0..65u32).flat_map(|column| ((column * 65535 / 64) as u16).to_be_bytes());
    let pixels: Vec<u8> = row.collect::<Vec<u8>>().repeat(3);
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    std::fs::write(path, image).unwrap();
}

#[test]
fn people_stand_on_the_terrain_and_stairs_begin_at_its_height() {
    let folder = tempfile::tempdir().unwrap();
    write_slope(&folder.path().join("slope.png"));
    let scene = scene_in(
        folder.path(),
        r#"
        [world]
        bounds = [[-20, -10], [20, 10]]
        terrain = { heightmap = "slope.png", low = 2, high = 10 }

        [[layers]]
        name = "hill"

        [[layers]]
        name = "terrace"
        elevation = 12

        [[connectors]]
        name = "ramp"
        kind = "ramp"
        polygon = [[5, -1], [15, -1], [15, 1], [5, 1]]
        lower = { layer = "hill", edge = [[5, -1], [5, 1]] }
        upper = { layer = "terrace", edge = [[15, -1], [15, 1]] }

        [[groups]]
        name = "hikers"
        speed = 1.5
        goals = [{ seek = [3, 0] }, { seek = [18, 0], layer = "terrace" }]
        people = [{ position = [-15, 0] }]
        "#,
    );
    let mut crowd = Crowd::from_scene(&scene).unwrap();
    let mut last = state(&crowd, 0);
    assert!((last.height - 3.0).abs() < 0.1, "{last:?}");
    while state(&crowd, 0).status != Status::Arrived {
        crowd.step();
        let hiker = state(&crowd, 0);
        let x = hiker.position.x;
        let expected = match x {
            ..5.0 => 6.0 + 0.2 * x,
            5.0..15.0 => 7.0 + 0.5 * (x - 5.0),
            _ => 12.0,
        };
        assert!((hiker.height - expected).abs() < 0.1, "{expected}: {hiker:?}");
        assert!(hiker.height >= last.height - 1e-4, "downhill: {hiker:?}");
        last = hiker;
        assert!(crowd.time() < 40.0, "{hiker:?}");
    }
    assert_eq!((last.layer, last.height), (UPPER, 12.0));
}
