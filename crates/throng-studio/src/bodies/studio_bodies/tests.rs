//! Bodies without a studio.

use glam::{Quat, Vec2, Vec3};
use throng_base::Heading;

use super::*;

/// A view that sees all of the world well.
pub const ABOVE: View = View {
    eye: Vec3::new(0.0, 900.0, 0.0),
    direction: Vec3::NEG_Y,
    field: 0.87,
    aspect: 16.0 / 9.0,
    pixels: 1e5,
};

pub fn wardrobe() -> Wardrobe {
    Wardrobe::new(2).unwrap()
}

fn scene() -> Scene {
    let text = "format = 1\n[world]\nbounds = [[-9, -9], [99, 9]]\n";
    Scene::parse_plan("bodies.toml", text).unwrap()
}

/// All of the world is seen well.
fn bodies_in(scene: &Scene) -> StudioBodies {
    let mut bodies = StudioBodies::new(&wardrobe(), scene);
    bodies.set_views(&[ABOVE], Budget::default());
    bodies
}

/// Time between two states, s.
const INTERVAL: f64 = 0.1;

fn at(time: f64) -> Moment {
    Moment { time, ..Moment::default() }
}

/// Somebody who walks east, and somebody who stands.
fn targets(time: f64) -> Vec<MotionTarget> {
    let velocity = Vec2::new(1.3, 0.0);
    let walker = MotionTarget {
        id: 3,
        velocity,
        position: velocity * time as f32,
        ..MotionTarget::default()
    };
    let idler = MotionTarget { id: 9, position: Vec2::new(0.0, 5.0), ..MotionTarget::default() };
    let heading = Some(Heading::default());
    vec![MotionTarget { heading, ..walker }, MotionTarget { heading, ..idler }]
}

fn moments(told: &Following) -> u16 {
    u16::from_le_bytes([told.poses[8], told.poses[9]])
}

#[test]
fn the_time_between_two_states_is_divided_so_that_people_can_walk() {
    let mut bodies = bodies_in(&scene());
    assert_eq!(moments(&bodies.follow(&at(0.0), targets(0.0), INTERVAL, 1.0)), 1);
    assert_eq!(moments(&bodies.follow(&at(0.1), targets(0.1), INTERVAL, 1.0)), 3);
    assert_eq!(moments(&bodies.follow(&at(0.11), targets(0.11), INTERVAL, 1.0)), 1);
    assert_eq!(moments(&bodies.follow(&at(0.61), targets(0.61), INTERVAL, 1.0)), 15);
    // Time passes fast: as many poses per second on the wall.
    assert_eq!(moments(&bodies.follow(&at(1.11), targets(1.11), INTERVAL, 16.0)), 1);
    for step in 12..100 {
        let time = f64::from(step) * 0.1;
        bodies.follow(&at(time), targets(time), INTERVAL, 1.0);
    }
    let walker = bodies.bodies().ensemble().member(3).unwrap();
    assert!((walker.position().x - 1.3 * 9.9).abs() < 0.1, "{}", walker.position());
    let report = bodies.skating();
    assert!(report.stances > 10, "{report:?}");
    assert!(report.max.unwrap() < 0.01, "{report:?}");
    assert!(bodies.inspect(3).unwrap().clip.unwrap().contains("walk"));
    assert_eq!(bodies.inspect(9).unwrap().stance, [Foot::Left, Foot::Right]);
    assert_eq!(bodies.inspect(4), None);
}

#[test]
fn who_is_told_again_while_time_stands_stays_in_the_same_pose() {
    let mut bodies = bodies_in(&scene());
    for step in 0..20 {
        let time = f64::from(step) * 0.1;
        bodies.follow(&at(time), targets(time), INTERVAL, 1.0);
    }
    let before: Vec<_> =
        bodies.bodies().ensemble().members().iter().map(Member::world_pose).collect();
    for _ in 0..50 {
        bodies.follow(&at(1.9), targets(1.9), INTERVAL, 1.0);
    }
    for (member, before) in bodies.bodies().ensemble().members().iter().zip(&before) {
        let now = member.world_pose();
        assert!(now.root.distance(before.root) < 1e-4, "{} {}", now.root, before.root);
        let pairs = now.rotations.iter().zip(&before.rotations);
        let turned = pairs.map(|(a, b): (&Quat, &Quat)| 1.0 - a.dot(*b).abs());
        assert!(turned.fold(0.0, f32::max) < 1e-5);
    }
}

