//! People come and go: sources, leaving, and changes made while the crowd runs.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeMap;

use glam::Vec2;
use proptest::prelude::*;
use throng_crowd::{CONTACT_TOLERANCE, Crowd, NewPerson, PersonId, Plan};

use crate::support::{
    self, assert_out_of_walls, assert_sound, crowd, person, plane, run, run_until,
};

/// A room of 20 m by 10 m with an entrance in the west, from which people walk east and leave.
fn hall(source: &str) -> Crowd {
    crowd(&format!(
        r#"
        [world]
        bounds = [[-10, -5], [10, 5]]

        [[regions]]
        name = "entrance"
        rectangle = [[-9, -4], [-6, 4]]

        [[regions]]
        name = "exit"
        rectangle = [[7, -4], [9, 4]]

        [[groups]]
        name = "visitors"
        goals = [{{ seek = "exit" }}]
        then = "leave"
        sources = [{{ region = "entrance", {source} }}]
        "#
    ))
}

/// How many had appeared by each of these times.
fn appeared(crowd: &mut Crowd, times: &[f64]) -> Vec<u32> {
    let count = |&time: &f64| {
        let missing = time - crowd.time();
        run(crowd, missing);
        crowd.ever()
    };
    times.iter().map(count).collect()
}

#[test]
fn a_rate_is_met_evenly() {
    let mut crowd = hall("rate = 0.5");
    assert_eq!(appeared(&mut crowd, &[1.0, 9.0, 19.0, 59.0]), [1, 5, 10, 30]);
    assert!(crowd.expects_people());
}

#[test]
fn random_arrivals_meet_the_rate_on_average() {
    let mut crowd = hall("rate = 2, arrivals = \"random\"");
    let ever = appeared(&mut crowd, &[200.0])[0];
    assert!((340..=460).contains(&ever), "three standard deviations of 400: {ever}");
    let mut even = hall("rate = 2");
    assert_eq!(appeared(&mut even, &[10.0])[0], 20);
}

#[test]
fn a_schedule_is_kept() {
    let mut crowd = hall("schedule = [{ to = 5, rate = 2 }, { from = 10, to = 20, rate = 0.5 }]");
    assert_eq!(appeared(&mut crowd, &[2.6, 5.5, 9.9, 14.5, 20.5, 30.0]), [6, 10, 10, 13, 15, 15]);
    assert!(!crowd.expects_people(), "the last period is over");
}

#[test]
fn a_limit_ends_a_source() {
    let mut crowd = hall("rate = 2, limit = 7");
    run(&mut crowd, 2.0);
    assert!(crowd.expects_people());
    run(&mut crowd, 8.0);
    assert_eq!(crowd.ever(), 7);
    assert!(!crowd.expects_people());
}

#[test]
fn those_who_arrive_leave_and_their_ids_stay_theirs() {
    let mut crowd = hall("rate = 1, limit = 12");
    let mut last_seen = BTreeMap::new();
    while crowd.expects_people() || !crowd.is_empty() {
        crowd.step();
        for p in crowd.people() {
            let seen = last_seen.insert(p.id, crowd.steps());
            let is_new_or_was_there = seen.is_none_or(|step| step + 1 == crowd.steps());
            assert!(is_new_or_was_there, "{:?} came back", p.id);
            assert!(p.position.x < 7.3, "should have left: {p:?}");
        }
        assert!(crowd.time() < 60.0, "someone never leaves");
    }
    let ids: Vec<PersonId> = last_seen.into_keys().collect();
    assert_eq!(ids, (0..12).map(PersonId).collect::<Vec<_>>());
    assert!(ids.iter().all(|&id| crowd.person(id).is_none()));
}

#[test]
fn nobody_appears_on_anybody_or_in_a_wall() {
    let mut crowd = crowd(
        r#"
        [world]
        bounds = [[-10, -5], [10, 5]]
        closed = true

        [[obstacles]]
        circle = { center = [-7, 0], radius = 1 }

        [[obstacles]]
        wall = { points = [[-10, 2], [-6, 2]], thickness = 0.2 }

        [[regions]]
        name = "entrance"
        rectangle = [[-10, -5], [-5, 5]]

        [[groups]]
        name = "visitors"
        radius = { min = 0.15, max = 0.4 }
        goals = [{ seek = [8, 0] }]
        then = "leave"
        sources = [
          { region = "entrance", rate = 3, arrivals = "random" },
          { region = "entrance", rate = 3 },
        ]
        "#,
    );
    let mut ever = 0;
    for _ in 0..300 {
        crowd.step();
        assert_sound(&crowd);
        assert_out_of_walls(&crowd);
        for p in crowd.people().filter(|p| p.id.0 >= ever) {
            assert!(p.position.x < -4.8, "appeared outside the region: {p:?}");
        }
        ever = crowd.ever();
    }
    assert!(ever > 100, "{ever}");
}

/// A door in which somebody stands, with a source of guests.
fn doorkeeper(keeper: &str, guests: &str) -> Crowd {
    crowd(&format!(
        r#"
        [world]
        bounds = [[-10, -5], [10, 5]]

        [[regions]]
        name = "door"
        rectangle = [[-0.1, -0.1], [0.1, 0.1]]

        [[groups]]
        name = "doorkeeper"
        people = [{{ position = [0, 0] }}]
        {keeper}

        [[groups]]
        name = "guests"
        {guests}
        "#
    ))
}

