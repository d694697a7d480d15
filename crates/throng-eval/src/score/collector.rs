//! Collects metrics, moment by moment.
//!
//! A frame costs as much as there are people in it: everybody is met by their row, neighbours are
//! found once, and walls by an index. Nothing is allocated once it is warm, but for people who appear.

use std::collections::BTreeMap;

use throng_world::Scene;
use throng_world::scene::LayerId;
use throng_world::walkable::{Area, walkable};

use crate::frame::in_both;

use super::contacts::{Contacts, Object};
use super::error::{Fault, ScoreError};
use super::ideal::Ideals;
use super::metrics::{AgentMetrics, EnvironmentMetrics, RunMetrics};
use super::neighbours::Squares;
use super::patterns::Event;
use super::resample::USUAL_RATE;
use super::view::WalkView;
use super::walker::{Books, Sight, Walker};
use super::walls::{Body, Obstacles};
use super::window::History;

/// Bodies farther apart than this are not measured, m. In a press, what is searched grows with its square.
const REACH: f32 = 1.0;

/// So many who have left are remembered at least.
const MOST_DEPARTED: usize = 1000;

/// How metrics are collected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoreOptions {
    /// Length of the windows that some metrics look at, s.
    pub window: f64,
    /// Bodies that overlap by more than this touch, m.
    pub contact_threshold: f32,
    /// Contacts at least so deep are counted on their own, m.
    pub deep_contact: f32,
    /// Contacts at least so long are counted on their own, s.
    pub long_contact: f64,
    /// Rate of the resampled trajectory, Hz. Scores are comparable at the same rate only.
    pub rate: f64,
}

impl Default for ScoreOptions {
    fn default() -> Self {
        Self {
            window: 3.0,
            contact_threshold: 0.001,
            deep_contact: 0.05,
            long_contact: 0.5,
            rate: USUAL_RATE,
        }
    }
}

impl ScoreOptions {
    fn check(&self) -> Result<(), ScoreError> {
        let limits = [
            ("window", self.window, [1.0, 5.0], "1 to 5 s"),
            ("contact_threshold", self.contact_threshold.into(), [0.0, 0.05], "0 to 0.05 m"),
            ("deep_contact", self.deep_contact.into(), [0.0, 10.0], "0 to 10 m"),
            ("long_contact", self.long_contact, [0.0, 3600.0], "0 to 3600 s"),
            ("rate", self.rate, [1.0, 1000.0], "1 to 1000 Hz"),
        ];
        let is_wrong = |given: f64, [least, most]: [f64; 2]| {
            // Numbers such as 0.05 are a little more than themselves as f32.
            !(least..=most + 1e-6).contains(&given)
        };
        let wrong = limits.into_iter().find(|&(_, given, limits, _)| is_wrong(given, limits));
        wrong.map_or(Ok(()), |(option, given, _, range)| {
            Err(ScoreError::Option { option, given, range })
        })
    }
}

/// Collects the metrics of a run.
#[derive(Clone, Debug)]
pub struct Collector {
    options: ScoreOptions,
    floors: usize,
    ideals: Ideals,
    /// `None` if nothing but patterns is asked for: who touches whom is most of the work.
    touching: Option<Touching>,
    /// Everybody who ever was there, in the order in which they appeared, and what is remembered of
    /// them: their numbers are their rows.
    agents: Vec<AgentMetrics>,
    walkers: Vec<Walker>,
    history: History,
    rows: BTreeMap<u32, u32>,
    /// Who was in the last frame, and their rows.
    present: Vec<u32>,
    present_rows: Vec<u32>,
    spare_rows: Vec<u32>,
    frame: u64,
    /// First and last moment, s.
    times: Option<[f64; 2]>,
    environment: Tally,
    events: Vec<Event>,
    fault: Option<Fault>,
}

/// What it takes to tell who touches whom and what.
#[derive(Clone, Debug)]
struct Touching {
    obstacles: Obstacles,
    squares: Squares,
    contacts: Contacts,
}

/// What is counted of the crowd as a whole.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    area: f64,
    person_seconds: f64,
    most: usize,
}

impl Collector {
    /// Nothing is collected yet. Everybody's [ideal](Ideals) is found first.
    ///
    /// # Errors
    ///
    /// If an option is out of range, or those of [`Ideals::of`].
    pub fn new(scene: &Scene, options: ScoreOptions) -> Result<Self, ScoreError> {
        Self::with_ideals(scene, Ideals::of(scene)?, options)
    }

