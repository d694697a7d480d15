//! Who has which body, and that nothing but targets decides what it does.

use glam::Vec2;
use throng::bodies::variety::LibraryError;
use throng::bodies::{BodyError, Cast, Ensemble, MotionTarget};

use super::{CAST, STEP, square};

fn target(id: u32, frame: usize, planted: bool) -> MotionTarget {
    let angle = 0.02 * frame as f32 + id as f32;
    let velocity = 1.2 * Vec2::from_angle(angle + std::f32::consts::FRAC_PI_2);
    let position = 2.4 * Vec2::from_angle(angle) + Vec2::new(5.0 * id as f32, 0.0);
    MotionTarget { id, position, velocity, planted, ..MotionTarget::default() }
}

#[test]
fn people_come_and_go_and_keep_their_looks() {
    let mut bodies = Ensemble::new(CAST.clone(), 7);
    let looks = |bodies: &Ensemble| {
        bodies.members().iter().map(|member| (member.id, member.role)).collect::<Vec<_>>()
    };
    bodies.follow(&[target(1, 0, true), target(4, 0, true), target(9, 0, true)], STEP);
    let before = looks(&bodies);
    bodies.follow(&[target(4, 1, true), target(5, 1, true)], STEP);
    assert_eq!(looks(&bodies)[0], before[1]);
    assert_eq!(looks(&bodies)[1].0, 5);
    assert!(bodies.member(1).is_none() && bodies.member(5).is_some());
    bodies.follow(&[], STEP);
    assert!(bodies.members().is_empty());
    bodies.follow(&[target(9, 5, true)], STEP);
    assert_eq!(looks(&bodies)[0], before[2], "who comes back looks the same");
}

#[test]
fn bits_do_not_depend_on_threads() {
    let poses = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut bodies = Ensemble::new(CAST.clone(), 7);
            for frame in 0..60 {
                let targets: Vec<MotionTarget> =
                    (0..150).map(|id| target(id, frame, id % 3 > 0)).collect();
                bodies.follow(&targets, STEP);
            }
            bodies.members().iter().map(throng::bodies::Member::world_pose).collect::<Vec<_>>()
        })
    };
    let one = poses(1);
    assert_eq!(one, poses(2));
    assert_eq!(one, poses(7));
    let run = |threads: usize| {
        let mut engine = square("orca", 120);
        engine.set_threads(threads).unwrap();
        (0..150).for_each(|_| engine.step());
        engine.crowd().people().map(|person| (person.position, person.velocity)).collect::<Vec<_>>()
    };
    assert_eq!(run(1), run(5));
}

#[test]
fn whoever_comes_near_is_taken_up_where_they_are() {
    let mut bodies = Ensemble::new(CAST.clone(), 7);
    for frame in 0..200 {
        let planted = (frame / 20) % 2 == 0;
        let before = bodies.member(3).map(|member| member.placement().translation);
        bodies.follow(&[target(3, frame, planted)], STEP);
        let member = bodies.member(3).unwrap();
        if let Some(before) = before {
            let moved = member.placement().translation.distance(before);
            assert!(moved < 0.13, "frame {frame}: jumps by {moved} m");
        }
        assert!(member.slip(0).into_iter().chain(member.slip(1)).all(|slip| slip < 0.001));
        assert!(member.deviation() < 0.1, "frame {frame}: {}", member.deviation());
    }
}

#[test]
fn longer_steps_are_divided() {
    let mut bodies = Ensemble::new(CAST.clone(), 7);
    for frame in 0..80 {
        bodies.follow(&[target(2, 5 * frame, true)], 0.2);
        let member = bodies.member(2).unwrap();
        assert!(member.deviation() < 0.15, "{}", member.deviation());
        assert!(member.slip(0).into_iter().chain(member.slip(1)).all(|slip| slip < 0.003));
    }
}

#[test]
fn a_cast_of_nobody_is_refused() {
    let none = LibraryError::NoTemplates;
    assert!(matches!(Cast::new(0), Err(BodyError::Library(error)) if error == none));
    let mut bodies = Ensemble::new(CAST.clone(), 1);
    let targets: Vec<MotionTarget> = (0..40).map(|id| target(id, 0, true)).collect();
    bodies.follow(&targets, STEP);
    for look in 0..CAST.looks().len() {
        assert!(bodies.members().iter().any(|member| member.role.look == look));
    }
    assert!(bodies.members().iter().all(|member| (0.9..1.1).contains(&member.role.scale)));
}
