//! Walls hide people from views: who is behind them has no body of their own, and has one again before they are seen.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests too")]

use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use glam::{Vec2, Vec3};
use throng::base::frame::ground_to_world;
use throng::bodies::{Cast, Viewer};
use throng::motion::gaze::Phase;
use throng::scaler::{BodyLevel, Budget, Scaler, ScalerOptions, Screens, Subject, View};
use throng::{Engine, PipelineStage, Scene};

use crate::common::SHARED_FROM;

static CAST: LazyLock<Arc<Cast>> = LazyLock::new(|| Arc::new(Cast::new(2).unwrap()));

const STEP: f32 = 0.04;

fn scene(rest: &str) -> Scene {
    let text = format!(
        "format = 1\n[world]\nbounds = [[-200, -200], [200, 200]]\n[simulation]\nstep = {STEP}\n{rest}"
    );
    Scene::parse_plan("walls.toml", &text).unwrap()
}

/// A wall of 3 m across the way, from far in the west to 0, 5 m north of the middle.
const WALL: &str =
    "[[obstacles]]\nheight = 3\nwall = { points = [[-80, 5], [0, 5]], thickness = 0.2 }\n";

fn screens(rest: &str) -> Screens {
    Screens::of(&scene(rest))
}

/// Somebody on the ground.
fn at(id: u32, place: Vec2) -> Subject {
    Subject { id, place: ground_to_world(place, 0.0), importance: 0.0 }
}

/// A camera on the ground at eye height, looking north.
fn north(from: Vec2, height: f32) -> View {
    View::new(ground_to_world(from, height), ground_to_world(Vec2::Y, 0.0))
}

#[test]
fn who_is_behind_a_wall_is_worth_less_unless_one_looks_over_it() {
    let screens = screens(WALL);
    let people =
        || [at(1, Vec2::new(-4.0, 3.0)), at(2, Vec2::new(-4.0, 9.0)), at(3, Vec2::new(4.0, 9.0))];
    let levels = |view: View, options: ScalerOptions| {
        let mut scaler = Scaler::new(options);
        scaler.judge_among(people(), &[view], &screens, STEP);
        scaler.levels().map(|(_, levels)| levels.body).collect::<Vec<_>>()
    };
    let (full, hidden) = (BodyLevel::Full, BodyLevel::Impostor);
    let low = north(Vec2::new(-1.0, -4.0), 1.7);
    let usual = ScalerOptions::default();
    assert_eq!(levels(low, usual), [full, hidden, full]);
    // From a roof, or where walls do not count.
    let high = View { direction: Vec3::new(0.0, -0.5, -1.0), ..north(Vec2::new(-1.0, -4.0), 9.0) };
    assert!(levels(high, usual).iter().all(|level| *level >= BodyLevel::Posed));
    assert_eq!(levels(low, ScalerOptions { sight_lines: 0, ..usual }), [full; 3]);
    // Of two views, one is enough.
    let mut scaler = Scaler::new(usual);
    let behind =
        View { direction: ground_to_world(Vec2::NEG_Y, 0.0), ..north(Vec2::new(-4.0, 16.0), 1.7) };
    scaler.judge_among(people(), &[low, behind], &screens, STEP);
    assert_eq!(scaler.level(2).unwrap().body, full);
    // Nor are they simulated as if they were seen.
    let mut published = Scaler::new(ScalerOptions::published());
    published.judge_among(people(), &[low], &screens, STEP);
    assert!(published.level(2).unwrap().effort < published.level(3).unwrap().effort);
    assert_eq!(published.census().hidden, 1);
    // An eye inside of a wall sees out of it.
    assert_eq!(levels(north(Vec2::new(-4.0, 5.0), 1.7), usual)[1], full);
}

