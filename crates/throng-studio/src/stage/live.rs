//! A scene that is simulated while its author edits it.

use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Map, Value as Json};
use throng::bodies::variety::{Present, Wardrobe as Dressed};
use throng::recording::{Frame, Recorder, RecordingInfo};
use throng::scaler::Effort;
use throng::{Adoption, Engine, Scene};
use throng_base::place::Overwrite;
use throng_crowd::PersonId;
use throng_world::scene::{Draft, SceneText, Step, TextError};

use super::folder::Folder;
use super::history::{History, Way};
use super::patterns::{Report, Watch};
use super::people::{Directions, Metamorphosis};
use crate::bodies::dressing;
use crate::ground::Grounds;
use crate::protocol::{Change, EditKeys, RecordingState, Refusal, SceneEvent, ShowKind, StageTime};
use crate::view;

/// What a new scene looks like.
const EMPTY: &str = "\
format = 1
name = \"Untitled\"

[world]
bounds = [[-20, -15], [20, 15]]
";

/// A scene in motion, with its document.
pub(crate) struct Live {
    folder: Folder,
    /// The file it is saved to.
    name: String,
    /// What the file holds; `None` if there is none yet.
    saved: Option<String>,
    pub(super) document: SceneText,
    pub(super) engine: Engine,
    pub(super) history: History<Deed>,
    take: Option<Take>,
    /// People who were removed and came back under another id.
    pub(super) returned: HashMap<u32, u32>,
    /// Goals that people were given while it runs, as they were written.
    pub(super) directions: HashMap<u32, Directions>,
    /// How everybody looks who has bodies for somebody.
    dressed: Option<Dressed>,
    watch: Watch,
    /// How long the last step took.
    pub step_time: Duration,
}

/// What can be undone.
#[derive(Debug)]
pub(super) enum Deed {
    /// The document was another before and after.
    Text { before: String, after: String },
    /// People were others before and after.
    People(Vec<Metamorphosis>),
}

/// A recording in the making.
struct Take {
    name: String,
    recorder: Recorder,
    frame: Frame,
    info: RecordingInfo,
}

/// What an edit has led to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Edited {
    /// Whether the simulation began anew.
    pub restarted: bool,
}

impl Live {
    pub fn open(folder: &Folder, path: &Path) -> Result<Self, Refusal> {
        let name = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        let document = SceneText::load(path)?;
        Self::begin(folder, name, Some(document.to_string()), document)
    }

    /// An empty scene, which is no file yet.
    pub fn new(folder: &Folder, name: &str) -> Result<Self, Refusal> {
        let (name, path) = folder.scene(name)?;
        if path.exists() {
            return Err(taken(&name, "open it"));
        }
        let document = SceneText::parse(&name, EMPTY, folder.path())?;
        Self::begin(folder, name, None, document)
    }

    fn begin(
        folder: &Folder,
        name: String,
        saved: Option<String>,
        document: SceneText,
    ) -> Result<Self, Refusal> {
        let engine = Engine::new(document.scene().clone())?;
        let mut live = Self {
            folder: folder.clone(),
            name,
            saved,
            document,
            engine,
            history: History::default(),
            take: None,
            returned: HashMap::new(),
            directions: HashMap::new(),
            dressed: None,
            watch: Watch::default(),
            step_time: Duration::ZERO,
        };
        live.undress();
        live.look_for_patterns();
        Ok(live)
    }

    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    pub fn scene(&self) -> &Scene {
        self.engine.scene()
    }

    pub fn document(&self) -> &SceneText {
        &self.document
    }

    /// Returns the `scene` event.
    pub fn scene_event(&self, revision: u32, grounds: &mut Grounds) -> SceneEvent {
        let label = |way| self.history.next(way).map(|deed| deed.label.clone());
        SceneEvent {
            revision,
            kind: ShowKind::Live,
            file: self.saved.as_ref().map(|_| self.name.clone()),
            saved: self.saved.as_ref() == Some(&self.document.to_string()),
            undo: label(Way::Back),
            redo: label(Way::Forth),
            warnings: self.engine.crowd().warnings().to_vec(),
            document: match self.document.json() {
                Json::Object(document) => document,
                _ => Map::new(),
            },
            contents: view::of_scene(self.scene(), Some(self.engine.crowd()), grounds),
        }
    }

