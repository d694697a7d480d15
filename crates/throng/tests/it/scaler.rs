//! Levels of detail: who gets which, and that nobody jumps when they change.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests too")]

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use glam::{Quat, Vec3, Vec3A};
use proptest::prelude::*;
use throng::bodies::variety::sameness::gap;
use throng::bodies::{Cast, LodBodies, Member};
use throng::crowd::PersonId;
use throng::motion::{Landmark, ModelPose, Pose};
use throng::scaler::{BodyLevel, Budget, Effort, Scaler, ScalerOptions, Subject, View};
use throng::world::scene::Species;
use throng::{Engine, PipelineStage, Scene};

use crate::common::SHARED_FROM;

static CAST: LazyLock<Arc<Cast>> = LazyLock::new(|| Arc::new(Cast::new(3).unwrap()));

/// People who stroll about in a square.
fn square(people: usize, half: u32) -> Engine {
    let text = format!(
        r#"
format = 1
[simulation]
step = 0.04
[world]
bounds = [[-{half}, -{half}], [{half}, {half}]]
[[regions]]
name = "square"
rectangle = [[-{half}, -{half}], [{half}, {half}]]
[[groups]]
name = "people"
goals = [{{ seek = {{ random = "square" }}, duration = 30 }}, {{ idle = 1 }}]
then = "repeat"
crowds = [{{ count = {people}, region = "square" }}]
"#
    );
    Engine::new(Scene::parse_plan("square.toml", &text).unwrap()).unwrap()
}

fn scaled(people: usize, half: u32, options: ScalerOptions) -> Engine {
    let mut engine = square(people, half);
    engine.set_scaling(Some(options));
    engine.set_bodies(Some(CAST.clone()));
    engine
}

/// A camera at eye height that flies around the middle.
fn flight(time: f32) -> View {
    let eye = Quat::from_rotation_y(0.15 * time) * Vec3::new(0.0, 3.0, 22.0);
    View::new(eye, Vec3::new(-eye.x, -2.0, -eye.z))
}

fn subjects(places: &[Vec3]) -> Vec<Subject> {
    let subject = |(id, place): (u32, &Vec3)| Subject { id, place: *place, importance: 0.0 };
    (0..).zip(places).map(subject).collect()
}

fn bodies(scaler: &Scaler) -> Vec<BodyLevel> {
    scaler.levels().map(|(_, levels)| levels.body).collect()
}

#[test]
fn the_nearest_get_bodies_and_budgets_are_kept() {
    let places: Vec<Vec3> =
        (0..1000).map(|i| Vec3::new(0.0, 0.0, -1.0 - 0.05 * i as f32)).collect();
    let view = View::new(1.7 * Vec3::Y, Vec3::NEG_Z);
    let budget = Budget { full: 40, posed: 100, ..Budget::default() };
    let mut scaler = Scaler::new(ScalerOptions { budget, ..ScalerOptions::default() });
    let census = *scaler.judge(subjects(&places), &[view], 0.04);
    assert_eq!((census.of(BodyLevel::Full), census.of(BodyLevel::Posed)), (40, 100));
    let levels = bodies(&scaler);
    assert!(levels.is_sorted_by(|near, far| near >= far), "nearer is better");
    // Without limits, sizes decide: 140 pixels are 14.5 m away.
    let budget = Budget { full: 1000, posed: 1000, ..Budget::default() };
    let mut scaler = Scaler::new(ScalerOptions { budget, ..ScalerOptions::default() });
    let census = *scaler.judge(subjects(&places), &[view], 0.04);
    let furthest = 1.0 + 0.05 * census.of(BodyLevel::Full) as f32;
    assert!((furthest - 1080.0 * 1.75 / (2.0 * 25f32.to_radians().tan() * 140.0)).abs() < 0.3);
    // Nobody has anything behind the camera.
    let behind: Vec<Vec3> = places.iter().map(|place| -*place + 2.0 * Vec3::Z).collect();
    let census = *scaler.judge(subjects(&behind), &[view], 0.04);
    assert_eq!(census.of(BodyLevel::Unseen), 1000);
}

