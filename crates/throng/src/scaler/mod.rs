//! How much everybody is worth: levels of detail for simulation and bodies.
//!
//! A crowd of twenty thousand has a few hundred people whom anybody can see well. The scaler looks at the crowd
//! through the [`View`]s there are and gives everybody two levels, one for how they are simulated and one for how
//! their body is made ([`Levels`]). Nearer, larger in the picture and more important people get more, as far as
//! [`Budget`]s go; with several views, everybody gets the best that any of them asks for.
//!
//! Both scores follow Grillon, Yersin, Maïm and Thalmann (2009). They give them to the vertices of a navigation graph,
//! for people to inherit; here people are scored one by one. That takes 10 ns for each, needs no graph, and people
//! in a large open place do not all change at once. What a level is worth is not for the scaler to know: see
//! [`throng_crowd::Effort`] and [`BodyLevel`].
//!
//! A view does not see through walls ([`Screens`]): who is behind them needs no body of their own. Lines of sight are followed for some
//! people at a time ([`ScalerOptions::sight_lines`]), first for those who may come into sight, and to a disc around them, so that they
//! have their bodies before they come round a corner ([`ScalerOptions::margin`]).
//!
//! Nobody changes to and fro: who has a level keeps it until they are clearly less worth than others who would get it
//! ([`ScalerOptions::hysteresis`]), and for a while ([`ScalerOptions::dwell`]). Ties go by id, so levels are a function of
//! the people and the views, now and before, unless budgets are given in time: what a machine can do in that time differs.

mod budget;
mod screens;
mod view;
mod watch;

use std::time::Duration;

use glam::Vec3;

pub use budget::{Budget, Costs};
pub use screens::Screens;
pub use throng_crowd::Effort;
use view::Lens;
pub use view::View;
use watch::{Hidden, Watch};

/// How somebody's body is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum BodyLevel {
    /// Nobody sees it. Only the phase of its gait goes on.
    #[default]
    Unseen,
    /// A picture of a body, in one of a few poses and from one of a few directions.
    Impostor,
    /// A body in one of a few poses that are made once.
    Posed,
    /// A body of its own: feet that stand, any ground, eyes that look at things.
    Full,
}

impl BodyLevel {
    /// Every level, from the least to the most.
    pub const ALL: [Self; 4] = [Self::Unseen, Self::Impostor, Self::Posed, Self::Full];

    /// Its name, for display.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unseen => "unseen",
            Self::Impostor => "impostor",
            Self::Posed => "posed",
            Self::Full => "full",
        }
    }
}

/// What somebody is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    /// How much is done to simulate them.
    pub effort: Effort,
    /// How their body is made.
    pub body: BodyLevel,
    /// Whether they look around, if they have a body of their own.
    pub looks: bool,
}

/// Somebody as the scaler sees them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Subject {
    /// Who.
    pub id: u32,
    /// Where they stand in the world, m.
    pub place: Vec3,
    /// How important they are beyond what is seen of them, from 0 to 1: selected, part of an event, watched by somebody.
    pub importance: f32,
}

/// How important somebody is who lies on the ground: baked poses stand, so whoever is in view has a body of their own.
pub const FALLEN: f32 = 0.5;

/// How people are judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScalerOptions {
    /// Whose height is this many pixels or more can have a body of their own (`px_def`).
    pub full_pixels: f32,
    /// And this many, a posed one (`px_static`); the others are impostors.
    pub posed_pixels: f32,
    /// Beyond this, people count as far away for simulation, m (`d_nav`).
    pub range: f32,
    /// The scores from which people are simulated in full and simply. By default everybody is simulated in full as long as budgets
    /// allow: with ORCA a crowd that heeds nobody is no faster, since it jostles more. [`Self::published`] has others.
    pub efforts: [f32; 2],
    /// By which share worse than others, or farther out of the picture, somebody has to be to lose what they have.
    pub hysteresis: f32,
    /// How long a level lasts at least, s, unless budgets forbid; and how long it takes at least to get it back.
    pub dwell: f32,
    /// How many lines of sight are followed each time to find out who is behind walls. With 0, walls hide nobody.
    pub sight_lines: usize,
    /// How far from where somebody would be seen they count as seen, m: so far round a corner people get their bodies.
    pub margin: f32,
    /// By which share wider than the picture the view is, so that nobody changes at its edge; for those who are in it, `hysteresis` wider still.
    pub guard: f32,
    /// How many people there can be of each kind.
    pub budget: Budget,
}

impl Default for ScalerOptions {
    fn default() -> Self {
        Self {
            full_pixels: 140.0,
            posed_pixels: 40.0,
            range: 60.0,
            efforts: [0.0, 0.0],
            hysteresis: 0.15,
            dwell: 0.5,
            sight_lines: 2000,
            margin: 1.0,
            guard: 0.1,
            budget: Budget::default(),
        }
    }
}

