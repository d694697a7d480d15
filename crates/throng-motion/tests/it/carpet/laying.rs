//! How carpets are laid makes no difference to where they lie.

use glam::{Vec2, Vec3};
use throng_base::ground::{Ground, Relief, Surface};
use throng_motion::carpet::{self, CarpetOptions, Character};
use throng_motion::{Pose, RootMotion};

use super::stage::*;

/// Ground that says it has storeys, so that it is asked row by row, each with the heights of the one before.
struct RowByRow<G>(G);

impl<G: Ground> Ground for RowByRow<G> {
    fn at(&self, place: Vec2, hint: f32) -> Option<Surface> {
        self.0.at(place, hint)
    }
}

/// Dunes with holes in them.
fn height(place: Vec2) -> f32 {
    let hole = (2.3 * place.x).sin() * (1.9 * place.y + 0.4).sin() > 0.8;
    if hole { f32::NAN } else { 0.2 * (1.1 * place.x).sin() + 0.15 * (1.4 * place.y).cos() }
}

/// Poses of somebody on a line that changes and of somebody on the world, frame by frame.
fn poses(ground: &dyn Ground) -> Vec<Pose> {
    assert!(RowByRow(Relief(height)).has_storeys() && !Relief(height).has_storeys());
    let on_line = walker(CarpetOptions::default());
    let on_world = Character::on_world(RIG.clone(), CarpetOptions::default()).unwrap();
    let mut characters = [on_line, on_world];
    let mut poses = Vec::new();
    let mut pose = Pose::default();
    for frame in 0..120 {
        let time = STEP * frame as f32;
        let [on_line, on_world] = &mut characters;
        if frame % 6 == 0 {
            let (root, heading) = on_line.root();
            let bend = (0.9 * time).sin();
            on_line.follow((0..12).map(|point| {
                let ahead = 0.25 * point as f32;
                let (sin, cos) = (heading as f32 + bend * 0.4 * ahead).sin_cos();
                Vec3::new(root.x as f32 + ahead * sin, 0.0, root.y as f32 + ahead * cos)
            }));
        }
        on_line.advance(SPEED * STEP);
        WALK.sample(time, &mut pose);
        // Faster than a row in a frame, and back.
        let translation = Vec3::new(7.0 * (0.7 * time).sin(), 0.0, 9.0 * (0.5 * time).sin());
        on_world.show(&pose, RootMotion { translation, yaw: time }, &[]);
        carpet::step(&mut characters, ground, STEP);
        poses.extend(characters.iter().map(|character| character.pose().clone()));
    }
    poses
}

#[test]
fn all_at_once_or_row_by_row() {
    let at_once = poses(&Relief(height));
    let row_by_row = poses(&RowByRow(Relief(height)));
    for (index, (a, b)) in at_once.iter().zip(&row_by_row).enumerate() {
        // Only heights are asked for differently: `at` finds them by the same function.
        assert_eq!(a, b, "frame {}", index / 2);
    }
}

#[test]
fn a_window_that_slid_lies_where_a_new_one_would() {
    let ground = Relief(|place: Vec2| 0.1 * (0.8 * place.x).sin() + 0.12 * (0.7 * place.y).cos());
    let mut slid = Character::on_world(RIG.clone(), CarpetOptions::default()).unwrap();
    let pose = Pose::rest(HUMAN.skeleton());
    let placement = |frame: usize| RootMotion {
        translation: Vec3::new(0.11 * frame as f32, 0.0, -0.06 * frame as f32),
        yaw: 0.3,
    };
    for frame in 0..60 {
        slid.show(&pose, placement(frame), &[]);
        carpet::step(std::slice::from_mut(&mut slid), &ground, STEP);
    }
    let mut new = Character::on_world(RIG.clone(), CarpetOptions::default()).unwrap();
    new.show(&pose, placement(59), &[]);
    carpet::step(std::slice::from_mut(&mut new), &ground, STEP);
    let near = |character: &Character| {
        let anchor = character.carpet().anchor().as_vec3();
        character.targets().iter().map(|at| Vec3::from(*at) + anchor).collect::<Vec<_>>()
    };
    for (a, b) in near(&slid).iter().zip(near(&new)) {
        assert!((*a - b).length() < 1e-4, "{a} {b}");
    }
}