#[test]
fn whoever_has_fallen_lies_though_others_so_far_away_are_pictures() {
    let text = r#"
format = 1
[simulation]
step = 0.04
[world]
bounds = [[-20, -20], [20, 20]]
[[groups]]
name = "people"
steering = { model = "hidac" }
people = [{ position = [0, 0] }, { position = [5, 0] }]
"#;
    let mut engine = Engine::new(Scene::parse_plan("fall.toml", text).unwrap()).unwrap();
    engine.set_scaling(Some(ScalerOptions::default()));
    engine.set_bodies(Some(CAST.clone()));
    engine.set_views(&[View::new(Vec3::new(0.0, 2.0, 100.0), Vec3::NEG_Z)]);
    let fallen = engine.crowd().people().next().unwrap().id;
    engine.step();
    let level = |engine: &Engine, id: PersonId| engine.scaler().unwrap().level(id.0).unwrap().body;
    assert!(level(&engine, fallen) < BodyLevel::Full);
    assert!(engine.crowd_mut().trip(fallen));
    (0..5).for_each(|_| engine.step());
    assert_eq!(level(&engine, fallen), BodyLevel::Full);
    let other = engine.crowd().people().nth(1).unwrap().id;
    assert!(level(&engine, other) < BodyLevel::Full);
}

#[test]
fn everybody_gets_the_best_that_any_view_asks_for() {
    let places =
        [Vec3::new(0.0, 0.0, -3.0), Vec3::new(200.0, 0.0, -3.0), Vec3::new(0.0, 0.0, 300.0)];
    let here = View::new(1.7 * Vec3::Y, Vec3::NEG_Z);
    let there = View { eye: Vec3::new(200.0, 1.7, 0.0), ..here };
    let levels = |views: &[View]| {
        let mut scaler = Scaler::new(ScalerOptions::published());
        scaler.judge(subjects(&places), views, 0.04);
        scaler.levels().map(|(_, levels)| (levels.body, levels.effort)).collect::<Vec<_>>()
    };
    let full = (BodyLevel::Full, Effort::Full);
    let nothing = (BodyLevel::Unseen, Effort::Path);
    assert_eq!(levels(&[here]), [full, nothing, nothing]);
    assert_eq!(levels(&[there]), [nothing, full, nothing]);
    assert_eq!(levels(&[here, there]), [full, full, nothing]);
    assert_eq!(levels(&[]), [nothing; 3]);
    // Who is important has a body wherever they are seen, and is simulated better everywhere.
    let mut scaler = Scaler::new(ScalerOptions::published());
    let star = Subject { id: 7, place: Vec3::new(0.0, 0.0, -150.0), importance: 1.0 };
    scaler.judge([star], &[here], 0.04);
    assert_eq!(scaler.level(7).unwrap().body, BodyLevel::Full);
    assert_eq!(scaler.level(7).unwrap().effort, Effort::Full);
}

#[test]
fn nobody_changes_to_and_fro_while_the_camera_creeps() {
    let places: Vec<Vec3> = (0..600)
        .map(|i| Vec3::new((i % 25) as f32 - 12.0, 0.0, -0.5 - 1.3 * (i / 25) as f32))
        .collect();
    let budget = Budget { full: 60, posed: 200, ..Budget::default() };
    let mut scaler = Scaler::new(ScalerOptions { budget, ..ScalerOptions::default() });
    let mut before: Option<Vec<BodyLevel>> = None;
    let mut changes = vec![0; places.len()];
    let seconds = 20.0;
    for frame in 0..(25.0 * seconds) as usize {
        let time = 0.04 * frame as f32;
        // To and fro and to the side by centimetres, as a hand does, and ahead by 0.2 m/s.
        let shake = Vec3::new(
            0.05 * (9.0 * time).sin(),
            0.02 * (7.0 * time).cos(),
            0.05 * (11.0 * time).sin(),
        );
        let view = View::new(Vec3::new(0.0, 1.7, 3.0 - 0.2 * time) + shake, Vec3::NEG_Z);
        scaler.judge(subjects(&places), &[view], 0.04);
        let now = bodies(&scaler);
        if let Some(before) = &before {
            for (count, (now, before)) in changes.iter_mut().zip(now.iter().zip(before)) {
                *count += usize::from(now != before);
            }
        }
        before = Some(now);
    }
    let most = *changes.iter().max().unwrap();
    let all: usize = changes.iter().sum();
    println!("at most {most} changes in {seconds} s, {all} in all");
    assert!(most <= 8 && all < 600, "{most} {all}");
}

/// A camera as a page of the studio tells it: a few times a second, to centimetres, and its picture counts as twice as large.
fn told(eye: Vec3, direction: Vec3) -> View {
    let rounded = |place: Vec3, step: f32| (place / step).round() * step;
    let pixels = 2.0 * 700.0;
    View {
        field: 38f32.to_radians(),
        pixels,
        ..View::new(rounded(eye, 0.05), rounded(direction.normalize(), 0.01))
    }
}

