//! The skeleton that follows from a breed, and which of its joints is what.
//!
//! At rest the animal stands square: metatarsus, metacarpus and forearm upright, and stifles and
//! shoulders bent as far as the lengths of the bones ask for. As with people, no joint is turned at
//! rest, so that a flexion is a rotation about `x` everywhere.

use std::sync::Arc;

use glam::{Quat, Vec3};

use super::breed::{Breed, BreedError, PawShape, Proportions};
use crate::contact::{Paw, Side};
use crate::landmark::{Landmark, Landmarks};
use crate::skeleton::{Joint, JointId, Skeleton};

/// An animal on four legs.
#[derive(Clone, Debug)]
pub struct Quadruped {
    breed: Breed,
    skeleton: Arc<Skeleton>,
}

/// The joints of a hind leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct HindJoints {
    pub hip: JointId,
    pub stifle: JointId,
    pub hock: JointId,
    pub paw: JointId,
}

/// The joints of a fore leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct ForeJoints {
    pub scapula: JointId,
    pub shoulder: JointId,
    pub elbow: JointId,
    pub carpus: JointId,
    pub paw: JointId,
}

const SPINE: usize = 1;
const NECK: usize = 5;
const HEAD: usize = 7;
const EYES: usize = 8;
const EARS: usize = 10;
const TAIL: usize = 12;
const HIND: usize = 16;
const FORE: usize = 24;
const COUNT: usize = 34;

/// Where the joints of the spine are, as parts of the way from the hips to the elbows.
const SPINE_AT: [f32; 4] = [0.18, 0.42, 0.64, 0.86];
/// How high the upper ends of the shoulder blades are, as a part of the shoulder height.
const SCAPULA_TOP: f32 = 0.90;
/// Legs can be shortened by at least this part of the hips' height.
const PLAY: f32 = 0.05;
/// A leg of two bones at rest is at most this straight.
const STRAIGHTEST: f32 = 0.985;

impl Quadruped {
    /// An animal of this breed.
    ///
    /// # Errors
    ///
    /// If a number is not finite or out of range, or the bones of a leg are too short or too long
    /// to stand on.
    pub fn new(breed: Breed) -> Result<Self, BreedError> {
        breed.check()?;
        let rest = Rest::of(&breed.proportions)?;
        Ok(Self { breed, skeleton: Arc::new(skeleton(&breed.proportions, &rest)) })
    }

    /// A dog 55 cm high at the withers.
    pub fn dog() -> Self {
        Self::new(Breed::dog(0.55)).expect("there are dogs")
    }

    /// A horse 1.60 m high at the withers.
    pub fn horse() -> Self {
        Self::new(Breed::horse(1.6)).expect("there are horses")
    }

    /// What it is.
    pub fn breed(&self) -> &Breed {
        &self.breed
    }

    /// The lengths of its bones.
    pub fn proportions(&self) -> &Proportions {
        &self.breed.proportions
    }

    /// Its joints.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// The root joint, between the hips.
    pub fn pelvis(&self) -> JointId {
        JointId::ROOT
    }

    /// The joints of the back, from the loins to the withers.
    pub fn spine(&self) -> [JointId; 4] {
        row(SPINE)
    }

    /// The joints of the neck, from the shoulders up.
    pub fn neck(&self) -> [JointId; 2] {
        row(NECK)
    }

    /// The joint that carries the head.
    pub fn head(&self) -> JointId {
        JointId::new(HEAD)
    }

    /// The ear of a side.
    pub fn ear(&self, side: Side) -> JointId {
        JointId::new(EARS + side as usize)
    }

    /// The eye of a side.
    pub fn eye(&self, side: Side) -> JointId {
        JointId::new(EYES + side as usize)
    }

    /// The joints of the tail, from its root.
    pub fn tail(&self) -> [JointId; 4] {
        row(TAIL)
    }

    /// The joints of a hind leg.
    pub fn hind(&self, side: Side) -> HindJoints {
        let [hip, stifle, hock, paw] = row(HIND + 4 * side as usize);
        HindJoints { hip, stifle, hock, paw }
    }

