//! Generated gaits are those of people, and their feet stand where they stand.

use glam::{EulerRot, Vec3, Vec3A};
use proptest::prelude::*;
use throng_motion::gait::{Gait, GaitError, Library, Manner, Standing, Steady, Style, Turning};
use throng_motion::{Clip, ClipKind, Human, Landmark, ModelPose, Pose, Proportions, Side};

fn adult() -> Human {
    Human::new(Proportions::of_height(1.75)).expect("adults are people")
}

/// The points of a foot that touch the ground.
struct Touch {
    heel: Vec3,
    ball: Vec3,
    tip: Vec3,
}

fn touch(human: &Human, clip: &Clip, side: Side, phase: f32) -> Touch {
    let mut pose = Pose::default();
    clip.sample(phase, &mut pose);
    pose.place(clip.root_at(phase).placement());
    let model = ModelPose::of(human.skeleton(), &pose);
    let shape = human.proportions().foot;
    let foot = human.joint(Landmark::foot(side));
    let toes = human.joint(Landmark::toes(side));
    let heel = Vec3::new(0.0, -shape.ankle_height, -shape.heel);
    let tip = Vec3::new(0.0, -shape.ball_height, shape.toes);
    Touch {
        heel: model.position(foot) + model.rotation(foot) * heel,
        ball: model.position(toes),
        tip: model.position(toes) + model.rotation(toes) * tip,
    }
}

/// How far the point on which a foot stands moves per 1/60 s at most.
fn slip(human: &Human, clip: &Clip) -> f32 {
    let step = 1.0 / (60.0 * clip.period());
    let mut most = 0f32;
    for side in Side::BOTH {
        for span in clip.contacts().of(side) {
            // The frames in which a foot comes and goes blend into those in which it is away.
            for index in 2..((span.length / step) as usize).saturating_sub(1) {
                let phase = span.start + index as f32 * step;
                let here = touch(human, clip, side, phase);
                let next = touch(human, clip, side, phase + step);
                let moved = [
                    here.heel.distance(next.heel),
                    here.ball.distance(next.ball),
                    here.tip.distance(next.tip),
                ];
                most = most.max(moved.into_iter().fold(f32::INFINITY, f32::min));
            }
        }
    }
    most
}

/// The lowest point of either foot over the cycle.
fn lowest(human: &Human, clip: &Clip) -> f32 {
    (0..200)
        .flat_map(|index| Side::BOTH.map(|side| touch(human, clip, side, index as f32 / 200.0)))
        .map(|touch| {
            let under = human.proportions().foot.ball_height;
            touch.heel.y.min(touch.tip.y).min(touch.ball.y - under)
        })
        .fold(f32::INFINITY, f32::min)
}

/// Knee, hip and ankle of the left leg, in degrees.
fn left_angles(human: &Human, clip: &Clip, phase: f32) -> [f32; 3] {
    let mut pose = Pose::default();
    clip.sample(phase, &mut pose);
    let about = |landmark: Landmark| {
        pose.rotation(human.joint(landmark)).to_euler(EulerRot::XZY).0.to_degrees()
    };
    [about(Landmark::LeftLowerLeg), -about(Landmark::LeftUpperLeg), -about(Landmark::LeftFoot)]
}

