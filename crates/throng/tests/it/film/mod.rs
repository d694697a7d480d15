//! Films of recordings, through the files that are written.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod file;

use std::path::Path;

use file::File;
use glam::{Vec3, Vec3Swizzles};
use throng::bodies::{Cast, Member, PersonLook, SoleTracker};
use throng::film::{
    FilmError, FilmOptions, Motions, PlayOptions, Playback, Recorded, Selection, Skate, Tracked,
    smoothed, write_bvh, write_glb,
};
use throng::motion::Landmark;
use throng::motion::files::bvh::ReadOptions;
use throng::recording::{Overwrite, Recorder, Recording, RecordingInfo};
use throng::{Engine, Scene};

use crate::common::SHARED_FROM;

/// People who cross a room with a pillar, some of whom come and go.
const ROOM: &str = r#"
format = 1
[simulation]
duration = 6
seed = 4
[world]
bounds = [[-6, -6], [6, 6]]
[[obstacles]]
circle = { center = [0, 0], radius = 0.6 }
[[regions]]
name = "floor"
rectangle = [[-5, -5], [5, 5]]
[[regions]]
name = "door"
rectangle = [[4, -2], [5.5, 2]]
[[groups]]
name = "visitors"
goals = [{ seek = { random = "floor" } }]
then = "repeat"
crowds = [{ count = 6, region = "floor" }]
[[groups]]
name = "guests"
goals = [{ flow = [-1, 0], duration = 1.5 }, { seek = "door" }]
then = "leave"
sources = [{ region = "door", rate = 1 }]
"#;

struct Room {
    folder: tempfile::TempDir,
}

impl Room {
    fn new() -> Self {
        Self::of(ROOM)
    }

    /// People whose velocities jump, as models without limits of acceleration have them.
    fn of_jerky_people() -> Self {
        let without = r#"steering = { acceleration_limit = 0 }"#;
        Self::of(&ROOM.replace("[[groups]]", &format!("[[groups]]\n{without}")))
    }

    fn of(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let scene = Scene::parse("room.toml", text, Path::new(".")).unwrap();
        let mut engine = Engine::new(scene).unwrap();
        let path = folder.path().join("room.parquet");
        let info = RecordingInfo::of_scene(engine.scene());
        let mut recorder = Recorder::create(path, info, Overwrite::No).unwrap();
        engine.run(Some(&mut recorder), |_| true).unwrap();
        recorder.finish().unwrap();
        Self { folder }
    }

    fn recording(&self) -> Recording {
        Recording::open(self.folder.path().join("room.parquet")).unwrap()
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }
}

fn person<'c>(cast: &'c Cast, member: &Member) -> &'c PersonLook {
    cast.looks()[member.role.look].as_person().expect("a person")
}

fn options() -> FilmOptions {
    let play = PlayOptions { looks: 3, fps: 25.0, ..PlayOptions::default() };
    FilmOptions { play, ..FilmOptions::default() }
}

