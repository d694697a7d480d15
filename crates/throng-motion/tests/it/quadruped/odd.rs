//! Animals and speeds that cannot be, and such as hardly can.

use proptest::prelude::*;
use throng_motion::quadruped::{Breed, BreedError, Gait, GaitError, Quadruped, Stand, Steady};
use throng_motion::{Detail, Mesh, Paw};

use super::animals::{phases, placed, tip};

#[test]
fn speeds_that_no_animal_has_are_refused_with_those_that_it_has() {
    let dog = Quadruped::dog();
    for speed in [0.0, -1.0, 0.01, 30.0, f32::NAN, f32::INFINITY] {
        let error = Steady::ahead(speed).clip(&dog).unwrap_err();
        assert!(matches!(error, GaitError::Speed { .. }), "{error}");
    }
    let error = Steady { speed: 3.0, gait: Some(Gait::Walk) }.clip(&dog).unwrap_err();
    assert_eq!(error.to_string(), "no walk has 3 m/s; this animal can do 0.21 to 1.55 m/s");
}

#[test]
fn every_speed_from_the_slowest_walk_to_the_fastest_trot_has_a_gait() {
    for animal in [Quadruped::dog(), Quadruped::horse()] {
        let [slowest, _] = Steady::speeds(&animal, Gait::Walk);
        let [_, fastest] = Steady::speeds(&animal, Gait::Trot);
        for step in 0..=40 {
            let speed = slowest + (fastest - slowest) * step as f32 / 40.0;
            let clip = Steady::ahead(speed.min(fastest)).clip(&animal).unwrap();
            assert!((clip.speed() - speed).abs() < 1e-3 * speed);
        }
    }
}

#[test]
fn a_standing_animal_takes_no_nonsense() {
    let stand = Stand { look: f32::NAN, tail: f32::INFINITY };
    assert!(stand.clip(&Quadruped::dog()).is_ok());
}

fn stretched(values: &[f32], horse: bool, height: f32) -> Breed {
    let mut breed = if horse { Breed::horse(height) } else { Breed::dog(height) };
    let bones = &mut breed.proportions;
    for (length, by) in [
        &mut bones.hip_height,
        &mut bones.trunk,
        &mut bones.hind.thigh,
        &mut bones.hind.shank,
        &mut bones.hind.metatarsus,
        &mut bones.hind.paw.length,
        &mut bones.fore.scapula,
        &mut bones.fore.upper_arm,
        &mut bones.fore.forearm,
        &mut bones.fore.metacarpus,
        &mut bones.fore.paw.height,
        &mut bones.neck,
        &mut bones.head,
        &mut bones.tail,
    ]
    .into_iter()
    .zip(values)
    {
        *length *= by;
    }
    breed
}

#[test]
fn legs_without_any_play_are_refused() {
    // High hips on hind legs that are all but straight.
    let values =
        [1.187, 0.7, 1.061, 1.208, 0.9945, 0.7, 1.398, 0.7, 1.108, 1.354, 1.2275, 0.7, 0.7, 0.7];
    let error = Quadruped::new(stretched(&values, true, 0.5)).unwrap_err();
    assert!(matches!(error, BreedError::Leg { leg: "hind", advice: "longer", .. }), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, ..ProptestConfig::default() })]

    /// Whatever the proportions: an error that says why, or a sound animal whose feet stand still.
    #[test]
    fn odd_proportions_give_errors_or_sound_gaits(
        values in prop::collection::vec(0.7f32..1.4, 14),
        horse: bool,
        height in 0.1f32..3.0,
        share in 0.0f32..=1.0,
        trots: bool,
    ) {
        let Ok(animal) = Quadruped::new(stretched(&values, horse, height)) else { return Ok(()) };
        let gait = if trots { Gait::Trot } else { Gait::Walk };
        let [least, most] = Steady::speeds(&animal, gait);
        let speed = (least + share * (most - least)).clamp(least, most);
        let clip = match (Steady { speed, gait: Some(gait) }).clip(&animal) {
            Ok(clip) => clip,
            Err(error) => {
                prop_assert!(matches!(error, GaitError::Reach { .. }), "{}", error);
                return Ok(());
            }
        };
        for paw in Paw::ALL {
            let span = clip.contacts().of_paw(paw)[0];
            let mut stood: Option<glam::Vec3> = None;
            for phase in phases(&clip) {
                let here = tip(&animal, &placed(&clip, phase), paw);
                prop_assert!(here.is_finite());
                let inside = span.progress(phase.rem_euclid(1.0)).is_some();
                if let (Some(last), true) = (stood, inside) {
                    prop_assert!(here.distance(last) < 4e-4, "{}", here.distance(last));
                }
                stood = inside.then_some(here);
            }
        }
        let stand = Stand::default().clip(&animal).unwrap();
        for paw in Paw::ALL {
            let first = tip(&animal, &placed(&stand, 0.0), paw);
            for phase in phases(&stand).step_by(3) {
                let here = tip(&animal, &placed(&stand, phase), paw);
                prop_assert!(here.distance(first) < 4e-4, "{}", here.distance(first));
            }
        }
        for detail in Detail::ALL {
            prop_assert!(Mesh::animal(&animal, detail).check(animal.skeleton()).is_ok());
        }
    }

    /// Any numbers at all: never a panic.
    #[test]
    fn nonsense_is_refused(
        part in 0usize..15,
        value in prop::sample::select(vec![0.0f32, -1.0, 50.0, 1e9, f32::NAN, f32::INFINITY]),
    ) {
        // One length of a dog that is in order otherwise, or its height.
        let mut values = [1.0; 14];
        let height = if part == 14 { value } else { values[part] = value; 0.5 };
        prop_assert!(Quadruped::new(stretched(&values, false, height)).is_err(), "{part}: {value}");
    }
}