impl ScalerOptions {
    /// With the scores for simulation that go with the publication: 0.66 and 0.33.
    pub fn published() -> Self {
        Self { efforts: [0.66, 0.33], ..Self::default() }
    }
}

/// Of the scores, what being seen, being near and being important is worth.
const SEEN: f32 = 0.5;
const NEAR: f32 = 0.4;
const IMPORTANT: f32 = 0.3;

/// What is known of somebody.
#[derive(Clone, Copy, Debug)]
struct Standing {
    id: u32,
    levels: Levels,
    /// For how long each level has lasted, and how long ago somebody has lost one while they were seen, s: first that of the
    /// simulation, then that of the body.
    since: [f32; 2],
    lost: [f32; 2],
    /// How tall they are in the largest picture, pixels, and how well they are seen for simulation.
    pixels: f32,
    score: f32,
    is_seen: bool,
    /// Whether they were seen the last time.
    was_seen: bool,
    important: bool,
    place: Vec3,
    importance: f32,
    /// From which views walls hide them.
    hidden: Hidden,
}

impl Standing {
    fn new(id: u32) -> Self {
        Self {
            id,
            levels: Levels::default(),
            since: [f32::INFINITY; 2],
            lost: [f32::INFINITY; 2],
            pixels: 0.0,
            score: 0.0,
            is_seen: false,
            was_seen: false,
            important: false,
            place: Vec3::NAN,
            importance: 0.0,
            hidden: Hidden::default(),
        }
    }
}

/// How many people have each level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// By [`BodyLevel`].
    pub bodies: [usize; BodyLevel::ALL.len()],
    /// By [`Effort`].
    pub efforts: [usize; Effort::ALL.len()],
    /// How many are in a picture, but behind walls in all of those they are in.
    pub hidden: usize,
    /// How many look around.
    pub lookers: usize,
    /// How many lines of sight were followed this time.
    pub sight_lines: usize,
    /// How many have changed a level this time.
    pub changes: usize,
}

impl Census {
    /// How many bodies are of this level.
    pub fn of(&self, level: BodyLevel) -> usize {
        self.bodies[level as usize]
    }
}

/// Gives everybody levels. See the [module](self).
///
/// ```
/// use glam::Vec3;
/// use throng::scaler::{BodyLevel, Scaler, ScalerOptions, Subject, View};
///
/// let mut scaler = Scaler::new(ScalerOptions::default());
/// let view = View::new(1.7 * Vec3::Y, Vec3::NEG_Z);
/// let at = |id, distance: f32| Subject { id, place: distance * Vec3::NEG_Z, importance: 0.0 };
/// scaler.judge([at(1, 3.0), at(2, 30.0), at(3, 200.0), at(4, -3.0)], &[view], 0.04);
/// let bodies: Vec<_> = scaler.levels().map(|(_, levels)| levels.body).collect();
/// assert_eq!(bodies, [BodyLevel::Full, BodyLevel::Posed, BodyLevel::Impostor, BodyLevel::Unseen]);
/// ```
#[derive(Clone, Debug)]
pub struct Scaler {
    options: ScalerOptions,
    standings: Vec<Standing>,
    census: Census,
    costs: Costs,
    watch: Watch,
    /// Kept for their memory.
    before: Vec<Standing>,
    ranking: Vec<(f32, u32, u32)>,
}

impl Scaler {
    /// One that knows nobody yet.
    pub fn new(options: ScalerOptions) -> Self {
        Self {
            options,
            standings: Vec::new(),
            census: Census::default(),
            costs: Costs::default(),
            watch: Watch::default(),
            before: Vec::new(),
            ranking: Vec::new(),
        }
    }

    /// How people are judged.
    pub fn options(&self) -> &ScalerOptions {
        &self.options
    }

    /// Judges otherwise from now on. Who has levels keeps them for now.
    pub fn set_options(&mut self, options: ScalerOptions) {
        self.options = options;
    }

    /// How many have which level.
    pub fn census(&self) -> &Census {
        &self.census
    }

