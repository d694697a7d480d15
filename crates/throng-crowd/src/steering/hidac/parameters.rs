//! The parameters of HiDAC, and kinds of people.
//!
//! Where the description says so, a value is the published one; the others are not published and were
//! chosen so that the published behaviour appears.

use throng_world::temperament::{Sway, sways};

use super::super::{ParameterInfo, Personality};

pub const PARAMETERS: &[ParameterInfo] = &[
    ParameterInfo {
        name: "personal_space",
        description: "How near others may come to one's body before one gives way (ε): with up to \
                      0.1 people push, with more they are respectful",
        unit: "m",
        default: 0.1,
        min: 0.0,
        max: 0.5,
    },
    ParameterInfo {
        name: "waiting_radius",
        description: "Somebody who walks the same way and is in a disc of this radius right ahead \
                      is waited for where it is dense (R_w)",
        unit: "m",
        default: 0.35,
        min: 0.05,
        max: 1.0,
    },
    ParameterInfo {
        name: "waiting_time",
        description: "Waits last from a quarter of this to all of it; 0 never waits",
        unit: "s",
        default: 2.0,
        min: 0.0,
        max: 20.0,
    },
    ParameterInfo {
        name: "stopping_time",
        description: "Whoever is pushed back stops for a third of this to all of it; 0 never stops, \
                      and people shake",
        unit: "s",
        default: 0.6,
        min: 0.0,
        max: 5.0,
    },
    ParameterInfo {
        name: "acceleration",
        description: "How fast one takes up speed (a)",
        unit: "m/s²",
        default: 1.0,
        min: 0.1,
        max: 10.0,
    },
    ParameterInfo {
        name: "haste",
        description: "How many times one's preferred speed one walks, up to one's largest",
        unit: "",
        default: 1.0,
        min: 0.2,
        max: 3.0,
    },
    ParameterInfo {
        name: "goal_weight",
        description: "How much the way to the goal counts (w_At)",
        unit: "",
        default: 5.0,
        min: 0.1,
        max: 10.0,
    },
    ParameterInfo {
        name: "wall_weight",
        description: "How much walls and obstacles ahead count (w_Wa, w_Ob)",
        unit: "",
        default: 3.0,
        min: 0.0,
        max: 10.0,
    },
    ParameterInfo {
        name: "others_weight",
        description: "How much people ahead count (w_Ot); the less, the narrower queues are",
        unit: "",
        default: 2.0,
        min: 0.0,
        max: 10.0,
    },
    ParameterInfo {
        name: "inertia",
        description: "How much the direction of 0.04 s ago counts (w_In); twice as much in panic",
        unit: "",
        default: 1.0,
        min: 0.0,
        max: 10.0,
    },
    ParameterInfo {
        name: "sight",
        description: "How far ahead others are avoided where there are few (D; published)",
        unit: "m",
        default: 3.0,
        min: 1.0,
        max: 5.0,
    },
    ParameterInfo {
        name: "dense_sight",
        description: "The same where it is dense (D; published): at 1.5 and less nobody overtakes",
        unit: "m",
        default: 1.5,
        min: 0.5,
        max: 5.0,
    },
    ParameterInfo {
        name: "right_angle",
        description: "Those who meet head on to within this angle keep to the right, where there \
                      are few (θ_R)",
        unit: "°",
        default: 15.0,
        min: 0.0,
        max: 90.0,
    },
    ParameterInfo {
        name: "dense_right_angle",
        description: "The same where it is dense",
        unit: "°",
        default: 5.0,
        min: 0.0,
        max: 90.0,
    },
    ParameterInfo {
        name: "literal_oncoming",
        description: "1: whoever comes towards one and is nearer than the sight less 1.5 m is not \
                      avoided, as the text of the paper has it; 0: those who walk the same way are \
                      not, unless they are so near",
        unit: "",
        default: 0.0,
        min: 0.0,
        max: 1.0,
    },
    ParameterInfo {
        name: "fall_push",
        description: "Three or more who push the same way, and together move one by more than this, \
                      can make one fall (F_fall)",
        unit: "m",
        default: 0.12,
        min: 0.01,
        max: 1.0,
    },
    ParameterInfo {
        name: "fall_chance",
        description: "Chance per second to fall then (P_fall)",
        unit: "1/s",
        default: 0.5,
        min: 0.0,
        max: 10.0,
    },
    ParameterInfo {
        name: "lying_time",
        description: "Whoever has fallen gets up after this time at the earliest (T_up)",
        unit: "s",
        default: 5.0,
        min: 0.0,
        max: 600.0,
    },
    ParameterInfo {
        name: "panic",
        description: "The level of panic at first",
        unit: "",
        default: 0.0,
        min: 0.0,
        max: 1.0,
    },
    ParameterInfo {
        name: "panic_threshold",
        description: "The level of panic from which one loses one's head, until it is half of this",
        unit: "",
        default: 0.5,
        min: 0.01,
        max: 1.0,
    },
    ParameterInfo {
        name: "panic_by_others",
        description: "How fast panic rises if all within 5 m are in panic (k_c)",
        unit: "1/s",
        default: 0.3,
        min: 0.0,
        max: 5.0,
    },
    ParameterInfo {
        name: "panic_by_pushes",
        description: "How fast panic rises in whom others push as hard as to make them fall (k_p)",
        unit: "1/s",
        default: 0.2,
        min: 0.0,
        max: 5.0,
    },
    ParameterInfo {
        name: "panic_by_density",
        description: "How fast panic rises per person and m² ahead beyond two (k_d)",
        unit: "1/s",
        default: 0.02,
        min: 0.0,
        max: 5.0,
    },
    ParameterInfo {
        name: "patience",
        description: "Whoever is held up this long before a crowded gate looks for another way \
                      (T_imp)",
        unit: "s",
        default: 6.0,
        min: 0.5,
        max: 600.0,
    },
];

