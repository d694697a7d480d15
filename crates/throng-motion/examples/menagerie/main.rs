//! Animals from all sides, and how they walk and trot:
//! `cargo run --example menagerie -- OUT_DIRECTORY` draws pictures and writes a GLB file of each.

#[path = "../turntable/raster.rs"]
#[allow(dead_code, reason = "the other example uses all of it")]
mod raster;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{Vec2, Vec3};
use raster::{Picture, View};
use throng_motion::files::Body;
use throng_motion::files::gltf::{self, WriteOptions};
use throng_motion::quadruped::{Breed, Coat, Gait, Quadruped, Stand, Steady};
use throng_motion::{Clip, Detail, Mesh, ModelPose, Pose};

type Fallible<T = ()> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Fallible {
    let directory = std::env::args().nth(1).map_or_else(|| PathBuf::from("."), PathBuf::from);
    std::fs::create_dir_all(&directory)?;
    for (name, animal, coat) in [
        ("dog", Quadruped::dog(), Coat::DOG),
        ("horse", Quadruped::horse(), Coat::HORSE),
        ("hound", hound()?, Coat { coat: [0.6, 0.5, 0.38], ..Coat::DOG }),
    ] {
        let speeds = |gait| Steady::speeds(&animal, gait);
        let at = |gait, share: f32| {
            let [least, most] = speeds(gait);
            Steady { gait: Some(gait), speed: least + share * (most - least) }.clip(&animal)
        };
        let clips = [
            at(Gait::Walk, 0.15)?,
            at(Gait::Walk, 0.6)?,
            at(Gait::Trot, 0.35)?,
            at(Gait::Trot, 0.8)?,
        ];
        turntable(&directory.join(format!("{name}.png")), &animal, &coat)?;
        strips(&directory.join(format!("{name}-gaits.png")), &animal, &coat, &clips)?;
        export(&directory.join(format!("{name}.glb")), name, &animal, &coat, &clips)?;
    }
    Ok(())
}

/// Low, long, with hanging ears.
fn hound() -> Fallible<Quadruped> {
    let mut breed = Breed::dog(0.38);
    breed.proportions.trunk *= 1.35;
    breed.figure.ears_hang = true;
    breed.figure.ears = 0.24;
    breed.figure.haunches = 1.15;
    breed.figure.legs = 1.25;
    Ok(Quadruped::new(breed)?)
}

/// Standing, from all sides and at all levels of detail.
fn turntable(path: &Path, animal: &Quadruped, coat: &Coat) -> Fallible {
    let mut picture = Picture::new(1500, 1000, background());
    let clip = Stand::default().clip(animal)?;
    let mut pose = Pose::default();
    clip.sample(0.0, &mut pose);
    let scale = 230.0 / animal.proportions().shoulder_height;
    for (index, yaw) in [0.0, -0.7, -1.57, -2.4, 3.1, 0.7].into_iter().enumerate() {
        let at =
            Vec2::new(250.0 + 500.0 * (index % 3) as f32, 330.0 * (1 + index / 3) as f32 - 20.0);
        draw(&mut picture, animal, coat, &pose, Detail::Full, &view(yaw, at, scale, 245.0));
    }
    for (index, detail) in Detail::ALL.into_iter().enumerate() {
        let at = Vec2::new(250.0 + 500.0 * index as f32, 980.0);
        draw(&mut picture, animal, coat, &pose, detail, &view(-1.2, at, scale, 245.0));
    }
    picture.save(path)
}

/// Eight pictures of each clip, seen from the left and half from ahead.
fn strips(path: &Path, animal: &Quadruped, coat: &Coat, clips: &[Clip]) -> Fallible {
    let (width, row) = (290.0, 190.0);
    let rows = clips.len() * 2;
    let mut picture = Picture::new(8 * width as usize, rows * row as usize, background());
    let scale = 118.0 / animal.proportions().shoulder_height;
    let mut pose = Pose::default();
    for (index, clip) in clips.iter().enumerate() {
        for (half, yaw) in [-1.57, -0.6].into_iter().enumerate() {
            for step in 0..8 {
                clip.sample(step as f32 / 8.0, &mut pose);
                let ground = row * (2 * index + half + 1) as f32 - 14.0;
                let at = Vec2::new(width * (step as f32 + 0.5), ground);
                draw(&mut picture, animal, coat, &pose, Detail::Full, &view(yaw, at, scale, 145.0));
            }
        }
    }
    picture.save(path)
}

/// The animal with all its clips, for any viewer of glTF.
fn export(path: &Path, name: &str, animal: &Quadruped, coat: &Coat, clips: &[Clip]) -> Fallible {
    let mesh = Arc::new(Mesh::animal(animal, Detail::Full));
    let body = Body::new(name, animal.skeleton().clone(), mesh);
    let motions: Vec<_> = clips.iter().map(Clip::motion).collect();
    let options = WriteOptions { palette: coat.palette(), ..WriteOptions::default() };
    std::fs::write(path, gltf::library(&body, &motions, &options)?)?;
    Ok(())
}

fn view(yaw: f32, at: Vec2, scale: f32, reach: f32) -> View {
    View { yaw, pitch: 0.08, target: Vec3::ZERO, at, scale, reach: Vec2::new(reach, 340.0) }
}

fn draw(
    picture: &mut Picture,
    animal: &Quadruped,
    coat: &Coat,
    pose: &Pose,
    detail: Detail,
    view: &View,
) {
    let mesh = Mesh::animal(animal, detail);
    let (positions, normals) = mesh.skinned(&ModelPose::of(animal.skeleton(), pose));
    let palette = coat.palette();
    for part in &mesh.parts {
        let colour = Vec3::from(palette.colour(part.region));
        picture.draw(view, &positions, &normals, &part.triangles, colour);
    }
}

fn background() -> Vec3 {
    Vec3::new(0.83, 0.81, 0.78)
}
