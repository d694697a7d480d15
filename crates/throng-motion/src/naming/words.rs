//! What the name of a joint says: a side, and a part of the body.
//!
//! `mixamorig:LeftUpLeg`, `thigh.L`, `Bip01 L Thigh`, `lThigh`, `J_Bip_L_UpperLeg` and `left_hip`
//! are all the same joint. A name is split into words at separators, digits and capitals; the side is
//! taken out, and the longest run of words that means a part of the body counts.

use crate::contact::Side;

/// A part of the body; limbs have a side as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Hips,
    Spine,
    Neck,
    Head,
    Eye,
    Shoulder,
    UpperArm,
    Forearm,
    Hand,
    UpperLeg,
    LowerLeg,
    Foot,
    Toes,
}

/// What a name may mean.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Meaning {
    pub side: Option<Side>,
    /// The parts it may be, and how much each is to be believed: from 1 to 3.
    pub parts: &'static [(Part, i32)],
}

impl Meaning {
    /// How much the name is to be believed to mean `part`; 0 is not at all.
    pub fn weight(&self, part: Part) -> i32 {
        self.parts.iter().find(|(other, _)| *other == part).map_or(0, |(_, weight)| *weight)
    }
}

/// What the joint called `name` may be.
pub(super) fn meaning(name: &str) -> Meaning {
    let mut side = None;
    let words: Vec<String> = split(name)
        .into_iter()
        .filter_map(|word| {
            let (found, rest) = split_side(word);
            // The first side counts: `l_hand_r` does not exist.
            side = side.or(found);
            rest
        })
        .collect();
    if words.iter().any(|word| is_helper(word)) {
        return Meaning { side, parts: &[] };
    }
    let mut best: (usize, &'static [(Part, i32)]) = (0, &[]);
    for from in 0..words.len() {
        let mut joined = String::new();
        for word in &words[from..] {
            joined.push_str(word);
            if let Some(parts) = parts(&joined)
                && joined.len() > best.0
            {
                best = (joined.len(), parts);
            }
        }
    }
    Meaning { side, parts: best.1 }
}

/// The words of a name in lower case, without numbers and without a namespace.
fn split(name: &str) -> Vec<String> {
    // A long name has no more meaning; and windows over its words take time.
    const LONGEST: usize = 64;
    let own = name.rsplit([':', '|']).next().filter(|own| !own.is_empty()).unwrap_or(name);
    let letters: Vec<char> = own.chars().take(LONGEST).collect();
    let mut words: Vec<String> = Vec::new();
    let mut fresh = true;
    for (index, letter) in letters.iter().enumerate() {
        if !letter.is_alphabetic() {
            fresh = true;
            continue;
        }
        let before = index.checked_sub(1).map(|before| letters[before]);
        let after = letters.get(index + 1);
        // `upLeg` breaks before the capital, and so does `LHip`: its last capital begins a word.
        let capital = letter.is_uppercase()
            && (before.is_some_and(char::is_lowercase)
                || before.is_some_and(char::is_uppercase)
                    && after.is_some_and(|after| after.is_lowercase()));
        if fresh || capital {
            words.push(String::new());
        }
        fresh = false;
        if let Some(word) = words.last_mut() {
            word.extend(letter.to_lowercase());
        }
    }
    words
}

/// The side that a word tells, and what is left of the word.
fn split_side(word: String) -> (Option<Side>, Option<String>) {
    const SIDES: [(&str, Side); 2] = [("left", Side::Left), ("right", Side::Right)];
    match word.as_str() {
        "l" | "lt" | "lft" => return (Some(Side::Left), None),
        "r" | "rt" | "rgt" => return (Some(Side::Right), None),
        _ => {}
    }
    for (text, side) in SIDES {
        if let Some(rest) = word.strip_prefix(text).or_else(|| word.strip_suffix(text)) {
            return (Some(side), (!rest.is_empty()).then(|| rest.to_owned()));
        }
    }
    // `lthigh`, without a capital.
    if parts(&word).is_none() {
        for (letter, side) in [('l', Side::Left), ('r', Side::Right)] {
            if let Some(rest) = word.strip_prefix(letter)
                && parts(rest).is_some()
            {
                return (Some(side), Some(rest.to_owned()));
            }
        }
    }
    (None, Some(word))
}

/// Whether a word belongs to joints that are no landmarks, whatever else their names say.
fn is_helper(word: &str) -> bool {
    const HELPERS: [&str; 43] = [
        "twist",
        "roll",
        "ik",
        "fk",
        "pole",
        "target",
        "end",
        "nub",
        "tip",
        "top",
        "ctrl",
        "control",
        "mch",
        "helper",
        "dummy",
        "finger",
        "fingers",
        "thumb",
        "index",
        "middle",
        "mid",
        "ring",
        "pinky",
        "little",
        "carpal",
        "metacarpal",
        "breast",
        "pectoral",
        "hair",
        "skirt",
        "jaw",
        "tongue",
        "teeth",
        "lid",
        "brow",
        "cape",
        "weapon",
        "prop",
        "share",
        "swing",
        "front",
        "footsteps",
        "site",
    ];
    HELPERS.contains(&word)
}

/// The parts that words without gaps may mean.
fn parts(words: &str) -> Option<&'static [(Part, i32)]> {
    use Part::*;
    Some(match words {
        "hips" | "pelvis" => &[(Hips, 3)],
        // The middle of the body in Poser and Daz, a hip joint where there is a side.
        "hip" => &[(Hips, 3), (UpperLeg, 3)],
        "hipjoint" => &[(UpperLeg, 1)],
        "spine" | "abdomen" | "chest" | "upperchest" | "lowerback" | "upperback" | "torso"
        | "waist" | "thorax" | "back" | "ribcage" | "vertebra" | "trunk" => &[(Spine, 3)],
        "neck" | "cervical" => &[(Neck, 3)],
        "head" | "skull" => &[(Head, 3)],
        "eye" | "eyeball" => &[(Eye, 3)],
        "clavicle" | "collar" | "collarbone" | "clav" => &[(Shoulder, 3)],
        // The collar bone in most rigs, the joint of the arm in others: the chain decides.
        "shoulder" => &[(Shoulder, 2), (UpperArm, 2)],
        "upperarm" | "uparm" | "shldr" | "humerus" | "bicep" => &[(UpperArm, 3)],
        "arm" => &[(UpperArm, 3), (Shoulder, 1), (Forearm, 1), (Hand, 1)],
        "forearm" | "lowerarm" | "lowarm" | "elbow" => &[(Forearm, 3)],
        "hand" | "wrist" => &[(Hand, 3)],
        "upperleg" | "upleg" | "thigh" | "femur" => &[(UpperLeg, 3)],
        "leg" => &[(LowerLeg, 3), (UpperLeg, 1), (Foot, 1), (Toes, 1)],
        "lowerleg" | "lowleg" | "shin" | "calf" | "knee" | "tibia" | "shank" => &[(LowerLeg, 3)],
        "ankle" => &[(Foot, 3)],
        // Where the ankle has a joint of its own the foot is what is beyond it.
        "foot" => &[(Foot, 3), (Toes, 1)],
        "toe" | "toes" | "toebase" | "ball" | "metatarsals" => &[(Toes, 3)],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_joint_is_known_by_the_names_of_all_rigs() {
        for name in [
            "mixamorig:LeftUpLeg",
            "mixamorig9:LeftUpLeg",
            "thigh.L",
            "DEF-thigh.L",
            "thigh_l",
            "J_Bip_L_UpperLeg",
            "Bip01 L Thigh",
            "lThigh",
            "lThighBend",
            "L_Hip",
            "left_hip",
            "LeftUpperLeg",
            "LEFTUPLEG",
            "lthigh",
            "CC_Base_L_Thigh",
            "Character1_LeftUpLeg",
            "upper_leg_left",
            "LUpLeg",
            "rig|Armature|LeftUpLeg",
        ] {
            let meaning = meaning(name);
            assert_eq!(meaning.side, Some(Side::Left), "{name}");
            assert_eq!(meaning.weight(Part::UpperLeg), 3, "{name}");
        }
    }

    #[test]
    fn helpers_and_other_things_are_no_landmarks() {
        for name in [
            "LeftUpLegRoll",
            "thigh_twist_01_l",
            "LeftHandIndex1",
            "LeftToe_End",
            "HeadTop_End",
            "",
            "Bone.001",
            "::",
            "foot_ik.L",
            "Ünïcödé",
        ] {
            assert_eq!(meaning(name).parts, &[], "{name}");
        }
    }

    #[test]
    fn words_are_not_taken_apart_too_far() {
        assert_eq!(meaning("leg").side, None);
        assert_eq!(meaning("LowerBack").weight(Part::Spine), 3);
        assert_eq!(meaning("lForeArm").weight(Part::Forearm), 3);
        assert_eq!(meaning("lForeArm").weight(Part::UpperArm), 0);
        assert_eq!(meaning("LHipJoint").weight(Part::UpperLeg), 1);
        assert_eq!(meaning("Bip01 R Toe0").weight(Part::Toes), 3);
        assert_eq!(meaning("RightToeBase").weight(Part::Toes), 3);
    }
}
