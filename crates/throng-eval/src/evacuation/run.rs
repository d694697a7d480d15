//! One run of an evacuation: when each person set out, waited and was out, and by which exit.
//!
//! Only what a recording has is looked at: positions, floors and statuses at every state. A person is out when they are seen
//! for the last time, or, in groups whose people stay at their last goal, when they arrive there. That is what is found in a
//! recording of the same scene and seed by other programs.

use std::collections::BTreeMap;

use glam::Vec2;
use serde::{Deserialize, Serialize};
use throng::crowd::Status;
use throng::recording::Frame;
use throng_world::Scene;
use throng_world::scene::{Aim, Goal, LayerId, MeasuredPlace, RegionId};

use super::maps::{MapCell, Mapper, WAITING_SPEED};
use crate::frame::FrameView;
use crate::line::{Direction, Line, Tally};

/// Time between two looks at densities, s.
const MAP_INTERVAL: f64 = 1.0;

/// Who leaves within this distance of an exit leaves by it, m.
const AT_EXIT: f32 = 1.0;

/// What became of one person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evacuee {
    /// Who.
    pub id: u32,
    /// Index of their group.
    pub group: u16,
    /// When they appeared, s.
    pub appeared: f64,
    /// When they set out, s: what they wait for before that is their time before movement.
    pub set_out: f64,
    /// When they were out, s; nothing if they were not when the run ended.
    pub out: Option<f64>,
    /// Index of the exit by which they left; nothing for elsewhere, or if they did not.
    pub exit: Option<u16>,
    /// How long they were slower than 0.2 m/s after they had set out, s.
    pub waited: f64,
    /// How far they walked, m.
    pub walked: f64,
    /// What they were doing at the last.
    pub status: String,
}

/// What came of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evacuation {
    /// When the run ended, s.
    pub ended: f64,
    /// Everybody, by id.
    pub people: Vec<Evacuee>,
    /// Passages of each line that the scene measures, forwards and backwards, s.
    pub lines: Vec<[Vec<f64>; 2]>,
    /// Maps of all floors.
    pub cells: Vec<MapCell>,
    /// What the last person did, and since when, s.
    pub last: Vec<(f64, String)>,
}

impl Evacuation {
    /// When the last person was out, s; nothing if somebody was not.
    pub fn total(&self) -> Option<f64> {
        self.people.iter().try_fold(0.0, |last: f64, person| Some(last.max(person.out?)))
    }

    /// When people were out, ascending, s.
    pub fn curve(&self) -> Vec<f64> {
        let mut times: Vec<f64> = self.people.iter().filter_map(|person| person.out).collect();
        times.sort_by(f64::total_cmp);
        times
    }

    /// The person who was out last, or who was not out, if there was any.
    pub fn last_person(&self) -> Option<&Evacuee> {
        let key = |person: &Evacuee| person.out.unwrap_or(f64::INFINITY);
        self.people.iter().max_by(|a, b| key(a).total_cmp(&key(b)).then(a.id.cmp(&b.id)))
    }
}

/// The regions that a scene's people leave by: those that last goals lead to, in the order of the scene.
pub fn exits(scene: &Scene) -> Vec<RegionId> {
    let groups = scene.groups.iter().map(|group| &group.goals);
    let people = scene.groups.iter().flat_map(|group| &group.people);
    let plans = groups.chain(people.filter_map(|person| person.goals.as_ref()));
    let mut exits: Vec<RegionId> = plans.flat_map(|goals| last_regions(goals)).collect();
    exits.sort();
    exits.dedup();
    exits
}

fn last_regions(goals: &[Goal]) -> Vec<RegionId> {
    match goals.last().map(|goal| &goal.aim) {
        Some(&Aim::SeekRegion { region } | &Aim::SeekRandom { region, .. }) => vec![region],
        Some(Aim::SeekNearest { regions }) => regions.clone(),
        _ => Vec::new(),
    }
}

/// What is known of somebody while a run goes on.
struct Seen {
    evacuee: Evacuee,
    set_out: bool,
    has_waited: bool,
    layer: LayerId,
    position: Vec2,
    last: f64,
    /// Statuses and since when.
    history: Vec<(f64, Status)>,
}

/// Watches a run.
pub(super) struct Observer<'a> {
    scene: &'a Scene,
    exits: Vec<RegionId>,
    seen: BTreeMap<u32, Seen>,
    lines: Vec<Tally>,
    mapper: Mapper,
    next_map: f64,
    before: f64,
    most: u64,
    last_arrival: f64,
}

impl<'a> Observer<'a> {
    pub fn new(scene: &'a Scene) -> Self {
        let line = |measurement: &throng_world::scene::Measurement| match measurement.place {
            MeasuredPlace::Line(ends) => Some(Tally::new(Line::new(ends), measurement.layer)),
            MeasuredPlace::Area { .. } => None,
        };
        let sources = || scene.groups.iter().flat_map(|group| &group.sources);
        let limits = sources().fold(0u64, |sum, source| match source.limit {
            u32::MAX => u64::MAX,
            limit => sum.saturating_add(limit.into()),
        });
        let ends = sources().flat_map(|source| source.schedule.periods.last());
        Self {
            scene,
            exits: exits(scene),
            seen: BTreeMap::new(),
            lines: scene.measurements.iter().filter_map(line).collect(),
            mapper: Mapper::new(scene),
            next_map: 0.0,
            before: 0.0,
            most: scene.initial_people().saturating_add(limits),
            last_arrival: ends.map(|period| period.to).fold(0.0, f64::max),
        }
    }

