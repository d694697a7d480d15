//! Somebody who looks at things, in pictures: `cargo run -p throng-motion --example gaze -- OUT_DIRECTORY`.
//!
//! `shift.png` has one shift of gaze per row, from left to right: eyes, then head, then spine. `around.png` has the
//! same person looking at a ball in many places.

#[allow(dead_code, reason = "the turntable uses all of it")]
#[path = "../turntable/raster.rs"]
mod raster;

use std::path::{Path, PathBuf};

use glam::{Quat, Vec2, Vec3};
use raster::{Picture, View};
use throng_motion::gaze::{Anatomy, Bearings, Gaze, GazeOptions, Subject, Target, Turn};
use throng_motion::{Detail, Human, Landmark, Mesh, ModelPose, Outfit, Physique, Pose, Side};

type Fallible<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// From the eyes to the ball, m.
const DISTANCE: f32 = 0.45;
const SIZE: Vec2 = Vec2::new(290.0, 260.0);

fn main() -> Fallible {
    let directory = std::env::args().nth(1).map_or_else(|| PathBuf::from("."), PathBuf::from);
    std::fs::create_dir_all(&directory)?;
    let stage = Stage::new()?;
    stage.shift(&directory.join("shift.png"))?;
    stage.around(&directory.join("around.png"))
}

/// Who looks.
struct Stage {
    human: Human,
    anatomy: Anatomy,
    mesh: Mesh,
    base: Pose,
}

impl Stage {
    fn new() -> Fallible<Self> {
        let physique = Physique::typical(30.0, 1.0);
        let human = physique.human()?;
        let mut base = Pose::rest(human.skeleton());
        for side in Side::BOTH {
            let arm = human.joint(Landmark::upper_arm(side));
            base.rotations[arm.index()] = Quat::from_rotation_z(0.15 * side.sign());
        }
        Ok(Self {
            anatomy: Anatomy::of(human.skeleton())?,
            mesh: Mesh::body(&human, &physique, &Outfit::default(), Detail::Full)?,
            human,
            base,
        })
    }

    /// One row per target: the moments of a shift.
    fn shift(&self, path: &Path) -> Fallible {
        let targets = [(12.0, 0.0), (-28.0, 10.0), (60.0, 0.0), (90.0, -20.0)];
        let moments = [0.0, 0.03, 0.08, 0.2, 0.4, 1.0];
        let mut picture = picture(moments.len(), targets.len());
        for (row, (yaw, pitch)) in targets.into_iter().enumerate() {
            for (column, seconds) in moments.into_iter().enumerate() {
                self.draw(&mut picture, (column, row), Turn::degrees(yaw, pitch), seconds);
            }
        }
        picture.save(path)
    }

    /// Everywhere around.
    fn around(&self, path: &Path) -> Fallible {
        let (yaws, pitches) = ([-90.0, -60.0, -25.0, 0.0, 25.0, 60.0, 90.0], [35.0, 0.0, -35.0]);
        let mut picture = picture(yaws.len(), pitches.len());
        for (row, pitch) in pitches.into_iter().enumerate() {
            for (column, yaw) in yaws.into_iter().enumerate() {
                self.draw(&mut picture, (column, row), Turn::degrees(yaw, pitch), 3.0);
            }
        }
        picture.save(path)
    }

    /// The body so long after a ball appeared in this direction.
    fn draw(&self, picture: &mut Picture, (column, row): (usize, usize), turn: Turn, seconds: f32) {
        let (eyes, _) = self.anatomy.sight(&self.base);
        let ball = eyes + DISTANCE * Vec3::from(turn.direction());
        let (mut gaze, options) = (Gaze::default(), GazeOptions::default());
        gaze.look(Some(Target { subject: Subject::place(1), position: ball }));
        let mut pose = self.base.clone();
        gaze.step(&self.anatomy, &Bearings::default(), &mut pose, seconds, &options);
        let at = (Vec2::new(column as f32, row as f32) + 0.5) * SIZE;
        let target = eyes - Vec3::new(0.0, 0.12, 0.0);
        let reach = 0.5 * SIZE;
        let view = View { yaw: 0.0, pitch: 0.0, target, at, scale: 300.0, reach };
        let model = ModelPose::of(self.human.skeleton(), &pose);
        let (positions, normals) = self.mesh.skinned(&model);
        let colours = [
            0xe0ae90, 0x5c3317, 0xb0483f, 0x2f3d5c, 0x3b2a25, 0xcdc7c1, 0x5a3a22, 0x0c0a0a,
            0x3a2618, 0xb87764,
        ];
        for part in &self.mesh.parts {
            let colour = linear(colours[part.region as usize]);
            picture.draw(&view, &positions, &normals, &part.triangles, colour);
        }
        draw_ball(picture, &view, ball);
    }
}

/// An octahedron, as round as need be.
fn draw_ball(picture: &mut Picture, view: &View, at: Vec3) {
    let normals = [Vec3::X, Vec3::Z, -Vec3::X, -Vec3::Z, Vec3::Y, -Vec3::Y];
    let corners = normals.map(|normal| at + 0.02 * normal);
    let triangles: Vec<[u32; 3]> =
        (0..4).flat_map(|side| [[(side + 1) % 4, side, 4], [side, (side + 1) % 4, 5]]).collect();
    picture.draw(view, &corners, &normals, &triangles, linear(0x2f8f2f));
}

fn picture(columns: usize, rows: usize) -> Picture {
    Picture::new(columns * SIZE.x as usize, rows * SIZE.y as usize, linear(0xeceae6))
}

fn linear(colour: u32) -> Vec3 {
    let channel = |shift: u32| (((colour >> shift) & 0xff) as f32 / 255.0).powf(2.2);
    Vec3::new(channel(16), channel(8), channel(0))
}
