//! How fast a person's own velocity can change, whatever model steers them.
//!
//! A model chooses a velocity v*. People do not reach it at once: in each step the change of their *own* velocity lies in
//! an ellipse about the velocity that they have ([`reach`]), whose axes are an acceleration, a deceleration and a lateral
//! acceleration. There are three ellipses: comfortable, hurried, and for emergencies. Almost always the comfortable one is
//! enough, and the point of it towards v* is taken. Where that would lead into a person or a wall within the next second
//! although v* does not, a larger ellipse is tried, and the point of it that is nearest to v* and leads into nobody is
//! taken; in the last resort, the point of the largest ellipse that does so least ([`horizon`]). Shrinking the set of
//! candidates alone makes people collide: v* is chosen first, over all velocities, and only then approached.
//!
//! **What is exempt.** What contacts, walls and pushes do to a velocity is no deed of the person, and is kept apart (the
//! column `pushes` of the population). It is not limited and it fades by itself. People who lie on the ground are not
//! limited either.
//!
//! **Turning.** Who wants to go elsewhere than they face turns to the velocity they want, not only to the one they have:
//! nobody walks backwards for long. The facing itself is turned by the last stage of the step.
//!
//! **Where the numbers come from.** Velocities of the pelvis of 56 people who walked, ran, started, stopped and turned in
//! motion capture, of 1,068 heads of pedestrians who crossed streets, and of 8,972 heads in experiments with crowds,
//! without the sway of each stride (0.7 Hz). Outside the comfortable, the hurried and the largest ellipse are 7, 0.8 and
//! 0.0 % of what the captured did, who turned and started all the time, and 1, 0.02 and 0 % of what crowds did. The mean of
//! 232 starts is met within 0.03 of their speed by min(a, (v_c - v) / 0.55 s).

mod horizon;
mod reach;

use glam::Vec2;
use throng_simd::{Floats, Kernel, LANES, Mask, Simd, Vec2s, run_anywhere, set_bits};

use super::Surroundings;
use crate::neighbours::Neighbourhood;
use crate::status::Status;
use horizon::{Predicament, lead_into_neighbours, near_walls};
pub(crate) use reach::fade;
use reach::{Tier, Walker};

/// The emergency acceleration of people who walk, m/s²: that of the largest ellipse, in units of which the parameter
/// `acceleration_limit` scales all three.
pub(crate) const STANDARD: f32 = 3.0;

/// People hurry whose goal asks for this speed, m/s, or more.
const HURRIED_SPEED: f32 = 1.8;

/// Takes people only as far towards the velocities they have chosen as they get within the step. `turns` becomes what
/// is missing, m/s: they turn to where they want to go. If people `heed` others they also stay clear of them. No wall that
/// they face is nearer than `rooms`, m.
pub(crate) fn keep(
    around: Surroundings,
    batches: &[Neighbourhood],
    heed: bool,
    velocities: &mut [[Vec2; LANES]],
    turns: &mut [[Vec2; LANES]],
    rooms: &[[f32; LANES]],
) {
    run_anywhere(around.simd, Keep { around, batches, heed, velocities, turns, rooms });
}

struct Keep<'a> {
    around: Surroundings<'a>,
    batches: &'a [Neighbourhood],
    heed: bool,
    velocities: &'a mut [[Vec2; LANES]],
    turns: &'a mut [[Vec2; LANES]],
    rooms: &'a [[f32; LANES]],
}

