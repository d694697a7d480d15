//! A four-legged body with a walk made by code: the same carpet carries it.

use std::f32::consts::TAU;
use std::sync::{Arc, LazyLock};

use glam::{FloatExt as _, Quat, Vec2, Vec3, Vec3A};
use throng_base::ground::Relief;
use throng_motion::carpet::{CarpetOptions, Character, Cycle, CycleParts, Foot, Rig, SolePoint};
use throng_motion::{Joint, JointId, Landmarks, ModelPose, Pose, Skeleton, Span};

use super::stage::walk;

pub const SPEED: f32 = 0.9;
const STRIDE: f32 = 0.8;
const FRAMES: usize = 35;
/// Left hind, left fore, right hind, right fore: when each strikes.
const STRIKES: [f32; 4] = [0.0, 0.25, 0.5, 0.75];
const DUTY: f32 = 0.66;
const UPPER: f32 = 0.27;
const LOWER: f32 = 0.27;

pub static RIG: LazyLock<Arc<Rig>> = LazyLock::new(|| Arc::new(rig()));
pub static CYCLE: LazyLock<Arc<Cycle>> = LazyLock::new(|| Arc::new(cycle(&RIG)));

/// A body that is longer than it is tall needs more carpet.
pub fn options() -> CarpetOptions {
    CarpetOptions { rows: 28, back: 1.2, ..CarpetOptions::default() }
}

pub fn walker(options: CarpetOptions) -> Character {
    Character::on_line(RIG.clone(), CYCLE.clone(), Vec3::ZERO, 0.0, options).unwrap()
}

fn skeleton() -> Skeleton {
    let mut joints: Vec<Joint> = Vec::new();
    let mut add = |name: &str, parent: Option<usize>, at: Vec3| {
        joints.push(Joint {
            name: name.into(),
            parent: parent.map(JointId::new),
            translation: at,
            rotation: Quat::IDENTITY,
        });
        joints.len() - 1
    };
    let croup = add("croup", None, Vec3::new(0.0, 0.55, -0.3));
    let loin = add("loin", Some(croup), Vec3::new(0.0, 0.02, 0.2));
    let back = add("back", Some(loin), Vec3::new(0.0, 0.0, 0.2));
    let withers = add("withers", Some(back), Vec3::new(0.0, 0.0, 0.2));
    let neck = add("neck", Some(withers), Vec3::new(0.0, 0.15, 0.15));
    let head = add("head", Some(neck), Vec3::new(0.0, 0.12, 0.1));
    add("nose", Some(head), Vec3::new(0.0, -0.04, 0.2));
    let mut tail = croup;
    for piece in 0..4 {
        tail = add(&format!("tail{piece}"), Some(tail), Vec3::new(0.0, -0.03, -0.11));
    }
    for (name, parent, side) in
        [("lh", croup, 1.0), ("lf", withers, 1.0), ("rh", croup, -1.0), ("rf", withers, -1.0)]
    {
        let top = add(&format!("{name} top"), Some(parent), Vec3::new(0.09 * side, -0.03, 0.0));
        let bend = add(&format!("{name} bend"), Some(top), Vec3::new(0.0, -UPPER, 0.0));
        let foot = add(&format!("{name} foot"), Some(bend), Vec3::new(0.0, -LOWER, 0.0));
        add(&format!("{name} toe"), Some(foot), Vec3::new(0.0, -0.01, 0.04));
    }
    Skeleton::new(joints, Landmarks::default()).unwrap()
}

fn rig() -> Rig {
    let skeleton = Arc::new(skeleton());
    let feet = ["lh", "lf", "rh", "rf"]
        .map(|name| {
            let joint = |part: &str| skeleton.find(&format!("{name} {part}")).unwrap();
            let corner = |part, offset| SolePoint { joint: joint(part), offset, radius: 0.0 };
            Foot {
                first: joint("top"),
                middle: joint("bend"),
                end: joint("foot"),
                pole: if name.ends_with('h') { Vec3::Z } else { Vec3::NEG_Z },
                ahead: Vec3::Z,
                sole: vec![
                    corner("foot", Vec3::new(0.0, -0.03, 0.0)),
                    corner("toe", Vec3::new(0.0, -0.02, 0.01)),
                ],
                pivot: 0,
            }
        })
        .to_vec();
    Rig::new(skeleton, feet, 0.75, 0.0).unwrap()
}

