//! When feet come down, judged by where they are and not by what the clip says of itself.

use throng_motion::quadruped::{Gait, Quadruped};
use throng_motion::{Clip, Paw};

use super::animals::{animals, at, clips, phases, placed, tip};

/// The frames of a cycle in which a foot stands: on the ground, and still.
fn stands(animal: &Quadruped, clip: &Clip, paw: Paw) -> Vec<bool> {
    let frames = clip.motion().frames();
    let tips: Vec<_> = phases(clip).map(|phase| tip(animal, &placed(clip, phase), paw)).collect();
    let h = animal.proportions().hip_height;
    (0..frames)
        .map(|frame| {
            let (here, next) = (tips[frame], tips[frame + 1]);
            here.y < 1e-3 * h && (next - here).length() < 3e-3 * h
        })
        .collect()
}

/// Strike and duty of a foot that stands once in a cycle.
fn stance(stands: &[bool]) -> (f32, f32) {
    let count = stands.len();
    let strikes: Vec<usize> =
        (0..count).filter(|&frame| stands[frame] && !stands[(frame + count - 1) % count]).collect();
    assert_eq!(strikes.len(), 1, "a foot strikes once in a cycle");
    let standing = stands.iter().filter(|stands| **stands).count();
    (strikes[0] as f32 / count as f32, standing as f32 / count as f32)
}

/// The phase from one strike to another, in `[0, 1)`.
fn after(from: f32, to: f32) -> f32 {
    (to - from + 0.02).rem_euclid(1.0) - 0.02
}

#[test]
fn a_walk_has_four_beats_left_hind_left_fore_right_hind_right_fore() {
    for (what, animal, gait, clip) in clips() {
        if gait != Gait::Walk {
            continue;
        }
        let strikes = Paw::ALL.map(|paw| stance(&stands(&animal, &clip, paw)).0);
        let lags = strikes.map(|strike| after(strikes[0], strike));
        for (lag, expected) in lags.into_iter().zip([0.0, 0.235, 0.5, 0.735]) {
            assert!((lag - expected).abs() < 0.045, "{what}: {lags:?}");
        }
        // There are always two or three feet on the ground, at times four when it is slow.
        let on_ground = Paw::ALL.map(|paw| stands(&animal, &clip, paw));
        for frame in 0..clip.motion().frames() {
            let count = on_ground.iter().filter(|stands| stands[frame]).count();
            assert!(count >= 2, "{what}: {count} feet on the ground in frame {frame}");
        }
    }
}

#[test]
fn in_a_trot_diagonal_feet_come_down_together() {
    for (what, animal, gait, clip) in clips() {
        if gait != Gait::Trot {
            continue;
        }
        let strikes = Paw::ALL.map(|paw| stance(&stands(&animal, &clip, paw)).0);
        let [hind, across] = [strikes[0], strikes[3]];
        assert!(after(hind, across).abs() < 0.04, "{what}: {strikes:?}");
        assert!(after(strikes[2], strikes[1]).abs() < 0.04, "{what}: {strikes:?}");
        assert!((after(hind, strikes[2]) - 0.5).abs() < 0.03, "{what}: {strikes:?}");
    }
}

#[test]
fn feet_stand_for_shorter_the_faster_it_goes() {
    for (name, animal) in animals() {
        for (gait, slow, fast) in
            [(Gait::Walk, 0.62..0.74, 0.58..0.66), (Gait::Trot, 0.46..0.58, 0.27..0.37)]
        {
            let duty = |share| {
                let clip = at(&animal, gait, share);
                let [hind, fore] = [Paw::LeftHind, Paw::RightFore]
                    .map(|paw| stance(&stands(&animal, &clip, paw)).1);
                assert!((hind - fore).abs() < 0.06, "{name} {gait:?}: {hind} {fore}");
                hind
            };
            let (slowest, fastest) = (duty(0.0), duty(1.0));
            assert!(slow.contains(&slowest), "{name} {gait:?}: {slowest}");
            assert!(fast.contains(&fastest), "{name} {gait:?}: {fastest}");
        }
    }
}

