//! What a recording says about itself: the key-value metadata of its file.

use parquet::file::metadata::KeyValue;
use serde::{Deserialize, Serialize};
use throng_world::Scene;
use throng_world::scene::{PlanTexts, TerrainFiles};

use super::attached::{self, Attached};

const FORMAT: &str = "1";

/// What was simulated, and how the table's names are to be read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordingInfo {
    /// Name of the scene file. Folders are not recorded.
    pub scene_name: String,
    /// Text of the scene file.
    pub scene: String,
    /// What all randomness derived from.
    pub seed: u64,
    /// Time between two states of the simulation, s.
    pub step: f64,
    /// The recording has every n-th state.
    pub record_every: u32,
    /// Groups, in the order of their [`GroupId`](throng_world::scene::GroupId)s.
    pub groups: Vec<GroupInfo>,
    /// Floors, in the order of their [`LayerId`](throng_world::scene::LayerId)s.
    pub layers: Vec<LayerInfo>,
    /// Where the trajectories come from if they were not simulated, in words.
    pub imported_from: Option<String>,
    /// The plan and obstacle files that the scene names, so that its walls are known wherever the
    /// recording is taken. None if they are larger than [`Self::LARGEST_FILES`].
    pub files: PlanTexts,
    /// The terrain files that the scene names, up to [`Self::LARGEST_TERRAIN`]. They are for writing: of a
    /// recording that is read, [`Recording::terrain_files`](super::Recording::terrain_files) has them.
    pub terrain: TerrainFiles,
}

/// A group of people.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupInfo {
    /// Unique name.
    pub name: String,
    /// Display colour, sRGB; `"#rrggbb"` in the file.
    #[serde(with = "hex")]
    pub color: [u8; 3],
}

/// A floor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LayerInfo {
    /// Unique name.
    pub name: String,
    /// Height added to its terrain, m.
    pub elevation: f32,
}

impl RecordingInfo {
    /// The most text of [`Self::files`], bytes. It is written anew with every footer, which come the
    /// less often the longer they are.
    pub const LARGEST_FILES: usize = 8 << 20;

    /// The most bytes of [`Self::terrain`], which are written once.
    pub const LARGEST_TERRAIN: usize = TerrainFiles::LARGEST;

    /// A description of a simulation of `scene`.
    pub fn of_scene(scene: &Scene) -> Self {
        let group = |group: &throng_world::scene::Group| GroupInfo {
            name: group.name.clone(),
            color: group.color,
        };
        let layer = |layer: &throng_world::Layer| LayerInfo {
            name: layer.name.clone(),
            elevation: layer.elevation,
        };
        let size: usize = scene.files.values().map(String::len).sum();
        let files =
            if size <= Self::LARGEST_FILES { (*scene.files).clone() } else { PlanTexts::new() };
        Self {
            scene_name: scene.source.name.clone(),
            scene: scene.source.text.clone(),
            seed: scene.settings.seed,
            step: scene.settings.step,
            record_every: scene.settings.record_every,
            groups: scene.groups.iter().map(group).collect(),
            layers: scene.layers.iter().map(layer).collect(),
            imported_from: None,
            files,
            terrain: (*scene.terrain_files).clone(),
        }
    }

    /// Time between two frames, s.
    pub fn interval(&self) -> f64 {
        self.step * f64::from(self.record_every)
    }

    /// Whether a recording can be described like this, and if not, why.
    pub(super) fn check(&self) -> Result<(), String> {
        if !(self.interval().is_finite() && self.interval() > 0.0) {
            let (step, every) = (self.step, self.record_every);
            return Err(format!("frames cannot be {every} steps of {step} s apart"));
        }
        distinct("group", self.groups.iter().map(|group| &group.name), 1 << 16)?;
        distinct("layer", self.layers.iter().map(|layer| &layer.name), 1 << 8)?;
        match self.layers.iter().find(|layer| !layer.elevation.is_finite()) {
            Some(layer) => Err(format!("the elevation of layer {:?} is not finite", layer.name)),
            None => Ok(()),
        }
    }
}

/// What the metadata says beyond [`RecordingInfo`].
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Extent {
    /// How many frames there are, with those that nobody is in.
    pub frames: u32,
    /// When the first of them is, s.
    pub start: f64,
}

/// Everything in a file's metadata.
pub(super) struct Description {
    pub info: RecordingInfo,
    pub extent: Extent,
    pub version: String,
    /// Where terrain files are.
    pub terrain: Vec<Attached>,
}

