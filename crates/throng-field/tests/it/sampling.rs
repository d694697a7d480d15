//! Velocities of many places at once.

use std::sync::Arc;

use glam::{DVec2, Vec2};
use proptest::prelude::*;
use throng_field::{Anchor, Field, FieldOptions, Method, Sampler, SamplerOptions};

use crate::support::{self, contradiction, halton_points, swirl};

fn places(count: usize, half_side: f64) -> Vec<Vec2> {
    halton_points().skip(7).take(count).map(|p| (p * half_side).as_vec2()).collect()
}

fn sampled(sampler: &Sampler, places: &[Vec2]) -> Vec<Vec2> {
    let mut velocities = vec![Vec2::NAN; places.len()];
    sampler.sample(places, &mut velocities);
    velocities
}

fn worst(sampler: &Sampler, places: &[Vec2]) -> f64 {
    let error = |(place, found): (&Vec2, Vec2)| {
        sampler.field().velocity(place.as_dvec2()).distance(found.as_dvec2())
    };
    places.iter().zip(sampled(sampler, places)).map(error).fold(0.0, f64::max)
}

const AREA: [DVec2; 2] = [DVec2::splat(-25.0), DVec2::splat(25.0)];

#[test]
fn every_method_gives_the_field_within_its_error() {
    let field = Arc::new(Field::new(&swirl(60, 20.0)).unwrap());
    let nodes = Method::Nodes { columns: 256, rows: 256 };
    // Inside, outside of the hull, and off the grid.
    let places = places(5000, 60.0);
    for (method, bound) in [(Method::Single, 2e-5), (Method::Double, 1e-6), (nodes, 1e-3)] {
        let sampler = Sampler::with_method(field.clone(), method, AREA).unwrap();
        assert_eq!(std::mem::discriminant(&sampler.method()), std::mem::discriminant(&method));
        let worst = worst(&sampler, &places);
        assert!(worst < bound, "{method:?} is off by {worst}");
        assert!(sampler.error() < bound, "{method:?} says {}", sampler.error());
    }
}

#[test]
fn a_sampler_keeps_its_tolerance_and_takes_what_is_fast() {
    let smooth = swirl(60, 20.0);
    let rough: Vec<Anchor> = smooth
        .iter()
        .enumerate()
        .map(|(i, a)| {
            let angle = (i * i) as f64;
            Anchor::new(a.position, DVec2::from_angle(angle))
        })
        .collect();
    let fields = [smooth, rough, swirl(5, 20.0), contradiction(support::Place::Square, 0.1)];
    for anchors in &fields {
        let field = Arc::new(Field::new(anchors).unwrap());
        for tolerance in [1e-2, 1e-4, 1e-6] {
            for expected in [100, 600_000] {
                let options = SamplerOptions { tolerance, expected, area: Some(AREA) };
                let sampler = Sampler::new(field.clone(), &options).unwrap();
                let worst = worst(&sampler, &places(3000, 25.0));
                let method = sampler.method();
                // Single precision cannot even say velocities any better.
                assert!(worst <= tolerance.max(3e-7), "{method:?} is off by {worst}");
                let has_nodes = matches!(method, Method::Nodes { .. });
                assert!(!has_nodes || (expected > 1000 && anchors.len() > 20));
            }
        }
    }
    let field = Arc::new(Field::new(&fields[0]).unwrap());
    let options = SamplerOptions { expected: 600_000, ..SamplerOptions::default() };
    let sampler = Sampler::new(field.clone(), &options).unwrap();
    assert!(matches!(sampler.method(), Method::Nodes { .. }), "{:?}", sampler.method());
    let strict = SamplerOptions { tolerance: 1e-7, ..options };
    assert_eq!(Sampler::new(field, &strict).unwrap().method(), Method::Double);
}

#[test]
fn places_that_are_none_have_no_velocity() {
    let field = Arc::new(Field::new(&swirl(30, 20.0)).unwrap());
    let places = [
        Vec2::NAN,
        Vec2::new(f32::INFINITY, 0.0),
        Vec2::new(0.0, f32::MIN),
        Vec2::new(1.0, 2.0),
        Vec2::splat(1e12),
    ];
    let nodes = Method::Nodes { columns: 64, rows: 64 };
    for method in [Method::Single, Method::Double, nodes] {
        let sampler = Sampler::with_method(field.clone(), method, AREA).unwrap();
        for (place, velocity) in places.iter().zip(sampled(&sampler, &places)) {
            let expected = field.velocity(place.as_dvec2()).as_vec2();
            assert!(velocity.distance(expected) < 1e-2, "{method:?} {place}: {velocity}");
        }
    }
    assert!(Sampler::with_method(field.clone(), nodes, [DVec2::NAN; 2]).is_err());
    // A grid needs no size: neither an area nor nodes.
    let smallest = Method::Nodes { columns: 0, rows: 0 };
    let sampler = Sampler::with_method(field.clone(), smallest, [DVec2::ONE; 2]).unwrap();
    assert!(sampled(&sampler, &places).iter().all(|velocity| velocity.is_finite()));
    let nowhere = SamplerOptions { area: Some([DVec2::NAN; 2]), ..SamplerOptions::default() };
    assert!(Sampler::new(field, &nowhere).is_err());
}

proptest! {
    #[test]
    fn slices_threads_and_vector_instructions_change_no_bit(
        count in 0usize..50, people in 1usize..70, cut in 0usize..70,
        nodes in any::<bool>(), double in any::<bool>(),
    ) {
        let method = match (nodes, double) {
            (true, _) => Method::Nodes { columns: 32, rows: 32 },
            (false, true) => Method::Double,
            (false, false) => Method::Single,
        };
        let anchors = swirl(count, 20.0);
        let sampler = |simd| {
            let options = FieldOptions { simd, ..FieldOptions::default() };
            let field = Field::with_options(&anchors, &options).unwrap();
            Sampler::with_method(Arc::new(field), method, AREA).unwrap()
        };
        let places = places(people, 40.0);
        let whole = sampled(&sampler(true), &places);
        let (first, second) = places.split_at(cut.min(people));
        let mut parts = sampled(&sampler(false), first);
        parts.extend(sampled(&sampler(false), second));
        prop_assert_eq!(whole, parts);
    }
}
