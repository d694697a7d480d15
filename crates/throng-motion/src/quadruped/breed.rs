//! What makes one animal a dog and another a horse: lengths of bones, girths, and manners.
//!
//! Lengths are metres. The two breeds here are put together from what anatomy books say of medium
//! dogs and riding horses; other animals are these with some numbers changed.

use thiserror::Error;

/// Everything that tells one animal on four legs from another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Breed {
    /// The lengths of its bones.
    pub proportions: Proportions,
    /// What is around the bones.
    pub figure: Figure,
    /// How it moves.
    pub manner: Manner,
}

/// The lengths of an animal's bones, in metres, and how it carries itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proportions {
    /// From the ground to the withers, the highest point of the back above the shoulder blades.
    pub shoulder_height: f32,
    /// From the ground to the hip joints (`h`): what gaits scale with.
    pub hip_height: f32,
    /// From the hip joints to the elbows, along the ground.
    pub trunk: f32,
    /// From the middle to a hip joint.
    pub hip_half_width: f32,
    /// From the middle to a shoulder joint.
    pub shoulder_half_width: f32,
    /// The bones of a hind leg.
    pub hind: HindLeg,
    /// The bones of a fore leg.
    pub fore: ForeLeg,
    /// From the shoulders to the joint that carries the head.
    pub neck: f32,
    /// How far the neck rises above the horizontal, in radians.
    pub neck_rise: f32,
    /// From the joint that carries the head to the tip of the nose.
    pub head: f32,
    /// How far the nose points below the horizontal, in radians.
    pub head_drop: f32,
    /// From the rump to the tip of the tail's bones.
    pub tail: f32,
    /// How far the tail hangs below the horizontal, in radians; raised tails have negative ones.
    pub tail_drop: f32,
}

/// The bones of a hind leg, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HindLeg {
    /// From the hip to the stifle, the animal's knee.
    pub thigh: f32,
    /// From the stifle to the hock, the animal's heel.
    pub shank: f32,
    /// From the hock to the joint of the toes.
    pub metatarsus: f32,
    /// The toes.
    pub paw: PawShape,
}

/// The bones of a fore leg, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForeLeg {
    /// The shoulder blade.
    pub scapula: f32,
    /// From the shoulder joint to the elbow.
    pub upper_arm: f32,
    /// From the elbow to the carpus, the animal's wrist.
    pub forearm: f32,
    /// From the carpus to the joint of the toes.
    pub metacarpus: f32,
    /// The toes.
    pub paw: PawShape,
}

/// What stands on the ground, from the joint that carries it: the toes of a dog, or the pastern and
/// hoof of a horse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PawShape {
    /// How high the joint is when the animal stands.
    pub height: f32,
    /// How far the tip of the toes, over which the paw rolls off, lies ahead of the joint.
    pub length: f32,
}

/// What is around the bones: girths, as multiples of the shoulder height, and features.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// From the withers to the breast bone.
    pub chest_depth: f32,
    /// From the back to the belly where it is tucked up, before the hind legs.
    pub waist_depth: f32,
    /// Half of the breadth of the chest.
    pub chest_half_width: f32,
    /// Half of the breadth of the croup.
    pub croup_half_width: f32,
    /// Half of the depth of the neck, at the shoulders and behind the head.
    pub neck_half_depth: [f32; 2],
    /// How thick haunches and shoulders are: 1 for a dog of medium build.
    pub haunches: f32,
    /// How thick the lower legs are, likewise.
    pub legs: f32,
    /// Half of the thickness of the tail at its root.
    pub tail_half_width: f32,
    /// The length of the ears.
    pub ears: f32,
    /// Whether the ears hang.
    pub ears_hang: bool,
    /// From 0 (a skull that goes over into a short muzzle, as dogs have) to 1 (a horse's long face).
    pub long_face: f32,
    /// Whether it has hooves, a mane and a tail of long hair.
    pub is_equine: bool,
}

