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
        Self::Spread(Spread { min: at(min), max: at(max), ..Spread::default() })
    }

    /// Normal with this mean and standard deviation, between `min` and `max`.
    pub fn normal(mean: f64, sd: f64, [min, max]: [f64; 2]) -> Self {
        Self::Spread(Spread { mean: given(mean), sd: given(sd), min: at(min), max: at(max) })
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