    /// The same with ideals that are known already. Without any ([`Ideals::default`]), nobody has a
    /// deviation from their shortest path.
    ///
    /// # Errors
    ///
    /// If an option is out of range.
    pub fn with_ideals(
        scene: &Scene,
        ideals: Ideals,
        options: ScoreOptions,
    ) -> Result<Self, ScoreError> {
        let mut collector = Self::of_patterns(scene, ideals, options)?;
        let layers = (0..collector.floors).map(|layer| LayerId(layer as u8));
        let areas = layers.flat_map(|layer| walkable(scene, layer));
        collector.environment.area = areas.map(|area: Area| area.size()).sum();
        collector.touching = Some(Touching {
            obstacles: Obstacles::of(scene),
            squares: Squares::default(),
            contacts: Contacts::default(),
        });
        Ok(collector)
    }

    /// One that collects all that patterns need, and nothing about contacts and ground.
    pub(super) fn of_patterns(
        scene: &Scene,
        ideals: Ideals,
        options: ScoreOptions,
    ) -> Result<Self, ScoreError> {
        options.check()?;
        Ok(Self {
            options,
            floors: scene.layers.len(),
            ideals,
            touching: None,
            agents: Vec::new(),
            walkers: Vec::new(),
            history: History::default(),
            rows: BTreeMap::new(),
            present: Vec::new(),
            present_rows: Vec::new(),
            spare_rows: Vec::new(),
            frame: 0,
            times: None,
            environment: Tally::default(),
            events: Vec::new(),
            fault: None,
        })
    }

    /// The ideals that people are compared with.
    pub fn ideals(&self) -> &Ideals {
        &self.ideals
    }

