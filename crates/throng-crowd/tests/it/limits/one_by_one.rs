//! What the data say of starts, stops, turns, standing and pushes, for single people and small crowds.

use std::f32::consts::{PI, TAU};

use glam::Vec2;
use throng_base::Heading;
use throng_base::random::{Purpose, Random};
use throng_crowd::steering::{
    CommonParameters, MODELS, ModelInfo, Models, Orca, OrcaParameters, SteeringJob, SteeringModel,
    SteeringProfile,
};
use throng_crowd::{Crowd, NewPerson, PersonId, Plan, Setting};
use throng_world::scene::{Aim, Goal, Then};

use crate::support::{goal, person, plane, profile, seek};

fn setting(step: f64) -> Setting {
    Setting { step, ..plane() }
}

/// A person of usual size who is steered by a model.
fn steered(steering: SteeringProfile, at: Vec2, plan: u32) -> NewPerson {
    NewPerson { radius: 0.25, max_speed: 2.0, steering, ..person(at, plan) }
}

fn orca() -> SteeringProfile {
    profile("orca", &[])
}

fn plan(crowd: &mut Crowd, goals: Vec<Goal>, then: Then) -> u32 {
    crowd.add_plan(Plan { goals, then }).unwrap()
}

fn idle(crowd: &mut Crowd) -> u32 {
    plan(crowd, vec![goal(Aim::Idle)], Then::Stay)
}

/// One state of a person.
#[derive(Clone, Copy)]
struct Moment {
    time: f32,
    position: Vec2,
    velocity: Vec2,
    facing: Vec2,
}

fn moment(crowd: &Crowd, id: PersonId) -> Moment {
    let person = crowd.person(id).unwrap();
    Moment {
        time: crowd.time() as f32,
        position: person.position,
        velocity: person.velocity,
        facing: person.heading.direction(),
    }
}

/// The states of a person from now on, every step for so many seconds.
fn follow(crowd: &mut Crowd, id: PersonId, seconds: f32) -> Vec<Moment> {
    let mut moments = vec![moment(crowd, id)];
    while moments[moments.len() - 1].time < moments[0].time + seconds {
        crowd.step();
        moments.push(moment(crowd, id));
    }
    moments
}

/// When a value first gets past a limit, between two steps, s.
fn when(moments: &[Moment], value: impl Fn(&Moment) -> f32, limit: f32) -> f32 {
    let at = moments.iter().position(|moment| value(moment) >= limit).expect("it gets there");
    let [before, after] = [&moments[at.max(1) - 1], &moments[at]];
    let share = (limit - value(before)) / (value(after) - value(before)).max(1e-6);
    before.time + (after.time - before.time) * share.clamp(0.0, 1.0)
}

fn place_at(moments: &[Moment], time: f32) -> Vec2 {
    let after = moments.iter().position(|moment| moment.time >= time).unwrap().max(1);
    let [from, to] = [&moments[after - 1], &moments[after]];
    from.position.lerp(to.position, ((time - from.time) / (to.time - from.time)).clamp(0.0, 1.0))
}

fn accelerations(moments: &[Moment]) -> impl Iterator<Item = Vec2> + '_ {
    moments
        .windows(2)
        .map(|pair| (pair[1].velocity - pair[0].velocity) / (pair[1].time - pair[0].time))
}

/// Somebody alone who walks at a speed along x.
fn walking(step: f64, speed: f32, goals: Vec<Goal>) -> (Crowd, PersonId) {
    let mut crowd = Crowd::new(setting(step));
    let plan = plan(&mut crowd, goals, Then::Stay);
    let who = NewPerson {
        velocity: Vec2::new(speed, 0.0),
        preferred_speed: speed,
        ..steered(orca(), Vec2::ZERO, plan)
    };
    let id = crowd.add(&who).unwrap();
    (crowd, id)
}

