//! Everything a body needs to get about: the clips that ship with Throng.

use super::fall::Falling;
use super::stand::Standing;
use super::steady::{GaitError, Steady};
use super::style::Style;
use super::turn::Turning;
use crate::clip::Clip;
use crate::human::Human;

/// Speeds of walks straight ahead for an adult, in m/s.
const WALKS: [f32; 7] = [0.4, 0.6, 0.8, 1.0, 1.3, 1.6, 1.9];
/// Speeds of runs.
const RUNS: [f32; 3] = [2.5, 3.0, 3.5];
/// Speeds and angles (degrees) of steps that are not straight ahead. Those to the right are the
/// mirror images.
const OTHERS: [(f32, f32); 9] = [
    (1.3, 20.0),
    (0.7, 20.0),
    (1.1, 45.0),
    (0.5, 45.0),
    (0.8, 67.0),
    (0.5, 90.0),
    (0.25, 90.0),
    (0.5, 135.0),
    (0.6, 180.0),
];

/// The clips of one body in one style.
///
/// Speeds are those of an adult of 1.75 m and are scaled by the square root of the leg length, as
/// people's speeds are: the library of a child has the same clips at lower speeds.
///
/// ```
/// use throng_motion::{Human, Proportions, gait::{Library, Style}};
///
/// let human = Human::new(Proportions::of_height(1.8))?;
/// let library = Library::new(&human, Style::default())?;
/// assert!(library.clips().len() > 20);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Library {
    clips: Vec<Clip>,
}

impl Library {
    /// The clips of `human` in `style`.
    ///
    /// # Errors
    ///
    /// If no body can have that style.
    pub fn new(human: &Human, style: Style) -> Result<Self, GaitError> {
        let adult = 0.533 * 1.75;
        let scale = (human.proportions().leg() / adult).sqrt();
        let mut clips = vec![
            Standing { style, seed: 1 }.clip(human)?,
            Standing { style, seed: 2 }.clip(human)?.mirrored(),
            Turning { style }.clip(human)?,
            Turning { style }.clip(human)?.mirrored(),
        ];
        let ahead = WALKS.into_iter().chain(RUNS).map(|speed| (speed, 0.0));
        for (speed, degrees) in ahead.chain(OTHERS) {
            let steady = Steady::ahead(speed * scale).towards(degrees.to_radians()).styled(style);
            clips.push(steady.clip(human)?);
        }
        for speed in [0.8, 1.3] {
            let steady = Steady::ahead(speed * scale).styled(style);
            clips.push(steady.start(human)?);
            clips.push(steady.stop(human)?);
        }
        clips.push(Falling { style }.clip(human)?);
        Ok(Self { clips })
    }

    /// All clips: standing, turning, walking by speed, running, other directions, starts, stops, falling.
    pub fn clips(&self) -> &[Clip] {
        &self.clips
    }

    /// The clip called `name`.
    pub fn find(&self, name: &str) -> Option<&Clip> {
        self.clips.iter().find(|clip| clip.name() == name)
    }
}