/// What the idler looks at in a scene with these interests in the course of eight seconds.
fn looks(bodies: &mut StudioBodies) -> Vec<LooksAt> {
    let step = |step: i32| {
        let time = f64::from(step) * 0.1;
        bodies.follow(&at(time), targets(0.0)[1..].to_vec(), INTERVAL, 1.0);
        bodies.inspect(9).unwrap().looks_at
    };
    (0..80).filter_map(step).collect()
}

#[test]
fn people_look_at_what_the_scene_has_until_it_is_gone() {
    let text = "format = 1\n[world]\nbounds = [[-9, -9], [99, 9]]\n\
                [[interests]]\nname = \"clock\"\nposition = [2.5, 6.5]\nlevel = 1\n";
    let with_clock = Scene::parse_plan("bodies.toml", text).unwrap();
    let mut bodies = bodies_in(&with_clock);
    let told = looks(&mut bodies);
    let clock = GazeTarget::Place { name: Some("clock".into()) };
    let is_clock = |told: &LooksAt| told.target == clock;
    assert!(told.iter().all(is_clock), "{told:?}");
    assert!(told.iter().any(|told| told.phase == GazePhase::Hold), "{told:?}");
    bodies.clear();
    bodies.adopt(&scene());
    assert_eq!(looks(&mut bodies), []);
    bodies.clear();
    bodies.adopt(&with_clock);
    assert!(!looks(&mut bodies).is_empty());
}

#[test]
fn heads_that_are_turned_stay_so_while_time_stands() {
    let text = "format = 1\n[world]\nbounds = [[-9, -9], [99, 9]]\n\
                [[interests]]\nname = \"clock\"\nposition = [1, 8]\nlevel = 1\n";
    let scene = Scene::parse_plan("bodies.toml", text).unwrap();
    let mut bodies = bodies_in(&scene);
    let turns = (0..80).find(|step| {
        let time = f64::from(*step) * 0.1;
        bodies.follow(&at(time), targets(0.0)[1..].to_vec(), INTERVAL, 1.0);
        let looks = bodies.inspect(9).unwrap().looks_at;
        looks.is_some_and(|looks| looks.phase == GazePhase::Shift)
    });
    let time = f64::from(turns.unwrap()) * 0.1;
    let pose = |bodies: &StudioBodies| {
        bodies.bodies().ensemble().member(9).unwrap().world_pose().rotations
    };
    let before = pose(&bodies);
    for _ in 0..5 {
        bodies.follow(&at(time), targets(0.0)[1..].to_vec(), INTERVAL, 1.0);
    }
    assert_eq!(pose(&bodies), before);
}

#[test]
fn people_notice_who_watches_them_and_nobody_else() {
    let mut bodies = bodies_in(&scene());
    let eye = ground_to_world(Vec2::new(2.5, 6.0), 1.6);
    let viewer = Viewer::new(eye, Vec3::NEG_X);
    bodies.set_viewers(&[viewer]);
    // Edits do not make anybody go away.
    bodies.adopt(&scene());
    let told = looks(&mut bodies);
    assert!(told.iter().any(|told| told.target == GazeTarget::Viewer), "{told:?}");
    // Those who look there when they leave look ahead again, though nothing else is there.
    let mut step = 80;
    let mut follow = |bodies: &mut StudioBodies| {
        let time = f64::from(step) * 0.1;
        step += 1;
        bodies.follow(&at(time), targets(0.0)[1..].to_vec(), INTERVAL, 1.0);
        bodies.inspect(9).unwrap().looks_at
    };
    let holds = |looks: Option<LooksAt>| looks.is_some_and(|looks| looks.phase == GazePhase::Hold);
    assert!((0..200).any(|_| holds(follow(&mut bodies))));
    bodies.set_viewers(&[]);
    assert!((0..5).any(|_| follow(&mut bodies).is_none()));
    assert!((0..50).all(|_| follow(&mut bodies).is_none()));
}