#[test]
fn a_slow_dolly_changes_nobody_more_than_twice_in_a_second() {
    // Ahead through the crowd, past it, up from it, and back: people walk about meanwhile.
    let dollies = [
        (Vec3::new(0.0, 1.7, 30.0), Vec3::new(0.0, 0.0, -0.6), Vec3::new(0.0, -0.05, -1.0)),
        (Vec3::new(-12.0, 3.0, 32.0), Vec3::new(0.8, 0.0, 0.0), Vec3::new(0.0, -0.1, -1.0)),
        (Vec3::new(0.0, 2.0, 34.0), Vec3::new(0.0, 0.5, 0.0), Vec3::new(0.0, -0.25, -1.0)),
        (Vec3::new(4.0, 1.7, 20.0), Vec3::new(0.0, 0.0, 0.6), Vec3::new(-0.1, -0.05, -1.0)),
    ];
    let budget = Budget { full: 100, posed: 500, ..Budget::default() };
    for (begin, velocity, direction) in dollies {
        let mut engine = square(700, 30);
        engine.set_scaling(Some(ScalerOptions { budget, ..ScalerOptions::default() }));
        let mut before: BTreeMap<u32, BodyLevel> = BTreeMap::new();
        // When each person changed, in frames of 0.04 s, and to what.
        let mut changes: BTreeMap<u32, Vec<(usize, BodyLevel)>> = BTreeMap::new();
        for frame in 0..400 {
            if frame % 4 == 0 {
                let eye = begin + 0.04 * frame as f32 * velocity;
                engine.set_views(&[told(eye, direction)]);
            }
            engine.step();
            for (id, levels) in engine.scaler().unwrap().levels() {
                let Some(was) = before.insert(id, levels.body).filter(|was| *was != levels.body)
                else {
                    continue;
                };
                let changes = changes.entry(id).or_default();
                // Who comes near by two levels within half a second has changed once.
                let comes_nearer = levels.body > was
                    && changes.last().is_some_and(|&(last, to)| to == was && frame < last + 13);
                match changes.last_mut().filter(|_| comes_nearer) {
                    Some(last) => last.1 = levels.body,
                    None => changes.push((frame, levels.body)),
                }
            }
        }
        let in_a_second = |changes: &Vec<(usize, BodyLevel)>| {
            let count = |(from, _): &(usize, BodyLevel)| {
                changes.iter().filter(|(frame, _)| (*from..from + 25).contains(frame)).count()
            };
            changes.iter().map(count).max().unwrap_or(0)
        };
        let most = changes.values().map(in_a_second).max().unwrap();
        let all: usize = changes.values().map(Vec::len).sum();
        println!("{all} changes of {} people, at most {most} in a second", changes.len());
        assert!(all > 200, "levels do change: {all}");
        let fastest = changes.values().max_by_key(|changes| in_a_second(changes));
        assert!(most <= 2, "{most}: {fastest:?}");
    }
}

#[test]
fn views_and_people_that_are_none_give_levels_all_the_same() {
    let view = View::new(1.7 * Vec3::Y, Vec3::NEG_Z);
    let odd = [
        View { pixels: 0.0, ..view },
        View { aspect: 0.0, ..view },
        View { aspect: f32::NAN, ..view },
        View { field: 0.0, ..view },
        View { field: 4.0, ..view },
        View { direction: Vec3::ZERO, ..view },
        View { direction: Vec3::NAN, ..view },
        View { eye: Vec3::splat(f32::INFINITY), ..view },
        View { direction: Vec3::NEG_Y, ..view },
    ];
    let places = [Vec3::ZERO, Vec3::NAN, Vec3::new(0.0, 0.0, -4.0), Vec3::splat(f32::MAX)];
    for odd in odd {
        let mut scaler = Scaler::new(ScalerOptions::default());
        for seconds in [0.04, 0.0, f32::NAN, -1.0, f32::INFINITY] {
            scaler.judge(subjects(&places), &[odd], seconds);
            assert_eq!(scaler.level(1).unwrap().body, BodyLevel::Unseen);
        }
    }
    // A camera in somebody's head.
    let mut scaler = Scaler::new(ScalerOptions::default());
    let inside = View { eye: Vec3::new(0.0, 0.875, -4.0), ..view };
    scaler.judge(subjects(&places), &[inside], 0.04);
    assert_eq!(scaler.level(2).unwrap().body, BodyLevel::Full);
    let nothing = Duration::ZERO;
    let budget = Budget {
        full: 0,
        posed: 0,
        efforts: [0, 0],
        lookers: 0,
        animation: Some(nothing),
        simulation: Some(nothing),
        gaze: Some(nothing),
    };
    let mut scaler = Scaler::new(ScalerOptions { budget, ..ScalerOptions::default() });
    scaler.judge(subjects(&places), &[view], 0.04);
    assert_eq!(scaler.level(2).unwrap().body, BodyLevel::Impostor);
    assert_eq!(scaler.level(2).unwrap().effort, Effort::Path);
}

