//! Runs slower than their clips: flight takes as long as ever.

use glam::Vec3;
use throng_motion::mediator::{Flight, PerformerOptions};
use throng_motion::{ClipKind, Support};

use super::stage::{REPERTOIRE, STEP, Stage};

fn of(times: [f32; 2], ways: [f32; 2]) -> Flight {
    let mut flight = Flight::default();
    (flight.times, flight.ways) = (times, ways);
    flight
}

fn example() -> Flight {
    of([0.22, 0.16], [0.50, 0.75])
}

#[test]
fn the_pace_on_the_ground_follows_from_the_mean_speed() {
    let flight = example();
    let speed = (0.50 + 0.75) / (0.22 + 0.16);
    assert!((speed - 3.289f32).abs() < 1e-3);
    for (share, pace) in [(1.0, 1.0), (0.8, 0.8275), (0.5, 0.5544)] {
        let found = flight.pace(share * speed);
        assert!((found - pace).abs() < 1e-3, "{share}: {found}");
    }
    let walk = of([1.0, 0.0], [1.3, 0.0]);
    assert!((walk.pace(0.65) - 0.5).abs() < 1e-6);
}

#[test]
fn flight_is_not_slowed_down() {
    let runs: Vec<_> =
        REPERTOIRE.parts().iter().filter(|part| part.clip.kind() == ClipKind::Run).collect();
    assert!(!runs.is_empty());
    for part in runs {
        let flight = &part.flight;
        assert!(flight.times[1] > 0.1, "{}: {:?}", part.clip.name(), flight.times);
        for pace in [1.0, 0.7] {
            let (mut phase, mut in_air, mut time) = (0.0f32, 0.0, 0.0);
            while phase < 1.0 {
                let advance = flight.advance(phase, pace, 0.001, part.clip.period());
                in_air += advance.in_air;
                phase = advance.phase;
                time += 0.001;
            }
            let flown = in_air * part.clip.period();
            assert!((flown - flight.times[1]).abs() < 0.003, "{flown} {:?}", flight.times);
            let wanted = flight.times[0] / pace + flight.times[1];
            assert!((time - wanted).abs() < 0.004, "{time} {wanted}");
        }
    }
}

#[test]
fn runners_fly_on_parabolas_and_do_not_slide() {
    for speed in [2.3, 2.8, 3.4] {
        let mut stage = Stage::new(PerformerOptions::default());
        let mut flights: Vec<Vec<f32>> = vec![Vec::new()];
        for frame in 0..500 {
            let played = stage.step(speed * Vec3::Z, None);
            let part = &REPERTOIRE.parts()[played.part];
            if frame > 50 {
                assert_eq!(part.clip.kind(), ClipKind::Run);
                if part.clip.contacts().support(played.phase) == Support::Flight {
                    assert!(played.feet.iter().all(|foot| foot.contact.is_none()));
                    flights.last_mut().unwrap().push(stage.pose.root.y);
                } else if flights.last().is_some_and(|flight| !flight.is_empty()) {
                    flights.push(Vec::new());
                }
            }
        }
        assert!(stage.seen.largest_slip() < 0.001, "{}", stage.seen.largest_slip());
        // Second differences of the hips' height: they fall as all things do, more or less, as arms and legs
        // move against them.
        let falls: Vec<f32> = flights
            .iter()
            .flat_map(|flight| flight.windows(3))
            .map(|heights| (heights[0] - 2.0 * heights[1] + heights[2]) / (STEP * STEP))
            .collect();
        assert!(falls.len() > 20, "{speed} m/s: {} triples in the air", falls.len());
        let mean = falls.iter().sum::<f32>() / falls.len() as f32;
        assert!((-13.5..-6.0).contains(&mean), "{speed} m/s: {mean} m/s²");
    }
}

#[test]
fn walkers_become_runners_late_and_walkers_again_early() {
    let kind_at = |speeds: &[f32]| {
        let mut stage = Stage::new(PerformerOptions::default());
        for &speed in speeds {
            for _ in 0..75 {
                stage.step(speed * Vec3::Z, None);
            }
        }
        REPERTOIRE.parts()[stage.seen.played.last().unwrap().part].clip.kind()
    };
    assert_eq!(kind_at(&[1.3, 2.0]), ClipKind::Walk);
    assert_eq!(kind_at(&[1.3, 2.4]), ClipKind::Run);
    assert_eq!(kind_at(&[2.6, 2.0]), ClipKind::Run);
    assert_eq!(kind_at(&[2.6, 1.7]), ClipKind::Walk);
}
