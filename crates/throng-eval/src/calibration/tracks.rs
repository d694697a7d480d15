//! Real tracks as a target: where people are a few seconds later, by the model and in fact.
//!
//! A recording is cut into windows of 4.8 s, as predictions of tracks are commonly judged by (Pellegrini, Ess, Schindler and Van Gool 2009, and those
//! after them). Each person present when a window begins starts at the recorded position with the recorded velocity and walks
//! to where their track ends at its mean speed, steered by the model; the error of a person is the mean distance between where they are and where they were, sampled every
//! 0.4 s. Beside it stands the error of walking straight there at the same speed, which knows as much and heeds nobody: the distance
//! of the target is the ratio of the two.
//!
//! People are divided by their ids, once and for all: the errors of some of them are looked at in training, those of the others only at the
//! end. All of them are around while the others walk. Those who come during a window are not in it.

use std::path::{Path, PathBuf};

use glam::DVec2;
use throng::recording::Recording;
use throng::{Engine, Scene};
use throng_base::hash::splitmix64;
use throng_world::scene::file::{Goal, Group, Person, SceneFile, Then, at, given, list};

use super::{STEP, Split};
use crate::batch::digest;
use crate::experiments::{ExperimentError, Runs, Steering, varied_in};
use crate::recorded::recorded_scene;
use crate::verification::tracks::{INTERVAL, SampledTrack, SampledTracks};

/// Samples of a window, its beginning not counted.
const SAMPLES: usize = 12;

/// Radius of bodies, m. Those who walk closer to each other have smaller ones, which do not overlap at the beginning.
const BODY: f64 = 0.18;

/// Distance between two people, m, below which they are taken for one.
const SAME: f64 = 0.05;

/// Displacement, m, up to which a person counts as standing.
const STANDING: f64 = 0.5;

/// Slowest preferred speed, m/s.
const SLOWEST: f64 = 0.2;

/// What a run on tracks measures, in this order.
pub(super) const NUMBERS: usize = 4;

/// Tracks of people, cut into windows.
pub(super) struct TrackWindows {
    /// A digest of the recording.
    pub hash: String,
    /// The share of the people who are held out.
    pub held_out: f64,
    /// The place, without people.
    place: SceneFile,
    folder: PathBuf,
    windows: Vec<Window>,
    /// Number of windows that cannot be simulated, for instance because a person is inside a wall.
    pub left_out: usize,
}

struct Window {
    people: Vec<Walker>,
}

struct Walker {
    layer: String,
    position: DVec2,
    velocity: DVec2,
    radius: f64,
    speed: f64,
    /// Where the track ends; nothing for those who stand.
    goal: Option<DVec2>,
    /// Where they were at each sample, if their track is that long and they were there before; and whether they are held out.
    judged: Option<(Split, Vec<DVec2>)>,
}

impl TrackWindows {
    /// Reads a recording, of which a share of the people is held out.
    pub fn load(path: &Path, held_out: f64) -> Result<Self, String> {
        let told = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let mut recording = Recording::open(path).map_err(|error| error.to_string())?;
        let scene = recorded_scene(&recording).map_err(|error| error.to_string())?;
        let tracks =
            SampledTracks::of_recording(&mut recording, &scene).map_err(|error| told(&error))?;
        let bytes = std::fs::read(path).map_err(|error| told(&error))?;
        let mut place = SceneFile::parse(&scene.source.name, &scene.source.text)
            .map_err(|error| told(&error))?;
        place.groups.clear();
        place.fields.clear();
        place.interests.clear();
        place.measurements.clear();
        place.evaluation = None;
        place.simulation.duration = given((SAMPLES as f64 + 0.5) * INTERVAL);
        let layer = |track: &SampledTrack| scene.layers[usize::from(track.layer.0)].name.clone();
        let windows = windows(&tracks, layer, held_out);
        let folder = path.parent().unwrap_or(Path::new("")).into();
        let hash = digest(&[&bytes]);
        let mut windows = Self { hash, held_out, place, folder, windows, left_out: 0 };
        windows.leave_out_impossible();
        for (split, who) in [(Split::Training, "train with"), (Split::HeldOut, "hold out")] {
            if windows.judged(split) == 0 {
                let seconds = (SAMPLES + 1) as f64 * INTERVAL;
                let why = format!(
                    "no person to {who} walks for {seconds} s; take longer tracks, or another share in [tracks] held_out_people"
                );
                return Err(told(&why));
            }
        }
        Ok(windows)
    }

