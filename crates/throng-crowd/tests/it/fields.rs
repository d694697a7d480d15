//! Crowds that arrows on the ground lead.

use glam::{DVec2, Vec2};
use throng_base::Distribution;
use throng_base::random::{Purpose, Random};
use throng_crowd::{Crowd, FieldRefusal, LiveField, PersonId, Status};
use throng_field::{Anchor, AnchorId, FieldEditor, FieldError, StreamlineOptions};
use throng_world::scene::{FieldId, GroupId, Led};

use crate::support::{self, crowd, overlaps, scene};

const GROUP: GroupId = GroupId(0);
const FIELD: FieldId = FieldId(0);

/// One person at `from`, led through a bend of five arrows.
fn bend(step: f64, from: Vec2, led: &str, smoothing: f64) -> Crowd {
    crowd(&format!(
        r#"
        simulation = {{ step = {step} }}
        world = {{ bounds = [[-40, -40], [40, 40]] }}

        [[fields]]
        name = "bend"
        anchors = [
            {{ at = [-10, 0], velocity = [1.3, 0] }},
            {{ at = [0, 1], velocity = [1.2, 0.5] }},
            {{ at = [6, 6], velocity = [0.6, 1.1], smoothing = {smoothing} }},
            {{ at = [8, 14], velocity = [0, 1.3] }},
            {{ at = [-6, 12], velocity = [0.9, 0.9] }},
        ]

        [[groups]]
        name = "followers"
        steering.max_acceleration = 0
        led = {{ by = ["bend"], {led} }}
        people = [{{ position = [{}, {}], velocity = [1.3, 0] }}]
        "#,
        from.x, from.y
    ))
}

fn only(crowd: &Crowd) -> Vec2 {
    crowd.people().next().expect("somebody is there").position
}

#[test]
fn the_obedient_keep_to_streamlines() {
    let from = Vec2::new(-10.0, 0.0);
    let mut crowd = bend(1.0 / 60.0, from, "share = 1, wander = 0", 0.0);
    let field = crowd.field(FIELD).unwrap().field().unwrap().clone();
    let options = StreamlineOptions { length: 21.0, step: 0.01, ..StreamlineOptions::default() };
    let line = field.streamline(from.as_dvec2(), &options);
    let (mut walked, mut worst) = (0.0, 0.0f64);
    while walked < 20.0 {
        let before = only(&crowd);
        crowd.step();
        walked += before.distance(only(&crowd));
        let here = only(&crowd).as_dvec2();
        let off = line.iter().map(|point| point.distance(here)).fold(f64::INFINITY, f64::min);
        worst = worst.max(off);
    }
    // The points of the line are a centimetre apart.
    assert!(worst < 0.01, "{worst}");
    let heading = crowd.people().next().unwrap().velocity;
    assert!(heading.y > 1.1, "they went round the bend: {heading}");
}

#[test]
fn a_will_of_ones_own_knows_nothing_of_the_field() {
    let path = |share: &str, smoothing| {
        let mut crowd = bend(0.1, Vec2::new(0.0, 8.0), share, smoothing);
        let mut path = Vec::new();
        for _ in 0..100 {
            crowd.step();
            path.push(only(&crowd));
        }
        path
    };
    // Smoothing makes another field of the same anchors.
    assert_eq!(path("share = 0", 0.0), path("share = 0", 0.1));
    assert_ne!(path("share = 0.5", 0.0), path("share = 0.5", 0.1));
}

