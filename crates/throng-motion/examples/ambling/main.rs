//! Animals that follow somebody, in pictures:
//! `cargo run -p throng-motion --example ambling -- OUT_DIRECTORY`.
//!
//! A dog and a horse that set out and stop, turn back, and cross dunes and stairs.

#[allow(dead_code, reason = "it is shared with another example, which uses all of it")]
#[path = "../turntable/raster.rs"]
mod raster;

use std::path::{Path, PathBuf};

use glam::{Quat, Vec2, Vec3};
use raster::{Picture, View};
use throng_base::ground::{Ground, Level, Relief};
use throng_motion::mediator::Command;
use throng_motion::quadruped::{Ambler, Coat, Gaits, Quadruped};
use throng_motion::{Detail, Mesh, ModelPose, Pose};

type Fallible<T = ()> = Result<T, Box<dyn std::error::Error>>;

const STEP: f32 = 0.04;
/// Pictures in a row, and rows.
const COLUMNS: usize = 7;
const ROWS: usize = 3;
const CELL: Vec2 = Vec2::new(290.0, 230.0);

fn main() -> Fallible {
    let directory = std::env::args().nth(1).map_or_else(|| PathBuf::from("."), PathBuf::from);
    std::fs::create_dir_all(&directory)?;
    let dunes = Relief(|place: Vec2| 0.2 * (1.3 * place.y).sin() + 0.05 * (2.0 * place.x).cos());
    let stairs = Relief(|place: Vec2| {
        let up = ((place.y - 1.0) / 0.3).ceil().clamp(0.0, 6.0);
        let down = ((place.y - 4.0) / 0.3).ceil().clamp(0.0, 6.0);
        0.17 * (up - down)
    });
    for (name, animal, coat) in
        [("dog", Quadruped::dog(), Coat::DOG), ("horse", Quadruped::horse(), Coat::HORSE)]
    {
        let gaits = Gaits::new(&animal)?;
        let film =
            |what: &str, ground: &dyn Ground, yaw: f32, every: usize, way: &dyn Fn(f32) -> Vec3| {
                let path = directory.join(format!("{name}-{what}.png"));
                Film { gaits: &gaits, coat: &coat, ground, yaw, every }.shoot(&path, way)
            };
        let towards = |yaw: f32, speed: f32| speed * (Quat::from_rotation_y(yaw) * Vec3::Z);
        film("stop", &Level, -1.57, 4, &|time| {
            towards(0.0, if (0.2..1.4).contains(&time) { 1.5 } else { 0.0 })
        })?;
        film("turn", &Level, -1.0, 4, &|time| towards(if time < 0.5 { 0.0 } else { 3.0 }, 1.2))?;
        film("bend", &Level, -0.4, 4, &|time| towards(0.8 * time, 1.2))?;
        film("dunes", &dunes, -1.57, 7, &|_| towards(0.0, 1.0))?;
        film("stairs", &stairs, -1.57, 8, &|_| towards(0.0, 0.8))?;
    }
    Ok(())
}

/// Somebody who leads an animal, and who films it.
struct Film<'a> {
    gaits: &'a Gaits,
    coat: &'a Coat,
    ground: &'a dyn Ground,
    /// From where.
    yaw: f32,
    /// Frames from picture to picture.
    every: usize,
}

impl Film<'_> {
    fn shoot(&self, path: &Path, way: &dyn Fn(f32) -> Vec3) -> Fallible {
        let size = CELL * Vec2::new(COLUMNS as f32, ROWS as f32);
        let mut picture =
            Picture::new(size.x as usize, size.y as usize, Vec3::new(0.83, 0.81, 0.78));
        let mut ambler = Ambler::new(Vec3::ZERO, 0.0);
        let (mut place, mut pose) = (Vec3::ZERO, Pose::default());
        for frame in 0..COLUMNS * ROWS * self.every {
            let velocity = way(frame as f32 * STEP);
            place += STEP * velocity;
            let at = self.ground.at(Vec2::new(place.x, place.z), place.y);
            place.y = at.map_or(0.0, |surface| surface.height);
            let command = Command { velocity, place, ..Command::default() };
            let progress = ambler.step(self.gaits, &command, STEP, self.ground, &mut pose);
            if frame % self.every == 0 {
                let index = frame / self.every;
                let cell = Vec2::new((index % COLUMNS) as f32 + 0.5, (index / COLUMNS + 1) as f32);
                let view = View {
                    yaw: self.yaw,
                    pitch: 0.15,
                    target: progress.placement.translation,
                    at: cell * CELL - Vec2::new(0.0, 50.0),
                    scale: 110.0 / self.gaits.animal().proportions().shoulder_height,
                    reach: Vec2::new(0.5 * CELL.x, 0.9 * CELL.y),
                };
                let mut placed = pose.clone();
                placed.place(progress.placement.placement());
                self.draw(&mut picture, &placed, &view);
                self.draw_ground(&mut picture, progress.placement.translation, &view);
            }
        }
        picture.save(path)
    }

    fn draw(&self, picture: &mut Picture, pose: &Pose, view: &View) {
        let animal = self.gaits.animal();
        let mesh = Mesh::animal(animal, Detail::Full);
        let (positions, normals) = mesh.skinned(&ModelPose::of(animal.skeleton(), pose));
        let palette = self.coat.palette();
        for part in &mesh.parts {
            let colour = Vec3::from(palette.colour(part.region));
            picture.draw(view, &positions, &normals, &part.triangles, colour);
        }
    }

    /// A patch of the ground in squares of 20 cm, which show where feet stay.
    fn draw_ground(&self, picture: &mut Picture, about: Vec3, view: &View) {
        const SIZE: f32 = 0.05;
        let reach = (1.1 * self.gaits.animal().proportions().shoulder_height / SIZE) as i32;
        let middle = (about / SIZE).round();
        for row in -reach..reach {
            for column in -reach / 3..reach / 3 {
                let (x, z) = (middle.x + column as f32, middle.z + row as f32);
                let corner = |x: f32, z: f32| {
                    let place = SIZE * Vec2::new(x, z);
                    let surface = self.ground.at(place, about.y);
                    Vec3::new(place.x, surface.map_or(0.0, |surface| surface.height), place.y)
                };
                let corners = [
                    corner(x, z),
                    corner(x, z + 1.0),
                    corner(x + 1.0, z + 1.0),
                    corner(x + 1.0, z),
                ];
                let light = ((x / 4.0).floor() + (z / 4.0).floor()).rem_euclid(2.0) < 1.0;
                let colour = Vec3::splat(if light { 0.6 } else { 0.5 });
                let triangles = [[0, 1, 2], [0, 2, 3]];
                picture.draw(view, &corners, &[Vec3::Y; 4], &triangles, colour);
            }
        }
    }
}
