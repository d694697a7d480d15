//! How animals move: feet that do not slide, bones that do not stretch, nothing that jumps.

use throng_motion::quadruped::{Gait, Quadruped, Stand};
use throng_motion::{JointId, ModelPose, Paw, Pose, Side};

use super::animals::{animals, at, clips, phases, placed, tip};

#[test]
fn standing_feet_do_not_slide() {
    for (what, animal, _, clip) in clips() {
        for paw in Paw::ALL {
            let [span] = clip.contacts().of_paw(paw) else { panic!("one contact") };
            // Where it came down: it is to stay there to the end of its stance.
            let mut strike = None;
            for phase in phases(&clip) {
                let here = tip(&animal, &placed(&clip, phase), paw);
                if span.progress(phase.rem_euclid(1.0)).is_none() {
                    strike = None;
                    continue;
                }
                let slip: f32 = here.distance(*strike.get_or_insert(here));
                assert!(slip < 2e-4, "{what} {paw:?} at {phase}: {} mm", 1e3 * slip);
                assert!(here.y.abs() < 2e-4, "{what} {paw:?}: {} high", here.y);
            }
        }
    }
}

#[test]
fn between_frames_feet_slide_by_less_than_half_a_millimetre() {
    for (what, animal, _, clip) in clips() {
        let frames = clip.motion().frames();
        for paw in Paw::ALL {
            let span = clip.contacts().of_paw(paw)[0];
            for step in 1..40 {
                let frame =
                    (frames as f32 * (span.start + span.length * step as f32 / 40.0)) as usize;
                let half = (frame as f32 + 0.5) / frames as f32;
                let [before, after] = [frame, frame + 1].map(|frame| frame as f32 / frames as f32);
                let inside = |phase: f32| span.progress(phase.rem_euclid(1.0)).is_some();
                if inside(before) && inside(after) {
                    let moved = tip(&animal, &placed(&clip, half), paw).distance(tip(
                        &animal,
                        &placed(&clip, before),
                        paw,
                    ));
                    assert!(moved < 5e-4, "{what} {paw:?}: {} mm", 1e3 * moved);
                }
            }
        }
    }
}

#[test]
fn swinging_feet_clear_the_ground() {
    for (what, animal, _, clip) in clips() {
        let h = animal.proportions().hip_height;
        for paw in Paw::ALL {
            let tips: Vec<_> =
                phases(&clip).map(|phase| tip(&animal, &placed(&clip, phase), paw)).collect();
            let highest = tips.iter().map(|tip| tip.y).fold(0.0, f32::max);
            assert!((0.02..0.13).contains(&(highest / h)), "{what} {paw:?}: {highest}");
            assert!(tips.iter().all(|tip| tip.y > -1e-3 * h), "{what} {paw:?} sinks in");
        }
    }
}

#[test]
fn bones_keep_their_length_and_legs_reach_their_feet() {
    for (what, animal, _, clip) in clips() {
        let skeleton = animal.skeleton();
        for phase in phases(&clip) {
            let model = placed(&clip, phase);
            for (index, joint) in skeleton.joints().iter().enumerate() {
                let Some(parent) = joint.parent else { continue };
                let joint = JointId::new(index);
                let length = model.position(joint).distance(model.position(parent));
                let error = (length - skeleton.bone_length(joint)).abs();
                assert!(error < 1e-4, "{what}: {error} at {phase}");
            }
        }
    }
}

/// Joints bend to the side that animals bend them to, and no farther than they can.
#[test]
fn stifles_point_ahead_and_elbows_back() {
    for (what, animal, _, clip) in clips() {
        for phase in phases(&clip) {
            let model = placed(&clip, phase);
            for side in Side::BOTH {
                let hind = animal.hind(side);
                let [hip, stifle, hock] =
                    [hind.hip, hind.stifle, hind.hock].map(|joint| model.position(joint));
                let bend = (hock - stifle).cross(stifle - hip).x;
                assert!(bend < 1e-4, "{what}: the stifle is over-stretched at {phase}");
                let fore = animal.fore(side);
                let [shoulder, elbow, carpus] =
                    [fore.shoulder, fore.elbow, fore.carpus].map(|joint| model.position(joint));
                let bend = (carpus - elbow).cross(elbow - shoulder).x;
                assert!(bend > -1e-4, "{what}: the elbow is over-stretched at {phase}");
            }
        }
    }
}

#[test]
fn no_joint_is_absurdly_fast() {
    for (what, animal, _, clip) in clips() {
        let motion = clip.motion();
        let period = clip.period();
        for frame in 0..motion.frames() {
            let next = (frame + 1) % motion.frames();
            for joint in 0..animal.skeleton().len() {
                let turned =
                    motion.rotations(frame)[joint].angle_between(motion.rotations(next)[joint]);
                // In radians per cycle: small animals are quick.
                let rate = turned * motion.rate() * period;
                let name = &animal.skeleton().joints()[joint].name;
                assert!(rate < 22.0, "{what}: {name} turns by {rate} per cycle in {frame}");
            }
        }
    }
}

