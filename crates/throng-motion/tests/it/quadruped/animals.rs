//! Animals to be tested, and where their feet are.

use glam::Vec3;
use throng_motion::quadruped::{Breed, Gait, Quadruped, Steady};
use throng_motion::{Clip, ModelPose, Paw, Pose};

/// A dog, a horse, a dachshund, a foal on long legs, and something the size of a cat.
pub fn animals() -> Vec<(&'static str, Quadruped)> {
    let mut dachshund = Breed::dog(0.24);
    dachshund.proportions.trunk *= 1.9;
    dachshund.figure.ears_hang = true;
    let mut foal = Breed::horse(1.0);
    foal.proportions.trunk *= 0.8;
    foal.proportions.neck *= 0.8;
    vec![
        ("dog", Quadruped::dog()),
        ("horse", Quadruped::horse()),
        ("dachshund", Quadruped::new(dachshund).unwrap()),
        ("foal", Quadruped::new(foal).unwrap()),
        ("cat", Quadruped::new(Breed::dog(0.25)).unwrap()),
    ]
}

/// A gait at a part of the way from its slowest to its fastest.
pub fn at(animal: &Quadruped, gait: Gait, share: f32) -> Clip {
    let [least, most] = Steady::speeds(animal, gait);
    let speed = (least + share * (most - least)).min(most);
    Steady { speed, gait: Some(gait) }.clip(animal).unwrap()
}

/// Every animal at several speeds of both gaits.
pub fn clips() -> Vec<(String, Quadruped, Gait, Clip)> {
    let mut clips = Vec::new();
    for (name, animal) in animals() {
        for gait in [Gait::Walk, Gait::Trot] {
            for share in [0.0, 0.3, 0.65, 1.0] {
                let clip = at(&animal, gait, share);
                let what = format!("{name} {}", clip.name());
                clips.push((what, animal.clone(), gait, clip));
            }
        }
    }
    clips
}

/// Where all joints are at a phase, in the world.
pub fn placed(clip: &Clip, phase: f32) -> ModelPose {
    let mut pose = Pose::default();
    clip.sample(phase, &mut pose);
    pose.root += glam::Vec3A::from(clip.root_at(phase).translation);
    ModelPose::of(clip.skeleton(), &pose)
}

/// Where the tip of a foot is.
pub fn tip(animal: &Quadruped, model: &ModelPose, paw: Paw) -> Vec3 {
    let joint = animal.paw(paw);
    model.position(joint) + model.rotation(joint) * animal.tip(paw)
}

/// The phases of the frames of two cycles.
pub fn phases(clip: &Clip) -> impl Iterator<Item = f32> {
    let frames = clip.motion().frames();
    (0..2 * frames).map(move |frame| frame as f32 / frames as f32)
}
