//! People who are simulated with less effort, and with changing effort.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests too")]

use throng_crowd::{CONTACT_TOLERANCE, Crowd, Effort, PersonId, Status};

use crate::support;

/// Two streams that meet in a corridor, at a door half as wide.
fn corridor(step: f32, model: &str) -> Crowd {
    support::crowd(&format!(
        r#"
[simulation]
step = {step}
[world]
bounds = [[-20, -4], [20, 4]]
[[obstacles]]
polygon = [[-0.2, -4], [0.2, -4], [0.2, -2], [-0.2, -2]]
[[obstacles]]
polygon = [[-0.2, 2], [0.2, 2], [0.2, 4], [-0.2, 4]]
[[regions]]
name = "west"
rectangle = [[-19, -3.5], [-5, 3.5]]
[[regions]]
name = "east"
rectangle = [[5, -3.5], [19, 3.5]]
[[groups]]
name = "eastwards"
steering = {{ model = "{model}" }}
goals = [{{ seek = {{ random = "east" }} }}, {{ seek = {{ random = "west" }} }}]
then = "repeat"
crowds = [{{ count = 30, region = "west" }}]
[[groups]]
name = "westwards"
steering = {{ model = "{model}" }}
goals = [{{ seek = {{ random = "west" }} }}, {{ seek = {{ random = "east" }} }}]
then = "repeat"
crowds = [{{ count = 30, region = "east" }}]
"#
    ))
}

fn everybody(crowd: &Crowd) -> Vec<PersonId> {
    crowd.people().map(|person| person.id).collect()
}

fn set_all(crowd: &mut Crowd, effort: Effort) {
    for id in everybody(crowd) {
        assert!(crowd.set_effort(id, effort));
    }
}

/// That nobody overlaps, and nobody went further than anybody can.
fn check(crowd: &Crowd, before: &[glam::Vec2], step: f32) {
    let people: Vec<_> = crowd.people().collect();
    for (i, a) in people.iter().enumerate() {
        assert!(a.position.distance(before[i]) < 3.0 * step + 0.1, "{a:?}");
        for b in &people[..i] {
            let apart = a.position.distance(b.position) / (a.radius + b.radius);
            let least = 1.0 - CONTACT_TOLERANCE - 1e-4;
            assert!(apart >= least, "{:?} and {:?}: {apart}", a.id, b.id);
        }
    }
}

#[test]
fn nobody_overlaps_or_jumps_whatever_the_effort() {
    for model in ["orca", "headway", "social_force", "hidac"] {
        let mut crowd = corridor(0.05, model);
        for round in 0..400 {
            // A wave of changes goes through the crowd.
            for (index, id) in everybody(&crowd).into_iter().enumerate() {
                let effort = Effort::ALL[(index + round / 7) % 3];
                crowd.set_effort(id, effort);
                assert_eq!(crowd.effort(id), Some(effort));
            }
            let before: Vec<_> = crowd.people().map(|person| person.position).collect();
            crowd.step();
            check(&crowd, &before, 0.05);
        }
    }
}

#[test]
fn with_full_effort_again_people_are_as_they_were() {
    let mut crowd = corridor(0.05, "predictive");
    let ids = everybody(&crowd);
    let before: Vec<_> = ids.iter().map(|id| crowd.character(*id).unwrap()).collect();
    for effort in [Effort::Path, Effort::Simple, Effort::Path, Effort::Full] {
        set_all(&mut crowd, effort);
        let now: Vec<_> = ids.iter().map(|id| crowd.character(*id).unwrap()).collect();
        assert_eq!(before, now, "what somebody is like does not depend on it");
    }
    // The same bits as a crowd that was never touched.
    let mut other = corridor(0.05, "predictive");
    for _ in 0..50 {
        crowd.step();
        other.step();
    }
    let places = |crowd: &Crowd| -> Vec<_> { crowd.people().map(|p| p.position).collect() };
    assert_eq!(places(&crowd), places(&other));
    assert!(!crowd.set_effort(PersonId(99), Effort::Path), "there is no such person");
    assert_eq!(crowd.effort(PersonId(99)), None);
}

