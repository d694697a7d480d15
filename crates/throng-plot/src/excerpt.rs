//! The part of a recording that a figure is about: some of its time, and one floor.
//!
//! Frames are read one at a time, so the memory needed does not grow with the recording.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use glam::Vec2;
use throng::Scene;
use throng::base::Bounds;
use throng::recording::{Frame, GroupInfo, Recording};
use throng::world::scene::{GroupId, LayerId};
use throng_eval::recorded_scene;

use crate::draw::Ink;
use crate::figure::Subject;
use crate::ground::Ground;
use crate::layout::{Entry, Key, Mark, Surroundings};
use crate::options::{Kind, Options};
use crate::ticks::compact;
use crate::{PlotError, Progress, style};

/// Some frames of a recording and the floor to look at.
pub(crate) struct Excerpt<'a> {
    recording: &'a mut Recording,
    frames: RangeInclusive<u32>,
    pub layer: LayerId,
    /// The scene that was recorded, if it can still be read.
    pub scene: Option<Scene>,
    pub ground: Ground,
    /// What the user should know about the figure.
    pub notes: Vec<String>,
}

impl<'a> Excerpt<'a> {
    /// The scene that was recorded, for a figure that cannot do without.
    pub fn scene_for(&self, figure: &'static str) -> Result<&Scene, PlotError> {
        self.scene.as_ref().ok_or_else(|| {
            let remedy = "needs a scene, and this recording has none that can be read; plot the scene's \
                          own file instead";
            PlotError::options(figure, remedy)
        })
    }

    /// What `options` ask for of `recording`.
    pub(crate) fn new(
        recording: &'a mut Recording,
        options: &Options,
        progress: Progress,
    ) -> Result<Self, PlotError> {
        let layer = find_layer(recording, options.layer.as_deref())?;
        let frames = find_frames(recording, options.from, options.to)?;
        let mut notes = Vec::new();
        if options.layer.is_none() && recording.info().layers.len() > 1 {
            let others = recording.info().layers[1..].iter().map(|layer| layer.name.as_str());
            let others: Vec<&str> = others.collect();
            notes.push(format!(
                "only the first floor is shown; others to name with --layer are {}",
                others.join(", ")
            ));
        }
        let scene = readable_scene(recording, &mut notes);
        let ground = scene.as_ref().map(|scene| Ground::of_scene(scene, layer));
        let known = ground.is_some();
        let ground = ground.unwrap_or_else(|| Ground::unknown(around(None)));
        let mut excerpt = Self { recording, frames, layer, scene, ground, notes };
        if !known {
            excerpt.ground = Ground::unknown(excerpt.measure_extent(progress)?);
        }
        Ok(excerpt)
    }

    /// How many frames there are.
    pub(crate) fn frame_count(&self) -> u32 {
        self.frames.end() - self.frames.start() + 1
    }

    /// How many groups there are.
    pub(crate) fn group_count(&self) -> usize {
        self.groups().len()
    }

    /// Time from one frame to the next, s.
    pub(crate) fn interval(&self) -> f64 {
        self.recording.info().interval()
    }

    /// Times of the first and of the last frame, s.
    pub(crate) fn times(&self) -> [f64; 2] {
        [self.recording.time_of(*self.frames.start()), self.recording.time_of(*self.frames.end())]
    }

    /// Names and colours of the groups.
    fn groups(&self) -> &[GroupInfo] {
        &self.recording.info().groups
    }

    /// The scene's title, or the name of its file.
    fn title(&self) -> &str {
        let file_name = &self.recording.info().scene_name;
        self.scene.as_ref().map_or(file_name, |scene| &scene.name)
    }

    /// The floor, if there is more than one.
    pub(crate) fn layer_name(&self) -> Option<&str> {
        let layers = &self.recording.info().layers;
        let layer = layers.get(usize::from(self.layer.0)).filter(|_| layers.len() > 1);
        layer.map(|layer| layer.name.as_str())
    }

