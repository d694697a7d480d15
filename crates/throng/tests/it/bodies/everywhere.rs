//! A minute of two hundred people with every steering model.

use std::collections::HashMap;

use throng::Engine;
use throng::base::Heading;
use throng::base::frame::wrap_angle;
use throng::bodies::{Ensemble, MotionTarget, Sole, SoleTracker, slip};
use throng::crowd::steering::MODELS;

use super::{CAST, STEP, square};

/// Movements of standing feet per frame, m.
#[derive(Default)]
struct Slips {
    /// Of those who turn by no more than 60° per second.
    calm: Vec<f32>,
    all: Vec<f32>,
}

/// The part of `values` that is not above the result.
fn quantile(values: &mut [f32], part: f32) -> f32 {
    values.sort_by(f32::total_cmp);
    values[((values.len() - 1) as f32 * part) as usize]
}

/// Soles, those of them that stand, and facings of the frame before.
type Before = HashMap<u32, ([Sole; 2], [bool; 2], f32)>;

fn watch(bodies: &Ensemble, tracker: &mut SoleTracker, before: &mut Before, slips: &mut Slips) {
    for member in bodies.members() {
        let soles = [0, 1].map(|foot| tracker.soles(member)[foot]);
        let stand = [0, 1].map(|foot| tracker.stands(member, foot));
        let played = member.played().expect("a person");
        let facing = played.facing;
        let Some((then, stood, faced)) = before.insert(member.id, (soles, stand, facing)) else {
            continue;
        };
        let is_calm =
            wrap_angle(facing - faced).abs() <= 60f32.to_radians() * STEP && played.pulled == 0.0;
        for foot in (0..2).filter(|&foot| stood[foot] && stand[foot]) {
            let slip = slip(&then[foot], &soles[foot]);
            slips.all.push(slip);
            // Feet that turn where they stand are counted on their own.
            if is_calm && played.feet[foot].pivot == 0.0 {
                slips.calm.push(slip);
            }
        }
    }
}

/// What the same crowd looks like with root motion alone.
fn plain_wishes(engine: &Engine) -> Vec<MotionTarget> {
    let target = |person: throng::crowd::PersonState| MotionTarget {
        id: person.id.0,
        group: person.group,
        position: person.position,
        height: person.height,
        velocity: person.velocity,
        heading: Some(Heading::from_radians(person.heading.radians())),
        ..MotionTarget::default()
    };
    engine.crowd().people().map(target).collect()
}

#[test]
fn feet_stay_in_place_with_every_steering_model() {
    for model in MODELS.iter() {
        let mut engine = square(model.name, 200);
        let mut plain = Ensemble::new(CAST.clone(), 1);
        let mut tracker = SoleTracker::of(&plain);
        let (mut slips, mut skated) = (Slips::default(), Slips::default());
        let (mut before, mut plain_before) = (HashMap::new(), HashMap::new());
        let (mut pulled, mut frames, mut pivots) = (0, 0, Vec::new());
        for _ in 0..1500 {
            engine.step();
            let bodies = engine.bodies().expect("everybody has one");
            watch(bodies, &mut tracker, &mut before, &mut slips);
            frames += bodies.members().len();
            let played = || bodies.members().iter().filter_map(throng::bodies::Member::played);
            pulled += played().filter(|played| played.pulled > 0.0).count();
            let feet = played().flat_map(|played| played.feet);
            let standing = feet.filter(|foot| foot.contact.is_some());
            pivots.extend(standing.map(|foot| foot.pivot.abs()));
            plain.follow(&plain_wishes(&engine), STEP);
            watch(&plain, &mut tracker, &mut plain_before, &mut skated);
        }
        let largest = quantile(&mut slips.calm, 1.0);
        let (p95, p999) = (quantile(&mut slips.all, 0.95), quantile(&mut slips.all, 0.999));
        let skating = quantile(&mut skated.all, 0.95);
        let (turned, most) = (quantile(&mut pivots, 0.99), quantile(&mut pivots, 1.0));
        println!(
            "{:13} slip per frame: {:.3} mm (95 %), {:.3} mm (99.9 %), at most {:.3} mm in walking and turns; \
             {:.1} mm (95 %) with plain root motion; {pulled} of {frames} pulled; feet turn by {:.1}° \
             (99 %), at most {:.1}°",
            model.name,
            1e3 * p95,
            1e3 * p999,
            1e3 * largest,
            1e3 * skating,
            turned.to_degrees(),
            most.to_degrees(),
        );
        assert!(slips.all.len() > 200_000, "{}", slips.all.len());
        assert!(largest < 0.001, "{}: {:.2} mm", model.name, 1e3 * largest);
        assert!(skating > 20.0 * p95.max(1e-4), "{}: the scene is too easy", model.name);
        assert!(pulled * 1000 < frames, "{}: {pulled} of {frames} were pulled", model.name);
    }
}
