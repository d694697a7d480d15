//! A crowd as an animated scene in a binary glTF file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use glam::{Quat, Vec3};
use throng_motion::Detail;
use throng_motion::files::Body;
use throng_motion::files::gltf::{CrowdWriter, Keys, Person, WriteError, WriteOptions};
use throng_world::Scene;

use super::fidelity::{Fidelity, Judge};
use super::playback::Playback;
use super::reduce::Reducer;
use super::{FilmError, FilmOptions, FilmProgress, Motions, scenery};
use crate::bodies::{Look, Member};
use crate::place::{FileError, PartFile};

/// How far legs may be off, in radians: as much as 16 bits resolve. What moves a planted foot is not
/// thinned out where it moves.
const LEG_TOLERANCE: f32 = 5e-5;
/// How far body space may be off, m: what moves all of somebody moves their feet.
const PLACE_TOLERANCE: f32 = 2e-5;
/// How far all above the hips may be off, in radians: half a millimetre at the end of an arm.
const UPPER_TOLERANCE: f32 = 8e-4;
/// Who was away for longer is somebody else when they come back, s, so that they can be written.
const PATIENCE: f64 = 10.0;
/// Who moves further than this and faster than anybody within a frame was put there, m and m/s.
const JUMP: (f32, f32) = (0.8, 10.0);

/// What was filmed.
#[derive(Clone, Debug, PartialEq)]
pub struct Filmed {
    /// The file.
    pub path: PathBuf,
    /// How many people are in it.
    pub people: u64,
    /// Frames that were played.
    pub frames: u32,
    /// How many of them per second.
    pub fps: f64,
    /// When it begins in the source's time, s.
    pub begin: f64,
    /// How long it is, s.
    pub duration: f64,
    /// Keys of all joints and places that were needed.
    pub keys: u64,
    /// Length of the file.
    pub bytes: u64,
    /// How well bodies did what they should.
    pub fidelity: Fidelity,
}

/// Writes everybody of `motions`, with bodies, to a `.glb` file; with floor and walls of `scene` if there is one
/// and the options want them. `progress` is called after every frame; on `false` the film ends and
/// leaves nothing behind.
///
/// # Errors
///
/// If the source cannot be read, nothing can be played with these options, or the file cannot be written.
pub fn write_glb(
    motions: &mut dyn Motions,
    scene: Option<&Scene>,
    path: &Path,
    options: &FilmOptions,
    mut progress: impl FnMut(FilmProgress) -> bool,
) -> Result<Filmed, FilmError> {
    // What is in the way is better said before the work than after it.
    let (part, _) = PartFile::create(path, options.overwrite)?;
    let mut playback = Playback::new(motions, scene, &options.play)?;
    let cast = playback.cast().clone();
    let bodies: Result<Vec<Body>, _> = cast
        .looks()
        .iter()
        .enumerate()
        .map(|(index, look)| look.body(format!("look {}", index + 1), Detail::Full))
        .collect();
    let bodies = bodies?;
    let tolerances: Vec<Vec<f32>> = cast.looks().iter().map(tolerances).collect();
    let write_options = WriteOptions { compact: true, ..WriteOptions::default() };
    let frames = playback.frames();
    let failed = |frame: u32| {
        move |error: WriteError| match error {
            WriteError::TooLarge => {
                FilmError::TooLarge { path: path.into(), frames: frame, of: frames }
            }
            WriteError::Unwritable { reason, .. } => FileError::write(path)(reason).into(),
            error => FilmError::Gltf(error),
        }
    };
    let mut reel = Reel {
        writer: CrowdWriter::new(&bodies, &write_options, part.hidden()).map_err(failed(0))?,
        actors: BTreeMap::new(),
        takes: BTreeMap::new(),
        people: 0,
    };
    if let Some(scene) = scene.filter(|_| options.scenery) {
        for piece in scenery(scene) {
            reel.writer.add_scenery(&piece).map_err(failed(0))?;
        }
    }
    let mut judge = Judge::of(&playback);
    let interval = playback.interval();
    while playback.advance()? {
        let time = playback.film_time();
        judge.watch(&playback);
        for member in playback.members() {
            reel.take(member, time, interval, &tolerances);
        }
        reel.release(time).map_err(failed(playback.played()))?;
        let (done, total) = (playback.played().into(), frames.into());
        if !progress(FilmProgress { done, total }) {
            return Err(FilmError::Interrupted);
        }
    }
    let (begin, fps) = (playback.begin(), options.play.fps);
    let (people, keys) = reel.finish(playback.film_time()).map_err(failed(frames))?;
    Ok(Filmed {
        path: path.into(),
        people,
        frames,
        fps,
        begin,
        duration: f64::from(frames - 1) / fps,
        keys,
        bytes: part.publish()?,
        fidelity: judge.finish(),
    })
}

