//! Animals in files, and before the tools that are made for people.

use std::sync::Arc;

use throng_motion::analysis::{ClipFacts, ClipFrames};
use throng_motion::files::gltf::{self, WriteOptions};
use throng_motion::files::{Body, ReadOptions};
use throng_motion::quadruped::{Coat, Gait, Quadruped, Steady};
use throng_motion::{Detail, Mesh, Region};

use super::animals::at;

#[test]
fn a_walking_horse_comes_back_from_a_file() {
    let horse = Quadruped::horse();
    let mesh = Arc::new(Mesh::animal(&horse, Detail::Full));
    let walk = at(&horse, Gait::Walk, 0.5);
    let body = Body::new("horse", horse.skeleton().clone(), mesh.clone());
    let options = WriteOptions { palette: Coat::HORSE.palette(), ..WriteOptions::default() };
    let file = gltf::library(&body, &[walk.motion()], &options).unwrap();
    let document = gltf::read_bytes(&file, None, &ReadOptions::default()).unwrap();
    let read = &document.bodies[0];
    assert_eq!(read.skeleton.len(), horse.skeleton().len());
    let count: usize = read.meshes.iter().map(|mesh| mesh.triangle_count()).sum();
    assert_eq!(count, mesh.triangle_count());
    let motion = &document.motions[0];
    assert_eq!(motion.name(), walk.name());
    assert!((motion.duration() - walk.motion().duration()).abs() < 0.05);
    let carpus = read.skeleton.find("LeftCarpus").unwrap();
    let own = horse.skeleton().find("LeftCarpus").unwrap();
    let turned = motion.rotations(0)[carpus.index()];
    assert!(turned.angle_between(walk.motion().rotations(0)[own.index()]) < 1e-2);
}

#[test]
fn coats_colour_the_regions_that_they_name() {
    let palette = Coat::DOG.palette();
    assert_eq!(palette.colour(Region::Top), Coat::DOG.coat);
    assert_eq!(palette.colour(Region::Skin), Coat::DOG.muzzle);
    assert_ne!(Coat::DOG.palette(), Coat::HORSE.palette());
}

#[test]
fn analysis_takes_an_animal_for_what_its_landmarks_say() {
    let dog = Quadruped::dog();
    let clip = Steady::ahead(1.0).clip(&dog).unwrap();
    assert!(ClipFrames::of(&clip).is_ok());
    let facts = ClipFacts::of(&clip).unwrap();
    assert!((facts.speed - 1.0).abs() < 1e-3);
    assert!((facts.duty - clip.contacts().left[0].length).abs() < 0.02);
}
