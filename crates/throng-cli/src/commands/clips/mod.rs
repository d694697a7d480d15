//! `throng clips`.

mod table;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use indicatif::DecimalBytes;
use throng::base::words::nearest;
use throng::place::{FileError, PartFile};
use throng_motion::analysis::Options;
use throng_motion::catalogue::{
    Entry, MotionFormat, animal_library, convert, library, played, read_file,
};
use throng_motion::files::mapping::MappingFile;
use throng_motion::gait::Style;
use throng_motion::quadruped::{Breed, Quadruped};
use throng_motion::{Clip, Detail, Human, Mesh, Motion, Outfit, Physique};
use throng_plot::{ClipFigure, Format, check_free, draw_clips};

use super::is_same_file;
use crate::args::{Animal, ClipsArguments};
use crate::failure::Failure;
use crate::report;
use table::{Listing, Written};

/// The height of the body if none is given, m.
const HEIGHT: f32 = 1.75;

/// Lists clips, and checks, draws or converts them if asked to.
pub fn run(arguments: &ClipsArguments) -> Result<(), Failure> {
    check_output(arguments)?;
    let (human, animal) = (human(arguments)?, animal(arguments)?);
    let (entries, warnings) = match &animal {
        Some(animal) => {
            let entries = animal_library(animal, &Options::default());
            (chosen(entries.map_err(|error| work(&error))?, &arguments.clips)?, Vec::new())
        }
        None => collect(arguments, human.as_ref())?,
    };
    let mut listing = Listing::new(&entries, arguments.check, warnings);
    listing.written = match (&arguments.out, arguments.draw, arguments.to) {
        (Some(out), Some(figure), _) => Some(draw(&entries, figure, out, arguments)?),
        (Some(out), None, Some(format)) => {
            let surface = match &animal {
                Some(animal) => {
                    (!arguments.bones).then(|| Arc::new(Mesh::animal(animal, Detail::Full)))
                }
                None => surface(arguments, human.as_ref())?,
            };
            Some(write(&entries, format, surface, out, arguments)?)
        }
        _ => None,
    };
    if arguments.format.json {
        report::print_json(&listing)?;
    } else {
        listing.warnings.iter().for_each(|warning| report::warning(warning));
        report::print(&listing)?;
    }
    let refused = entries.iter().filter(|entry| entry.clip.is_err()).count();
    if arguments.check && refused > 0 {
        let all = report::counted(entries.len() as u64, "motion", "motions");
        return Err(Failure::Work(format!("{refused} of {all} cannot be a clip")));
    }
    Ok(())
}

/// Whoever has mistyped the name of the file to write should not have to wait first.
fn check_output(arguments: &ClipsArguments) -> Result<(), Failure> {
    let Some(out) = &arguments.out else { return Ok(()) };
    if arguments.draw.is_none() && arguments.to.is_none() {
        let message = "--out is for pictures and motions; add --draw or --to";
        return Err(Failure::Input(message.into()));
    }
    if arguments.draw.is_some() {
        Format::of_file(out)?;
    }
    if let Some(file) = arguments.files.iter().find(|file| is_same_file(file, out)) {
        let message = format!("{} is what is read; write to another file", file.display());
        return Err(Failure::Input(message));
    }
    Ok(check_free(out, arguments.force.into())?)
}

/// Throng's body, if there is one: for its own clips, and for motions that are carried over to it.
fn human(arguments: &ClipsArguments) -> Result<Option<Human>, Failure> {
    if arguments.animal.is_some() {
        return Ok(None);
    }
    let default = arguments.files.is_empty().then_some(HEIGHT);
    let Some(height) = arguments.height.or(default) else { return Ok(None) };
    let human = physique(height).human();
    human.map(Some).map_err(|error| Failure::Input(format!("--height: {error}")))
}

/// The animal whose clips are asked for, if it is one.
fn animal(arguments: &ClipsArguments) -> Result<Option<Quadruped>, Failure> {
    let Some(animal) = arguments.animal else { return Ok(None) };
    let breed = match animal {
        Animal::Dog => Breed::dog(arguments.height.unwrap_or(0.55)),
        Animal::Horse => Breed::horse(arguments.height.unwrap_or(1.6)),
    };
    let wrong = |error| Failure::Input(format!("--height: {error}"));
    Quadruped::new(breed).map(Some).map_err(wrong)
}

fn physique(height: f32) -> Physique {
    Physique { height, ..Physique::default() }
}

/// What Throng's body looks like.
fn surface(
    arguments: &ClipsArguments,
    human: Option<&Human>,
) -> Result<Option<Arc<Mesh>>, Failure> {
    let Some(human) = human.filter(|_| !arguments.bones) else { return Ok(None) };
    let physique = physique(human.proportions().height);
    let mesh = Mesh::body(human, &physique, &Outfit::default(), Detail::Full);
    mesh.map(|mesh| Some(Arc::new(mesh))).map_err(|error| work(&error))
}

