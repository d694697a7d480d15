//! Jams that people have stood before: what they think of them, and for how long.
//!
//! A passage full of people who stand is as short as any on the map, and however often somebody asks, it is the way that they are told. So
//! who has not got any nearer for some seconds looks along their way at who stands in it, and the narrowest such
//! place has a price. It is what they would walk in the time that they have waited: who has waited for so
//! long expects to wait as long again, which is at worst twice as long as if they had known (the argument of
//! whether to rent or to buy skis; Karlin et al. 1988), and three times as long if those who stand there do not want to get
//! on. Another way is taken when it is longer by less than that.
//!
//! Who has turned away is done with the jam for three minutes: its price is what they would pay after waiting for so long. If they
//! turn away from it again it is six minutes, then twelve, so nobody goes to and fro between two passages that are both
//! full. Nobody knows of a jam but who has stood before it, and who gets on is never asked.

use std::collections::BTreeMap;

use crate::steering::gains;
use glam::Vec2;
use throng_nav::{CorridorMap, EdgeId};
use throng_world::scene::LayerId;

use crate::goals::GoalContext;
use crate::grid::Grid;
use crate::guidance::{Course, Request, Tolls};
use crate::intents::{GoalMemory, Pursuit};
use crate::population::Population;
use crate::requests::RequestContext;
use crate::steering::Models;

/// So many jams can be known to one person; of more, those are forgotten that would be first anyway.
pub(crate) const MOST: usize = 4;

/// Who has not got any nearer for so long, s, looks for another way. Those who are impatient feel that it is longer; the
/// patience of a steering model is this time itself.
const WAITS: f32 = 6.0;

/// Who has waited in vain asks again so often, s.
const ASKS_EVERY: f32 = 5.0;

/// Nearer by less than this, m, is not nearer: in a press, people are jostled.
const HEADWAY: f32 = 0.5;

/// A way that is longer than the last by more than this, m, is another one. People are pushed about by less.
const ANOTHER: f32 = 2.0;

/// The most patient feel that they have waited for half as long as they have, and the least for so many times as long.
const MOST_IMPATIENT: f32 = 4.0;

/// How far along their way people see who stands in it, m, and the distance between two looks.
const SIGHT: f32 = 8.0;
const LOOK: f32 = 0.5;

/// Somebody stands in a way if they are so near to it, beyond their own bodies, m, and slower than this, m/s.
const BESIDE: f32 = 0.2;
const STANDS: f32 = 0.25;

/// Nobody is in the way who is nearer to the goal than this, m, nor those who stand around these: there is no other
/// way past them.
const AT_GOAL: f32 = 1.5;

/// Before people who do not want to get on at all, one expects to wait for so many times as long.
const PLUGGED: f32 = 3.0;

/// For how long a jam that somebody has turned away from is remembered at first, s, and how often that is doubled at most.
const REMEMBERED: f32 = 180.0;
const MOST_DOUBLED: u8 = 6;

/// For how long somebody who stays remembers it, s: until they ask again.
const STILL_THERE: f32 = 2.0 * ASKS_EVERY;

/// Jams nearer to each other than this are the same, m.
const SAME: f32 = 2.0;

/// A jam that somebody sees.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sight {
    layer: LayerId,
    at: Vec2,
    edge: EdgeId,
    /// Whether it is made of people who stand because they want to.
    is_plugged: bool,
}

/// A jam that somebody knows.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Jam {
    layer: LayerId,
    at: Vec2,
    /// The edge of the map that it was on when they saw it, which tells whether two are the same.
    edge: EdgeId,
    /// What it costs to get past it, m.
    cost: f32,
    /// The step in which they noted it, and the one from which on it costs nothing more.
    since: u64,
    until: u64,
    /// How often they have turned away from it.
    turned_away: u8,
    /// Whether they have, the last time.
    is_avoided: bool,
}

