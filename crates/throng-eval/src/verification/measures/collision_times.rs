//! How much people avoid collisions that are so far ahead in time: g(τ).
//!
//! The time to collision τ of two people is when their bodies would touch if both walked straight on.
//! P(τ) is how often it occurs, and P0(τ) how often it would if people did not mind each other, from
//! pairs who were there at different times. Their quotient g is 1 where nobody minds, and small where
//! collisions are avoided; −ln g is the energy of the interaction (Karamouzas, Skinner and Guy 2014).
//!
//! The protocol: positions every 0.4 s, smoothed with a Butterworth filter at 0.8 of the highest
//! frequency there is, velocities over 0.8 s, bodies with a radius of 0.1 m, partners of a group left
//! out, and pairs more than 20 s apart for P0. Both are shares of all pairs within 15 m, whether they
//! collide or not.

use glam::DVec2;
use serde::Serialize;
use throng_base::random::{Purpose, Random};

use super::filter::smoothed;
use crate::verification::tracks::{INTERVAL, SampledTracks};

/// Radius of a body, m.
const BODY: f64 = 0.1;
/// Width of a class of times, s.
const CLASS: f64 = 0.25;
/// Collisions later than this do not count, s.
const LATEST: f64 = 10.0;
/// People who were there with this much time between them did not mind each other, samples.
const APART: usize = 50;
/// Who is farther away is not looked at, m.
const FARTHEST: f64 = 15.0;
/// For each person and moment, so many of other times are looked at.
const STRANGERS: usize = 60;

/// How often collisions in so much time are on course, compared with chance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Class {
    /// Collisions from this time on, s, for a quarter of a second.
    pub from: f64,
    /// How many pairs there were.
    pub pairs: usize,
    /// How many pairs there were by chance.
    pub by_chance: usize,
}

/// The law of the times to collision of some tracks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CollisionLaw {
    /// Classes of time, from 0 on.
    pub classes: Vec<Class>,
    /// How many pairs were looked at, and how many by chance.
    pub looked: [usize; 2],
}

impl CollisionLaw {
    /// Measures tracks. `None` if there are no two people on a collision course, or all were there at
    /// the same time.
    pub fn of(tracks: &SampledTracks) -> Option<Self> {
        let movers: Vec<Mover> = tracks.all().iter().filter_map(Mover::of).collect();
        let end = movers.iter().map(Mover::end).max()?;
        let mut present = vec![Vec::new(); end];
        for (index, mover) in movers.iter().enumerate() {
            (mover.first..mover.end()).for_each(|sample| present[sample].push(index));
        }
        // Everyone at every sample is as likely to be a stranger.
        let samples = |(i, mover): (usize, &Mover)| {
            (mover.first..mover.end()).map(move |sample| (i, sample)).collect::<Vec<_>>()
        };
        let all: Vec<(usize, usize)> = movers.iter().enumerate().flat_map(samples).collect();
        let classes = (LATEST / CLASS) as usize;
        let (mut pairs, mut by_chance) = (vec![0usize; classes], vec![0usize; classes]);
        let mut looked = [0usize; 2];
        let count = |to: &mut Vec<usize>, looked: &mut usize, a: State, b: State| {
            let offset = b.0 - a.0;
            if offset.length() >= FARTHEST {
                return;
            }
            *looked += 1;
            if let Some(time) = time_to_collision(offset, b.1 - a.1, 2.0 * BODY)
                && time > 0.0
                && time < LATEST
            {
                to[((time / CLASS) as usize).min(classes - 1)] += 1;
            }
        };
        let mut stream = Random::new(0).stream(0, 0, Purpose::Placement);
        for (sample, there) in present.iter().enumerate() {
            for (nth, &i) in there.iter().enumerate() {
                let Some(own) = movers[i].at(sample) else { continue };
                for &j in &there[nth + 1..] {
                    let alike = movers[i].layer == movers[j].layer
                        && !tracks.are_partners(movers[i].id, movers[j].id);
                    if let Some(other) = movers[j].at(sample).filter(|_| alike) {
                        count(&mut pairs, &mut looked[0], own, other);
                    }
                }
                for _ in 0..STRANGERS {
                    let pick = (stream.unit() * all.len() as f32) as usize;
                    let Some(&(j, then)) = all.get(pick) else { continue };
                    if then.abs_diff(sample) > APART
                        && movers[j].id != movers[i].id
                        && movers[j].layer == movers[i].layer
                        && let Some(other) = movers[j].at(then)
                    {
                        count(&mut by_chance, &mut looked[1], own, other);
                    }
                }
            }
        }
        let any = |counts: &[usize]| counts.iter().any(|&count| count > 0);
        (any(&pairs) && any(&by_chance)).then(|| Self {
            looked,
            classes: (pairs.into_iter().zip(by_chance).enumerate())
                .map(|(class, (pairs, by_chance))| Class {
                    from: class as f64 * CLASS,
                    pairs,
                    by_chance,
                })
                .collect(),
        })
    }