    /// Everybody's levels, in ascending order of id.
    pub fn levels(&self) -> impl ExactSizeIterator<Item = (u32, Levels)> + '_ {
        self.standings.iter().map(|standing| (standing.id, standing.levels))
    }

    /// Somebody's levels.
    pub fn level(&self, id: u32) -> Option<Levels> {
        let found = self.standings.binary_search_by_key(&id, |standing| standing.id).ok()?;
        Some(self.standings[found].levels)
    }

    /// Notes how long a step of the simulation took: budgets in time go by it.
    pub fn spent_simulating(&mut self, took: Duration) {
        self.costs.learn_simulation(took, &self.census);
    }

    /// Notes how long it took to move so many full bodies, and all others.
    pub fn spent_animating(&mut self, took: Duration, count: usize, others: Duration) {
        self.costs.learn_bodies(took, count, others);
    }

    /// Notes how long it took so many to look around.
    pub fn spent_looking(&mut self, took: Duration, lookers: usize) {
        self.costs.learn_gaze(took, lookers);
    }

    /// Gives everybody levels, `seconds` after the last time. `subjects` are in strictly ascending order of id; whoever is
    /// missing is forgotten.
    pub fn judge(
        &mut self,
        subjects: impl IntoIterator<Item = Subject>,
        views: &[View],
        seconds: f32,
    ) -> &Census {
        self.judge_among(subjects, views, &Screens::default(), seconds)
    }

    /// The same where walls may be in the way. Who is behind them in all views is at most an impostor, and counts as unseen for
    /// the simulation.
    pub fn judge_among(
        &mut self,
        subjects: impl IntoIterator<Item = Subject>,
        views: &[View],
        screens: &Screens,
        seconds: f32,
    ) -> &Census {
        let seconds = if seconds.is_finite() { seconds.max(0.0) } else { 0.0 };
        std::mem::swap(&mut self.before, &mut self.standings);
        self.standings.clear();
        let ScalerOptions { guard, hysteresis, .. } = self.options;
        let lenses: Vec<Lens> =
            views.iter().filter_map(|view| view.lens(guard, hysteresis)).collect();
        let moved = self.watch.moved(&lenses);
        let mut before = self.before.iter().peekable();
        for subject in subjects {
            while before.next_if(|known| known.id < subject.id).is_some() {}
            let known = before.next_if(|known| known.id == subject.id);
            let mut standing = known.copied().unwrap_or_else(|| Standing::new(subject.id));
            standing.place = subject.place;
            standing.importance = subject.importance;
            standing.was_seen = standing.is_seen;
            standing.hidden.pass(moved, seconds, self.options.dwell);
            self.options.look(&lenses, &mut standing);
            standing.since = standing.since.map(|since| since + seconds);
            standing.lost = standing.lost.map(|lost| lost + seconds);
            self.standings.push(standing);
        }
        let sight_lines = self.watch.look(&self.options, screens, &lenses, &mut self.standings);
        let allowance = self.costs.allowance(&self.options.budget, self.standings.len());
        self.census = Census { sight_lines, ..Census::default() };
        self.assign_bodies(allowance.full, allowance.posed);
        self.assign_lookers(allowance.lookers);
        self.assign_efforts(allowance.efforts);
        for standing in &self.standings {
            self.census.bodies[standing.levels.body as usize] += 1;
            self.census.efforts[standing.levels.effort as usize] += 1;
            self.census.lookers += usize::from(standing.levels.looks);
            self.census.hidden += usize::from(standing.is_seen && standing.pixels == 0.0);
        }
        &self.census
    }

    /// The largest get bodies of their own, the next posed ones.
    fn assign_bodies(&mut self, full: usize, posed: usize) {
        let options = self.options;
        let wants = |level: BodyLevel| {
            move |standing: &Standing| {
                let needed = match level {
                    BodyLevel::Full => options.full_pixels,
                    _ => options.posed_pixels,
                };
                let kept = 1.0 + options.hysteresis * f32::from(standing.levels.body >= level);
                let held =
                    f32::from(standing.levels.body >= level && standing.since[1] < options.dwell);
                let pixels = standing.pixels * kept;
                // Who has just got it keeps it for a while, but not against those who are twice as large.
                let worth = pixels.max(held * needed).max((1.0 + held) * pixels);
                let important = standing.important && standing.pixels > 0.0;
                // And who has just lost it does not get it back at once.
                let waits = standing.levels.body < level && standing.lost[1] < options.dwell;
                let worthy = worth >= needed && !waits;
                let wanted = standing.is_seen && (worthy || important);
                wanted.then_some(worth + if important { 1e6 } else { 0.0 })
            }
        };
        let mut chosen = std::mem::take(&mut self.ranking);
        let wants_full = wants(BodyLevel::Full);
        rank_of(&self.standings, |_, standing| wants_full(standing), full, &mut chosen);
        let mut levels: Vec<BodyLevel> = self
            .standings
            .iter()
            .map(|standing| match standing.is_seen {
                true => BodyLevel::Impostor,
                false => BodyLevel::Unseen,
            })
            .collect();
        chosen.iter().for_each(|(_, _, index)| levels[*index as usize] = BodyLevel::Full);
        let wants_posed = wants(BodyLevel::Posed);
        let left = |standing: &Standing, levels: &[BodyLevel], index: usize| {
            if levels[index] == BodyLevel::Full { None } else { wants_posed(standing) }
        };
        let standings = &self.standings;
        rank_of(standings, |index, standing| left(standing, &levels, index), posed, &mut chosen);
        chosen.iter().for_each(|(_, _, index)| levels[*index as usize] = BodyLevel::Posed);
        self.ranking = chosen;
        for (standing, level) in self.standings.iter_mut().zip(levels) {
            if standing.levels.body != level {
                // Who was out of view may have it at once when they come back.
                if level < standing.levels.body && level > BodyLevel::Unseen {
                    standing.lost[1] = 0.0;
                }
                (standing.levels.body, standing.since[1]) = (level, 0.0);
                self.census.changes += 1;
            }
        }
    }

    /// The largest of those with bodies of their own look around.
    fn assign_lookers(&mut self, most: usize) {
        let options = self.options;
        let wants = |_: usize, standing: &Standing| {
            let kept = 1.0 + options.hysteresis * f32::from(standing.levels.looks);
            (standing.levels.body == BodyLevel::Full).then_some(standing.pixels * kept)
        };
        let mut chosen = std::mem::take(&mut self.ranking);
        rank_of(&self.standings, wants, most, &mut chosen);
        self.standings.iter_mut().for_each(|standing| standing.levels.looks = false);
        for (_, _, index) in &chosen {
            self.standings[*index as usize].levels.looks = true;
        }
        self.ranking = chosen;
    }

    /// The best seen are simulated in full, the next simply.
    fn assign_efforts(&mut self, [full, simple]: [usize; 2]) {
        let options = self.options;
        let wants = |effort: Effort, needed: f32| {
            move |standing: &Standing| {
                let has = standing.levels.effort >= effort;
                let kept = 1.0 + options.hysteresis * f32::from(has);
                let held = has && standing.since[0] < options.dwell;
                let waits = !has && standing.lost[0] < options.dwell;
                let score = standing.score * kept;
                (held || score >= needed && !waits).then_some(score)
            }
        };
        let mut chosen = std::mem::take(&mut self.ranking);
        let mut efforts = vec![Effort::Path; self.standings.len()];
        let wants_full = wants(Effort::Full, options.efforts[0]);
        rank_of(&self.standings, |_, standing| wants_full(standing), full, &mut chosen);
        chosen.iter().for_each(|(_, _, index)| efforts[*index as usize] = Effort::Full);
        let wants_simple = wants(Effort::Simple, options.efforts[1]);
        let left = |index: usize, standing: &Standing| {
            if efforts[index] == Effort::Full { None } else { wants_simple(standing) }
        };
        rank_of(&self.standings, left, simple, &mut chosen);
        chosen.iter().for_each(|(_, _, index)| efforts[*index as usize] = Effort::Simple);
        self.ranking = chosen;
        for (standing, effort) in self.standings.iter_mut().zip(efforts) {
            if standing.levels.effort != effort {
                if effort < standing.levels.effort {
                    standing.lost[0] = 0.0;
                }
                (standing.levels.effort, standing.since[0]) = (effort, 0.0);
                self.census.changes += 1;
            }
        }
    }
}

