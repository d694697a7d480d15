//! The second half of a file: a row of numbers for each frame.

use super::ReadError;
use super::text::Scanner;
use crate::files::Warnings;

/// The numbers of all frames.
#[derive(Debug)]
pub(super) struct Frames {
    /// Frames per second.
    pub rate: f32,
    /// One frame after the other.
    pub numbers: Vec<f64>,
    /// How many frames there are.
    pub count: usize,
}

/// What frames are made into takes this much at most: rotations of joints in all frames, 1 GiB.
/// Hours of whole bodies stay below; files made to fill the memory do not.
const MOST_ROTATIONS: usize = 1 << 26;

/// Reads what follows `MOTION`: frames of `width` numbers for `joints` joints.
pub(super) fn parse(
    scanner: &mut Scanner,
    (width, joints): (usize, usize),
    warnings: &mut Warnings,
) -> Result<Frames, ReadError> {
    let (declared, rate) = header(scanner, warnings)?;
    let start = scanner.here();
    if width == 0 {
        warnings.add(start.place(), "no joint has channels", "the body is read as it is at rest");
        return Ok(Frames { rate, numbers: Vec::new(), count: 0 });
    }
    let mut numbers = rows(scanner, width, MOST_ROTATIONS / joints.max(1))?;
    let (count, over) = (numbers.len() / width, numbers.len() % width);
    if over > 0 {
        warnings.add(
            scanner.here().place(),
            format!("the file ends after {over} of the {width} numbers of frame {}", count + 1),
            "that frame is left out",
        );
        numbers.truncate(count * width);
    }
    if count == 0 && declared > 0 {
        return Err(scanner.here().refuse("the file ends before its first frame is complete"));
    }
    if count == 0 {
        warnings.add(start.place(), "there are no frames", "the body is read as it is at rest");
    } else if count as u64 != declared {
        let found = format!("the file says that it has {declared} frames, but has {count}");
        warnings.add(start.place(), found, "all that there are are read");
    }
    Ok(Frames { rate, numbers, count })
}

/// The numbers of all lines. A frame may have several lines, but a line no more than a frame: if it
/// does, a number is missing somewhere, and all that follow would be taken for others.
fn rows(scanner: &mut Scanner, width: usize, most: usize) -> Result<Vec<f64>, ReadError> {
    let mut numbers = Vec::new();
    loop {
        let (frame, begun) = (numbers.len() / width, numbers.len() % width);
        let full = (frame + 1) * width;
        while let Some(word) = scanner.word_in_line() {
            if numbers.len() == full {
                let lines =
                    if begun == 0 { "this line has" } else { "this line and those before have" };
                let message = format!(
                    "frame {} has {width} numbers, but {lines} more; is one too many, or is one \
                     missing before?",
                    frame + 1
                );
                return Err(word.refuse(message));
            }
            numbers.push(word.number()?);
        }
        if numbers.len() / width > most {
            let message = format!("there are more than the {most} frames that can be read");
            return Err(scanner.here().refuse(message));
        }
        if !scanner.next_line() {
            return Ok(numbers);
        }
    }
}

/// The lines `Frames: 344` and `Frame Time: .0083333`.
fn header(scanner: &mut Scanner, warnings: &mut Warnings) -> Result<(u64, f32), ReadError> {
    let frames = setting(scanner, "Frames")?;
    let Ok(count) = frames.text.parse::<u64>() else {
        let found = frames.shown();
        return Err(frames.refuse(format!("expected a number of frames, found {found}")));
    };
    let time = setting(scanner, "Frame Time")?;
    let seconds = time.number()?;
    let rate = 1.0 / seconds;
    if (1e-3..=1e5).contains(&rate) {
        // 0.0083333 s are 120 frames per second, not 120.00048.
        let whole = rate.round();
        let rate = if (rate - whole).abs() < 1e-4 * rate { whole } else { rate };
        return Ok((count, rate as f32));
    }
    if count > 1 {
        let message = format!("a frame cannot take {seconds} s; write a positive time");
        return Err(time.refuse(message));
    }
    warnings.add(time.place(), format!("a frame cannot take {seconds} s"), "1/30 s is assumed");
    Ok((count, 30.0))
}

/// The value of `name: value`.
fn setting<'t>(scanner: &mut Scanner<'t>, name: &str) -> Result<super::text::Word<'t>, ReadError> {
    // Words are taken one by one, so that `Frames:344` and `Frame Time :` are understood as well.
    let (mut key, first) = (String::new(), scanner.word());
    let mut word = first;
    loop {
        match word.text.split_once(':') {
            Some((last, value)) => {
                key.push_str(last);
                if !key.eq_ignore_ascii_case(&name.replace(' ', "")) {
                    break;
                }
                if value.is_empty() {
                    return Ok(scanner.word());
                }
                return Ok(word.after(word.text.len() - value.len()));
            }
            None => key.push_str(word.text),
        }
        match scanner.word_in_line() {
            Some(next) if key.len() < 20 => word = next,
            _ => break,
        }
    }
    Err(first.refuse(format!("expected \"{name}:\" and a number, found {}", first.shown())))
}
