//! Crowds on the uneven ground of the scenes that are shipped, pose by pose.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use glam::Vec3A;
use throng::base::frame::ground_to_world;
use throng::bodies::{Cast, Footing, Stances};
use throng::motion::ModelPose;
use throng::{Engine, Scene};

/// What was seen of a crowd.
#[derive(Debug, Default)]
struct Seen {
    poses: usize,
    /// Poses in which the body was pulled after the simulator.
    pulled: usize,
    /// Feet that stood from one frame to the next.
    stood: usize,
    /// Of these, the ones that slid by more than 1 mm in 1/25 s.
    dragged: usize,
    /// How far feet slid in whole stances, m.
    slid: Vec<f32>,
    /// How often feet were more than 1 cm in the ground, or all of them more than 2 cm above it, though there was
    /// ground; and how far otherwise, m.
    off: usize,
    sunk: f32,
    floated: f32,
    /// Feet of people that should stand, and of those the ones that were let go over an edge.
    standing: usize,
    let_go: usize,
    /// How fast the fastest joint went against the body, m/s, in every pose; and at most while a foot was let go.
    speeds: Vec<f32>,
    fastest_let_go: f32,
}

/// The value that a part of all are below.
fn quantile(values: &mut [f32], part: f64) -> f32 {
    values.sort_by(f32::total_cmp);
    values[((values.len() - 1) as f64 * part) as usize]
}

fn watch(scene: &str, seed: u64, seconds: f64) -> Seen {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(scene);
    let mut scene = Scene::load(path).expect("a shipped scene");
    scene.settings.seed = seed;
    // A foot that rolls and turns within a longer step seems to slide.
    scene.settings.step = scene.settings.step.min(0.05);
    let step = scene.settings.step as f32;
    let cast = Arc::new(Cast::for_scene(4, Some(&scene)).expect("a cast"));
    let mut engine = Engine::new(scene).expect("everybody has a place");
    engine.set_bodies(Some(cast.clone()));
    engine.step();
    let mut stances = Stances::of(engine.bodies().expect("bodies"));
    let mut seen = Seen::default();
    let mut before: BTreeMap<u32, Vec<Vec3A>> = BTreeMap::new();
    while engine.time() < seconds {
        engine.step();
        let bodies = engine.bodies().expect("bodies");
        stances.watch(bodies.members(), engine.time(), step, |footing| {
            let (person, slid, above) = match footing {
                Footing::Stood { person, slid, above, .. } => (person, slid, above),
                Footing::Left(stance) => return seen.slid.push(stance.slid),
            };
            seen.stood += 1;
            seen.dragged += usize::from(slid * 0.04 / step > 0.001);
            let member = bodies.member(person).expect("a body");
            let on_ground = member.on_carpet().is_none_or(|report| !report.unsupported);
            if !on_ground {
                return;
            }
            if (-0.01..0.02).contains(&above) {
                seen.sunk = seen.sunk.max(-above);
                seen.floated = seen.floated.max(above);
            } else {
                seen.off += 1;
            }
        });
        let mut now = BTreeMap::new();
        for member in bodies.members() {
            seen.poses += 1;
            seen.pulled += usize::from(member.is_pulled());
            let contacts = member.played().map(|played| played.feet.map(|foot| foot.contact));
            let told = (0..2).filter(|foot| contacts.is_some_and(|told| told[*foot].is_some()));
            let let_go = told.clone().filter(|foot| !member.bears(*foot)).count();
            seen.standing += told.count();
            seen.let_go += let_go;
            let skeleton = cast.looks()[member.role.look].skeleton();
            let model = ModelPose::of(skeleton, &member.world_pose());
            let body = Vec3A::from(ground_to_world(member.position(), 0.0));
            let places: Vec<Vec3A> = model.positions.iter().map(|at| *at - body).collect();
            if let Some(before) = before.get(&member.id) {
                let moved = places.iter().zip(before).map(|(now, then)| now.distance(*then));
                let speed = moved.fold(0.0, f32::max) / step;
                seen.speeds.push(speed);
                if let_go > 0 {
                    seen.fastest_let_go = seen.fastest_let_go.max(speed);
                }
            }
            now.insert(member.id, places);
        }
        before = now;
    }
    seen
}

#[test]
fn feet_stand_and_nothing_pops() {
    // What is walked on, with which seed, and for how long.
    let mut runs: Vec<(&str, u64, f64)> = (0..2).map(|seed| ("terrace.toml", seed, 60.0)).collect();
    runs.extend([("rocks.toml", 2, 40.0), ("hills.toml", 2, 15.0), ("hill-town.toml", 2, 15.0)]);
    runs.extend([("station.toml", 2, 40.0), ("two-floors.toml", 2, 20.0)]);
    for (scene, seed, seconds) in runs {
        let mut seen = watch(scene, seed, seconds);
        let slid = [0.999, 1.0].map(|part| quantile(&mut seen.slid, part));
        let speeds = [0.5, 0.999, 1.0].map(|part| quantile(&mut seen.speeds, part));
        println!(
            "{scene:15} seed {seed}, {} stances: slid {:.2} mm, {:.1} mm at most; of {} standing feet {} dragged, {} off the \
             ground, the others sunk {:.1} mm, floated {:.1} mm; {} of {} poses pulled; {} of {} feet let go; joints at \
             {speeds:.1?} m/s, {:.1} at most when let go",
            seen.slid.len(),
            1e3 * slid[0],
            1e3 * slid[1],
            seen.stood,
            seen.dragged,
            seen.off,
            1e3 * seen.sunk,
            1e3 * seen.floated,
            seen.pulled,
            seen.poses,
            seen.let_go,
            seen.standing,
            seen.fastest_let_go,
        );
        assert!(seen.stood > 25_000 && seen.slid.len() > 1000, "{scene}: feet do stand");
        assert!(slid[0] <= 0.001 && slid[1] < 0.03, "{scene}: {slid:?}");
        assert!(seen.dragged * 10_000 < seen.stood, "{scene}: {} dragged", seen.dragged);
        assert!(seen.off * 20_000 <= seen.stood, "{scene}: {}", seen.off);
        assert!(seen.pulled * 1000 < seen.poses, "{scene}: {} pulled", seen.pulled);
        assert!(seen.let_go * 100 < seen.standing, "{scene}: {} let go", seen.let_go);
        assert!(speeds[1] < 5.0 && speeds[2] < 10.0, "{scene}: {speeds:?}");
        // Who turns round on stairs lets go of a foot and takes it along.
        assert!(seen.fastest_let_go < 6.5, "{scene}: {}", seen.fastest_let_go);
    }
}