/// How an animal moves beyond what its bones ask for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Manner {
    /// By how much the head goes up and down in a walk, as a multiple of the hip height.
    pub nod: f32,
    /// How far hind quarters and fore quarters turn from side to side in a walk, in radians.
    pub bend: f32,
    /// How far the carpus bends when a fore leg is swung in a walk and in a trot, in radians.
    pub carpus: [f32; 2],
    /// How far the hock bends beyond what the stifle does when a hind leg is swung, likewise.
    pub hock: [f32; 2],
    /// How far a paw has rolled over its tip when it leaves the ground, in radians.
    pub roll_off: f32,
    /// How much earlier than the fore foot across a hind foot strikes in a trot, in cycles.
    pub hind_lead: f32,
    /// How far the tail swings to each side, in radians.
    pub tail_sway: f32,
    /// How far the tail is bent upwards from its root to its tip, in radians.
    pub tail_curl: f32,
}

/// Why there is no such animal.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum BreedError {
    #[error("{what} is {value}; animals of this size have between {least} and {most}")]
    Range { what: &'static str, value: f32, least: f32, most: f32 },
    #[error(
        "the bones of a {leg} leg, {bones:.3} m of them, cannot stand {height:.3} m high; make them \
         {advice}"
    )]
    Leg { leg: &'static str, bones: f32, height: f32, advice: &'static str },
}

impl Breed {
    /// A dog of medium build whose withers are `shoulder_height` above the ground.
    pub fn dog(shoulder_height: f32) -> Self {
        let w = shoulder_height;
        let paw = PawShape { height: 0.045 * w, length: 0.085 * w };
        Self {
            proportions: Proportions {
                shoulder_height: w,
                hip_height: 0.79 * w,
                trunk: 0.73 * w,
                hip_half_width: 0.085 * w,
                shoulder_half_width: 0.095 * w,
                hind: HindLeg { thigh: 0.32 * w, shank: 0.33 * w, metatarsus: 0.235 * w, paw },
                fore: ForeLeg {
                    scapula: 0.25 * w,
                    upper_arm: 0.27 * w,
                    forearm: 0.295 * w,
                    metacarpus: 0.15 * w,
                    paw,
                },
                neck: 0.36 * w,
                neck_rise: 0.80,
                head: 0.37 * w,
                head_drop: 0.22,
                tail: 0.52 * w,
                tail_drop: 0.85,
            },
            figure: Figure {
                chest_depth: 0.50,
                waist_depth: 0.33,
                chest_half_width: 0.15,
                croup_half_width: 0.125,
                neck_half_depth: [0.17, 0.115],
                haunches: 1.0,
                legs: 1.0,
                tail_half_width: 0.034,
                ears: 0.125,
                ears_hang: false,
                long_face: 0.0,
                is_equine: false,
            },
            manner: Manner {
                nod: 0.02,
                bend: 0.085,
                carpus: [1.05, 1.35],
                hock: [0.20, 0.30],
                roll_off: 0.95,
                hind_lead: 0.015,
                tail_sway: 0.16,
                tail_curl: 0.9,
            },
        }
    }

    /// A riding horse whose withers are `shoulder_height` above the ground.
    pub fn horse(shoulder_height: f32) -> Self {
        let w = shoulder_height;
        let hoof = PawShape { height: 0.115 * w, length: 0.095 * w };
        Self {
            proportions: Proportions {
                shoulder_height: w,
                hip_height: 0.79 * w,
                trunk: 0.72 * w,
                hip_half_width: 0.105 * w,
                shoulder_half_width: 0.11 * w,
                hind: HindLeg {
                    thigh: 0.27 * w,
                    shank: 0.26 * w,
                    metatarsus: 0.235 * w,
                    paw: hoof,
                },
                fore: ForeLeg {
                    scapula: 0.25 * w,
                    upper_arm: 0.21 * w,
                    forearm: 0.27 * w,
                    metacarpus: 0.175 * w,
                    paw: hoof,
                },
                neck: 0.50 * w,
                neck_rise: 0.80,
                head: 0.42 * w,
                head_drop: 0.85,
                tail: 0.42 * w,
                tail_drop: 1.25,
            },
            figure: Figure {
                chest_depth: 0.44,
                waist_depth: 0.36,
                chest_half_width: 0.165,
                croup_half_width: 0.15,
                neck_half_depth: [0.20, 0.10],
                haunches: 1.25,
                legs: 0.95,
                tail_half_width: 0.045,
                ears: 0.11,
                ears_hang: false,
                long_face: 1.0,
                is_equine: true,
            },
            manner: Manner {
                nod: 0.04,
                bend: 0.05,
                carpus: [0.80, 1.15],
                hock: [0.12, 0.22],
                roll_off: 0.75,
                hind_lead: 0.0,
                tail_sway: 0.10,
                tail_curl: -0.25,
            },
        }
    }

