//! Several fields with masks.

use std::sync::Arc;

use glam::{DVec2, Vec2};
use throng_field::{Anchor, Field, FieldSlot, Mask, Patch, Sampler, SamplerOptions, govern};

fn steady(vector: DVec2) -> FieldSlot {
    let field = Field::new(&[Anchor::new((0.0, 0.0), vector)]).expect("one anchor is fine");
    let sampler = Sampler::new(Arc::new(field), &SamplerOptions::default()).expect("defaults");
    FieldSlot::new(Arc::new(sampler), 0.5).expect("half a second")
}

fn square(from: f64, to: f64) -> [DVec2; 4] {
    [(from, from), (to, from), (to, to), (from, to)].map(DVec2::from)
}

#[test]
fn a_mask_rises_from_its_edges_inwards() {
    let mask = Mask::new(&square(0.0, 10.0), 2.0).unwrap();
    let weight = |x: f64, y: f64| mask.weight(DVec2::new(x, y));
    assert_eq!((weight(-0.1, 5.0), weight(5.0, 10.1), weight(12.0, 12.0)), (0.0, 0.0, 0.0));
    assert_eq!((weight(5.0, 5.0), weight(2.0, 5.0)), (1.0, 1.0));
    assert!((weight(1.0, 5.0) - 0.5).abs() < 1e-12);
    assert!(weight(0.01, 5.0) < 1e-3, "continuous at the edge");
    let mut clockwise = square(0.0, 10.0);
    clockwise.reverse();
    let clockwise = Mask::new(&clockwise, 2.0).unwrap();
    assert_eq!(clockwise.weight(DVec2::new(1.3, 4.0)), weight(1.3, 4.0));
    assert!(Mask::new(&square(0.0, 1.0)[..2], 1.0).is_err());
    assert!(Mask::new(&square(0.0, f64::NAN), 1.0).is_err());
    assert!(Mask::new(&square(0.0, 1.0), f64::NAN).is_err());
    assert_eq!(weight(f64::NAN, 3.0), 0.0);
}

#[test]
fn where_fields_overlap_people_take_the_mean() {
    let (right, up) = (steady(DVec2::X), steady(DVec2::Y));
    let masks = [square(0.0, 10.0), square(5.0, 20.0)].map(|s| Mask::new(&s, 0.0).unwrap());
    let patches = [
        Patch { field: &right, mask: Some(&masks[0]), priority: 1.0 },
        Patch { field: &up, mask: Some(&masks[1]), priority: 3.0 },
    ];
    // More than are treated at a time.
    let places: Vec<Vec2> = (0..600).map(|i| Vec2::splat(i as f32 * 0.04)).collect();
    let mut velocities = vec![Vec2::NAN; places.len()];
    let mut coverage = vec![f32::NAN; places.len()];
    govern(&patches, &places, &mut velocities, &mut coverage);
    for ((place, velocity), coverage) in places.iter().zip(&velocities).zip(&coverage).skip(1) {
        let (expected, covered) = match place.x {
            x if x < 4.99 => (Vec2::X, 1.0),
            x if (5.01..9.99).contains(&x) => (Vec2::new(0.25, 0.75), 1.0),
            x if (10.01..19.99).contains(&x) => (Vec2::Y, 1.0),
            x if x > 20.01 => (Vec2::ZERO, 0.0),
            _ => continue,
        };
        assert!(velocity.distance(expected) < 1e-6, "{velocity} at {place}");
        assert_eq!(*coverage, covered, "at {place}");
    }
    govern(&[], &places, &mut velocities, &mut coverage);
    assert!(velocities.iter().all(|v| *v == Vec2::ZERO) && coverage.iter().all(|c| *c == 0.0));
}