/// How far each joint may be off: those that carry feet hardly.
fn tolerances(look: &Look) -> Vec<f32> {
    let skeleton = look.skeleton();
    let mut tolerances = vec![UPPER_TOLERANCE; skeleton.len()];
    for point in look.rig().feet().iter().flat_map(|foot| &foot.sole) {
        for joint in skeleton.lineage(point.joint) {
            tolerances[joint.index()] = LEG_TOLERANCE;
        }
    }
    tolerances
}

/// People on their way into a file.
struct Reel<'a> {
    writer: CrowdWriter<'a>,
    actors: BTreeMap<u32, Actor>,
    /// How many times people were written who came back after a long time.
    takes: BTreeMap<u32, u32>,
    people: u64,
}

/// Somebody's keys so far.
struct Actor {
    person: Person,
    places: Reducer<Vec3>,
    turns: Reducer<Quat>,
    roots: Reducer<Vec3>,
    rotations: Vec<Reducer<Quat>>,
    shown: Vec<(f32, f32)>,
    /// Where they were in the last frame, and when that was.
    last: (Vec3, f64),
}

impl Reel<'_> {
    fn take(&mut self, member: &Member, time: f64, interval: f64, tolerances: &[Vec<f32>]) {
        let actor = self
            .actors
            .entry(member.id)
            .or_insert_with(|| Actor::new(member, &tolerances[member.role.look]));
        actor.play(member, time, interval);
    }

    /// Writes those who have been away for long.
    fn release(&mut self, time: f64) -> Result<(), WriteError> {
        let gone = |actor: &Actor| time - actor.last.1 > PATIENCE;
        let ids: Vec<u32> =
            self.actors.iter().filter(|(_, actor)| gone(actor)).map(|(id, _)| *id).collect();
        ids.into_iter().try_for_each(|id| self.write(id))
    }

    fn write(&mut self, id: u32) -> Result<(), WriteError> {
        let Some(actor) = self.actors.remove(&id) else { return Ok(()) };
        let take = self.takes.entry(id).or_default();
        *take += 1;
        let mut person = actor.person.clone();
        if *take > 1 {
            person.name = format!("{} again {}", person.name, *take - 1);
        } else {
            self.people += 1;
        }
        self.writer.add_person(&person, &actor.keys())
    }

    fn finish(mut self, end: f64) -> Result<(u64, u64), WriteError> {
        for actor in self.actors.values_mut().filter(|actor| actor.last.1 >= end) {
            // Who is there in the last frame does not vanish with it.
            if let Some(shown) = actor.shown.last_mut() {
                shown.1 = f32::INFINITY;
            }
        }
        let ids: Vec<u32> = self.actors.keys().copied().collect();
        ids.into_iter().try_for_each(|id| self.write(id))?;
        let keys = self.writer.keys();
        self.writer.finish()?;
        Ok((self.people, keys))
    }
}

impl Actor {
    fn new(member: &Member, tolerances: &[f32]) -> Self {
        let role = &member.role;
        Self {
            person: Person {
                name: format!("person {}", member.id),
                body: role.look,
                scale: role.scale,
                palette: Some(role.palette()),
            },
            places: Reducer::new(PLACE_TOLERANCE),
            turns: Reducer::new(LEG_TOLERANCE),
            roots: Reducer::new(PLACE_TOLERANCE),
            rotations: tolerances.iter().map(|tolerance| Reducer::new(*tolerance)).collect(),
            shown: Vec::new(),
            last: (Vec3::ZERO, f64::NEG_INFINITY),
        }
    }

    fn play(&mut self, member: &Member, time: f64, interval: f64) {
        let placement = member.placement();
        let (place, at) = (placement.translation, time as f32);
        let was_there = time - self.last.1 < 1.5 * interval;
        if !was_there {
            self.cut();
            self.shown.push((at, at));
        } else if place.distance(self.last.0) > JUMP.0 + JUMP.1 * interval as f32 {
            // They are where they were until the very last moment.
            let until = (time - (0.25 * interval).min(1e-3)) as f32;
            self.places.hold(until);
            self.turns.hold(until);
        }
        // They are seen until the next frame is due.
        if let Some(shown) = self.shown.last_mut() {
            shown.1 = (time + interval) as f32;
        }
        self.places.push(at, place);
        self.turns.push(at, Quat::from_rotation_y(placement.yaw));
        self.roots.push(at, member.pose.root.into());
        for (keys, rotation) in self.rotations.iter_mut().zip(&member.pose.rotations) {
            keys.push(at, *rotation);
        }
        self.last = (place, time);
    }

    fn cut(&mut self) {
        self.places.cut();
        self.turns.cut();
        self.roots.cut();
        self.rotations.iter_mut().for_each(Reducer::cut);
    }

    fn keys(self) -> Keys {
        Keys {
            places: self.places.finish(),
            turns: self.turns.finish(),
            roots: self.roots.finish(),
            rotations: self.rotations.into_iter().map(Reducer::finish).collect(),
            shown: self.shown,
        }
    }
}
