//! People of a crowd look around.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests too")]

use std::sync::{Arc, LazyLock};

use glam::{Vec2, Vec3};
use throng::base::frame::{ground_to_world, world_to_ground};
use throng::bodies::{Cast, Member, Viewer};
use throng::motion::gaze::{Kind, Phase};
use throng::motion::{Landmark, ModelPose};
use throng::scaler::{ScalerOptions, View};
use throng::{Engine, PipelineStage, Scene};

static CAST: LazyLock<Arc<Cast>> = LazyLock::new(|| Arc::new(Cast::new(2).unwrap()));

/// People who go up and down a street with a shop window on its north side, and a wall if there is to be one.
fn street(people: usize, wall: bool, interest: f32) -> Engine {
    let mut engine = Engine::new(street_scene(people, wall, interest, 0.0)).unwrap();
    engine.set_bodies(Some(CAST.clone()));
    engine
}

/// The same with the window so far in the east.
fn street_scene(people: usize, wall: bool, interest: f32, window: f32) -> Scene {
    let wall = if wall {
        "[[obstacles]]\nwall = { points = [[-30, 2.6], [30, 2.6]], thickness = 0.2 }\n"
    } else {
        ""
    };
    let text = format!(
        r#"
format = 1
[simulation]
step = 0.04
[world]
bounds = [[-30, -3], [30, 4]]
{wall}
[[interests]]
name = "window"
position = [{window}, 3]
facing = 270
level = 1
[[regions]]
name = "west"
rectangle = [[-28, -2.5], [-6, 2]]
[[regions]]
name = "east"
rectangle = [[6, -2.5], [28, 2]]
[[groups]]
name = "passers-by"
interest = {interest}
goals = [{{ seek = {{ random = "east" }} }}, {{ seek = {{ random = "west" }} }}]
then = "repeat"
crowds = [{{ count = {people}, region = "west" }}]
"#
    );
    Scene::parse_plan("street.toml", &text).unwrap()
}

/// What somebody looks at, if they do.
fn looks_at(member: &Member) -> Option<Kind> {
    member.gaze()?.subject().map(|subject| subject.kind)
}

/// The angle between where an eye looks and a place, degrees.
fn off(member: &Member, eye: Landmark, place: Vec3) -> f32 {
    let skeleton = CAST.looks()[member.role.look].skeleton();
    let joint = skeleton.landmark(eye).unwrap();
    let model = ModelPose::of(skeleton, &member.world_pose());
    let root = model.positions[0];
    let at = Vec3::from(root + member.role.scale * (model.positions[joint.index()] - root));
    let forward = skeleton.rest_rotation(joint).inverse() * Vec3::Z;
    (model.rotation(joint) * forward).angle_between(place - at).to_degrees()
}

#[test]
fn passers_by_look_into_the_window_with_both_eyes() {
    let mut engine = street(24, false, 0.0);
    let window = Vec3::new(0.0, 1.5, -3.0);
    let (mut held, mut poses, mut worst) = (0, 0, 0f32);
    let mut who = std::collections::BTreeSet::new();
    for _ in 0..1500 {
        engine.step();
        for member in engine.bodies().unwrap().members() {
            poses += 1;
            let look = member.look().unwrap();
            if look.phase == Phase::Hold && look.reachable {
                assert_eq!(looks_at(member), Some(Kind::Place));
                held += 1;
                who.insert(member.id);
                let eyes = [Landmark::LeftEye, Landmark::RightEye];
                worst = worst
                    .max(eyes.map(|eye| off(member, eye, window)).into_iter().fold(0.0, f32::max));
                let place = world_to_ground(member.placement().translation).0;
                assert!(place.distance(Vec2::new(0.0, 3.0)) < 11.0);
            }
        }
    }
    println!(
        "{held} of {poses} poses looked into the window, of {} people, off by {worst}° at most",
        who.len()
    );
    assert!(who.len() >= 10, "{}", who.len());
    assert!(worst < 0.5, "{worst}");
}

#[test]
fn nobody_looks_through_a_wall_or_at_what_is_boring() {
    for (wall, interest) in [(true, 0.0), (false, 0.0)] {
        let mut engine = street(24, wall, interest);
        let mut looked = 0;
        for _ in 0..700 {
            engine.step();
            let members = engine.bodies().unwrap().members();
            looked += members.iter().filter(|member| looks_at(member).is_some()).count();
        }
        assert_eq!(looked > 0, !wall, "with a wall: {wall}");
    }
    // People who are interesting are looked at.
    let mut engine = street(24, true, 1.0);
    let mut looked = 0;
    for _ in 0..400 {
        engine.step();
        let members = engine.bodies().unwrap().members();
        looked += members.iter().filter(|member| looks_at(member) == Some(Kind::Person)).count();
    }
    assert!(looked > 100, "{looked}");
}

