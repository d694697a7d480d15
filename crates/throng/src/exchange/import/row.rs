//! What one row of tracks says, and whether it can be recorded.

use std::collections::HashMap;

use throng_crowd::Status;
use throng_world::scene::{MAX_COORDINATE, MAX_LAYERS, MAX_NAMED, MAX_RADIUS};

/// Where someone was at a moment, in metres and seconds. At least one of `frame` and `time` is
/// given, and the same in all rows of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Row {
    /// Where it stands in the file.
    pub line: u64,
    pub id: u32,
    pub frame: Option<i64>,
    pub time: Option<f64>,
    pub x: f64,
    pub y: f64,
    pub z: f64,
    pub group: u16,
    pub layer: u8,
    pub heading: Option<f64>,
    pub velocity: Option<[f64; 2]>,
    pub radius: Option<f64>,
    pub status: Option<Status>,
    pub blocked_by: Option<u32>,
}

/// Frame numbers and times beyond these are damage, and would not be told apart by what follows.
const LAST_FRAME: i64 = 1 << 50;
const LAST_TIME: f64 = 1e12;
const FASTEST: f64 = 1e6;

impl Row {
    /// What is wrong with the numbers, if anything.
    pub(super) fn check(&self) -> Result<(), String> {
        let within = |what: &str, value: f64, most: f64| match value.abs() <= most {
            true => Ok(()),
            false if value.is_finite() => Err(format!("{what} is {value}, and {most} is the most")),
            false => Err(format!("{what} is {value}, not a number that can be recorded")),
        };
        for (what, value) in [("x", self.x), ("y", self.y), ("z", self.z)] {
            within(what, value, MAX_COORDINATE).map_err(|reason| {
                format!("{reason} (m); shift the tracks closer to the origin, or check --unit")
            })?;
        }
        within("heading", self.heading.unwrap_or(0.0), FASTEST)?;
        within("radius", self.radius.unwrap_or(0.0), MAX_RADIUS)?;
        let [vx, vy] = self.velocity.unwrap_or_default();
        within("vx", vx, FASTEST)?;
        within("vy", vy, FASTEST)?;
        within("time", self.time.unwrap_or(0.0), LAST_TIME)?;
        match self.frame {
            Some(frame) if frame.abs() > LAST_FRAME => {
                Err(format!("frame {frame} is farther from 0 than can be recorded"))
            }
            _ => Ok(()),
        }
    }
}

/// Names in the order in which they appear, and their numbers.
#[derive(Debug, Default)]
pub(super) struct Names {
    order: Vec<String>,
    numbers: HashMap<String, u16>,
}

impl Names {
    /// As many floors as a scene may have.
    pub(super) const MOST_LAYERS: usize = MAX_LAYERS;
    /// As many groups as a scene may have.
    pub(super) const MOST_GROUPS: usize = MAX_NAMED;

    /// The number of `name`, or an error if it would be one more than `most`.
    pub(super) fn number(&mut self, name: &str, most: usize) -> Result<u16, String> {
        if let Some(&number) = self.numbers.get(name) {
            return Ok(number);
        }
        if self.order.len() >= most {
            return Err(format!("{name:?} is one more name than the {most} there can be"));
        }
        let number = self.order.len() as u16;
        self.order.push(name.into());
        self.numbers.insert(name.into(), number);
        Ok(number)
    }

    /// All names, or `otherwise` if there are none.
    pub(super) fn list(&self, otherwise: &str) -> Vec<String> {
        if self.order.is_empty() { vec![otherwise.into()] } else { self.order.clone() }
    }
}

/// A number that can be read from `text`.
pub(super) fn number(what: &str, text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        Ok(_) => Err(format!("{what} is {}, which is no position or time", shown(text))),
        Err(_) if text.trim().is_empty() => Err(format!("{what} is missing")),
        Err(_) => Err(format!("{what} is {}, not a number", shown(text))),
    }
}

/// A whole number in `text`, which may be written as 7.8e+02.
pub(super) fn integer(what: &str, text: &str) -> Result<i64, String> {
    if let Ok(integer) = text.trim().parse() {
        return Ok(integer);
    }
    let number = number(what, text)?;
    if number.fract() != 0.0 || number.abs() > LAST_FRAME as f64 {
        return Err(format!("{what} is {}, not a whole number", shown(text)));
    }
    Ok(number as i64)
}

/// Somebody's number in `text`.
pub(super) fn id(what: &str, text: &str) -> Result<u32, String> {
    let number = integer(what, text)?;
    let most = u32::MAX;
    u32::try_from(number)
        .map_err(|_| format!("{what} is {number}; ids are whole numbers from 0 to {most}"))
}

/// What a file says, in as much of it as belongs in a message.
pub(in crate::exchange) fn shown(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut short: String = text.trim().chars().take(LONGEST).collect();
    if short.len() < text.trim().len() {
        short.push('…');
    }
    format!("{short:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_any_notation_are_read_and_others_are_named() {
        assert_eq!(integer("frame", " 7.8000000e+02 "), Ok(780));
        assert_eq!(integer("frame", "-3"), Ok(-3));
        assert_eq!(id("id", "4294967295"), Ok(u32::MAX));
        for (result, reason) in [
            (integer("frame", "1.5"), "frame is \"1.5\", not a whole number"),
            (integer("frame", "1e300"), "not a whole number"),
            (id("id", "-1").map(i64::from), "id is -1; ids are whole numbers"),
            (id("id", "ped 7").map(i64::from), "id is \"ped 7\", not a number"),
            (number("x", "NaN").map(|x| x as i64), "x is \"NaN\", which is no position"),
            (number("x", "").map(|x| x as i64), "x is missing"),
        ] {
            let error = result.unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
        assert!(number("x", &"é".repeat(900)).unwrap_err().len() < 200);
    }

    #[test]
    fn rows_that_cannot_be_recorded_are_refused() {
        assert_eq!(Row::default().check(), Ok(()));
        for row in [
            Row { x: 2e5, ..Row::default() },
            Row { y: f64::NAN, ..Row::default() },
            Row { velocity: Some([0.0, f64::INFINITY]), ..Row::default() },
            Row { radius: Some(1e30), ..Row::default() },
            Row { heading: Some(f64::NAN), ..Row::default() },
            Row { time: Some(1e300), ..Row::default() },
            Row { frame: Some(i64::MIN + 1), ..Row::default() },
        ] {
            assert!(row.check().is_err(), "{row:?}");
        }
    }
}
