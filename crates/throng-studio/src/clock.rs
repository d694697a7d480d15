//! Simulated time beside that on the wall.

use std::time::{Duration, Instant};

/// Whoever is further behind than this does not catch up, s.
const PATIENCE: f64 = 0.25;
/// Over how long the pace is averaged, s.
const PACE_PERIOD: f64 = 1.0;

/// Says when the next moment is due.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    is_running: bool,
    speed: f64,
    /// A moment on the wall, and what the simulated time was then.
    mark: (Instant, f64),
    /// The same for the pace.
    pace_mark: (Instant, f64),
    pace: f64,
}

impl Clock {
    /// A clock that runs at this simulated time.
    pub fn new(now: Instant, time: f64) -> Self {
        Self { is_running: true, speed: 1.0, mark: (now, time), pace_mark: (now, time), pace: 0.0 }
    }

    pub fn is_running(&self) -> bool {
        self.is_running
    }

    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Simulated seconds per second, of late.
    pub fn pace(&self) -> f64 {
        if self.is_running { self.pace } else { 0.0 }
    }

    /// Sets it to a simulated time.
    pub fn set(&mut self, now: Instant, time: f64) {
        self.mark = (now, time);
        self.pace_mark = (now, time);
    }

    pub fn run(&mut self, now: Instant, time: f64) {
        self.is_running = true;
        self.set(now, time);
    }

    pub fn stop(&mut self) {
        self.is_running = false;
        self.pace = 0.0;
    }

    pub fn set_speed(&mut self, now: Instant, time: f64, speed: f64) {
        self.speed = speed;
        self.set(now, time);
    }

    /// The simulated time that it should be; `None` if the clock stands.
    pub fn time(&self, now: Instant) -> Option<f64> {
        let (since, time) = self.mark;
        let elapsed = now.saturating_duration_since(since).as_secs_f64();
        self.is_running.then_some(time + elapsed * self.speed)
    }

    /// How long it is until a simulated time; `None` if it never comes.
    pub fn until(&self, now: Instant, time: f64) -> Option<Duration> {
        let left = (time - self.time(now)?) / self.speed;
        Duration::try_from_secs_f64(left.max(0.0)).ok()
    }

    /// Notes that the simulated time has been brought to `time`. Time that cannot be caught up is lost.
    pub fn arrived(&mut self, now: Instant, time: f64) {
        let Some(due) = self.time(now) else { return };
        if (due - time) / self.speed > PATIENCE {
            self.mark = (now, time);
        }
        let (since, from) = self.pace_mark;
        let elapsed = now.saturating_duration_since(since).as_secs_f64();
        if elapsed >= PACE_PERIOD {
            self.pace = (time - from) / elapsed;
            self.pace_mark = (now, time);
        } else if self.pace == 0.0 && elapsed > 0.0 {
            self.pace = self.speed;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    #[test]
    fn time_passes_at_the_chosen_speed_and_stands_when_stopped() {
        let start = Instant::now();
        let mut clock = Clock::new(start, 10.0);
        assert_eq!(clock.time(start + seconds(2.0)), Some(12.0));
        clock.set_speed(start, 10.0, 0.5);
        assert_eq!(clock.until(start, 11.0), Some(seconds(2.0)));
        clock.stop();
        assert_eq!(clock.time(start + seconds(2.0)), None);
        clock.run(start + seconds(5.0), 10.0);
        assert_eq!(clock.time(start + seconds(7.0)), Some(11.0));
    }

    #[test]
    fn who_falls_far_behind_does_not_race_to_catch_up() {
        let start = Instant::now();
        let mut clock = Clock::new(start, 0.0);
        let now = start + seconds(3.0);
        clock.arrived(now, 1.0);
        assert_eq!(clock.time(now), Some(1.0));
        assert!((clock.pace() - 1.0 / 3.0).abs() < 1e-9);
        // A little behind is caught up.
        clock.arrived(now + seconds(0.2), 1.1);
        assert!((clock.time(now + seconds(0.2)).unwrap() - 1.2).abs() < 1e-9);
    }

    #[test]
    fn time_runs_backwards_as_well() {
        let start = Instant::now();
        let mut clock = Clock::new(start, 10.0);
        clock.set_speed(start, 10.0, -2.0);
        assert_eq!(clock.time(start + seconds(1.0)), Some(8.0));
        assert_eq!(clock.until(start, 9.0), Some(seconds(0.5)));
    }
}
