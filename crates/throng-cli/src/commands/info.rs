//! `throng info`.

use std::fmt;

use indicatif::{DecimalBytes, HumanCount};
use serde::Serialize;
use throng::bodies::MotionTarget;
use throng::film::{
    CloneReport, Clones, FilmError, FilmProgress, Motions, PlayOptions, Playback, Recorded, Skate,
    SkateReport, dressed,
};
use throng::recording::{Recording, recover};
use throng_eval::line::Trim;
use throng_eval::recorded_scene;

use super::film::{bar, spread};
use super::measure::{Measured, summaries};
use crate::args::InfoArguments;
use crate::failure::Failure;
use crate::report;

/// Tells what is in a recording, after repairing it if asked to.
pub fn run(arguments: &InfoArguments) -> Result<(), Failure> {
    let path = &arguments.recording;
    if arguments.skate {
        if arguments.repair {
            let message = "--skate and --repair are two things; do one after the other";
            return Err(Failure::Input(message.into()));
        }
        let skating = Skating::measure(Recording::open(path)?)?;
        return arguments.format.print(&skating);
    }
    if arguments.clones {
        let twins = Lookalikes::find(Recording::open(path)?)?;
        return arguments.format.print(&twins);
    }
    let repaired = if arguments.repair { recover(path)?.bytes_dropped } else { 0 };
    let facts = Facts::read(Recording::open(path)?, repaired)?;
    arguments.format.print(&facts)
}

/// What is in a recording.
#[derive(Serialize)]
struct Facts {
    file: String,
    scene: String,
    /// Where tracks come from that were not simulated.
    imported_from: Option<String>,
    seed: u64,
    step: f64,
    record_every: u32,
    frames: u32,
    duration: f64,
    people: u64,
    groups: Vec<GroupFacts>,
    floors: Vec<String>,
    rows: u64,
    row_groups: usize,
    bytes: u64,
    version: String,
    /// What the recorded scene asks to be measured; `None` if it cannot be read without its files.
    measured: Option<Measured>,
    /// Whether the end of the file is torn and was left out.
    recovered: bool,
    unfinished_bytes: u64,
    repaired_bytes: u64,
}

#[derive(Serialize)]
struct GroupFacts {
    name: String,
    people: u32,
}

impl Facts {
    fn read(mut recording: Recording, repaired_bytes: u64) -> Result<Self, Failure> {
        let counts = recording.people_per_group()?;
        let measured = match recorded_scene(&recording) {
            Ok(scene) if !scene.measurements.is_empty() => {
                let measured = summaries(&mut recording, &scene, Trim::default())?;
                Some(Measured::new(None, measured))
            }
            _ => None,
        };
        let info = recording.info();
        let names = info.groups.iter().map(|group| group.name.clone());
        Ok(Self {
            file: recording.path().display().to_string(),
            scene: info.scene_name.clone(),
            imported_from: info.imported_from.clone(),
            seed: info.seed,
            step: info.step,
            record_every: info.record_every,
            frames: recording.frame_count(),
            duration: recording.duration(),
            people: counts.iter().copied().map(u64::from).sum(),
            groups: names.zip(counts).map(|(name, people)| GroupFacts { name, people }).collect(),
            floors: info.layers.iter().map(|layer| layer.name.clone()).collect(),
            rows: recording.row_count(),
            row_groups: recording.row_group_count(),
            bytes: recording.bytes(),
            version: recording.version().to_owned(),
            measured,
            recovered: recording.recovered(),
            unfinished_bytes: recording.bytes_dropped(),
            repaired_bytes,
        })
    }
}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let interval = report::seconds(self.step * f64::from(self.record_every));
        writeln!(f, "{}", self.file)?;
        match &self.imported_from {
            Some(tracks) => writeln!(f, "  tracks   {tracks}")?,
            None => writeln!(f, "  scene    {}, seed {}", self.scene, self.seed)?,
        }
        writeln!(f, "  time     {} in steps of {} s", report::seconds(self.duration), self.step)?;
        writeln!(f, "  frames   {}, one every {interval}", HumanCount(self.frames.into()))?;
        writeln!(f, "  people   {}", HumanCount(self.people))?;
        for group in &self.groups {
            writeln!(f, "           {} {}", HumanCount(group.people.into()), group.name)?;
        }
        writeln!(f, "  floors   {}", self.floors.join(", "))?;
        let groups = report::counted(self.row_groups as u64, "row group", "row groups");
        writeln!(f, "  rows     {} in {groups}", HumanCount(self.rows))?;
        writeln!(f, "  size     {}", DecimalBytes(self.bytes))?;
        write!(f, "  writer   Throng {}", self.version)?;
        if let Some(measured) = &self.measured {
            write!(f, "\n  measured{}", format!("{measured}").replace('\n', "\n         "))?;
        }
        self.fmt_end(f)
    }
}

impl Facts {
    /// Whether the end of the file is, or was, unfinished.
    fn fmt_end(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.repaired_bytes > 0 {
            let bytes = DecimalBytes(self.repaired_bytes);
            write!(f, "\n  repaired {bytes} of an unfinished end are cut off")?;
        }
        if self.recovered {
            let (bytes, file) = (DecimalBytes(self.unfinished_bytes), &self.file);
            write!(f, "\n  torn     {bytes} more, as the writer was interrupted or is at work")?;
            write!(f, "\n           if it was interrupted, run: throng info --repair {file}")?;
        }
        Ok(())
    }
}

