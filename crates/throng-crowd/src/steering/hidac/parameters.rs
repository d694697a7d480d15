//! The parameters of HiDAC, and kinds of people.
//!
//! Where the description says so, a value is the published one; the others are not published and were
//! chosen so that the published behaviour appears.

use throng_world::temperament::TraitGain;

use crate::steering::gains;

use super::super::Personality;
use crate::steering_parameters;

steering_parameters! {
    /// Parameters of HiDAC.
    pub struct HidacParameters {
        personal_space: 0.1, 0.0..=0.5, "m",
            "How near others may come to one's body before one gives way (ε): with up to 0.1 people push, with more \
             they are respectful";
        waiting_radius: 0.35, 0.05..=1.0, "m",
            "Somebody who walks the same way and is in a disc of this radius right ahead is waited for where it is \
             dense (R_w)";
        waiting_time: 2.0, 0.0..=20.0, "s", "Waits last from a quarter of this to all of it; 0 never waits";
        stopping_time: 0.6, 0.0..=5.0, "s",
            "Whoever is pushed back stops for a third of this to all of it; 0 never stops, and people shake";
        acceleration: 1.0, 0.1..=10.0, "m/s²", "How fast one takes up speed (a)";
        haste: 1.0, 0.2..=3.0, "", "How many times one's preferred speed one walks, up to one's largest";
        goal_weight: 5.0, 0.1..=10.0, "", "How much the way to the goal counts (w_At)";
        wall_weight: 3.0, 0.0..=10.0, "", "How much walls and obstacles ahead count (w_Wa, w_Ob)";
        others_weight: 2.0, 0.0..=10.0, "", "How much people ahead count (w_Ot); the less, the narrower queues are";
        inertia: 1.0, 0.0..=10.0, "", "How much the direction of 0.04 s ago counts (w_In); twice as much in panic";
        sight: 3.0, 1.0..=5.0, "m", "How far ahead others are avoided where there are few (D; published)";
        dense_sight: 1.5, 0.5..=5.0, "m",
            "The same where it is dense (D; published): at 1.5 and less nobody overtakes";
        right_angle: 15.0, 0.0..=90.0, "°",
            "Those who meet head on to within this angle keep to the right, where there are few (θ_R)";
        dense_right_angle: 5.0, 0.0..=90.0, "°", "The same where it is dense";
        literal_oncoming: 0.0, 0.0..=1.0, "",
            "1: whoever comes towards one and is nearer than the sight less 1.5 m is not avoided, as the text of the \
             paper has it; 0: those who walk the same way are not, unless they are so near";
        fall_push: 0.12, 0.01..=1.0, "m",
            "Three or more who push the same way, and together move one by more than this, can make one fall (F_fall)";
        fall_chance: 0.5, 0.0..=10.0, "1/s", "Chance per second to fall then (P_fall)";
        lying_time: 5.0, 0.0..=600.0, "s", "Whoever has fallen gets up after this time at the earliest (T_up)";
        panic: 0.0, 0.0..=1.0, "", "The level of panic at first";
        panic_threshold: 0.5, 0.01..=1.0, "",
            "The level of panic from which one loses one's head, until it is half of this";
        panic_by_others: 0.3, 0.0..=5.0, "1/s", "How fast panic rises if all within 5 m are in panic (k_c)";
        panic_by_pushes: 0.2, 0.0..=5.0, "1/s",
            "How fast panic rises in whom others push as hard as to make them fall (k_p)";
        panic_by_density: 0.02, 0.0..=5.0, "1/s", "How fast panic rises per person and m² ahead beyond two (k_d)";
        patience: 6.0, 0.5..=600.0, "s",
            "Whoever is held up this long before a crowded gate looks for another way (T_imp)";
    }
}

/// What people's traits do. At the ends they make of the defaults what [`PERSONALITIES`] are: selfish, outgoing people have
/// the personal space of the aggressive, considerate, withdrawn ones that of the respectful, and as long waits.
pub const GAINS: &[(&str, TraitGain)] = &[
    ("personal_space", gains::SPACE),
    ("waiting_time", gains::WAITING),
    ("patience", gains::PATIENCE),
    ("sight", gains::HORIZON),
    ("right_angle", gains::RIGHT_HAND),
    ("dense_right_angle", gains::RIGHT_HAND),
    ("panic_threshold", gains::PANIC_THRESHOLD),
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
                let found = HidacParameters::INFOS.iter().find(|parameter| parameter.name == *name);
                let parameter = found.unwrap_or_else(|| panic!("there is no {name}"));
                assert!((parameter.min..=parameter.max).contains(value), "{name} = {value}");
                assert_ne!(*value, parameter.default, "{name} of {} is idle", personality.name);
            }
        }
    }
}