/// The metadata that stays the same while a recording grows. `terrain` says where its terrain files are.
pub(super) fn fixed_pairs(
    info: &RecordingInfo,
    terrain: &[Attached],
) -> serde_json::Result<Vec<KeyValue>> {
    // Where the scene lies tells nothing about the simulation but something about the machine.
    let file_name = info.scene_name.rsplit(['/', '\\']).next().unwrap_or_default();
    let mut pairs = vec![
        pair("throng.format", FORMAT),
        pair("throng.version", env!("CARGO_PKG_VERSION")),
        pair("throng.scene_name", file_name),
        pair("throng.scene", &info.scene),
        pair("throng.seed", &info.seed.to_string()),
        pair("throng.step", &info.step.to_string()),
        pair("throng.record_every", &info.record_every.to_string()),
        pair("throng.groups", &serde_json::to_string(&info.groups)?),
        pair("throng.layers", &serde_json::to_string(&info.layers)?),
    ];
    pairs.extend(info.imported_from.as_ref().map(|from| pair("throng.imported_from", from)));
    if !info.files.is_empty() {
        pairs.push(pair("throng.files", &serde_json::to_string(&info.files)?));
    }
    if !terrain.is_empty() {
        pairs.push(pair("throng.terrain", &serde_json::to_string(terrain)?));
    }
    Ok(pairs)
}

/// The metadata that grows with a recording.
pub(super) fn growing_pairs(extent: &Extent) -> [KeyValue; 2] {
    [
        pair("throng.frames", &extent.frames.to_string()),
        pair("throng.start", &extent.start.to_string()),
    ]
}

/// Reads the metadata back, or says what is wrong with it.
pub(super) fn describe(pairs: &[KeyValue]) -> Result<Description, String> {
    let format = text(pairs, "throng.format")?;
    if format != FORMAT {
        return Err(format!("its format is {format:?}, and this version reads {FORMAT:?}"));
    }
    let info = RecordingInfo {
        scene_name: text(pairs, "throng.scene_name")?.into(),
        scene: text(pairs, "throng.scene")?.into(),
        seed: number(pairs, "throng.seed")?,
        step: number(pairs, "throng.step")?,
        record_every: number(pairs, "throng.record_every")?,
        groups: json(pairs, "throng.groups")?,
        layers: json(pairs, "throng.layers")?,
        imported_from: text(pairs, "throng.imported_from").ok().map(str::to_owned),
        files: optional_json(pairs, "throng.files")?,
        terrain: TerrainFiles::default(),
    };
    info.check()?;
    let terrain: Vec<Attached> = optional_json(pairs, "throng.terrain")?;
    attached::check(&terrain)?;
    let extent =
        Extent { frames: number(pairs, "throng.frames")?, start: number(pairs, "throng.start")? };
    if !extent.start.is_finite() {
        return Err("its metadata `throng.start` is not finite".into());
    }
    Ok(Description { info, extent, version: text(pairs, "throng.version")?.into(), terrain })
}

/// Whether the metadata claims to be a recording's, of any version.
pub(super) fn claims_to_be_ours(pairs: &[KeyValue]) -> bool {
    text(pairs, "throng.format").is_ok()
}

fn pair(key: &str, value: &str) -> KeyValue {
    KeyValue::new(key.to_owned(), value.to_owned())
}

fn text<'a>(pairs: &'a [KeyValue], key: &str) -> Result<&'a str, String> {
    let value = pairs.iter().find(|pair| pair.key == key).and_then(|pair| pair.value.as_deref());
    value.ok_or_else(|| format!("it has no metadata `{key}`"))
}

fn number<T: std::str::FromStr>(pairs: &[KeyValue], key: &str) -> Result<T, String> {
    let value = text(pairs, key)?;
    value.parse().map_err(|_| format!("its metadata `{key}` is {value:?}, not a number"))
}

fn json<T: for<'a> Deserialize<'a>>(pairs: &[KeyValue], key: &str) -> Result<T, String> {
    serde_json::from_str(text(pairs, key)?)
        .map_err(|error| format!("its metadata `{key}` cannot be read: {error}"))
}

/// Nothing if there is no such metadata.
fn optional_json<T: Default + for<'a> Deserialize<'a>>(
    pairs: &[KeyValue],
    key: &str,
) -> Result<T, String> {
    if text(pairs, key).is_ok() { json(pairs, key) } else { Ok(T::default()) }
}

fn distinct<'a>(
    what: &str,
    names: impl ExactSizeIterator<Item = &'a String>,
    most: usize,
) -> Result<(), String> {
    if names.len() > most {
        return Err(format!("it has {} {what}s, and {most} is the most", names.len()));
    }
    let mut seen = std::collections::HashSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(format!("two {what}s are called {name:?}"));
        }
    }
    Ok(())
}