    /// g between two times; `None` if chance has nobody there.
    pub fn between(&self, from: f64, to: f64) -> Option<f64> {
        let share = |of: fn(&Class) -> usize, looked: usize| {
            self.sum(of, [from, to]) as f64 / looked as f64
        };
        let chance = share(|class| class.by_chance, self.looked[1]);
        (chance > 0.0).then(|| share(|class| class.pairs, self.looked[0]) / chance)
    }

    /// How many pairs collide between two times, one for every sample.
    pub fn pairs(&self, from: f64, to: f64) -> usize {
        self.sum(|class| class.pairs, [from, to])
    }

    fn sum(&self, of: fn(&Class) -> usize, [from, to]: [f64; 2]) -> usize {
        let within = |class: &&Class| class.from >= from - 1e-9 && class.from < to - 1e-9;
        self.classes.iter().filter(within).map(of).sum()
    }

    /// The slope of ln(−ln g) against ln τ from 0.4 s to 2.6 s, with g as a share of that from 5 s to 8 s;
    /// −2 was published. It depends on the radius, the filter and chance: a figure, not a criterion.
    pub fn slope(&self) -> Option<f64> {
        let far = self.between(5.0, 8.0)?;
        let (mut weight, mut sums) = (0.0, [0.0; 4]);
        for class in &self.classes {
            let middle = class.from + 0.5 * CLASS;
            let Some(g) = self.between(class.from, class.from + CLASS) else { continue };
            if !(0.4..2.6).contains(&middle) || g <= 0.0 || g >= far {
                continue;
            }
            let (x, y, w) = (middle.ln(), (-(g / far).ln()).ln(), class.pairs as f64);
            weight += w;
            for (sum, value) in sums.iter_mut().zip([x, y, x * x, x * y]) {
                *sum += w * value;
            }
        }
        let [x, y, xx, xy] = sums.map(|sum| sum / weight);
        let slope = (xy - x * y) / (xx - x * x);
        slope.is_finite().then_some(slope)
    }
}

/// When two discs touch, s, of which one is `offset` from the other and moves with `velocity` relative
/// to it, if both go straight on; `sum` is that of their radii. 0 if they overlap already, `None` if they
/// never touch.
pub fn time_to_collision(offset: DVec2, velocity: DVec2, sum: f64) -> Option<f64> {
    let gap = offset.length_squared() - sum * sum;
    if gap <= 0.0 {
        return Some(0.0);
    }
    let (closing, speed) = (-offset.dot(velocity), velocity.length_squared());
    let discriminant = closing * closing - speed * gap;
    (closing > 0.0 && discriminant >= 0.0).then(|| gap / (closing + discriminant.sqrt()))
}

/// A position, m, and a velocity, m/s.
type State = (DVec2, DVec2);

/// Smoothed positions and velocities of a track, from its second sample to its last but one.
struct Mover {
    id: u32,
    layer: throng_world::scene::LayerId,
    first: usize,
    states: Vec<State>,
}

impl Mover {
    fn of(track: &crate::verification::tracks::SampledTrack) -> Option<Self> {
        if track.points.len() < 5 {
            return None;
        }
        let points = smoothed(&track.points, 0.8);
        let state = |w: &[DVec2]| (w[1], (w[2] - w[0]) / (2.0 * INTERVAL));
        let states = points.windows(3).map(state).collect();
        Some(Self { id: track.id, layer: track.layer, first: track.first + 1, states })
    }

    fn end(&self) -> usize {
        self.first + self.states.len()
    }

    fn at(&self, sample: usize) -> Option<State> {
        self.states.get(sample.checked_sub(self.first)?).copied()
    }
}
