//! A troupe without a studio.

use glam::{Quat, Vec2, Vec3};
use throng_base::Heading;

use super::*;

fn wardrobe() -> Wardrobe {
    Wardrobe::new(2).unwrap()
}

fn scene() -> Scene {
    let text = "format = 1\n[world]\nbounds = [[-9, -9], [99, 9]]\n";
    Scene::parse_plan("troupe.toml", text).unwrap()
}

/// All of the world is seen well.
fn troupe_in(scene: &Scene) -> Troupe {
    let mut troupe = Troupe::new(&wardrobe(), scene);
    let above = View { pixels: 1e5, ..View::new(Vec3::new(0.0, 900.0, 0.0), Vec3::NEG_Y) };
    troupe.set_views(vec![above], Budget::default());
    troupe
}

fn at(time: f64) -> Moment {
    Moment { time, ..Moment::default() }
}

/// Somebody who walks east, and somebody who stands.
fn wishes(time: f64) -> Vec<Wish> {
    let velocity = Vec2::new(1.3, 0.0);
    let walker = Wish { id: 3, velocity, position: velocity * time as f32, ..Wish::default() };
    let idler = Wish { id: 9, position: Vec2::new(0.0, 5.0), ..Wish::default() };
    let heading = Some(Heading::default());
    vec![Wish { heading, ..walker }, Wish { heading, ..idler }]
}

fn moments(told: &Following) -> u16 {
    u16::from_le_bytes([told.poses[8], told.poses[9]])
}

#[test]
fn the_time_between_two_states_is_divided_so_that_people_can_walk() {
    let mut troupe = troupe_in(&scene());
    assert_eq!(moments(&troupe.follow(&at(0.0), wishes(0.0), 1.0)), 1);
    assert_eq!(moments(&troupe.follow(&at(0.1), wishes(0.1), 1.0)), 3);
    assert_eq!(moments(&troupe.follow(&at(0.11), wishes(0.11), 1.0)), 1);
    assert_eq!(moments(&troupe.follow(&at(0.61), wishes(0.61), 1.0)), 15);
    // Time passes fast: as many poses per second on the wall.
    assert_eq!(moments(&troupe.follow(&at(1.11), wishes(1.11), 16.0)), 1);
    for step in 12..100 {
        let time = f64::from(step) * 0.1;
        troupe.follow(&at(time), wishes(time), 1.0);
    }
    let walker = troupe.company.ensemble().member(3).unwrap();
    assert!((walker.position().x - 1.3 * 9.9).abs() < 0.1, "{}", walker.position());
    let report = troupe.skating();
    assert!(report.stances > 10, "{report:?}");
    assert!(report.max.unwrap() < 0.01, "{report:?}");
    assert!(troupe.inspect(3).unwrap().clip.unwrap().contains("walk"));
    assert_eq!(troupe.inspect(9).unwrap().stance, [Foot::Left, Foot::Right]);
    assert_eq!(troupe.inspect(4), None);
}

#[test]
fn who_is_told_again_while_time_stands_stays_in_the_same_pose() {
    let mut troupe = troupe_in(&scene());
    for step in 0..20 {
        let time = f64::from(step) * 0.1;
        troupe.follow(&at(time), wishes(time), 1.0);
    }
    let before: Vec<_> =
        troupe.company.ensemble().members().iter().map(Member::world_pose).collect();
    for _ in 0..50 {
        troupe.follow(&at(1.9), wishes(1.9), 1.0);
    }
    for (member, before) in troupe.company.ensemble().members().iter().zip(&before) {
        let now = member.world_pose();
        assert!(now.root.distance(before.root) < 1e-4, "{} {}", now.root, before.root);
        let pairs = now.rotations.iter().zip(&before.rotations);
        let turned = pairs.map(|(a, b): (&Quat, &Quat)| 1.0 - a.dot(*b).abs());
        assert!(turned.fold(0.0, f32::max) < 1e-5);
    }
}