#[test]
fn hips_knees_and_ankles_do_what_those_of_people_do() {
    // Knee, hip and ankle at every tenth of the cycle, from measured strides.
    let people: [(f32, [[f32; 10]; 3]); 3] = [
        (
            0.8,
            [
                [6., 23., 9., 13., 13., 15., 13., 51., 61., 32.],
                [22., 23., 6., 1., -5., -9., -18., 0., 18., 25.],
                [9., 8., 5., 10., 15., 18., 4., -12., 6., 9.],
            ],
        ),
        (
            1.3,
            [
                [8., 28., 20., 15., 13., 17., 25., 59., 62., 30.],
                [27., 27., 12., 1., -8., -14., -18., 3., 21., 29.],
                [6., 5., 9., 15., 16., 16., -5., -11., 8., 8.],
            ],
        ),
        (
            1.8,
            [
                [11., 34., 28., 19., 13., 18., 36., 66., 62., 27.],
                [32., 30., 15., 2., -10., -18., -18., 5., 25., 32.],
                [4., 4., 12., 18., 17., 12., -17., -10., 10., 8.],
            ],
        ),
    ];
    let human = adult();
    for (speed, expected) in people {
        let clip = Steady::ahead(speed).clip(&human).unwrap();
        let deviation = |joint: usize, index: usize| {
            left_angles(&human, &clip, index as f32 / 10.0)[joint] - expected[joint][index]
        };
        for (joint, name, most) in [(0, "knee", 4.5), (1, "hip", 2.5), (2, "ankle", 4.5)] {
            let deviations = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(|index| deviation(joint, index));
            let rms = (deviations.iter().map(|d| d * d).sum::<f32>() / 10.0).sqrt();
            assert!(rms < most, "{speed} m/s: {name} {rms:.1}° off: {deviations:.0?}");
        }
    }
}

#[test]
fn feet_stand_where_they_stand_at_every_speed() {
    let human = adult();
    for speed in [0.4, 0.6, 0.8, 1.0, 1.3, 1.6, 1.9, 2.5, 3.0, 3.5] {
        let clip = Steady::ahead(speed).clip(&human).unwrap();
        let slip = slip(&human, &clip);
        assert!(slip < 0.0005, "{speed} m/s slips by {:.3} mm per frame", 1000.0 * slip);
        let lowest = lowest(&human, &clip);
        // Between frames the knee bends a little less than it should when the heel lands.
        assert!(lowest > -0.0015, "{speed} m/s sinks in by {:.2} mm", -1000.0 * lowest);
        assert!((clip.speed() - speed).abs() < 1e-3);
    }
}

#[test]
fn feet_stand_in_every_direction() {
    let human = adult();
    for degrees in (-180..=180).step_by(15) {
        let steady = Steady::ahead(0.5).towards((degrees as f32).to_radians());
        let clip = steady.clip(&human).unwrap();
        let slip = slip(&human, &clip);
        assert!(slip < 0.0005, "{degrees}° slips by {:.3} mm per frame", 1000.0 * slip);
        assert!(lowest(&human, &clip) > -0.002, "{degrees}° sinks in by {}", lowest(&human, &clip));
        let off = (clip.travel_angle() - (degrees as f32).to_radians()).abs();
        assert!(off < 1e-3 || (off - std::f32::consts::TAU).abs() < 1e-3, "{degrees}°: {off}");
    }
}

#[test]
fn legs_do_not_cross_when_stepping_sideways() {
    let human = adult();
    let clip = Steady::ahead(0.5).towards(90f32.to_radians()).clip(&human).unwrap();
    let apart: Vec<f32> = (0..100)
        .map(|index| {
            let at = |side| touch(&human, &clip, side, index as f32 / 100.0);
            at(Side::Left).ball.x - at(Side::Right).ball.x
        })
        .collect();
    let least = apart.iter().copied().fold(f32::INFINITY, f32::min);
    let most = apart.iter().copied().fold(0.0, f32::max);
    assert!((0.06..0.2).contains(&least), "{least}");
    assert!((0.45..0.75).contains(&most), "{most}");
}

#[test]
fn running_has_a_flight_and_walking_has_none() {
    let human = adult();
    let airborne = |clip: &Clip| {
        let phases = (0..100).map(|index| index as f32 / 100.0);
        phases
            .filter(|phase| {
                Side::BOTH.into_iter().all(|side| !clip.contacts().touches(side, *phase))
            })
            .count()
    };
    let walk = Steady::ahead(1.9).clip(&human).unwrap();
    let run = Steady::ahead(3.0).clip(&human).unwrap();
    assert_eq!((walk.kind(), airborne(&walk)), (ClipKind::Walk, 0));
    assert_eq!(run.kind(), ClipKind::Run);
    assert!((28..46).contains(&airborne(&run)), "{}", airborne(&run));
}