#[test]
fn a_file_shows_everybody_where_they_were_with_feet_that_stand() {
    let room = Room::new();
    let mut recording = room.recording();
    let scene = recording.scene().unwrap();
    let (path, options) = (room.path("room.glb"), options());
    let tracks = smoothed(&mut recording, &options.play).unwrap();
    let mut motions = Tracked::new(&tracks);
    let filmed = write_glb(&mut motions, Some(&scene), &path, &options, |_| true).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(filmed.bytes, bytes.len() as u64);
    assert!(filmed.fidelity.skate.frame_mm.p95 < 0.5, "{:?}", filmed.fidelity.skate);
    let file = File::parse(&bytes);
    assert!(file.node("floor").is_some() && file.node("walls").is_some());

    let mut motions = Tracked::new(&tracks);
    let mut playback = Playback::new(&mut motions, None, &options.play).unwrap();
    let cast = playback.cast().clone();
    let mut tracker = SoleTracker::of(playback.ensemble());
    let (mut seen, mut poses, mut slips) = (std::collections::BTreeMap::new(), 0, Vec::new());
    while playback.advance().unwrap() {
        let time = playback.film_time() as f32;
        for member in playback.members() {
            poses += 1;
            let node = file.node(&format!("person {}", member.id)).unwrap();
            assert!((file.scale(node, time) - member.role.scale).abs() < 1e-6);
            let foot = person(&cast, member).human.proportions().foot;
            let soles = tracker.soles(member).to_vec();
            for (side, sole) in soles.into_iter().enumerate() {
                let points = sole.points();
                let sole = [points[0], points[3], points[points.len() - 1]];
                let [ankle, toes] = [
                    [Landmark::LeftFoot, Landmark::LeftToes],
                    [Landmark::RightFoot, Landmark::RightToes],
                ][side];
                let at = |joint: Landmark, point: Vec3| {
                    let joint = file.below(node, &format!("{joint:?}")).unwrap();
                    file.transform(joint, time).transform_point3(point)
                };
                let shown = [
                    at(ankle, Vec3::new(0.0, -foot.ankle_height, -foot.heel)),
                    at(toes, Vec3::ZERO) - member.role.scale * foot.ball_height * Vec3::Y,
                    at(toes, Vec3::new(0.0, -foot.ball_height, foot.toes)),
                ];
                for (shown, played) in shown.iter().zip(sole) {
                    assert!(shown.distance(played) < 4e-4, "{shown} is not {played}");
                }
                // What stands in the file stands as well as it was played.
                let stands = tracker.stands(member, side);
                let before = seen.insert((member.id, side), (time, stands, [shown, sole]));
                if let Some((then, true, [old_shown, old_sole])) = before
                    && stands
                    && time - then < 0.05
                {
                    let least = |a: [Vec3; 3], b: [Vec3; 3]| {
                        let moved = a.iter().zip(b).map(|(a, b)| (*a - b).xz().length());
                        moved.fold(f32::INFINITY, f32::min)
                    };
                    let played = least(old_sole, sole);
                    let slip = least(old_shown, shown);
                    assert!(slip < played + 5e-4, "{slip} instead of {played}");
                    slips.push(slip);
                }
            }
        }
    }
    assert_eq!(poses, filmed.fidelity.poses);
    slips.sort_by(f32::total_cmp);
    assert!(slips.len() > 500 && slips[slips.len() * 95 / 100] < 1e-3, "{:?}", slips.last());
    let people: std::collections::BTreeSet<u32> = seen.keys().map(|(id, _)| *id).collect();
    assert_eq!(people.len() as u64, filmed.people);
    // Who came later was not there at first, and who has left is gone.
    for id in people {
        let node = file.node(&format!("person {id}")).unwrap();
        let last = seen[&(id, 0)].0;
        let leaves = f64::from(last) + 0.1 < filmed.duration;
        assert_eq!(file.scale(node, last + 0.1) == 0.0, leaves, "person {id}");
    }
    // Fewer keys than if everything had one in each frame, and all that are told.
    let most = poses as usize * (3 + cast.looks()[0].skeleton().len());
    assert!(file.keys() < most * 7 / 10, "{} of {most}", file.keys());
    assert!(file.keys() as u64 >= filmed.keys);
}