    /// Checks every number.
    ///
    /// # Errors
    ///
    /// If one is not finite or out of range.
    pub(super) fn check(&self) -> Result<(), BreedError> {
        let (bones, figure, manner) = (&self.proportions, &self.figure, &self.manner);
        let w = bones.shoulder_height;
        inside("shoulder_height", w, 0.08, 4.0)?;
        let (hind, fore) = (&bones.hind, &bones.fore);
        // Shares of the shoulder height: from dachshunds to giraffes.
        for (what, value, least, most) in [
            ("hip_height", bones.hip_height, 0.55, 1.1),
            ("trunk", bones.trunk, 0.4, 2.0),
            ("hip_half_width", bones.hip_half_width, 0.02, 0.3),
            ("shoulder_half_width", bones.shoulder_half_width, 0.02, 0.3),
            ("hind.thigh", hind.thigh, 0.1, 0.6),
            ("hind.shank", hind.shank, 0.1, 0.6),
            ("hind.metatarsus", hind.metatarsus, 0.05, 0.6),
            ("hind.paw.height", hind.paw.height, 0.01, 0.25),
            ("hind.paw.length", hind.paw.length, 0.02, 0.25),
            ("fore.scapula", fore.scapula, 0.1, 0.6),
            ("fore.upper_arm", fore.upper_arm, 0.1, 0.6),
            ("fore.forearm", fore.forearm, 0.1, 0.6),
            ("fore.metacarpus", fore.metacarpus, 0.05, 0.5),
            ("fore.paw.height", fore.paw.height, 0.01, 0.25),
            ("fore.paw.length", fore.paw.length, 0.02, 0.25),
            ("neck", bones.neck, 0.1, 1.2),
            ("head", bones.head, 0.15, 0.8),
            ("tail", bones.tail, 0.05, 1.5),
        ] {
            inside(what, value, least * w, most * w)?;
        }
        let [swung, trotted] = manner.carpus;
        let [hock, hock_trotted] = manner.hock;
        let [neck_base, neck_end] = figure.neck_half_depth;
        for (what, value, least, most) in [
            ("neck_rise", bones.neck_rise, -0.3, 1.4),
            ("head_drop", bones.head_drop, -0.3, 1.3),
            ("tail_drop", bones.tail_drop, -1.5, 1.5),
            ("chest_depth", figure.chest_depth, 0.25, 0.7),
            ("waist_depth", figure.waist_depth, 0.2, 0.6),
            ("chest_half_width", figure.chest_half_width, 0.06, 0.35),
            ("croup_half_width", figure.croup_half_width, 0.06, 0.35),
            ("neck_half_depth", neck_base, 0.06, 0.3),
            ("neck_half_depth", neck_end, 0.04, 0.2),
            ("haunches", figure.haunches, 0.5, 2.0),
            ("legs", figure.legs, 0.5, 2.0),
            ("tail_half_width", figure.tail_half_width, 0.005, 0.15),
            ("ears", figure.ears, 0.03, 0.5),
            ("long_face", figure.long_face, 0.0, 1.0),
            ("nod", manner.nod, 0.0, 0.1),
            ("bend", manner.bend, 0.0, 0.25),
            ("carpus", swung, 0.0, 1.9),
            ("carpus", trotted, 0.0, 1.9),
            ("hock", hock, 0.0, 0.8),
            ("hock", hock_trotted, 0.0, 0.8),
            ("roll_off", manner.roll_off, 0.0, 1.3),
            ("hind_lead", manner.hind_lead, 0.0, 0.05),
            ("tail_sway", manner.tail_sway, 0.0, 1.0),
            ("tail_curl", manner.tail_curl, -2.5, 2.5),
        ] {
            inside(what, value, least, most)?;
        }
        Ok(())
    }
}

fn inside(what: &'static str, value: f32, least: f32, most: f32) -> Result<(), BreedError> {
    // NaN is in no range.
    if (least..=most).contains(&value) {
        Ok(())
    } else {
        Err(BreedError::Range { what, value, least, most })
    }
}