    /// The joints of a fore leg.
    pub fn fore(&self, side: Side) -> ForeJoints {
        let [scapula, shoulder, elbow, carpus, paw] = row(FORE + 5 * side as usize);
        ForeJoints { scapula, shoulder, elbow, carpus, paw }
    }

    /// The joint of the toes that a foot stands on.
    pub fn paw(&self, paw: Paw) -> JointId {
        if paw.is_fore() { self.fore(paw.side()).paw } else { self.hind(paw.side()).paw }
    }

    /// The toes of a foot.
    pub fn paw_shape(&self, paw: Paw) -> PawShape {
        let bones = self.proportions();
        if paw.is_fore() { bones.fore.paw } else { bones.hind.paw }
    }

    /// Where the tip of the toes, which stays where it is from strike to lift, lies in the space of
    /// the [joint](Self::paw) that carries them.
    pub fn tip(&self, paw: Paw) -> Vec3 {
        let PawShape { height, length } = self.paw_shape(paw);
        Vec3::new(0.0, -height, length)
    }

    /// Where a joint is at rest.
    pub(super) fn at(&self, joint: JointId) -> Vec3 {
        self.skeleton.rest_position(joint)
    }
}

fn row<const N: usize>(first: usize) -> [JointId; N] {
    std::array::from_fn(|index| JointId::new(first + index))
}

/// Where the bent joints of the legs are at rest, in the plane of a leg.
struct Rest {
    hip: Vec3,
    stifle: Vec3,
    hock: Vec3,
    hind_paw: Vec3,
    scapula: Vec3,
    shoulder: Vec3,
    elbow: Vec3,
    carpus: Vec3,
    fore_paw: Vec3,
}

impl Rest {
    fn of(bones: &Proportions) -> Result<Self, BreedError> {
        let w = bones.shoulder_height;
        let (hips, elbows) = (-0.5 * bones.trunk, 0.5 * bones.trunk);
        let hip = Vec3::new(0.0, bones.hip_height, hips);
        let hind_paw = Vec3::new(0.0, bones.hind.paw.height, hips - 0.05 * w);
        let hock = hind_paw + Vec3::Y * bones.hind.metatarsus;
        let stifle = bent(hip, hock, [bones.hind.thigh, bones.hind.shank], "hind")?;
        let scapula = Vec3::new(0.0, SCAPULA_TOP * w, elbows);
        let fore_paw = Vec3::new(0.0, bones.fore.paw.height, elbows);
        let carpus = fore_paw + Vec3::Y * bones.fore.metacarpus;
        let elbow = carpus + Vec3::Y * bones.fore.forearm;
        let shoulder = bent(scapula, elbow, [bones.fore.scapula, bones.fore.upper_arm], "fore")?;
        let rest = Self { hip, stifle, hock, hind_paw, scapula, shoulder, elbow, carpus, fore_paw };
        let metatarsus = hind_paw - hock;
        let play = PLAY * bones.hip_height;
        stands([stifle - hip + metatarsus, hock - stifle], play, "hind")?;
        stands([elbow - shoulder, fore_paw - elbow], play, "fore")?;
        Ok(rest)
    }
}

/// Whether a leg of what moves as two bones can be shortened and stretched from where it stands.
fn stands([a, b]: [Vec3; 2], play: f32, leg: &'static str) -> Result<(), BreedError> {
    let (height, [a, b]) = ((a + b).length(), [a.length(), b.length()]);
    let wrong = |advice| Err(BreedError::Leg { leg, bones: a + b, height, advice });
    if height < (a - b).abs() + play {
        return wrong("shorter, or more alike");
    }
    if height > STRAIGHTEST * (a + b) { wrong("longer") } else { Ok(()) }
}