#[test]
fn a_part_of_the_time_and_of_the_people_can_be_chosen() {
    let room = Room::new();
    let mut recording = room.recording();
    let film = |recording: &mut Recording, play: PlayOptions| {
        let options = FilmOptions { play, scenery: false, overwrite: Overwrite::Yes };
        let path = room.path("part.glb");
        let mut motions = Recorded::new(recording);
        let filmed = write_glb(&mut motions, None, &path, &options, |_| true)?;
        Ok::<_, FilmError>((filmed, File::parse(&std::fs::read(path).unwrap())))
    };
    let usual = options().play;
    let play = PlayOptions {
        from: Some(1.0),
        until: Some(3.0),
        people: Selection::First(2),
        ..usual.clone()
    };
    let (filmed, file) = film(&mut recording, play).unwrap();
    assert_eq!((filmed.people, filmed.frames, filmed.begin), (2, 51, 1.0));
    assert!(file.node("floor").is_none());
    let these = Selection::These([1, 3].into());
    let (filmed, file) =
        film(&mut recording, PlayOptions { people: these, ..usual.clone() }).unwrap();
    assert_eq!(filmed.people, 2);
    assert!(file.node("person 1").is_some() && file.node("person 3").is_some());

    for (play, expected) in [
        (PlayOptions { fps: 0.0, ..usual.clone() }, "0 frames per second"),
        (PlayOptions { fps: f64::NAN, ..usual.clone() }, "NaN frames per second"),
        (PlayOptions { from: Some(9.0), ..usual.clone() }, "people are there from 0 s until 6 s"),
        (PlayOptions { looks: 0, ..usual.clone() }, "at least one look"),
    ] {
        let error = film(&mut recording, play).err().unwrap().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn an_interrupted_film_leaves_nothing_behind() {
    let room = Room::new();
    let mut recording = room.recording();
    let mut motions = Recorded::new(&mut recording);
    let stop = |progress: throng::film::FilmProgress| progress.done < 20;
    let error = write_glb(&mut motions, None, &room.path("a.glb"), &options(), stop);
    assert!(matches!(error, Err(FilmError::Interrupted)));
    let files: Vec<_> = std::fs::read_dir(room.folder.path()).unwrap().collect();
    assert_eq!(files.len(), 1, "{files:?}");
}

#[test]
fn the_same_film_has_the_same_bytes_whatever_the_number_of_threads() {
    let room = Room::of(&ROOM.replace("count = 6", &format!("count = {SHARED_FROM}")));
    let film = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let path = room.path(&format!("{threads}.glb"));
        pool.install(|| {
            let mut recording = room.recording();
            let mut motions = Recorded::new(&mut recording);
            write_glb(&mut motions, None, &path, &options(), |_| true).unwrap();
        });
        std::fs::read(path).unwrap()
    };
    assert!(film(1) == film(3));
}

#[test]
fn people_have_motion_files_of_their_own_size() {
    let room = Room::new();
    let mut recording = room.recording();
    let mut motions = Recorded::new(&mut recording);
    let filmed =
        write_bvh(&mut motions, None, (&room.path("people"), false), &options(), |_| true).unwrap();
    assert!(filmed.files.len() > 8);
    let mut motions = Recorded::new(&mut recording);
    let mut playback = Playback::new(&mut motions, None, &options().play).unwrap();
    playback.advance().unwrap();
    let cast = playback.cast().clone();
    for member in playback.members() {
        let file = filmed.files.iter().find(|file| file.person == member.id).unwrap();
        let text = std::fs::read_to_string(&file.path).unwrap();
        assert_eq!(text.len() as u64, file.bytes);
        let read =
            throng::motion::files::bvh::read(text.as_bytes(), "person", &ReadOptions::default())
                .unwrap();
        let motion = &read.motion;
        assert_eq!(motion.frames(), file.frames);
        // The hips are where they were, and thighs as long as this person's.
        let hips = Vec3::from(motion.roots()[0]);
        assert!(hips.distance(member.world_pose().root.into()) < 1e-3);
        let knee = motion.skeleton().find("LeftLowerLeg").unwrap();
        let human = &person(&cast, member).human;
        let thigh = member.role.scale * human.proportions().thigh;
        assert!((motion.skeleton().bone_length(knee) - thigh).abs() < 1e-4);
    }
    let alone = FilmOptions {
        play: PlayOptions { people: Selection::These([99_999].into()), ..options().play },
        ..options()
    };
    let mut motions = Recorded::new(&mut recording);
    let nobody = write_bvh(&mut motions, None, (&room.path("a.bvh"), true), &alone, |_| true);
    assert!(nobody.err().unwrap().to_string().contains("nobody with that id"));
    assert!(!room.path("a.bvh").exists());
}

#[test]
fn plain_root_motion_skates_and_planted_feet_do_not() {
    let room = Room::new();
    let mut recording = room.recording();
    let tracks = smoothed(&mut recording, &options().play).unwrap();
    let report = |planted: bool| {
        let mut motions = Plain { inner: Tracked::new(&tracks), planted };
        let mut playback = Playback::new(&mut motions, None, &options().play).unwrap();
        let mut skate = Skate::of(playback.ensemble());
        while playback.advance().unwrap() {
            skate.watch(playback.members(), playback.time(), playback.interval() as f32);
        }
        skate.finish()
    };
    let (planted, plain) = (report(true), report(false));
    assert!(planted.frame_mm.p95 < 0.5, "{:?}", planted.frame_mm);
    assert!(plain.frame_mm.p95 > 4.0 * planted.frame_mm.p95, "{:?}", plain.frame_mm);
    assert!(planted.worst.is_sorted_by(|a, b| a.slid_mm >= b.slid_mm));
    assert!(planted.stance_mm.count > 30);
}

/// People whose feet are planted or not.
struct Plain<'t> {
    inner: Tracked<'t>,
    planted: bool,
}

impl Motions for Plain<'_> {
    fn span(&self) -> (f64, f64) {
        self.inner.span()
    }

    fn targets(
        &mut self,
        time: f64,
        targets: &mut Vec<throng::bodies::MotionTarget>,
    ) -> Result<(), FilmError> {
        self.inner.targets(time, targets)?;
        targets.iter_mut().for_each(|target| target.planted = self.planted);
        Ok(())
    }
}

#[test]
fn smooth_tracks_are_near_the_recording_and_spare_feet_what_nobody_could_do() {
    let room = Room::of_jerky_people();
    let mut recording = room.recording();
    let play = PlayOptions { from: Some(2.0), until: Some(4.0), ..options().play };
    let tracks = smoothed(&mut recording, &play).unwrap();
    let mut off = Vec::new();
    for index in 20..=40 {
        let frame = recording.frame(index).unwrap();
        for (person, position) in frame.people.ids.iter().zip(&frame.people.positions) {
            let point = tracks.get(*person).unwrap().at(frame.time).unwrap();
            off.push(point.position.distance(*position));
        }
    }
    off.sort_by(f32::total_cmp);
    assert!(off[off.len() / 2] < 0.01 && off[off.len() - 1] < 0.4, "{:?}", off.last());
    let pulled = |motions: &mut dyn Motions| {
        let mut playback = Playback::new(motions, None, &options().play).unwrap();
        let mut skate = Skate::of(playback.ensemble());
        while playback.advance().unwrap() {
            skate.watch(playback.members(), playback.time(), playback.interval() as f32);
        }
        skate.finish().pulled
    };
    let raw = pulled(&mut Recorded::new(&mut recording));
    let all = smoothed(&mut recording, &options().play).unwrap();
    let smooth = pulled(&mut Tracked::new(&all));
    assert!(smooth < 0.6 * raw, "{smooth} and {raw}");
}
