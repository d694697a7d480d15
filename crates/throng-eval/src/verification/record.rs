//! Records: what is measured, value by value, each with a name, a unit and a number of decimals.
//!
//! A [`Record`] is a struct with named fields, declared with `record!`. It has two forms: `Hall`, which is
//! `Hall<f64>`, holds the values of one seed, as a [`Measure`](super::bench::Measure) returns them, and
//! `Hall<Estimate>` holds the means over the seeds, as tests judge them. Files of runs keep a record as a list
//! of numbers in the order of its fields; nothing else depends on that order.

use std::fmt;

use super::grade::{self, Grade};
use crate::statistics::Spread;

/// A measured quantity: its name, its unit, and how many decimals are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quantity {
    /// Name of the field.
    pub name: &'static str,
    /// Unit; empty for shares, counts and ratios.
    pub unit: &'static str,
    /// Decimals in reports.
    pub decimals: usize,
}

/// Values of one seed. NaN is "there is none", infinity "never".
pub(super) trait Record {
    /// The same fields with means over the seeds.
    type Judged;

    /// How many values there are.
    const COUNT: usize;

    /// Appends the values to a list.
    fn write(&self, values: &mut Vec<f64>);

    /// Takes the spread of each value over the seeds from a list. `quantity` describes a value that is no
    /// field of its own.
    fn read(quantity: Quantity, spreads: &mut dyn Iterator<Item = Spread>) -> Self::Judged;

    /// Appends the path of each value, as in `law.g[2]`, and its quantity.
    fn describe(path: &str, quantity: Quantity, list: &mut Vec<(String, Quantity)>);
}

/// The values of a record as a list.
pub(super) fn values(record: &impl Record) -> Vec<f64> {
    let mut values = Vec::new();
    record.write(&mut values);
    values
}

/// A record of a single run, as tests judge it.
pub(super) fn judged<R: Record>(record: &R) -> R::Judged {
    R::read(Quantity::default(), &mut over_seeds(&[values(record)]).into_iter())
}

/// The spread of each value over the seeds; seeds in which there is none (NaN) are left out.
pub(super) fn over_seeds(seeds: &[Vec<f64>]) -> Vec<Spread> {
    let count = seeds.iter().map(Vec::len).max().unwrap_or_default();
    let values = |index: usize| -> Vec<f64> {
        seeds.iter().filter_map(|seed| seed.get(index).copied()).filter(|v| !v.is_nan()).collect()
    };
    (0..count).map(|index| Spread::of(&values(index))).collect()
}

impl Record for f64 {
    type Judged = Estimate;
    const COUNT: usize = 1;

    fn write(&self, values: &mut Vec<f64>) {
        values.push(*self);
    }

    fn read(quantity: Quantity, spreads: &mut dyn Iterator<Item = Spread>) -> Estimate {
        Estimate { quantity, spread: spreads.next().unwrap_or_default() }
    }

    fn describe(path: &str, quantity: Quantity, list: &mut Vec<(String, Quantity)>) {
        list.push((path.into(), quantity));
    }
}

impl<R: Record, const N: usize> Record for [R; N] {
    type Judged = [R::Judged; N];
    const COUNT: usize = N * R::COUNT;

    fn write(&self, values: &mut Vec<f64>) {
        self.iter().for_each(|record| record.write(values));
    }

    fn read(quantity: Quantity, spreads: &mut dyn Iterator<Item = Spread>) -> Self::Judged {
        std::array::from_fn(|_| R::read(quantity, spreads))
    }

    fn describe(path: &str, quantity: Quantity, list: &mut Vec<(String, Quantity)>) {
        (0..N).for_each(|nth| R::describe(&format!("{path}[{nth}]"), quantity, list));
    }
}