    /// Takes note of a state; `false` if everybody is out.
    pub fn note(&mut self, frame: &Frame) -> bool {
        let step = frame.time - self.before;
        let people = &frame.people;
        let mut waits = vec![false; people.len()];
        let mut is_anybody_left = false;
        for (i, is_waiting) in waits.iter_mut().enumerate() {
            let (status, position) = (people.statuses[i], people.positions[i]);
            let group = people.groups[i];
            let seen = self.seen.entry(people.ids[i]).or_insert_with(|| Seen {
                evacuee: Evacuee {
                    id: people.ids[i],
                    group: group.0,
                    appeared: frame.time,
                    set_out: frame.time,
                    out: None,
                    exit: None,
                    waited: 0.0,
                    walked: 0.0,
                    status: String::new(),
                },
                set_out: false,
                has_waited: false,
                layer: people.layers[i],
                position,
                last: frame.time,
                history: Vec::new(),
            });
            // The state in which somebody appears says nothing yet of what they are about to do.
            let is_first = seen.evacuee.appeared == frame.time;
            if !is_first && !seen.set_out {
                let is_waiting = status == Status::Waiting;
                seen.has_waited |= is_waiting;
                seen.set_out = !is_waiting;
                if seen.set_out && seen.has_waited {
                    // The step in which they are seen to move began when they set out.
                    seen.evacuee.set_out = self.before;
                }
            }
            if !is_first && seen.history.last().is_none_or(|(_, last)| *last != status) {
                seen.history.push((self.before, status));
            }
            seen.evacuee.walked += f64::from(position.distance(seen.position));
            let is_standing = status == Status::Arrived;
            if is_standing {
                seen.evacuee.out.get_or_insert(frame.time);
            } else {
                seen.evacuee.out = None;
                is_anybody_left = true;
            }
            let speed =
                if step > 0.0 { position.distance(seen.position) / step as f32 } else { 0.0 };
            if seen.set_out && !status.is_standing() && speed < WAITING_SPEED {
                *is_waiting = true;
                seen.evacuee.waited += step;
            }
            (seen.layer, seen.position, seen.last) = (people.layers[i], position, frame.time);
        }
        self.lines.iter_mut().for_each(|line| _ = line.push(FrameView::from(frame)));
        if frame.time >= self.next_map - 1e-9 {
            self.mapper.note(&people.layers, &people.positions, &waits, MAP_INTERVAL);
            self.next_map += MAP_INTERVAL;
        }
        self.before = frame.time;
        let all_came = self.seen.len() as u64 >= self.most || frame.time >= self.last_arrival;
        is_anybody_left || !all_came
    }

    pub fn finish(self) -> Evacuation {
        let Self { scene, exits, seen, lines, mapper, before: ended, .. } = self;
        let mut histories: BTreeMap<u32, Vec<(f64, Status)>> = BTreeMap::new();
        let mut people = Vec::with_capacity(seen.len());
        for (id, seen) in seen {
            let mut evacuee = seen.evacuee;
            if evacuee.out.is_none() && seen.last < ended {
                evacuee.out = Some(seen.last);
            }
            if evacuee.out.is_some() {
                evacuee.exit = exit_at(scene, &exits, seen.layer, seen.position);
            }
            let status = seen.history.last().map_or(Status::Walking, |(_, status)| *status);
            evacuee.status = status.to_string();
            histories.insert(id, seen.history);
            people.push(evacuee);
        }
        let passages = |line: &Tally| {
            [Direction::Forward, Direction::Backward]
                .map(|direction| line.passages(direction).times().to_vec())
        };
        let mut run = Evacuation {
            ended,
            people,
            lines: lines.iter().map(passages).collect(),
            cells: mapper.finish(),
            last: Vec::new(),
        };
        let last = run.last_person().and_then(|person| histories.remove(&person.id));
        run.last =
            last.into_iter().flatten().map(|(time, status)| (time, status.to_string())).collect();
        run
    }
}

/// The exit at a place, by its index in `exits`.
fn exit_at(scene: &Scene, exits: &[RegionId], layer: LayerId, position: Vec2) -> Option<u16> {
    let distance = |id: &RegionId| {
        let region = &scene.regions[usize::from(id.0)];
        let nearest = region.polygon.nearest_point(position);
        (region.layer == layer).then(|| nearest.distance(position))
    };
    let near = exits.iter().enumerate().filter_map(|(index, id)| Some((distance(id)?, index)));
    let nearest = near.min_by(|a, b| a.0.total_cmp(&b.0));
    nearest.filter(|(distance, _)| *distance <= AT_EXIT).map(|(_, index)| index as u16)
}