#[test]
fn wandering_does_not_depend_on_the_step() {
    // The spread of directions over a minute, at two steps.
    let spread = |step: f64| {
        let mut crowd = bend(step, Vec2::ZERO, "share = 0, wander = 0.5", 0.0);
        crowd
            .edit_field(FIELD, |editor| {
                let ids: Vec<AnchorId> = editor.anchors().map(|(id, _)| id).collect();
                ids.into_iter().try_for_each(|id| editor.set_vector(id, DVec2::X))
            })
            .unwrap();
        let steps = (300.0 / step) as usize;
        let (mut squares, mut jumps, mut before) = (0.0, 0.0f32, None);
        for _ in 0..steps {
            crowd.step();
            let velocity = crowd.people().next().unwrap().preferred_velocity;
            squares += velocity.y * velocity.y;
            jumps = jumps.max(before.map_or(0.0, |before: Vec2| before.distance(velocity)));
            before = Some(velocity);
        }
        ((squares / steps as f32).sqrt(), jumps)
    };
    let ((coarse, _), (fine, jumps)) = (spread(0.1), spread(0.02));
    // ξ times the speed times the standard deviation of a uniform number.
    for found in [coarse, fine] {
        assert!((found / (0.5 / 3f32.sqrt()) - 1.0).abs() < 0.35, "{found}");
    }
    assert!(jumps < 0.25, "noise does not jitter: {jumps}");
}

const CROSSING: &str = r#"
    simulation = { step = 0.1, seed = 4 }
    world = { bounds = [[-40, -40], [40, 40]] }
    regions = [
        { name = "west", rectangle = [[-25, -5], [-15, 5]] },
        { name = "east", rectangle = [[15, -5], [25, 5]] },
        { name = "south", rectangle = [[-5, -25], [5, -15]] },
        { name = "north", rectangle = [[-5, 15], [5, 25]] },
    ]
    fields = [
        { name = "east", anchors = [
            { at = [-20, 0], velocity = [1.3, 0] }, { at = [-7, 3], velocity = [1.3, 0] },
            { at = [0, 0], velocity = [1.3, 0] }, { at = [7, -3], velocity = [1.3, 0] },
            { at = [20, 0], velocity = [1.3, 0] } ] },
        { name = "west", anchors = [
            { at = [-20, 0], velocity = [-1.3, 0] }, { at = [-7, 3], velocity = [-1.3, 0] },
            { at = [0, 0], velocity = [-1.3, 0] }, { at = [7, -3], velocity = [-1.3, 0] },
            { at = [20, 0], velocity = [-1.3, 0] } ] },
        { name = "north", anchors = [
            { at = [0, -20], velocity = [0, 1.3] }, { at = [3, -7], velocity = [0, 1.3] },
            { at = [0, 0], velocity = [0, 1.3] }, { at = [-3, 7], velocity = [0, 1.3] },
            { at = [0, 20], velocity = [0, 1.3] } ] },
        { name = "south", anchors = [
            { at = [0, -20], velocity = [0, -1.3] }, { at = [3, -7], velocity = [0, -1.3] },
            { at = [0, 0], velocity = [0, -1.3] }, { at = [-3, 7], velocity = [0, -1.3] },
            { at = [0, 20], velocity = [0, -1.3] } ] },
    ]
    groups = [
        { name = "to the east", led = { by = ["east"], share = 0.5 }, crowds = [{ count = 100, region = "west" }] },
        { name = "to the west", led = { by = ["west"], share = 0.5 }, crowds = [{ count = 100, region = "east" }] },
        { name = "to the north", led = { by = ["north"], share = 0.5 }, crowds = [{ count = 100, region = "south" }] },
        { name = "to the south", led = { by = ["south"], share = 0.5 }, crowds = [{ count = 100, region = "north" }] },
    ]
"#;

#[test]
fn four_groups_cross_each_other() {
    let mut crowd = crowd(CROSSING);
    let ways = [Vec2::X, -Vec2::X, Vec2::Y, -Vec2::Y];
    let mut arrived = [false; 400];
    // To the far side it is 30 m at the least; thrice the time it would take alone.
    for _ in 0..(3.0 * 30.0 / 1.3 * 10.0) as usize {
        crowd.step();
        let (_, nearest) = overlaps(&crowd);
        assert!(nearest >= 0.99, "{nearest} at {} s", crowd.time());
        for person in crowd.people() {
            let along = person.position.dot(ways[person.group.0 as usize]);
            arrived[person.id.0 as usize] |= along > 15.0;
        }
    }
    let share = arrived.iter().filter(|&&there| there).count() as f32 / 400.0;
    assert!(share > 0.95, "{share} got across");
}