/// Declares a record: for each field its type in terms of `V`, the value, and for values unit and decimals. With a
/// name, an effort and a function, it is a [`Measure`](super::bench::Measure).
macro_rules! record {
    (@quantity $field:ident) => {
        record!(@quantity $field "" 0)
    };
    (@quantity $field:ident $unit:literal $decimals:literal) => {
        $crate::verification::record::Quantity {
            name: stringify!($field),
            unit: $unit,
            decimals: $decimals,
        }
    };
    ($(#[$meta:meta])* $vis:vis struct $name:ident: $key:literal effort $effort:literal by $measure:ident
        { $($fields:tt)* }
    ) => {
        record! { $(#[$meta])* $vis struct $name { $($fields)* } }

        impl $crate::verification::bench::Measure for $name {
            const NAME: &'static str = $key;
            const EFFORT: u64 = $effort;

            fn measure(
                bench: &$crate::verification::bench::Bench,
            ) -> Result<Self, $crate::experiments::ExperimentError> {
                $measure(bench)
            }
        }
    };
    ($(#[$meta:meta])* $vis:vis struct $name:ident {
        $($(#[$field_meta:meta])* $field:ident: $type:ty $(= ($unit:literal, $decimals:literal))?,)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default)]
        $vis struct $name<V = f64> {
            $($(#[$field_meta])* pub $field: $type,)*
        }

        impl $crate::verification::record::Record for $name {
            type Judged = $name<$crate::verification::record::Estimate>;
            const COUNT: usize = 0 $(+ {
                type Field<V> = $type;
                <Field<f64> as $crate::verification::record::Record>::COUNT
            })*;

            fn write(&self, values: &mut Vec<f64>) {
                $($crate::verification::record::Record::write(&self.$field, values);)*
            }

            fn read(
                _: $crate::verification::record::Quantity,
                spreads: &mut dyn Iterator<Item = $crate::statistics::Spread>,
            ) -> Self::Judged {
                $(let $field = {
                    type Field<V> = $type;
                    <Field<f64> as $crate::verification::record::Record>::read(
                        record!(@quantity $field $($unit $decimals)?),
                        spreads,
                    )
                };)*
                $name { $($field),* }
            }

            fn describe(
                path: &str,
                _: $crate::verification::record::Quantity,
                list: &mut Vec<(String, $crate::verification::record::Quantity)>,
            ) {
                let dot = if path.is_empty() { "" } else { "." };
                $({
                    type Field<V> = $type;
                    <Field<f64> as $crate::verification::record::Record>::describe(
                        &format!(concat!("{}{}", stringify!($field)), path, dot),
                        record!(@quantity $field $($unit $decimals)?),
                        list,
                    );
                })*
            }
        }
    };
}
pub(super) use record;

/// A measured quantity over the seeds. Prints as `"1.23 ± 0.04 s"`, without the deviation if there is one
/// seed, and as `"none"` or `"never"` if there is no number.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Estimate {
    quantity: Quantity,
    spread: Spread,
}

impl Estimate {
    /// The mean over the seeds; NaN, which passes no comparison, if no seed has a value.
    pub fn mean(&self) -> f64 {
        if self.is_known() { self.spread.mean } else { f64::NAN }
    }

    /// In how many seeds there is a value.
    pub fn count(&self) -> usize {
        self.spread.count
    }

    /// Whether there is a value in any seed.
    pub fn is_known(&self) -> bool {
        self.count() > 0
    }

    /// Whether it happens in all seeds: no value is infinite.
    pub fn is_finite(&self) -> bool {
        self.mean().is_finite()
    }

    /// Judges the mean by a range.
    pub fn within(&self, range: [f64; 2]) -> Grade {
        grade::within(self.mean(), range)
    }

    /// The standard deviation over the seeds.
    pub fn sd(&self) -> f64 {
        self.spread.sd
    }

    /// As printed, without the unit.
    pub fn number(&self) -> String {
        let (Spread { mean, sd, .. }, decimals) = (self.spread, self.quantity.decimals);
        match (self.count(), mean.is_finite()) {
            (0, _) => "none".into(),
            (_, false) => "never".into(),
            (1, true) => format!("{mean:.decimals$}"),
            _ => format!("{mean:.decimals$} ± {sd:.decimals$}"),
        }
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        listed(&[*self]).fmt(f)
    }
}

/// Values of the same quantity one after the other, then the unit.
pub(super) fn listed<'e>(estimates: impl IntoIterator<Item = &'e Estimate>) -> String {
    let (mut numbers, mut unit) = (Vec::new(), "");
    for estimate in estimates {
        numbers.push(estimate.number());
        unit = estimate.quantity.unit;
    }
    let space = if unit.is_empty() || unit == "°" { "" } else { " " };
    format!("{}{space}{unit}", numbers.join(", "))
}