#[test]
fn a_start_ends_and_a_stop_begins_in_the_walk() {
    let human = adult();
    let skeleton = human.skeleton();
    let model = |clip: &Clip, phase: f32| {
        let mut pose = Pose::default();
        clip.sample(phase, &mut pose);
        ModelPose::of(skeleton, &pose)
    };
    let apart = |a: &ModelPose, b: &ModelPose| {
        a.positions.iter().zip(&b.positions).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
    };
    let stand = Standing { style: Style::default(), seed: 1 }.clip(&human).unwrap();
    for speed in [0.6, 0.8, 1.0, 1.3, 1.6] {
        let steady = Steady::ahead(speed);
        let walk = steady.clip(&human).unwrap();
        let (start, stop) = (steady.start(&human).unwrap(), steady.stop(&human).unwrap());
        let joined = apart(&model(&start, 1.0), &model(&walk, 0.0));
        assert!(joined < 0.015, "the start at {speed} ends {joined} m beside the walk");
        let joined = apart(&model(&walk, 0.0), &model(&stop, 0.0));
        assert!(joined < 0.015, "the stop at {speed} begins {joined} m beside the walk");
        // Standing sways by millimetres.
        assert!(apart(&model(&start, 0.0), &model(&stand, 0.0)) < 0.04);
        assert!(apart(&model(&stop, 1.0), &model(&stand, 0.0)) < 0.04);
        for clip in [&start, &stop] {
            let slip = slip(&human, clip);
            assert!(slip < 0.0005, "{} slips by {:.3} mm per frame", clip.name(), 1000.0 * slip);
            assert!(lowest(&human, clip) > -0.003, "{}: {}", clip.name(), lowest(&human, clip));
        }
        let speeds: Vec<f32> = (0..60)
            .map(|index| {
                let at = |index: i32| start.root_at(index as f32 / 60.0).translation.z;
                (at(index + 1) - at(index)) * 60.0 / start.period()
            })
            .collect();
        assert!(speeds[0].abs() < 0.02 && (speeds[59] - speed).abs() < 0.1, "{speeds:?}");
    }
    assert_eq!(Steady::ahead(3.0).start(&human).unwrap_err(), GaitError::NotAhead);
}

#[test]
fn turning_turns_on_the_spot() {
    let human = adult();
    let clip = Turning { style: Style::default() }.clip(&human).unwrap();
    assert!((clip.travel().yaw.to_degrees() - 90.0).abs() < 1e-3);
    assert!(clip.travel().translation.length() < 1e-6);
    assert!(slip(&human, &clip) < 0.0005, "{}", slip(&human, &clip));
    let right = clip.mirrored();
    assert!((right.travel().yaw.to_degrees() + 90.0).abs() < 1e-3);
    assert!(slip(&human, &right) < 0.0005, "{}", slip(&human, &right));
    assert!(right.contacts().left[0].start.abs() < 1e-6, "it begins at a left strike");
}

#[test]
fn a_mirrored_walk_is_the_same_walk() {
    let human = adult();
    let walk = Steady::ahead(1.3).clip(&human).unwrap();
    let mirrored = walk.mirrored();
    for index in 0..20 {
        let phase = index as f32 / 20.0;
        let (mut a, mut b) = (Pose::default(), Pose::default());
        walk.sample(phase, &mut a);
        mirrored.sample(phase, &mut b);
        for (a, b) in a.rotations.iter().zip(&b.rotations) {
            assert!(a.angle_between(*b) < 0.01, "{phase}");
        }
    }
}