impl Jam {
    /// Whether it counts how often somebody has turned away from it: for as many steps after it has lost its price
    /// as it was there.
    fn is_remembered(&self, now: u64) -> bool {
        self.until + (self.until - self.since) > now
    }
}

/// What everybody knows of jams, by id: few know of any.
#[derive(Clone, Debug, Default)]
pub(crate) struct Jams(BTreeMap<u32, Vec<Jam>>);

impl Jams {
    /// What it costs somebody who asks for a way to get past the jams that they know.
    pub fn tolls(&self, request: &Request, now: u64, map: &CorridorMap) -> Tolls {
        let mut tolls = Tolls::default();
        let known = self.0.get(&request.id).into_iter().flatten().filter(|jam| jam.until > now);
        let from = (request.layer, request.from.as_dvec2());
        for (toll, jam) in tolls.iter_mut().zip(known) {
            *toll = map.toll(from, (jam.layer, jam.at.as_dvec2()), jam.cost);
        }
        tolls
    }

    /// The person in a row, if they are stuck, has a look at what is ahead.
    pub fn look_ahead(&mut self, row: usize, view: &JamView) {
        let RequestContext { world, people, intents, .. } = view.context;
        let state = &intents.goals[row];
        if state.course == Course::Stuck
            && let Some(jam) = view.jam_ahead(row)
            // Who can choose among several exits has weighed their queues; see `destination`.
            && (jam.is_plugged || view.context.choices(row).is_none())
        {
            let waited = world.time_since(intents.memories.value(row).gained_at)
                / patience(people, view.models, row);
            let until = world.steps + (f64::from(STILL_THERE) / world.setting.step).ceil() as u64;
            let expects = if jam.is_plugged { PLUGGED * waited } else { waited };
            self.note(people.ids[row], &jam, state.speed * expects, world.steps, until);
        }
    }

    /// Notes that somebody stands before a jam that costs them so much, until a step.
    fn note(&mut self, id: u32, sight: &Sight, cost: f32, now: u64, until: u64) {
        // Now is a good time to forget what is over.
        self.0.retain(|_, known| {
            known.retain(|jam| jam.is_remembered(now));
            !known.is_empty()
        });
        let known = self.0.entry(id).or_default();
        let &Sight { layer, at, edge, .. } = sight;
        let is_same =
            |jam: &Jam| jam.layer == layer && (jam.edge == edge || jam.at.distance(at) < SAME);
        let before = known.iter().position(is_same).map(|index| known.remove(index));
        let turned_away = before.map_or(0, |jam| jam.turned_away);
        if known.len() == MOST {
            let first = known.iter().enumerate().min_by_key(|(_, jam)| jam.until);
            let first = first.map_or(0, |(index, _)| index);
            known.remove(first);
        }
        let since = now;
        known.push(Jam { layer, at, edge, cost, since, until, turned_away, is_avoided: false });
    }

    /// Somebody turns away from those jams that they do not pay for on their way. Steps take `step` seconds.
    pub fn turn_away(&mut self, request: &Request, pays: &[bool], now: u64, step: f64) {
        let known = self.0.get_mut(&request.id).into_iter().flatten();
        let known = known.filter(|jam| jam.until > now);
        for (jam, (toll, &pays)) in known.zip(request.tolls.iter().zip(pays)) {
            if toll.is_some() && !pays && !jam.is_avoided {
                let time = REMEMBERED * f32::from(1_u8 << jam.turned_away.min(MOST_DOUBLED));
                jam.cost = jam.cost.max(PLUGGED * request.speed * time);
                jam.until = now + (f64::from(time) / step) as u64;
                jam.turned_away = jam.turned_away.saturating_add(1);
                jam.is_avoided = true;
            }
        }
    }
}

/// What people see of jams.
pub(crate) struct JamView<'a> {
    pub context: RequestContext<'a>,
    pub models: &'a Models,
    /// As it was at the last step.
    pub grid: &'a Grid,
    pub map: &'a CorridorMap,
}