/// What the idler looks at in a scene with these interests in the course of eight seconds.
fn looks(troupe: &mut Troupe) -> Vec<LooksAt> {
    let step = |step: i32| {
        let time = f64::from(step) * 0.1;
        troupe.follow(&at(time), wishes(0.0)[1..].to_vec(), 1.0);
        troupe.inspect(9).unwrap().looks_at
    };
    (0..80).filter_map(step).collect()
}

#[test]
fn people_look_at_what_the_scene_has_until_it_is_gone() {
    let text = "format = 1\n[world]\nbounds = [[-9, -9], [99, 9]]\n\
                [[interests]]\nname = \"clock\"\nposition = [2.5, 6.5]\nlevel = 1\n";
    let with_clock = Scene::parse_plan("troupe.toml", text).unwrap();
    let mut troupe = troupe_in(&with_clock);
    let told = looks(&mut troupe);
    let clock = GazeTarget::Place { name: Some("clock".into()) };
    let is_clock = |told: &LooksAt| told.target == clock;
    assert!(told.iter().all(is_clock), "{told:?}");
    assert!(told.iter().any(|told| told.phase == GazePhase::Hold), "{told:?}");
    troupe.clear();
    troupe.adopt(&scene());
    assert_eq!(looks(&mut troupe), []);
    troupe.clear();
    troupe.adopt(&with_clock);
    assert!(!looks(&mut troupe).is_empty());
}

#[test]
fn heads_that_are_turned_stay_so_while_time_stands() {
    let text = "format = 1\n[world]\nbounds = [[-9, -9], [99, 9]]\n\
                [[interests]]\nname = \"clock\"\nposition = [1, 8]\nlevel = 1\n";
    let scene = Scene::parse_plan("troupe.toml", text).unwrap();
    let mut troupe = troupe_in(&scene);
    let turns = (0..80).find(|step| {
        let time = f64::from(*step) * 0.1;
        troupe.follow(&at(time), wishes(0.0)[1..].to_vec(), 1.0);
        let looks = troupe.inspect(9).unwrap().looks_at;
        looks.is_some_and(|looks| looks.phase == GazePhase::Shift)
    });
    let time = f64::from(turns.unwrap()) * 0.1;
    let pose =
        |troupe: &Troupe| troupe.company.ensemble().member(9).unwrap().world_pose().rotations;
    let before = pose(&troupe);
    for _ in 0..5 {
        troupe.follow(&at(time), wishes(0.0)[1..].to_vec(), 1.0);
    }
    assert_eq!(pose(&troupe), before);
}

#[test]
fn people_notice_who_watches_them_and_nobody_else() {
    let mut troupe = troupe_in(&scene());
    let eye = ground_to_world(Vec2::new(2.5, 6.0), 1.6);
    let viewer = Viewer::new(eye, Vec3::NEG_X);
    troupe.set_viewers(&[viewer]);
    // Edits do not make anybody go away.
    troupe.adopt(&scene());
    let told = looks(&mut troupe);
    assert!(told.iter().any(|told| told.target == GazeTarget::Viewer), "{told:?}");
    // Those who look there when they leave look ahead again, though nothing else is there.
    let mut step = 80;
    let mut follow = |troupe: &mut Troupe| {
        let time = f64::from(step) * 0.1;
        step += 1;
        troupe.follow(&at(time), wishes(0.0)[1..].to_vec(), 1.0);
        troupe.inspect(9).unwrap().looks_at
    };
    let holds = |looks: Option<LooksAt>| looks.is_some_and(|looks| looks.phase == GazePhase::Hold);
    assert!((0..200).any(|_| holds(follow(&mut troupe))));
    troupe.set_viewers(&[]);
    assert!((0..5).any(|_| follow(&mut troupe).is_none()));
    assert!((0..50).all(|_| follow(&mut troupe).is_none()));
}