#[test]
fn less_effort_has_more_contacts_and_everybody_gets_on() {
    let contacts = Effort::ALL.map(|effort| {
        let mut crowd = corridor(0.05, "orca");
        set_all(&mut crowd, effort);
        let (mut contacts, mut travelled) = (0, 0.0);
        let mut before: Vec<_> = crowd.people().map(|person| person.position).collect();
        for _ in 0..1200 {
            crowd.step();
            contacts += crowd.timings().contacts;
            let now: Vec<_> = crowd.people().map(|person| person.position).collect();
            travelled += now.iter().zip(&before).map(|(a, b)| a.distance(*b)).sum::<f32>();
            before = now;
        }
        let blocked = crowd.people().filter(|person| person.status == Status::Blocked).count();
        println!("{effort:?}: {contacts} contacts, {travelled:.0} m, {blocked} blocked");
        assert!(travelled > 1500.0, "{effort:?}: {travelled}");
        contacts
    });
    let [path, simple, full] = contacts;
    assert!(full < simple && simple < path, "{contacts:?}");
}

#[test]
fn bits_do_not_depend_on_threads() {
    let make = || {
        let text = "[simulation]\nstep = 0.05\n[world]\nbounds = [[-60, -60], [60, 60]]\n\
            [[regions]]\nname = \"square\"\nrectangle = [[-55, -55], [55, 55]]\n\
            [[groups]]\nname = \"us\"\ngoals = [{ seek = { random = \"square\" } }]\n\
            then = \"repeat\"\ncrowds = [{ count = 4000, region = \"square\" }]\n";
        support::crowd(text)
    };
    support::same_on_any_threads(&[2, 7], make, |crowd| {
        for round in 0..60 {
            if round % 10 == 0 {
                for id in everybody(crowd) {
                    crowd.set_effort(id, Effort::ALL[(id.0 as usize / 5 + round / 10) % 3]);
                }
            }
            crowd.step();
        }
        support::bits(crowd)
    });
}

#[test]
fn two_who_meet_head_on_pass_each_other() {
    let text = "[simulation]\nstep = 0.05\n[world]\nbounds = [[-20, -20], [20, 20]]\n\
        [[groups]]\nname = \"a\"\nsteering = { model = \"fuzzy\" }\n\
        goals = [{ seek = [12, 0] }]\npeople = [{ position = [-12, 0] }]\n\
        [[groups]]\nname = \"b\"\nsteering = { model = \"fuzzy\" }\n\
        goals = [{ seek = [-12, 0] }]\npeople = [{ position = [12, 0] }]\n";
    let mut crowd = support::crowd(text);
    let mut contacts = 0;
    for _ in 0..800 {
        crowd.step();
        contacts += crowd.timings().contacts;
    }
    let x: Vec<f32> = crowd.people().map(|person| person.position.x).collect();
    assert!(x[0] > 11.0 && x[1] < -11.0, "{x:?}");
    assert_eq!(contacts, 0);
}

#[test]
fn an_effort_that_is_taken_back_before_the_step_changes_nothing() {
    let walkers = || {
        support::people_in_the_open(
            "[[groups]]\nname = \"walkers\"\ngoals = [{ flow = [1, 0] }]\n\
             people = [{ position = [0, 0] }, { position = [0, 3] }]",
        )
    };
    let (mut spared, mut full) = (walkers(), walkers());
    for effort in [Effort::Path, Effort::Simple, Effort::Path, Effort::Full] {
        for id in [0, 1] {
            assert!(spared.set_effort(PersonId(id), effort));
        }
    }
    for _ in 0..20 {
        spared.step();
        full.step();
        assert_eq!(support::bits(&spared), support::bits(&full));
    }
}