#[test]
fn starts_take_as_long_as_measured() {
    for step in [0.05, 0.1] {
        let (mut crowd, id) = walking(step, 1.3, vec![seek(Vec2::new(50.0, 0.0), 0.5)]);
        let rest = NewPerson { velocity: Vec2::ZERO, ..steered(orca(), Vec2::new(0.0, 30.0), 0) };
        crowd.remove(id);
        let id = crowd.add(&NewPerson { preferred_speed: 1.3, ..rest }).unwrap();
        let moments = follow(&mut crowd, id, 5.0);
        let speed = |moment: &Moment| moment.velocity.length();
        let [begin, end] = [0.1, 0.9].map(|share| when(&moments, speed, share * 1.3));
        assert!((0.9..=1.6).contains(&(end - begin)), "{} s", end - begin);
        let way = place_at(&moments, begin).distance(place_at(&moments, end));
        assert!((0.6..=1.2).contains(&way), "{way} m");
        let most = accelerations(&moments).map(Vec2::length).fold(0.0, f32::max);
        assert!(most <= 1.3 + 1e-3, "{most} m/s²");
    }
}

#[test]
fn stops_take_as_long_as_measured() {
    for step in [0.05, 0.1] {
        let goals = vec![seek(Vec2::new(6.0, 0.0), 1.0), goal(Aim::Idle)];
        let (mut crowd, id) = walking(step, 1.3, goals);
        let moments = follow(&mut crowd, id, 12.0);
        let slowness = |moment: &Moment| 1.3 - moment.velocity.length();
        let [begin, end] = [0.1, 0.9].map(|share| when(&moments, slowness, share * 1.3));
        assert!((0.8..=2.2).contains(&(end - begin)), "{} s", end - begin);
        let most = accelerations(&moments).map(Vec2::length).fold(0.0, f32::max);
        assert!(most <= 1.2 + 1e-3, "{most} m/s²");
    }
}

#[test]
fn emergency_stops_take_half_a_second() {
    let step = 0.05;
    let (mut crowd, id) = walking(step, 1.3, vec![seek(Vec2::new(50.0, 0.0), 0.5)]);
    (0..20).for_each(|_| crowd.step());
    let begin = moment(&crowd, id);
    // A row of people who give no way, so near that nobody can get round them.
    let stands = idle(&mut crowd);
    for i in -4..=4 {
        let at = begin.position + Vec2::new(0.5 + 0.34, 0.505 * i as f32);
        let steering = profile("orca", &[("responsibility", 0.0)]);
        crowd.add(&steered(steering, at, stands)).unwrap();
    }
    let moments = follow(&mut crowd, id, 1.0);
    let stopped = moments.iter().find(|moment| moment.velocity.x < 0.05).unwrap();
    let time = stopped.time - begin.time;
    assert!((0.43..=0.60).contains(&time), "{time} s");
    let way = stopped.position.x - begin.position.x;
    assert!(way <= 0.40, "{way} m");
}

#[test]
fn who_turns_about_stops_turns_and_walks_on() {
    for step in [0.05, 0.1] {
        let goals = vec![seek(Vec2::new(4.0, 0.0), 0.2), seek(Vec2::new(-40.0, 0.0), 0.2)];
        let (mut crowd, id) = walking(step, 0.9, goals);
        let moments = follow(&mut crowd, id, 14.0);
        // From where they face 10 % of the way round to where they face 90 %.
        let turned = |moment: &Moment| moment.facing.dot(Vec2::X).clamp(-1.0, 1.0).acos();
        let [begin, end] = [0.1, 0.9].map(|share| when(&moments, turned, share * PI));
        assert!((1.0..=1.9).contains(&(end - begin)), "{} s to turn", end - begin);
        let goal_reached = 3.8;
        let furthest = moments.iter().map(|moment| moment.position.x).fold(0.0, f32::max);
        let overshoot = furthest - goal_reached;
        assert!((0.15..=0.75).contains(&overshoot), "{overshoot} m further");
        // Beside somebody who reverses at once where the goal is reached.
        let last = moments[moments.len() - 1];
        let at_once = goal_reached / 0.9 + (goal_reached - last.position.x) / 0.9;
        let lost = last.time - at_once;
        assert!((0.6..=2.2).contains(&lost), "{lost} s lost");
    }
}