#[test]
fn a_fast_trot_has_moments_in_the_air_and_a_slow_one_has_none() {
    for (name, animal) in animals() {
        let flight = |share| {
            let clip = at(&animal, Gait::Trot, share);
            let on_ground = Paw::ALL.map(|paw| stands(&animal, &clip, paw));
            let frames = clip.motion().frames();
            let free = |frame: &usize| on_ground.iter().all(|stands| !stands[*frame]);
            (0..frames).filter(free).count() as f32 / frames as f32
        };
        assert!(flight(0.0) < 0.02, "{name}: {}", flight(0.0));
        assert!((0.2..0.45).contains(&flight(0.9)), "{name}: {}", flight(0.9));
    }
}

#[test]
fn contacts_say_what_feet_do() {
    for (what, animal, _, clip) in clips() {
        for paw in Paw::ALL {
            let (strike, duty) = stance(&stands(&animal, &clip, paw));
            let [span] = clip.contacts().of_paw(paw) else { panic!("{what}: one contact") };
            let frame = 1.0 / clip.motion().frames() as f32;
            let late = (strike - span.start + 0.5).rem_euclid(1.0) - 0.5;
            assert!(late.abs() < 1.5 * frame + 0.015, "{what} {paw:?}: {strike} {span:?}");
            assert!(
                (duty - span.length).abs() < 3.0 * frame + 0.02,
                "{what} {paw:?}: {duty} {span:?}"
            );
        }
        assert_eq!(clip.contacts().left[0].start, 0.0, "{what} begins at a left strike");
    }
}

#[test]
fn strides_follow_the_law_of_dynamic_similarity() {
    // Dogs half a metre high trot at about two strides a second, horses at somewhat over one.
    let dog = Quadruped::dog();
    let trot = at(&dog, Gait::Trot, 0.4);
    let frequency = trot.period().recip();
    assert!((1.6..2.6).contains(&frequency), "{frequency} strides a second");
    let horse = Quadruped::horse();
    let trot = at(&horse, Gait::Trot, 0.4);
    let frequency = trot.period().recip();
    assert!((1.0..1.5).contains(&frequency), "{frequency} strides a second");
    // At the same speed number, strides are as many hip heights long.
    let relative = |animal: &Quadruped| {
        at(animal, Gait::Walk, 0.3).travel().translation.z / animal.proportions().hip_height
    };
    let (small, large) = (relative(&dog), relative(&horse));
    assert!((small - large).abs() < 0.05 * large, "{small} {large}");
    // As long as legs reach, they are what the law says; a fast trot takes shorter ones.
    for animal in [&dog, &horse] {
        for (gait, share, expected) in [
            (Gait::Walk, 0.0, 0.99..1.01),
            (Gait::Walk, 0.6, 0.99..1.01),
            (Gait::Walk, 1.0, 0.85..1.01),
            (Gait::Trot, 0.2, 0.97..1.01),
            (Gait::Trot, 1.0, 0.8..1.01),
        ] {
            let clip = at(animal, gait, share);
            let h = animal.proportions().hip_height;
            let x = clip.speed() / (9.81 * h).sqrt();
            let part = clip.travel().translation.z / (2.4 * x.powf(0.68) * h);
            assert!(expected.contains(&part), "{gait:?} {share}: {part}");
        }
    }
}

#[test]
fn mirrored_clips_exchange_all_four_feet() {
    let dog = Quadruped::dog();
    let clip = at(&dog, Gait::Walk, 0.5);
    let mirrored = clip.mirrored();
    for (paw, other) in [(Paw::LeftHind, Paw::RightHind), (Paw::LeftFore, Paw::RightFore)] {
        let (own, twin) =
            (stance(&stands(&dog, &clip, paw)), stance(&stands(&dog, &mirrored, other)));
        assert!((own.1 - twin.1).abs() < 0.02);
    }
    for paw in Paw::ALL {
        let (strike, _) = stance(&stands(&dog, &mirrored, paw));
        let said = mirrored.contacts().of_paw(paw)[0].start;
        assert!(((strike - said + 0.5).rem_euclid(1.0) - 0.5).abs() < 0.05, "{paw:?}");
    }
}
