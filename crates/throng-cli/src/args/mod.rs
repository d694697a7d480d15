//! What can be typed after `throng`.

mod calibrate;
mod clips;
#[cfg(test)]
mod documentation;
mod evacuate;
mod eval;
mod experiment;
mod film;
mod plot;
mod rec;
mod studio;

use std::fmt::Display;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, RangedI64ValueParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use serde::Serialize;
use throng::exchange::{Columns, ImportFormat, ImportOptions, Unit};
use throng::recording::Overwrite;
use throng::survey::Up;
use throng_plot::Figure;

use crate::commands::bench;
use crate::failure::Failure;
use crate::report;

pub use calibrate::CalibrateArguments;
pub use clips::{Animal, ClipsArguments};
pub use evacuate::EvacuateArguments;
pub use eval::{
    CompareArguments, EvalArguments, EvalCommand, ListArguments, MatrixArguments, ReportArguments,
    ScoreArguments, ScoringArguments, Suite,
};
pub use experiment::{Experiment, ExperimentArguments, SetupArguments};
pub use film::{AnimateArguments, FilmArguments, Target};
pub use plot::PlotArguments;
pub use rec::{RecArguments, RecCommand, ValidateArguments};
pub use studio::StudioArguments;

/// Simulate crowds of people
///
/// A scene file says who is where and wants what. `throng run` simulates it and writes a recording:
/// a Parquet table with a row for each person and moment.
#[derive(Debug, Parser)]
#[command(name = "throng", version, after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  throng studio plaza.toml      watch and direct it in the browser
  throng check plaza.toml       is everything in the scene in order?
  throng run plaza.toml         simulate it and record to plaza.parquet
  throng info plaza.parquet     what is in the recording?
  throng measure plaza.parquet  flow, density and speed where the scene asks for them
  throng export plaza.parquet --to jupedsim-sqlite -o plaza.sqlite   for PedPy
  throng export plaza.parquet --to glb -o plaza.glb   for Blender and engines
  throng animate tracks.csv -o tracks.glb   bodies for other people's tracks
  throng plot plaza.parquet -o plaza.png   draw everyone's path
  throng eval --suite quick     which steering model does best?

Exit codes: 0 done, 1 the work failed, 2 the command or its input was wrong, 130 interrupted.
\"throng help COMMAND\" tells more about a command.";

#[derive(Debug, Subcommand)]
pub enum Command {
    Run(RunArguments),
    Check(CheckArguments),
    /// Print the JSON Schema of scene files
    ///
    /// Editors with a TOML extension use it to complete and check scene files while you type.
    #[command(after_help = "\
Examples:
  throng schema > scene.schema.json
  # and in the first line of a scene file, for editors that use Taplo:
  #:schema ./scene.schema.json")]
    Schema,
    Info(InfoArguments),
    Measure(MeasureArguments),
    Export(ExportArguments),
    Import(ImportArguments),
    Rec(RecArguments),
    Animate(Box<AnimateArguments>),
    Survey(SurveyArguments),
    Plot(PlotArguments),
    Clips(ClipsArguments),
    Evacuate(EvacuateArguments),
    Calibrate(CalibrateArguments),
    Experiment(ExperimentArguments),
    Eval(Box<EvalArguments>),
    Studio(StudioArguments),
    Bench(BenchArguments),
    /// Print a script that completes throng's arguments in a shell
    #[command(after_help = "\
Examples:
  throng completions bash > ~/.local/share/bash-completion/completions/throng
  throng completions fish > ~/.config/fish/completions/throng.fish
  throng completions zsh > ~/.zfunc/_throng")]
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// Simulate a scene and record it
///
/// The recording is complete at any moment: after a crash or a power cut it holds all but the last
/// moments. Ctrl-C and SIGTERM end the run early and keep everything simulated so far.
///
/// What the scene asks to be measured goes to a table beside the recording, with the ending
/// .measurements.csv, or to the one that --measurements names.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  throng run plaza.toml                             record to plaza.parquet
  throng run plaza.toml --out a.parquet --seed 42   another outcome of the same scene
  throng run plaza.toml --force --duration 10       only 10 s, in place of the last recording
  throng run plaza.toml --no-record --json          how fast is it here?
  throng run hall.toml --measurements table.parquet

The same scene and seed give the same file, whatever the number of threads.
Read it with pandas.read_parquet(\"plaza.parquet\"), polars or DuckDB.")]
pub struct RunArguments {
    /// The scene file
    #[arg(value_name = "SCENE.toml")]
    pub scene: PathBuf,
    /// Where to record [default: the scene's name with .parquet, in the current folder]
    #[arg(long, short, value_name = "REC.parquet")]
    pub out: Option<PathBuf>,
    /// Where to write what is measured, in Parquet if it ends so [default: beside the recording, with
    /// .measurements.csv]
    #[arg(long, value_name = "TABLE.csv|TABLE.parquet")]
    pub measurements: Option<PathBuf>,
    /// Simulate without recording
    #[arg(long, conflicts_with_all = ["out", "measurements", "force"])]
    pub no_record: bool,
    /// Replace a recording, and its measurements, that are there already
    #[arg(long)]
    pub force: bool,
    /// What all randomness derives from, instead of the scene's seed
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// How many threads to use, 1 to 1024 [default: all there are]
    #[arg(long, value_name = "N", value_parser = threads())]
    pub threads: Option<u16>,
    /// How much time to simulate, instead of the scene's duration
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub duration: Option<f64>,
    /// Give people bodies: they are where their feet let them be, which differs by millimetres from step to
    /// step
    #[arg(long)]
    pub bodies: bool,
    #[command(flatten)]
    pub format: Format,
}

