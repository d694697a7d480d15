//! A recording that is played, forwards and backwards.

use std::path::{Path, PathBuf};

use serde_json::Map;
use throng::Scene;
use throng::bodies::variety::Wardrobe as Dressed;
use throng::film::{dress, present};
use throng::recording::{Frame, People, Recording};
use throng_base::Heading;
use throng_crowd::{Appearance, PersonId};
use throng_world::Temperament;
use throng_world::scene::{Dispositions, GroupId};

use super::folder::Folder;
use super::patterns::{Report, Search};
use crate::bodies::dressing;
use crate::frame::Lattice;
use crate::ground::Grounds;
use crate::protocol::{PatternProgress, Refusal, SceneEvent, ShowKind};
use crate::view;

/// People in all frames that are kept for going back.
const KEPT_PEOPLE: usize = 500_000;

/// Recordings with more rows are not gone through to see who comes when: people are dressed when they are seen first.
const MOST_ROWS: u64 = 10_000_000;

/// A recording at some moment.
pub(crate) struct Replay {
    recording: Recording,
    scene: Scene,
    frame: Frame,
    /// Frames in a row. Recordings are decoded forwards: who goes back reads several at once.
    kept: Vec<Frame>,
    folder: Folder,
    path: PathBuf,
    name: String,
    /// Patterns in it, once they are looked for.
    search: Option<Search>,
    /// How everybody looks, once somebody has asked.
    dressed: Option<Dressed>,
    /// What everybody is like, if somebody has traits.
    dispositions: Option<Dispositions>,
}

impl Replay {
    pub fn open(folder: &Folder, path: &Path) -> Result<Self, Refusal> {
        let mut recording =
            Recording::open(path).map_err(|error| Refusal::new(error.to_string()))?;
        let scene = recording.scene().map_err(|errors| {
            Refusal::from(errors).with_help("the scene that the recording is of cannot be read")
        })?;
        if recording.frame_count() == 0 {
            return Err(Refusal::new("the recording is empty"));
        }
        let frame = recording.frame(0).map_err(|error| Refusal::new(error.to_string()))?;
        let name = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        let dispositions = Dispositions::of(&scene);
        Ok(Self {
            recording,
            scene,
            frame,
            kept: Vec::new(),
            folder: folder.clone(),
            path: path.into(),
            name,
            search: None,
            dressed: None,
            dispositions,
        })
    }

    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    pub fn lattice(&self) -> Lattice {
        Lattice::of_scene(&self.scene)
    }

    /// Returns the `scene` event.
    pub fn scene_event(&self, revision: u32, grounds: &mut Grounds) -> SceneEvent {
        SceneEvent {
            revision,
            kind: ShowKind::Replay,
            file: Some(self.name.clone()),
            saved: true,
            undo: None,
            redo: None,
            warnings: Vec::new(),
            document: Map::new(),
            contents: view::of_scene(&self.scene, None, grounds),
        }
    }

    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Number of the frame it is at.
    pub fn index(&self) -> u32 {
        self.frame.index
    }

    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.frame.time
    }

    /// Time between two frames, s.
    pub fn interval(&self) -> f64 {
        self.recording.info().interval()
    }

    /// The times of the first and the last frame, s.
    pub fn extent(&self) -> [f64; 2] {
        [0, self.last()].map(|index| self.recording.time_of(index))
    }

    fn last(&self) -> u32 {
        self.recording.frame_count() - 1
    }

    /// The time of the next frame in the direction of `speed`; `None` at the end.
    pub fn next_time(&self, speed: f64) -> Option<f64> {
        let next = match speed < 0.0 {
            true => self.frame.index.checked_sub(1)?,
            false => self.frame.index + 1,
        };
        (next <= self.last()).then(|| self.recording.time_of(next))
    }

    /// Goes to the frame of a moment, or to the first or the last.
    pub fn seek(&mut self, time: f64) -> Result<(), Refusal> {
        let index = self.recording.index_at(time).unwrap_or(0);
        self.go_to(index)
    }

    /// Goes some frames on or back.
    pub fn step(&mut self, count: i64) -> Result<(), Refusal> {
        let index = i64::from(self.frame.index).saturating_add(count);
        self.go_to(index.clamp(0, self.last().into()) as u32)
    }

    fn go_to(&mut self, index: u32) -> Result<(), Refusal> {
        if index == self.frame.index {
            return Ok(());
        }
        let at = |kept: &[Frame]| kept.binary_search_by_key(&index, |frame| frame.index).ok();
        if at(&self.kept).is_none() && index < self.frame.index {
            self.keep_until(index)?;
        }
        match at(&self.kept) {
            Some(at) => self.frame.clone_from(&self.kept[at]),
            None => {
                let read = self.recording.read_frame(index, &mut self.frame);
                read.map_err(|error| Refusal::new(error.to_string()))?;
            }
        }
        Ok(())
    }

    /// Keeps the frames up to `last`, as many as there is room for.
    fn keep_until(&mut self, last: u32) -> Result<(), Refusal> {
        let count = (KEPT_PEOPLE / self.frame.people.len().max(1)).clamp(2, 200) as u32;
        self.kept.clear();
        for index in (last + 1).saturating_sub(count)..=last {
            let frame = self.recording.frame(index);
            self.kept.push(frame.map_err(|error| Refusal::new(error.to_string()))?);
        }
        Ok(())
    }

    /// Begins to look for patterns unless that is done or under way, or stops it.
    pub fn search_patterns(&mut self, on: bool) {
        if !on {
            self.search = None;
        } else if self.search.is_none() {
            self.search = Some(Search::begin(&self.path, &self.scene));
        }
    }

    /// Patterns that were found in it.
    pub fn patterns(&self) -> Report {
        let none = || Report { progress: PatternProgress::Off, events: Vec::new() };
        self.search.as_ref().map_or_else(none, Search::report)
    }

    /// How everybody looks, as in any film of the recording.
    pub fn dressed(&mut self) -> Option<&Dressed> {
        if self.dressed.is_none() {
            let mut dressed = dressing(self.recording.info().seed)?.remembering_all();
            if self.recording.row_count() <= MOST_ROWS {
                // What is damaged is told when it is shown; who comes after it is dressed then.
                let _ = dress(&mut self.recording, Some(&self.scene), f64::INFINITY, &mut dressed);
            }
            self.dressed = Some(dressed);
        }
        let dressed = self.dressed.as_mut()?;
        let people = present(&self.frame.people, Some(&self.scene));
        if people.iter().any(|person| !dressed.knows(person)) {
            dressed.dress(&people);
        }
        Some(dressed)
    }

    /// What somebody is like who is in a group, if they have traits.
    pub fn temperament(&self, person: u32, group: GroupId) -> Option<Temperament> {
        self.dispositions.as_ref()?.temperament(person, group)
    }

    /// Everybody, as recorded.
    pub fn people(&self) -> &People {
        &self.frame.people
    }

    /// Who is there.
    pub fn appearances(&self) -> impl Iterator<Item = Appearance> + '_ {
        let people = &self.frame.people;
        (0..people.len()).map(|i| Appearance {
            id: PersonId(people.ids[i]),
            group: people.groups[i],
            layer: people.layers[i],
            position: people.positions[i],
            height: people.heights[i],
            facing: Heading::from_radians(people.headings[i]).direction(),
            status: people.statuses[i],
            temperament: self.temperament(people.ids[i], people.groups[i]),
        })
    }

    pub fn len(&self) -> usize {
        self.frame.people.len()
    }
}
