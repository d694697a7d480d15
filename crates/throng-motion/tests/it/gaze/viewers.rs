//! Somebody whose head is tracked is looked at, and so is what they look at.

use std::f32::consts::TAU;
use std::fmt::Write;

use glam::{Quat, Vec3};
use throng_base::random::Random;
use throng_motion::RootMotion;
use throng_motion::gaze::{
    Attention, Bearings, Gaze, GazeOptions, Interest, Kind, Onlooker, Subject, Trace, TrackedViewer,
};

use super::stage::*;

const STEP: f32 = 0.04;
const PEOPLE: usize = 200;

/// A head that walks slowly and looks at a statue; between 6 and 7 s the tracker loses it.
fn trace() -> Trace {
    let mut text = String::from("time,x,y,z,dx,dy,dz\n");
    for frame in 0..600 {
        let time = f64::from(frame) / 60.0;
        if (6.0..7.0).contains(&time) {
            continue;
        }
        let x = 0.3 * (0.5 * time).sin();
        writeln!(text, "{time},{x},1.7,0,1,0,0.2").unwrap();
    }
    Trace::parse(&text).unwrap()
}

/// Somebody who stands around the viewer.
struct Person {
    bearings: Bearings,
    attention: Attention,
    gaze: Gaze,
    /// When the viewer, and what the viewer looks at, was first looked at with the eyes, s.
    saw_viewer: Option<f32>,
    saw_statue: Option<f32>,
}

/// People on rings within 6 m who face the viewer to within 60°.
fn people(seed: u64) -> Vec<Person> {
    let random = Random::new(seed);
    (0..PEOPLE)
        .map(|who| {
            let part = who as f32 / PEOPLE as f32;
            let around = Quat::from_rotation_y(TAU * 7.0 * part);
            let translation = around * Vec3::new(0.0, 0.0, 2.0 + 3.6 * part);
            let facing = TAU * 7.0 * part + TAU / 2.0 + (who as f32).sin();
            Person {
                bearings: Bearings::of(RootMotion { translation, yaw: facing }),
                attention: Attention::of(random, who as u64),
                gaze: Gaze::default(),
                saw_viewer: None,
                saw_statue: None,
            }
        })
        .collect()
}

const STATUE: Vec3 = Vec3::new(4.0, 1.2, 0.8);

/// Lets everybody look for so many seconds.
fn run(people: &mut [Person], seconds: f32, level: f32, mut each: impl FnMut(f32, &[Person])) {
    let (mut source, mut viewer) = (trace(), TrackedViewer::default());
    let options = GazeOptions::default();
    for frame_number in 0..(seconds / STEP) as usize {
        let time = STEP * frame_number as f32;
        let seen = viewer.watch(&mut source, f64::from(time));
        let viewer = seen.map(|seen| seen.interest(0, level));
        let statue = seen.map(|_| Interest::new(Subject::viewer_gaze(1), STATUE));
        for person in people.iter_mut() {
            let mut pose = rest();
            let (eyes, _) = ANATOMY.sight(&pose);
            let me = Onlooker {
                subject: None,
                eyes: person.bearings.to_world(eyes),
                forward: person.bearings.direction_to_world(Vec3::Z),
                velocity: Vec3::ZERO,
            };
            let interests = viewer.into_iter().chain(statue);
            let target = person.attention.choose(&me, interests, |_| true, STEP);
            person.gaze.look(target);
            let look = person.gaze.step(&ANATOMY, &person.bearings, &mut pose, STEP, &options);
            if let (Some(target), false) = (target, look.reachable) {
                person.attention.dismiss(target.subject);
            }
            let on_it = look.error < 0.01;
            match person.gaze.subject().filter(|_| on_it).map(|subject| subject.kind) {
                Some(Kind::Viewer) => person.saw_viewer = person.saw_viewer.or(Some(time)),
                Some(Kind::ViewerGaze) => person.saw_statue = person.saw_statue.or(Some(time)),
                _ => {}
            }
        }
        each(time, people);
    }
}

#[test]
fn most_people_look_at_the_viewer_within_two_seconds() {
    let mut crowd = people(1);
    run(&mut crowd, 2.0, 1.0, |_, _| {});
    let saw = crowd.iter().filter(|person| person.saw_viewer.is_some()).count();
    println!("{saw} of {PEOPLE} saw the viewer");
    assert!(saw * 10 >= PEOPLE * 6, "{saw}");
    // Nobody cares about somebody who does not matter.
    let mut crowd = people(1);
    run(&mut crowd, 2.0, 0.05, |_, _| {});
    assert!(crowd.iter().all(|person| person.saw_viewer.is_none()));
}

#[test]
fn some_look_where_the_viewer_looks_after_a_moment() {
    let mut crowd = people(2);
    run(&mut crowd, 2.0, 1.0, |_, _| {});
    let saw: Vec<f32> = crowd.iter().filter_map(|person| person.saw_statue).collect();
    println!("{} of {PEOPLE} followed the viewer's gaze", saw.len());
    // Two in five would; not all have it in view.
    assert!((PEOPLE / 10..PEOPLE / 2).contains(&saw.len()), "{}", saw.len());
    assert!(saw.iter().all(|time| *time >= 0.15), "{saw:?}");
    let mut deaf = people(2);
    deaf.iter_mut().for_each(|person| person.attention.traits.follow = 0.0);
    run(&mut deaf, 2.0, 1.0, |_, _| {});
    assert!(deaf.iter().all(|person| person.saw_statue.is_none()));
}

#[test]
fn without_a_viewer_in_view_nobody_knows_where_the_viewer_looks() {
    let statue = Interest::new(Subject::viewer_gaze(1), Vec3::new(0.0, 1.5, 4.0));
    let hidden = Interest::new(Subject::viewer(0), Vec3::new(0.0, 1.6, -3.0));
    let me = Onlooker {
        subject: None,
        eyes: Vec3::new(0.0, 1.6, 0.0),
        forward: Vec3::Z,
        velocity: Vec3::ZERO,
    };
    for who in 0..50 {
        let mut attention = Attention::of(Random::new(1), who);
        for _ in 0..50 {
            assert_eq!(attention.choose(&me, [statue, hidden], |_| true, STEP), None);
        }
    }
}

#[test]
fn a_viewer_whom_the_tracker_loses_is_let_go() {
    let mut crowd = people(3);
    let (mut before, mut after, mut later) = (0, 0, 0);
    run(&mut crowd, 9.5, 1.0, |time, crowd| {
        let count = crowd.iter().filter(|person| person.gaze.subject().is_some()).count();
        match time {
            time if (time - 5.9).abs() < 0.5 * STEP => before = count,
            time if (time - 6.36).abs() < 0.5 * STEP => after = count,
            time if time > 8.0 => later = later.max(count),
            _ => {}
        }
    });
    assert!(before > 0 && later > 0, "{before} {later}");
    assert_eq!(after, 0);
}

#[test]
fn the_same_seed_gives_the_same_looks() {
    let looks = |seed| {
        let mut crowd = people(seed);
        run(&mut crowd, 3.0, 1.0, |_, _| {});
        crowd.iter().map(|person| person.gaze.clone()).collect::<Vec<_>>()
    };
    assert_eq!(looks(4), looks(4));
    assert_ne!(looks(4), looks(5));
}