#[test]
fn clips_go_on_from_their_end() {
    for (what, animal, _, clip) in clips() {
        let frames = clip.motion().frames();
        let step = |phase: f32| {
            let (a, b) = (placed(&clip, phase), placed(&clip, phase + 1.0 / frames as f32));
            (0..animal.skeleton().len())
                .map(|joint| a.positions[joint].distance(b.positions[joint]))
                .fold(0.0, f32::max)
        };
        let usual =
            (0..frames - 1).map(|frame| step(frame as f32 / frames as f32)).fold(0.0, f32::max);
        let seam = step(1.0 - 1.0 / frames as f32);
        assert!(seam <= 1.2 * usual, "{what}: {seam} against {usual}");
    }
}

#[test]
fn a_cycle_is_the_same_on_both_sides_half_a_cycle_apart() {
    for (what, animal, _, clip) in clips() {
        let half = 0.5 * clip.travel().translation.z;
        for step in 0..10 {
            let phase = step as f32 / 20.0;
            let (here, there) = (placed(&clip, phase), placed(&clip, phase + 0.5));
            for side in Side::BOTH {
                for (own, other) in [
                    (animal.hind(side).hock, animal.hind(side.other()).hock),
                    (animal.fore(side).carpus, animal.fore(side.other()).carpus),
                ] {
                    let mut moved = there.position(other);
                    moved.x = -moved.x;
                    moved.z -= half;
                    let error = moved.distance(here.position(own));
                    assert!(error < 2e-3, "{what}: {error}");
                }
            }
        }
    }
}

#[test]
fn trunks_rise_and_fall_as_much_as_those_of_animals() {
    for (what, animal, gait, clip) in clips() {
        let h = animal.proportions().hip_height;
        let roots = clip.motion().roots();
        let (low, high) = roots
            .iter()
            .fold((f32::MAX, f32::MIN), |(low, high), root| (low.min(root.y), high.max(root.y)));
        let range = (high - low) / h;
        let expected = match gait {
            Gait::Walk => 0.008..0.05,
            Gait::Trot => 0.04..0.085,
        };
        assert!(expected.contains(&range), "{what}: {range}");
        assert!(low > 0.88 * h && high < 1.06 * h, "{what}: {low} to {high}");
    }
}

#[test]
fn heads_nod_twice_in_a_walk_and_are_steadier_than_the_withers_in_a_trot() {
    for (animal, expected) in [(Quadruped::dog(), 0.015..0.035), (Quadruped::horse(), 0.035..0.06)]
    {
        let heights = |gait, joint| {
            let clip = at(&animal, gait, 0.5);
            let height = |phase| placed(&clip, phase).position(joint).y;
            phases(&clip).map(height).collect::<Vec<f32>>()
        };
        let range = |heights: &[f32]| {
            let low = heights.iter().copied().fold(f32::MAX, f32::min);
            let high = heights.iter().copied().fold(f32::MIN, f32::max);
            (high - low) / animal.proportions().hip_height
        };
        let walk = heights(Gait::Walk, animal.head());
        assert!(expected.contains(&range(&walk)), "{}", range(&walk));
        let lowest = (1..walk.len() - 1)
            .filter(|&frame| walk[frame] < walk[frame - 1] && walk[frame] <= walk[frame + 1])
            .count();
        assert_eq!(lowest, 4, "twice in each of two cycles");
        let mut breed = *animal.breed();
        breed.manner.nod = 0.0;
        let still = Quadruped::new(breed).unwrap();
        let clip = at(&still, Gait::Walk, 0.5);
        let height = |phase| placed(&clip, phase).position(still.head()).y;
        let without = range(&phases(&clip).map(height).collect::<Vec<f32>>());
        assert!(without < 0.8 * range(&walk), "{without} without nodding");
        let head = range(&heights(Gait::Trot, animal.head()));
        let withers = range(&heights(Gait::Trot, animal.spine()[3]));
        assert!(head < 0.6 * withers, "{head} against {withers}");
    }
}

#[test]
fn standing_animals_keep_all_feet_where_they_are() {
    for (name, animal) in animals() {
        let clip = Stand::default().clip(&animal).unwrap();
        let mut pose = Pose::default();
        let mut moved = 0f32;
        clip.sample(0.0, &mut pose);
        let first = ModelPose::of(clip.skeleton(), &pose);
        for phase in phases(&clip) {
            clip.sample(phase, &mut pose);
            let model = ModelPose::of(clip.skeleton(), &pose);
            for paw in Paw::ALL {
                let slip = tip(&animal, &model, paw).distance(tip(&animal, &first, paw));
                assert!(slip < 2e-4, "{name} {paw:?}: {slip}");
                assert!(clip.contacts().paw_touches(paw, phase.rem_euclid(1.0)));
            }
            moved = moved.max(
                model
                    .position(animal.eye(Side::Left))
                    .distance(first.position(animal.eye(Side::Left))),
            );
        }
        assert!(moved > 0.02 * animal.proportions().hip_height, "{name} looks about: {moved}");
    }
}

#[test]
fn the_same_animal_moves_the_same_way_again() {
    for (name, animal) in animals() {
        let (a, b) = (at(&animal, Gait::Trot, 0.5), at(&animal, Gait::Trot, 0.5));
        for frame in 0..a.motion().frames() {
            assert_eq!(a.motion().pose(frame), b.motion().pose(frame), "{name}");
        }
        assert_eq!(a.contacts(), b.contacts());
    }
}