/// Check scene files without simulating them
///
/// Everything is checked that could keep a scene from running: the file's form, names, geometry,
/// steering models and their parameters, and whether everyone finds room.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  throng check plaza.toml
  throng check scenes/*.toml
  throng check plaza.toml --json | jq '.scenes[].errors'

In a pipe, an error is one line: FILE:LINE:COLUMN: what is wrong; what to do")]
pub struct CheckArguments {
    /// The scene files
    #[arg(value_name = "SCENE.toml", required = true)]
    pub scenes: Vec<PathBuf>,
    #[command(flatten)]
    pub format: Format,
}

/// Tell what is in a recording
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  throng info plaza.parquet
  throng info plaza.parquet --json | jq .people
  throng info plaza.parquet --skate      do bodies slide that follow it?
  throng info plaza.parquet --clones     do people look alike who are near each other?
  throng info crashed.parquet --repair   cut off the unfinished end that a crash has left")]
pub struct InfoArguments {
    /// The recording
    #[arg(value_name = "REC.parquet")]
    pub recording: PathBuf,
    /// Cut off an unfinished end, so that other tools can read the file (not while it is being
    /// recorded)
    #[arg(long)]
    pub repair: bool,
    /// Give everybody a body and measure how far feet slide that should stand
    #[arg(long)]
    pub skate: bool,
    /// Give everybody a body and list who looks and walks like somebody within 5 m
    #[arg(long, conflicts_with_all = ["skate", "repair"])]
    pub clones: bool,
    #[command(flatten)]
    pub format: Format,
}

/// Measure flow, density and speed in a recording
///
/// Measures what the scene's [[measurements]] ask for, as `throng run` does while it simulates, and
/// writes a table with a row for each measurement and moment.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  throng measure hall.parquet                      write hall.measurements.csv
  throng measure hall.parquet -o table.parquet     the same table in Parquet
  throng measure hall.parquet --scene other.toml   what another version of the scene asks for
  throng measure hall.parquet --no-table --drop-first 10 --drop-last 10

Read it with pandas.read_csv(\"hall.measurements.csv\") or pandas.read_parquet(\"table.parquet\").
docs/measuring.md says what the columns are.")]
pub struct MeasureArguments {
    /// The recording
    #[arg(value_name = "REC.parquet")]
    pub recording: PathBuf,
    /// The scene whose measurements to make [default: the one in the recording]
    #[arg(long, value_name = "SCENE.toml")]
    pub scene: Option<PathBuf>,
    /// Where to write the table, in Parquet if it ends so [default: beside the recording, with
    /// .measurements.csv]
    #[arg(long, short, value_name = "TABLE.csv|TABLE.parquet")]
    pub out: Option<PathBuf>,
    /// Print the summary only
    #[arg(long, conflicts_with_all = ["out", "force"])]
    pub no_table: bool,
    /// Replace a table that is there already
    #[arg(long)]
    pub force: bool,
    /// How many of the first who pass a line not to count into its flow
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub drop_first: usize,
    /// How many of the last who pass a line not to count into its flow
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub drop_last: usize,
    #[command(flatten)]
    pub format: Format,
}

/// Write a recording in a format of other programs
///
/// csv has the columns of the recording. jupedsim-sqlite is a database as JuPedSim 1.4 writes it,
/// with the walkable area; jupedsim-txt is the text format of the pedestrian dynamics data archive.
/// PedPy reads both. steersuite is a rec file of SteerSuite, version 2, with obstacles as boxes.
///
/// glb is an animated crowd for Blender, engines and viewers: everybody has a body that walks with feet that
/// stay where they stand. bvh is the motion of each person in a file of their own, in a folder, or of one in one
/// file with --person.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  throng export plaza.parquet --to csv -o plaza.csv
  throng export plaza.parquet --to jupedsim-sqlite -o plaza.sqlite
  throng export two-floors.parquet --to jupedsim-txt -o hall.txt --layer hall --fps 25
  throng export plaza.parquet --to steersuite -o plaza.rec --fps 20
  throng export plaza.parquet --to glb -o plaza.glb --from 10 --until 30 --people 50
  throng export plaza.parquet --to bvh -o motions
  throng export plaza.parquet --to bvh -o seven.bvh --person 7

In Python:
  pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=pathlib.Path(\"plaza.sqlite\"))
  pedpy.load_walkable_area_from_jupedsim_sqlite(trajectory_file=pathlib.Path(\"plaza.sqlite\"))
  pedpy.load_trajectory(trajectory_file=pathlib.Path(\"hall.txt\"))")]
pub struct ExportArguments {
    /// The recording
    #[arg(value_name = "REC.parquet")]
    pub recording: PathBuf,
    /// The format
    #[arg(long, value_name = "FORMAT", value_parser = named(&Target::ALL, Target::name))]
    pub to: Target,
    /// The file to write; the folder, for bvh
    #[arg(long, short, value_name = "OUT")]
    pub out: PathBuf,
    /// Replace a file that is there already
    #[arg(long)]
    pub force: bool,
    /// Write only this floor
    #[arg(long, value_name = "NAME")]
    pub layer: Option<String>,
    /// Write all floors, also where only heights tell them apart (jupedsim-txt, steersuite)
    #[arg(long, conflicts_with = "layer")]
    pub all_layers: bool,
    /// Frames per second [default: as recorded, and 30 of glb and bvh]; in between, people are put on a straight
    /// line, and on a smooth curve for glb and bvh
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub fps: Option<f64>,
    #[command(flatten)]
    pub format: Format,
    #[command(flatten, next_help_heading = "Options of glb and bvh")]
    pub film: FilmArguments,
}

/// Make a recording of other programs' tracks
///
/// Reads what `throng export` writes, archive files in any unit, obsmat.txt of the ETH dataset
/// (obsmat), and CSV with columns of any name. Rows may come in any order. Velocities and headings
/// that are not in the file are derived from the positions.
///
/// A test case of SteerSuite (XML) has no tracks: it becomes a scene, which `throng run` simulates.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  throng import bottleneck.txt -o bottleneck.parquet
  throng import obsmat.txt -o eth.parquet --fps 15
  throng import students003.txt -o students.parquet --fps 25
  throng import rows.txt -o rows.parquet --columns frame=1,id=2,x=4,y=3 --fps 25
  throng import tracks.csv -o tracks.parquet --columns id=ped,time=t,x=px,y=py --unit cm
  throng import video.csv -o video.parquet --columns frame=n --fps 29.97 --delimiter ';'
  throng import theirs.rec -o theirs.parquet      a rec file of SteerSuite
  throng import crossing.xml -o crossing.toml     a test case of SteerSuite, as a scene

A CSV file needs the columns id, x, y, and time or frame; group, layer, z, heading, vx, vy, radius,
status and blocked_by are taken if they are there.")]
pub struct ImportArguments {
    /// The file with the tracks, or the test case
    #[arg(value_name = "TRACKS|CASE.xml")]
    pub tracks: PathBuf,
    /// Where to record, or to write the scene
    #[arg(long, short, value_name = "REC.parquet|SCENE.toml")]
    pub out: PathBuf,
    /// Replace a recording or a scene that is there already
    #[arg(long)]
    pub force: bool,
    /// What the file is [default: what it looks like]
    #[arg(long, value_name = "FORMAT", value_parser = named(&ImportFormat::ALL, ImportFormat::name))]
    pub from: Option<ImportFormat>,
    /// Frames per second, instead of what the file says
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub fps: Option<f64>,
    /// Of a test case: what all its randomness derives from [default: 0]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub reading: ReadingArguments,
    #[command(flatten)]
    pub format: Format,
}

/// How a file with tracks is to be read.
#[derive(Args, Debug)]
pub struct ReadingArguments {
    /// What lengths are measured in, instead of what the file says
    #[arg(long, value_name = "UNIT", value_parser = named(&Unit::ALL, Unit::symbol))]
    pub unit: Option<Unit>,
    /// What the columns of a table are called, or their numbers from 1 if it has no header
    #[arg(long, value_name = "OURS=THEIRS,…")]
    pub columns: Option<Columns>,
    /// What stands between the columns of a table: one character, or tab
    #[arg(long, value_name = "CHARACTER", value_parser = delimiter)]
    pub delimiter: Option<u8>,
    /// Ignore heights: for files whose z is that of heads
    #[arg(long)]
    pub flat: bool,
}

impl ReadingArguments {
    /// The first of these arguments that was given, if any was.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            (self.unit.is_some(), "--unit"),
            (self.columns.is_some(), "--columns"),
            (self.delimiter.is_some(), "--delimiter"),
            (self.flat, "--flat"),
        ];
        given.into_iter().find(|(given, _)| *given).map(|(_, name)| name)
    }

    /// The same with what commands say in words of their own.
    pub fn options(
        &self,
        format: Option<ImportFormat>,
        fps: Option<f64>,
        overwrite: Overwrite,
    ) -> ImportOptions {
        ImportOptions {
            format,
            fps,
            unit: self.unit,
            columns: self.columns.clone().unwrap_or_default(),
            delimiter: self.delimiter,
            flat: self.flat,
            overwrite,
        }
    }
}

/// Make a scene of a model of a building or a street
///
/// Reads all triangles of an OBJ or glTF file, floors, walls, stairs and furniture alike, and finds out
/// where people can walk: floors with their outlines and heights, and the stairs and ramps between
/// them. The scene has no people yet. Plans of its floors are written beside it.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  throng survey station.glb -o station.toml
  throng survey house.obj -o house.toml --up z --unit mm --cell 0.1
  throng survey house.obj -o house.toml --start 2,3,0   only what can be reached from there
  throng plot station.toml -o floor.png --layer \"floor 1\"

docs/survey.md says what is found and how.")]
pub struct SurveyArguments {
    /// The model: .obj, .gltf or .glb
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// The scene to write
    #[arg(long, short, value_name = "SCENE.toml")]
    pub out: PathBuf,
    /// Replace files that are there already
    #[arg(long)]
    pub force: bool,
    /// Which axis of the model points up
    #[arg(long, value_name = "AXIS", value_parser = named(&Up::ALL, Up::name), default_value = "y")]
    pub up: Up,
    /// What lengths of the model are measured in
    #[arg(long, value_name = "UNIT", value_parser = named(&Unit::ALL, Unit::symbol), default_value = "m")]
    pub unit: Unit,
    /// Width of the cells that the ground is divided into, m; walls are found to about one cell
    #[arg(long, value_name = "M", default_value_t = 0.2, allow_negative_numbers = true)]
    pub cell: f64,
    /// The steepest ground to walk on, degrees
    #[arg(long, value_name = "DEGREES", default_value_t = 40.0, allow_negative_numbers = true)]
    pub max_slope: f64,
    /// The highest step to take, m
    #[arg(long, value_name = "M", default_value_t = 0.3, allow_negative_numbers = true)]
    pub max_step: f64,
    /// Free height that people need, m
    #[arg(long, value_name = "M", default_value_t = 2.0, allow_negative_numbers = true)]
    pub headroom: f64,
    /// Leave out ground that is smaller, m²
    #[arg(long, value_name = "M2", default_value_t = 1.0, allow_negative_numbers = true)]
    pub min_area: f64,
    /// Leave out ground that cannot be reached from this point, z being its height
    #[arg(long, value_name = "X,Y,Z", value_parser = place, allow_hyphen_values = true)]
    pub start: Option<[f64; 3]>,
    #[command(flatten)]
    pub format: Format,
}

/// Measure how fast the engine is on this machine
///
/// Each benchmark is warmed up and then measured step by step, on one thread and on all.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  throng bench                            all of them, in a minute or two
  throng bench square-10k --threads 4
  throng bench square-1m --stages         where the time goes, and what only one thread can do
  throng bench carpet                     bodies on uneven ground, beside published figures
  throng bench levels                     20,000 people with bodies and levels of detail
  throng bench fields                     crowds led by vector fields, beside published figures
  throng bench --list")]
pub struct BenchArguments {
    /// The benchmarks to run [default: all]
    #[arg(value_name = "NAME", value_parser = benchmark_names(), hide_possible_values = true)]
    pub names: Vec<String>,
    /// How many threads to use, 1 to 1024 [default: one, and then all there are]
    #[arg(long, value_name = "N", value_parser = threads())]
    pub threads: Option<u16>,
    /// Also print the stages of a step: times on each number of threads, and the serial share
    #[arg(long, conflicts_with = "threads")]
    pub stages: bool,
    /// List the benchmarks and run none
    #[arg(long)]
    pub list: bool,
    #[command(flatten)]
    pub format: Format,
}

/// How results are printed.
#[derive(Args, Clone, Copy, Debug)]
pub struct Format {
    /// Print one JSON document and nothing else
    #[arg(long)]
    pub json: bool,
}

impl Format {
    /// Prints what a command has to tell, as text or as JSON.
    pub fn print(self, told: &(impl Display + Serialize)) -> Result<(), Failure> {
        if self.json { report::print_json(told) } else { report::print(told) }
    }
}

/// More threads than this are a slip of the finger.
fn threads() -> RangedI64ValueParser<u16> {
    RangedI64ValueParser::new().range(1..=1024)
}

fn benchmark_names() -> PossibleValuesParser {
    let value = |entry: bench::Entry| PossibleValue::new(entry.name).help(entry.summary);
    PossibleValuesParser::new(bench::entries().map(value))
}

fn place(text: &str) -> Result<[f64; 3], String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|word| word.trim().parse().ok()).collect();
    let place = numbers.and_then(|numbers| <[f64; 3]>::try_from(numbers).ok());
    let is_finite = |place: &[f64; 3]| place.iter().all(|x| x.is_finite());
    place.filter(is_finite).ok_or_else(|| "it is three numbers in metres, e.g. 2,3.5,0".into())
}

/// Parses one of `values` by its name.
fn named<T: Copy + Send + Sync + 'static>(
    values: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    one_of(values, name, move |value| PossibleValue::new(name(value)))
}

/// Parses one of `values` by its name, with a line about each in the help.
fn explained<T: Copy + Send + Sync + 'static>(
    values: &'static [T],
    name: fn(T) -> &'static str,
    summary: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    one_of(values, name, move |value| PossibleValue::new(name(value)).help(summary(value)))
}

fn one_of<T: Copy + Send + Sync + 'static>(
    values: &'static [T],
    name: fn(T) -> &'static str,
    possible: impl Fn(T) -> PossibleValue,
) -> impl TypedValueParser<Value = T> {
    let names = PossibleValuesParser::new(values.iter().copied().map(possible));
    names.try_map(move |given| {
        let found = values.iter().copied().find(|&value| name(value) == given);
        found.ok_or("there is no such value")
    })
}

/// Parses the width of a picture, pixels.
fn picture_width() -> RangedI64ValueParser<u32> {
    RangedI64ValueParser::new().range(i64::from(Figure::NARROWEST)..=i64::from(Figure::WIDEST))
}

fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        _ if text == "tab" => Ok(b'\t'),
        // A quote or the end of a line cannot stand between columns.
        &[byte] if byte.is_ascii() && !b"\"\r\n".contains(&byte) => Ok(byte),
        _ => Err("it is one character of ASCII, e.g. ';', or tab".into()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn arguments_do_not_contradict_each_other() {
        Arguments::command().debug_assert();
    }
}
