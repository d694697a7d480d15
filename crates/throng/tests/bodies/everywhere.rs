//! A minute of two hundred people with every steering model.

use std::collections::HashMap;

use throng::Engine;
use throng::bodies::{Ensemble, Wish};
use throng::crowd::steering::MODELS;
use throng::world::Heading;
use throng::world::frame::wrap_angle;

use crate::soles::{slip, soles, standing};
use crate::{CAST, STEP, square};

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

/// Feet and facings of the frame before.
type Before = HashMap<u32, ([[glam::Vec3; 3]; 2], [[bool; 3]; 2], f32)>;

fn watch(bodies: &Ensemble, before: &mut Before, slips: &mut Slips) {
    for member in bodies.members() {
        let feet = soles(&CAST, member);
        let facing = member.played.facing;
        let stand = standing(&CAST, member);
        if let Some((then, stood, faced)) = before.insert(member.id, (feet, stand, facing)) {
            let is_calm = wrap_angle(facing - faced).abs() <= 60f32.to_radians() * STEP
                && member.played.dragged == 0.0;
            let stands = |points: [bool; 3]| points.contains(&true);
            let still = (0..2).filter(|&foot| stands(stood[foot]) && stands(stand[foot]));
            for foot in still {
                let (then, now) = ((&then[foot], stood[foot]), (&feet[foot], stand[foot]));
                let Some(slip) = slip(then, now) else { continue };
                slips.all.push(slip);
                // Feet that turn where they stand are counted on their own.
                if is_calm && member.played.feet[foot].pivot == 0.0 {
                    slips.calm.push(slip);
                }
            }
        }
    }
}

/// What the same crowd looks like with root motion alone.
fn plain_wishes(engine: &Engine) -> Vec<Wish> {
    let wish = |person: throng::crowd::PersonState| Wish {
        id: person.id.0,
        position: person.position,
        height: person.height,
        velocity: person.velocity,
        heading: Some(Heading::from_radians(person.heading.radians())),
        planted: false,
    };
    engine.crowd().people().map(wish).collect()
}

#[test]
fn feet_stay_in_place_with_every_steering_model() {
    for model in MODELS {
        let mut engine = square(model.name, 200);
        let mut plain = Ensemble::new(CAST.clone(), 1);
        let (mut slips, mut skated) = (Slips::default(), Slips::default());
        let (mut before, mut plain_before) = (HashMap::new(), HashMap::new());
        let (mut dragged, mut frames, mut pivots) = (0, 0, Vec::new());
        for _ in 0..1500 {
            engine.step();
            let bodies = engine.bodies().expect("everybody has one");
            watch(bodies, &mut before, &mut slips);
            frames += bodies.members().len();
            let is_dragged = |member: &&throng::bodies::Member| member.played.dragged > 0.0;
            dragged += bodies.members().iter().filter(is_dragged).count();
            let feet = bodies.members().iter().flat_map(|member| member.played.feet);
            let standing = feet.filter(|foot| foot.contact.is_some());
            pivots.extend(standing.map(|foot| foot.pivot.abs()));
            plain.follow(&plain_wishes(&engine), STEP);
            watch(&plain, &mut plain_before, &mut skated);
        }
        let (usual, largest) = (quantile(&mut slips.calm, 0.9999), quantile(&mut slips.calm, 1.0));
        let (p95, p999) = (quantile(&mut slips.all, 0.95), quantile(&mut slips.all, 0.999));
        let skating = quantile(&mut skated.all, 0.95);
        let (turned, most) = (quantile(&mut pivots, 0.99), quantile(&mut pivots, 1.0));
        println!(
            "{:13} slip per frame: {:.3} mm (95 %), {:.3} mm (99.9 %), at most {:.3} mm in walking and turns; \
             {:.1} mm (95 %) with plain root motion; {dragged} of {frames} dragged; feet turn by {:.1}° \
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
        assert!(usual < 0.001, "{}: {:.2} mm", model.name, 1e3 * usual);
        // A foot may roll from one point onto another that was not quite on the ground before.
        assert!(largest < 0.002, "{}: {:.2} mm", model.name, 1e3 * largest);
        assert!(skating > 20.0 * p95.max(1e-4), "{}: the scene is too easy", model.name);
        assert!(dragged * 2000 < frames, "{}: {dragged} of {frames} were dragged", model.name);
    }
}