    /// Leaves out windows whose scenes no model could be run in.
    fn leave_out_impossible(&mut self) {
        let windows = std::mem::take(&mut self.windows);
        let all = windows.len();
        let is_possible = |window: &Window| {
            let scene = self.scene(window, None, 0, STEP);
            scene.is_ok_and(|scene| Engine::new(scene).is_ok())
        };
        self.windows = windows.into_iter().filter(is_possible).collect();
        self.left_out = all - self.windows.len();
    }

    /// How many errors there are to be measured.
    pub fn judged(&self, split: Split) -> usize {
        let people = self.windows.iter().flat_map(|window| &window.people);
        people.filter(|walker| walker.is_judged(split)).count()
    }

    /// About how much work a run is, in tenths of a second.
    pub fn effort(&self, split: Split) -> u64 {
        let windows = self.windows.iter().filter(|window| window.is_judged(split));
        1 + windows.map(|window| 20 + window.people.len() as u64).sum::<u64>() / 400
    }

    /// Mean and final error of the model, and of walking straight on, m.
    pub fn measure(
        &self,
        split: Split,
        steering: &Steering,
        seed: u32,
        step: f64,
        runs: &Runs,
    ) -> Result<Vec<f64>, ExperimentError> {
        let mut sums = [0.0; NUMBERS];
        for window in self.windows.iter().filter(|window| window.is_judged(split)) {
            let walked = self.walk(window, steering, seed, step, runs)?;
            for (walker, walked) in window.people.iter().zip(&walked) {
                let Some((_, truth)) = walker.judged.as_ref().filter(|of| of.0 == split) else {
                    continue;
                };
                let straight = |nth: usize| walker.straight_on((nth + 1) as f64 * INTERVAL);
                let model = errors(truth, |nth| walked[nth]);
                let alone = errors(truth, straight);
                for (sum, error) in sums.iter_mut().zip(model.into_iter().chain(alone)) {
                    *sum += error;
                }
            }
        }
        Ok(sums.map(|sum| sum / self.judged(split) as f64).into())
    }

    /// The people of a window in their place.
    fn scene(
        &self,
        window: &Window,
        steering: Option<&Steering>,
        seed: u32,
        step: f64,
    ) -> Result<Scene, ExperimentError> {
        let mut file = self.place.clone();
        let people = window.people.iter().map(|walker| at(walker.person())).collect();
        file.groups = list([Group { people, then: given(Then::Leave), ..Group::new("people") }]);
        match steering {
            Some(steering) => varied_in("tracks", file, &self.folder, steering, seed, step),
            None => Ok(file.to_scene("tracks", &self.folder)?),
        }
    }

