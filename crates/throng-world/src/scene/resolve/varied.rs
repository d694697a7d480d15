//! Values that vary from person to person: distributions, and how long people stay.

use std::collections::BTreeMap;
use std::sync::Arc;

use throng_base::Distribution;

use super::super::files::Files;
use super::super::report::Report;
use super::super::value::{At, Spread, Varied};
use super::super::{Climbing, MeasuredTimes, Span, Wait, file};
use super::optional;

/// How the `key` of `who` varies; `None` if it is not there, or wrong.
pub fn varied(
    value: Option<&At<Varied>>,
    who: &str,
    key: &str,
    report: &mut Report,
) -> Option<Distribution> {
    let value = value?;
    match &**value {
        Varied::Constant(number) => Some(Distribution::Constant(*number as f32)),
        Varied::Spread(spread) => {
            let limits = [limit(spread.min.as_ref()), limit(spread.max.as_ref())];
            // The form of the file says that they are there.
            let [Some(min), Some(max)] = limits else { return None };
            distribution(spread, [min, max], value.span(), (who, key), report)
        }
    }
}

/// The speeds of `who` on stairs and ramps, as they vary.
pub fn climbing(
    [stairs, ramps]: [Option<&At<file::Climb>>; 2],
    who: &str,
    report: &mut Report,
) -> Climbing<Distribution> {
    let mut pair = |file: Option<&At<file::Climb>>, keys: [&str; 2]| {
        let Some(file) = file else { return [None; 2] };
        let [up, down] = keys;
        [varied(file.up.as_ref(), who, up, report), varied(file.down.as_ref(), who, down, report)]
    };
    Climbing {
        stairs: pair(stairs, ["speed up stairs", "speed down stairs"]),
        ramps: pair(ramps, ["speed up ramps", "speed down ramps"]),
    }
}

/// The speeds of one person on stairs and ramps.
pub fn own_climbing([stairs, ramps]: [Option<&At<file::OwnClimb>>; 2]) -> Climbing<f32> {
    let pair = |file: Option<&At<file::OwnClimb>>| {
        let Some(file) = file else { return [None; 2] };
        [&file.up, &file.down].map(|speed| optional(speed.as_ref()).map(|speed| speed as f32))
    };
    Climbing { stairs: pair(stairs), ramps: pair(ramps) }
}

/// The tables of times that a scene names, by the paths that it writes.
pub type TimeTables = BTreeMap<String, Arc<MeasuredTimes>>;

/// Reads all tables of times that goals name.
pub fn tables(file: &file::SceneFile, files: &mut Files, report: &mut Report) -> TimeTables {
    let mut tables = TimeTables::new();
    let goals = file.groups.iter().flat_map(|group| {
        let people = group.people.iter().flat_map(|person| {
            person.goal.iter().chain(person.goals.iter().flat_map(|goals| goals.iter()))
        });
        group.goals.iter().flat_map(|goals| goals.iter()).chain(people)
    });
    for path in goals.filter_map(|goal| path_of(goal.idle.as_ref()?)) {
        if tables.contains_key(path.as_str()) {
            continue;
        }
        let read = files.table(path).map(|text| text.and_then(MeasuredTimes::parse));
        match read {
            Some(Ok(times)) => _ = tables.insert((**path).clone(), Arc::new(times)),
            Some(Err(why)) => {
                let message = format!("cannot use {:?} as times: {why}", path.as_str());
                let help = "write a CSV file with the first line `time`, and a line for each time in seconds; its path \
                            is relative to the scene file's folder";
                report.error(path.span(), message).help(help);
            }
            None => {
                let message =
                    format!("times are in the file {:?}, which is not at hand", path.as_str());
                report.error(path.span(), message).help("load the scene file itself");
            }
        }
    }
    tables
}

fn path_of(value: &Varied) -> Option<&At<String>> {
    match value {
        Varied::Spread(spread) => spread.file.as_ref(),
        Varied::Constant(_) => None,
    }
}

