//! Who watches: a camera, or somebody whose head is tracked.
//!
//! Trackers see a head a little late, and now and then not at all. A [`TrackedViewer`] says where the head is now from
//! where it was and how it moved, and that there is nobody once it has not been seen for a while. Where samples come from
//! is a [`ViewerSource`]: a [`Camera`], a recorded [`Trace`](super::Trace), or whatever drives a headset.

use glam::{Quat, Vec3};

use super::interest::{Interest, Subject};

/// A head as it was seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sighting {
    /// When, s.
    pub time: f64,
    /// Where the eyes were, m.
    pub position: Vec3,
    /// Where they looked; of any length.
    pub direction: Vec3,
}

impl Sighting {
    /// Whether all of it is numbers, and it looks somewhere.
    pub fn is_sound(&self) -> bool {
        let looks = self.direction.length_squared();
        self.time.is_finite() && self.position.is_finite() && looks.is_finite() && looks > 1e-12
    }
}

/// Where sightings come from.
pub trait ViewerSource {
    /// The last one up to `time`, in the source's own space; nothing if there was none yet.
    fn latest(&mut self, time: f64) -> Option<Sighting>;
}

/// The camera that draws the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where it is, m.
    pub position: Vec3,
    /// Where it looks.
    pub direction: Vec3,
}

impl ViewerSource for Camera {
    fn latest(&mut self, time: f64) -> Option<Sighting> {
        Some(Sighting { time, position: self.position, direction: self.direction })
    }
}

/// Where a tracker's space is in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Calibration {
    pub rotation: Quat,
    pub translation: Vec3,
}

impl Default for Calibration {
    fn default() -> Self {
        Self { rotation: Quat::IDENTITY, translation: Vec3::ZERO }
    }
}

/// A viewer now, in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewpoint {
    /// Where the eyes are, m.
    pub position: Vec3,
    /// Where they look; of unit length. What the ray hits first is what others may want to see, too.
    pub direction: Vec3,
    /// How they move, m/s.
    pub velocity: Vec3,
}

impl Viewpoint {
    /// The viewer as something to look at.
    pub fn interest(&self, number: u64, level: f32) -> Interest {
        Interest {
            velocity: self.velocity,
            facing: self.direction,
            level,
            ..Interest::new(Subject::viewer(number), self.position)
        }
    }
}

/// A viewer who is seen now and then.
///
/// ```
/// use glam::Vec3;
/// use throng_motion::gaze::{Sighting, TrackedViewer};
///
/// let mut viewer = TrackedViewer::default();
/// for frame in 0..=10 {
///     let time = 0.1 * f64::from(frame);
///     let position = Vec3::new(0.1 * frame as f32, 1.7, 0.0); // 1 m/s
///     viewer.observe(Sighting { time, position, direction: Vec3::Z });
/// }
/// assert!((viewer.at(1.0).unwrap().position.x - 1.05).abs() < 1e-3, "predicted");
/// assert!(viewer.at(1.5).is_none(), "lost");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TrackedViewer {
    /// Where the tracker is in the world.
    pub calibration: Calibration,
    /// How late sightings come, s: so far ahead of them the viewer is thought to be.
    pub prediction: f32,
    /// After how long without a sighting the viewer is gone, s.
    pub patience: f32,
    /// In the world.
    last: Option<Sighting>,
    velocity: Vec3,
}

impl Default for TrackedViewer {
    /// Of a tracker in world space that is 50 ms late.
    fn default() -> Self {
        Self {
            calibration: Calibration::default(),
            prediction: 0.05,
            patience: 0.3,
            last: None,
            velocity: Vec3::ZERO,
        }
    }
}

/// Nobody's head is faster than this, m/s: it was put elsewhere.
const FASTEST: f32 = 20.0;

impl TrackedViewer {
    /// Of a tracker in another space.
    pub fn calibrated(calibration: Calibration) -> Self {
        Self { calibration, ..Self::default() }
    }

    /// Of a camera, which is where it is.
    pub fn camera() -> Self {
        Self { prediction: 0.0, ..Self::default() }
    }