    /// The simulated positions of the people of a window at each sample. People at their goals stay there.
    fn walk(
        &self,
        window: &Window,
        steering: &Steering,
        seed: u32,
        step: f64,
        runs: &Runs,
    ) -> Result<Vec<Vec<DVec2>>, ExperimentError> {
        let scene = self.scene(window, Some(steering), seed, step)?;
        let mut walked: Vec<Vec<DVec2>> = vec![Vec::new(); window.people.len()];
        runs.simulate(scene, |frame| {
            let due = walked.first().map_or(SAMPLES, Vec::len) + 1;
            if frame.time < due as f64 * INTERVAL - 1e-6 {
                return true;
            }
            for (walker, points) in window.people.iter().zip(&mut walked) {
                points.push(walker.goal.unwrap_or(walker.position));
            }
            for (id, position) in frame.people.ids.iter().zip(&frame.people.positions) {
                let place = walked.get_mut(*id as usize).and_then(|points| points.last_mut());
                place.into_iter().for_each(|place| *place = position.as_dvec2());
            }
            due < SAMPLES
        })?;
        match walked.iter().all(|points| points.len() == SAMPLES) {
            true => Ok(walked),
            false => Err(ExperimentError::Failed("a window ended too early".into())),
        }
    }
}

impl Window {
    fn is_judged(&self, split: Split) -> bool {
        self.people.iter().any(|walker| walker.is_judged(split))
    }
}

impl Walker {
    fn person(&self) -> Person {
        let layer = || given(self.layer.as_str());
        let seek = |goal: DVec2| Goal { layer: layer(), ..Goal::seek([goal.x, goal.y]) };
        Person {
            velocity: given([self.velocity.x, self.velocity.y]),
            speed: given(self.speed),
            radius: given(self.radius),
            layer: layer(),
            goals: self.goal.and_then(|goal| given(list([seek(goal)]))),
            ..Person::new([self.position.x, self.position.y])
        }
    }

    /// The distance to a person on the same floor, m.
    fn gap(&self, other: &Self) -> f64 {
        match self.layer == other.layer {
            true => self.position.distance(other.position),
            false => f64::INFINITY,
        }
    }

    /// The place after a time, s, without others: straight towards the goal, and there.
    fn straight_on(&self, time: f64) -> DVec2 {
        let goal = self.goal.unwrap_or(self.position);
        self.position + (goal - self.position).clamp_length_max(self.speed * time)
    }

    fn is_judged(&self, split: Split) -> bool {
        self.judged.as_ref().is_some_and(|(of, _)| *of == split)
    }
}

/// Mean and final distance between recorded and simulated positions, m.
fn errors(truth: &[DVec2], said: impl Fn(usize) -> DVec2) -> [f64; 2] {
    let distances: Vec<f64> =
        truth.iter().enumerate().map(|(nth, point)| point.distance(said(nth))).collect();
    let mean = distances.iter().sum::<f64>() / distances.len().max(1) as f64;
    [mean, distances.last().copied().unwrap_or_default()]
}

/// Windows one after the other, from the first sample on.
fn windows(
    tracks: &SampledTracks,
    layer: impl Fn(&SampledTrack) -> String,
    held_out: f64,
) -> Vec<Window> {
    let end = tracks.all().iter().map(SampledTrack::end).max().unwrap_or_default();
    let walker = |track: &SampledTrack, begin: usize| {
        let position = track.at(begin)?;
        let before = begin.checked_sub(1).and_then(|sample| track.at(sample));
        let after = track.at(begin + 1);
        let velocity = match (before, after) {
            (Some(before), _) => (position - before) / INTERVAL,
            (None, Some(after)) => (after - position) / INTERVAL,
            (None, None) => DVec2::ZERO,
        };
        let [first, last] = [track.points.first()?, track.points.last()?];
        let length: f64 = track.points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        let seconds = (track.points.len() - 1) as f64 * INTERVAL;
        let stands = first.distance(*last) < STANDING;
        let truth: Option<Vec<DVec2>> = (1..=SAMPLES).map(|nth| track.at(begin + nth)).collect();
        let truth = truth.filter(|_| before.is_some() && !stands);
        Some(Walker {
            layer: layer(track),
            position,
            velocity,
            radius: BODY,
            speed: (length / seconds.max(INTERVAL)).max(SLOWEST),
            goal: (!stands).then_some(*last),
            judged: truth.map(|truth| (split_of(track.id, held_out), truth)),
        })
    };
    let window = |begin: usize| {
        let mut people: Vec<Walker> = Vec::new();
        for walker in tracks.all().iter().filter_map(|track| walker(track, begin)) {
            if people.iter().all(|other| walker.gap(other) > SAME) {
                people.push(walker);
            }
        }
        for nth in 0..people.len() {
            let (before, after) = (people[..nth].iter(), people[nth + 1..].iter());
            let gaps = before.chain(after).map(|other| people[nth].gap(other));
            people[nth].radius = BODY.min(0.49 * gaps.fold(f64::INFINITY, f64::min));
        }
        Window { people }
    };
    (0..end).step_by(SAMPLES).map(window).collect()
}