#[test]
fn edits_never_make_people_jerk() {
    let mut crowd = crowd(CROSSING);
    let random = Random::new(9);
    let mut before: Vec<Vec2> = Vec::new();
    let step = 0.1;
    for number in 0..600u64 {
        let mut draws = random.stream(0, number, Purpose::Goal);
        let field = FieldId((draws.bits() % 4) as u16);
        let vector = Vec2::new(draws.between(-1.5, 1.5), draws.between(-1.5, 1.5)).as_dvec2();
        let at = Vec2::new(draws.between(-20.0, 20.0), draws.between(-20.0, 20.0)).as_dvec2();
        let which = draws.bits() as usize;
        // Those that are refused change nothing.
        let _ = crowd.edit_field(field, |editor| {
            let ids: Vec<AnchorId> = editor.anchors().map(|(id, _)| id).collect();
            match which % 4 {
                0 => editor.add(Anchor::new(at, vector)).map(|_| ()),
                1 if ids.len() > 3 => editor.remove(ids[which / 4 % ids.len()]),
                2 => editor.move_to(ids[which / 4 % ids.len()], at),
                _ => editor.set_vector(ids[which / 4 % ids.len()], vector),
            }
        });
        if number % 50 == 0 {
            let led = Led {
                share: Distribution::Constant(draws.unit()),
                ..crowd.led(GROUP).unwrap().clone()
            };
            crowd.set_led(GROUP, Some(Led { by: vec![field], ..led })).unwrap();
        }
        crowd.step();
        let now: Vec<Vec2> = crowd.people().map(|person| person.preferred_velocity).collect();
        for (before, now) in before.iter().zip(&now) {
            assert!(now.is_finite());
            assert!(before.distance(*now) <= 8.0 * step + 1e-3, "{before} to {now}");
        }
        before = now;
    }
}

#[test]
fn a_changed_field_turns_people_within_seconds() {
    let mut crowd = bend(0.1, Vec2::new(-10.0, 0.0), "share = 1, wander = 0", 0.0);
    (0..20).for_each(|_| crowd.step());
    crowd
        .edit_field(FIELD, |editor| {
            let ids: Vec<AnchorId> = editor.anchors().map(|(id, _)| id).collect();
            ids.into_iter().try_for_each(|id| editor.turn(id, std::f64::consts::PI))
        })
        .unwrap();
    (0..3).for_each(|_| crowd.step());
    let first = crowd.people().next().unwrap().velocity;
    assert!(first.x < 1.29, "it begins at once: {first}");
    (0..10).for_each(|_| crowd.step());
    let later = crowd.people().next().unwrap().velocity;
    assert!(later.x < -1.0, "{later}");
    while crowd.edit_field(FIELD, FieldEditor::undo).unwrap() {}
    (0..15).for_each(|_| crowd.step());
    let undone = crowd.people().next().unwrap().velocity;
    assert!(undone.x > 1.0, "{undone}");
}

/// A scene whose field changes while it runs, with edits of a script.
const SCRIPT: &str = r#"
    simulation = { step = 0.1, seed = 11 }
    world = { bounds = [[-40, -40], [40, 40]] }
    regions = [{ name = "start", rectangle = [[-20, -10], [-5, 10]] }]

    [[fields]]
    name = "flow"
    anchors = [
        { at = [-15, 0], velocity = [1.3, 0] },
        { name = "middle", at = [0, 0], velocity = [1.3, 0] },
        { at = [15, 5], velocity = [1.2, 0.3] },
    ]
    edits = [
        { time = 2, add = { name = "new", at = [5, 10], velocity = [0, 1] } },
        { time = 4, change = "middle", at = [2, 3] },
        { time = 4, change = "new", velocity = [0.5, 1] },
        { time = 6, remove = "middle" },
    ]

    [[groups]]
    name = "followers"
    led = { by = ["flow"], share = { min = 0.3, max = 0.9 } }
    crowds = [{ count = 200, region = "start" }]
