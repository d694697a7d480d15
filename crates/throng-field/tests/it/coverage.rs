//! Anchors that hold within a reach.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::sync::Arc;

use glam::{DVec2, Vec2};
use proptest::prelude::*;
use throng_field::{
    Anchor, Coverage, Field, FieldEditor, FieldError, FieldOptions, FieldSlot, Patch, Sampler,
    SamplerOptions, Track, govern,
};

fn slot(field: &Arc<Field>) -> FieldSlot {
    FieldSlot::new(sampler(field), 0.5).unwrap()
}

fn sampler(field: &Arc<Field>) -> Arc<Sampler> {
    Arc::new(Sampler::new(field.clone(), &SamplerOptions::default()).unwrap())
}

fn arrow(x: f64, reach: f64) -> Anchor {
    Anchor::new((x, 0.0), (1.3, 0.0)).with_reach(reach)
}

#[test]
fn an_anchor_holds_in_its_core_and_nowhere_beyond_its_reach() {
    let coverage = Coverage::new(&[arrow(2.0, 8.0)]);
    for (distance, weight) in [(0.0, 1.0), (4.0, 1.0), (6.0, 0.5), (8.0, 0.0), (1e6, 0.0)] {
        assert_eq!(coverage.weight(Vec2::new(2.0, distance)), weight, "{distance} m away");
    }
    assert_eq!(coverage.weight(Vec2::NAN), 0.0);
    // One that is not limited holds everywhere, and with it the field.
    for anchors in [&[arrow(0.0, 8.0), Anchor::new((9.0, 0.0), (1.0, 0.0))][..], &[]] {
        let coverage = Coverage::new(anchors);
        assert!(!coverage.is_limited());
        assert_eq!(coverage.weight(Vec2::splat(1e6)), 1.0);
    }
}

#[test]
fn a_limited_field_leaves_people_far_away_to_the_others() {
    let near = slot(&Arc::new(Field::new(&[arrow(0.0, 8.0)]).unwrap()));
    let wide = slot(&Arc::new(Field::new(&[Anchor::new((0.0, 0.0), (0.0, 1.0))]).unwrap()));
    let patch = |field| Patch { field, mask: None, priority: 1.0 };
    let places = [Vec2::ZERO, Vec2::new(0.0, 9.0)];
    let (mut velocities, mut coverage) = ([Vec2::ZERO; 2], [0.0; 2]);
    govern(&[patch(&near)], &places, &mut velocities, &mut coverage);
    assert_eq!(coverage, [1.0, 0.0]);
    govern(&[patch(&near), patch(&wide)], &places, &mut velocities, &mut coverage);
    assert_eq!(coverage, [1.0, 1.0]);
    assert!(velocities[0].distance(Vec2::new(0.65, 0.5)) < 1e-6, "{velocities:?}");
    assert!(velocities[1].distance(Vec2::Y) < 1e-6, "{velocities:?}");
}

#[test]
fn another_reach_takes_effect_gradually_and_is_undone() {
    let mut editor = FieldEditor::new(&[arrow(0.0, 4.0)], &FieldOptions::default()).unwrap();
    let id = editor.anchors().next().unwrap().0;
    let place = [Vec2::new(0.0, 5.0)];
    let weight = |slot: &FieldSlot| {
        let mut weights = [f32::NAN];
        slot.coverage(&place, &mut weights);
        weights[0]
    };
    let mut slot = slot(editor.field());
    editor.set_reach(id, Some(10.0)).unwrap();
    slot.replace(sampler(editor.field()));
    let mut before = weight(&slot);
    assert_eq!(before, 0.0);
    for _ in 0..60 {
        slot.advance(0.01);
        let now = weight(&slot);
        assert!((0.0..0.05).contains(&(now - before)), "from {before} to {now}");
        before = now;
    }
    assert_eq!(before, 1.0);
    assert!(editor.undo().unwrap());
    assert_eq!(editor.field().anchors()[0].reach, Some(4.0));
    let refused = editor.set_reach(id, Some(-1.0)).unwrap_err();
    assert!(matches!(refused, FieldError::Setting { value: -1.0, .. }), "{refused}");
    let turned = editor.set_vector(id, DVec2::Y).map(|()| editor.field().anchors()[0].reach);
    assert_eq!(turned, Ok(Some(4.0)), "a turned anchor keeps its reach");
    assert_eq!(Track::steady(&arrow(0.0, 4.0)).at(3.0), Some(arrow(0.0, 4.0)));
}

proptest! {
    #[test]
    fn coverage_is_continuous_and_zero_beyond_all_reaches(
        discs in prop::collection::vec((-30.0..30.0f64, -30.0..30.0f64, 0.5..20.0f64), 1..12),
        at in (-60.0..60.0f32, -60.0..60.0f32),
        angle in 0.0..std::f32::consts::TAU,
    ) {
        let anchors: Vec<Anchor> = discs
            .iter()
            .map(|&(x, y, reach)| Anchor::new((x, y), (1.0, 0.0)).with_reach(reach))
            .collect();
        let coverage = Coverage::new(&anchors);
        let place = Vec2::from(at);
        let weight = coverage.weight(place);
        prop_assert!((0.0..=1.0).contains(&weight));
        let (mut is_beyond, mut slope) = (true, 0.0);
        for anchor in &anchors {
            let (distance, reach) = (anchor.position.as_vec2().distance(place), anchor.reach.unwrap() as f32);
            is_beyond &= distance >= reach;
            // The steepest slope of the cubic from half of the reach to the reach.
            slope += 3.0 / reach;
            if distance <= 0.49 * reach {
                prop_assert_eq!(weight, 1.0);
            }
        }
        if is_beyond {
            prop_assert_eq!(weight, 0.0);
        }
        let step = 0.01;
        let there = coverage.weight(place + Vec2::from_angle(angle) * step);
        prop_assert!((there - weight).abs() <= slope * step + 1e-5, "{weight} to {there}");
    }
}