/// The joint between two bones that lead from one place down to another, bent forwards.
fn bent(from: Vec3, to: Vec3, [a, b]: [f32; 2], leg: &'static str) -> Result<Vec3, BreedError> {
    let (line, distance) = (to - from, (to - from).length());
    let wrong = |advice| BreedError::Leg { leg, bones: a + b, height: distance, advice };
    if line.y > -0.2 * (a + b) || distance < 1.02 * (a - b).abs() {
        return Err(wrong("shorter, or more alike"));
    }
    if distance > STRAIGHTEST * (a + b) {
        return Err(wrong("longer"));
    }
    let along = 0.5 * (a * a - b * b) / distance + 0.5 * distance;
    let aside = (a * a - along * along).max(0.0).sqrt();
    let line = line / distance;
    Ok(from + along * line + aside * Vec3::new(0.0, line.z, -line.y))
}

fn skeleton(bones: &Proportions, rest: &Rest) -> Skeleton {
    let mut builder = Builder::default();
    let w = bones.shoulder_height;
    let pelvis = builder.add("Pelvis", None, rest.hip, Some(Landmark::Hips));
    let mut parent = pelvis;
    for (index, share) in SPINE_AT.into_iter().enumerate() {
        let y = (bones.hip_height + 0.04 * w) * (1.0 - share) + 0.83 * w * share;
        let at = Vec3::new(0.0, y, (share - 0.5) * bones.trunk);
        let landmark = Landmark::SPINE[index];
        parent = builder.add(&format!("Spine{}", index + 1), Some(parent), at, Some(landmark));
    }
    let withers = parent;
    let base = Vec3::new(0.0, 0.79 * w, 0.5 * bones.trunk + 0.06 * w);
    let (sin, cos) = bones.neck_rise.sin_cos();
    let neck = bones.neck * Vec3::new(0.0, sin, cos);
    let neck1 = builder.add("Neck1", Some(withers), base, Some(Landmark::Neck1));
    let neck2 = builder.add("Neck2", Some(neck1), base + 0.5 * neck, Some(Landmark::Neck2));
    let poll = base + neck;
    let head = builder.add("Head", Some(neck2), poll, Some(Landmark::Head));
    let (sin, cos) = bones.head_drop.sin_cos();
    // In the head: along the face and up from it.
    let face = |x: f32, along: f32, up: f32| {
        let flat = along * Vec3::new(0.0, -sin, cos) + up * Vec3::new(0.0, cos, sin);
        poll + bones.head * (flat + Vec3::new(x, 0.0, 0.0))
    };
    for side in Side::BOTH {
        let landmark = side.choose(Landmark::LeftEye, Landmark::RightEye);
        let at = face(0.15 * side.sign(), 0.36, 0.07);
        builder.add(&format!("{side:?}Eye"), Some(head), at, Some(landmark));
    }
    for side in Side::BOTH {
        let at = face(0.12 * side.sign(), 0.06, 0.15);
        builder.add(&format!("{side:?}Ear"), Some(head), at, None);
    }
    let (sin, cos) = bones.tail_drop.sin_cos();
    let root = Vec3::new(0.0, bones.hip_height + 0.06 * w, rest.hip.z - 0.13 * w);
    let mut parent = pelvis;
    for index in 0..4 {
        let at = root - 0.25 * index as f32 * bones.tail * Vec3::new(0.0, sin, cos);
        parent = builder.add(&format!("Tail{}", index + 1), Some(parent), at, None);
    }
    for side in Side::BOTH {
        let out = side.sign() * bones.hip_half_width * Vec3::X;
        let mut parent = pelvis;
        for (name, at, landmark) in [
            ("Hip", rest.hip, Landmark::upper_leg(side)),
            ("Stifle", rest.stifle, Landmark::lower_leg(side)),
            ("Hock", rest.hock, Landmark::foot(side)),
            ("HindPaw", rest.hind_paw, Landmark::toes(side)),
        ] {
            parent =
                builder.add(&format!("{side:?}{name}"), Some(parent), at + out, Some(landmark));
        }
    }
    for side in Side::BOTH {
        let out = side.sign() * bones.shoulder_half_width * Vec3::X;
        let mut parent = withers;
        for (name, at, landmark) in [
            ("Scapula", rest.scapula, Some(Landmark::shoulder(side))),
            ("Shoulder", rest.shoulder, Some(Landmark::upper_arm(side))),
            ("Elbow", rest.elbow, Some(Landmark::forearm(side))),
            ("Carpus", rest.carpus, Some(Landmark::hand(side))),
            ("ForePaw", rest.fore_paw, None),
        ] {
            parent = builder.add(&format!("{side:?}{name}"), Some(parent), at + out, landmark);
        }
    }
    debug_assert_eq!(builder.joints.len(), COUNT);
    Skeleton::new(builder.joints, builder.landmarks).expect("an animal is a tree")
}

