//! How fast people are: their displacement over a window of frames around the moment.
//!
//! Velocities from one frame to the next show every sway of a body and every whim of a steering
//! model. What is measured in the laboratory is the displacement over `2n` frames, from `n` before
//! the moment to `n` after it. Who has just come or is about to leave has a shorter window.

use std::collections::VecDeque;

use glam::DVec2;

use crate::frame::{FrameView, Moment};

/// Half of the usual window, s. In the laboratory it is 0.2 s to 0.4 s; less lets sway in, and more
/// rounds off corners.
pub const HALF_WINDOW: f64 = 0.4;

/// The frames around the moment that is looked at.
///
/// Frames go in by [`push`](Self::push); moments come out once the frames after them are known,
/// and the last ones by [`drain`](Self::drain).
#[derive(Clone, Debug)]
pub struct Window {
    half: usize,
    moments: VecDeque<Moment>,
    /// Index in `moments` of the one to look at next.
    center: usize,
    spare: Vec<Moment>,
}

/// A moment with the frames around it.
#[derive(Clone, Copy, Debug)]
pub struct Centered<'w> {
    window: &'w Window,
    center: usize,
}

impl Window {
    /// A window of `half` frames to each side; at least one.
    pub fn new(half: usize) -> Self {
        Self { half: half.max(1), moments: VecDeque::new(), center: 0, spare: Vec::new() }
    }

    /// The usual window for frames that are `interval` seconds apart.
    pub fn for_interval(interval: f64) -> Self {
        // More frames than this are no recording of people; memory stays bounded whatever is asked.
        const MOST: f64 = 1000.0;
        Self::new((HALF_WINDOW / interval).round().clamp(1.0, MOST) as usize)
    }

    /// Adds a frame, and gives the moment that is now in the middle of a whole window to `look`.
    pub fn push(&mut self, frame: FrameView, look: impl FnOnce(Centered)) {
        if self.center > self.half {
            self.spare.extend(self.moments.pop_front());
            self.center -= 1;
        }
        let mut moment = self.spare.pop().unwrap_or_default();
        moment.set(frame);
        self.moments.push_back(moment);
        if self.moments.len() > self.center + self.half {
            look(Centered { window: self, center: self.center });
            self.center += 1;
        }
    }

    /// Gives the moments to `look` that have no whole window because nothing follows.
    pub fn drain(&mut self, mut look: impl FnMut(Centered)) {
        while self.center < self.moments.len() {
            look(Centered { window: self, center: self.center });
            self.center += 1;
        }
        self.moments.clear();
        self.center = 0;
    }
}

impl<'w> Centered<'w> {
    /// The moment itself.
    pub fn frame(&self) -> FrameView<'w> {
        self.window.moments[self.center].view()
    }

    /// The velocity of the person at `index` in the moment, m/s. `None` if they are in no other
    /// frame of the window.
    pub fn velocity(&self, index: usize) -> Option<DVec2> {
        let id = self.window.moments[self.center].ids[index];
        let first = self.center.saturating_sub(self.window.half);
        let last = (self.center + self.window.half).min(self.window.moments.len() - 1);
        let (begin, from) = (first..=self.center).find_map(|i| self.seen(i, id))?;
        let (end, to) = (self.center..=last).rev().find_map(|i| self.seen(i, id))?;
        (end > begin).then(|| (to - from) / (end - begin))
    }

    /// The speed of the person at `index`, m/s.
    pub fn speed(&self, index: usize) -> Option<f64> {
        self.velocity(index).map(DVec2::length)
    }

    /// The speed of the person at `index` in a direction, m/s; negative for the opposite way.
    pub fn speed_along(&self, index: usize, direction: DVec2) -> Option<f64> {
        let direction = direction.try_normalize()?;
        self.velocity(index).map(|velocity| velocity.dot(direction))
    }

    fn seen(&self, moment: usize, id: u32) -> Option<(f64, DVec2)> {
        let moment = &self.window.moments[moment];
        let index = moment.ids.binary_search(&id).ok()?;
        Some((moment.time, moment.positions[index].as_dvec2()))
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec2;
    use throng_world::scene::LayerId;

    use super::*;

    /// Everything `look` sees of frames with one person at `points`, `None` for not there.
    fn looked<T>(
        half: usize,
        points: &[Option<(f32, f32)>],
        look: impl Fn(Centered) -> T,
    ) -> Vec<(f64, T)> {
        let mut seen = Vec::new();
        let mut window = Window::new(half);
        for (step, point) in points.iter().enumerate() {
            let positions: Vec<Vec2> = point.iter().map(|&p| p.into()).collect();
            let n = positions.len();
            let frame = FrameView {
                time: step as f64 * 0.5,
                ids: &[4][..n],
                positions: &positions,
                layers: &[LayerId(0)][..n],
            };
            window.push(frame, |centered| seen.push((centered.frame().time, look(centered))));
        }
        window.drain(|centered| seen.push((centered.frame().time, look(centered))));
        seen
    }

    #[test]
    fn every_moment_comes_out_once_and_in_order() {
        for count in 0..12 {
            for half in 1..5 {
                let times: Vec<f64> = looked(half, &vec![Some((0.0, 0.0)); count], |_| ())
                    .into_iter()
                    .map(|(time, ())| time)
                    .collect();
                let expected: Vec<f64> = (0..count).map(|i| i as f64 * 0.5).collect();
                assert_eq!(times, expected, "{count} frames, half {half}");
            }
        }
    }

    #[test]
    fn speed_is_the_displacement_over_the_window() {
        let path: Vec<_> = (0..9).map(|i| Some(((i * i) as f32, 0.0))).collect();
        let speeds = looked(2, &path, |c| c.speed(0).unwrap());
        // x = i², so over two frames to each side: ((i+2)² - (i-2)²) / 2 s = 4i.
        assert!(speeds[2..7].iter().enumerate().all(|(k, s)| s.1 == 4.0 * (k + 2) as f64));
        assert_eq!(speeds[0].1, 4.0, "the first moment has only what follows");
        assert_eq!(speeds[8].1, (64.0 - 36.0) / 1.0);
        let along = looked(2, &path, |c| c.speed_along(0, DVec2::new(-3.0, 0.0)).unwrap());
        assert_eq!(along[3].1, -12.0);
    }

    #[test]
    fn who_is_seen_once_has_no_speed() {
        let seen = looked(1, &[None, Some((1.0, 1.0)), None], |c| {
            (0..c.frame().ids.len()).map(|i| c.speed(i)).collect::<Vec<_>>()
        });
        assert_eq!(seen[1].1, [None]);
    }
}