pub const SPACE: usize = 0;
pub const WAITING_RADIUS: usize = 1;
pub const WAITING_TIME: usize = 2;
pub const STOPPING_TIME: usize = 3;
pub const ACCELERATION: usize = 4;
pub const HASTE: usize = 5;
pub const GOAL_WEIGHT: usize = 6;
pub const WALL_WEIGHT: usize = 7;
pub const OTHERS_WEIGHT: usize = 8;
pub const INERTIA: usize = 9;
pub const SIGHT: usize = 10;
pub const DENSE_SIGHT: usize = 11;
pub const RIGHT_ANGLE: usize = 12;
pub const DENSE_RIGHT_ANGLE: usize = 13;
pub const LITERAL_ONCOMING: usize = 14;
pub const FALL_PUSH: usize = 15;
pub const FALL_CHANCE: usize = 16;
pub const LYING_TIME: usize = 17;
pub const PANIC: usize = 18;
pub const PANIC_THRESHOLD: usize = 19;
pub const PANIC_BY_OTHERS: usize = 20;
pub const PANIC_BY_PUSHES: usize = 21;
pub const PANIC_BY_DENSITY: usize = 22;
pub const PATIENCE: usize = 23;

/// What people's traits do. At the ends they make of the defaults what [`PERSONALITIES`] are: selfish, outgoing people have
/// the personal space of the aggressive, considerate, withdrawn ones that of the respectful, and as long waits.
pub const SWAYS: &[(&str, Sway)] = &[
    ("personal_space", sways::SPACE),
    ("waiting_time", sways::WAITING),
    ("patience", sways::PATIENCE),
    ("sight", sways::HORIZON),
    ("right_angle", sways::RIGHT_HAND),
    ("dense_right_angle", sways::RIGHT_HAND),
    ("panic_threshold", sways::PANIC_THRESHOLD),
];

pub const PERSONALITIES: &[Personality] = &[
    Personality {
        name: "calm",
        summary: "has time, waits for others and is not easily frightened",
        values: &[("personal_space", 0.12), ("haste", 0.95), ("panic_threshold", 0.7)],
    },
    Personality {
        name: "hurried",
        summary: "walks fast, waits for moments only and looks for another way soon",
        values: &[
            ("personal_space", 0.08),
            ("waiting_radius", 0.3),
            ("waiting_time", 0.8),
            ("stopping_time", 0.4),
            ("acceleration", 1.5),
            ("haste", 1.2),
            ("patience", 3.0),
        ],
    },
    Personality {
        name: "respectful",
        summary: "keeps away from others, lets them pass and keeps to the right",
        values: &[
            ("personal_space", 0.2),
            ("waiting_radius", 0.5),
            ("waiting_time", 3.0),
            ("others_weight", 3.0),
            ("right_angle", 20.0),
            ("dense_right_angle", 10.0),
            ("patience", 12.0),
        ],
    },
    Personality {
        name: "aggressive",
        summary: "pushes on, hardly waits and goes round nobody who might give way",
        values: &[
            ("personal_space", 0.0),
            ("waiting_radius", 0.15),
            ("waiting_time", 0.4),
            ("stopping_time", 0.3),
            ("acceleration", 2.0),
            ("haste", 1.15),
            ("others_weight", 1.0),
            ("right_angle", 5.0),
            ("dense_right_angle", 2.0),
            ("patience", 3.0),
        ],
    },
    Personality {
        name: "panicking",
        summary: "is in panic from the beginning, and easily stays so",
        values: &[
            ("personal_space", 0.05),
            ("waiting_time", 0.5),
            ("stopping_time", 0.3),
            ("others_weight", 1.5),
            ("panic", 1.0),
            ("panic_threshold", 0.2),
        ],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn personalities_are_made_of_parameters_within_their_limits() {
        for personality in PERSONALITIES {
            for (name, value) in personality.values {
                let found = PARAMETERS.iter().find(|parameter| parameter.name == *name);
                let parameter = found.unwrap_or_else(|| panic!("there is no {name}"));
                assert!((parameter.min..=parameter.max).contains(value), "{name} = {value}");
                assert_ne!(*value, parameter.default, "{name} of {} is idle", personality.name);
            }
        }
        assert_eq!(PARAMETERS[PATIENCE].name, "patience");
        assert_eq!(PARAMETERS[LITERAL_ONCOMING].name, "literal_oncoming");
        assert_eq!(PARAMETERS[PANIC].name, "panic");
    }
}
