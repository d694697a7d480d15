//! What repertoires make of clips.

use throng_base::frame::wrap_angle;
use throng_motion::gait::Steady;
use throng_motion::{Landmark, ModelPose, Pose, Side};

use super::stage::{HUMAN, REPERTOIRE};

#[test]
fn every_part_begins_at_a_left_strike_and_leads_where_it_says() {
    for part in REPERTOIRE.parts() {
        let clip = &part.clip;
        if part.speed < 0.05 {
            continue;
        }
        let strike = clip.contacts().left[0].start;
        let off = strike.min(1.0 - strike);
        assert!(off < 0.05, "{} strikes at {strike}", clip.name());
    }
}

#[test]
fn a_reversed_clip_goes_back_where_it_came_from() {
    let clip = Steady::ahead(0.7).towards(0.4).clip(&HUMAN).unwrap();
    let back = clip.reversed();
    assert!((back.speed() - clip.speed()).abs() < 1e-3);
    let turned = wrap_angle(back.travel_angle() - clip.travel_angle()).abs();
    assert!((turned - std::f32::consts::PI).abs() < 1e-3, "{turned}");
    let again = back.reversed();
    let (mut a, mut b) = (Pose::default(), Pose::default());
    // Twice reversed it is the same motion, up to where it begins.
    let shift = again.contacts().left[0].start - clip.contacts().left[0].start;
    clip.sample(0.3, &mut a);
    again.sample(0.3 + shift, &mut b);
    let at = |pose: &Pose| {
        ModelPose::of(HUMAN.skeleton(), pose).position(HUMAN.joint(Landmark::foot(Side::Left)))
    };
    assert!(at(&a).distance(at(&b)) < 0.03, "{} {}", at(&a), at(&b));
    // Feet that stand do so in both directions.
    for side in Side::BOTH {
        assert!((clip.contacts().duty(side) - back.contacts().duty(side)).abs() < 1e-5);
    }
}