#[test]
fn paths_bend_no_more_than_lateral_acceleration_allows() {
    for (speed, least) in [(1.3f32, 1.41), (0.7, 0.41)] {
        // A right angle ahead, which asks for a sharper bend.
        let corner = Vec2::new(4.0, 0.0);
        let goals = vec![seek(corner, 0.1), seek(corner + Vec2::new(0.0, 40.0), 0.1)];
        let (mut crowd, id) = walking(0.05, speed, goals);
        let moments = follow(&mut crowd, id, 10.0);
        for pair in moments.windows(2) {
            let [from, to] = [pair[0].velocity, pair[1].velocity];
            if from.length() > 0.95 * speed && to.length() > 0.95 * speed {
                let rate = from.angle_to(to).abs() / (pair[1].time - pair[0].time);
                let radius = from.length().min(to.length()) / rate.max(1e-6);
                assert!(radius >= 0.95 * least, "{radius} m at {speed} m/s");
            }
            let change = (to - from) / (pair[1].time - pair[0].time);
            let across = if from.length() > 0.3 { from.normalize().perp_dot(change) } else { 0.0 };
            assert!(across.abs() <= 1.2 + 1e-3, "{across} m/s² across");
        }
    }
}

/// People in a circle who all cross it.
fn circle(step: f64, radius: f32, count: usize, who: impl Fn(usize) -> SteeringProfile) -> Crowd {
    let mut crowd = Crowd::new(Setting { contacts: true, ..setting(step) });
    for i in 0..count {
        let from = Vec2::from_angle(TAU * i as f32 / count as f32) * radius;
        let plan = plan(&mut crowd, vec![seek(-from, 0.3)], Then::Stay);
        crowd.add(&steered(who(i), from, plan)).unwrap();
    }
    crowd
}

/// Whether a change of one's own velocity lies in the ellipse of emergencies.
fn is_possible(own: Vec2, facing: Vec2, change: Vec2, preferred_speed: f32, step: f32) -> bool {
    let speed = own.length();
    let along = if speed > 0.3 { own / speed } else { facing };
    let (x, y) = (along.dot(change) / step, along.perp_dot(change) / step);
    let top = (1.4 * preferred_speed).max(2.2);
    let ahead = ((top - speed) / 0.55).clamp(0.2, 3.0);
    let x = x / if x > 0.0 { ahead } else { 3.0 };
    x * x + (y / 3.0) * (y / 3.0) <= 1.0 + 0.03
}

#[test]
fn nobody_changes_velocity_of_their_own_accord_as_no_body_could() {
    let models: Vec<&ModelInfo> = MODELS.iter().collect();
    for step in [0.05, 0.1] {
        // Bodies of all models in a press, where contacts push them about.
        let mut crowd = circle(step, 7.0, 45, |i| SteeringProfile::of(models[i % models.len()]));
        let mut pushed = 0;
        for _ in 0..(25.0 / step) as usize {
            let state = |id| {
                let push = crowd.doing(id).map_or(Vec2::ZERO, |doing| doing.push);
                let person = crowd.person(id).unwrap();
                (id, person.velocity - push, push, person.heading.direction())
            };
            let before: Vec<_> = crowd.people().map(|person| state(person.id)).collect();
            crowd.step();
            for (id, own, push, facing) in before {
                let chosen = crowd.doing(id).unwrap().chosen;
                // Those who lie are not limited, and nobody is faster than they can be.
                let status = crowd.person(id).unwrap().status;
                if status == throng_crowd::Status::Fallen || chosen.length() > 1.999 {
                    continue;
                }
                // A push fades as far as they want it to, at 1.8 m/s² at most.
                let is_own = (0..=20).any(|share| {
                    let faded = 1.8 * step as f32 * share as f32 / 20.0;
                    let left = push.clamp_length_max((push.length() - faded).max(0.0));
                    is_possible(own, facing, chosen - left - own, 1.3, step as f32)
                });
                assert!(is_own, "{id:?} {own} {chosen} {push}");
                pushed += usize::from(push != Vec2::ZERO);
            }
        }
        assert!(pushed > 100, "{pushed}");
    }
}