#[test]
fn whoever_watches_is_noticed_and_forgotten() {
    let mut engine = street(24, true, 0.0);
    // In the middle of the people, who look at whoever is there.
    let mut noticed = std::collections::BTreeSet::new();
    for frame in 0..200 {
        let middle = engine.crowd().people().map(|person| person.position).sum::<Vec2>() / 24.0;
        let eye = ground_to_world(middle.with_x(middle.x + 3.0), 1.7);
        engine.set_viewers(&[Viewer::new(eye, Vec3::NEG_X)]);
        engine.step();
        let members = engine.bodies().unwrap().members();
        let looks = members.iter().filter(|member| looks_at(member) == Some(Kind::Viewer));
        if frame < 75 {
            noticed.extend(looks.map(|member| member.id));
        }
    }
    assert!(noticed.len() >= 8, "{}", noticed.len());
    engine.set_viewers(&[]);
    for _ in 0..100 {
        engine.step();
    }
    let members = engine.bodies().unwrap().members();
    assert!(members.iter().all(|member| looks_at(member).is_none()));
    let resting = |member: &&Member| member.gaze().unwrap().phase() == Phase::Idle;
    assert_eq!(members.iter().filter(resting).count(), 24);
}

#[test]
fn looking_around_moves_nobody_and_is_the_same_on_any_number_of_threads() {
    let run = |threads: usize, gaze: bool| {
        let mut engine = street(90, false, 0.8);
        engine.enable(PipelineStage::Gaze, gaze);
        engine.set_viewers(&[Viewer::new(Vec3::new(-8.0, 1.7, 1.0), Vec3::NEG_X)]);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| (0..120).for_each(|_| engine.step()));
        let places: Vec<Vec2> = engine.crowd().people().map(|person| person.position).collect();
        let members = engine.bodies().unwrap().members();
        (places, members.iter().map(|member| member.pose.clone()).collect::<Vec<_>>())
    };
    let (one, two, without) = (run(1, true), run(3, true), run(1, false));
    assert!(one == two);
    assert_eq!(one.0, without.0);
    assert!(one.1 != without.1, "they do look around");
}

#[test]
fn those_with_bodies_of_their_own_look_around_and_posed_ones_turn_their_heads() {
    let mut engine = street(60, false, 0.5);
    engine.set_scaling(Some(ScalerOptions { full_pixels: 260.0, ..ScalerOptions::default() }));
    engine.set_views(&[View::new(Vec3::new(0.0, 2.0, 8.0), Vec3::new(0.0, -0.1, -1.0))]);
    let (mut looked, mut turned) = (0, 0);
    for _ in 0..900 {
        engine.step();
        let bodies = engine.lod_bodies().unwrap();
        let members = bodies.ensemble().members();
        looked += members.iter().filter(|member| looks_at(member).is_some()).count();
        turned += bodies.posed().filter(|(posed, _)| posed.head.angle() != 0.0).count();
    }
    println!("{looked} looked, {turned} turned their heads");
    assert!(looked > 100 && turned > 20, "{looked} {turned}");
}

#[test]
fn a_window_that_is_moved_is_looked_for_where_it_is_now() {
    let mut engine = street(24, false, 0.0);
    let mut window = Vec3::new(0.0, 1.5, -3.0);
    let mut held = [0; 2];
    for (moved, count) in held.iter_mut().enumerate() {
        if moved == 1 {
            // Somebody edits the scene: everybody goes on, and what was looked at is elsewhere.
            window.x = -14.0;
            let adopted = engine.adopt(street_scene(24, false, 0.0, window.x)).unwrap();
            assert_eq!(adopted, throng::Adoption::Continued);
        }
        for _ in 0..1500 {
            engine.step();
            for member in engine.bodies().unwrap().members() {
                let look = member.look().unwrap();
                if look.phase == Phase::Hold && look.reachable {
                    *count += 1;
                    let eyes = [Landmark::LeftEye, Landmark::RightEye];
                    let worst = eyes.map(|eye| off(member, eye, window));
                    assert!(worst[0].max(worst[1]) < 0.5, "{worst:?}° off {window}");
                    let place = member.placement().translation;
                    assert!((place - window).with_y(0.0).length() < 11.0, "{place}");
                }
            }
        }
    }
    assert!(held[0] > 100 && held[1] > 100, "{held:?}");
}
