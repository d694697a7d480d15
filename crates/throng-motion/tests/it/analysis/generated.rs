//! Clips of the gait generator, whose numbers are known, and which analysis has to find again.

use throng_base::frame::wrap_angle;
use throng_motion::analysis::{
    ClipFacts, GaitMeasures, Judgement, Options, check_alignment, qualify,
};
use throng_motion::gait::{Library, Steady, Style};
use throng_motion::{Clip, ClipKind, Human, Motion, Pose, Proportions};

fn adult() -> Human {
    Human::new(Proportions::of_height(1.75)).unwrap()
}

/// A looped clip as a camera would see it that begins to watch in the middle.
fn watched(clip: &Clip, passes: usize) -> Motion {
    let frames = clip.motion().frames();
    let poses: Vec<Pose> = (0..=frames * passes)
        .map(|frame| {
            let phase = 0.3 + frame as f32 / frames as f32;
            let mut pose = Pose::default();
            clip.sample(phase, &mut pose);
            pose.place(clip.root_at(phase).placement());
            pose
        })
        .collect();
    let skeleton = clip.skeleton().clone();
    Motion::from_poses(clip.name(), skeleton, clip.motion().rate(), &poses).unwrap()
}

#[test]
fn every_clip_of_the_library_is_in_order() {
    for clip in Library::new(&adult(), Style::default()).unwrap().clips() {
        assert_eq!(check_alignment(clip, &Options::default()), Ok(()), "{}", clip.name());
        let facts = ClipFacts::of(clip).unwrap();
        assert!(facts.slip < 3e-4, "{} slides by {} m", clip.name(), facts.slip);
    }
}

#[test]
fn a_watched_clip_is_found_again() {
    let library = Library::new(&adult(), Style::default()).unwrap();
    let looped = library.clips().iter().filter(|clip| clip.is_looped());
    for (number, clip) in looped.enumerate() {
        let passes = 1 + 2 * (number % 2);
        let made = qualify(&watched(clip, passes), &Options::default());
        let made = made.unwrap_or_else(|refusal| panic!("{}: {refusal}", clip.name()));
        let (known, found) = (ClipFacts::of(clip).unwrap(), ClipFacts::of(&made.clip).unwrap());
        let name = clip.name();
        assert_eq!(found.kind, known.kind, "{name}");
        assert!((found.speed - known.speed).abs() < 0.01, "{name}: {found:?}");
        if known.kind == ClipKind::Stand {
            continue;
        }
        assert!((found.period / known.period - 1.0).abs() < 0.01, "{name}: {found:?}");
        assert!((found.turn - known.turn).abs() < 0.02, "{name}: {found:?}");
        if known.speed > 0.1 {
            let off = wrap_angle(found.angle - known.angle);
            assert!(off.abs() < 0.02, "{name}: {found:?}");
            assert!((found.duty - known.duty).abs() < 0.05, "{name}: {found:?}");
        }
        assert!(made.seam.angle < 0.01, "{name}: {:?}", made.seam);
    }
}

#[test]
fn generated_gaits_are_human_by_every_measure() {
    let human = adult();
    let mut off = Vec::new();
    for speed in [0.6, 0.8, 1.0, 1.3, 1.6, 1.9, 2.5, 3.0, 3.5] {
        let clip = Steady::ahead(speed).clip(&human).unwrap();
        let measures = GaitMeasures::of(&clip).unwrap().unwrap();
        assert!(measures.ball_skate_worst < 0.3, "{speed} m/s: {measures:?}");
        let rows = measures.rows();
        assert!(rows.len() > 25);
        for row in rows.iter().filter(|row| row.judgement() != Judgement::Inside) {
            off.push(format!(
                "{speed} m/s: {} is {:?}, not {:?}",
                row.name, row.value, row.standard
            ));
        }
    }
    assert!(off.is_empty(), "{}", off.join("\n"));
}

#[test]
fn feet_that_roll_still_tell_how_fast_the_ground_runs() {
    for speed in [0.5, 0.9, 1.3, 1.8, 3.0] {
        let clip = Steady::ahead(speed).clip(&adult()).unwrap();
        // Frames about the abstract root, played without its travel.
        let frames = clip.motion().frames();
        let poses: Vec<Pose> = (0..3 * frames).map(|f| clip.motion().pose(f % frames)).collect();
        let rate = clip.motion().rate();
        let motion = Motion::from_poses("m", clip.skeleton().clone(), rate, &poses).unwrap();
        let made = qualify(&motion, &Options::default()).unwrap();
        assert!(made.in_place);
        let found = made.clip.speed();
        assert!((found / speed - 1.0).abs() < 0.005, "{found} m/s, not {speed}");
    }
}
