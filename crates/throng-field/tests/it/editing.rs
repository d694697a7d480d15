//! Anchors that are edited, and fields that replace each other.

use std::sync::Arc;

use glam::{DVec2, Vec2};
use proptest::prelude::*;
use throng_field::{
    Anchor, AnchorId, Field, FieldEditor, FieldError, FieldOptions, FieldSlot, Sampler,
    SamplerOptions,
};

use crate::support::{Place, contradiction, probes, swirl};

fn editor(count: usize) -> FieldEditor {
    FieldEditor::new(&swirl(count, 20.0), &FieldOptions::default()).expect("anchors are apart")
}

fn anchors(editor: &FieldEditor) -> Vec<(AnchorId, Anchor)> {
    editor.anchors().map(|(id, anchor)| (id, *anchor)).collect()
}

#[test]
fn other_vectors_give_what_solving_again_gives() {
    for count in [1, 2, 3, 50, 200] {
        let options = FieldOptions::bare();
        let mut anchors = swirl(count, 20.0);
        let field = Field::with_options(&anchors, &options).unwrap();
        for (i, anchor) in anchors.iter_mut().enumerate() {
            anchor.vector = DVec2::from_angle(i as f64) * 1.3;
        }
        let vectors: Vec<DVec2> = anchors.iter().map(|anchor| anchor.vector).collect();
        let turned = field.with_vectors(&vectors).unwrap();
        let solved = Field::with_options(&anchors, &options).unwrap();
        for probe in probes(&swirl(9, 20.0), 9) {
            assert!(turned.velocity(probe).distance(solved.velocity(probe)) < 1e-9);
        }
        assert_eq!(turned.anchors(), solved.anchors());
        let few = field.with_vectors(&vectors[1..]).unwrap_err();
        assert_eq!(few, FieldError::WrongCount { given: count - 1, anchors: count });
    }
}

#[test]
fn edits_change_the_field_and_are_undone() {
    let mut editor = editor(6);
    let begin = anchors(&editor);
    let id = editor.add(Anchor::new((1.0, 30.0), (0.0, 1.0))).unwrap();
    assert!(editor.field().velocity(DVec2::new(1.0, 30.0)).distance(DVec2::Y) < 1e-9);
    editor.turn(id, std::f64::consts::PI).unwrap();
    editor.scale(id, 0.5).unwrap();
    editor.finish();
    editor.move_to(id, DVec2::new(2.0, 31.0)).unwrap();
    editor.move_to(id, DVec2::new(3.0, 32.0)).unwrap();
    let end = DVec2::new(3.0, 32.0);
    assert!(editor.field().velocity(end).distance(DVec2::new(0.0, -0.5)) < 1e-9);
    let after = anchors(&editor);
    assert!(editor.undo().unwrap(), "the whole drag");
    assert_eq!(editor.get(id).unwrap().position, DVec2::new(1.0, 30.0));
    assert!(editor.undo().unwrap());
    assert_eq!(editor.get(id), Err(FieldError::UnknownAnchor(id.0)), "it was one gesture");
    assert_eq!(anchors(&editor), begin);
    assert!(!editor.undo().unwrap());
    while editor.redo().unwrap() {}
    assert_eq!(anchors(&editor), after);
    editor.remove(id).unwrap();
    assert_eq!(anchors(&editor), begin);
    let next = editor.add(Anchor::new((1.0, 30.0), (0.0, 1.0))).unwrap();
    assert_ne!(next, id, "names are not used twice");
}

#[test]
fn an_edit_that_would_spoil_the_field_is_refused() {
    let mut editor = editor(6);
    let before = (anchors(&editor), editor.field().clone());
    let (id, other) = (before.0[0].0, before.0[1].1.position);
    assert!(matches!(editor.move_to(id, other), Err(FieldError::Coincident { .. })));
    assert!(matches!(editor.scale(id, f64::NAN), Err(FieldError::OutOfRange { .. })));
    assert!(editor.add(Anchor::new(other, DVec2::X)).is_err());
    assert!(editor.remove(AnchorId(99)).is_err());
    assert_eq!(anchors(&editor), before.0);
    assert!(Arc::ptr_eq(editor.field(), &before.1));
    assert!(!editor.undo().unwrap(), "nothing was done");
}

#[test]
fn turning_an_anchor_into_a_contradiction_is_noticed() {
    let anchors = contradiction(Place::Square, 0.1);
    let agreed: Vec<Anchor> =
        anchors.iter().map(|a| Anchor::new(a.position, DVec2::new(0.0, -1.3))).collect();
    let mut editor = FieldEditor::new(&agreed, &FieldOptions::default()).unwrap();
    assert!(editor.field().statistics().smoothed.is_empty());
    editor.set_vector(AnchorId(14), anchors[14].vector).unwrap();
    editor.set_vector(AnchorId(15), anchors[15].vector).unwrap();
    assert_eq!(editor.field().statistics().smoothed, [14, 15]);
    editor.set_vector(AnchorId(15), anchors[14].vector).unwrap();
    assert!(editor.field().statistics().smoothed.is_empty(), "and forgotten again");
}

#[derive(Clone, Debug)]
enum Edit {
    Add(f64, f64, f64, f64),
    Move(usize, f64, f64),
    Turn(usize, f64),
    Scale(usize, f64),
    Remove(usize),
    Finish,
    Undo,
    Redo,
}