#[test]
fn a_blocked_source_lets_people_in_as_soon_as_there_is_room() {
    let guests = r#"
        speed = 1
        goals = [{ seek = [8, 0] }]
        then = "leave"
        sources = [{ region = "door", schedule = [{ from = 0.5, to = 10.5, rate = 0.5 }] }]
    "#;
    let mut crowd = doorkeeper("goals = [{ idle = 1000 }]", guests);
    run(&mut crowd, 15.0);
    assert_eq!(crowd.ever(), 1, "nobody gets past");
    assert!(crowd.expects_people(), "five are waiting");
    crowd.remove(PersonId(0));
    run_until(&mut crowd, 10.0, |crowd| {
        assert_sound(crowd);
        crowd.ever() == 6
    });
    assert!(!crowd.expects_people());
    run_until(&mut crowd, 20.0, Crowd::is_empty);
}

#[test]
fn nobody_appears_on_those_who_have_not_made_a_step_yet() {
    let mut crowd = doorkeeper("", r#"sources = [{ region = "door", rate = 10 }]"#);
    crowd.step();
    assert_eq!(crowd.ever(), 1, "there from the start");
    crowd.remove(PersonId(0));
    let plan = crowd.add_plan(Plan::default()).unwrap();
    crowd.add(&person(Vec2::ZERO, plan)).unwrap();
    crowd.step();
    assert_eq!(crowd.ever(), 2, "put there by code");
}

#[test]
fn adding_and_removing_answers_for_the_right_person() {
    let mut crowd = Crowd::new(plane());
    let plan = crowd.add_plan(Plan::default()).unwrap();
    let ids: Vec<PersonId> =
        (0..5).map(|i| crowd.add(&person(Vec2::new(i as f32 * 2.0, 0.0), plan)).unwrap()).collect();
    assert!(crowd.remove(ids[1]));
    assert!(!crowd.remove(ids[1]), "only once");
    assert!(!crowd.remove(PersonId(77)), "never was there");
    crowd.step();
    let after = crowd.add(&person(Vec2::new(2.0, 0.0), plan)).unwrap();
    assert_eq!(after, PersonId(5), "an id is never used again");
    assert_eq!((crowd.len(), crowd.ever()), (5, 6));
    let order: Vec<u32> = crowd.people().map(|p| p.id.0).collect();
    assert_eq!(order, [0, 2, 3, 4, 5]);
    assert_eq!(crowd.person(ids[4]).unwrap().position, Vec2::new(8.0, 0.0));
}

/// What happens to a crowd from outside.
#[derive(Clone, Debug)]
enum Event {
    /// Somebody enters at this place, if it is free.
    Add { x: f32, y: f32, radius: f32 },
    /// One of those present, by rank, is taken out.
    Remove(prop::sample::Index),
    /// Time passes.
    Step(u8),
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let add = (-4.0..4.0f32, -4.0..4.0f32, 0.15..0.5f32).prop_map(|(x, y, radius)| Event::Add {
        x,
        y,
        radius,
    });
    let remove = any::<prop::sample::Index>().prop_map(Event::Remove);
    let step = (1u8..40).prop_map(Event::Step);
    prop::collection::vec(prop_oneof![6 => add, 2 => remove, 3 => step], 1..80)
}

/// Eight metres by eight, in which everyone wanders.
fn playground() -> Crowd {
    support::wandering(plane(), Vec2::splat(4.0)).0
}

fn is_free(crowd: &Crowd, place: Vec2, radius: f32) -> bool {
    crowd.people().all(|p| p.position.distance(place) >= p.radius + radius)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn whatever_comes_and_goes_the_crowd_stays_sound(events in events()) {
        let mut crowd = playground();
        let mut present: BTreeMap<PersonId, f32> = BTreeMap::new();
        for event in events {
            match event {
                Event::Add { x, y, radius } => {
                    let place = Vec2::new(x, y);
                    if is_free(&crowd, place, radius) {
                        let id = crowd.add(&NewPerson { radius, ..person(place, 0) }).unwrap();
                        prop_assert_eq!(id.0 + 1, crowd.ever());
                        prop_assert!(present.insert(id, radius).is_none());
                        prop_assert_eq!(crowd.person(id).unwrap().position, place);
                    }
                }
                Event::Remove(which) if !present.is_empty() => {
                    let id = *present.keys().nth(which.index(present.len())).unwrap();
                    present.remove(&id);
                    prop_assert!(crowd.remove(id));
                    prop_assert!(crowd.person(id).is_none());
                }
                Event::Remove(_) => {}
                Event::Step(count) => for _ in 0..count {
                    let before: BTreeMap<PersonId, Vec2> =
                        crowd.people().map(|p| (p.id, p.position)).collect();
                    crowd.step();
                    for p in crowd.people() {
                        // Largest speed, and what contacts may push on top of it.
                        let moved = p.position.distance(before[&p.id]);
                        prop_assert!(moved <= 0.16 + 0.1 + 1e-4, "{} m", moved);
                    }
                    let closest = support::overlaps(&crowd).1;
                    prop_assert!(closest >= 1.0 - CONTACT_TOLERANCE - 1e-5, "{}", closest);
                },
            }
            let listed: BTreeMap<PersonId, f32> =
                crowd.people().map(|p| (p.id, p.radius)).collect();
            prop_assert_eq!(&listed, &present);
            prop_assert_eq!(crowd.len(), present.len());
            for p in crowd.people() {
                prop_assert!(p.position.is_finite() && p.velocity.is_finite());
                prop_assert_eq!(crowd.person(p.id), Some(p));
            }
        }
    }
}
