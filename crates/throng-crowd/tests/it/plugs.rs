//! Passages full of people who stand: whoever gets no further takes another way, if there is one.

use std::collections::BTreeMap;

use crate::support::crowd;
use throng_crowd::{Crowd, PersonState, Status};

/// People who stand close together in the passage about `y`.
fn plug(y: f32) -> String {
    let mut people = String::new();
    for (row, place) in (0..7).flat_map(|row| (-1..=1).map(move |place| (row, place))) {
        let at = [10.3 + 0.4 * row as f32, y + 0.4 * place as f32];
        people += &format!("{{ position = {at:?} }}, ");
    }
    people
}

/// Two rooms with two passages of 1.2 m by 3 m between them. Six people want from the one to the other by
/// the lower passage; those who stand in passages cannot be pushed away.
fn rooms(plugs: &[f32], model: &str, more: &str) -> Crowd {
    let standing: String = plugs.iter().map(|&y| plug(y)).collect();
    crowd(&format!(
        r#"
        simulation = {{ step = 0.1, seed = 3 }}
        world = {{ bounds = [[0, 0], [24, 16]], closed = true }}
        obstacles = [
            {{ polygon = [[10, 0], [13, 0], [13, 2.4], [10, 2.4]] }},
            {{ polygon = [[10, 3.6], [13, 3.6], [13, 11.4], [10, 11.4]] }},
            {{ polygon = [[10, 12.6], [13, 12.6], [13, 16], [10, 16]] }},
        ]
        regions = [
            {{ name = "from", rectangle = [[2, 1], [7, 6]] }},
            {{ name = "to", rectangle = [[18, 1], [22, 5]] }},
        ]
        [[groups]]
        name = "standing"
        radius = 0.19
        steering = {{ model = "none", responsibility = 0 }}
        goals = [{{ idle = 10000 }}]
        people = [{standing}]
        [[groups]]
        name = "walking"
        radius = 0.2
        steering = {{ model = "{model}" }}
        {more}
        goals = [{{ seek = "to" }}]
        crowds = [{{ count = 6, region = "from" }}]
        "#
    ))
}

/// When each of those who walk went over from before the one passage to before the other, s, for some time or until
/// all have arrived.
fn turns(crowd: &mut Crowd, seconds: f64) -> Vec<Vec<f64>> {
    let mut turns = BTreeMap::<_, (bool, Vec<f64>)>::new();
    let walking =
        |crowd: &Crowd| -> Vec<_> { crowd.people().filter(|person| person.group.0 == 1).collect() };
    while crowd.time() < seconds {
        crowd.step();
        for person in walking(crowd).iter().filter(|person| person.position.x < 10.0) {
            let (is_above, times) = turns.entry(person.id).or_default();
            // Well beyond the middle between them.
            let next = person.position.y > if *is_above { 6.0 } else { 9.0 };
            if next != *is_above {
                *is_above = next;
                times.push(crowd.time());
            }
        }
        if walking(crowd).iter().all(|person| person.status == Status::Arrived) {
            break;
        }
    }
    turns.into_values().map(|(_, times)| times).collect()
}

fn have_all_arrived(crowd: &Crowd) -> bool {
    crowd.people().filter(|p| p.group.0 == 1).all(|p| p.status == Status::Arrived)
}

const MODELS: [&str; 5] = ["orca", "headway", "pedestrian", "social_force", "predictive"];

#[test]
fn a_plugged_passage_is_left_for_an_open_one_once() {
    for model in MODELS {
        let mut crowd = rooms(&[3.0], model, "");
        let turns = turns(&mut crowd, 120.0);
        assert!(have_all_arrived(&crowd), "{model}: {turns:?}");
        assert!(
            turns.iter().all(|times| times.len() == 1 && times[0] < 35.0),
            "{model}: {turns:?}"
        );
    }
}

#[test]
fn an_open_passage_is_not_left() {
    for model in MODELS {
        let mut crowd = rooms(&[12.0], model, "");
        let turns = turns(&mut crowd, 60.0);
        assert!(have_all_arrived(&crowd), "{model}");
        assert!(turns.iter().all(Vec::is_empty), "{model}: {turns:?}");
    }
}

#[test]
fn before_two_plugged_passages_people_queue() {
    for model in MODELS {
        let mut crowd = rooms(&[3.0, 12.0], model, "");
        let turns = turns(&mut crowd, 240.0);
        // They try the other one, and again when they have forgotten about the first.
        let is_settled = |times: &Vec<f64>| {
            times.len() <= 2 && times.iter().filter(|&&time| time < 60.0).count() <= 1
        };
        assert!(turns.iter().all(is_settled), "{model}: {turns:?}");
        // Who is held between the jamb and those who stand may stay when the others leave.
        let is_before = |p: &PersonState| {
            p.position.x > 8.0 && [3.0, 12.0].iter().any(|y| (p.position.y - y).abs() < 2.0)
        };
        let stray = crowd.people().filter(|p| p.group.0 == 1).find(|p| !is_before(p));
        assert!(stray.is_none(), "{model}: they stand before the passages, not {stray:?}");
    }
}

#[test]
fn the_impatient_look_for_another_way_sooner() {
    for model in MODELS {
        let when = |sign: f32| {
            let traits = format!(
                "traits = {{ extraversion = {}, agreeableness = {}, conscientiousness = {} }}",
                -0.5 * sign,
                0.5 * sign,
                0.5 * sign
            );
            let mut crowd = rooms(&[3.0], model, &traits);
            let turns = turns(&mut crowd, 150.0);
            let first: Vec<f64> = turns.iter().filter_map(|times| times.first().copied()).collect();
            assert_eq!(first.len(), 6, "{model}: {turns:?}");
            first.iter().sum::<f64>() / 6.0
        };
        let (impatient, patient) = (when(-1.0), when(1.0));
        assert!(impatient + 5.0 < patient, "{model}: after {impatient} s and {patient} s");
    }
}