impl JamView<'_> {
    /// The narrowest place on the way of the person in a row where others stand, as far as they see.
    fn jam_ahead(&self, row: usize) -> Option<Sight> {
        let RequestContext { people, intents, .. } = self.context;
        let state = &intents.goals[row];
        let (own, layer) = (people.ids[row], people.layers[row]);
        let legs = match &intents.routes[row] {
            Some(route) => route.legs().collect(),
            None => vec![(layer, people.positions[row], state.target)],
        };
        let reach = people.radii[row] + BESIDE;
        // Whether anybody stands there, and whether somebody does who does not want to get on.
        let look_at = |at: Vec2| {
            let near = self.grid.around(layer, at, reach + people.largest_radius);
            let others = near.filter(|other| {
                other.id() != own
                    && other.position().distance(at) < reach + other.radius()
                    && (other.stands() || other.velocity().length() < STANDS)
            });
            others
                .fold((false, false), |(_, is_plugged), other| (true, is_plugged | other.stands()))
        };
        let mut narrowest: Option<(f64, Sight)> = None;
        // Of those who stand one behind the other, until the way is free again.
        let mut in_a_row: Option<(f64, Sight)> = None;
        let narrower = |a: Option<(f64, Sight)>, b: Option<(f64, Sight)>| match (a, b) {
            (Some((least, _)), Some((clearance, _))) if clearance < least => b,
            (None, _) => b,
            _ => a,
        };
        let (mut from, mut walked, mut next) = (people.positions[row], 0.0, LOOK);
        for &(floor, _, to) in &legs {
            if floor != layer {
                break;
            }
            let (length, way) = (from.distance(to), (to - from).normalize_or_zero());
            while next <= (walked + length).min(SIGHT) {
                let at = from + way * (next - walked);
                next += LOOK;
                if floor == state.floor && at.distance(state.target) < AT_GOAL {
                    return narrowest.map(|(_, sight)| sight);
                }
                let (is_jammed, is_plugged) = look_at(at);
                if !is_jammed {
                    narrowest = narrower(narrowest, in_a_row.take());
                } else if let Some(place) = self.map.locate(layer, at.as_dvec2()) {
                    let sight = Sight { layer, at, edge: place.anchor.edge, is_plugged };
                    in_a_row = narrower(in_a_row, Some((place.anchor.clearance, sight)));
                }
            }
            (from, walked) = (to, walked + length);
        }
        narrower(narrowest, in_a_row).map(|(_, sight)| sight)
    }
}

impl GoalMemory {
    /// Somebody was told a way that is `left` metres long. If it is a longer one, they have to get on along that; on
    /// the same as before, they are no nearer for having asked.
    pub(crate) fn set_out(&mut self, left: f32) {
        if self.left == f32::INFINITY || left > self.left + ANOTHER {
            self.left = left;
        }
    }
}

/// By how much the person in a row is more patient than others: what they wait seems shorter to them.
fn patience(people: &Population, models: &Models, row: usize) -> f32 {
    let profile = people.profile(row);
    let own = models.get(profile.model).patience(&profile.values).map(|time| time / WAITS);
    let patience = own.unwrap_or_else(|| gains::PATIENCE.of(people.temperament(row)));
    patience.max(1.0 / MOST_IMPATIENT)
}

impl GoalContext<'_> {
    /// Notes whether the person in a row, who has `left` metres before them, has got on; who has not for too long
    /// asks for another way.
    pub(crate) fn notice_headway(&self, row: usize, state: &mut Pursuit, left: f32) {
        let now = self.world.steps as u32;
        if left < state.memory.left - HEADWAY.min(state.speed) {
            (state.memory.left, state.memory.gained_at) = (left, now);
        }
        let time_since = |step: u32| self.world.time_since(step);
        let is_at_a_loss =
            time_since(state.memory.gained_at) >= WAITS * patience(self.people, self.models, row);
        if is_at_a_loss && time_since(state.memory.asked_at) >= ASKS_EVERY {
            state.course = Course::Stuck;
            state.memory.asked_at = now;
        }
    }
}
