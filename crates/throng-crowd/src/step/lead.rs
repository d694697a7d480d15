//! Fields lead people elsewhere than their goals do.
//!
//! The governed, the autonomous and the goal's part of somebody's preferred velocity are put
//! together as Jin et al. (2008) do it; see [`Led`] for the sum. What is different here: wandering is an
//! Ornstein-Uhlenbeck process, since noise that is new in each step would jitter and depend on the step;
//! and what is wanted changes by a limited acceleration, so that nothing an author does makes people jerk.

use crate::steering::gains;
use glam::Vec2;
use throng_base::random::{Noise, Purpose};
use throng_field::{Patch, govern};
use throng_world::scene::{Aim, FieldId, Led, RegionId};

use crate::fields::{Fields, LiveField, Obedience, Pull, goal_weight, kept_inside};
use crate::intents::{GoalState, Intents};
use crate::plans::Plans;
use crate::population::Population;
use crate::status::Status;
use crate::workers::{CHUNK, Workers};
use crate::world::World;

/// How long people remember where they wander, s.
const WANDER_TIME: f32 = 1.0;
/// How long it takes somebody's obedience to change from none to all, s.
const CHANGE_TIME: f32 = 0.5;
/// What is wanted changes at most at this rate, m/s²: the force of a pedestrian in `OpenSteer`.
const MOST_ACCELERATION: f32 = 8.0;

/// The pulls of the anchors of all fields, by their ids.
pub(super) fn pulls(fields: &Fields) -> Vec<Option<Pull<'_>>> {
    fields.all.iter().map(|field| field.as_ref().map(Pull)).collect()
}

/// What all chunks have in common.
pub(super) struct LeadStage<'a> {
    world: &'a World,
    people: &'a Population,
    plans: &'a Plans,
    /// By group.
    leads: Vec<Option<Lead<'a>>>,
    everyone_drifts: bool,
    step: f32,
    noise: Noise,
    /// How much of the last wandering stays, and how much noise is added to it.
    wander: [f32; 2],
}

/// How a group is led.
struct Lead<'a> {
    led: &'a Led,
    /// By floor.
    floors: Vec<Patches<'a>>,
}

/// The fields that lead on a floor, and the pulls of their anchors.
struct Patches<'a> {
    fields: Vec<Patch<'a>>,
    pulls: Vec<Patch<'a>>,
    /// Whether all anchors have a reach. Only then do fields yield; see `fields/yielding.rs`.
    is_limited: bool,
}

impl<'a> Lead<'a> {
    fn new(
        led: &'a Led,
        fields: &'a [Option<LiveField>],
        pulls: &'a [Option<Pull<'a>>],
        floors: usize,
    ) -> Self {
        let patches = |floor: usize| {
            let here = |id: &FieldId| {
                let index = id.0 as usize;
                let field = fields.get(index)?.as_ref()?;
                let pull = pulls.get(index)?.as_ref()?;
                let is_limited = field.coverage().is_limited();
                let patches = || (is_limited, (field.patch(), pull.patch()));
                (field.layer().0 as usize == floor).then(patches)
            };
            let (limited, (fields, pulls)): (Vec<bool>, _) = led.by.iter().filter_map(here).unzip();
            let is_limited = !limited.is_empty() && !limited.contains(&false);
            Patches { fields, pulls, is_limited }
        };
        Self { led, floors: (0..floors).map(patches).collect() }
    }
}

/// Some rows, and what is changed of them.
pub(super) struct Chunk<'a> {
    pub first: usize,
    pub preferred: &'a mut [Vec2],
    pub obediences: &'a mut [Obedience],
    /// What they do about their goals.
    pub statuses: &'a [Status],
    pub goals: &'a [GoalState],
}

/// People of one group on one floor.
struct Band<'a> {
    led: &'a Led,
    patches: &'a Patches<'a>,
    /// Who they are, in the chunk.
    members: &'a [u16],
}

