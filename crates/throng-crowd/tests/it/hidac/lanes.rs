//! Two crowds that walk against each other.

use glam::Vec2;
use throng_base::random::{Purpose, Random};
use throng_crowd::{Crowd, NewPerson, PersonState, Setting};
use throng_world::scene::GroupId;

use super::{STEP, flow, steered};
use crate::support::{rectangle, with_obstacles};

const WIDTH: f32 = 6.0;
/// About as wide as a body.
const STRIP: f32 = 0.5;

/// How many lanes there are: strips along the corridor in which most walk the same way, those beside each
/// other that agree counted once.
fn lanes(people: &[PersonState]) -> usize {
    let mut strips = [0i32; (WIDTH / STRIP) as usize];
    for p in people {
        let strip = ((p.position.y + WIDTH / 2.0) / STRIP) as usize;
        strips[strip.min(strips.len() - 1)] += if p.group == GroupId(0) { 1 } else { -1 };
    }
    let signs: Vec<i32> = strips.iter().map(|sum| sum.signum()).filter(|sign| *sign != 0).collect();
    1 + signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

/// The median number of lanes where two crowds of 100 walk through each other, and how far they get, m/s.
fn opposed(seed: u64, changes: &[(&str, f32)]) -> (f64, f32) {
    let walls = [3.1, -3.1].map(|y| rectangle((-60.0, y - 0.1), (60.0, y + 0.1)));
    let mut crowd = Crowd::new(Setting { step: STEP, seed, ..with_obstacles(walls) });
    let ways = [flow(&mut crowd, Vec2::X), flow(&mut crowd, -Vec2::X)];
    let mut draws = Random::new(seed).stream(0, 0, Purpose::Placement);
    for i in 0..200u16 {
        let (group, place) = (i % 2, i / 2);
        let jitter = draws.point_between(Vec2::splat(-0.1), Vec2::splat(0.1));
        let at = Vec2::new(-2.0 - 0.85 * f32::from(place / 7), 0.8 * f32::from(place % 7) - 2.4);
        let at = if group == 0 { at } else { -at } + jitter;
        let speed = 1.3 + draws.between(-0.2, 0.2);
        let person = steered(at, ways[group as usize], changes);
        let person = NewPerson { group: GroupId(group), preferred_speed: speed, ..person };
        crowd.add(&person).unwrap();
    }
    let mut counts = Vec::new();
    let mut progress = 0.0;
    while crowd.time() < 60.0 {
        crowd.step();
        let middle = |p: &PersonState| p.position.x.abs() < 6.0;
        let people: Vec<PersonState> = crowd.people().filter(middle).collect();
        let first = people.iter().filter(|p| p.group == GroupId(0)).count();
        if crowd.steps().is_multiple_of(25) && first.min(people.len() - first) >= 20 {
            counts.push(lanes(&people));
        }
        let along = |p: &PersonState| p.velocity.x * if p.group == GroupId(0) { 1.0 } else { -1.0 };
        progress += crowd.people().map(|p| along(&p)).sum::<f32>() / 200.0 * STEP as f32 / 60.0;
    }
    counts.sort_unstable();
    (counts.get(counts.len() / 2).map_or(0.0, |count| *count as f64), progress)
}

fn median(changes: &[(&str, f32)]) -> (f64, f32) {
    let runs: Vec<(f64, f32)> = std::thread::scope(|scope| {
        let run = |half: u64| move || (half..10).step_by(2).map(|s| opposed(s, changes)).collect();
        let threads = [0, 1].map(|half| scope.spawn(run(half)));
        threads.into_iter().flat_map(|thread| -> Vec<_> { thread.join().unwrap() }).collect()
    });
    let mut counts: Vec<f64> = runs.iter().map(|run| run.0).collect();
    counts.sort_by(f64::total_cmp);
    println!("{changes:?}: {counts:?}, {:?} m/s", runs.iter().map(|run| run.1).collect::<Vec<_>>());
    (counts[5].midpoint(counts[4]), runs.iter().map(|run| run.1).sum::<f32>() / 10.0)
}

#[test]
fn several_lanes_form_where_sight_and_sides_adapt_to_the_density() {
    // As published: people whose velocities change no faster than they can form as many lanes with fixed ones.
    let at_once = ("acceleration_limit", 0.0);
    let (lanes, progress) = median(&[at_once]);
    let (fixed, _) = median(&[at_once, ("dense_sight", 3.0), ("dense_right_angle", 15.0)]);
    assert!(lanes >= 3.0, "{lanes} lanes");
    assert!(lanes > fixed, "{lanes} lanes, {fixed} with fixed sight and sides");
    assert!(progress > 0.3, "{progress} m/s");
    let (lanes, progress) = median(&[]);
    assert!(lanes >= 3.0 && progress > 0.3, "{lanes} lanes, {progress} m/s with limits");
}