#[test]
fn accelerations_do_not_depend_on_the_step() {
    let most = |step| {
        let mut crowd = circle(step, 6.0, 16, |_| orca());
        let mut most = 0.0f32;
        for _ in 0..(20.0 / step) as usize {
            let before: Vec<Vec2> = crowd.people().map(|person| person.velocity).collect();
            crowd.step();
            for (person, before) in crowd.people().zip(before) {
                if !crowd.doing(person.id).unwrap().is_disturbed {
                    most = most.max(person.velocity.distance(before) / step as f32);
                }
            }
        }
        most
    };
    let [fine, coarse] = [0.05, 0.1].map(most);
    assert!((fine / coarse - 1.0).abs() <= 0.2, "{fine} and {coarse} m/s²");
    assert!(fine.max(coarse) <= 3.0 + 1e-3, "{fine} and {coarse} m/s²");
}

#[test]
fn people_face_where_they_go_unless_they_are_slow() {
    let (mut fast, mut askew) = (0, 0);
    for seed in 0..4 {
        let mut crowd = circle(0.05, 6.0 + 0.2 * seed as f32, 16, |i| match i % 2 {
            0 => orca(),
            _ => profile("pedestrian", &[]),
        });
        for _ in 0..400 {
            crowd.step();
            for person in crowd.people() {
                let (speed, facing) = (person.velocity.length(), person.heading.direction());
                let cosine = facing.dot(person.velocity) / speed.max(1e-6);
                if speed > 0.8 {
                    fast += 1;
                    askew += usize::from(cosine < 40f32.to_radians().cos());
                }
                if crowd.doing(person.id).unwrap().push == Vec2::ZERO {
                    assert!(cosine > 0.5 || speed <= 0.84 || cosine < -0.5, "{speed} m/s aside");
                    assert!(cosine > -0.5 || speed <= 0.90, "{speed} m/s backwards");
                }
            }
        }
    }
    assert!((askew as f32) < 0.01 * fast as f32, "{askew} of {fast}");
}

/// Deepest overlap of two bodies over all steps, m, and when the last arrived, s.
fn crossing(mut crowd: Crowd) -> (f32, f32) {
    let (mut deepest, mut arrival) = (0.0f32, 60.0);
    while crowd.time() < 60.0 {
        crowd.step();
        let people: Vec<_> = crowd.people().collect();
        for (i, a) in people.iter().enumerate() {
            for b in &people[..i] {
                deepest = deepest.max(a.radius + b.radius - a.position.distance(b.position));
            }
        }
        if crowd.count(throng_crowd::Status::Arrived) == people.len() {
            arrival = crowd.time() as f32;
            break;
        }
    }
    (deepest, arrival)
}

