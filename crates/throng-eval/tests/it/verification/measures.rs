//! Measures of tracks whose answers are known.

use std::f64::consts::{FRAC_PI_4, PI};

use glam::DVec2;
use throng_base::random::{Purpose, Random};
use throng_eval::verification::SampledTrack;
use throng_eval::verification::measures::collision_times::{CollisionLaw, time_to_collision};
use throng_eval::verification::measures::distances::Distances;
use throng_eval::verification::measures::groups::Pairs;
use throng_eval::verification::measures::order::{Order, Walker};
use throng_eval::verification::measures::smoothness::Smoothness;
use throng_eval::verification::measures::stripes::{across, between};

use super::{track, tracks};

#[test]
fn discs_touch_when_they_do() {
    let at =
        |x: f64, y: f64, vx: f64| time_to_collision(DVec2::new(x, y), DVec2::new(vx, 0.0), 0.2);
    assert_eq!(at(2.2, 0.0, -1.0), Some(2.0));
    assert_eq!(at(2.2, 0.0, 1.0), None, "they part");
    assert_eq!(at(2.2, 0.3, -1.0), None, "they pass");
    assert_eq!(at(0.1, 0.0, 1.0), Some(0.0), "they overlap");
    let oblique = at(2.0, 0.12, -1.0).unwrap();
    assert!((oblique - (2.0 - (0.04f64 - 0.0144).sqrt())).abs() < 1e-12);
}

/// People who cross a square at random, straight on, whoever is in their way.
fn blind_crowd(people: u32) -> Vec<SampledTrack> {
    let mut stream = Random::new(5).stream(0, 0, Purpose::Placement);
    let mut unit = move || f64::from(stream.unit());
    (0..people)
        .map(|id| {
            let (start, angle) = ((unit() * 1500.0) as usize, unit() * 2.0 * PI);
            let (offset, speed) = ((unit() - 0.5) * 12.0, 1.0 + 0.6 * unit());
            let along = DVec2::from_angle(angle);
            let begin = along * -8.0 + along.perp() * offset;
            let first = start as f64 * 0.4;
            track(id, start..start + 30, move |t| begin + along * (speed * (t - first)))
        })
        .collect()
}

#[test]
fn whoever_minds_nobody_collides_as_often_as_chance_has_it() {
    let law = CollisionLaw::of(&tracks(blind_crowd(900))).unwrap();
    for [from, to] in [[0.25, 1.0], [1.0, 2.0], [2.0, 4.0]] {
        let g = law.between(from, to).unwrap();
        assert!((0.8..1.25).contains(&g), "{from} to {to}: {g}");
    }
}

#[test]
fn collisions_that_are_avoided_are_missing() {
    // Whoever is about to run into somebody leaves two seconds before.
    let meets = |a: &SampledTrack, b: &SampledTrack| {
        let mut shared = a.first.max(b.first)..a.end().min(b.end());
        shared.find(|n| a.at(*n).zip(b.at(*n)).is_some_and(|(p, q)| p.distance(q) < 0.5))
    };
    let mut kept: Vec<SampledTrack> = Vec::new();
    for mut person in blind_crowd(900) {
        let met = kept.iter().filter_map(|other| meets(&person, other)).min();
        person.points.truncate(met.map_or(99, |n| (n - person.first).saturating_sub(5)));
        kept.push(person);
    }
    let law = CollisionLaw::of(&tracks(kept)).unwrap();
    let (near, far) = (law.between(0.0, 1.0).unwrap(), law.between(3.0, 6.0).unwrap());
    assert!(near < 0.2 && far > 0.6, "{near} {far}");
}

#[test]
fn one_person_has_no_law() {
    let alone = tracks([track(1, 0..50, |t| DVec2::new(t, 0.0))]);
    assert_eq!(CollisionLaw::of(&alone), None);
    assert_eq!(CollisionLaw::of(&tracks([])), None);
}

#[test]
fn on_a_circle_turns_and_accelerations_are_those_of_the_circle() {
    let (radius, speed) = (5.0, 1.25);
    let rate = speed / radius;
    let round = tracks([track(1, 0..100, |t| radius * DVec2::from_angle(rate * t))]);
    let smoothness = Smoothness::of(&round);
    assert!((smoothness.median_turn_rate().unwrap() - rate).abs() < 1e-6);
    let [tangential, _] = smoothness.accelerations();
    assert!(tangential < 1e-6 && smoothness.hardest().unwrap() < 1e-6);
    let normal = smoothness.normal.iter().sum::<f64>() / smoothness.normal.len() as f64;
    // Chords over 1.2 s and their differences are a little short of the arc.
    assert!((normal / (speed * rate) - 1.0).abs() < 0.02, "{normal}");
    assert!(smoothness.median_straightness().unwrap() < 0.3);
}

