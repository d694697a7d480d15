//! Clips of steady gaits.

use std::f32::consts::{FRAC_PI_2, PI};

use thiserror::Error;
use throng_base::frame::wrap_angle;

use super::cycle::{Cycle, Plan};
use super::law::{Gait, speed_number};
use super::sketch::Sketch;
use super::style::Style;
use crate::clip::{Clip, ClipError, ClipKind, ClipParts};
use crate::contact::{Contacts, Span};
use crate::human::Human;
use crate::motion::{Motion, MotionError};
use crate::pose::Pose;
use crate::root::{RootMotion, RootTrack};

/// A gait at a constant speed in a constant direction.
///
/// ```
/// use throng_motion::{Human, Proportions, gait::Steady};
///
/// let human = Human::new(Proportions::of_height(1.7))?;
/// let walk = Steady::ahead(1.3).clip(&human)?;
/// assert!((walk.speed() - 1.3).abs() < 1e-3);
/// assert!((1.0..1.2).contains(&walk.period()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steady {
    /// In metres per second.
    pub speed: f32,
    /// From where the chest faces to where the body goes, positive to the left, in radians.
    pub angle: f32,
    /// Walking or running; by default what people do at this speed.
    pub gait: Option<Gait>,
    /// How the person deviates from the average.
    pub style: Style,
}

/// Why there is no such gait.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum GaitError {
    #[error(
        "a {gait} of {speed} m/s at {degrees:.0}° is not human; this body can do {least:.2} to {most:.2} m/s"
    )]
    Speed { gait: &'static str, speed: f32, degrees: f32, least: f32, most: f32 },
    #[error("the angle {angle} is not a number")]
    Angle { angle: f32 },
    #[error("the style's {name} is {value}, which no body can do")]
    Style { name: &'static str, value: f32 },
    #[error("only walks straight ahead have starts and stops")]
    NotAhead,
    #[error(transparent)]
    Clip(#[from] ClipError),
}

impl From<MotionError> for GaitError {
    fn from(error: MotionError) -> Self {
        Self::Clip(error.into())
    }
}

impl Steady {
    /// A neutral gait straight ahead.
    pub fn ahead(speed: f32) -> Self {
        Self { speed, angle: 0.0, gait: None, style: Style::default() }
    }

    /// The same gait in another direction.
    pub fn towards(self, angle: f32) -> Self {
        Self { angle, ..self }
    }

    /// The same gait in another style.
    pub fn styled(self, style: Style) -> Self {
        Self { style, ..self }
    }

    /// A cycle of it.
    ///
    /// # Errors
    ///
    /// If no body of these proportions moves like that.
    pub fn clip(&self, human: &Human) -> Result<Clip, GaitError> {
        let (gait, angle) = self.checked(human)?;
        let backward = angle.abs() > FRAC_PI_2 + 1e-4;
        let cycle = Cycle::new(&Plan {
            human,
            gait,
            speed: self.speed,
            angle: if backward { wrap_angle(angle + PI) } else { angle },
            stride: if backward { 0.78 } else { 1.0 },
            arms: if backward { 0.4 } else { 1.0 },
            push_off: if backward { 0.6 } else { 1.0 },
            style: if backward { backwards(self.style) } else { self.style },
        });
        let (sketches, contacts) =
            if backward { reversed(&cycle) } else { (cycle.sketches.clone(), contacts(&cycle)) };
        let travel = if backward { -cycle.travel } else { cycle.travel };
        let poses: Vec<Pose> = sketches.iter().map(|sketch| sketch.pose(human)).collect();
        let rate = poses.len() as f32 / cycle.period;
        let motion = Motion::from_poses(self.name(gait), human.skeleton().clone(), rate, &poses)?;
        let total = RootMotion { translation: travel, yaw: 0.0 };
        Ok(Clip::new(ClipParts {
            kind: match gait {
                Gait::Walk => ClipKind::Walk,
                Gait::Run => ClipKind::Run,
            },
            root: RootTrack::steady(total, motion.frames() + 1),
            motion,
            contacts,
            looped: true,
        })?)
    }

    /// How it is done, and in which direction, in `(-π, π]`, if a body can do it.
    pub(super) fn checked(&self, human: &Human) -> Result<(Gait, f32), GaitError> {
        if !self.angle.is_finite() {
            return Err(GaitError::Angle { angle: self.angle });
        }
        if let Some((name, value)) = self.style.fault() {
            return Err(GaitError::Style { name, value });
        }
        let angle = wrap_angle(self.angle);
        let gait = self.gait.unwrap_or_else(|| Gait::at(self.speed, human.proportions()));
        self.check_speed(human, gait, angle)?;
        Ok((gait, angle))
    }

    fn name(&self, gait: Gait) -> String {
        let degrees = wrap_angle(self.angle).to_degrees().round() as i32;
        let way = match (degrees, gait) {
            (0, Gait::Walk) => "walk".into(),
            (0, Gait::Run) => "run".into(),
            (180 | -180, _) => "walk backward".into(),
            (90, _) => "step left".into(),
            (-90, _) => "step right".into(),
            (left, Gait::Walk) => format!("walk {left:+}°"),
            (left, Gait::Run) => format!("run {left:+}°"),
        };
        format!("{way} {:.2}", self.speed)
    }

    /// People go more slowly the less they go ahead.
    fn check_speed(&self, human: &Human, gait: Gait, angle: f32) -> Result<(), GaitError> {
        let leg = human.proportions().leg();
        let scale = speed_number(1.0, leg).recip();
        let (least, ahead, name) = match gait {
            Gait::Walk => (0.05, 0.80, "walk"),
            Gait::Run => (0.60, 1.70, "run"),
        };
        let other = match gait {
            Gait::Walk => 0.36,
            Gait::Run => ahead,
        };
        let share = if angle.abs() < FRAC_PI_2 { angle.cos().powi(2) } else { 0.0 };
        let most = (other + (ahead - other) * share) * scale;
        let least = least * scale;
        let sideways_run = gait == Gait::Run && angle.abs() > 0.8;
        if (least..=most).contains(&self.speed) && !sideways_run {
            return Ok(());
        }
        let degrees = angle.to_degrees();
        Err(GaitError::Speed { gait: name, speed: self.speed, degrees, least, most })
    }
}

/// What changes for those who go backwards.
fn backwards(style: Style) -> Style {
    Style { duty: style.duty + 0.03, trunk_lean: style.trunk_lean + 3f32.to_radians(), ..style }
}

fn contacts(cycle: &Cycle) -> Contacts {
    let stance = |strike: f32| vec![Span::between(strike, strike + cycle.duty)];
    Contacts::two([stance(0.0), stance(cycle.right_strike)])
}

/// The cycle with time reversed, beginning where the left foot comes down then.
fn reversed(cycle: &Cycle) -> (Vec<Sketch>, Contacts) {
    let count = cycle.sketches.len();
    let stands = cycle.duty;
    // Up, so that the first frame is one in which the foot stands.
    let shift = ((1.0 - stands) * count as f32).ceil() as usize;
    let stands = stands - 1.0 / count as f32;
    let sketches =
        (0..count).map(|index| cycle.sketches[(2 * count - index - shift) % count]).collect();
    let stance = |strike: f32| vec![Span::between(strike, strike + stands)];
    (sketches, Contacts::two([stance(0.0), stance(1.0 - cycle.right_strike)]))
}