fn any_edit() -> impl Strategy<Value = Edit> {
    let place = || -20.0..20.0f64;
    prop_oneof![
        (place(), place(), -1.5..1.5f64, -1.5..1.5f64)
            .prop_map(|(x, y, u, v)| Edit::Add(x, y, u, v)),
        (0..20usize, place(), place()).prop_map(|(i, x, y)| Edit::Move(i, x, y)),
        (0..20usize, -3.0..3.0f64).prop_map(|(i, angle)| Edit::Turn(i, angle)),
        (0..20usize, -1.2..1.2f64).prop_map(|(i, factor)| Edit::Scale(i, factor)),
        (0..20usize).prop_map(Edit::Remove),
        Just(Edit::Finish),
        Just(Edit::Undo),
        Just(Edit::Redo),
    ]
}

/// Makes an edit; one that is refused changes nothing.
fn make(editor: &mut FieldEditor, edit: &Edit) {
    let ids: Vec<AnchorId> = editor.anchors().map(|(id, _)| id).collect();
    let id = |index: &usize| ids.get(index % ids.len().max(1)).copied().unwrap_or(AnchorId(0));
    let _ = match edit {
        Edit::Add(x, y, u, v) => editor.add(Anchor::new((*x, *y), (*u, *v))).map(|_| ()),
        Edit::Move(i, x, y) => editor.move_to(id(i), DVec2::new(*x, *y)),
        Edit::Turn(i, angle) => editor.turn(id(i), *angle),
        Edit::Scale(i, factor) => editor.scale(id(i), *factor),
        Edit::Remove(i) => editor.remove(id(i)),
        Edit::Finish => {
            editor.finish();
            Ok(())
        }
        Edit::Undo => editor.undo().map(|_| ()),
        Edit::Redo => editor.redo().map(|_| ()),
    };
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 4))]

    #[test]
    fn after_any_edits_the_field_is_that_of_the_anchors(
        count in 0usize..12, edits in prop::collection::vec(any_edit(), 1..40),
    ) {
        let mut editor = editor(count);
        let begin = anchors(&editor);
        for edit in &edits {
            make(&mut editor, edit);
            let now = anchors(&editor);
            prop_assert_eq!(editor.field().anchors().len(), now.len());
            let residuals = editor.field().residuals();
            let smoothed = &editor.field().statistics().smoothed;
            for (index, ((_, anchor), residual)) in now.iter().zip(residuals).enumerate() {
                prop_assert_eq!(editor.field().anchors()[index], *anchor);
                prop_assert!(residual < 1e-6 || smoothed.contains(&index));
            }
        }
        let end = anchors(&editor);
        let mut undone = 0;
        while editor.undo().unwrap() {
            undone += 1;
        }
        prop_assert_eq!(anchors(&editor), begin);
        for _ in 0..undone {
            prop_assert!(editor.redo().unwrap());
        }
        prop_assert_eq!(anchors(&editor), end);
    }

    #[test]
    fn velocities_are_continuous_under_any_edits(
        edits in prop::collection::vec(any_edit(), 60), x in -25.0..25.0f64, y in -25.0..25.0f64,
    ) {
        let (step, fade_time) = (1.0 / 60.0, 0.5);
        let sampler = |editor: &FieldEditor| {
            Arc::new(Sampler::new(editor.field().clone(), &SamplerOptions::default()).unwrap())
        };
        let mut editor = editor(8);
        let mut slot = FieldSlot::new(sampler(&editor), fade_time).unwrap();
        let place = [Vec2::new(x as f32, y as f32)];
        let mut last = [Vec2::ZERO];
        slot.sample(&place, &mut last);
        // Fields replace each other no faster than a smooth step does, each by twice the largest
        // speed at most, and four are on their way.
        let limit = editor.field().speed_cap().max(1.5 * 3.0) * 2.0;
        let acceleration = 4.0 * limit * 1.5 / fade_time;
        for tick in 0..edits.len() * 6 {
            if tick % 6 == 0 {
                make(&mut editor, &edits[tick / 6]);
                slot.replace(sampler(&editor));
            }
            slot.advance(step);
            let mut now = [Vec2::ZERO];
            slot.sample(&place, &mut now);
            let jump = f64::from(now[0].distance(last[0]));
            prop_assert!(jump < acceleration * step + 1e-3, "{jump} m/s at {tick}");
            let shares: f64 = slot.shares().map(|(_, share)| share).sum();
            prop_assert!((shares - 1.0).abs() < 1e-12 && slot.shares().count() <= 4);
            prop_assert!(slot.velocity(place[0].as_dvec2()).as_vec2().distance(now[0]) < 1e-3);
            last = now;
        }
        for _ in 0..120 {
            slot.advance(step);
        }
        prop_assert!(slot.is_settled());
        prop_assert!(Arc::ptr_eq(slot.newest().field(), editor.field()));
    }
}

#[test]
fn a_new_field_enters_from_nothing() {
    let sampler = |x: f64| {
        let field = Field::new(&[Anchor::new((0.0, 0.0), (x, 0.0))]).unwrap();
        Arc::new(Sampler::new(Arc::new(field), &SamplerOptions::default()).unwrap())
    };
    let speed = |slot: &FieldSlot| slot.velocity(DVec2::ZERO).x;
    let mut slot = FieldSlot::new(sampler(0.0), 1.0).unwrap();
    slot.replace(sampler(1.0));
    assert_eq!(speed(&slot), 0.0);
    slot.advance(0.5);
    assert!((speed(&slot) - 0.5).abs() < 1e-12);
    slot.replace(sampler(-1.0));
    assert!((speed(&slot) - 0.5).abs() < 1e-12, "an edit during a fade");
    slot.advance(0.5);
    assert!(speed(&slot).abs() < 1e-12, "half of 1, half of -1");
    for number in 0..10 {
        slot.replace(sampler(f64::from(number)));
    }
    slot.advance(5.0);
    slot.advance(5.0);
    assert_eq!((speed(&slot), slot.is_settled()), (9.0, true), "the latest edit wins");
    assert!(FieldSlot::new(sampler(1.0), f64::NAN).is_err());
}