#[test]
fn jumps_begin_anew_and_backwards_nobody_has_a_body() {
    let mut bodies = bodies_in(&scene());
    bodies.follow(&at(0.0), targets(0.0), INTERVAL, 1.0);
    bodies.follow(&at(0.5), targets(0.5), INTERVAL, 1.0);
    let told = bodies.follow(&at(60.0), targets(60.0), INTERVAL, 1.0);
    assert_eq!((moments(&told), bodies.len()), (1, 2));
    assert!((bodies.bodies().ensemble().member(3).unwrap().position().x - 78.0).abs() < 0.01);
    let told = bodies.follow(&at(59.9), targets(59.9), INTERVAL, 1.0);
    assert_eq!((moments(&told), bodies.len()), (1, 2));
    let told = bodies.follow(&at(59.8), targets(59.8), INTERVAL, -1.0);
    assert_eq!((told.poses[4], bodies.len()), (0, 0));
    assert!(told.standings.is_none());
    // Who has no target any more is gone.
    bodies.follow(&at(60.0), targets(60.0), INTERVAL, 1.0);
    bodies.follow(&at(60.1), targets(60.1)[..1].to_vec(), INTERVAL, 1.0);
    assert_eq!(bodies.len(), 1);
    assert!(bodies.bodies().ensemble().member(3).is_some());
}

#[test]
fn everybody_has_the_best_level_that_anybody_needs_and_keeps_their_step() {
    let mut bodies = bodies_in(&scene());
    let near = View::new(Vec3::new(-3.0, 1.7, -5.0), Vec3::X);
    let far = View::new(Vec3::new(-300.0, 1.7, -5.0), Vec3::X);
    let blind = View::new(Vec3::new(300.0, 1.7, -5.0), Vec3::X);
    let mut time = 0.0;
    let mut level = |bodies: &mut StudioBodies, views: &[View]| {
        bodies.set_views(views, Budget::default());
        // A level lasts for a while, on the wall.
        bodies.judged -= Duration::from_secs(1);
        time += 0.1;
        let told = bodies.follow(&at(time), targets(0.0), INTERVAL, 1.0);
        (told.standings.unwrap()[1].level, bodies.level(9).unwrap())
    };
    for (views, meant) in [
        (&[far][..], BodyLevel::Impostor),
        (&[far, near], BodyLevel::Full),
        (&[far, blind], BodyLevel::Impostor),
        (&[blind], BodyLevel::Unseen),
        (&[], BodyLevel::Unseen),
    ] {
        assert_eq!(level(&mut bodies, views), (meant, meant));
    }
    let census = bodies.census();
    assert_eq!(census.bodies, PerName::new(|level| usize::from(level == BodyLevel::Unseen) * 2));
    assert_eq!(census.efforts, PerName::new(|effort| usize::from(effort == Effort::Full) * 2));
    // Who is watched has a body however far away they are.
    bodies.watch(Some(9));
    assert_eq!(level(&mut bodies, &[far]).0, BodyLevel::Full);
    assert!(bodies.inspect(9).unwrap().clip.is_some());
}

#[test]
fn extras_are_where_bodies_are_in_their_gait_when_levels_change() {
    let mut bodies = bodies_in(&scene());
    let mut told = Vec::new();
    for step in 0..80 {
        let time = f64::from(step) * 0.1;
        if step == 40 {
            bodies.set_views(&[], Budget::default());
        }
        if step == 60 {
            bodies.set_views(&[ABOVE], Budget::default());
        }
        let following = bodies.follow(&at(time), targets(time), INTERVAL, 1.0);
        told.push(following.standings.unwrap()[0]);
    }
    assert_eq!(told[39].level, BodyLevel::Full);
    assert_eq!(told[45].level, BodyLevel::Unseen);
    assert_eq!(told[79].level, BodyLevel::Full);
    // In each tenth of a second the phase goes on by about as much.
    let gone = |pair: &[Standing]| i32::from(pair[1].phase.wrapping_sub(pair[0].phase));
    let usual = told[20..40].windows(2).map(gone).sum::<i32>() / 19;
    assert!(usual > 10, "{usual}");
    for pair in told[20..].windows(2) {
        assert!((gone(pair) - usual).abs() < 12, "{pair:?}, usually {usual}");
    }
}

#[test]
fn pages_are_told_once_how_somebody_looks() {
    let mut bodies = bodies_in(&scene());
    assert!(bodies.is_new());
    bodies.follow(&at(0.0), targets(0.0)[1..].to_vec(), INTERVAL, 1.0);
    assert_eq!(bodies.news().iter().map(|(id, _)| *id).collect::<Vec<_>>(), [9]);
    bodies.follow(&at(0.1), targets(0.1), INTERVAL, 1.0);
    assert_eq!(bodies.news().iter().map(|(id, _)| *id).collect::<Vec<_>>(), [3]);
    assert!(bodies.news().is_empty() && !bodies.is_new());
    bodies.adopt(&scene());
    assert!(bodies.is_new());
    assert_eq!(bodies.news().len(), 2);
}
