//! The parameters of PPR, by the names of the publication.

use crate::steering_parameters;

steering_parameters! {
    /// Parameters of PPR.
    pub struct PprParameters {
        visual_range: 10.0, 1.0..=50.0, "m",
            "How far ahead others are perceived, in a half-disc where no wall hides them (R_vis); no further than \
             `neighbour_range`";
        t_min: 0.8, 0.0..=5.0, "s", "Collisions sooner than this are not predicted but reacted to (t_min)";
        t_max: 4.0, 0.1..=20.0, "s", "Collisions that are not over by then are not predicted yet (t_max)";
        padding: 0.2, 0.0..=2.0, "m", "How far apart bodies are to stay in what is predicted";
        linger: 0.5, 0.0..=5.0, "s", "For how long after the end of a threat it is remembered";
        prediction: 1.0, 0.0..=1.0, "", "1: people predict and avoid early; 0: they only plan and react";
        comfort_zone: 0.5, 0.0..=3.0, "m",
            "Who comes nearer to one's body makes one slow down; 0.5 m between bodies of 0.5 m are the published 1.5 \
             m between centres";
        feeler: 1.0, 0.3..=5.0, "m", "How far ahead feelers reach, from the middle of the body";
        side_feeler: 0.1, 0.01..=1.0, "m",
            "How far feelers reach to both sides of the body, and how much those ahead are splayed";
        slightly_faster: 1.15, 0.0..=2.0, "", "Factor of the speed of who crosses before somebody";
        slightly_slower: 0.77, 0.0..=2.0, "", "Factor of the speed of who crosses behind somebody";
        slower: 0.5, 0.0..=2.0, "", "Factor of the speed of who turns sharply, or has somebody right ahead";
        cornering_turn: 3.8, 0.05..=20.0, "rad/s", "How fast people turn who face away from their way";
        fast_turn: 1.1, 0.05..=20.0, "rad/s", "How fast people turn at obstacles, and if their way is well aside";
        typical_turn: 0.52, 0.05..=20.0, "rad/s", "How fast people turn to their way, and aside of who comes";
        adjusting_turn: 0.32, 0.05..=20.0, "rad/s", "How fast people turn away from and behind those who cross";
        max_force: 14.0, 0.5..=100.0, "m/s²", "The largest force per mass (F_max)";
        predict_period: 0.05, 0.0..=5.0, "s",
            "How often people perceive and predict; with 0.3 s, as published, they overdo it";
        react_period: 0.05, 0.0..=2.0, "s", "How often people feel and decide anew";
    }
}