#[test]
fn standing_people_sway_by_millimetres_and_shift_their_weight() {
    let human = adult();
    let clip = Standing { style: Style::default(), seed: 3 }.clip(&human).unwrap();
    let roots = clip.motion().roots();
    let mean = roots.iter().fold(Vec3A::ZERO, |sum, root| sum + *root) / roots.len() as f32;
    let rms = |axis: fn(Vec3A) -> f32| {
        let squares = roots.iter().map(|root| axis(*root - mean).powi(2));
        (squares.sum::<f32>() / roots.len() as f32).sqrt()
    };
    assert!((0.003..0.008).contains(&rms(|at| at.z)), "{}", rms(|at| at.z));
    assert!((0.015..0.05).contains(&rms(|at| at.x)), "{}", rms(|at| at.x));
    assert!(slip(&human, &clip) < 0.0002);
    assert!(lowest(&human, &clip) > -0.001);
}

#[test]
fn the_library_serves_everybody() {
    for height in [1.05, 1.3, 1.6, 1.75, 2.0] {
        let human = Human::new(Proportions::of_height(height)).unwrap();
        for manner in Manner::ALL {
            let library = Library::new(&human, Style::of(manner)).unwrap();
            assert!(library.clips().len() >= 25);
            let mut names: Vec<&str> = library.clips().iter().map(Clip::name).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), library.clips().len(), "names differ");
        }
    }
}

#[test]
fn what_is_not_human_is_refused_with_the_reason() {
    let human = adult();
    for speed in [0.0, -1.0, f32::NAN, f32::INFINITY, 9.0] {
        assert!(matches!(Steady::ahead(speed).clip(&human), Err(GaitError::Speed { .. })));
    }
    assert!(Steady::ahead(1.6).towards(std::f32::consts::PI).clip(&human).is_err());
    assert!(matches!(
        Steady::ahead(1.0).towards(f32::NAN).clip(&human),
        Err(GaitError::Angle { .. })
    ));
    let style = Style { stride: f32::NAN, ..Style::default() };
    let error = Steady::ahead(1.0).styled(style).clip(&human).unwrap_err();
    assert!(matches!(error, GaitError::Style { name: "stride", .. }));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn individuals_of_all_sizes_walk_without_sliding(
        height in 1.0f32..2.05,
        speed in 0.15f32..0.62,
        degrees in -40f32..40.0,
        person in 0u64..10_000,
    ) {
        let human = Human::new(Proportions::of_height(height)).unwrap();
        let speed = speed * (9.81 * human.proportions().leg()).sqrt();
        let steady = Steady {
            gait: Some(Gait::Walk),
            ..Steady::ahead(speed).towards(degrees.to_radians())
        };
        let clip = steady.styled(Style::individual(7, person)).clip(&human).unwrap();
        let slip = slip(&human, &clip);
        prop_assert!(slip < 0.0005, "slips by {:.3} mm per frame", 1000.0 * slip);
        let lowest = lowest(&human, &clip);
        prop_assert!(lowest > -0.002, "sinks in by {:.2} mm", -1000.0 * lowest);
        for index in 0..50 {
            let [knee, ..] = left_angles(&human, &clip, index as f32 / 50.0);
            prop_assert!((0.0..90.0).contains(&knee), "knee {knee}");
        }
    }
}

#[test]
fn any_phase_gives_an_answer() {
    let human = adult();
    let clips = [Steady::ahead(1.3).clip(&human), Turning { style: Style::default() }.clip(&human)];
    for clip in clips.into_iter().map(Result::unwrap) {
        let mut pose = Pose::default();
        for phase in [f32::NAN, f32::INFINITY, -1e30, -0.25, 3e9] {
            clip.sample(phase, &mut pose);
            assert!(pose.rotations.iter().all(|rotation| rotation.is_finite()), "{phase}");
            let _ = clip.root_at(phase);
        }
        let twice = clip.travel().then(clip.travel());
        assert!(clip.root_at(2.0).translation.distance(twice.translation) < 1e-4);
    }
}