    /// Makes a step. What goes wrong with a recording ends it, and is told.
    pub fn step(&mut self) -> Result<(), Refusal> {
        let begin = Instant::now();
        self.engine.step();
        self.step_time = begin.elapsed();
        self.dress();
        self.look_for_patterns();
        self.keep_frame()
    }

    /// Simulates people with so much effort from now on.
    pub fn give_efforts(&mut self, efforts: impl Iterator<Item = (u32, Effort)>) {
        for (id, effort) in efforts {
            self.engine.crowd_mut().set_effort(PersonId(id), effort);
        }
    }

    /// Simulates everybody in full.
    pub fn spare_no_effort(&mut self) {
        let ids: Vec<u32> = self.engine.crowd().people().map(|person| person.id.0).collect();
        self.give_efforts(ids.into_iter().map(|id| (id, Effort::Full)));
    }

    /// Looks at the present moment, if it is one that the scene asks to keep.
    fn look_for_patterns(&mut self) {
        if self.is_kept() {
            self.watch.look(&self.engine);
        }
    }

    /// People are others than before, and so are patterns.
    pub(super) fn watch_anew(&mut self) {
        self.watch.begin_anew();
        self.look_for_patterns();
    }

    /// Watches for patterns, or does not any more.
    pub fn watch_patterns(&mut self, on: bool) {
        self.watch.switch(on);
    }

    /// Patterns that were seen since it began.
    pub fn patterns(&self) -> Report {
        self.watch.report(self.engine.crowd().len())
    }

    /// Whether the present moment is one that the scene asks to keep.
    fn is_kept(&self) -> bool {
        let every = u64::from(self.scene().settings.record_every);
        self.engine.crowd().steps().is_multiple_of(every)
    }

    /// How everybody looks now.
    pub fn dressed(&mut self) -> Option<&Dressed> {
        // People may have come and gone while time stood.
        self.dress();
        self.dressed.as_ref()
    }

    /// People are others than before.
    pub(super) fn undress(&mut self) {
        self.dressed = dressing(self.scene().settings.seed);
        self.dress();
    }

    /// Dresses whoever is new in each step, as whoever shows a recording of it will: nobody's looks depend on who looks.
    fn dress(&mut self) {
        let Some(dressed) = &mut self.dressed else { return };
        let groups = &self.engine.scene().groups;
        let present: Vec<Present> = self
            .engine
            .crowd()
            .appearances()
            .map(|person| Present {
                id: person.id.0,
                species: groups
                    .get(usize::from(person.group.0))
                    .map_or_else(Default::default, |g| g.species),
                place: person.position.extend(person.height),
                temperament: person.temperament.unwrap_or_default(),
            })
            .collect();
        dressed.dress(&present);
    }

    /// Begins anew with the scene as it is.
    pub fn restart(&mut self) -> Result<(), Refusal> {
        self.engine = Engine::new(self.document.scene().clone())?;
        self.end_take()?;
        self.forget_people();
        Ok(())
    }

    /// Edits the document; people follow it at once.
    pub fn edit(&mut self, EditKeys { label, changes, join }: EditKeys) -> Result<Edited, Refusal> {
        changes.iter().try_for_each(|change| self.check_files(change))?;
        let mut edited = self.document.clone();
        edited.edit(|draft| changes.iter().try_for_each(|change| apply(change, draft)))?;
        let before = self.document.to_string();
        let after = edited.to_string();
        let done = self.follow(edited)?;
        if before != after {
            self.history.note(label, join, Deed::Text { before, after }, |last, new| {
                if let (Deed::Text { after, .. }, Deed::Text { after: newest, .. }) = (last, new) {
                    *after = newest;
                }
            });
        }
        Ok(done)
    }

