//! Two people.

use glam::Vec2;
use throng_crowd::{Crowd, PersonId};

use super::{flow, plane, published, stand};
use crate::support::overlaps;

/// Where two people are in every step who set out 10 m apart towards each other, the second so far to the
/// left of the first one's way.
fn meeting(offset: f32, changes: &[(&str, f32)]) -> Vec<[Vec2; 2]> {
    let mut crowd = Crowd::new(plane());
    let ways = [flow(&mut crowd, Vec2::X), flow(&mut crowd, -Vec2::X)];
    crowd.add(&published(Vec2::new(-5.0, 0.0), ways[0], changes)).unwrap();
    crowd.add(&published(Vec2::new(5.0, offset), ways[1], changes)).unwrap();
    crowd.straighten();
    let step = |_| {
        crowd.step();
        assert_eq!(overlaps(&crowd).0, 0);
        [0, 1].map(|id| crowd.person(PersonId(id)).unwrap().position)
    };
    (0..250).map(step).collect()
}

#[test]
fn two_who_meet_head_on_both_keep_to_the_right() {
    let places = meeting(0.0, &[]);
    let passing = places.iter().find(|[a, b]| a.x >= b.x).expect("they pass");
    assert!(passing[0].y < -0.2 && passing[1].y > 0.2, "both to the right: {passing:?}");
    for [a, b] in &places {
        assert!((*a + *b).length() < 0.05, "alike: {a} and {b}");
    }
    let [a, b] = places[places.len() - 1];
    assert!(a.x > 5.0 && b.x < -5.0, "{a} and {b}");
}

#[test]
fn two_who_would_just_brush_each_other_keep_their_sides() {
    for offset in [-0.4, -0.2, 0.2, 0.4] {
        let places = meeting(offset, &[]);
        let passing = places.iter().find(|[a, b]| a.x >= b.x).expect("they pass");
        let apart = passing[1].y - passing[0].y;
        assert!(apart * offset > 0.0, "{offset} m aside, passed with {apart} m");
        assert!(apart.abs() > offset.abs(), "they give way: {apart} m");
    }
}

/// By the letter of the paper, who comes towards one is not avoided once they are near.
#[test]
fn by_the_letter_people_run_into_whoever_comes_towards_them() {
    let nearest = |literal| {
        let places = meeting(0.0, &[("literal_oncoming", literal)]);
        places.iter().map(|[a, b]| a.distance(*b)).fold(f32::INFINITY, f32::min)
    };
    let (read, literal) = (nearest(0.0), nearest(1.0));
    assert!(read > 0.6 && literal < read, "{read} m and {literal} m");
}

#[test]
fn whoever_wants_more_room_gives_way() {
    // Nothing but personal spaces: the pusher avoids nobody.
    let pushed = |spaces: [f32; 2], offset: f32| {
        let mut crowd = Crowd::new(plane());
        let (way, rest) = (flow(&mut crowd, Vec2::X), stand(&mut crowd));
        let pusher = [("personal_space", spaces[0]), ("others_weight", 0.0)];
        crowd.add(&published(Vec2::ZERO, way, &pusher)).unwrap();
        let at = Vec2::new(3.0, offset);
        crowd.add(&published(at, rest, &[("personal_space", spaces[1])])).unwrap();
        crowd.straighten();
        let mut bend: f32 = 0.0;
        for _ in 0..100 {
            crowd.step();
            bend = bend.max(crowd.person(PersonId(0)).unwrap().position.y.abs());
        }
        let [pusher, other] = [0, 1].map(|id| crowd.person(PersonId(id)).unwrap().position);
        (bend, other.distance(at), pusher.x)
    };
    for offset in [0.0, 0.1, -0.3] {
        let (bend, displaced, way) = pushed([0.0, 0.2], offset);
        assert!(bend < 0.05, "the way bends by {bend} m");
        assert!(displaced > 0.2, "displaced by {displaced} m");
        assert!(way > 4.0, "the pusher walks on: {way} m");
    }
    let (_, displaced, way) = pushed([0.2, 0.0], 0.0);
    assert!(displaced < 0.05 && way < 2.6, "who wants no room is not pushed: {displaced}, {way}");
}

#[test]
fn speed_is_taken_up_with_the_acceleration_whatever_the_step() {
    let after_a_second = |step: f64, changes: &[(&str, f32)]| {
        let mut crowd = Crowd::new(throng_crowd::Setting { step, ..plane() });
        let way = flow(&mut crowd, Vec2::X);
        crowd.add(&published(Vec2::ZERO, way, changes)).unwrap();
        (0..(1.0 / step).round() as usize).for_each(|_| crowd.step());
        crowd.person(PersonId(0)).unwrap().velocity.x
    };
    for step in [0.02, 0.04, 0.1] {
        assert!((after_a_second(step, &[]) - 1.0).abs() < 0.01);
        let top = after_a_second(step, &[("acceleration", 5.0), ("haste", 1.2)]);
        assert!((top - 1.2 * 1.4).abs() < 1e-3, "{top} m/s");
        let panic = after_a_second(step, &[("acceleration", 5.0), ("panic", 1.0)]);
        assert!((panic - 1.6 * 1.4).abs() < 1e-3, "{panic} m/s in panic");
    }
}
