//! Crowds on the uneven ground of the scenes that are shipped, pose by pose.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use glam::Vec3A;
use throng::bodies::{Cast, Footing, Stances};
use throng::motion::ModelPose;
use throng::world::frame::ground_to_world;
use throng::{Engine, Scene};

/// What was seen of a crowd.
#[derive(Debug, Default)]
struct Seen {
    poses: usize,
    /// Whose feet were dragged along because they were too far from where they should be.
    dragged: usize,
    /// Feet that stood from one frame to the next.
    stood: usize,
    /// How far feet slid that slid by more than 2 mm though nobody was dragged, m.
    slid: Vec<f32>,
    sunk: f32,
    floated: f32,
    /// Feet of people that should stand, and of those the ones that were let go over an edge.
    standing: usize,
    let_go: usize,
    /// How fast the fastest joint went against the body, m/s, in every pose; and at most while a foot was let go.
    speeds: Vec<f32>,
    fastest_let_go: f32,
}

impl Seen {
    fn speed(&mut self, part: f64) -> f32 {
        self.speeds.sort_by(f32::total_cmp);
        self.speeds[((self.speeds.len() - 1) as f64 * part) as usize]
    }
}

fn watch(scene: &str, seconds: f64) -> Seen {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(scene);
    let scene = Scene::load(path).expect("a shipped scene");
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
            let Footing::Stood { person, slid, above, .. } = footing else { return };
            seen.stood += 1;
            seen.sunk = seen.sunk.max(-above);
            seen.floated = seen.floated.max(above);
            if slid > 0.002 && !bodies.member(person).expect("a body").is_dragged() {
                seen.slid.push(slid);
            }
        });
        let mut now = BTreeMap::new();
        for member in bodies.members() {
            seen.poses += 1;
            seen.dragged += usize::from(member.is_dragged());
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
    // What is walked on, for how long, and how fast joints may go at most, m/s: steps ask for quick feet.
    for (scene, seconds, fastest) in [
        ("terrace.toml", 60.0, 8.0),
        ("rocks.toml", 40.0, 8.0),
        ("hills.toml", 15.0, 6.5),
        ("hill-town.toml", 15.0, 6.5),
    ] {
        let mut seen = watch(scene, seconds);
        let furthest = seen.slid.iter().copied().fold(0.0, f32::max);
        let speeds = [0.5, 0.999, 1.0].map(|part| seen.speed(part));
        println!(
            "{scene:15} {} stances: {} slid without being dragged (at most {:.1} mm), sunk {:.1} mm, floated {:.1} mm; \
             {} of {} poses dragged; {} of {} feet let go; joints at {speeds:.1?} m/s, {:.1} at most when let go",
            seen.stood,
            seen.slid.len(),
            1e3 * furthest,
            1e3 * seen.sunk,
            1e3 * seen.floated,
            seen.dragged,
            seen.poses,
            seen.let_go,
            seen.standing,
            seen.fastest_let_go,
        );
        assert!(seen.stood > 50_000, "{scene}: feet do stand");
        assert!(seen.slid.len() * 10_000 <= seen.stood, "{scene}: {:?}", seen.slid);
        assert!(furthest < 0.01, "{scene}: {:?}", seen.slid);
        assert!(seen.sunk < 0.01 && seen.floated < 0.02, "{scene}");
        assert!(seen.dragged * 1000 < seen.poses, "{scene}: {} dragged", seen.dragged);
        assert!(seen.let_go * 100 < seen.standing, "{scene}: {} let go", seen.let_go);
        assert!(speeds[1] < 5.0 && speeds[2] < fastest, "{scene}: {speeds:?}");
        assert!(seen.fastest_let_go < 5.5, "{scene}: {}", seen.fastest_let_go);
    }
}