    /// Replaces the document by another text; people follow it at once.
    pub fn replace(&mut self, label: String, text: &str) -> Result<Edited, Refusal> {
        let unread = SceneText::unread_json(&self.name, text)?;
        self.check_names("", &unread)?;
        let document = SceneText::parse(&self.name, text, self.folder.path())?;
        let before = self.document.to_string();
        let after = document.to_string();
        let done = self.follow(document)?;
        if before != after {
            self.history.note(label, None, Deed::Text { before, after }, |_, _| {});
        }
        Ok(done)
    }

    /// Refuses a change that names a file outside of the scene's folder, unless the scene has it already.
    fn check_files(&self, change: &Change) -> Result<(), Refusal> {
        let (address, value) = match change {
            Change::Set { at, value } => (at, value),
            Change::Add { to, value } => (to, value),
            Change::Remove { .. } => return Ok(()),
        };
        let last_key = address.steps().iter().rev().find_map(|step| match step {
            Step::Key(key) => Some(key.as_str()),
            Step::Index(_) | Step::Named { .. } => None,
        });
        self.check_names(last_key.unwrap_or_default(), value)
    }

    /// Refuses the value of a key that names a file outside of the scene's folder, unless the scene has it already.
    fn check_names(&self, key: &str, value: &Json) -> Result<(), Refusal> {
        let mut names = Vec::new();
        collect_files(key, value, &mut names);
        let scene = self.document.scene();
        let is_known =
            |name: &str| scene.files.contains_key(name) || scene.terrain_files.get(name).is_some();
        names.retain(|name| !is_known(name));
        names.into_iter().try_for_each(|name| self.folder.check_inside(name))
    }

    /// Undoes what was done last, or does again what was undone last, and tells what it was.
    pub fn shift(&mut self, way: Way) -> Result<(String, Edited), Refusal> {
        let Some(label) = self.history.next(way).map(|deed| deed.label.clone()) else {
            return Err(Refusal::new(match way {
                Way::Back => "there is nothing to undo",
                Way::Forth => "there is nothing to do again",
            }));
        };
        let mut history = std::mem::take(&mut self.history);
        let mut edited = Edited { restarted: false };
        let done = history.shift(way, |deed| {
            match deed {
                Deed::Text { before, after } => {
                    let text = if way == Way::Back { before } else { after };
                    let name = self.scene().source.name.clone();
                    edited = self.follow(SceneText::parse(&name, text, self.folder.path())?)?;
                }
                Deed::People(changes) => self.transform(changes, way),
            }
            Ok::<_, Refusal>(())
        });
        self.history = history;
        done.map(|()| (label, edited))
    }

    /// Changes the crowd to match another document. If that cannot be, nothing has changed.
    pub(super) fn follow(&mut self, document: SceneText) -> Result<Edited, Refusal> {
        let adoption = self.engine.adopt(document.scene().clone())?;
        self.document = document;
        let restarted = adoption == Adoption::Restarted;
        if restarted {
            self.forget_people();
        }
        // A recording cannot tell of groups or floors that were not there when it began.
        if let Some(take) = &self.take {
            let info = RecordingInfo::of_scene(self.scene());
            if restarted || info.groups != take.info.groups || info.layers != take.info.layers {
                self.end_take()?;
            }
        }
        Ok(Edited { restarted })
    }

    /// Begins anew with another document.
    pub(super) fn begin_with(
        &mut self,
        document: SceneText,
        label: &str,
    ) -> Result<Edited, Refusal> {
        let engine = Engine::new(document.scene().clone())?;
        let before = self.document.to_string();
        let after = document.to_string();
        self.end_take()?;
        (self.document, self.engine) = (document, engine);
        self.forget_people();
        self.history.note(label.into(), None, Deed::Text { before, after }, |_, _| {});
        Ok(Edited { restarted: true })
    }