"#;

fn positions(crowd: &Crowd) -> Vec<[u32; 2]> {
    crowd.people().map(|person| person.position.to_array().map(f32::to_bits)).collect()
}

#[test]
fn a_script_of_edits_is_replayed_bit_by_bit() {
    let play = |crowd: &mut Crowd| {
        support::steps(crowd, 100);
        assert_eq!(crowd.warnings(), &[] as &[String]);
        positions(crowd)
    };
    let run = |simd: bool| {
        let mut crowd = crowd(SCRIPT);
        crowd.set_simd(simd);
        play(&mut crowd)
    };
    let first = run(true);
    assert_eq!(first, run(true));
    assert_eq!(first, run(false));
    let crowded = SCRIPT
        .replace("[[-20, -10], [-5, 10]]", "[[-38, -38], [38, 38]]")
        .replace("count = 200", "count = 3200");
    support::same_on_any_threads(&[3], || crowd(&crowded), play);

    // What a hand does at the same moments has the same result.
    let without_script = SCRIPT.split("    edits").next().unwrap().to_owned()
        + SCRIPT.split("    ]\n\n    [[groups]]").nth(1).map(|_| "\n    [[groups]]").unwrap()
        + SCRIPT.split("    [[groups]]").nth(1).unwrap();
    let mut crowd = crowd(&without_script);
    for step in 0..100 {
        let mut edit = |edit: fn(&mut FieldEditor) -> Result<(), FieldError>| {
            crowd.edit_field(FIELD, edit).unwrap();
        };
        match step {
            20 => edit(|e| e.add(Anchor::new((5.0, 10.0), (0.0, 1.0))).map(|_| ())),
            40 => {
                edit(|e| e.move_to(AnchorId(1), DVec2::new(2.0, 3.0)));
                edit(|e| e.set_vector(AnchorId(3), DVec2::new(0.5, 1.0)));
            }
            60 => edit(|e| e.remove(AnchorId(1))),
            _ => {}
        }
        crowd.step();
    }
    assert_eq!(first, positions(&crowd));
}