    /// Takes note of the next moment.
    ///
    /// # Errors
    ///
    /// If no time has passed, somebody is nowhere, or ids do not ascend. There is no score then: all
    /// that was collected is forgotten, and every further frame is refused for the same reason.
    pub fn take(&mut self, view: WalkView) -> Result<(), ScoreError> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone().into());
        }
        let before = self.times.map(|[_, last]| last);
        if let Err(fault) = view.check(self.frame, before, self.floors) {
            self.forget();
            self.fault = Some(fault.clone());
            return Err(fault.into());
        }
        self.meet(&view);
        self.walk(&view);
        self.touch(&view);
        self.environment.person_seconds +=
            before.map_or(0.0, |before| self.present.len() as f64 * (view.time - before));
        self.environment.most = self.environment.most.max(view.ids.len());
        self.present.clear();
        self.present.extend_from_slice(view.ids);
        self.times = Some([self.times.map_or(view.time, |[first, _]| first), view.time]);
        self.frame += 1;
        Ok(())
    }

    /// What has been collected so far, in the order in which people appeared.
    pub fn metrics(&mut self) -> &[AgentMetrics] {
        if let Some(last) = self.frame.checked_sub(1) {
            let Self { agents, walkers, history, present_rows, .. } = self;
            for row in present_rows.iter().map(|&row| row as usize) {
                if walkers[row].walks_in(last) {
                    walkers[row].sum_up(history, row, &mut agents[row]);
                }
            }
        }
        &self.agents
    }

    /// The same without what the last seconds came to, which takes the most time.
    pub(crate) fn running_metrics(&self) -> &[AgentMetrics] {
        &self.agents
    }

    /// The crowd as a whole, so far.
    pub fn environment(&self) -> EnvironmentMetrics {
        let Tally { area, person_seconds, most } = self.environment;
        let by = |a: f64, b: f64| if b > 0.0 { a / b } else { 0.0 };
        let duration = self.duration();
        let [distance, time, completed] = self.agents.iter().fold([0.0; 3], |[d, t, c], agent| {
            [d + agent.distance, t + agent.time, c + f64::from(u8::from(agent.completed))]
        });
        let (density, mean_speed) = (by(by(person_seconds, duration), area), by(distance, time));
        EnvironmentMetrics {
            area,
            density,
            max_density: by(most as f64, area),
            mean_speed,
            flow: density * mean_speed,
            throughput: by(completed, duration),
        }
    }

    /// Patterns that were seen so far, in no particular order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Everything that has been collected. After an error, that is nobody.
    pub fn finish(mut self) -> RunMetrics {
        self.metrics();
        let (environment, duration) = (self.environment(), self.duration());
        let Self { mut agents, mut events, .. } = self;
        agents.sort_by_key(|agent| agent.id);
        events.sort_by(Event::order);
        RunMetrics { agents, environment, events, duration }
    }

    /// Lets go of all who are not there any more; who comes back is somebody new. What was seen of them stays.
    ///
    /// Contacts are of rows, so this is only for those who collect none.
    pub(super) fn forget_departed(&mut self) {
        if self.agents.len() <= MOST_DEPARTED + 2 * self.present.len() {
            return;
        }
        let rows = || self.present_rows.iter().map(|&row| row as usize);
        let agents = rows().map(|row| self.agents[row].clone()).collect();
        let walkers = rows().map(|row| self.walkers[row].clone()).collect();
        (self.agents, self.walkers) = (agents, walkers);
        self.history.keep(&self.present_rows);
        self.rows = self.present.iter().copied().zip(0..).collect();
        self.present_rows.clear();
        self.present_rows.extend(0..self.present.len() as u32);
    }

    fn duration(&self) -> f64 {
        self.times.map_or(0.0, |[first, last]| last - first)
    }

    fn forget(&mut self) {
        self.agents.clear();
        self.walkers.clear();
        self.history.clear();
        self.present.clear();
        self.present_rows.clear();
        self.events.clear();
        self.times = None;
        self.environment = Tally { area: self.environment.area, ..Tally::default() };
    }

    /// Finds everybody's row; who is not there any more has completed their way.
    fn meet(&mut self, view: &WalkView) {
        let mut rows = std::mem::take(&mut self.spare_rows);
        rows.clear();
        rows.resize(view.ids.len(), u32::MAX);
        for (i, j) in in_both(view.ids, &self.present) {
            rows[i] = self.present_rows[j];
        }
        for (i, row) in rows.iter_mut().enumerate().filter(|(_, row)| **row == u32::MAX) {
            *row = self.appear(view, i);
        }
        let mut i = 0;
        for (&id, &row) in self.present.iter().zip(&self.present_rows) {
            while view.ids.get(i).is_some_and(|&other| other < id) {
                i += 1;
            }
            if view.ids.get(i) != Some(&id) {
                let row = row as usize;
                let (agent, walker) = (&mut self.agents[row], &self.walkers[row]);
                if walker.walks_in(self.frame.wrapping_sub(1)) {
                    walker.sum_up(&self.history, row, agent);
                }
                agent.completed = true;
                agent.finished.get_or_insert(walker.last_seen());
            }
        }
        self.spare_rows = std::mem::replace(&mut self.present_rows, rows);
    }

    /// The row of somebody who was not in the last frame.
    fn appear(&mut self, view: &WalkView, i: usize) -> u32 {
        let (id, next) = (view.ids[i], self.agents.len() as u32);
        let row = *self.rows.entry(id).or_insert(next);
        if row == next {
            let (group, appeared) = (view.groups[i].0, view.time);
            self.agents.push(AgentMetrics { id, group, appeared, ..AgentMetrics::default() });
            self.walkers.push(Walker::new(self.sight(view, i)));
        }
        row
    }

    fn sight(&self, view: &WalkView, i: usize) -> Sight {
        Sight {
            frame: self.frame,
            time: view.time,
            position: view.positions[i],
            layer: view.layers[i],
            heading: view.headings[i],
            status: view.statuses[i],
        }
    }

    fn walk(&mut self, view: &WalkView) {
        self.history.begin(self.frame, view.time, self.agents.len(), self.options.window);
        for i in 0..view.ids.len() {
            let (sight, row) = (self.sight(view, i), self.present_rows[i] as usize);
            let books = Books {
                row,
                course: self.ideals.course(view.ids[i]),
                options: &self.options,
                history: &mut self.history,
                events: &mut self.events,
            };
            self.walkers[row].see(sight, books, &mut self.agents[row]);
        }
    }

    /// Who touches whom and what.
    fn touch(&mut self, view: &WalkView) {
        let Self { agents, touching, present_rows: rows, options, .. } = self;
        let Some(Touching { obstacles, squares, contacts }) = touching else { return };
        let largest = view.radii.iter().copied().fold(0.0, f32::max);
        let threshold = options.contact_threshold;
        squares.pairs(view, REACH + 2.0 * largest, |i, j, distance| {
            let gap = distance - view.radii[i] - view.radii[j];
            let pair = [rows[i], rows[j]];
            if gap < REACH {
                for row in pair {
                    lower(&mut agents[row as usize].nearest_person, gap);
                }
            }
            if -gap > threshold {
                contacts.touch(pair[0], Object::Person(pair[1]), -gap);
                contacts.touch(pair[1], Object::Person(pair[0]), -gap);
            }
        });
        obstacles.bring_to(view.time, largest);
        for (i, &row) in rows.iter().enumerate() {
            let body =
                Body { layer: view.layers[i], position: view.positions[i], radius: view.radii[i] };
            let gap = obstacles.touching(body, threshold, |object, depth| {
                contacts.touch(row, object, depth);
            });
            if let Some(gap) = gap {
                lower(&mut agents[row as usize].nearest_wall, gap);
            }
        }
        contacts.end_frame(view.time, agents, options);
    }
}

fn lower(least: &mut Option<f64>, gap: f32) {
    *least = Some(least.map_or(gap.into(), |least| least.min(gap.into())));
}
