//! What `throng clips` prints.

use std::fmt;
use std::path::Path;

use serde::Serialize;
use throng_motion::analysis::{ClipFacts, GaitMeasures, Judgement, Row, Standard};
use throng_motion::catalogue::{Entry, Origin};
use throng_motion::{Clip, RetargetReport};

use super::size;

/// All clips, for people or for scripts.
#[derive(Serialize)]
pub struct Listing {
    clips: Vec<Listed>,
    pub warnings: Vec<String>,
    /// The picture or the file of motions, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<Written>,
}

/// A file that was written.
#[derive(Serialize)]
pub struct Written {
    file: String,
    #[serde(skip)]
    what: String,
    bytes: u64,
}

impl Written {
    pub fn new(file: &Path, what: String, bytes: u64) -> Self {
        Self { file: file.display().to_string(), what, bytes }
    }
}

/// A clip, or a motion that cannot be one. Angles are in degrees.
#[derive(Serialize)]
struct Listed {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    frames: usize,
    rate: f32,
    seconds: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    clip: Option<Numbers>,
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<OriginFacts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    carried: Option<Carried>,
    /// Why it cannot be a clip.
    refusal: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    measures: Option<Vec<Measured>>,
}

#[derive(Serialize)]
struct Numbers {
    kind: &'static str,
    looped: bool,
    speed: f32,
    angle: f32,
    turn: f32,
    period: f32,
    stride: f32,
    duty: f32,
    double_support: f32,
    flight: f32,
    /// Metres per stance.
    slip: f32,
    speed_number: f32,
    leg: f32,
}

/// How the clip was cut out of its motion.
#[derive(Serialize)]
struct OriginFacts {
    start: f32,
    left_strike: f32,
    cycles: usize,
    seam_angle: f32,
    seam_offset: f32,
    in_place: bool,
    /// Metres up for each metre ahead.
    floor_tilt: f32,
}

/// How well a motion was carried over to another body: metres off where feet should be.
#[derive(Serialize)]
struct Carried {
    scale: f32,
    foot_max: f32,
    foot_rms: f32,
    /// Landmarks that followed nothing.
    at_rest: Vec<&'static str>,
}

#[derive(Serialize)]
struct Measured {
    name: &'static str,
    unit: &'static str,
    value: Option<f32>,
    low: Option<f32>,
    typical: Option<f32>,
    high: Option<f32>,
    judgement: &'static str,
}

impl Listing {
    pub fn new(entries: &[Entry], check: bool, warnings: Vec<String>) -> Self {
        let clips = entries.iter().map(|entry| Listed::new(entry, check)).collect();
        Self { clips, warnings, written: None }
    }
}

impl Listed {
    fn new(entry: &Entry, check: bool) -> Self {
        let looped = entry.clip.as_ref().is_ok_and(Clip::is_looped);
        let measures = entry.measures.filter(|_| check);
        Self {
            name: entry.name().to_owned(),
            file: entry.file.as_ref().map(|file| file.display().to_string()),
            frames: entry.motion.frames(),
            rate: entry.motion.rate(),
            seconds: entry.motion.duration(),
            clip: entry.facts.map(|facts| Numbers::new(&facts, looped)),
            origin: entry.origin.map(|origin| OriginFacts::new(&origin)),
            carried: entry.carried.as_ref().map(Carried::new),
            refusal: entry.clip.as_ref().err().map(ToString::to_string),
            measures: measures.map(|measures| measured(&measures)),
        }
    }
}

impl Numbers {
    fn new(facts: &ClipFacts, looped: bool) -> Self {
        Self {
            kind: facts.kind.name(),
            looped,
            speed: facts.speed,
            angle: facts.angle.to_degrees(),
            turn: facts.turn.to_degrees(),
            period: facts.period,
            stride: facts.stride,
            duty: facts.duty,
            double_support: facts.double_support,
            flight: facts.flight,
            slip: facts.slip,
            speed_number: facts.speed_number,
            leg: facts.leg,
        }
    }
}

impl OriginFacts {
    fn new(origin: &Origin) -> Self {
        Self {
            start: origin.start,
            left_strike: origin.left_strike,
            cycles: origin.cycles,
            seam_angle: origin.seam.angle.to_degrees(),
            seam_offset: origin.seam.offset,
            in_place: origin.in_place,
            floor_tilt: origin.floor_tilt,
        }
    }
}

impl Carried {
    fn new(report: &RetargetReport) -> Self {
        let feet = || report.left.iter().chain(&report.right);
        Self {
            scale: report.scale,
            foot_max: feet().map(|foot| foot.max).fold(0.0, f32::max),
            foot_rms: feet().map(|foot| foot.rms).fold(0.0, f32::max),
            at_rest: report.at_rest.iter().map(|landmark| landmark.name()).collect(),
        }
    }
}