#[test]
fn a_field_can_be_looked_at_without_running_it() {
    let scene = scene(SCRIPT);
    let mut crowd = Crowd::from_scene(&scene).unwrap();
    // Between edits, when the last of them is in full effect.
    for time in [1.0, 3.5, 5.5, 9.0] {
        while crowd.time() < time {
            crowd.step();
        }
        let field = LiveField::of_scene(&scene, FIELD, time).unwrap();
        let running = crowd.field(FIELD).unwrap();
        assert_eq!(field.anchors(), running.anchors(), "at {time} s");
        for place in [Vec2::ZERO, Vec2::new(-12.0, 7.0), Vec2::new(9.0, -3.0)] {
            let [looked, ran] = [&field, running].map(|field| field.velocity(place));
            assert!(looked.distance(ran) < 1e-3, "{looked} and {ran} at {time} s");
        }
    }
    let names = |time| {
        let field = LiveField::of_scene(&scene, FIELD, time).unwrap();
        field.anchors().iter().map(|(name, _)| name.map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(names(0.0), [None, Some("middle".into()), None]);
    assert_eq!(names(60.0), [None, None, Some("new".into())]);
    let refused = LiveField::of_scene(&scene, FieldId(7), 0.0).err();
    assert_eq!(refused, Some(FieldRefusal::Unknown(FieldId(7))));
}

#[test]
fn keys_move_the_field_with_time() {
    for method in ["tracks", "joint"] {
        let mut crowd = crowd(&format!(
            r#"
            world = {{ bounds = [[-40, -40], [40, 40]] }}

            [[fields]]
            name = "turning"
            keys = "{method}"
            anchors = [
                {{ at = [-10, -10], keys = [{{ time = 0, velocity = [1, 0] }}, {{ time = 10, velocity = [0, 1] }}] }},
                {{ at = [10, -10], keys = [{{ time = 0, velocity = [1, 0] }}, {{ time = 10, velocity = [0, 1] }}] }},
                {{ at = [0, 12], keys = [{{ time = 0, velocity = [1, 0] }}, {{ time = 10, velocity = [0, 1] }}] }},
            ]

            [[groups]]
            name = "followers"
            steering.max_acceleration = 0
            led = {{ by = ["turning"], share = 1, wander = 0 }}
            people = [{{ position = [-5, 0] }}]
            "#
        ));
        let velocity = |crowd: &Crowd| crowd.people().next().unwrap().velocity;
        (0..5).for_each(|_| crowd.step());
        assert!(
            velocity(&crowd).distance(Vec2::new(0.96, 0.04)) < 0.05,
            "{method}: {}",
            velocity(&crowd)
        );
        (0..150).for_each(|_| crowd.step());
        assert!(velocity(&crowd).distance(Vec2::Y) < 0.01, "{method}: {}", velocity(&crowd));
        let refused = crowd.edit_field(FIELD, FieldEditor::undo).unwrap_err();
        assert!(matches!(refused, FieldRefusal::HasKeys { .. }), "{refused}");
    }
}

#[test]
fn fields_hold_in_their_region_and_goals_beyond_it() {
    let mut crowd = crowd(
        r#"
        world = { bounds = [[-40, -40], [40, 40]] }
        regions = [
            { name = "square", rectangle = [[-10, -10], [10, 10]] },
            { name = "end", rectangle = [[30, -2], [34, 2]] },
        ]

        [[fields]]
        name = "north"
        region = "square"
        border = 1
        anchors = [{ at = [0, 0], velocity = [0, 1.3] }]

        [[groups]]
        name = "people"
        led = { by = ["north"], share = 1, wander = 0 }
        goals = [{ seek = "end" }]
        people = [{ position = [0, -8], speed = 1.3 }]
        "#,
    );
    let mut went_north = false;
    for _ in 0..600 {
        crowd.step();
        let person = crowd.people().next().unwrap();
        if person.position.abs().max_element() < 8.5 {
            went_north |= person.velocity.distance(Vec2::new(0.0, 1.3)) < 0.02;
        }
    }
    let person = crowd.people().next().unwrap();
    assert!(went_north);
    assert_eq!(person.status, Status::Arrived, "at {}", person.position);
    assert!(person.velocity.length() < 0.1, "who has arrived is not led any more");
}

#[test]
fn nobody_is_led_through_walls() {
    let mut crowd = crowd(
        r#"
        world = { bounds = [[-20, -20], [20, 20]] }
        obstacles = [{ name = "house", box = { center = [5, 0], size = [6, 12] } }]
        regions = [{ name = "start", rectangle = [[-15, -8], [-3, 8]] }]

        [[fields]]
        name = "into the house"
        anchors = [{ at = [0, 0], velocity = [1.3, 0] }]

        [[groups]]
        name = "people"
        led = { by = ["into the house"], share = 1 }
        crowds = [{ count = 120, region = "start" }]
        "#,
    );
    for _ in 0..300 {
        crowd.step();
        for person in crowd.people() {
            let p = person.position;
            let nearest = p.clamp(Vec2::new(2.0, -6.0), Vec2::new(8.0, 6.0));
            assert!(p.distance(nearest) > 0.249, "{p} at {} s", crowd.time());
        }
    }
}

#[test]
fn two_who_are_led_at_each_other_pass() {
    let mut crowd = crowd(
        r#"
        world = { bounds = [[-20, -20], [20, 20]] }
        fields = [
            { name = "east", anchors = [{ at = [0, 0], velocity = [1.3, 0] }] },
            { name = "west", anchors = [{ at = [0, 0], velocity = [-1.3, 0] }] },
        ]
        groups = [
            { name = "a", led = { by = ["east"], share = 1 }, people = [{ position = [-5, 0] }] },
            { name = "b", led = { by = ["west"], share = 1 }, people = [{ position = [5, 0] }] },
        ]
        "#,
    );
    (0..150).for_each(|_| crowd.step());
    let [a, b] = [0, 1].map(|id| crowd.person(PersonId(id)).unwrap().position);
    assert!(a.x > 5.0 && b.x < -5.0, "{a} and {b}");
}

#[test]
fn shares_change_gradually_and_stay_within_bounds() {
    let mut crowd = crowd(SCRIPT);
    let shares: Vec<f32> = (0..200).filter_map(|id| crowd.share(PersonId(id))).collect();
    assert_eq!(shares.len(), 200);
    assert!(shares.iter().all(|share| (0.3..0.9).contains(share)));
    assert!(shares.iter().any(|share| *share < 0.4) && shares.iter().any(|share| *share > 0.8));
    assert!(crowd.set_share(PersonId(7), 1.0));
    assert!(!crowd.set_share(PersonId(7), 1.5) && !crowd.set_share(PersonId(999), 0.5));
    crowd.step();
    let after = crowd.share(PersonId(7)).unwrap();
    assert!(after <= shares[7] + 0.2 + 1e-6, "{} to {after}", shares[7]);
    (0..10).for_each(|_| crowd.step());
    assert_eq!(crowd.share(PersonId(7)), Some(1.0));
}

#[test]
fn what_is_wrong_is_refused() {
    let mut crowd = crowd(SCRIPT);
    let led = crowd.led(GROUP).unwrap().clone();
    let refused = crowd.set_led(GROUP, Some(Led { by: vec![FieldId(3)], ..led.clone() }));
    assert_eq!(refused, Err(FieldRefusal::Unknown(FieldId(3))));
    let refused = crowd.set_led(GROUP, Some(Led { wander: f32::NAN, ..led }));
    assert!(matches!(refused, Err(FieldRefusal::NoShare { what: "wander", .. })));
    let before = positions(&crowd);
    for anchor in [Anchor::new((0.0, 0.0), (1.0, 0.0)), Anchor::new((f64::NAN, 0.0), (1.0, 0.0))] {
        assert!(crowd.edit_field(FIELD, |editor| editor.add(anchor)).is_err());
    }
    assert_eq!(before, positions(&crowd));
    assert!(crowd.remove_field(FIELD) && !crowd.remove_field(FIELD));
    assert_eq!(crowd.led(GROUP).map(|led| led.by.len()), Some(0));
    crowd.set_led(GROUP, None).unwrap();
    assert!(!crowd.set_share(PersonId(7), 0.5), "they are not led any more");
    (0..30).for_each(|_| crowd.step());
    assert!(crowd.people().all(|person| person.position.is_finite()));
}

#[test]
fn a_scene_says_which_anchor_is_wrong() {
    let text = SCRIPT
        .replace("{ at = [15, 5], velocity = [1.2, 0.3] }", "{ at = [0, 0], velocity = [1, 0] }");
    let errors = Crowd::from_scene(&scene(&text)).err().unwrap().to_string();
    assert!(errors.contains("anchors 1 and 2 are 0 m apart"), "{errors}");
    let text = SCRIPT
        .replace("add = { name = \"new\", at = [5, 10]", "add = { name = \"new\", at = [0, 0]");
    let errors = Crowd::from_scene(&scene(&text)).err().unwrap().to_string();
    assert!(errors.contains("field \"flow\""), "{errors}");
}
