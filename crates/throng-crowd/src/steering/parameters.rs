//! Parameters of steering models: one declaration per model gives all that is known of them.
//!
//! [`steering_parameters!`](crate::steering_parameters) makes of a list of names, defaults, limits, units and descriptions a struct with one
//! field each, and the [`ParameterInfo`]s from which scene files are checked and the JSON Schema and the documentation are
//! written.

/// How many parameters of its own a steering model can have.
pub const MODEL_PARAMETERS: usize = 24;

/// Values of a model's parameters in the order of their declaration; 0 beyond the last.
pub type ParameterValues = [f32; MODEL_PARAMETERS];

/// A parameter of a steering model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParameterInfo {
    /// The name in scene files.
    pub name: &'static str,
    /// What it means, with the symbol of the paper.
    pub description: &'static str,
    /// Unit, or an empty text.
    pub unit: &'static str,
    /// Value where the scene gives none.
    pub default: f32,
    /// Smallest sensible value.
    pub min: f32,
    /// Largest sensible value.
    pub max: f32,
}

/// The parameters of a steering model as a struct; implemented by
/// [`steering_parameters!`](crate::steering_parameters), and by `()` for models without any.
pub trait Parameters: Copy + Send + Sync + 'static {
    /// The parameters with these values.
    fn from_values(values: &ParameterValues) -> Self;

    /// Their values.
    fn values(&self) -> ParameterValues;
}

impl Parameters for () {
    #[inline(always)]
    fn from_values(_: &ParameterValues) {}

    fn values(&self) -> ParameterValues {
        [0.0; MODEL_PARAMETERS]
    }
}

/// Declares the parameters of a steering model: `name: default, min..=max, unit, description;` each.
///
/// ```
/// throng_crowd::steering_parameters! {
///     /// Parameters of a model that keeps its distance.
///     pub struct DistanceParameters {
///         strength: 1.0, 0.0..=5.0, "m/s", "Speed at which a neighbour in contact is left";
///         personal_space: 0.5, 0.05..=5.0, "m", "Gap at which the repulsion begins";
///     }
/// }
/// let wide = DistanceParameters { personal_space: 1.0, ..DistanceParameters::DEFAULT };
/// assert_eq!(DistanceParameters::infos(wide)[1].default, 1.0);
/// assert_eq!(DistanceParameters::INFOS[0].max, 5.0);
/// ```
#[macro_export]
macro_rules! steering_parameters {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident {
            $($field:ident: $default:expr, $min:literal ..= $max:expr, $unit:literal, $description:literal;)+
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        $visibility struct $name {
            $(
                #[doc = $description]
                pub $field: f32,
            )+
        }

        impl $name {
            /// The defaults.
            pub const DEFAULT: Self = Self { $($field: $default),+ };

            /// What is known of the parameters.
            pub const INFOS: &'static [$crate::steering::ParameterInfo] = &Self::infos(Self::DEFAULT);

            /// What is known of the parameters of a model that has other defaults.
            pub const fn infos(
                defaults: Self,
            ) -> [$crate::steering::ParameterInfo; [$(stringify!($field)),+].len()] {
                [$($crate::steering::ParameterInfo {
                    name: stringify!($field),
                    description: $description,
                    unit: $unit,
                    default: defaults.$field,
                    min: $min,
                    max: $max,
                }),+]
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::DEFAULT
            }
        }

        impl $crate::steering::Parameters for $name {
            #[inline(always)]
            fn from_values(values: &$crate::steering::ParameterValues) -> Self {
                let [$($field,)+ ..] = *values;
                Self { $($field),+ }
            }

            fn values(&self) -> $crate::steering::ParameterValues {
                let own = [$(self.$field),+];
                ::std::array::from_fn(|index| own.get(index).copied().unwrap_or(0.0))
            }
        }
    };
}

steering_parameters! {
    /// The parameters that every model has.
    pub struct CommonParameters {
        neighbours: 10.0, 0.0..=crate::MAX_NEIGHBOURS as f32, "", "How many of the nearest people are heeded";
        neighbour_range: 10.0, 0.5..=50.0, "m", "How far away people are noticed";
        responsibility: 0.5, 0.0..=1.0, "",
            "How readily one gives way: of two people, each takes the share own / (own + other) of an avoidance (α); \
             0 never yields";
        time_gap: 0.0, 0.0..=5.0, "s",
            "Following others, the gap to them grows by this much per speed (T); 0 lets people follow each other as \
             closely as they fit";
        standing_distance: 0.1, 0.0..=2.0, "m",
            "The gap to whom one follows when standing, with a `time_gap` only";
        stagger: 0.0, 0.0..=4.0, "",
            "How much shorter the time gap is to those who are half aside: by this share times the square of how far \
             aside they are, 1 where bodies just touch; 0 keeps the whole gap to all in one's way";
        acceleration_limit: 3.0, 0.0..=50.0, "m/s²",
            "The largest change of one's own velocity per second, in an emergency; comfortable ones are 0.43 of it. Older \
             people have 2.1; 0 sets no limit, so that people do at once what the model says, as published";
    }
}

/// The parameters that every model has, by name.
pub const COMMON_PARAMETERS: &[ParameterInfo] = CommonParameters::INFOS;

impl CommonParameters {
    /// How many of the nearest people are heeded, at most [`MAX_NEIGHBOURS`](crate::MAX_NEIGHBOURS).
    #[inline(always)]
    pub fn max_neighbours(&self) -> usize {
        // `f32::round` is a call into the C library on processors without SSE 4.1.
        ((self.neighbours + 0.5) as usize).min(crate::MAX_NEIGHBOURS)
    }

    /// The values, in the order of [`COMMON_PARAMETERS`].
    pub(crate) fn to_array(self) -> [f32; COMMON_PARAMETERS.len()] {
        let values = self.values();
        std::array::from_fn(|index| values[index])
    }

    pub(crate) fn from_array(values: [f32; COMMON_PARAMETERS.len()]) -> Self {
        Self::from_values(&std::array::from_fn(|index| values.get(index).copied().unwrap_or(0.0)))
    }
}
