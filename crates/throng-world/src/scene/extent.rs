//! How long a scene runs, and how many people that brings.
//!
//! A scene's duration can be changed after loading, and then has to stand the same checks as one
//! that is written in the file.

use thiserror::Error;

use super::{MAX_PEOPLE, Period, Scene, Source};

/// No simulation has more steps.
pub const MAX_STEPS: f64 = 1e9;

/// Why a scene cannot run for so long.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum DurationError {
    /// There is no such time.
    #[error("a scene cannot run for {0} s; give a positive number, e.g. 30")]
    NotPositive(f64),
    /// It would take for ever.
    #[error(
        "{duration} s in steps of {step} s are more than a billion steps; shorten the duration"
    )]
    TooManySteps {
        /// What was asked for, s.
        duration: f64,
        /// Of the scene, s.
        step: f64,
    },
    /// The sources would emit too many people by then.
    #[error(
        "in {duration} s, the scene has {people} people, and {MAX_PEOPLE} is the most; shorten \
         the duration"
    )]
    TooManyPeople {
        /// What was asked for, s.
        duration: f64,
        /// How many there would be.
        people: u64,
    },
}

impl Scene {
    /// Makes the scene run for `seconds` instead of as long as it says.
    ///
    /// # Errors
    ///
    /// If the scene file could not say so either; nothing is changed then.
    pub fn set_duration(&mut self, seconds: f64) -> Result<(), DurationError> {
        let step = self.settings.step;
        if !(seconds > 0.0 && seconds.is_finite()) {
            return Err(DurationError::NotPositive(seconds));
        }
        if seconds / step > MAX_STEPS {
            return Err(DurationError::TooManySteps { duration: seconds, step });
        }
        let people = self.initial_people().saturating_add(self.expected_arrivals(seconds));
        if people > MAX_PEOPLE {
            return Err(DurationError::TooManyPeople { duration: seconds, people });
        }
        self.settings.duration = seconds;
        Ok(())
    }

    /// How many people there are at the start.
    pub fn initial_people(&self) -> u64 {
        let listed = self.groups.iter().map(|group| group.people.len() as u64);
        let crowds = self.groups.iter().flat_map(|group| &group.crowds);
        listed.chain(crowds.map(|crowd| u64::from(crowd.count))).sum()
    }

    /// How many people the sources emit on average in the first `seconds`.
    pub fn expected_arrivals(&self, seconds: f64) -> u64 {
        let sources = self.groups.iter().flat_map(|group| &group.sources);
        sources.fold(0, |sum, source| sum.saturating_add(source.expected_arrivals(seconds)))
    }
}

impl Source {
    /// How many people it emits on average in the first `seconds`.
    pub fn expected_arrivals(&self, seconds: f64) -> u64 {
        let emitted =
            |period: &Period| (period.to.min(seconds) - period.from).max(0.0) * period.rate;
        let expected: f64 = self.schedule.periods.iter().map(emitted).sum();
        (expected as u64).min(u64::from(self.limit))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn scene(source: &str) -> Scene {
        let text = format!(
            r#"
            format = 1
            [simulation]
            step = 0.1
            duration = 10
            [world]
            bounds = [[0, 0], [10, 10]]
            [[regions]]
            name = "gate"
            rectangle = [[1, 1], [9, 9]]
            [[groups]]
            name = "guests"
            goals = [{{ seek = "gate" }}]
            people = [{{ position = [5, 5] }}]
            crowds = [{{ count = 4, region = "gate" }}]
            sources = [{source}]
            "#
        );
        Scene::parse("test", &text, Path::new(".")).unwrap_or_else(|errors| panic!("{errors}"))
    }

    #[test]
    fn arrivals_end_with_the_time_and_with_the_limit() {
        let endless = scene(r#"{ region = "gate", rate = 2 }"#);
        assert_eq!(endless.initial_people(), 5);
        assert_eq!(endless.expected_arrivals(10.0), 20);
        assert_eq!(endless.expected_arrivals(1000.0), 2000);
        let limited = scene(r#"{ region = "gate", rate = 2, limit = 7 }"#);
        assert_eq!(limited.expected_arrivals(1000.0), 7);
    }

    #[test]
    fn only_durations_that_a_file_could_have_are_taken() {
        let mut scene = scene(r#"{ region = "gate", rate = 1000 }"#);
        for seconds in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let refused = scene.set_duration(seconds);
            assert!(matches!(refused, Err(DurationError::NotPositive(_))), "{refused:?}");
        }
        let refused = scene.set_duration(1.1e8);
        assert_eq!(refused, Err(DurationError::TooManySteps { duration: 1.1e8, step: 0.1 }));
        let refused = scene.set_duration(10_000.0);
        let people = 10_000_005;
        assert_eq!(refused, Err(DurationError::TooManyPeople { duration: 10_000.0, people }));
        assert_eq!(scene.settings.duration, 10.0);
        assert_eq!(scene.set_duration(9_999.0), Ok(()));
        assert_eq!(scene.settings.duration, 9_999.0);
    }
}
