//! Somebody on carpets, in pictures: `cargo run -p throng-motion --example carpet -- OUT_DIRECTORY`.
//!
//! Stairs, dunes and slopes from the side, and a corner of half a metre from above.

#[allow(dead_code, reason = "it is shared with another example, which uses all of it")]
#[path = "../turntable/raster.rs"]
mod raster;

use std::path::PathBuf;
use std::sync::Arc;

use glam::{Vec2, Vec3};
use raster::{Picture, View};
use throng_base::ground::{Ground, Relief};
use throng_motion::carpet::{self, CarpetOptions, Character, Cycle, Rig};
use throng_motion::gait::Steady;
use throng_motion::{Detail, Human, Mesh, ModelPose, Outfit, Physique, Pose};

type Fallible<T = ()> = Result<T, Box<dyn std::error::Error>>;

const STEP: f32 = 0.02;
const SPEED: f32 = 1.2;

fn main() -> Fallible {
    let directory = std::env::args().nth(1).map_or_else(|| PathBuf::from("."), PathBuf::from);
    std::fs::create_dir_all(&directory)?;
    let stage = Stage::new()?;
    let stairs = Relief(|place: Vec2| {
        let up = ((place.y - 1.5) / 0.3).ceil().clamp(0.0, 6.0);
        let down = ((place.y - 4.7) / 0.3).ceil().clamp(0.0, 6.0);
        0.17 * (up - down)
    });
    let dunes = Relief(|place: Vec2| 0.25 * (1.5 * place.y).sin());
    let slopes = Relief(|place: Vec2| {
        let slope = 25f32.to_radians().tan();
        slope * (place.y - 1.0).clamp(0.0, 2.5) - slope * (place.y - 5.0).clamp(0.0, 2.5)
    });
    let from_the_side = View {
        yaw: -std::f32::consts::FRAC_PI_2,
        pitch: 0.12,
        target: Vec3::new(0.0, 0.0, 4.0),
        at: Vec2::new(900.0, 640.0),
        scale: 190.0,
        reach: Vec2::INFINITY,
    };
    stage.film(&stairs, &[], (&from_the_side, 19), &directory.join("stairs.png"))?;
    stage.film(&dunes, &[], (&from_the_side, 19), &directory.join("dunes.png"))?;
    stage.film(&slopes, &[], (&from_the_side, 19), &directory.join("slopes.png"))?;
    // Ahead, around a corner of half a metre by three quarters of a half turn, and on.
    let mut path: Vec<Vec3> =
        (0..20).map(|point| Vec3::new(0.0, 0.0, 0.1 * point as f32)).collect();
    let turn = 2.4f32;
    for piece in 0..=24 {
        let angle = turn * piece as f32 / 24.0;
        path.push(Vec3::new(0.5 - 0.5 * angle.cos(), 0.0, 2.0 + 0.5 * angle.sin()));
    }
    let end = path[path.len() - 1];
    path.extend(
        (1..40).map(|point| end + 0.1 * point as f32 * Vec3::new(turn.sin(), 0.0, turn.cos())),
    );
    let from_above = View {
        yaw: -1.2,
        pitch: 0.7,
        target: Vec3::new(0.6, 0.0, 1.6),
        at: Vec2::new(850.0, 640.0),
        scale: 250.0,
        reach: Vec2::INFINITY,
    };
    let flat = Relief(|place: Vec2| 0.04 * (2.0 * place.x).sin());
    stage.film(&flat, &path, (&from_above, 23), &directory.join("corner.png"))
}

/// Who walks.
struct Stage {
    human: Human,
    physique: Physique,
    rig: Arc<Rig>,
    cycle: Arc<Cycle>,
}

impl Stage {
    fn new() -> Fallible<Self> {
        let physique = Physique::typical(30.0, 0.0);
        let human = physique.human()?;
        let clip = Steady::ahead(SPEED).styled(physique.style()?).clip(&human)?;
        let rig = Arc::new(Rig::human(human.skeleton(), Some(&clip))?);
        let options = CarpetOptions::default();
        let weighting = options.weighting(rig.height());
        let cycle = Cycle::of_clip(&rig, &clip, options.spacing, options.columns / 2, &weighting)?;
        Ok(Self { human, physique, rig, cycle: Arc::new(cycle) })
    }

    /// Draws somebody every few frames of a walk over `ground`.
    fn film(
        &self,
        ground: &dyn Ground,
        path: &[Vec3],
        (view, every): (&View, usize),
        file: &std::path::Path,
    ) -> Fallible {
        let mut picture = Picture::new(1800, 800, linear(0xeceae6));
        draw_ground(&mut picture, view, ground);
        let options = CarpetOptions::default();
        let mut character =
            Character::on_line(self.rig.clone(), self.cycle.clone(), Vec3::ZERO, 0.0, options)?;
        if !path.is_empty() {
            character.follow(path.iter().copied());
        }
        for frame in 0..320 {
            character.advance(SPEED * STEP);
            carpet::step(std::slice::from_mut(&mut character), ground, STEP);
            if frame % every == every / 2 {
                self.draw(&mut picture, character.pose(), view)?;
            }
        }
        picture.save(file)
    }

    fn draw(&self, picture: &mut Picture, pose: &Pose, view: &View) -> Fallible {
        let mesh = Mesh::body(&self.human, &self.physique, &Outfit::default(), Detail::Full)?;
        let (positions, normals) = mesh.skinned(&ModelPose::of(self.human.skeleton(), pose));
        let colours = [
            0xd9a282, 0x3a2618, 0x3f6ea8, 0x34405a, 0x2b2522, 0xcdc7c1, 0x5a3a22, 0x0c0a0a,
            0x3a2618, 0xb87764,
        ];
        for part in &mesh.parts {
            let colour = linear(colours[part.region as usize]);
            picture.draw(view, &positions, &normals, &part.triangles, colour);
        }
        Ok(())
    }
}

/// The ground as small quadrilaterals, a light and a dark one in turn.
fn draw_ground(picture: &mut Picture, view: &View, ground: &dyn Ground) {
    const SIZE: f32 = 0.02;
    for row in -50..450 {
        for column in -40..75 {
            let (x, z) = (column as f32 * SIZE, row as f32 * SIZE);
            let corner = |x: f32, z: f32| {
                let height = ground.at(Vec2::new(x, z), 0.0).map_or(0.0, |surface| surface.height);
                Vec3::new(x, height, z)
            };
            let corners = [
                corner(x, z),
                corner(x, z + SIZE),
                corner(x + SIZE, z + SIZE),
                corner(x + SIZE, z),
            ];
            let normal =
                (corners[1] - corners[0]).cross(corners[3] - corners[0]).normalize_or(Vec3::Y);
            let light = ((x * 5.0 + 100.0).floor() + (z * 5.0 + 100.0).floor()) % 2.0 == 0.0;
            let colour = linear(if light { 0xc9c3b6 } else { 0xbdb6a7 });
            picture.draw(view, &corners, &[normal; 4], &[[0, 1, 2], [0, 2, 3]], colour);
        }
    }
}

fn linear(colour: u32) -> Vec3 {
    let channel = |shift: u32| (((colour >> shift) & 0xff) as f32 / 255.0).powf(2.2);
    Vec3::new(channel(16), channel(8), channel(0))
}