#[test]
fn jumps_begin_anew_and_backwards_nobody_has_a_body() {
    let mut troupe = troupe_in(&scene());
    troupe.follow(&at(0.0), wishes(0.0), 1.0);
    troupe.follow(&at(0.5), wishes(0.5), 1.0);
    let told = troupe.follow(&at(60.0), wishes(60.0), 1.0);
    assert_eq!((moments(&told), troupe.len()), (1, 2));
    assert!((troupe.company.ensemble().member(3).unwrap().position().x - 78.0).abs() < 0.01);
    let told = troupe.follow(&at(59.9), wishes(59.9), 1.0);
    assert_eq!((moments(&told), troupe.len()), (1, 2));
    let told = troupe.follow(&at(59.8), wishes(59.8), -1.0);
    assert_eq!((told.poses[4], troupe.len()), (0, 0));
    assert!(told.standings.is_none());
    // Who is not wished for any more is gone.
    troupe.follow(&at(60.0), wishes(60.0), 1.0);
    troupe.follow(&at(60.1), wishes(60.1)[..1].to_vec(), 1.0);
    assert_eq!(troupe.len(), 1);
    assert!(troupe.company.ensemble().member(3).is_some());
}

#[test]
fn everybody_has_the_best_level_that_anybody_needs_and_keeps_their_step() {
    let mut troupe = troupe_in(&scene());
    let near = View::new(Vec3::new(-3.0, 1.7, -5.0), Vec3::X);
    let far = View::new(Vec3::new(-300.0, 1.7, -5.0), Vec3::X);
    let blind = View::new(Vec3::new(300.0, 1.7, -5.0), Vec3::X);
    let mut time = 0.0;
    let mut level = |troupe: &mut Troupe, views: &[View]| {
        troupe.set_views(views.to_vec(), Budget::default());
        // A level lasts for a while, on the wall.
        troupe.judged -= Duration::from_secs(1);
        time += 0.1;
        let told = troupe.follow(&at(time), wishes(0.0), 1.0);
        (told.standings.unwrap()[1].level, troupe.level(9).unwrap())
    };
    for (views, meant) in [
        (&[far][..], BodyLevel::Impostor),
        (&[far, near], BodyLevel::Full),
        (&[far, blind], BodyLevel::Impostor),
        (&[blind], BodyLevel::Unseen),
        (&[], BodyLevel::Unseen),
    ] {
        assert_eq!(level(&mut troupe, views), (meant, meant));
    }
    let census = troupe.census();
    assert_eq!(census.bodies, PerName::new(|level| usize::from(level == BodyLevel::Unseen) * 2));
    assert_eq!(census.efforts, PerName::new(|effort| usize::from(effort == Effort::Full) * 2));
    // Who is watched has a body however far away they are.
    troupe.watch(Some(9));
    assert_eq!(level(&mut troupe, &[far]).0, BodyLevel::Full);
    assert!(troupe.inspect(9).unwrap().clip.is_some());
}

#[test]
fn extras_are_where_bodies_are_in_their_gait_when_levels_change() {
    let mut troupe = troupe_in(&scene());
    let above = troupe.views.clone();
    let mut told = Vec::new();
    for step in 0..80 {
        let time = f64::from(step) * 0.1;
        if step == 40 {
            troupe.set_views(Vec::new(), Budget::default());
        }
        if step == 60 {
            troupe.set_views(above.clone(), Budget::default());
        }
        let following = troupe.follow(&at(time), wishes(time), 1.0);
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
    let mut troupe = troupe_in(&scene());
    assert!(troupe.is_new());
    troupe.follow(&at(0.0), wishes(0.0)[1..].to_vec(), 1.0);
    assert_eq!(troupe.news().iter().map(|(id, _)| *id).collect::<Vec<_>>(), [9]);
    troupe.follow(&at(0.1), wishes(0.1), 1.0);
    assert_eq!(troupe.news().iter().map(|(id, _)| *id).collect::<Vec<_>>(), [3]);
    assert!(troupe.news().is_empty() && !troupe.is_new());
    troupe.adopt(&scene());
    assert!(troupe.is_new());
    assert_eq!(troupe.news().len(), 2);
}