    /// Takes a sighting in the tracker's space. One that is none, or no newer than the last, changes nothing; one that
    /// is much older begins anew.
    pub fn observe(&mut self, sighting: Sighting) {
        let Calibration { rotation, translation } = self.calibration;
        let seen = Sighting {
            position: rotation * sighting.position + translation,
            direction: rotation * sighting.direction,
            ..sighting
        };
        if !seen.is_sound() {
            return;
        }
        let since = self.last.map(|last| ((seen.time - last.time) as f32, last.position));
        self.velocity = match since {
            Some((passed, _)) if passed <= 0.0 && passed >= -self.patience => return,
            Some((passed, place)) if passed > 0.0 && passed <= self.patience => {
                let velocity = (seen.position - place) / passed;
                if velocity.length() < FASTEST { velocity } else { Vec3::ZERO }
            }
            _ => Vec3::ZERO,
        };
        self.last = Some(seen);
    }

    /// Asks a source, and says where the viewer is at `time`.
    pub fn watch(&mut self, source: &mut impl ViewerSource, time: f64) -> Option<Viewpoint> {
        if let Some(sighting) = source.latest(time) {
            self.observe(sighting);
        }
        self.at(time)
    }

    /// Where the viewer is at `time`; nothing if they have not been seen for too long.
    pub fn at(&self, time: f64) -> Option<Viewpoint> {
        let last = self.last?;
        let age = (time - last.time) as f32;
        // A head that is not seen for a while does not sail away.
        let ahead = (age + self.prediction).max(0.0).min(2.0 * self.prediction.max(0.0));
        (age.abs() <= self.patience).then(|| Viewpoint {
            position: last.position + ahead * self.velocity,
            direction: last.direction.normalize(),
            velocity: self.velocity,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(time: f64, x: f32) -> Sighting {
        Sighting { time, position: Vec3::new(x, 0.0, 0.0), direction: 2.0 * Vec3::Z }
    }

    #[test]
    fn trackers_are_moved_and_turned_into_the_world() {
        let rotation = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2);
        let calibration = Calibration { rotation, translation: Vec3::new(0.0, 1.0, 0.0) };
        let mut viewer = TrackedViewer::calibrated(calibration);
        viewer.observe(seen(0.0, 1.0));
        let at = viewer.at(0.0).unwrap();
        assert!(at.position.distance(Vec3::new(0.0, 1.0, -1.0)) < 1e-6);
        assert!(at.direction.distance(Vec3::X) < 1e-6);
    }

    #[test]
    fn nonsense_repetitions_and_cuts_make_no_speed() {
        let mut viewer = TrackedViewer::default();
        assert!(viewer.at(0.0).is_none());
        viewer.observe(seen(0.0, 0.0));
        viewer.observe(seen(0.1, 0.1));
        let before = viewer.at(0.1);
        viewer.observe(seen(0.1, 5.0));
        viewer.observe(seen(f64::NAN, 5.0));
        viewer.observe(seen(0.2, f32::NAN));
        viewer.observe(Sighting { direction: Vec3::ZERO, ..seen(0.2, 0.2) });
        assert_eq!(viewer.at(0.1), before);
        viewer.observe(seen(0.2, 50.0));
        assert_eq!(viewer.at(0.2).unwrap().velocity, Vec3::ZERO, "a cut");
        viewer.observe(seen(-9.0, 0.0));
        assert_eq!(viewer.at(-9.0).unwrap().position, Vec3::ZERO, "the recording begins again");
        assert!(viewer.at(f64::NAN).is_none());
    }

    #[test]
    fn a_camera_is_where_it_is() {
        let mut viewer = TrackedViewer::camera();
        for frame in 0..5 {
            let position = Vec3::new(0.1 * frame as f32, 0.0, 0.0);
            let mut camera = Camera { position, direction: Vec3::Z };
            let at = viewer.watch(&mut camera, 0.1 * f64::from(frame)).unwrap();
            assert_eq!(at.position, position);
        }
    }
}
