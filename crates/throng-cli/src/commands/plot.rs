//! `throng plot`.

use std::fmt;

use indicatif::DecimalBytes;
use serde::Serialize;
use throng_plot::{FieldChoice, Format, Kind, Options, Subject, Written, check_free, plot_file};

use crate::args::PlotArguments;
use crate::failure::Failure;
use crate::report;

/// Draws a recording or a scene.
pub fn run(arguments: &PlotArguments) -> Result<(), Failure> {
    let overwrite = arguments.force.into();
    // Whoever has mistyped the name should not have to wait for the picture first.
    Format::of_file(&arguments.out)?;
    check_free(&arguments.out, overwrite)?;

    let bar = report::progress_bar(0, "{wide_bar} {pos} of {len} frames, {eta} left");
    let figure = plot_file(&arguments.input, &options(arguments), &mut |frames, total| {
        bar.set_length(total.into());
        bar.set_position(frames.into());
    });
    bar.finish_and_clear();
    let figure = figure?;
    let written = figure.save(&arguments.out, arguments.width, overwrite)?;
    let drawn =
        Drawn { file: arguments.out.display().to_string(), subject: figure.subject, written };
    if arguments.format.json {
        report::print_json(&drawn)?;
    } else {
        drawn.subject.notes.iter().for_each(|note| report::warning(note));
        report::print(&drawn)?;
    }
    // The figure shows what there is, but not what was asked for.
    drawn.subject.no_way.map_or(Ok(()), |reason| Err(Failure::Work(reason)))
}

fn options(arguments: &PlotArguments) -> Options {
    Options {
        kind: arguments
            .kind
            .or(arguments.density.then_some(Kind::Density))
            .or(arguments.nav.then_some(Kind::Nav))
            .or(arguments.field.as_ref().map(|_| Kind::Field)),
        colour: arguments.colour,
        line: arguments.line,
        areas: arguments.areas.clone(),
        way: arguments.way.clone(),
        ways: arguments.ways.map(usize::from),
        to_layer: arguments.to_layer.clone(),
        field: arguments.field.as_deref().map(FieldChoice::from),
        from: arguments.from,
        to: arguments.to,
        at: arguments.at,
        layer: arguments.layer.clone(),
        title: arguments.title.clone(),
    }
}

/// What was drawn, and where it is.
#[derive(Serialize)]
struct Drawn {
    file: String,
    #[serde(flatten)]
    subject: Subject,
    #[serde(flatten)]
    written: Written,
}

impl fmt::Display for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, subject, written } = self;
        write!(f, "{file}: {}", subject.kind)?;
        if ![Kind::Nav, Kind::Field].map(Kind::name).contains(&subject.kind) {
            write!(f, ", {}", report::people(subject.people))?;
        }
        if subject.frames > 0 {
            let frames = report::counted(subject.frames.into(), "frame", "frames");
            write!(f, ", {frames}")?;
        }
        let (width, height, bytes) = (written.width, written.height, DecimalBytes(written.bytes));
        write!(f, ", {width} × {height} pixels, {bytes}")
    }
}
