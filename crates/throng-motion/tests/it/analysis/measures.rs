//! Gaits are held against people.

use throng_motion::analysis::{GaitMeasures, JointAngles, Judgement, Options, qualify};
use throng_motion::gait::JointAngle;
use throng_motion::{Clip, Side};

use super::walker::Walker;

fn clip(walker: Walker) -> Clip {
    qualify(&walker.motion(), &Options::default()).unwrap().clip
}

#[test]
fn a_known_walk_has_known_measures() {
    let walker = Walker { sway: 0.03, ..Walker::default() };
    let measures = GaitMeasures::of(&clip(walker)).unwrap().unwrap();
    let leg = walker.human().proportions().leg();
    assert!((measures.root_lateral - 1000.0 * 0.06 / leg).abs() < 3.0, "{measures:?}");
    assert!(measures.root_fore_aft < 4.0, "it moves on steadily: {measures:?}");
    assert!(measures.sole_most.abs() < 0.5 && measures.sole_least.abs() < 0.5, "flat feet");
    assert!(measures.pelvis_rotation < 0.5 && measures.pelvis_tilt < 0.5);
    assert!(measures.ball_skate < 0.1, "{measures:?}");
    assert!(measures.strike_asymmetry.unwrap() < 0.01);
    assert!(measures.knee_difference < 3.0, "{measures:?}");
    assert!((measures.shoulder_range.unwrap() - 0.6f32.to_degrees()).abs() < 0.5);
    assert!(measures.elbow_range.unwrap() < 0.1);
    assert!((measures.duty - 0.61).abs() < 0.02);
    assert!(measures.lowest_point.abs() < 2.0, "{}", measures.lowest_point);
    assert!((measures.speed_number - 1.3 / (9.81 * leg).sqrt()).abs() < 0.01);
}

#[test]
fn rows_say_what_is_not_human() {
    let measures = GaitMeasures::of(&clip(Walker::default())).unwrap().unwrap();
    let rows = measures.rows();
    let judged = |name: &str| rows.iter().find(|row| row.name == name).unwrap().judgement();
    assert_eq!(judged("duty"), Judgement::Inside);
    assert_eq!(judged("strike asymmetry"), Judgement::Inside, "less is no fault");
    assert_eq!(judged("ball skate in mid-stance"), Judgement::Inside);
    assert_eq!(judged("sole pitch most"), Judgement::Below, "nobody walks with flat feet");
    assert_eq!(judged("sole pitch least"), Judgement::Above);
    assert_eq!(judged("pelvis rotation range"), Judgement::Below);
    let mut names: Vec<&str> = rows.iter().map(|row| row.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), rows.len());
}

#[test]
fn people_who_go_backwards_are_held_against_nobody() {
    let backwards = Walker { angle: std::f32::consts::PI, speed: 0.7, ..Walker::default() };
    let measures = GaitMeasures::of(&clip(backwards)).unwrap().unwrap();
    assert!(!measures.is_forwards);
    assert!(measures.rows().iter().all(|row| row.judgement() == Judgement::Open));
    let statue = Walker { speed: 0.0, ..Walker::default() }.motion();
    let poses = vec![statue.pose(0); 200];
    let still =
        throng_motion::Motion::from_poses("s", statue.skeleton().clone(), 60.0, &poses).unwrap();
    let still = qualify(&still, &Options::default()).unwrap().clip;
    assert_eq!(GaitMeasures::of(&still), Ok(None));
}

#[test]
fn both_sides_of_a_symmetric_walk_have_the_same_angles_half_a_cycle_apart() {
    let clip = clip(Walker::default());
    let angles = JointAngles::of(&clip).unwrap();
    let frames = clip.motion().frames();
    for kind in [JointAngle::Hip, JointAngle::Knee, JointAngle::Ankle] {
        let (left, right) = (angles.curve(kind, Side::Left), angles.curve(kind, Side::Right));
        for frame in 0..frames {
            let off = (left[frame] - right[(frame + frames / 2) % frames]).abs();
            assert!(off < 0.12, "{kind:?} at {frame}: {off}");
        }
    }
}