/// The pose at a phase: feet that stand or swing, legs bent to reach them, a tail and a head that nod.
fn pose(rig: &Rig, phase: f32) -> Pose {
    let skeleton = rig.skeleton();
    let mut pose = Pose::rest(skeleton);
    pose.root = Vec3A::new(0.0, 0.495 + 0.008 * (2.0 * TAU * phase).cos(), -0.3 + STRIDE * phase);
    let set = |pose: &mut Pose, name: &str, turn: Quat| {
        pose.rotations[skeleton.find(name).unwrap().index()] = turn;
    };
    set(&mut pose, "neck", Quat::from_rotation_x(0.08 * (2.0 * TAU * phase).sin()));
    set(&mut pose, "tail0", Quat::from_rotation_y(0.3 * (TAU * phase).sin()));
    let model = ModelPose::of(skeleton, &pose);
    for (foot, strike) in rig.feet().iter().zip(STRIKES) {
        let since = (phase - strike).rem_euclid(1.0);
        let top = model.position(foot.first);
        let home = skeleton.rest_position(foot.first).z + 0.3;
        // Where it struck, or on its way to where it will.
        let struck = home - 0.3 + STRIDE * (phase - since) + 0.5 * DUTY * STRIDE;
        let (z, lift) = if since < DUTY {
            (struck, 0.0)
        } else {
            let part = (since - DUTY) / (1.0 - DUTY);
            let eased = part.smoothstep(0.0, 1.0);
            (struck + STRIDE * eased, 0.07 * (0.5 * TAU * part).sin().powi(2))
        };
        let to = Vec3::new(top.x, 0.03 + lift, z) - top;
        let distance = to.length().min(UPPER + LOWER - 1e-3);
        let line = to.y.atan2(to.z);
        let bend = (0.5 * distance / UPPER).clamp(-1.0, 1.0).acos() * foot.pole.z;
        // Angles about -x from straight down.
        let upper = line + 0.25 * TAU + bend;
        let lower = line + 0.25 * TAU - bend;
        pose.rotations[foot.first.index()] = Quat::from_rotation_x(-upper);
        pose.rotations[foot.middle.index()] = Quat::from_rotation_x(upper - lower);
        pose.rotations[foot.end.index()] = Quat::from_rotation_x(lower);
    }
    pose
}

fn cycle(rig: &Rig) -> Cycle {
    let poses = (0..FRAMES).map(|frame| pose(rig, frame as f32 / FRAMES as f32)).collect();
    let contacts = STRIKES.map(|strike| vec![Span { start: strike, length: DUTY }]).to_vec();
    let parts = CycleParts { poses, travel: STRIDE, period: STRIDE / SPEED, contacts };
    let options = CarpetOptions::default();
    let weighting = options.weighting(rig.height());
    Cycle::new(rig, parts, options.spacing, options.columns / 2, &weighting).unwrap()
}

#[test]
fn the_walk_made_by_code_has_its_feet_on_the_ground() {
    for frame in 0..FRAMES {
        let phase = frame as f32 / FRAMES as f32;
        let model = ModelPose::of(RIG.skeleton(), &pose(&RIG, phase));
        for (foot, strike) in RIG.feet().iter().zip(STRIKES) {
            let height = model.position(foot.end).y;
            let stands = (phase - strike).rem_euclid(1.0) < DUTY;
            assert!(height > 0.029 && (!stands || height < 0.032), "{phase}: {height}");
        }
    }
}

#[test]
fn four_legs_walk_over_dunes_and_lean_with_them() {
    let ground = Relief(|place: Vec2| 0.18 * (1.2 * place.y).sin() + 0.05 * (2.0 * place.x).cos());
    let mut character = walker(options());
    let mut steepest: f32 = 0.0;
    let feet = walk(&mut character, &ground, 150, |_, character| {
        let at =
            |name: &str| character.model().position(character.rig().skeleton().find(name).unwrap());
        let trunk = at("withers") - at("croup");
        steepest = steepest.max((trunk.y / trunk.length()).abs());
    });
    // Thirty-five frames do not hold feet quite still between them.
    let flat = walk(&mut walker(options()), &throng_base::ground::Level, 150, |_, _| {});
    println!("{feet:?} {steepest}, flat {flat:?}");
    assert!(steepest > 0.1, "the trunk follows the slope: {steepest}");
    assert!(feet.sunk < 0.01 && feet.floated < 0.02 && feet.slid < flat.slid + 0.001, "{feet:?}");
}