#[test]
fn people_have_their_bodies_before_they_come_round_a_corner() {
    let screens = screens(WALL);
    let view = north(Vec2::new(0.0, -6.0), 1.7);
    let seen = |place: Vec2| {
        let edges = [-0.3, 0.0, 0.3].map(|off| place + Vec2::new(off, 0.0));
        edges.iter().any(|at| screens.is_free(view.eye, ground_to_world(*at, 1.7)))
    };
    // Others whom nobody sees take up most of the lines of sight.
    let others = |id: u32| at(id, Vec2::new(-1.5 - (id % 40) as f32, 8.0 + (id / 40) as f32));
    let mut scaler = Scaler::new(ScalerOptions { sight_lines: 400, ..ScalerOptions::default() });
    let (mut before, mut changes, mut first, mut shown) = (None, 0, None, None);
    for step in 0..600 {
        // Out of the shade and back again.
        let along = 1.4 * STEP * step as f32;
        let x = if along < 14.0 { along - 10.0 } else { (18.0 - along).max(-8.0) };
        let walker = Vec2::new(x, 8.0);
        let crowd = (0..600).map(others).chain([at(1000, walker)]);
        scaler.judge_among(crowd, &[view], &screens, STEP);
        let level = scaler.level(1000).unwrap().body;
        if step >= 25 {
            assert!(!seen(walker) || level == BodyLevel::Full, "{x} is seen as {level:?}");
        }
        changes += usize::from(before.is_some_and(|before| before != level));
        if level == BodyLevel::Full && step >= 25 && along < 14.0 {
            first.get_or_insert(x);
        }
        if seen(walker) {
            shown.get_or_insert(x);
        }
        before = Some(level);
    }
    println!("a body from {first:?} m on, seen from {shown:?} m on; {changes} changes");
    assert!(first.unwrap() < shown.unwrap() - 0.3 && first.unwrap() > shown.unwrap() - 2.0);
    assert_eq!(before, Some(BodyLevel::Impostor), "lost again");
    assert!(changes <= 3, "{changes}");
}

/// Houses in a grid with streets between them.
fn town() -> String {
    let houses = (-7..7).flat_map(|x| (-7..7).map(move |y| (24 * x + 4, 24 * y + 4)));
    houses
        .map(|(x, y)| {
            format!(
                "[[obstacles]]\nheight = 9\nbox = {{ center = [{}, {}], size = [17, 17] }}\n",
                x + 8,
                y + 8
            )
        })
        .collect()
}

#[test]
fn a_town_is_looked_through_bit_by_bit() {
    let screens = screens(&town());
    let people: Vec<Subject> = (0..20_000)
        .map(|id| {
            // Along the streets, which are 7 m wide.
            let (street, along) =
                (24.0 * (id % 14) as f32 - 168.0, (id as f32 * 0.017) % 330.0 - 165.0);
            let off = 0.9 * (id % 7) as f32 - 2.6;
            at(
                id,
                if id % 2 == 0 {
                    Vec2::new(street + off, along)
                } else {
                    Vec2::new(along, street + off)
                },
            )
        })
        .collect();
    let view = north(Vec2::new(0.0, -150.0), 1.7);
    let options = ScalerOptions::default();
    let mut scaler = Scaler::new(options);
    let (mut took, mut worst) = (Duration::ZERO, 0);
    for _ in 0..60 {
        let began = Instant::now();
        let census = *scaler.judge_among(people.iter().copied(), &[view], &screens, STEP);
        took += began.elapsed();
        worst = worst.max(census.sight_lines);
    }
    let mut blind = Scaler::new(ScalerOptions { sight_lines: 0, ..options });
    let began = Instant::now();
    (0..20).for_each(|_| {
        blind.judge_among(people.iter().copied(), &[view], &screens, STEP);
    });
    let (without, with) = (began.elapsed() / 20, took / 60);
    let hidden = scaler.census().hidden;
    println!(
        "{hidden} hidden; {with:?} for 20,000 people, {without:?} without walls (this build); {worst} lines"
    );
    assert!(worst <= options.sight_lines + 6, "{worst}");
    assert!(hidden > 3000, "{hidden}");
    // All that have been looked for are where they are thought to be.
    let mut wrong = 0;
    for (subject, (_, levels)) in people.iter().zip(scaler.levels()) {
        let top = subject.place + 1.8 * Vec3::Y;
        let seen = screens.is_free(view.eye, top);
        wrong += usize::from(
            seen && levels.body == BodyLevel::Impostor && top.distance(view.eye) < 13.0,
        );
        wrong += usize::from(!seen && levels.body == BodyLevel::Full);
    }
    // Those within a margin of a corner may have bodies that nobody sees.
    assert!(wrong < 30, "{wrong}");
}

#[test]
fn nobody_changes_to_and_fro_behind_pillars() {
    let pillars: String = (0..12)
        .map(|i| {
            format!(
                "[[obstacles]]\nheight = 4\nbox = {{ center = [{}, 4], size = [4, 1] }}\n",
                8 * i - 44
            )
        })
        .collect();
    let screens = screens(&pillars);
    let people = || (0..300).map(|id| at(id, Vec2::new(0.3 * id as f32 - 45.0, 7.0)));
    let mut scaler = Scaler::new(ScalerOptions::default());
    let mut changes = vec![0; 300];
    let mut before: Vec<BodyLevel> = Vec::new();
    for step in 0..500 {
        let time = STEP * step as f32;
        // A hand that shakes, on a slow dolly.
        let view = north(Vec2::new(0.3 * time + 0.05 * (9.0 * time).sin(), -3.0), 1.7);
        scaler.judge_among(people(), &[view], &screens, STEP);
        let now: Vec<BodyLevel> = scaler.levels().map(|(_, levels)| levels.body).collect();
        changes
            .iter_mut()
            .zip(before.iter().zip(&now))
            .for_each(|(count, (a, b))| *count += usize::from(a != b));
        before = now;
    }
    let (most, all) = (*changes.iter().max().unwrap(), changes.iter().sum::<usize>());
    println!("at most {most} changes in 20 s, {all} in all");
    assert!(all > 10 && most <= 8, "{most} {all}");
}

