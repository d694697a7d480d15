//! Values of a scene that is built by code: plain numbers, texts and points become those of the format.

use glam::{DVec2, Vec2};

use super::{At, LinePoint, Point, Spread, Steering, Towards, Varied, Whom};

/// `value` without a place in a file, for a key that is required.
pub fn at<T>(value: impl Into<T>) -> At<T> {
    At(toml::Spanned::new(0..0, value.into()))
}

/// `value` without a place in a file, for a key that may be left out.
pub fn given<T>(value: impl Into<T>) -> Option<At<T>> {
    Some(at(value))
}

/// `values` without places in a file, for a list.
pub fn list<T>(values: impl IntoIterator<Item: Into<T>>) -> Vec<At<T>> {
    values.into_iter().map(at).collect()
}

/// The shortest decimal number that `value` is nearest to in single precision: 0.1, not 0.10000000149.
pub fn decimal(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value))
}

impl<T: Default> Default for At<T> {
    fn default() -> Self {
        at(T::default())
    }
}

impl From<[f64; 2]> for Point {
    fn from(point: [f64; 2]) -> Self {
        Self(point)
    }
}

impl From<DVec2> for Point {
    fn from(point: DVec2) -> Self {
        Self(point.to_array())
    }
}

impl From<Vec2> for Point {
    fn from(point: Vec2) -> Self {
        Self(point.to_array().map(decimal))
    }
}

impl From<f64> for Varied {
    fn from(value: f64) -> Self {
        Self::Constant(value)
    }
}

impl Varied {
    /// Uniform between `min` and `max`.
    pub fn uniform(min: f64, max: f64) -> Self {
        Self::Spread(Spread::between([min, max]))
    }

    /// Normal with this mean and standard deviation, between `min` and `max`.
    pub fn normal(mean: f64, sd: f64, [min, max]: [f64; 2]) -> Self {
        let limits = Spread::between([min, max]);
        Self::Spread(Spread { mean: given(mean), sd: given(sd), ..limits })
    }

    /// Log-normal with these mean and standard deviation of the natural logarithm, between `min` and `max`.
    pub fn log_normal(log_mean: f64, log_sd: f64, [min, max]: [f64; 2]) -> Self {
        let limits = Spread::between([min, max]);
        Self::Spread(Spread { log_mean: given(log_mean), log_sd: given(log_sd), ..limits })
    }

    /// Weibull with this scale and shape, between `min` and `max`.
    pub fn weibull(scale: f64, shape: f64, [min, max]: [f64; 2]) -> Self {
        let limits = Spread::between([min, max]);
        Self::Spread(Spread { scale: given(scale), shape: given(shape), ..limits })
    }

    /// The times of a CSV file, for waiting times only.
    pub fn measured(file: &str) -> Self {
        Self::Spread(Spread { file: given(file), ..Spread::default() })
    }
}

impl Spread {
    /// Uniform between these limits; one that is infinite is left out.
    fn between(limits: [f64; 2]) -> Self {
        let [min, max] = limits.map(|limit| limit.is_finite().then(|| at(limit)));
        Self { min, max, ..Self::default() }
    }
}

impl<P: Into<Point>> From<P> for Towards {
    fn from(point: P) -> Self {
        Self::Point(point.into())
    }
}

impl From<&str> for Towards {
    fn from(name: &str) -> Self {
        Self::Name(name.into())
    }
}

impl From<Whom> for Towards {
    fn from(whom: Whom) -> Self {
        Self::Whom(whom)
    }
}

impl<P: Into<Point>> From<P> for LinePoint {
    fn from(point: P) -> Self {
        Self::Here(point.into())
    }
}

impl Steering {
    /// The model of this name with its default parameters.
    pub fn model(name: &str) -> Self {
        Self { model: given(name), ..Self::default() }
    }

    /// The same with another value of one of the model's parameters.
    pub fn with(mut self, parameter: &str, value: impl Into<Varied>) -> Self {
        self.parameters.push((at(parameter), at(value)));
        self
    }
}