#[test]
fn who_speeds_up_does_so_along_the_way() {
    let faster = tracks([track(1, 0..30, |t| DVec2::new(0.5 * t + 0.1 * t * t, 3.0))]);
    let smoothness = Smoothness::of(&faster);
    assert!(smoothness.tangential.iter().all(|a| (a - 0.2).abs() < 1e-9), "{smoothness:?}");
    assert_eq!(smoothness.median_turn_rate(), Some(0.0));
    assert_eq!(smoothness.median_straightness(), Some(1.0));
    let stands = tracks([track(1, 0..30, |_| DVec2::ONE)]);
    assert_eq!(Smoothness::of(&stands), Smoothness::default());
}

#[test]
fn there_and_half_back_is_a_third_as_straight() {
    let turn = |t: f64| DVec2::new(if t < 8.0 { t } else { 8.0 - (t - 8.0) }, 0.0);
    let smoothness = Smoothness::of(&tracks([track(1, 0..31, turn)]));
    assert!((smoothness.straightness[0] - 4.0 / 12.0).abs() < 1e-9, "{smoothness:?}");
}

#[test]
fn partners_walk_abreast_and_do_not_count_as_near() {
    let pair = |id: u32, y: f64| track(id, 0..60, move |t| DVec2::new(1.2 * t, y));
    // Somebody passes the two at a distance of 2 m.
    let other = track(9, 0..60, |t| DVec2::new(30.0 - 1.6 * t, 2.8));
    let tracks = tracks([pair(1, 0.0), pair(2, 0.8), other]);
    assert!(tracks.are_partners(2, 1) && !tracks.are_partners(1, 9));
    let pairs = Pairs::of(&tracks).unwrap();
    assert_eq!(pairs.count, 1);
    assert!((pairs.spacing - 0.8).abs() < 1e-9 && (pairs.angle - 90.0).abs() < 1e-6, "{pairs:?}");
    assert!((pairs.speed_ratio - 0.75).abs() < 1e-6, "{pairs:?}");
    let distances = Distances::of(&tracks);
    assert!(distances.nearest.iter().all(|d| *d > 1.99), "not to one's partner");
    assert_eq!(distances.closest.len(), 2);
    assert_eq!(distances.pairs_within(1.9), Some(0.0));
    assert!((0.4..0.6).contains(&distances.pairs_within(2.5).unwrap()));
}

#[test]
fn lanes_have_order_and_mixed_walkers_have_none() {
    let mut stream = Random::new(2).stream(0, 0, Purpose::Placement);
    let walkers = |way: fn(u32, u32) -> bool| -> Vec<Walker> {
        let place = |n: u32| (DVec2::new(f64::from(n / 8), 0.25 + 0.5 * f64::from(n % 8)), n);
        (0..160).map(place).map(|(at, n)| (at, way(n / 8, n % 8))).collect()
    };
    let lanes = Order::of(&walkers(|_, lane| lane < 4), &mut stream).unwrap();
    assert_eq!((lanes.order, lanes.leaders), (1.0, Some(1.0)));
    assert!(lanes.by_chance < 0.2 && lanes.reduced() > 0.99);
    let mixed = Order::of(&walkers(|row, lane| (row + lane) % 2 == 0), &mut stream).unwrap();
    assert_eq!((mixed.order, mixed.leaders), (0.0, Some(0.0)));
    assert!(mixed.reduced() < 0.0);
    assert_eq!(Order::of(&[], &mut stream), None);
}

#[test]
fn stripes_are_found_as_they_were_made() {
    let wave = DVec2::from_angle(FRAC_PI_4);
    let mut stream = Random::new(8).stream(0, 0, Purpose::Placement);
    let moments: Vec<Vec<(DVec2, bool)>> = (0..20)
        .map(|moment| {
            let mut unit = || f64::from(stream.unit()) * 8.0;
            let at: Vec<DVec2> = (0..60).map(|_| DVec2::new(unit(), unit())).collect();
            let first = |p: &DVec2| (wave.dot(*p) * PI + f64::from(moment)).cos() > 0.0;
            at.iter().map(|p| (*p, first(p))).collect()
        })
        .collect();
    let (angle, wavelength) = across(&moments).unwrap();
    assert!(
        between(angle, FRAC_PI_4) < 3.0 && (wavelength - 2.0).abs() < 0.2,
        "{angle} {wavelength}"
    );
    assert_eq!(across(&[]), None);
    assert!((between(0.05, PI - 0.05) - 0.1f64.to_degrees()).abs() < 1e-9);
}