    /// "0–120 s", or "5 s" if there is only one frame.
    pub(crate) fn time_range(&self) -> String {
        let [from, to] = self.times().map(|time| compact(time, 2));
        if from == to { format!("{from} s") } else { format!("{from}–{to} s") }
    }

    /// What stands around a plot of this excerpt; `what` it shows, and of `when`.
    pub(crate) fn surroundings(
        &self,
        options: &Options,
        what: &str,
        when: &str,
        key: Key,
        caption: String,
    ) -> Surroundings {
        let title = options.title.clone().unwrap_or_else(|| self.title().to_owned());
        let mut subtitle = format!("{what} · {when}");
        if let Some(layer) = self.layer_name() {
            subtitle += &format!(" · {layer}");
        }
        Surroundings { title, subtitle, key, caption }
    }

    /// What a figure of the whole excerpt is about.
    pub(crate) fn subject(&mut self, kind: Kind, people: u64) -> Subject {
        let [from, to] = self.times();
        Subject {
            kind: kind.name(),
            people,
            frames: self.frame_count(),
            from,
            to,
            layer: self.layer_name().map(str::to_owned),
            notes: std::mem::take(&mut self.notes),
            no_way: None,
        }
    }

    /// The colour of a group.
    pub(crate) fn colour(&self, group: GroupId) -> Ink {
        let group = self.groups().get(usize::from(group.0));
        group.map_or(style::MUTED, |group| Ink::solid(group.color))
    }

    /// A legend entry for each group in `present`.
    pub(crate) fn legend(&self, present: &[bool], mark: impl Fn(Ink) -> Mark) -> Vec<Entry> {
        let groups = self.groups().iter().zip(present).filter(|(_, present)| **present);
        let entry = |(group, _): (&GroupInfo, _)| {
            Entry::new(mark(Ink::solid(group.color)), group.name.clone())
        };
        groups.map(entry).collect()
    }

    /// Reads all frames in order.
    pub(crate) fn each_frame(
        &mut self,
        progress: Progress,
        mut look: impl FnMut(&Frame),
    ) -> Result<(), PlotError> {
        let (first, count) = (*self.frames.start(), self.frame_count());
        let mut frame = Frame::default();
        for index in self.frames.clone() {
            self.recording.read_frame(index, &mut frame)?;
            look(&frame);
            progress(index - first + 1, count);
        }
        Ok(())
    }

    /// Reads the frame at `time`.
    pub(crate) fn frame_at(&mut self, time: f64) -> Result<Frame, PlotError> {
        let frames = find_frames(self.recording, Some(time), Some(time))?;
        Ok(self.recording.frame(*frames.start())?)
    }

    /// Reads the frame with most people on the floor; of several, the one nearest to half-way.
    pub(crate) fn busiest_frame(&mut self, progress: Progress) -> Result<Frame, PlotError> {
        let middle = self.frames.start() + (self.frames.end() - self.frames.start()) / 2;
        let (layer, mut best) = (self.layer, (0, *self.frames.start()));
        self.each_frame(progress, |frame| {
            let people = on_layer(frame, layer).count();
            let is_nearer = frame.index.abs_diff(middle) < best.1.abs_diff(middle);
            if people > best.0 || people == best.0 && is_nearer {
                best = (people, frame.index);
            }
        })?;
        Ok(self.recording.frame(best.1)?)
    }

    fn measure_extent(&mut self, progress: Progress) -> Result<Bounds, PlotError> {
        let (layer, mut extent) = (self.layer, None::<Bounds>);
        self.each_frame(progress, |frame| {
            let here = on_layer(frame, layer).map(|i| frame.people.positions[i]);
            let ends = extent.map(|bounds| [bounds.min, bounds.max]);
            extent = Bounds::around(here.chain(ends.into_iter().flatten()));
        })?;
        Ok(around(extent))
    }
}

/// Indices, in `frame`, of the people on a floor.
pub(crate) fn on_layer(frame: &Frame, layer: LayerId) -> impl Iterator<Item = usize> + '_ {
    let layers = frame.people.layers.iter().enumerate();
    layers.filter(move |(_, of)| **of == layer).map(|(i, _)| i)
}

