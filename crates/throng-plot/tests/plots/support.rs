//! Scenes and recordings to draw, and looking at what was drawn.

use glam::Vec2;
use tempfile::TempDir;
use throng::Scene;
use throng::base::Bounds;
use throng::recording::{Frame, Overwrite, Person, Recorder, Recording, RecordingInfo};
use throng_plot::draw::{Item, Page};
use throng_plot::{Figure, Format, Options, PlotError, plot_recording, plot_scene};

/// A scene with this text after `format` and `world`.
pub fn scene(bounds: [[f32; 2]; 2], rest: &str) -> Scene {
    let text = format!("format = 1\nname = \"Hall\"\nworld.bounds = {bounds:?}\n{rest}");
    Scene::parse("hall.toml", &text, ".".as_ref()).unwrap_or_else(|errors| panic!("{errors}"))
}

/// Two groups without people, who come one by one in recordings.
pub const GROUPS: &str = r##"
[[regions]]
name = "door"
rectangle = [[0.1, 0.1], [0.9, 0.9]]
[[groups]]
name = "visitors"
color = "#3b82c4"
sources = [{ region = "door", rate = 1 }]
[[groups]]
name = "staff"
color = "#e07b39"
sources = [{ region = "door", rate = 1 }]
"##;

/// A recording of `scene`, with as many frames as `frames` has, and the folder it is in.
pub fn record(scene: &Scene, frames: &[Vec<Person>]) -> (TempDir, Recording) {
    record_as(RecordingInfo::of_scene(scene), frames)
}

pub fn record_as(info: RecordingInfo, frames: &[Vec<Person>]) -> (TempDir, Recording) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hall.parquet");
    let interval = info.interval();
    let mut recorder = Recorder::create(&path, info, Overwrite::No).unwrap();
    for (index, people) in (0..).zip(frames) {
        let mut frame = Frame { index, time: f64::from(index) * interval, ..Frame::default() };
        people.iter().for_each(|&person| frame.people.push(person));
        recorder.push(&frame).unwrap();
    }
    recorder.finish().unwrap();
    let recording = Recording::open(&path).unwrap();
    (folder, recording)
}

pub fn person(id: u32, position: impl Into<Vec2>) -> Person {
    Person { id, position: position.into(), radius: 0.25, ..Person::default() }
}

pub fn draw(recording: &mut Recording, options: &Options) -> Result<Figure, PlotError> {
    plot_recording(recording, options, &mut |_, _| {})
}

pub fn draw_scene(scene: Scene) -> Figure {
    plot_scene(scene, &Options::default()).unwrap()
}

/// Pixels of a figure as it is written to a file.
pub struct Pixels {
    pub width: u32,
    pub height: u32,
    rgb: Vec<u8>,
}

impl Pixels {
    pub fn of(figure: &Figure, width: u32) -> Self {
        let png = figure.encode(Format::Png, Some(width)).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
        let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut rgb).unwrap();
        assert_eq!(info.color_type, png::ColorType::Rgb);
        Self { width: info.width, height: info.height, rgb }
    }

    /// The colour at a part of the page, from (0, 0) at the top left to (1, 1).
    pub fn at(&self, place: Vec2) -> [u8; 3] {
        let column = (place.x * self.width as f32) as usize;
        let row = (place.y * self.height as f32) as usize;
        let first = 3 * (row * self.width as usize + column);
        [self.rgb[first], self.rgb[first + 1], self.rgb[first + 2]]
    }
}

/// Where a point of the ground is, as a part of the page: told by the area that maps are cut to.
pub fn on_page(figure: &Figure, bounds: Bounds, point: impl Into<Vec2>) -> Vec2 {
    let panel = figure.page.items.iter().find_map(|item| match item {
        Item::Group(group) => group.clip,
        _ => None,
    });
    let panel = panel.unwrap();
    let part = (point.into() - bounds.min) / bounds.size();
    let at = panel.min + Vec2::new(part.x, 1.0 - part.y) * panel.size();
    at / figure.page.size
}

pub fn darkness([r, g, b]: [u8; 3]) -> u32 {
    3 * 255 - (u32::from(r) + u32::from(g) + u32::from(b))
}

/// What is in the group called `name`.
pub fn items<'p>(page: &'p Page, name: &str) -> &'p [Item] {
    let group = page.items.iter().find_map(|item| match item {
        Item::Group(group) if group.name == name => Some(&group.items[..]),
        _ => None,
    });
    group.unwrap_or_default()
}

/// Points of all lines of a group.
pub fn points(page: &Page, name: &str) -> Vec<Vec2> {
    let lines = items(page, name).iter().flat_map(|item| match item {
        Item::Path(path) => &path.lines[..],
        _ => &[],
    });
    lines.flat_map(|line| &line.points).copied().collect()
}
