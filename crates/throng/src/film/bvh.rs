//! Motion files of single people.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use throng_motion::files::bvh::{WriteOptions, write};
use throng_motion::{Joint, Motion, Pose, Skeleton};
use throng_world::Scene;

use super::playback::Playback;
use super::{FilmError, FilmOptions, FilmProgress, Motions, Skate, SkateReport};
use crate::bodies::Cast;
use crate::place::{FileError, PartFile};

/// A motion file.
#[derive(Clone, Debug, PartialEq)]
pub struct BvhFile {
    /// The file.
    pub path: PathBuf,
    /// Whose motion it is.
    pub person: u32,
    /// When its first frame is in the source's time, s.
    pub begin: f64,
    /// How many frames it has.
    pub frames: usize,
    /// Its length in bytes.
    pub bytes: u64,
}

/// What was written.
#[derive(Clone, Debug, PartialEq)]
pub struct BvhFilmed {
    /// The files, by person and time.
    pub files: Vec<BvhFile>,
    /// Frames per second.
    pub fps: f64,
    /// How well feet stand.
    pub skate: SkateReport,
}

/// Writes the motion of everybody of `motions` to a file of their own, in centimetres, in `folder`, which is made if
/// it is not there: `person-12.bvh`, and `person-12-2.bvh` if they were away and came back. If `alone`, `folder` is
/// the one file to write, of the one person there is. Bodies stand on the ground of `scene`, if there is one.
///
/// # Errors
///
/// As for [`write_glb`](super::write_glb); also if `alone` and there is nobody, or they come back.
pub fn write_bvh(
    motions: &mut dyn Motions,
    scene: Option<&Scene>,
    (folder, alone): (&Path, bool),
    options: &FilmOptions,
    mut progress: impl FnMut(FilmProgress) -> bool,
) -> Result<BvhFilmed, FilmError> {
    let mut playback = Playback::new(motions, scene, &options.play)?;
    let cast = playback.cast().clone();
    let mut skate = Skate::of(playback.ensemble());
    let interval = playback.interval();
    let mut taken: BTreeMap<u32, Strip> = BTreeMap::new();
    let mut output = Output { folder, alone, options, files: Vec::new(), parts: Vec::new() };
    output.begin()?;
    while playback.advance()? {
        let time = playback.time();
        skate.watch(playback.members(), time, interval as f32);
        for member in playback.members() {
            let strip = taken.entry(member.id).or_insert_with(|| Strip {
                begin: time,
                skeleton: larger(&cast, member.role.look, member.role.scale),
                poses: Vec::new(),
                seen: time,
            });
            strip.poses.push(member.world_pose());
            strip.seen = time;
        }
        let gone = |strip: &Strip| time - strip.seen > 0.5 * interval;
        let ids: Vec<u32> =
            taken.iter().filter(|(_, strip)| gone(strip)).map(|(id, _)| *id).collect();
        for id in ids {
            if let Some(strip) = taken.remove(&id) {
                output.write(id, strip)?;
            }
        }
        let (done, total) = (playback.played().into(), playback.frames().into());
        if !progress(FilmProgress { done, total }) {
            return Err(FilmError::Interrupted);
        }
    }
    for (id, strip) in taken {
        output.write(id, strip)?;
    }
    let fps = options.play.fps;
    Ok(BvhFilmed { files: output.finish()?, fps, skate: skate.finish() })
}

/// Somebody's frames without interruption.
struct Strip {
    begin: f64,
    skeleton: Arc<Skeleton>,
    poses: Vec<Pose>,
    seen: f64,
}

/// Files that get their names when all are written.
struct Output<'a> {
    folder: &'a Path,
    alone: bool,
    options: &'a FilmOptions,
    files: Vec<BvhFile>,
    parts: Vec<PartFile>,
}

impl Output<'_> {
    fn begin(&self) -> Result<(), FilmError> {
        if self.alone {
            crate::place::place_for(self.folder, self.options.overwrite)?;
            return Ok(());
        }
        fs::create_dir_all(self.folder).map_err(FileError::io("make the folder", self.folder))?;
        Ok(())
    }

    fn write(&mut self, person: u32, strip: Strip) -> Result<(), FilmError> {
        let earlier = self.files.iter().filter(|file| file.person == person).count();
        let path = match (self.alone, earlier) {
            (true, 0) if self.files.is_empty() => self.folder.to_owned(),
            (true, _) => {
                return Err(FilmError::Options(format!(
                    "person {person} is away for a while, which a BVH file cannot show; write one stretch with \
                     --from and --until, or all into a folder without --person"
                )));
            }
            (false, 0) => self.folder.join(format!("person-{person}.bvh")),
            (false, _) => self.folder.join(format!("person-{person}-{}.bvh", earlier + 1)),
        };
        let rate = self.options.play.fps as f32;
        let name = format!("person {person}");
        let frames = strip.poses.len();
        let motion = Motion::from_poses(name, strip.skeleton, rate, &strip.poses)?;
        let text = write(&motion, &WriteOptions::default())?;
        let (part, mut file) = PartFile::create(&path, self.options.overwrite)?;
        file.write_all(text.as_bytes()).map_err(FileError::write(&path))?;
        let (begin, bytes) = (strip.begin, text.len() as u64);
        self.files.push(BvhFile { path, person, begin, frames, bytes });
        self.parts.push(part);
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<BvhFile>, FilmError> {
        if self.alone && self.files.is_empty() {
            return Err(FilmError::Options("there is nobody with that id at that time".into()));
        }
        for part in self.parts {
            part.publish()?;
        }
        self.files.sort_by(|a, b| a.person.cmp(&b.person).then(a.begin.total_cmp(&b.begin)));
        Ok(self.files)
    }
}

/// The skeleton of a look at somebody's size.
fn larger(cast: &Cast, look: usize, scale: f32) -> Arc<Skeleton> {
    let skeleton = cast.looks()[look].skeleton();
    let joints: Vec<Joint> = skeleton
        .joints()
        .iter()
        .map(|joint| Joint { translation: scale * joint.translation, ..joint.clone() })
        .collect();
    match Skeleton::new(joints, *skeleton.landmarks()) {
        Ok(larger) => Arc::new(larger),
        // A tree stays one at any size.
        Err(_) => skeleton.clone(),
    }
}