#[test]
fn limits_cost_neither_room_nor_much_time() {
    // Bodies may overlap, or contacts would hide what steering does.
    let run = |limit: f32, seed: u64| {
        let mut crowd = Crowd::new(Setting { contacts: false, ..setting(0.1) });
        let mut draws = Random::new(seed).stream(0, 0, Purpose::Placement);
        for i in 0..16 {
            let angle = TAU * i as f32 / 16.0 + draws.between(-0.05, 0.05);
            let from = Vec2::from_angle(angle) * draws.between(5.9, 6.1);
            let plan = plan(&mut crowd, vec![seek(-from, 0.3)], Then::Stay);
            let steering = profile("orca", &[("acceleration_limit", limit)]);
            let heading = Heading::along(-from).unwrap();
            crowd.add(&NewPerson { heading, ..steered(steering, from, plan) }).unwrap();
        }
        crossing(crowd)
    };
    let (mut overlap, mut times) = (0.0, [0.0; 2]);
    for seed in 100..112 {
        let (limited, unlimited) = (run(3.0, seed), run(0.0, seed));
        overlap += limited.0 / 12.0;
        times[0] += limited.1;
        times[1] += unlimited.1;
    }
    let slower = times[0] / times[1];
    println!("overlap {overlap} m, {times:?}");
    assert!(overlap <= 0.03, "{overlap} m");
    assert!(slower <= 1.15, "{slower} times as long");
}

/// ORCA whose people are limited, but do not heed others once they are.
struct Heedless;

impl SteeringModel for Heedless {
    type Parameters = OrcaParameters;
    type State = ();

    fn info(&self) -> &'static ModelInfo {
        const INFO: ModelInfo = ModelInfo { name: "heedless", summary: "", ..ModelInfo::NEW };
        const WITH: ModelInfo = ModelInfo { parameters: OrcaParameters::INFOS, ..INFO };
        &WITH
    }

    fn steer(&self, job: SteeringJob<()>) {
        Orca.steer(job);
    }

    fn heeds_nobody(&self) -> bool {
        true
    }
}

/// How far a person who walks at 1.4 m/s gets into one who steps out 1.1 m ahead, m.
fn step_out(step: f64, heedless: bool) -> f32 {
    let models = Models::standard().with(Heedless).unwrap();
    let mut crowd = Crowd::with_models(Setting { contacts: false, ..setting(step) }, models);
    let ahead = plan(&mut crowd, vec![seek(Vec2::new(50.0, 0.0), 0.5)], Then::Stay);
    let steering = match heedless {
        true => Heedless.profile(OrcaParameters::DEFAULT),
        false => orca(),
    };
    let walker = NewPerson {
        velocity: Vec2::new(1.4, 0.0),
        preferred_speed: 1.4,
        ..steered(steering, Vec2::ZERO, ahead)
    };
    let walker = crowd.add(&walker).unwrap();
    let stands = idle(&mut crowd);
    let far = steered(orca(), Vec2::new(0.0, 60.0), stands);
    crowd.add(&far).unwrap();
    (0..10).for_each(|_| crowd.step());
    let at = crowd.person(walker).unwrap().position + Vec2::new(1.1, 0.05);
    let steering = profile("orca", &[("responsibility", 0.0)]);
    let other = crowd.add(&steered(steering, at, stands)).unwrap();
    let mut deepest = 0.0f32;
    for _ in 0..(3.0 / step) as usize {
        crowd.step();
        let [a, b] = [walker, other].map(|id| crowd.person(id).unwrap().position);
        deepest = deepest.max(0.5 - a.distance(b));
    }
    deepest
}

#[test]
fn nobody_runs_into_who_steps_out_ahead_unless_limits_are_heedless() {
    for step in [0.05, 0.1] {
        let (heeding, heedless) = (step_out(step, false), step_out(step, true));
        assert!(heeding <= 0.0, "{heeding} m deep");
        assert!(heedless > 0.05, "a mere limit would be as good: {heedless} m");
    }
}