/// Colours as `"#rrggbb"`, which plotting libraries take as it is.
mod hex {
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    pub(super) fn serialize<S: Serializer>(rgb: &[u8; 3], out: S) -> Result<S::Ok, S::Error> {
        let [r, g, b] = rgb;
        out.serialize_str(&format!("#{r:02x}{g:02x}{b:02x}"))
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(input: D) -> Result<[u8; 3], D::Error> {
        let text = String::deserialize(input)?;
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
        let value = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let value = value.ok_or_else(|| D::Error::custom(format!("{text:?} is not #rrggbb")))?;
        let [_, r, g, b] = value.to_be_bytes();
        Ok([r, g, b])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info() -> RecordingInfo {
        RecordingInfo {
            scene_name: "/home/me/scenes/hall.toml".into(),
            scene: "format = 1\n".into(),
            seed: u64::MAX,
            step: 0.05,
            record_every: 2,
            groups: vec![GroupInfo { name: "visitors".into(), color: [255, 0, 16] }],
            layers: vec![LayerInfo { name: "ground".into(), elevation: -0.1 }],
            imported_from: None,
            files: PlanTexts::new(),
            terrain: TerrainFiles::default(),
        }
    }

    fn pairs() -> Vec<KeyValue> {
        let extent = Extent { frames: 7, start: 0.1 };
        let mut pairs = fixed_pairs(&info(), &[]).unwrap();
        pairs.extend(growing_pairs(&extent));
        pairs
    }

    #[test]
    fn metadata_leads_back_to_the_info_without_folders() {
        let read = describe(&pairs()).unwrap();
        assert_eq!(read.info, RecordingInfo { scene_name: "hall.toml".into(), ..info() });
        assert_eq!(read.extent, Extent { frames: 7, start: 0.1 });
        assert_eq!(
            text(&pairs(), "throng.groups").unwrap(),
            r##"[{"name":"visitors","color":"#ff0010"}]"##
        );
    }

    #[test]
    fn recordings_that_were_imported_say_so() {
        let info = RecordingInfo { imported_from: Some("a.txt".into()), ..info() };
        let mut pairs = fixed_pairs(&info, &[]).unwrap();
        pairs.extend(growing_pairs(&Extent { frames: 0, start: 0.0 }));
        assert_eq!(describe(&pairs).unwrap().info.imported_from.as_deref(), Some("a.txt"));
    }

    #[test]
    fn files_of_the_scene_are_kept_up_to_a_size() {
        let mut text = "POLYGON ((0 0, 9 0, 9 9))".to_owned();
        let kept = |text: &str| {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("\"é\".wkt"), text).unwrap();
            let scene = "format = 1\nworld = { bounds = [[0, 0], [9, 9]], plan = '\"é\".wkt' }";
            RecordingInfo::of_scene(&Scene::parse("a.toml", scene, folder.path()).unwrap())
        };
        let info = kept(&text);
        let mut pairs = fixed_pairs(&info, &[]).unwrap();
        pairs.extend(growing_pairs(&Extent { frames: 0, start: 0.0 }));
        assert_eq!(describe(&pairs).unwrap().info, info);
        assert_eq!(
            info.files.into_iter().collect::<Vec<_>>(),
            [("\"é\".wkt".into(), text.clone())]
        );
        text += &" ".repeat(RecordingInfo::LARGEST_FILES - text.len());
        assert_eq!(kept(&text).files.len(), 1);
        assert!(kept(&(text + "\n")).files.is_empty());
    }

    #[test]
    fn files_that_are_no_texts_by_name_are_refused() {
        for value in
            ["", "[]", "7", "{\"a.wkt\": 7}", "{\"a.wkt\": \"POLY", "{\"a\": [\"b\"]}", "\u{0}"]
        {
            let mut pairs = pairs();
            pairs.push(pair("throng.files", value));
            let reason = describe(&pairs).err().unwrap();
            assert!(reason.starts_with("its metadata `throng.files` cannot be read"), "{reason}");
        }
    }

    #[test]
    fn lists_that_are_not_of_terrain_files_are_refused() {
        let file = |length: &str, name: &str| {
            format!("{{\"name\": {name}, \"offset\": 4, \"length\": {length}, \"fnv1a\": \"\"}}")
        };
        let good = file("7", "\"a.png\"");
        let list = |value: &str| {
            let mut pairs = pairs();
            pairs.push(pair("throng.terrain", value));
            describe(&pairs).map(|description| description.terrain.len())
        };
        assert_eq!(list(&format!("[{good}]")), Ok(1));
        for value in
            ["", "{}", "7", "[7]", &good, "[{}]", "\u{0}", &file("-1", "\"a\""), "[", "[[]]"]
        {
            let reason = list(value).unwrap_err();
            assert!(reason.starts_with("its metadata `throng.terrain` cannot be read"), "{reason}");
        }
        assert!(list(&format!("[{}]", file("-1", "\"a\""))).is_err());
        assert!(list(&format!("[{}]", file("7", "7"))).is_err());
        assert!(list(&format!("[{}]", file("99999999999", "\"a\""))).is_err());
        assert!(list(&format!("[{good}, {good}]")).is_err());
    }

    #[test]
    fn every_key_is_needed_and_missed_by_name() {
        for missing in pairs() {
            let rest: Vec<_> = pairs().into_iter().filter(|pair| *pair != missing).collect();
            let reason = describe(&rest).err().unwrap();
            assert!(reason.contains(&missing.key), "{reason}");
        }
    }

    #[test]
    fn impossible_descriptions_are_refused() {
        let twice = vec![info().groups[0].clone(), info().groups[0].clone()];
        assert!(RecordingInfo { groups: twice, ..info() }.check().is_err());
        assert!(RecordingInfo { record_every: 0, ..info() }.check().is_err());
        assert!(RecordingInfo { step: f64::NAN, ..info() }.check().is_err());
    }
}
