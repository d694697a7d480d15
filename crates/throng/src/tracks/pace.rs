//! Whether people walk as people do.
//!
//! Lengths in centimetres, pixels in the place of metres, frame numbers in the place of seconds: all of
//! them show in how fast people are who get somewhere. The import of files refuses averages that are
//! impossible; here is the whole distribution, so that less coarse mistakes stand out as well.

use crate::exchange::{FASTEST, WALKING_SPEEDS, fitting_unit};

use super::cut::speeds;
use super::gather::{Gathered, Row};

/// Who gets this far, m, walks; others may stand.
const SOMEWHERE: f64 = 2.0;
/// How fast people walk, m/s.
const WALKING: f64 = 1.3;
/// Beyond this, m, single precision has steps of a centimetre or more.
const FAR_AWAY: f32 = 100_000.0;
/// Slower than this, Hz, corners are not seen.
const LOWEST_RATE: f64 = 0.9;

/// The median speed of people who get somewhere, m/s, over all times when they do not stand.
pub(super) fn walking_speed(gathered: &Gathered, interval: f64) -> Option<f64> {
    let mut all = Vec::new();
    for person in &gathered.people {
        let rows = &gathered.rows[person.clone()];
        if extent(rows) > SOMEWHERE {
            all.extend(speeds(rows, 2.5 * interval.max(0.4)));
        }
    }
    // Without any idea of the units, who stands is who is far slower than the fast.
    let fast = *quantile(&mut all, 9, 10)?;
    all.retain(|&speed| speed >= 0.2 * fast);
    quantile(&mut all, 1, 2).copied()
}

/// What is suspicious, and what to write instead.
pub(super) fn judge(gathered: &Gathered, interval: f64, speed: Option<f64>) -> Vec<String> {
    let mut warnings = Vec::new();
    warnings.extend(speed.and_then(implausible));
    if gathered.rows.is_empty() {
        warnings.push("there are no samples".into());
    } else if interval.recip() < LOWEST_RATE {
        warnings.push(format!(
            "samples are {interval:.2} s apart; what people do in less than a second is not in them"
        ));
    }
    let farthest = |row: &Row| row.sample.position.abs().max_element();
    let farthest = gathered.rows.iter().map(farthest).fold(0.0, f32::max);
    if farthest > FAR_AWAY {
        warnings.push(format!(
            "positions are up to {:.0} km from the origin, where they have steps of {:.0} mm; \
             subtract the same from all of them first",
            farthest / 1000.0,
            1000.0 * (farthest.next_up() - farthest)
        ));
    }
    warnings
}

fn implausible(speed: f64) -> Option<String> {
    let (slowest, fastest) = WALKING_SPEEDS;
    if (slowest..=fastest).contains(&speed) {
        return None;
    }
    let ratio = WALKING / speed;
    let what = format!(
        "people who get somewhere move {} m/s (median), and walking is about {WALKING}",
        short(speed)
    );
    let rate = format!("a frame rate {} times as high would fit (--fps)", short(ratio));
    Some(match fitting_unit(speed) {
        Some(unit) => format!(
            "{what}; if lengths are in {0}, say so with --unit {0}; if only the time is wrong, {rate}",
            unit.symbol()
        ),
        None if speed > FASTEST => format!(
            "{what}; no unit would make that right, but if positions are pixels, multiply them \
             by the metres of a pixel, perhaps {}; if only the time is wrong, {rate}",
            short(ratio)
        ),
        None if speed < slowest => {
            format!("{what}; if times are numbers of frames, {rate}, or give times in seconds")
        }
        None => format!("{what}; unless they run, {rate}"),
    })
}

/// The larger side of the rectangle around all of somebody's places, m.
fn extent(rows: &[Row]) -> f64 {
    let places = || rows.iter().map(|row| row.sample.position);
    match (places().reduce(glam::Vec2::min), places().reduce(glam::Vec2::max)) {
        (Some(low), Some(high)) => (high - low).max_element().into(),
        _ => 0.0,
    }
}

/// The value that `part` of `whole` of all are below.
pub(super) fn quantile(values: &mut [f64], part: usize, whole: usize) -> Option<&f64> {
    let index = values.len() * part / whole;
    (index < values.len()).then(|| &*values.select_nth_unstable_by(index, f64::total_cmp).1)
}

/// `value` with two digits that matter.
fn short(value: f64) -> String {
    let digits = (1.0 - value.abs().log10().floor()).clamp(0.0, 6.0);
    format!("{value:.*}", digits as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mistake_has_its_way_out() {
        let says = |speed: f64, words: &str| {
            let text = implausible(speed).unwrap();
            assert!(text.contains(words), "{speed}: {text}");
        };
        says(130.0, "say so with --unit cm");
        says(1300.0, "say so with --unit mm");
        says(15.0, "perhaps 0.087");
        says(0.052, "a frame rate 25 times as high");
        says(5.2, "unless they run, a frame rate 0.25 times as high");
        assert_eq!(implausible(1.3).or(implausible(0.4)).or(implausible(2.9)), None);
    }
}
