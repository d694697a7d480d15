//! People and animals on ground that is not level.

use std::sync::Arc;

use glam::Vec2;
use throng::base::Heading;
use throng::base::frame::ground_to_plan;
use throng::base::ground::{Ground, Relief};
use throng::bodies::{Cast, Ensemble, Footing, MotionTarget, SharedGround, Stances};
use throng::motion::Landmark;
use throng::world::scene::{GroupId, Species};
use throng::{Engine, Scene};

use super::{CAST, STEP};

/// What was seen of standing feet.
#[derive(Default)]
struct Seen {
    slid: Vec<f32>,
    sunk: f32,
    floated: f32,
}

impl Seen {
    fn slid(&mut self, part: f32) -> f32 {
        self.slid.sort_by(f32::total_cmp);
        self.slid[((self.slid.len() - 1) as f32 * part) as usize]
    }
}

fn relief(height: impl Fn(Vec2) -> f32 + Send + Sync + 'static) -> SharedGround {
    Arc::new(Relief(height))
}

/// Somebody on a way over the ground: where they are at a time.
type Way = fn(f32) -> Vec2;

const WAYS: [Way; 4] = [
    |time| Vec2::new(1.2 * time, 0.3),
    |time| Vec2::new(0.4, -time),
    |time| 3.0 * Vec2::from_angle(0.4 * time),
    |time| Vec2::new(1.1 * time, 1.5 * (0.5 * time).sin()),
];

fn target(id: u32, way: Way, time: f32, ground: &dyn Ground) -> MotionTarget {
    let position = way(time) + Vec2::new(0.0, 50.0 * id as f32);
    let velocity = (way(time + 0.01) - way(time - 0.01)) / 0.02;
    let height = ground.at(ground_to_plan(position), 0.0).map_or(0.0, |surface| surface.height);
    let heading = Heading::along(velocity);
    MotionTarget {
        id,
        position,
        velocity,
        height,
        heading,
        planted: true,
        ..MotionTarget::default()
    }
}

/// Lets everybody go their way over `ground` for twelve seconds, and watches their feet.
fn walk(ground: &SharedGround, pace: f32) -> Seen {
    let mut bodies = Ensemble::new(CAST.clone(), 3).on(Some(ground.clone()));
    let mut stances = Stances::of(&bodies);
    let mut seen = Seen::default();
    for frame in 0..300 {
        let time = STEP * frame as f32;
        let targets: Vec<MotionTarget> = (0..)
            .zip(WAYS)
            .map(|(id, way)| {
                let told = target(id, way, pace * time, &**ground);
                MotionTarget { velocity: pace * told.velocity, ..told }
            })
            .collect();
        bodies.follow(&targets, STEP);
        stances.watch(bodies.members(), f64::from(time), STEP, |footing| {
            if let Footing::Stood { slid, above, .. } = footing {
                seen.slid.push(slid);
                seen.sunk = seen.sunk.max(-above);
                seen.floated = seen.floated.max(above);
            }
        });
        for member in bodies.members() {
            assert!(member.pose.root.is_finite() && member.deviation() < 0.3);
        }
    }
    seen
}

#[test]
fn feet_stand_on_slopes_dunes_and_stairs() {
    let slope = 25f32.to_radians().tan();
    let grounds: [(&str, f32, SharedGround); 4] = [
        ("slope", 1.0, relief(move |place| slope * place.x)),
        ("hollow ways", 1.0, relief(|place| 0.5 * (0.8 * place.x).sin() * (0.7 * place.y).cos())),
        ("stairs", 0.6, relief(|place| 0.17 * (place.x / 0.3).floor())),
        ("high steps", 0.6, relief(|place| 0.2 * (place.x / 0.6).floor())),
    ];
    for (name, pace, ground) in grounds {
        let mut seen = walk(&ground, pace);
        println!(
            "{name:12} slid {:.3} mm (95 %), {:.3} mm (99 %), {:.2} mm at most; sunk {:.1} mm, floated {:.1} mm at most",
            1e3 * seen.slid(0.95),
            1e3 * seen.slid(0.99),
            1e3 * seen.slid(1.0),
            1e3 * seen.sunk,
            1e3 * seen.floated
        );
        assert!(seen.slid.len() > 1000, "{name}");
        assert!(seen.slid(1.0) < 0.002, "{name}: {} mm", 1e3 * seen.slid(1.0));
        assert!(seen.sunk < 0.01, "{name}: {} mm", 1e3 * seen.sunk);
        assert!(seen.floated < 0.02, "{name}: {} mm", 1e3 * seen.floated);
    }
}

