//! Levelling motions whose floor was captured with a tilt.
//!
//! Capture volumes are often tilted by a per cent or two: over a walk of some metres, feet then rise by
//! more than a foot in contact may. The plane of the floor is fitted to the footholds, one point for
//! each time that a foot stands, by least squares with less weight for outliers. Feet that stand are
//! found by their speed alone, as their heights mean nothing before the floor is known. A straight
//! walk says little about the tilt across it, so the fit is drawn towards a level floor as if somebody
//! had measured one.

use glam::{DMat2, DVec2, Quat, Vec3, Vec3A};

use crate::contact::Side;
use crate::motion::Motion;

use super::body::{Body, BodyFrame, quantile};
use super::{Options, Refusal};

/// A smaller tilt is left as it is, as metres up for each metre ahead: it takes contacts 4 m to notice.
const LEAST_TILT: f32 = 0.005;
/// A larger tilt is a slope that somebody walks up or down.
const MOST_TILT: f32 = 0.04;
/// How much a level floor is believed: as much as footholds spread by so many leg lengths are.
const PRIOR: f64 = 0.5;
/// Footholds that are further off the plane count less, in leg lengths.
const OUTLIER: f64 = 0.01;

/// `motion` with a level floor, and how much the floor was tilted, in metres up for each metre ahead;
/// nothing if it is level, or not a plane with a small tilt.
pub(crate) fn levelled(
    motion: &Motion,
    body: &Body,
    options: &Options,
) -> Result<Option<(Motion, f32)>, Refusal> {
    let footholds = body.footholds(options);
    let Some(slope) = slope(&footholds, body.build.leg_length, options) else { return Ok(None) };
    let up = Vec3::new(-slope.x as f32, 1.0, -slope.y as f32).normalize();
    let level = Quat::from_rotation_arc(up, Vec3::Y);
    let roots = motion.roots().iter().map(|root| Vec3A::from(level * Vec3::from(*root))).collect();
    let rotations = (0..motion.frames()).flat_map(|frame| {
        let turned = move |(joint, rotation): (usize, &Quat)| {
            if joint == 0 { level * *rotation } else { *rotation }
        };
        motion.rotations(frame).iter().enumerate().map(turned)
    });
    let (name, skeleton) = (motion.name(), motion.skeleton().clone());
    let levelled = Motion::new(name, skeleton, motion.rate(), roots, rotations.collect())?;
    Ok(Some((levelled, slope.length() as f32)))
}

/// How much the plane through footholds rises along x and z; nothing if it is level or no plane.
fn slope(footholds: &[Vec3], leg: f32, options: &Options) -> Option<DVec2> {
    if footholds.len() < 3 {
        return None;
    }
    let level = |at: Vec3| DVec2::new(at.x.into(), at.z.into());
    let (prior, outlier) = (PRIOR * f64::from(leg), OUTLIER * f64::from(leg));
    let mut weights = vec![1.0; footholds.len()];
    let (mut slope, mut off) = (DVec2::ZERO, vec![0.0; footholds.len()]);
    for _ in 0..8 {
        let weighted = || footholds.iter().zip(&weights);
        let sum: f64 = weights.iter().sum();
        let middle = weighted().map(|(at, w)| *w * level(*at)).sum::<DVec2>() / sum;
        let height = weighted().map(|(at, w)| *w * f64::from(at.y)).sum::<f64>() / sum;
        let mut squares = DMat2::from_diagonal(DVec2::splat(prior * prior));
        let mut rises = DVec2::ZERO;
        for (at, weight) in weighted() {
            let way = level(*at) - middle;
            squares += DMat2::from_cols(way.x * way, way.y * way) * *weight;
            rises += *weight * (f64::from(at.y) - height) * way;
        }
        slope = squares.inverse() * rises;
        for ((at, off), weight) in footholds.iter().zip(&mut off).zip(&mut weights) {
            *off = f64::from(at.y) - height - slope.dot(level(*at) - middle);
            *weight = 1.0 / (1.0 + (*off / outlier).powi(2));
        }
    }
    let mut off: Vec<f32> = off.into_iter().map(|off| off.abs() as f32).collect();
    let is_plane = quantile(&mut off, 0.8)? < options.contact_height * leg;
    let is_tilted = (LEAST_TILT..=MOST_TILT).contains(&(slope.length() as f32));
    (slope.is_finite() && is_plane && is_tilted).then_some(slope)
}

impl Body {
    /// Where feet stand: the mean of the lower of heel and ball while that is slow, once for each stance.
    fn footholds(&self, options: &Options) -> Vec<Vec3> {
        let slow = (options.contact_speed * self.build.speed_unit())
            .max(options.contact_speed_share * self.drift().length());
        let shortest = options.shortest_stance * self.build.time_unit() * self.rate;
        let mut footholds = Vec::new();
        for side in Side::BOTH {
            let points = |frame: &BodyFrame| {
                let foot = &frame.feet[side as usize];
                [foot.heel, foot.ball]
            };
            let mut standing: Vec<Vec3> = Vec::new();
            for frame in 0..=self.frames.len() {
                let found = self.frames.get(frame).and_then(|at| {
                    let [heel, ball] = points(at);
                    let lower = usize::from(ball.y < heel.y);
                    let speed = self.velocities(frame, points)[lower].length();
                    (speed < slow).then_some([heel, ball][lower])
                });
                match found {
                    Some(at) => standing.push(at),
                    None => {
                        if standing.len() as f32 >= shortest.max(1.0) {
                            let sum: Vec3 = standing.iter().sum();
                            footholds.push(sum / standing.len() as f32);
                        }
                        standing.clear();
                    }
                }
            }
        }
        footholds
    }
}