/// The `most` who are worth most, of those who are worth anything; of two with the same worth, the one with the smaller id.
fn rank_of(
    standings: &[Standing],
    worth: impl Fn(usize, &Standing) -> Option<f32>,
    most: usize,
    chosen: &mut Vec<(f32, u32, u32)>,
) {
    chosen.clear();
    let ranked = standings
        .iter()
        .enumerate()
        .filter_map(|(index, standing)| Some((worth(index, standing)?, standing.id, index as u32)));
    chosen.extend(ranked);
    if chosen.len() > most {
        if most > 0 {
            chosen.select_nth_unstable_by(most - 1, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        }
        chosen.truncate(most);
    }
}

impl ScalerOptions {
    /// How large and how near somebody is in any of the views.
    fn look(&self, lenses: &[Lens], standing: &mut Standing) {
        let importance = standing.importance.clamp(0.0, 1.0);
        let importance = if importance.is_nan() { 0.0 } else { importance };
        (standing.pixels, standing.is_seen, standing.score) = (0.0, false, 0.0);
        standing.important = importance >= 0.5;
        if !standing.place.is_finite() {
            return;
        }
        let mut largest = 0f32;
        for (number, lens) in lenses.iter().enumerate() {
            let seen = lens.look(standing.place, standing.was_seen);
            standing.hidden.enter(number, seen.inside);
            let is_clear = seen.inside && !standing.hidden.is_hidden(number);
            if seen.inside {
                standing.is_seen = true;
                largest = largest.max(seen.pixels);
            }
            if is_clear {
                standing.pixels = standing.pixels.max(seen.pixels);
            }
            let near = (1.0 - seen.distance / self.range.max(1e-3)).max(0.0);
            let score = SEEN * f32::from(is_clear) + NEAR * near;
            standing.score = standing.score.max(score);
        }
        standing.hidden.pixels = largest;
        standing.score += IMPORTANT * importance;
    }
}