/// People who stroll about a town with something to look at.
fn strollers(people: usize, budget: Budget) -> Engine {
    let rest = format!(
        "{WALL}[[interests]]\nname = \"clock\"\nposition = [6, 4]\nlevel = 1\n\
         [[regions]]\nname = \"place\"\nrectangle = [[-12, -6], [12, 18]]\n\
         [[groups]]\nname = \"strollers\"\ninterest = 0.7\n\
         goals = [{{ seek = {{ random = \"place\" }}, duration = 20 }}, {{ idle = 1 }}]\nthen = \"repeat\"\n\
         crowds = [{{ count = {people}, region = \"place\" }}]\n"
    );
    let mut engine = Engine::new(scene(&rest)).unwrap();
    engine.set_scaling(Some(ScalerOptions { budget, ..ScalerOptions::default() }));
    engine.set_bodies(Some(CAST.clone()));
    let view = north(Vec2::new(0.0, -12.0), 2.0);
    engine.set_views(&[view]);
    engine.set_viewers(&[Viewer::new(view.eye, view.direction)]);
    engine
}

#[test]
fn a_crowd_among_walls_is_the_same_on_any_number_of_threads() {
    let run = |threads: usize| {
        let budget = Budget { lookers: 20, ..Budget::default() };
        let mut engine = strollers(200, budget);
        let options = ScalerOptions { full_pixels: 50.0, budget, ..ScalerOptions::default() };
        engine.set_scaling(Some(options));
        engine.set_threads(threads).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| (0..100).for_each(|_| engine.step()));
        assert!(engine.scaler().unwrap().census().hidden > 5);
        let levels: Vec<_> = engine.scaler().unwrap().levels().collect();
        let bodies = engine.lod_bodies().unwrap();
        let poses: Vec<_> =
            bodies.ensemble().members().iter().map(|member| member.pose.clone()).collect();
        assert!(poses.len() >= SHARED_FROM, "{} bodies are too few for threads", poses.len());
        let posed_bodies: Vec<_> = bodies.posed().map(|(posed, level)| (*posed, level)).collect();
        (levels, poses, posed_bodies)
    };
    assert!(run(1) == run(16));
}

#[test]
fn no_more_look_around_than_may() {
    let mut most = 0;
    for lookers in [0, 6] {
        let mut engine = strollers(200, Budget { lookers, ..Budget::default() });
        for step in 0..250 {
            engine.step();
            let bodies = engine.lod_bodies().unwrap();
            assert!(bodies.looking() <= lookers, "{step}: {}", bodies.looking());
            assert_eq!(bodies.looking(), engine.scaler().unwrap().census().lookers);
            let looks = |member: &&throng::bodies::Member| {
                member
                    .gaze()
                    .is_some_and(|gaze| gaze.subject().is_some() && gaze.phase() != Phase::Idle)
            };
            let members = bodies.ensemble().members();
            assert!(members.len() > 20);
            most = most.max(members.iter().filter(looks).count());
        }
        // Who may not look any more turns back: a few may still be on their way.
        assert!(most <= 2 * lookers, "{most}");
    }
    assert!(most >= 3, "{most}");
}

#[test]
fn looking_around_keeps_to_its_time() {
    let free = |limit: Option<Duration>| {
        let mut engine = strollers(200, Budget { gaze: limit, ..Budget::default() });
        let mut times = Vec::new();
        for step in 0..250 {
            engine.step();
            if step >= 100 {
                times.push(engine.times().of(PipelineStage::Gaze));
            }
        }
        times.sort_unstable();
        (times[times.len() / 2], engine.lod_bodies().unwrap().looking())
    };
    let (usual, all) = free(None);
    let limit = usual / 2;
    let (took, some) = free(Some(limit));
    println!("{all} look in {usual:?}; within {limit:?}, {some} in {took:?} (this build)");
    assert!(some >= 1 && some < all, "{some} of {all}");
}