#[test]
fn who_stands_stands() {
    let mut crowd = Crowd::new(setting(0.05));
    let stands = idle(&mut crowd);
    let models: Vec<&ModelInfo> = MODELS.iter().collect();
    for i in 0..36 {
        let at = Vec2::new((i % 6) as f32, (i / 6) as f32) * 0.9;
        crowd.add(&steered(SteeringProfile::of(models[i % models.len()]), at, stands)).unwrap();
    }
    let ids: Vec<PersonId> = crowd.people().map(|person| person.id).collect();
    let (mut fast, mut all, mut radii) = (0, 0, Vec::new());
    for _ in 0..15 {
        let mut seen: Vec<Vec<Vec2>> = vec![Vec::new(); ids.len()];
        for _ in 0..80 {
            crowd.step();
            for (person, seen) in crowd.people().zip(&mut seen) {
                (all, fast) = (all + 1, fast + usize::from(person.velocity.length() > 0.2));
                seen.push(person.position);
            }
        }
        for seen in seen {
            let middle = seen.iter().sum::<Vec2>() / seen.len() as f32;
            radii.push(seen.iter().map(|at| at.distance(middle)).fold(0.0, f32::max));
        }
    }
    assert!((fast as f32) < 0.02 * all as f32, "{fast} of {all}");
    radii.sort_by(f32::total_cmp);
    let radius = radii[radii.len() * 95 / 100];
    assert!(radius < 0.12, "{radius} m");
}

#[test]
fn a_push_is_not_ones_own_and_fades() {
    // Of models of forces, pushes fade as the forces want it: with a relaxation time of 0.5 s, more slowly.
    for (model, most) in [("orca", 0.2), ("none", 0.2), ("predictive", 0.2), ("pedestrian", 0.3)] {
        let step = 0.05;
        let mut crowd = Crowd::new(setting(step));
        let stands = idle(&mut crowd);
        let who = crowd
            .add(&steered(profile(model, &[("neighbours", 0.0)]), Vec2::ZERO, stands))
            .unwrap();
        // Somebody whom they do not see walks into them from behind.
        let on = plan(&mut crowd, vec![seek(Vec2::new(40.0, 0.0), 0.5)], Then::Stay);
        let pusher = NewPerson {
            velocity: Vec2::new(1.5, 0.0),
            preferred_speed: 1.5,
            heading: Heading::default(),
            ..steered(
                profile("none", &[("responsibility", 0.0), ("acceleration_limit", 0.0)]),
                Vec2::new(-0.6, 0.0),
                on,
            )
        };
        let pusher = crowd.add(&pusher).unwrap();
        let push = |crowd: &Crowd| crowd.doing(who).map_or(0.0, |doing| doing.push.length());
        let pushed = |crowd: &mut Crowd| {
            crowd.step();
            push(crowd) > 0.9
        };
        assert!((0..40).any(|_| pushed(&mut crowd)), "{model}");
        crowd.remove(pusher);
        let mut own = 0.0f32;
        for _ in 0..12 {
            let before = crowd.person(who).unwrap().velocity - crowd.doing(who).unwrap().push;
            crowd.step();
            let after = crowd.person(who).unwrap().velocity - crowd.doing(who).unwrap().push;
            own = own.max(after.distance(before) / step as f32);
        }
        assert!(push(&crowd) < most, "{model}: {} m/s left after 0.6 s", push(&crowd));
        assert!(own < 0.3, "{model}: {own} m/s² of their own");
    }
}

#[test]
fn without_a_limit_people_do_what_their_model_says_at_once() {
    for model in ["orca", "none"] {
        let mut crowd = Crowd::new(setting(0.1));
        let ahead = plan(&mut crowd, vec![seek(Vec2::new(50.0, 0.0), 0.5)], Then::Stay);
        let at_once = profile(model, &[("acceleration_limit", 0.0)]);
        let who = crowd.add(&steered(at_once, Vec2::ZERO, ahead)).unwrap();
        crowd.step();
        let velocity = crowd.person(who).unwrap().velocity;
        assert!((velocity.x - 1.3).abs() < 1e-4, "{model}: {velocity}");
    }
    // The name that the parameter had in ORCA still works.
    let former = profile("orca", &[("max_acceleration", 0.0)]);
    assert_eq!(former, profile("orca", &[("acceleration_limit", 0.0)]));
    let common = CommonParameters { acceleration_limit: 0.0, ..CommonParameters::DEFAULT };
    assert_eq!(former, Orca.profile(OrcaParameters::DEFAULT).with_common(common));
}