/// Joints by where they are in body space.
#[derive(Default)]
struct Builder {
    joints: Vec<Joint>,
    places: Vec<Vec3>,
    landmarks: Landmarks,
}

impl Builder {
    fn add(
        &mut self,
        name: &str,
        parent: Option<JointId>,
        at: Vec3,
        landmark: Option<Landmark>,
    ) -> JointId {
        let joint = JointId::new(self.joints.len());
        let translation = parent.map_or(at, |parent| at - self.places[parent.index()]);
        self.joints.push(Joint {
            name: name.into(),
            parent,
            translation,
            rotation: Quat::IDENTITY,
        });
        self.places.push(at);
        if let Some(landmark) = landmark {
            self.landmarks.set(landmark, Some(joint));
        }
        joint
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joints_are_where_animals_have_them() {
        for animal in [Quadruped::dog(), Quadruped::horse()] {
            let skeleton = animal.skeleton();
            let w = animal.proportions().shoulder_height;
            assert_eq!(skeleton.len(), COUNT);
            for side in Side::BOTH {
                let hind = animal.hind(side);
                let fore = animal.fore(side);
                let z = |joint| skeleton.rest_position(joint).z;
                let y = |joint| skeleton.rest_position(joint).y;
                assert!(z(hind.stifle) > z(hind.hip) && z(hind.hock) < z(hind.stifle));
                assert!(z(fore.shoulder) > z(fore.scapula) && z(fore.elbow) < z(fore.shoulder));
                assert!(y(fore.scapula) < w && y(fore.shoulder) > y(fore.elbow));
                assert!((0.15..0.45).contains(&(y(hind.hock) / w)));
                assert_eq!(skeleton.mirrored(fore.paw), animal.fore(side.other()).paw);
                assert_eq!(skeleton.joints()[hind.hock.index()].name, format!("{side:?}Hock"));
                assert_eq!(skeleton.landmark(Landmark::hand(side)), Some(fore.carpus));
                assert_eq!(skeleton.find(&format!("{side:?}Eye")), Some(animal.eye(side)));
                assert_eq!(skeleton.find(&format!("{side:?}Ear")), Some(animal.ear(side)));
            }
            for paw in Paw::ALL {
                let tip = skeleton.rest_position(animal.paw(paw)) + animal.tip(paw);
                assert!(tip.y.abs() < 1e-6 && tip.x * paw.side().sign() > 0.0);
                assert_eq!(tip.z > 0.0, paw.is_fore());
            }
            assert_eq!(skeleton.find("Head"), Some(animal.head()));
            assert_eq!(skeleton.find("Tail4"), Some(animal.tail()[3]));
            assert_eq!(skeleton.find("Neck1"), Some(animal.neck()[0]));
        }
    }

    #[test]
    fn there_are_no_animals_of_nonsense() {
        for height in [0.0, -1.0, f32::NAN, f32::INFINITY, 10.0] {
            assert!(Quadruped::new(Breed::dog(height)).is_err());
        }
        let mut breed = Breed::dog(0.5);
        breed.proportions.hind.thigh = 0.06;
        breed.proportions.hind.shank = 0.06;
        let error = Quadruped::new(breed).unwrap_err();
        assert!(matches!(error, BreedError::Leg { leg: "hind", .. }), "{error}");
        let mut breed = Breed::horse(1.6);
        breed.manner.carpus[1] = f32::NAN;
        let error = Quadruped::new(breed).unwrap_err();
        assert!(matches!(error, BreedError::Range { what: "carpus", .. }), "{error}");
    }
}