impl Kernel for Keep<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { around, batches, heed, velocities, turns, rooms } = self;
        let kept = batches.iter().zip(velocities).zip(turns).zip(rooms);
        for (((batch, velocities), turns), rooms) in kept {
            let rows = batch.rows.map(|row| row as usize);
            let wanted = Vec2s::load(simd, velocities);
            let Some(kept) = sixteen(simd, &around, &rows, wanted) else {
                *turns = [Vec2::ZERO; LANES];
                continue;
            };
            let chosen = *velocities;
            *velocities = kept.velocity.to_lanes(simd);
            if heed {
                let short = kept.short.bits() & ((1u32 << batch.len) - 1) as u16;
                let blocked = match short {
                    0 => 0,
                    _ => lead_into_neighbours(simd, &around, batch, kept.velocity, short),
                };
                let near_walls = match around.walls.is_empty() {
                    true => 0,
                    false => short & near_walls(simd, &around, batch, kept.velocity, rooms),
                };
                for lane in set_bits(blocked | near_walls) {
                    let predicament = Predicament {
                        around: &around,
                        batch,
                        lane,
                        chosen: chosen[lane],
                        limited: velocities[lane],
                    };
                    let sees_wall = near_walls >> lane & 1 == 1;
                    if blocked >> lane & 1 == 1 || (sees_wall && predicament.leads_into_wall()) {
                        velocities[lane] = solve(simd, &kept, &predicament);
                    }
                }
            }
            let velocity = Vec2s::load(simd, velocities);
            *turns = Kept { velocity, ..kept }.missing(simd, wanted).to_lanes(simd);
        }
    }
}

/// What sixteen people make of the velocities they have chosen.
pub(crate) struct Kept<S: Simd> {
    pub velocity: Vec2s<S>,
    /// Who does not get there within the step.
    pub short: S::M,
    walkers: Walker<S>,
    aims: Vec2s<S>,
    hurried: S::M,
}

impl<S: Simd> Kept<S> {
    /// What is missing of the velocities that were `wanted`, m/s.
    #[inline(always)]
    pub fn missing(&self, simd: S, wanted: Vec2s<S>) -> Vec2s<S> {
        Vec2s::select(self.short, wanted.minus(self.velocity), Vec2s::zero(simd))
    }
}

/// Approaches `wanted` as far as the people in some rows get within the step; `None` if nobody is limited.
#[inline(always)]
pub(crate) fn sixteen<S: Simd>(
    simd: S,
    around: &Surroundings,
    rows: &[usize; LANES],
    wanted: Vec2s<S>,
) -> Option<Kept<S>> {
    let people = around.people;
    let limit = |row: usize| match around.intents.statuses[row] {
        Status::Fallen => 0.0,
        _ => people.profile(row).common.acceleration_limit,
    };
    let strength = simd.load(&rows.map(limit)) * simd.splat(1.0 / STANDARD);
    let limited = strength.gt(simd.splat(0.0));
    if !limited.any() {
        return None;
    }
    let preferred = Vec2s::load(simd, &rows.map(|row| around.intents.preferred_velocities[row]));
    let walkers = Walker::new(simd, around, rows, strength, [wanted, preferred]);
    let panics =
        |row: usize| f32::from(u8::from(around.intents.statuses[row] == Status::Panicking));
    let panics = simd.load(&rows.map(panics)).gt(simd.splat(0.5));
    let hurried = panics | walkers.preferred_speed.ge(simd.splat(HURRIED_SPEED));
    let aims = walkers.aim(simd, wanted, preferred);
    let tier = Tier::comfortable(simd).or_hurried(simd, hurried);
    let velocity = walkers
        .reach(simd, &tier)
        .towards(simd, aims)
        .at_most(simd, simd.load(&rows.map(|row| people.max_speeds[row])));
    let off = velocity.minus(wanted);
    let short = limited & off.dot(off).gt(simd.splat(0.0));
    let velocity = Vec2s::select(short, velocity, wanted);
    Some(Kept { velocity, short, walkers, aims, hurried })
}

/// The velocity of the person in a predicament: that of the smallest ellipse which leaves a way out.
#[inline(always)]
fn solve<S: Simd>(simd: S, kept: &Kept<S>, predicament: &Predicament) -> Vec2 {
    let lane = predicament.lane;
    let walker = kept.walkers.only(simd, lane);
    let aim = kept.aims.to_lanes(simd)[lane];
    let mut tiers = [Tier::comfortable(simd), Tier::hurried(simd), Tier::emergency(simd, &walker)];
    let first = usize::from(kept.hurried.bits() >> lane & 1 == 1);
    let demands = predicament.demands(simd, walker.disc(simd, lane));
    let mut least_bad = None;
    for tier in &mut tiers[first..] {
        let best = demands.best(simd, &walker.reach(simd, tier), aim);
        if best.is_permitted {
            return predicament.at_most(best.velocity);
        }
        least_bad = Some(best.velocity);
    }
    predicament.at_most(least_bad.unwrap_or(predicament.limited))
}