/// How far feet slide of bodies that follow a recording.
#[derive(Serialize)]
struct Skating {
    file: String,
    fps: f64,
    /// With feet that are planted.
    planted: SkateReport,
    /// With clips that are played at the pace of whoever moves, and nothing else.
    plain: SkateReport,
}

impl Skating {
    fn measure(mut recording: Recording) -> Result<Self, Failure> {
        let fps = 25.0;
        let mut options =
            PlayOptions { fps, seed: recording.info().seed, ..PlayOptions::default() };
        let file = recording.path().display().to_string();
        let scene = recording.scene().ok();
        options.wardrobe = Some(dressed(&mut recording, scene.as_ref(), &options)?);
        let [planted, plain] = [true, false].map(|planted| {
            let mut motions = Feet { motions: Recorded::new(&mut recording), planted };
            let mut playback = Playback::new(&mut motions, scene.as_ref(), &options)?;
            let mut skate = Skate::of(playback.ensemble());
            let mut bar = bar();
            while playback.advance()? {
                skate.watch(playback.members(), playback.time(), playback.interval() as f32);
                let (done, total) = (playback.played().into(), playback.frames().into());
                bar(FilmProgress { done, total });
            }
            Ok::<_, FilmError>(skate.finish())
        });
        Ok(Self { file, fps, planted: planted?, plain: plain? })
    }
}

/// A recording's people, whose feet are planted or not.
struct Feet<'r> {
    motions: Recorded<'r>,
    planted: bool,
}

impl Motions for Feet<'_> {
    fn span(&self) -> (f64, f64) {
        self.motions.span()
    }

    fn targets(&mut self, time: f64, targets: &mut Vec<MotionTarget>) -> Result<(), FilmError> {
        self.motions.targets(time, targets)?;
        targets.iter_mut().for_each(|target| target.planted = self.planted);
        Ok(())
    }
}

impl fmt::Display for Skating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: how far feet slide that stand, mm", self.file)?;
        writeln!(f, "  in 1/25 s         {}", spread(&self.planted.frame_mm))?;
        writeln!(f, "  not planted       {}", spread(&self.plain.frame_mm))?;
        writeln!(f, "  in a stance       {}", spread(&self.planted.stance_mm))?;
        writeln!(f, "  not planted       {}", spread(&self.plain.stance_mm))?;
        let percent = |share: f64| 100.0 * share;
        let SkateReport { dragged, pulled, pivoting, .. } = self.planted;
        let [dragged, pulled, pivoting] = [dragged, pulled, pivoting].map(percent);
        write!(
            f,
            "  {dragged:.2} % of standing feet are dragged (1 mm in 1/25 s), {pivoting:.2} % pivot; \
             {pulled:.2} % of bodies are pulled after their track"
        )?;
        for stance in &self.planted.worst {
            let [x, y] = stance.place;
            write!(
                f,
                "\n  {:6.1} mm  person {}, {} foot, {:.2} to {:.2} s at {x:.1}, {y:.1}; up to {:.1} mm in 1/25 s, \
                 turned {:.0}°",
                stance.slid_mm,
                stance.person,
                stance.foot,
                stance.begin,
                stance.end,
                stance.frame_mm,
                stance.turned_degrees
            )?;
        }
        Ok(())
    }
}

/// Who looks and walks like somebody near them.
#[derive(Serialize)]
struct Lookalikes {
    file: String,
    #[serde(flatten)]
    found: CloneReport,
}

impl Lookalikes {
    fn find(mut recording: Recording) -> Result<Self, Failure> {
        let seed = recording.info().seed;
        let mut options = PlayOptions { fps: 10.0, seed, ..PlayOptions::default() };
        let file = recording.path().display().to_string();
        let scene = recording.scene().ok();
        options.wardrobe = Some(dressed(&mut recording, scene.as_ref(), &options)?);
        let mut motions = Recorded::new(&mut recording);
        let mut playback = Playback::new(&mut motions, scene.as_ref(), &options)?;
        let (mut clones, mut bar) = (Clones::default(), bar());
        while playback.advance()? {
            let (cast, members) = (playback.cast(), playback.members());
            clones.watch(cast, members, playback.time(), playback.interval());
            let (done, total) = (playback.played().into(), playback.frames().into());
            bar(FilmProgress { done, total });
        }
        Ok(Self { file, found: clones.finish() })
    }
}

impl fmt::Display for Lookalikes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CloneReport { pairs, clones, worst, .. } = &self.found;
        writeln!(f, "{}: who looks and walks like somebody within 5 m", self.file)?;
        write!(f, "  clones   {:.3} % of {} pairs", 100.0 * clones, HumanCount(*pairs))?;
        for twins in worst {
            let ([a, b], [x, y]) = (twins.pair.people, twins.pair.place);
            write!(
                f,
                "\n  {:.3}    {a} and {b}, {:.1} m apart at {:.1} s near {x:.1}, {y:.1}; looks {:.2}, in step {:.2}, \
                 {:.1} s in all",
                twins.pair.cost,
                twins.pair.distance,
                twins.time,
                twins.pair.sameness,
                twins.pair.in_step,
                twins.score
            )?;
        }
        Ok(())
    }
}