impl<'a> LeadStage<'a> {
    /// Nothing where no group is led.
    pub fn new(
        world: &'a World,
        people: &'a Population,
        plans: &'a Plans,
        fields: &'a Fields,
        pulls: &'a [Option<Pull<'a>>],
        everyone_drifts: bool,
    ) -> Option<Self> {
        if fields.leads.iter().all(Option::is_none) {
            return None;
        }
        let (step, floors) = (world.step(), world.setting.layers.len());
        let fade = (-step / WANDER_TIME).exp();
        let lead = |led: &'a Option<Led>| {
            led.as_ref().map(|led| Lead::new(led, &fields.all, pulls, floors))
        };
        Some(Self {
            world,
            people,
            plans,
            leads: fields.leads.iter().map(lead).collect(),
            everyone_drifts,
            step,
            noise: world.random.noise(world.steps, Purpose::Wander),
            wander: [fade, (1.0 - fade * fade).sqrt()],
        })
    }

    /// Mixes what fields ask for into preferred velocities.
    pub fn follow_fields(&self, intents: &mut Intents, workers: Workers) {
        let Intents { goals, preferred_velocities, statuses, obediences, .. } = intents;
        let written = (&mut preferred_velocities[..], &mut obediences[..]);
        let columns = (written, &statuses[..], &goals[..]);
        workers.for_each_chunk(self.people.len(), columns, |first, (written, statuses, goals)| {
            let (preferred, obediences) = written;
            self.lead(Chunk { first, preferred, obediences, statuses, goals });
        });
    }

    pub fn lead(&self, mut chunk: Chunk) {
        let count = chunk.preferred.len();
        let rows = chunk.first..chunk.first + count;
        let (groups, layers) = (&self.people.groups[rows.clone()], &self.people.layers[rows]);
        let keys = || groups.iter().zip(layers);
        let mut is_done = [false; CHUNK];
        let mut members = [0; CHUNK];
        for (at, key) in keys().enumerate() {
            if is_done[at] {
                continue;
            }
            let mut found = 0;
            for (other, _) in keys().enumerate().skip(at).filter(|(_, other)| *other == key) {
                is_done[other] = true;
                members[found] = other as u16;
                found += 1;
            }
            if let Some(Some(lead)) = self.leads.get(key.0.0 as usize) {
                let patches = &lead.floors[key.1.0 as usize];
                let band = Band { led: lead.led, patches, members: &members[..found] };
                self.lead_band(&mut chunk, &band);
            }
        }
    }

    fn lead_band(&self, chunk: &mut Chunk, band: &Band) {
        let mut places = [Vec2::ZERO; CHUNK];
        let count = band.members.len();
        for (place, &at) in places.iter_mut().zip(band.members) {
            let row = chunk.first + at as usize;
            // Where they will be in half a step: the midpoint rule keeps to streamlines.
            *place = self.people.positions[row] + self.people.velocities[row] * (0.5 * self.step);
        }
        let mut governed = [Vec2::ZERO; CHUNK];
        let mut coverage = [0.0; CHUNK];
        govern(&band.patches.fields, &places[..count], &mut governed, &mut coverage);

        let mut pulled = [Vec2::ZERO; CHUNK];
        let has_will = |&at: &u16| chunk.obediences[at as usize].share < 1.0;
        if band.led.goals < 1.0 && band.members.iter().any(has_will) {
            govern(&band.patches.pulls, &places[..count], &mut pulled, &mut [0.0; CHUNK]);
        }
        for (i, &at) in band.members.iter().enumerate() {
            let influence = Influence {
                place: places[i],
                governed: governed[i],
                pulled: pulled[i],
                coverage: coverage[i],
                is_limited: band.patches.is_limited,
            };
            self.lead_one(chunk, at as usize, band.led, &influence);
        }
    }

    #[inline(always)]
    fn lead_one(&self, chunk: &mut Chunk, at: usize, led: &Led, influence: &Influence) {
        let row = chunk.first + at;
        let people = self.people;
        let obedience = &mut chunk.obediences[at];
        let change = self.step / CHANGE_TIME;
        obedience.share += (obedience.target - obedience.share).clamp(-change, change);
        let [fade, fresh] = self.wander;
        obedience.wander = obedience.wander * fade + self.noise.pair(people.ids[row]) * fresh;

        let own = if self.everyone_drifts { Vec2::ZERO } else { chunk.preferred[at] };
        let &Influence { place, governed, pulled, coverage, is_limited } = influence;
        let has_goals = is_limited && !chunk.goals[at].is_drifting();
        obedience.coverage = coverage;
        if has_goals {
            let goal = self.goal_distance(row, &chunk.goals[at]).map_or(1.0, goal_weight);
            obedience.coverage *= goal * (1.0 - obedience.defiance);
        }
        if chunk.statuses[at].is_standing() {
            obedience.wanted = own;
            return;
        }
        // Wandering is a share of the speed without it, or it would feed on itself.
        let wander = (led.wander * gains::EXPLORING.of(people.temperament(row))).min(1.0);
        // Nobody is led faster than they can go.
        let max_speed = people.max_speeds[row];
        let (mut governed, pulled) =
            (governed.clamp_length_max(max_speed), pulled.clamp_length_max(max_speed));
        let mut drawn = pulled + obedience.wander * (wander * pulled.length());
        if is_limited {
            governed = kept_inside(governed, place, self.world.setting.bounds);
            drawn = kept_inside(drawn, place, self.world.setting.bounds);
        }
        let will = own.lerp(drawn, 1.0 - led.goals);
        let wish = own.lerp(will.lerp(governed, obedience.share), obedience.coverage);
        let wish = wish.clamp_length_max(max_speed);
        if has_goals {
            obedience.bear(own, wish, coverage, self.step);
        }
        let change = (wish - obedience.wanted).clamp_length_max(MOST_ACCELERATION * self.step);
        obedience.wanted += change;
        // Two whom fields lead straight at each other are to decide on a side.
        let side = if is_limited { obedience.coverage } else { 1.0 };
        let bias = people.side_biases[row] * side;
        chunk.preferred[at] = obedience.wanted + obedience.wanted.perp() * bias;
    }

    /// The distance to the border of the place that somebody wants to get to, m; `None` if it is on another floor, or
    /// the goal is no place.
    fn goal_distance(&self, row: usize, state: &GoalState) -> Option<f32> {
        let (position, layer) = (self.people.positions[row], self.people.layers[row]);
        let to_region = |&id: &RegionId| {
            let is_here = self.world.region(id).layer == layer;
            is_here.then(|| self.world.entry(id, position).distance(position))
        };
        let goal = self.plans.goal(state)?;
        match &goal.aim {
            Aim::SeekRegion { region } => to_region(region),
            Aim::SeekNearest { regions } => regions.iter().filter_map(to_region).reduce(f32::min),
            _ if state.is_to_point() && state.floor == layer => {
                Some(state.target.distance(position) - state.within_squared.sqrt())
            }
            _ => None,
        }
    }
}

/// What fields do to somebody.
struct Influence {
    place: Vec2,
    governed: Vec2,
    /// By anchors, each heeded by its distance.
    pulled: Vec2,
    /// How far fields hold where they are.
    coverage: f32,
    /// Whether all fields are of limited reach.
    is_limited: bool,
}