proptest! {
    #[test]
    fn budgets_hold_for_any_crowd_and_view(
        places in prop::collection::vec((-90f32..90.0, -3f32..9.0, -90f32..90.0), 0..300),
        eyes in prop::collection::vec(((-90f32..90.0, 0f32..30.0, -90f32..90.0), (-1f32..1.0, -1f32..1.0, -1f32..1.0)), 0..4),
        full in 0usize..60,
        posed in 0usize..90,
        efforts in (0usize..80, 0usize..80),
    ) {
        let places: Vec<Vec3> = places.into_iter().map(Vec3::from).collect();
        let views: Vec<View> =
            eyes.into_iter().map(|(eye, way)| View::new(eye.into(), way.into())).collect();
        let budget = Budget { full, posed, efforts: [efforts.0, efforts.1], ..Budget::default() };
        let mut scaler = Scaler::new(ScalerOptions { budget, ..ScalerOptions::default() });
        for _ in 0..3 {
            let census = *scaler.judge(subjects(&places), &views, 0.1);
            prop_assert!(census.of(BodyLevel::Full) <= full && census.of(BodyLevel::Posed) <= posed);
            prop_assert!(census.efforts[Effort::Full as usize] <= efforts.0);
            prop_assert!(census.efforts[Effort::Simple as usize] <= efforts.1);
            prop_assert_eq!(census.bodies.iter().sum::<usize>(), places.len());
            prop_assert_eq!(scaler.levels().len(), places.len());
        }
        // Nothing moves, nobody changes any more.
        prop_assert_eq!(scaler.judge(subjects(&places), &views, 0.1).changes, 0);
    }
}

/// Where joints are in the world.
fn joints(
    bodies: &LodBodies,
    role: &throng::bodies::variety::Descriptor,
    pose: &Pose,
) -> Vec<Vec3A> {
    let skeleton = bodies.ensemble().cast().looks()[role.look].skeleton();
    let mut model = ModelPose::of(skeleton, pose);
    let root = model.positions[0];
    model.positions.iter_mut().for_each(|at| *at = root + role.scale * (*at - root));
    model.positions
}