fn measured(measures: &GaitMeasures) -> Vec<Measured> {
    let measured = |row: &Row| {
        let (low, typical, high) = match row.standard {
            Some(Standard::People { range, .. }) => {
                (Some(range.low), Some(range.typical), Some(range.high))
            }
            Some(Standard::AtMost(high)) => (None, None, Some(high)),
            Some(Standard::AtLeast(low)) => (Some(low), None, None),
            None => (None, None, None),
        };
        let judgement = row.judgement().name();
        Measured { name: row.name, unit: row.unit, value: row.value, low, typical, high, judgement }
    };
    measures.rows().iter().map(measured).collect()
}

const COLUMNS: [&str; 8] = ["kind", "m/s", "angle", "period", "stride", "duty", "slip", "verdict"];

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let longest = self.clips.iter().map(|listed| listed.name.chars().count());
        let names = longest.max().unwrap_or(0).max(4);
        let [kind, speed, angle, period, stride, duty, slip, verdict] = COLUMNS;
        write!(
            f,
            "{:names$}  {kind:<5} {speed:>5} {angle:>6} {period:>7} {stride:>7} {duty:>5} {slip:>8}  {verdict}",
            "clip"
        )?;
        for listed in &self.clips {
            write!(f, "\n{listed:names$}")?;
            if let Some(measures) = &listed.measures {
                fmt_measures(f, measures, self.clips.len() == 1)?;
            }
        }
        match &self.written {
            Some(written) => {
                write!(f, "\n{}: {}, {}", written.file, written.what, size(written.bytes))
            }
            None => Ok(()),
        }
    }
}

impl fmt::Display for Listed {
    /// One line; its width is that of the column of names.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = f.width().unwrap_or(0);
        let Some(clip) = &self.clip else {
            let reason = self.refusal.as_deref().unwrap_or_default();
            return write!(f, "{:names$}  refused: {reason}", self.name);
        };
        let Numbers { kind, speed, angle, period, stride, duty, slip, .. } = clip;
        write!(
            f,
            "{:names$}  {kind:<5} {speed:>5.2} {:>5}° {period:>5.2} s {stride:>5.2} m {duty:>5.2} {:>5.1} mm  ",
            self.name,
            whole(*angle),
            1000.0 * slip
        )?;
        f.write_str("ok")?;
        let mut notes: Vec<String> = Vec::new();
        if clip.turn.abs() >= 1.0 {
            notes.push(format!("turns by {}°", whole(clip.turn)));
        }
        if let Some(origin) = &self.origin {
            if origin.in_place {
                notes.push("walks in place".into());
            }
            if origin.floor_tilt > 0.0 {
                let tilt = 100.0 * origin.floor_tilt;
                notes.push(format!("floor tilted by {tilt:.1} % and levelled"));
            }
            if origin.cycles > 0 {
                notes.push(format!("from {:.2} s", origin.start));
                notes.push(format!("seam {:.1}°", origin.seam_angle));
            }
        }
        if let Some(carried) = &self.carried {
            let (scale, off) = (carried.scale, 1000.0 * carried.foot_max);
            notes.push(format!("carried over × {scale:.2} with feet at most {off:.1} mm off"));
        }
        if notes.is_empty() { Ok(()) } else { write!(f, ", {}", notes.join(", ")) }
    }
}

/// A whole number without a minus at zero.
fn whole(value: f32) -> i32 {
    value.round() as i32
}

/// All measures of a single clip, and of many only what is not as with people.
fn fmt_measures(f: &mut fmt::Formatter<'_>, measures: &[Measured], all: bool) -> fmt::Result {
    let is_off = |measured: &Measured| {
        [Judgement::Below, Judgement::Above].map(Judgement::name).contains(&measured.judgement)
    };
    for measured in measures.iter().filter(|measured| all || is_off(measured)) {
        let range = match (measured.low, measured.high) {
            (Some(low), Some(high)) => format!("{} … {}", short(low), short(high)),
            (None, Some(high)) => format!("at most {}", short(high)),
            (Some(low), None) => format!("at least {}", short(low)),
            (None, None) => String::new(),
        };
        let value = measured.value.map_or_else(|| "–".to_owned(), short);
        let line = format!(
            "\n  {:<28} {value:>8} {:<5} {range:<18} {}",
            measured.name, measured.unit, measured.judgement
        );
        f.write_str(line.trim_end())?;
    }
    Ok(())
}

/// A number in three digits or so.
fn short(value: f32) -> String {
    let decimals = match value.abs() {
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        _ => 2,
    };
    let text = format!("{value:.decimals$}");
    // Rounding leaves a minus at zero.
    if text.trim_matches(['-', '0', '.']).is_empty() { "0".into() } else { text }
}
