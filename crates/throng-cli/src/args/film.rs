//! Arguments of films: `throng export --to glb|bvh` and `throng animate`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;
use throng::exchange::{ExportFormat, ImportFormat};
use throng::film::{PlayOptions, Selection};

use super::{Format, ReadingArguments, named};

/// What `throng export` can write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Table(ExportFormat),
    Glb,
    Bvh,
}

impl Target {
    pub const ALL: [Self; 6] = [
        Self::Table(ExportFormat::Csv),
        Self::Table(ExportFormat::JupedsimSqlite),
        Self::Table(ExportFormat::JupedsimTxt),
        Self::Table(ExportFormat::SteersuiteRec),
        Self::Glb,
        Self::Bvh,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Table(format) => format.name(),
            Self::Glb => "glb",
            Self::Bvh => "bvh",
        }
    }
}

/// What is shown of a film.
#[derive(Args, Debug)]
pub struct FilmArguments {
    /// From this time on, s
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub from: Option<f64>,
    /// Until this time, s
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub until: Option<f64>,
    /// Only the first N people who appear, or those with these ids, e.g. 3,7-12
    #[arg(long, value_name = "N|IDS", value_parser = selection)]
    pub people: Option<Selection>,
    /// Only the person with this id
    #[arg(long, value_name = "ID", conflicts_with = "people")]
    pub person: Option<u32>,
    /// How many looks people can have [default: 24]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub looks: Option<u16>,
    /// Leave out floor and walls
    #[arg(long)]
    pub bare: bool,
}

impl FilmArguments {
    /// The first of these arguments that was given, if any was.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            (self.from.is_some(), "--from"),
            (self.until.is_some(), "--until"),
            (self.people.is_some(), "--people"),
            (self.person.is_some(), "--person"),
            (self.looks.is_some(), "--looks"),
            (self.bare, "--bare"),
        ];
        given.into_iter().find(|(given, _)| *given).map(|(_, name)| name)
    }

    /// What is to be played.
    pub fn play(&self, fps: Option<f64>, seed: u64) -> PlayOptions {
        let usual = PlayOptions::default();
        let one = self.person.map(|id| Selection::These([id].into()));
        PlayOptions {
            fps: fps.unwrap_or(usual.fps),
            from: self.from,
            until: self.until,
            people: one.or_else(|| self.people.clone()).unwrap_or_default(),
            looks: self.looks.map_or(usual.looks, usize::from),
            seed,
            ..usual
        }
    }
}

fn selection(text: &str) -> Result<Selection, String> {
    if let Ok(count) = text.parse() {
        return Ok(Selection::First(count));
    }
    const MOST: u32 = 10_000_000;
    let mut ids = BTreeSet::new();
    for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        let (first, last) = word.split_once('-').unwrap_or((word, word));
        let range = match (first.trim().parse::<u32>(), last.trim().parse::<u32>()) {
            (Ok(first), Ok(last)) if first <= last && last - first < MOST => first..=last,
            _ => return Err("it is a number of people, or ids, e.g. 3,7-12".into()),
        };
        ids.extend(range);
    }
    match ids.is_empty() {
        true => Err("it is a number of people, or ids, e.g. 3,7-12".into()),
        false => Ok(Selection::These(ids)),
    }
}

/// Give other people's tracks bodies that walk
///
/// Reads tracks as `throng import` does, smooths them, and has bodies follow them with feet that stay where
/// they stand. Writes an animated crowd (.glb) for Blender, engines and viewers, or a recording (.parquet) of
/// where the bodies were, for the studio and everything else here. The report says what was wrong with the
/// tracks, how far bodies are from them, and how far feet slide.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  throng animate obsmat.txt --track-fps 15 -o eth.glb
  throng animate tracks.csv -o tracks.parquet --columns id=ped,time=t,x=px,y=py --unit cm
  throng animate bottleneck.sqlite -o part.glb --from 30 --until 60 --fps 25
  throng animate plaza.parquet -o plaza.glb --people 50

docs/animate.md says what is done with tracks and what the report means.")]
pub struct AnimateArguments {
    /// The file with the tracks: csv, txt, sqlite, obsmat.txt, or a recording
    #[arg(value_name = "TRACKS")]
    pub tracks: PathBuf,
    /// What to write: a film (.glb) or a recording (.parquet)
    #[arg(long, short, value_name = "OUT.glb|OUT.parquet")]
    pub out: PathBuf,
    /// Replace a file that is there already
    #[arg(long)]
    pub force: bool,
    /// Frames per second of a film [default: 30]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub fps: Option<f64>,
    /// Frames per second of a recording [default: 10]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub rate: Option<f64>,
    /// Distance of a body from its track beyond which it is pulled after it, m [default: 0.6]
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub tolerance: Option<f32>,
    /// How noisy the tracks are, m (standard deviation) [default: what they look like]
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub noise: Option<f64>,
    #[command(flatten)]
    pub film: FilmArguments,
    /// What decides who looks how
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// What the file is [default: what it looks like]
    #[arg(long = "format", value_name = "FORMAT", value_parser = named(&ImportFormat::ALL, ImportFormat::name))]
    pub track_format: Option<ImportFormat>,
    /// Frames per second of the tracks, instead of what the file says
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub track_fps: Option<f64>,
    #[command(flatten)]
    pub reading: ReadingArguments,
    #[command(flatten)]
    pub format: Format,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_chosen_by_number_or_by_ids() {
        assert_eq!(selection("20"), Ok(Selection::First(20)));
        assert_eq!(selection("3,7-9"), Ok(Selection::These([3, 7, 8, 9].into())));
        assert_eq!(selection("7,"), Ok(Selection::These([7].into())));
        for wrong in ["", ",", "a", "9-3", "0-4294967295", "-1"] {
            assert!(selection(wrong).is_err(), "{wrong}");
        }
    }
}