    /// Writes the scene to its file.
    pub fn save(&mut self) -> Result<String, Refusal> {
        let path = self.folder.path().join(&self.name);
        let on_disk = std::fs::read_to_string(&path).ok();
        if on_disk.is_some() && on_disk != self.saved {
            return Err(Refusal::new(format!("{} was changed by another program", self.name))
                .with_help("save under another name, so that neither version is lost"));
        }
        self.write(&path)?;
        Ok(self.name.clone())
    }

    /// Writes the scene to another file, which is its own from then on.
    pub fn save_as(&mut self, name: &str, overwrite: bool) -> Result<String, Refusal> {
        let (name, path) = self.folder.scene(name)?;
        if path.exists() && !overwrite {
            return Err(taken(&name, "replace it"));
        }
        self.write(&path)?;
        self.name.clone_from(&name);
        Ok(name)
    }

    fn write(&mut self, path: &Path) -> Result<(), Refusal> {
        self.document.save(path)?;
        self.saved = Some(self.document.to_string());
        Ok(())
    }

    /// Begins to record.
    pub fn begin_take(&mut self) -> Result<String, Refusal> {
        if let Some(take) = &self.take {
            return Ok(take.name.clone());
        }
        let info = RecordingInfo::of_scene(self.scene());
        let (name, path) = self.folder.new_recording(&self.name);
        let recorder = Recorder::create(path, info.clone(), Overwrite::No)
            .map_err(|error| Refusal::new(error.to_string()))?;
        self.take = Some(Take { name: name.clone(), recorder, frame: Frame::default(), info });
        self.keep_frame()?;
        Ok(name)
    }

    /// Completes the recording, if there is one.
    pub fn end_take(&mut self) -> Result<Option<String>, Refusal> {
        let Some(take) = self.take.take() else { return Ok(None) };
        take.recorder.finish().map_err(|error| Refusal::new(error.to_string()))?;
        Ok(Some(take.name))
    }

    /// Records the present moment, if it is one that the scene asks to keep.
    fn keep_frame(&mut self) -> Result<(), Refusal> {
        let is_kept = self.is_kept();
        let Some(take) = self.take.as_mut().filter(|_| is_kept) else { return Ok(()) };
        self.engine.snapshot(&mut take.frame);
        let pushed = take.recorder.push(&take.frame);
        take.frame.index += 1;
        pushed.map_err(|error| {
            self.take = None;
            Refusal::new(format!("the recording has ended: {error}"))
        })
    }

    /// Returns the duration of the stages of the newest step.
    pub fn stage_times(&self) -> Vec<StageTime<throng_crowd::Stage>> {
        let timings = self.engine.crowd().timings();
        let times = timings.iter();
        times.map(|(stage, time)| StageTime::new(stage, time.as_secs_f64() * 1e3)).collect()
    }

    /// Returns the duration of the search for patterns after the newest step.
    pub fn pattern_time(&self) -> Duration {
        self.watch.effort
    }

    /// Returns the recording that is being written.
    pub fn recording(&self) -> Option<RecordingState> {
        let take = self.take.as_ref()?;
        Some(RecordingState { file: take.name.clone(), frames: take.frame.index })
    }
}

fn taken(name: &str, instead: &str) -> Refusal {
    Refusal::new(format!("there is a file {name:?} already"))
        .with_help(format!("choose another name, or {instead}"))
}

/// Keys of a scene whose values are names of files.
const FILE_KEYS: [&str; 4] = ["plan", "file", "heightmap", "mesh"];

/// The names of files in the value of `key`.
fn collect_files<'v>(key: &str, value: &'v Json, names: &mut Vec<&'v str>) {
    match value {
        Json::String(name) if FILE_KEYS.contains(&key) => names.push(name),
        Json::Array(entries) => entries.iter().for_each(|entry| collect_files(key, entry, names)),
        Json::Object(table) => {
            table.iter().for_each(|(key, value)| collect_files(key, value, names));
        }
        _ => {}
    }
}

fn apply(change: &Change, draft: &mut Draft) -> Result<(), TextError> {
    match change {
        Change::Set { at, value } => draft.set(at, value),
        Change::Add { to, value } => draft.add(to, value),
        Change::Remove { at } => draft.remove(at),
    }
}