/// How long `who` stays; `None` if something about it is wrong.
pub fn wait(
    value: &At<Varied>,
    who: &str,
    tables: &TimeTables,
    report: &mut Report,
) -> Option<Wait> {
    let spread = match &**value {
        Varied::Constant(seconds) => {
            return Some(Wait::Drawn(Distribution::Constant(*seconds as f32)));
        }
        Varied::Spread(spread) => spread,
    };
    if let Some(path) = &spread.file {
        if families(spread).iter().any(|(_, given)| given.iter().any(|given| *given))
            || spread.min.is_some()
            || spread.max.is_some()
        {
            let message = format!("{who} stays as long as a file says, and as other keys say");
            report.error(value.span(), message).help("keep `file` alone");
        }
        return tables.get(path.as_str()).cloned().map(Wait::Measured);
    }
    let is_uniform = families(spread).iter().all(|(_, given)| *given == [false; 2]);
    if is_uniform && (spread.min.is_none() || spread.max.is_none()) {
        let message = format!("{who} stays for a time without `min` or without `max`");
        let help = "write both for a uniform distribution, or `mean` and `sd`, `log_mean` and `log_sd`, `scale` and \
                    `shape`, or `file` for others";
        report.error(value.span(), message).help(help);
        return None;
    }
    let min = limit(spread.min.as_ref()).unwrap_or(0.0);
    let max = limit(spread.max.as_ref()).unwrap_or(f32::INFINITY);
    let drawn = distribution(spread, [min, max], value.span(), (who, "idle"), report)?;
    if matches!(drawn, Distribution::Normal { .. }) && drawn.is_cut_to_nothing() {
        report_nothing_left(value.span(), (who, "idle"), report);
    }
    Some(Wait::Drawn(drawn))
}

fn limit(typed: Option<&At<f64>>) -> Option<f32> {
    typed.map(|limit| **limit as f32)
}

/// The pairs of keys that make a distribution of some kind, and which of them are there.
fn families(spread: &Spread) -> [([&'static str; 2], [bool; 2]); 3] {
    [
        (["mean", "sd"], [spread.mean.is_some(), spread.sd.is_some()]),
        (["log_mean", "log_sd"], [spread.log_mean.is_some(), spread.log_sd.is_some()]),
        (["scale", "shape"], [spread.scale.is_some(), spread.shape.is_some()]),
    ]
}

fn distribution(
    spread: &Spread,
    [min, max]: [f32; 2],
    span: Span,
    (who, key): (&str, &str),
    report: &mut Report,
) -> Option<Distribution> {
    if min > max {
        let message = format!("{who} has {key} with min {min} above max {max}");
        let at = spread.min.as_ref().map_or(span, At::span);
        report.error(at, message).help("swap them");
        return None;
    }
    let given = families(spread).map(|(keys, given)| (keys, given));
    for ([one, other], given) in given {
        if given[0] != given[1] {
            let message = format!("{who} has {key} with only one of `{one}` and `{other}`");
            let help = match one {
                "mean" => "write both for a normal distribution, or none for a uniform one",
                "log_mean" => "write both for a log-normal distribution",
                _ => "write both for a Weibull distribution",
            };
            report.error(span, message).help(help);
            return None;
        }
    }
    if given.iter().filter(|(_, given)| given[0]).count() > 1 {
        let message = format!("{who} has {key} with the keys of two distributions");
        let help = "keep `mean` and `sd`, or `log_mean` and `log_sd`, or `scale` and `shape`";
        report.error(span, message).help(help);
        return None;
    }
    let pair = |one: &Option<At<f64>>, other: &Option<At<f64>>| {
        Some((limit(one.as_ref())?, limit(other.as_ref())?))
    };
    let drawn = if let Some((mean, sd)) = pair(&spread.mean, &spread.sd) {
        return Some(Distribution::Normal { mean, sd, min, max });
    } else if let Some((log_mean, log_sd)) = pair(&spread.log_mean, &spread.log_sd) {
        Distribution::LogNormal { log_mean, log_sd, min, max }
    } else if let Some((scale, shape)) = pair(&spread.scale, &spread.shape) {
        Distribution::Weibull { scale, shape, min, max }
    } else {
        Distribution::Uniform { min, max }
    };
    if drawn.is_cut_to_nothing() {
        report_nothing_left(span, (who, key), report);
    }
    Some(drawn)
}

fn report_nothing_left(span: Span, (who, key): (&str, &str), report: &mut Report) {
    let message =
        format!("{who} has {key} with limits that leave out nearly all of the distribution");
    report
        .error(span, message)
        .help("move `min` and `max` to where its values are, or leave them out");
}
