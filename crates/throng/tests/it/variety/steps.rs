//! Those who walk next to each other for long do not fall into step.

use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use glam::{Vec2, Vec3};
use throng::base::frame::world_to_ground;
use throng::bodies::variety::{STEP_GAP, STEP_REACH, sameness::gap};
use throng::bodies::{Cast, Ensemble, LodBodies, MotionTarget};
use throng::scaler::{BodyLevel, Levels};

use super::crowd;

static CAST: LazyLock<Arc<Cast>> = LazyLock::new(|| Arc::new(Cast::new(10).expect("a cast")));

const STEP: f32 = 0.04;
const SPEED: f32 = 1.3;

/// Everybody of a crowd on the same way at the same speed, so that they stay together: after so many seconds.
fn procession(count: u32, density: f32, seconds: f32) -> Vec<MotionTarget> {
    let way = Vec2::new(SPEED, 0.0);
    let target = |place: Vec3, id: u32| MotionTarget {
        id,
        position: place.truncate() + seconds * way,
        velocity: way,
        planted: true,
        ..MotionTarget::default()
    };
    crowd(count, density, 31).iter().map(|one| target(one.place, one.id)).collect()
}

/// Somebody's steps: where they are, what they play, and how far they have come.
type Steps = (Vec2, (usize, usize), f32);

/// Of pairs within 3 m who play the same, how many are out of step, and how many there are.
fn out_of_step(steps: &[Steps]) -> [usize; 2] {
    let mut counts = [0; 2];
    for (index, (place, clip, phase)) in steps.iter().enumerate() {
        for (other, its_clip, its_phase) in &steps[..index] {
            if clip == its_clip && place.distance(*other) <= STEP_REACH {
                counts[0] += usize::from(gap(*phase, *its_phase) >= STEP_GAP);
                counts[1] += 1;
            }
        }
    }
    counts
}

fn share([part, all]: [usize; 2]) -> f32 {
    part as f32 / all as f32
}

/// How much the phases of all spread, from 0 to 1.
fn variance(steps: &[Steps]) -> f32 {
    let mean = |of: fn(f32) -> f32| {
        steps.iter().map(|(_, _, phase)| of(std::f32::consts::TAU * phase)).sum::<f32>()
            / steps.len() as f32
    };
    1.0 - mean(f32::cos).hypot(mean(f32::sin))
}

fn posed_bodies(bodies: &LodBodies) -> Vec<Steps> {
    let body = |look| CAST.library().body(look);
    let steps = |posed: &throng::bodies::PosedBody| {
        let place = world_to_ground(posed.placement.translation).0;
        (place, (body(posed.role.look), posed.take), posed.phase)
    };
    bodies.posed().map(|(posed, _)| steps(posed)).collect()
}

fn level(body: BodyLevel) -> Levels {
    Levels { body, ..Levels::default() }
}

/// Shares of those out of step at the beginning and in the last ten of so many seconds, and the time it took.
fn posed(count: u32, seconds: u32, keeps: bool) -> ([f32; 2], f32, Duration) {
    let mut bodies = LodBodies::new(Ensemble::new(CAST.clone(), 31));
    bodies.keep_out_of_step(keeps);
    bodies.set_levels((0..count).map(|id| (id, level(BodyLevel::Posed))));
    let per_second = (1.0 / STEP) as u32;
    let (mut first, mut last) = (0.0, [0; 2]);
    let mut took = Duration::ZERO;
    for step in 0..seconds * per_second {
        let targets = procession(count, 0.5, STEP * step as f32);
        let began = Instant::now();
        bodies.follow(&targets, STEP);
        took += began.elapsed();
        if step == 0 {
            first = share(out_of_step(&posed_bodies(&bodies)));
        }
        if step % per_second == 0 && step >= (seconds - 10) * per_second {
            let [part, all] = out_of_step(&posed_bodies(&bodies));
            last = [last[0] + part, last[1] + all];
        }
    }
    ([first, share(last)], variance(&posed_bodies(&bodies)), took / (seconds * per_second))
}

#[test]
fn a_procession_is_out_of_step_after_two_minutes() {
    let ([begins, ends], varies, took) = posed(1_000, 120, true);
    let ([_, left_alone], _, without) = posed(1_000, 120, false);
    let cost = took.saturating_sub(without).as_secs_f64() * 1e9 / 1_000.0;
    println!(
        "{begins:.3} at first, {ends:.3} after two minutes, {left_alone:.3} if nobody minds; variance {varies:.3}; \
         {cost:.0} ns for a person and step (this build)"
    );
    assert!(begins >= 0.95, "{begins}");
    assert!(ends >= 0.90, "{ends}");
    assert!(left_alone < 0.88 && ends > left_alone + 0.04, "{left_alone} {ends}");
    assert!(varies >= 0.9, "{varies}");
}

fn members(ensemble: &Ensemble) -> Vec<Steps> {
    let body = |look| CAST.library().body(look);
    let steps = |member: &throng::bodies::Member| {
        let played = member.played()?;
        Some((member.position(), (body(member.role.look), played.part), played.phase))
    };
    ensemble.members().iter().filter_map(steps).collect()
}

#[test]
fn bodies_get_out_of_step_and_their_feet_stay_where_they_stand() {
    let run = |keeps: bool| {
        let mut ensemble = Ensemble::new(CAST.clone(), 31);
        ensemble.keep_out_of_step(keeps);
        let (mut last, mut slip, mut off) = ([0; 2], 0f32, 0f32);
        for step in 0..1500 {
            ensemble.follow(&procession(150, 0.6, STEP * step as f32), STEP);
            for member in ensemble.members() {
                let feet = [0, 1].map(|foot| member.slip(foot).unwrap_or_default());
                slip = slip.max(feet[0]).max(feet[1]);
                off = off.max(member.deviation());
            }
            if step % 25 == 0 && step >= 500 {
                let [part, all] = out_of_step(&members(&ensemble));
                last = [last[0] + part, last[1] + all];
            }
        }
        (share(last), slip, off, last[1] / 40)
    };
    let (kept, slip, off, pairs) = run(true);
    let (alone, its_slip, its_off, _) = run(false);
    println!(
        "{kept:.3} of {pairs} pairs out of step, {alone:.3} if nobody minds; slip {:.2} mm ({:.2}), off by {:.1} cm ({:.1})",
        1e3 * slip,
        1e3 * its_slip,
        1e2 * off,
        1e2 * its_off
    );
    assert!(pairs > 40, "{pairs}");
    assert!(kept >= 0.88 && kept > alone + 0.03, "{kept} {alone}");
    assert!(slip < 0.002 && slip < 1.5 * its_slip + 1e-4, "{slip} {its_slip}");
    assert!(off < its_off + 0.02, "{off} {its_off}");
}

#[test]
fn steps_are_the_same_on_any_number_of_threads() {
    let run = |threads: usize| {
        let count = 6_000;
        let mut bodies = LodBodies::new(Ensemble::new(CAST.clone(), 31));
        bodies.set_levels((0..count).map(|id| {
            (id, level(if id % 100 == 0 { BodyLevel::Full } else { BodyLevel::Impostor }))
        }));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            (0..60).for_each(|step| {
                bodies.follow(&procession(count, 1.0, STEP * step as f32), STEP);
            });
        });
        let poses: Vec<_> =
            bodies.ensemble().members().iter().map(|member| member.pose.clone()).collect();
        (posed_bodies(&bodies), poses)
    };
    let one = run(1);
    assert!(one == run(16));
}