fn furthest(a: &[Vec3A], b: &[Vec3A]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

#[test]
fn who_changes_does_not_jump() {
    let budget = Budget { full: 30, posed: 400, ..Budget::default() };
    let mut engine = scaled(150, 14, ScalerOptions { budget, ..ScalerOptions::default() });
    // How far joints of bodies are from where they would be in the pose of an posed.
    let mut before: BTreeMap<u32, f32> = BTreeMap::new();
    let mut posed_bodies: BTreeMap<u32, Vec<Vec3A>> = BTreeMap::new();
    let (mut promoted, mut demoted, mut worst, mut usual) = (0, 0, 0f32, Vec::new());
    for frame in 0..600 {
        engine.set_views(&[flight(0.04 * frame as f32)]);
        engine.step();
        let bodies = engine.lod_bodies().unwrap();
        let mut now = BTreeMap::new();
        for member in bodies.ensemble().members() {
            let posed = bodies.posed_body(member.id).unwrap();
            let baked = posed.world_pose(&bodies.ensemble().cast().poses()[posed.role.look]);
            let off = furthest(
                &joints(bodies, &member.role, &member.world_pose()),
                &joints(bodies, &posed.role, &baked),
            );
            if !before.contains_key(&member.id) && posed_bodies.contains_key(&member.id) {
                promoted += 1;
                worst = worst.max(off);
            }
            now.insert(member.id, off);
        }
        let mut shown = BTreeMap::new();
        for (posed, level) in bodies.posed().filter(|(_, level)| *level >= BodyLevel::Posed) {
            assert_eq!(level, BodyLevel::Posed);
            if let Some(off) = before.get(&posed.id) {
                demoted += 1;
                worst = worst.max(*off);
            }
            let places = joints(
                bodies,
                &posed.role,
                &posed.world_pose(&bodies.ensemble().cast().poses()[posed.role.look]),
            );
            usual.extend(posed_bodies.get(&posed.id).map(|before| furthest(before, &places)));
            shown.insert(posed.id, places);
        }
        (before, posed_bodies) = (now, shown);
    }
    usual.sort_by(f32::total_cmp);
    let usual = [0.5, 0.999, 1.0].map(|part| usual[((usual.len() - 1) as f32 * part) as usize]);
    println!(
        "{promoted} promoted, {demoted} demoted: {worst} m at most; posed_bodies move by {usual:?} m"
    );
    assert!(promoted > 20 && demoted > 20, "{promoted} {demoted}");
    assert!(worst < 0.01, "{worst}");
    assert!(usual[1] < 0.35, "{usual:?}");
}

#[test]
fn feet_are_where_the_baked_frame_has_them_when_levels_change() {
    let budget = Budget { full: 30, posed: 400, ..Budget::default() };
    let mut engine = scaled(150, 14, ScalerOptions { budget, ..ScalerOptions::default() });
    let feet = [Landmark::LeftFoot, Landmark::RightFoot, Landmark::LeftToes, Landmark::RightToes];
    // What was shown in the frame before of those with bodies: feet, and where they were in their gait.
    let mut before: BTreeMap<u32, (f32, f32)> = BTreeMap::new();
    let mut posed_bodies: BTreeMap<u32, f32> = BTreeMap::new();
    let (mut switches, mut worst, mut phase, mut settled) = (0, 0f32, 0f32, Vec::new());
    for frame in 0..600 {
        engine.set_views(&[flight(0.04 * frame as f32)]);
        engine.step();
        let bodies = engine.lod_bodies().unwrap();
        let mut now = BTreeMap::new();
        for member in bodies.ensemble().members() {
            let posed = bodies.posed_body(member.id).unwrap();
            let skeleton = bodies.ensemble().cast().looks()[member.role.look].skeleton();
            let baked = posed.world_pose(&bodies.ensemble().cast().poses()[posed.role.look]);
            let [full, baked] =
                [member.world_pose(), baked].map(|pose| joints(bodies, &member.role, &pose));
            let apart = feet
                .into_iter()
                .filter_map(|foot| skeleton.landmark(foot))
                .map(|foot| full[foot.index()].distance(baked[foot.index()]))
                .fold(0.0, f32::max);
            let played = member.played().unwrap().phase;
            match (before.get(&member.id), posed_bodies.get(&member.id)) {
                // The first frame with a body, after one without.
                (None, Some(was)) => {
                    switches += 1;
                    worst = worst.max(apart);
                    phase = phase.max(gap(played, *was));
                }
                _ => settled.push(apart),
            }
            now.insert(member.id, (apart, played));
        }
        posed_bodies.clear();
        for (posed, _) in bodies.posed().filter(|(_, level)| *level == BodyLevel::Posed) {
            // The first frame without, after one with.
            if let Some((apart, was)) = before.get(&posed.id) {
                switches += 1;
                worst = worst.max(*apart);
                phase = phase.max(gap(posed.phase, *was));
            }
            posed_bodies.insert(posed.id, posed.phase);
        }
        before = now;
    }
    settled.sort_by(f32::total_cmp);
    let median = settled[settled.len() / 2];
    println!(
        "{switches} switches: feet {worst} m apart at most, gaits by {phase} of a cycle; {median} m with bodies"
    );
    assert!(switches > 40, "{switches}");
    assert!(worst < 0.03, "{worst}");
    // A step of 0.04 s is a twentieth of a cycle.
    assert!(phase < 0.1, "{phase}");
    assert!(median > 0.005, "bodies of their own are not the baked ones");
}

#[test]
fn a_camera_that_turns_round_moves_nobody() {
    let mut engine = scaled(120, 12, ScalerOptions::published());
    let mut before: Vec<_> = engine.crowd().people().map(|person| person.position).collect();
    for frame in 0..100 {
        let angle = 0.04 * frame as f32 * std::f32::consts::PI;
        let way = Quat::from_rotation_y(angle) * Vec3::NEG_Z;
        engine.set_views(&[View::new(1.7 * Vec3::Y, way)]);
        engine.step();
        let now: Vec<_> = engine.crowd().people().map(|person| person.position).collect();
        for (now, before) in now.iter().zip(&before) {
            assert!(now.distance(*before) < 0.25, "{now} {before}");
        }
        before = now;
    }
}

#[test]
fn the_same_views_give_the_same_bits_on_any_number_of_threads() {
    let run = |threads: usize| {
        let options = ScalerOptions { full_pixels: 45.0, ..ScalerOptions::published() };
        let mut engine = scaled(400, 30, options);
        engine.set_threads(threads).unwrap();
        engine.set_importance(PersonId(3), 1.0);
        for frame in 0..80 {
            engine.set_views(&[flight(0.1 * frame as f32)]);
            engine.step();
        }
        let bodies = engine.lod_bodies().unwrap();
        let members = bodies.ensemble().members().iter().map(Member::world_pose);
        assert!(members.len() >= SHARED_FROM, "{} bodies are too few for threads", members.len());
        let posed_bodies = bodies.posed().map(|(posed, level)| (*posed, level));
        let levels: Vec<_> = engine.scaler().unwrap().levels().collect();
        let places: Vec<_> = engine.crowd().people().map(|person| person.position).collect();
        (members.collect::<Vec<_>>(), posed_bodies.collect::<Vec<_>>(), levels, places)
    };
    let pool = |threads| rayon_pool(threads, move || run(threads));
    assert!(pool(1) == pool(3) && pool(1) == pool(16));
}

fn rayon_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[test]
fn stages_can_be_left_out() {
    let mut engine = scaled(40, 8, ScalerOptions::default());
    engine.set_views(&[View::new(Vec3::new(0.0, 3.0, 10.0), Vec3::new(0.0, -0.2, -1.0))]);
    engine.step();
    assert!(engine.lod_bodies().unwrap().ensemble().members().len() > 10);
    let pose = |engine: &Engine| engine.lod_bodies().unwrap().ensemble().members()[0].pose.clone();
    engine.enable(PipelineStage::Animator, false);
    let (before, time) = (pose(&engine), engine.time());
    engine.step();
    assert!(pose(&engine) == before && engine.time() > time);
    engine.enable(PipelineStage::Simulator, false);
    let time = engine.time();
    engine.step();
    assert_eq!(engine.time(), time);
    engine.enable(PipelineStage::Simulator, true);
    engine.enable(PipelineStage::Animator, true);
    engine.enable(PipelineStage::Scaler, false);
    engine.set_views(&[]);
    engine.step();
    assert!(engine.scaler().unwrap().census().of(BodyLevel::Full) > 10, "levels are kept");
    engine.enable(PipelineStage::Scaler, true);
    engine.step();
    assert_eq!(engine.scaler().unwrap().census().of(BodyLevel::Full), 0);
    // Without scaling, everybody is simulated in full and has a body again.
    engine.set_scaling(None);
    engine.step();
    assert_eq!(engine.bodies().unwrap().members().len(), 40);
    assert!(engine.crowd().people().all(|p| engine.crowd().effort(p.id) == Some(Effort::Full)));
}

#[test]
fn who_becomes_something_else_looks_like_it() {
    let scene = |species: &str| {
        let text = format!(
            "format = 1\n[world]\nbounds = [[-9, -9], [9, 9]]\n[[groups]]\nname = \"us\"\n\
             species = \"{species}\"\nradius = 0.25\nspeed = 1\n\
             people = [{{ position = [0, 0] }}, {{ position = [2, 0] }}]\n"
        );
        Scene::parse_plan("scene.toml", &text).unwrap()
    };
    let cast = Arc::new(Cast::with_animals(2, &[Species::Dog]).unwrap());
    let mut engine = Engine::new(scene("person")).unwrap();
    engine.set_scaling(Some(ScalerOptions::default()));
    engine.set_bodies(Some(cast.clone()));
    // Nobody sees the first of them.
    engine.set_views(&[View::new(Vec3::new(2.0, 1.5, 3.0), Vec3::new(0.3, -0.1, -1.0))]);
    for species in [Species::Person, Species::Dog, Species::Person] {
        engine.adopt(scene(species.name())).unwrap();
        engine.step();
        let bodies = engine.lod_bodies().unwrap();
        let looks =
            |id: u32| bodies.posed_body(id).map(|posed| cast.looks()[posed.role.look].species());
        assert_eq!([looks(0), looks(1)], [Some(species); 2]);
    }
}
