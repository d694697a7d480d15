//! The parameters of PPR, by the names of the publication.

use crate::steering::ParameterInfo;

pub(super) const VISUAL_RANGE: usize = 0;
pub(super) const T_MIN: usize = 1;
pub(super) const T_MAX: usize = 2;
pub(super) const PADDING: usize = 3;
pub(super) const LINGER: usize = 4;
pub(super) const PREDICTION: usize = 5;
pub(super) const COMFORT_ZONE: usize = 6;
pub(super) const FEELER: usize = 7;
pub(super) const SIDE_FEELER: usize = 8;
pub(super) const SLIGHTLY_FASTER: usize = 9;
pub(super) const SLIGHTLY_SLOWER: usize = 10;
pub(super) const SLOWER: usize = 11;
pub(super) const CORNERING_TURN: usize = 12;
pub(super) const FAST_TURN: usize = 13;
pub(super) const TYPICAL_TURN: usize = 14;
pub(super) const ADJUSTING_TURN: usize = 15;
pub(super) const MAX_FORCE: usize = 16;
pub(super) const PREDICT_PERIOD: usize = 17;
pub(super) const REACT_PERIOD: usize = 18;

/// A turn rate, rad/s.
const fn turn(name: &'static str, description: &'static str, default: f32) -> ParameterInfo {
    ParameterInfo { name, description, unit: "rad/s", default, min: 0.05, max: 20.0 }
}

/// A factor of one's speed.
const fn speed(name: &'static str, description: &'static str, default: f32) -> ParameterInfo {
    ParameterInfo { name, description, unit: "", default, min: 0.0, max: 2.0 }
}

pub(super) const PARAMETERS: &[ParameterInfo] = &[
    ParameterInfo {
        name: "visual_range",
        description: "How far ahead others are perceived, in a half-disc where no wall hides them (R_vis); no \
                      further than `neighbour_range`",
        unit: "m",
        default: 10.0,
        min: 1.0,
        max: 50.0,
    },
    ParameterInfo {
        name: "t_min",
        description: "Collisions sooner than this are not predicted but reacted to (t_min)",
        unit: "s",
        default: 0.8,
        min: 0.0,
        max: 5.0,
    },
    ParameterInfo {
        name: "t_max",
        description: "Collisions that are not over by then are not predicted yet (t_max)",
        unit: "s",
        default: 4.0,
        min: 0.1,
        max: 20.0,
    },
    ParameterInfo {
        name: "padding",
        description: "How far apart bodies are to stay in what is predicted",
        unit: "m",
        default: 0.2,
        min: 0.0,
        max: 2.0,
    },
    ParameterInfo {
        name: "linger",
        description: "For how long after the end of a threat it is remembered",
        unit: "s",
        default: 0.5,
        min: 0.0,
        max: 5.0,
    },
    ParameterInfo {
        name: "prediction",
        description: "1: people predict and avoid early; 0: they only plan and react",
        unit: "",
        default: 1.0,
        min: 0.0,
        max: 1.0,
    },
    ParameterInfo {
        name: "comfort_zone",
        description: "Who comes nearer to one's body makes one slow down; 0.5 m between bodies of 0.5 m are the \
                      published 1.5 m between centres",
        unit: "m",
        default: 0.5,
        min: 0.0,
        max: 3.0,
    },
    ParameterInfo {
        name: "feeler",
        description: "How far ahead feelers reach, from the middle of the body",
        unit: "m",
        default: 1.0,
        min: 0.3,
        max: 5.0,
    },
    ParameterInfo {
        name: "side_feeler",
        description: "How far feelers reach to both sides of the body, and how much those ahead are splayed",
        unit: "m",
        default: 0.1,
        min: 0.01,
        max: 1.0,
    },
    speed("slightly_faster", "Factor of the speed of who crosses before somebody", 1.15),
    speed("slightly_slower", "Factor of the speed of who crosses behind somebody", 0.77),
    speed("slower", "Factor of the speed of who turns sharply, or has somebody right ahead", 0.5),
    turn("cornering_turn", "How fast people turn who face away from their way", 3.8),
    turn("fast_turn", "How fast people turn at obstacles, and if their way is well aside", 1.1),
    turn("typical_turn", "How fast people turn to their way, and aside of who comes", 0.52),
    turn("adjusting_turn", "How fast people turn away from and behind those who cross", 0.32),
    ParameterInfo {
        name: "max_force",
        description: "The largest force per mass (F_max)",
        unit: "m/s²",
        default: 14.0,
        min: 0.5,
        max: 100.0,
    },
    ParameterInfo {
        name: "predict_period",
        description: "How often people perceive and predict; with 0.3 s, as published, they overdo it",
        unit: "s",
        default: 0.05,
        min: 0.0,
        max: 5.0,
    },
    ParameterInfo {
        name: "react_period",
        description: "How often people feel and decide anew",
        unit: "s",
        default: 0.05,
        min: 0.0,
        max: 2.0,
    },
];
