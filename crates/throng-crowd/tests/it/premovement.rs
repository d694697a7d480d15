//! Times before movement: idle goals whose length is drawn for each person.

use std::collections::BTreeMap;
use std::path::Path;

use throng_crowd::{Crowd, Status};
use throng_world::Scene;

use crate::support;

/// People on a lattice who wait as `idle` says and then walk a little.
fn waiters(count: usize, seed: u64, idle: &str) -> String {
    format!(
        "simulation = {{ step = 0.05, seed = {seed} }}
        world.bounds = [[-60, -60], [60, 60]]
        regions = [{{ name = \"hall\", rectangle = [[-50, -50], [50, 50]] }}]
        [[groups]]
        name = \"people\"
        radius = 0.2
        steering = {{ model = \"none\" }}
        goals = [{{ idle = {idle} }}, {{ flow = [1, 0], duration = 0.2 }}]
        crowds = [{{ count = {count}, region = \"hall\", arrangement = \"grid\" }}]"
    )
}

/// How long each person stood before they set out, s, by number.
fn delays(scene: &Scene) -> BTreeMap<u32, f64> {
    let mut crowd = Crowd::from_scene(scene).unwrap_or_else(|errors| panic!("{errors}"));
    let mut delays = BTreeMap::new();
    while delays.len() < crowd.len() {
        crowd.step();
        assert!(crowd.time() < 2000.0, "somebody never sets out");
        let moving = crowd.people().filter(|person| person.status != Status::Waiting);
        for person in moving {
            // The step in which they are seen to move began when they set out.
            delays.entry(person.id.0).or_insert(crowd.time() - 0.05);
        }
    }
    delays
}

/// The largest distance between the shares of delays and a cumulative distribution.
fn distance(delays: &BTreeMap<u32, f64>, share: impl Fn(f64) -> f64) -> f64 {
    let mut times: Vec<f64> = delays.values().copied().collect();
    times.sort_by(f64::total_cmp);
    let count = times.len() as f64;
    // Times are rounded to steps: the share is that of times up to half a step more.
    let off = |(i, &time): (usize, &f64)| {
        let is_last = times.get(i + 1).is_none_or(|next| *next > time + 1e-9);
        if is_last { ((i + 1) as f64 / count - share(time + 0.025)).abs() } else { 0.0 }
    };
    times.iter().enumerate().map(off).fold(0.0, f64::max)
}

/// Of Kolmogorov and Smirnov, for 1,000: a true distribution exceeds it in one of a thousand samples.
const CRITICAL: f64 = 0.0617;

const PEOPLE: usize = 1000;

/// The cumulative standard normal distribution (Abramowitz and Stegun 26.2.17, off by less than 1e-7).
fn normal_share(z: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * z.abs());
    let series = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let sum = series.iter().rev().fold(0.0, |sum, factor| (sum + factor) * t);
    let tail = (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt() * sum;
    if z < 0.0 { tail } else { 1.0 - tail }
}

#[test]
fn people_set_out_as_the_distribution_of_their_group_says() {
    let within = |share: &dyn Fn(f64) -> f64, low: f64, high: f64, t: f64| {
        ((share(t) - share(low)) / (share(high) - share(low))).clamp(0.0, 1.0)
    };
    let normal = |t: f64| normal_share((t - 30.0) / 12.0);
    let log_normal = |t: f64| normal_share((t.max(1e-9).ln() - 3.4) / 0.5);
    let weibull = |t: f64| 1.0 - (-(t.max(0.0) / 40.0).powf(1.5)).exp();
    type Case<'a> = (&'a str, Box<dyn Fn(f64) -> f64 + 'a>);
    let cases: Vec<Case> = vec![
        ("{ min = 10, max = 100 }", Box::new(|t| ((t - 10.0) / 90.0).clamp(0.0, 1.0))),
        (
            "{ mean = 30, sd = 12, min = 20, max = 60 }",
            Box::new(|t| within(&normal, 20.0, 60.0, t)),
        ),
        ("{ mean = 30, sd = 12 }", Box::new(|t| within(&normal, 0.0, 1e4, t))),
        ("{ log_mean = 3.4, log_sd = 0.5 }", Box::new(log_normal)),
        ("{ scale = 40, shape = 1.5, max = 90 }", Box::new(|t| within(&weibull, 0.0, 90.0, t))),
    ];
    for (idle, share) in &cases {
        let delays = delays(&support::scene(&waiters(PEOPLE, 3, idle)));
        assert_eq!(delays.len(), PEOPLE);
        let off = distance(&delays, share);
        assert!(off < CRITICAL, "{idle}: {off}");
    }
    // The test can tell one from another.
    let exponential = delays(&support::scene(&waiters(PEOPLE, 3, "{ scale = 40, shape = 1 }")));
    assert!(distance(&exponential, log_normal) > CRITICAL);
}

#[test]
fn people_set_out_after_times_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let scene = |file: &str| {
        let text = waiters(PEOPLE, 3, &format!("{{ file = \"{file}\" }}"));
        support::scene_in(folder.path(), &text)
    };
    std::fs::write(folder.path().join("times.csv"), "time\n5\n10\n20\n40\n").unwrap();
    let measured = delays(&scene("times.csv"));
    for time in [5.0, 10.0, 20.0, 40.0] {
        let count = measured.values().filter(|delay| (*delay - time).abs() < 0.03).count();
        assert!((count as f64 / PEOPLE as f64 - 0.25).abs() < CRITICAL, "{time} s: {count}");
    }
    let shares = "time,cumulative\n0,0\n10,0.6\n60,1\n";
    std::fs::write(folder.path().join("shares.csv"), shares).unwrap();
    let share = |t: f64| if t < 10.0 { 0.06 * t } else { (0.6 + 0.008 * (t - 10.0)).min(1.0) };
    assert!(distance(&delays(&scene("shares.csv")), share) < CRITICAL);
}

#[test]
fn a_delay_is_a_function_of_the_seed_and_the_person_alone() {
    let idle = "{ log_mean = 2, log_sd = 0.5 }";
    let few = delays(&support::scene(&waiters(20, 3, idle)));
    let many = delays(&support::scene(&waiters(200, 3, idle)));
    assert!(few.iter().all(|(id, delay)| many[id] == *delay));
    let other = delays(&support::scene(&waiters(20, 4, idle)));
    assert!(few.iter().filter(|(id, delay)| other[id] != **delay).count() > 15);
}

#[test]
fn times_that_are_edited_while_people_wait_begin_anew() {
    let text = |idle: &str| format!("format = 1\n{}", waiters(10, 3, idle));
    let scene = |idle: &str| Scene::parse("scene.toml", &text(idle), Path::new("")).unwrap();
    let (long, short) = (scene("100"), scene("{ min = 1, max = 2 }"));
    let mut crowd = Crowd::from_scene(&long).unwrap();
    (0..20).for_each(|_| crowd.step());
    crowd.adopt(&long, &short).unwrap();
    (0..18).for_each(|_| crowd.step());
    assert_eq!(crowd.count(Status::Waiting), 10, "none waits less than a second");
    (0..30).for_each(|_| crowd.step());
    assert!(crowd.people().all(|person| person.position.is_finite()));
    assert_eq!(crowd.count(Status::Waiting), 0);
}