/// Some room around what is known to be there.
fn around(extent: Option<Bounds>) -> Bounds {
    let extent = extent.unwrap_or(Bounds { min: Vec2::ZERO, max: Vec2::ZERO });
    extent.grown((extent.size().max_element() * 0.03).max(1.0))
}

/// The scene a recording carries, if it has one and it can still be read.
fn readable_scene(recording: &Recording, notes: &mut Vec<String>) -> Option<Scene> {
    if recording.info().scene.is_empty() {
        return None;
    }
    let scene = recorded_scene(recording);
    scene.map_err(|error| notes.push(format!("obstacles are not shown: {error}"))).ok()
}

fn find_layer(recording: &Recording, name: Option<&str>) -> Result<LayerId, PlotError> {
    let layers = &recording.info().layers;
    let Some(name) = name else { return Ok(LayerId(0)) };
    known_layer(name, layers.iter().map(|layer| layer.name.as_str()))
}

/// The floor called `name`, of those there are.
pub(crate) fn known_layer<'n>(
    name: &str,
    mut names: impl Iterator<Item = &'n str> + Clone,
) -> Result<LayerId, PlotError> {
    match names.clone().position(|other| other == name) {
        // There are at most 256 floors.
        Some(index) => Ok(LayerId(index as u8)),
        None => {
            let mut known = names.next().map(|name| format!("{name:?}")).unwrap_or_default();
            names.for_each(|name| known += &format!(", {name:?}"));
            Err(PlotError::NoSuchLayer { name: name.into(), known })
        }
    }
}

fn find_frames(
    recording: &Recording,
    from: Option<f64>,
    to: Option<f64>,
) -> Result<RangeInclusive<u32>, PlotError> {
    let path = recording.path();
    let Some(last) = recording.frame_count().checked_sub(1) else {
        return Err(PlotError::NoFrames { path: path.into() });
    };
    let (first_time, last_time) = (recording.time_of(0), recording.time_of(last));
    let (from, to) = (from.unwrap_or(first_time), to.unwrap_or(last_time));
    let nothing = || PlotError::NoFramesThen {
        path: path.into(),
        from,
        to,
        first: first_time,
        last: last_time,
    };
    let slack = recording.info().interval() * 1e-6;
    let is_there = from <= to && from <= last_time + slack && to >= first_time - slack;
    if !is_there {
        return Err(nothing());
    }
    let end = recording.index_at(to).ok_or_else(nothing)?;
    let begin = recording.index_at(from).ok_or_else(nothing)?;
    // A single moment is the frame at or before it; a period begins with a frame within.
    let is_before = recording.time_of(begin) < from - slack;
    let begin = if is_before && begin < end { begin + 1 } else { begin };
    Ok(begin..=end)
}

/// Counts how many different people have been seen.
#[derive(Default)]
pub(crate) struct Census {
    before: Vec<u32>,
    now: Vec<u32>,
    seen: HashSet<u32>,
}

impl Census {
    /// Takes note of those in one frame, given by ascending id.
    pub(crate) fn note(&mut self, ids: impl Iterator<Item = u32>) {
        std::mem::swap(&mut self.before, &mut self.now);
        self.now.clear();
        let mut before = self.before.iter().copied().peekable();
        for id in ids {
            self.now.push(id);
            while before.next_if(|&other| other < id).is_some() {}
            // Who was there a frame ago is known: most people are looked up only once.
            if before.peek() != Some(&id) {
                self.seen.insert(id);
            }
        }
    }

    /// How many there were.
    pub(crate) fn people(&self) -> u64 {
        self.seen.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_census_counts_everyone_once() {
        let mut census = Census::default();
        for ids in [&[1, 2, 5][..], &[2, 3, 5], &[], &[1, 5, 9]] {
            census.note(ids.iter().copied());
        }
        assert_eq!(census.people(), 5);
    }
}