/// The entries to list, and what was odd in the files.
fn collect(
    arguments: &ClipsArguments,
    human: Option<&Human>,
) -> Result<(Vec<Entry>, Vec<String>), Failure> {
    let options = Options::default();
    let (mut entries, mut warnings) = (Vec::new(), Vec::new());
    if let Some(human) = human.filter(|_| arguments.files.is_empty()) {
        entries = library(human, Style::default(), &options).map_err(|error| work(&error))?;
    }
    let mapping = mapping(arguments.landmarks.as_deref())?;
    for file in &arguments.files {
        let read = read_file(file, &mapping, &options)
            .map_err(|error| Failure::Input(error.to_string()))?;
        let place = file.display();
        warnings.extend(read.warnings.iter().map(|warning| format!("{place}: {warning}")));
        match human {
            Some(human) => {
                let carried = read.entries.iter().map(|it| it.carried_over(human, &options));
                let carried: Result<Vec<Entry>, _> = carried.collect();
                let wrong = |error| Failure::Input(format!("{place}: {error}"));
                entries.extend(carried.map_err(wrong)?);
            }
            None => entries.extend(read.entries),
        }
    }
    Ok((chosen(entries, &arguments.clips)?, warnings))
}

fn mapping(file: Option<&Path>) -> Result<MappingFile, Failure> {
    let Some(file) = file else { return Ok(MappingFile::default()) };
    let text = std::fs::read_to_string(file).map_err(FileError::io("read", file))?;
    MappingFile::parse(&text).map_err(|errors| {
        let lines: Vec<String> =
            (errors.errors().iter()).map(|error| format!("{}:{error}", file.display())).collect();
        Failure::Input(lines.join("\n"))
    })
}

/// Those of `entries` that have one of `names`; all if there are no names.
fn chosen(entries: Vec<Entry>, names: &[String]) -> Result<Vec<Entry>, Failure> {
    if names.is_empty() {
        return Ok(entries);
    }
    for name in names {
        if !entries.iter().any(|entry| entry.name() == name) {
            let known = entries.iter().map(Entry::name);
            let help = match nearest(name, known.clone()) {
                Some(meant) => format!("did you mean {meant:?}?"),
                None => "`throng clips` lists them".into(),
            };
            return Err(Failure::Input(format!("there is no clip {name:?}; {help}")));
        }
    }
    let is_chosen = |entry: &Entry| names.iter().any(|name| name == entry.name());
    Ok(entries.into_iter().filter(is_chosen).collect())
}

fn draw(
    entries: &[Entry],
    figure: ClipFigure,
    out: &Path,
    arguments: &ClipsArguments,
) -> Result<Written, Failure> {
    let clips: Vec<Clip> = clips(entries).cloned().collect();
    if clips.is_empty() {
        return Err(nothing_left(entries));
    }
    let written = draw_clips(&clips, figure)?.save(out, arguments.width, arguments.force.into())?;
    let (width, height) = (written.width, written.height);
    let what = format!("{}, {width} × {height} pixels", figure.name());
    Ok(Written::new(out, what, written.bytes))
}

fn write(
    entries: &[Entry],
    format: MotionFormat,
    surface: Option<Arc<Mesh>>,
    out: &Path,
    arguments: &ClipsArguments,
) -> Result<Written, Failure> {
    let cycles: Vec<Motion> = match arguments.cycle {
        true => {
            clips(entries).map(played).collect::<Result<_, _>>().map_err(|error| work(&error))?
        }
        false => Vec::new(),
    };
    let motions: Vec<&Motion> = match arguments.cycle {
        true => cycles.iter().collect(),
        false => entries.iter().map(|entry| &entry.motion).collect(),
    };
    if motions.is_empty() {
        return Err(nothing_left(entries));
    }
    // A format with tips has one motion.
    let mut written = entries.iter().filter(|entry| !arguments.cycle || entry.clip.is_ok());
    let tips = written.next().map_or(&[][..], |entry| &entry.tips);
    let content = convert(&motions, format, surface, tips).map_err(|error| {
        let choice = if motions.len() > 1 { " with --clip" } else { "" };
        Failure::Input(format!("{error}{choice}"))
    })?;
    let (part, mut file) = PartFile::create(out, arguments.force.into())?;
    file.write_all(&content).map_err(FileError::io("write", out))?;
    let bytes = part.publish()?;
    let motions = report::counted(motions.len() as u64, "motion", "motions");
    Ok(Written::new(out, format!("{}, {motions}", format.name()), bytes))
}

fn clips(entries: &[Entry]) -> impl Iterator<Item = &Clip> {
    entries.iter().filter_map(|entry| entry.clip.as_ref().ok())
}

/// Why there is no clip to draw or to write.
fn nothing_left(entries: &[Entry]) -> Failure {
    let reason = |entry: &Entry| {
        let refusal = entry.clip.as_ref().err()?;
        Some(format!("{}: {refusal}", entry.name()))
    };
    let reasons: Vec<String> = entries.iter().filter_map(reason).collect();
    Failure::Work(format!("no motion can be a clip:\n{}", reasons.join("\n")))
}

fn work(error: &impl ToString) -> Failure {
    Failure::Work(error.to_string())
}

/// "12.3 kB".
fn size(bytes: u64) -> String {
    DecimalBytes(bytes).to_string()
}