/// To whom a person belongs: by the id alone.
fn split_of(id: u32, held_out: f64) -> Split {
    let share = splitmix64(u64::from(id) + 0x9E37_79B9_7F4A_7C15) as f64 / u64::MAX as f64;
    if share < held_out { Split::HeldOut } else { Split::Training }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_world::scene::LayerId;

    fn track(id: u32, first: usize, points: usize) -> SampledTrack {
        let point = |nth: usize| DVec2::new(0.5 * nth as f64, f64::from(id));
        SampledTrack { id, layer: LayerId(0), first, points: (0..points).map(point).collect() }
    }

    #[test]
    fn a_person_is_either_trained_with_or_held_out_in_all_windows() {
        let tracks = SampledTracks::new((0..40).map(|id| track(id, 0, 60)).collect());
        let windows = windows(&tracks, |_| "ground".into(), 0.4);
        assert_eq!(windows.len(), 5);
        let of = |window: &Window| -> Vec<Option<Split>> {
            let mut people: Vec<&Walker> = window.people.iter().collect();
            people.sort_by(|a, b| a.position.y.total_cmp(&b.position.y));
            people.iter().map(|walker| walker.judged.as_ref().map(|of| of.0)).collect()
        };
        // In the first window nobody has a velocity yet, and the last one is too short.
        assert!(of(&windows[0]).iter().chain(&of(&windows[4])).all(Option::is_none));
        assert_eq!(of(&windows[1]), of(&windows[3]));
        let held = of(&windows[1]).iter().filter(|split| **split == Some(Split::HeldOut)).count();
        assert!((8..=24).contains(&held), "{held} of 40");
    }

    #[test]
    fn what_a_window_begins_with_is_known_by_then() {
        let tracks = SampledTracks::new(vec![track(7, 3, 40)]);
        let windows = windows(&tracks, |_| "ground".into(), 0.5);
        let walker = &windows[1].people[0];
        assert_eq!((walker.position.x, walker.velocity.x), (4.5, 1.25));
        assert!((walker.speed - 1.25).abs() < 1e-12 && walker.goal.is_some());
        let (_, truth) = walker.judged.as_ref().unwrap();
        assert_eq!((truth.len(), truth[0].x, truth[11].x), (12, 5.0, 10.5));
        assert_eq!([0.8, 60.0].map(|time| walker.straight_on(time).x), [5.5, 19.5]);
        assert_eq!(errors(truth, |nth| truth[nth] + DVec2::X), [1.0, 1.0]);
    }

    #[test]
    fn bodies_do_not_overlap_at_the_beginning() {
        let beside = |id: u32, y: f64| {
            let mut track = track(id, 0, 30);
            track.points.iter_mut().for_each(|point| point.y = y);
            track
        };
        let tracks = SampledTracks::new(vec![
            beside(0, 0.0),
            beside(1, 0.2),
            beside(2, 0.21),
            beside(3, 5.0),
        ]);
        let windows = windows(&tracks, |_| "ground".into(), 0.5);
        let mut radii: Vec<f64> = windows[0].people.iter().map(|walker| walker.radius).collect();
        radii.sort_by(f64::total_cmp);
        assert_eq!(radii, [0.098, 0.098, BODY], "two at the same place are one");
    }
}