#[test]
fn on_level_ground_nothing_changes() {
    let level = relief(|_| 0.0);
    let mut bodies = Ensemble::new(CAST.clone(), 3).on(Some(level.clone()));
    let mut plain = Ensemble::new(CAST.clone(), 3);
    for frame in 0..200 {
        let time = STEP * frame as f32;
        let targets: Vec<MotionTarget> =
            (0..).zip(WAYS).map(|(id, way)| target(id, way, time, &*level)).collect();
        bodies.follow(&targets, STEP);
        plain.follow(&targets, STEP);
        for (member, plain) in bodies.members().iter().zip(plain.members()) {
            let look = &CAST.looks()[member.role.look];
            let at = |pose| throng::motion::ModelPose::of(look.skeleton(), pose).positions;
            let pairs = at(&member.world_pose()).into_iter().zip(at(&plain.world_pose()));
            let apart = pairs.map(|(a, b)| a.distance(b)).fold(0.0, f32::max);
            assert!(apart < 0.001, "frame {frame}: {} mm", 1e3 * apart);
        }
    }
}

/// A court, a terrace 3 m above it with stairs between them, and groups of people.
fn court_and_terrace(groups: &str) -> Scene {
    let floors = r#"
format = 1
[simulation]
step = 0.04
[world]
bounds = [[-10, -10], [10, 20]]
[[layers]]
name = "court"
[[layers]]
name = "terrace"
elevation = 3
[[connectors]]
name = "stairs"
kind = "stairs"
steps = 18
polygon = [[-3, 0], [3, 0], [3, 5.1], [-3, 5.1]]
lower = { layer = "court", edge = [[-3, 0], [3, 0]] }
upper = { layer = "terrace", edge = [[3, 5.1], [-3, 5.1]] }
"#;
    let scene = Scene::parse_plan("stairs.toml", &format!("{floors}{groups}"));
    scene.unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn stairs_of_a_scene_are_climbed_and_animals_come_along() {
    let scene = court_and_terrace(
        r#"
[[groups]]
name = "people"
goals = [{ seek = [-1, 9], layer = "terrace" }]
people = [{ position = [-1, -3] }, { position = [-2, -2] }]
[[groups]]
name = "dogs"
species = "dog"
goals = [{ seek = [1, 9], layer = "terrace" }]
people = [{ position = [1.5, -3] }]
"#,
    );
    let cast = Arc::new(Cast::for_scene(2, Some(&scene)).unwrap());
    let mut engine = Engine::new(scene).unwrap();
    engine.set_bodies(Some(cast.clone()));
    engine.step();
    let mut stances = Stances::of(engine.bodies().unwrap());
    let (mut sunk, mut floated, mut slid) = (0f32, 0f32, 0f32);
    for frame in 0..600 {
        engine.step();
        let members = engine.bodies().unwrap().members();
        let told = members.iter().map(|member| cast.looks()[member.role.look].species());
        assert!(told.eq([Species::Person, Species::Person, Species::Dog]));
        assert_eq!(members[2].group, GroupId(1));
        stances.watch(members, f64::from(frame), STEP, |footing| {
            if let Footing::Stood { slid: more, above, .. } = footing {
                (sunk, floated, slid) = (sunk.max(-above), floated.max(above), slid.max(more));
            }
        });
    }
    println!("sunk {:.1}, floated {:.1}, slid {:.2} mm", 1e3 * sunk, 1e3 * floated, 1e3 * slid);
    for member in engine.bodies().unwrap().members() {
        assert!((member.placement().translation.y - 3.0).abs() < 1e-3, "all are on the terrace");
    }
    assert!(sunk < 0.01 && floated < 0.02 && slid < 0.002);
}

#[test]
fn who_walks_beside_stairs_stays_on_the_floor() {
    let scene = court_and_terrace(
        r#"
[[groups]]
name = "people"
goals = [{ seek = [3.4, 9], layer = "court" }]
people = [{ position = [3.4, -2] }]
"#,
    );
    let mut engine = Engine::new(scene).unwrap();
    engine.set_bodies(Some(CAST.clone()));
    let mut beside = 0;
    for _ in 0..250 {
        engine.step();
        let member = &engine.bodies().unwrap().members()[0];
        let (place, root) = (member.position(), member.world_pose().root.y);
        assert!((0.7..1.1).contains(&root), "hips at {root} m at {place}");
        beside += usize::from((0.0..5.1).contains(&place.y) && place.x < 4.0);
    }
    assert!(beside > 50, "{beside}");
}

#[test]
fn odd_ground_gives_poses_all_the_same() {
    let cliff = |place: Vec2| if place.x > 2.0 { -40.0 } else { 0.0 };
    let grounds: [(&str, SharedGround); 6] = [
        ("no number", relief(|_| f32::NAN)),
        ("holes", relief(|place| if place.x.sin() > 0.3 { f32::NAN } else { 0.3 * place.y.sin() })),
        ("endless", relief(|place| if place.x > 3.0 { f32::INFINITY } else { 0.0 })),
        ("a cliff", relief(cliff)),
        ("walls", relief(|place| 3.0 * (2.0 * place.x).sin().signum())),
        ("needles", relief(|place| 5.0 * (90.0 * place.x).sin() * (70.0 * place.y).cos())),
    ];
    // Somebody who turns back on the spot now and then, jumps, and walks off the edge of the world.
    let way = |frame: usize| match frame {
        0..60 => Vec2::new(0.05 * frame as f32, 0.0),
        60..90 => Vec2::new(3.0 - 0.05 * (frame - 60) as f32, 0.0),
        90..120 => Vec2::new(400.0, -300.0),
        _ => Vec2::new(1e5 + frame as f32, f32::from(u16::try_from(frame).unwrap())),
    };
    for (name, ground) in grounds {
        let cast = Arc::new(Cast::with_animals(1, &[Species::Dog]).unwrap());
        let scene = "format = 1\n[world]\nbounds = [[-9, -9], [9, 9]]\n[[groups]]\nname = \"a\"\n\
                     [[groups]]\nname = \"b\"\nspecies = \"dog\"\n";
        let scene = Scene::parse_plan("odd.toml", scene).unwrap();
        let mut bodies = Ensemble::new(cast, 1).in_scene(&scene).on(Some(ground));
        for frame in 0..150 {
            let (position, before) = (way(frame), way(frame.saturating_sub(1)));
            let velocity = (position - before) / STEP;
            let target = |id: u32| MotionTarget {
                id,
                group: GroupId(id as u16),
                position: position + Vec2::new(0.0, id as f32),
                velocity,
                height: if frame % 13 == 5 { f32::NAN } else { 0.0 },
                planted: true,
                ..MotionTarget::default()
            };
            let seconds = if frame % 17 == 3 { 0.0 } else { STEP };
            bodies.follow(&[target(0), target(1)], seconds);
            for member in bodies.members() {
                let pose = &member.pose;
                let finite = pose.root.is_finite()
                    && pose.rotations.iter().all(|turn| turn.is_finite() && turn.is_normalized());
                assert!(finite, "{name}, frame {frame}: {pose:?}");
                assert!(member.placement().is_finite(), "{name}, frame {frame}");
                let root = pose.root.length();
                assert!(root < 3.5, "{name}, frame {frame}: the body is {root} m off");
            }
        }
    }
}

#[test]
fn whoever_walks_uphill_leans_into_it() {
    let lean = |degrees: f32| {
        let slope = degrees.to_radians().tan();
        let ground = relief(move |place| slope * place.x);
        let mut bodies = Ensemble::new(CAST.clone(), 3).on(Some(ground.clone()));
        let mut sum = 0.0;
        for frame in 0..150 {
            bodies.follow(&[target(0, WAYS[0], STEP * frame as f32, &*ground)], STEP);
            let member = &bodies.members()[0];
            let skeleton = CAST.looks()[member.role.look].skeleton();
            let model = throng::motion::ModelPose::of(skeleton, &member.world_pose());
            let at = |landmark| model.position(skeleton.landmark(landmark).unwrap());
            let back = at(Landmark::Neck1) - at(Landmark::Hips);
            if frame >= 50 {
                sum += back.x.atan2(back.y).to_degrees();
            }
        }
        sum / 100.0
    };
    let [level, up, down] = [0.0, 15.0, -15.0].map(lean);
    println!("leans by {level:.1}° on the level, {up:.1}° uphill and {down:.1}° downhill");
    // The upper joints of a spine count less for where its top is.
    assert!((3.0..8.0).contains(&(up - level)), "{up} {level}");
    assert!((-3.0..0.0).contains(&(down - level)), "{down} {level}");
}
