//! Recordings to export and files to import.

use std::path::{Path, PathBuf};

use glam::Vec2;
use tempfile::TempDir;
use throng::Scene;
use throng::exchange::{
    ExchangeError, ExportFormat, ExportOptions, Exported, ImportOptions, Imported, export, import,
};
use throng::recording::{Frame, Overwrite, Person, Recorder, Recording, RecordingInfo, Status};
use throng_world::scene::{GroupId, LayerId};

/// A hall with two pillars that overlap, a kiosk at the rim, and a gallery above.
pub const HALL: &str = r#"
format = 1
name = "Hall"
[world]
bounds = [[-10, -10], [10, 10]]
[[layers]]
name = "hall"
[[layers]]
name = "gallery"
elevation = 4
[[obstacles]]
box = { center = [0, 0], size = [2, 2] }
[[obstacles]]
box = { center = [1, 0], size = [2, 2] }
[[obstacles]]
box = { center = [10, 5], size = [2, 2] }
[[regions]]
name = "anywhere"
rectangle = [[-9, -9], [9, -2]]
[[groups]]
name = "visitors, \"regular\""
crowds = [{ count = 1, region = "anywhere" }]
[[groups]]
name = "guests"
crowds = [{ count = 1, region = "anywhere" }]
"#;

/// The hall without the gallery.
pub fn one_floor() -> String {
    HALL.replace("[[layers]]\nname = \"gallery\"\nelevation = 4\n", "")
}

pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// The names of all files, hidden ones too.
    pub fn files(&self) -> Vec<String> {
        let name = |entry: std::fs::DirEntry| entry.file_name().into_string().unwrap();
        let mut names: Vec<String> =
            std::fs::read_dir(self.0.path()).unwrap().map(|entry| name(entry.unwrap())).collect();
        names.sort();
        names
    }

    /// Records `frames` as a simulation of `scene`, in `hall.parquet`.
    pub fn record(&self, scene: &str, frames: &[Frame]) -> Recording {
        let scene = Scene::parse_plan("hall.toml", scene).unwrap();
        self.record_as(RecordingInfo::of_scene(&scene), frames)
    }

    pub fn record_as(&self, info: RecordingInfo, frames: &[Frame]) -> Recording {
        let path = self.path("hall.parquet");
        let mut recorder = Recorder::create(&path, info, Overwrite::Yes).unwrap();
        frames.iter().for_each(|frame| recorder.push(frame).unwrap());
        recorder.finish().unwrap();
        Recording::open(path).unwrap()
    }

    pub fn export(
        &self,
        recording: &mut Recording,
        name: &str,
        options: &ExportOptions,
    ) -> Result<Exported, ExchangeError> {
        export(recording, self.path(name), options, |_| true)
    }

    /// Imports the file called `name` to `out.parquet`, in place of what is there.
    pub fn import(&self, name: &str, options: &ImportOptions) -> Result<Imported, ExchangeError> {
        let options = ImportOptions { overwrite: Overwrite::Yes, ..options.clone() };
        import(self.path(name), self.path("out.parquet"), &options, |_| true)
    }

    /// The same for a file with this content; what goes wrong is given without the folder.
    pub fn import_text(
        &self,
        name: &str,
        content: impl AsRef<[u8]>,
        options: &ImportOptions,
    ) -> Result<Imported, String> {
        let path = self.write(name, content);
        let folder = format!("{}/", path.parent().unwrap().display());
        self.import(name, options).map_err(|error| error.to_string().replace(&folder, ""))
    }

    pub fn imported(&self) -> Recording {
        Recording::open(self.path("out.parquet")).unwrap()
    }
}

pub fn to(format: ExportFormat) -> ExportOptions {
    ExportOptions::new(format)
}

pub fn frames(recording: &mut Recording) -> Vec<Frame> {
    recording.frames().collect::<Result<_, _>>().unwrap()
}

/// People who walk about in the hall: not all of them all of the time, on `floors` floors.
pub fn walkers(count: u32, floors: u32) -> Vec<Frame> {
    let person = |index: u32, id: u32| {
        let angle = 0.37 * id as f32 + 0.02 * index as f32;
        let layer = id % floors;
        Person {
            id: 3 * id + 1,
            group: GroupId((id % 2) as u16),
            layer: LayerId(layer as u8),
            position: Vec2::from_angle(angle) * (3.5 + 0.013 * id as f32),
            height: 4.0 * layer as f32,
            heading: throng_base::frame::wrap_angle(angle + 1.5),
            velocity: Vec2::from_angle(angle).perp() * 0.7,
            radius: 0.2 + 0.001 * id as f32,
            status: if id.is_multiple_of(5) { Status::Blocked } else { Status::Walking },
            blocked_by: id.is_multiple_of(5).then_some(3 * id + 4),
        }
    };
    let frame = |index: u32| {
        let mut frame = Frame { index, time: f64::from(index) * 0.1, ..Frame::default() };
        let there = (0..12).filter(|id| (index + id) % 17 != 3);
        there.for_each(|id| frame.people.push(person(index, id)));
        frame
    };
    (0..count).map(frame).collect()
}

/// The rows of a query, with every value as text.
pub fn query(path: &Path, query: &str) -> Vec<Vec<String>> {
    use rusqlite::types::Value;
    let connection = rusqlite::Connection::open(path).unwrap();
    let mut statement = connection.prepare(query).unwrap();
    let columns = statement.column_count();
    let text = |value: Value| match value {
        Value::Text(text) => text,
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        other => format!("{other:?}"),
    };
    let rows = statement.query_map([], |row| {
        (0..columns).map(|column| row.get(column).map(text)).collect::<Result<Vec<_>, _>>()
    });
    rows.unwrap().map(Result::unwrap).collect()
}
