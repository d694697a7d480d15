//! Arrows on the ground, and who is led by them.

use glam::DVec2;
use throng_base::Distribution;

use super::{LayerId, RegionId, Span};

/// Default of [`FieldSpec::border`], m.
pub const DEFAULT_BORDER: f64 = 2.0;
/// Default of [`FieldSpec::fade`] (Tₓ), s.
pub const DEFAULT_FADE: f64 = 0.5;
/// Default of [`Led::share`] (ρ).
pub const DEFAULT_SHARE: f64 = 0.7;
/// Default of [`Led::wander`] (ξ).
pub const DEFAULT_WANDER: f64 = 0.2;
/// Default of [`Led::goals`] (κ).
pub const DEFAULT_GOALS: f64 = 0.5;
/// Smallest [`AnchorSpec::reach`], m.
pub const MIN_REACH: f64 = 0.1;
/// Largest [`AnchorSpec::reach`], m.
pub const MAX_REACH: f64 = 1e5;
/// A field has at most this many anchors.
pub const MAX_ANCHORS: usize = 4096;

/// Index of a field in [`Scene::fields`](super::Scene::fields).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldId(pub u16);

/// A vector field that leads people: arrows on the ground, and where they hold.
///
/// That there is a field for the arrows (none coincide, say) is found when the engine is built.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldSpec {
    /// Unique name.
    pub name: String,
    /// The arrows.
    pub anchors: Vec<AnchorSpec>,
    /// How they change while the simulation runs, in the order of time.
    pub edits: Vec<FieldEdit>,
    /// How the keys of anchors are joined.
    pub keys: KeyMethod,
    /// The floor it is on.
    pub layer: LayerId,
    /// Where it holds; everywhere on its floor if `None`.
    pub region: Option<RegionId>,
    /// From the border of the region inwards, it takes effect over this width, m.
    pub border: f64,
    /// How much it counts where other fields of the same people hold as well.
    pub priority: f32,
    /// How long it takes a changed field to replace what it was, s.
    pub fade: f64,
    /// Where it stands in the scene file.
    pub span: Span,
}

impl FieldSpec {
    /// Whether it is the same at all times.
    pub fn is_steady(&self) -> bool {
        self.edits.is_empty() && self.anchors.iter().all(|anchor| anchor.keys.len() == 1)
    }

    /// The largest speed that any of its arrows asks for at any time, m/s.
    pub fn top_speed(&self) -> f64 {
        let keys = |anchor: &AnchorSpec| {
            anchor.keys.iter().map(|key| key.velocity.length()).fold(0.0, f64::max)
        };
        let edited = self.edits.iter().map(|edit| match &edit.change {
            FieldChange::Add(anchor) => keys(anchor),
            FieldChange::Change { velocity, .. } => velocity.map_or(0.0, DVec2::length),
            FieldChange::Remove(_) => 0.0,
        });
        self.anchors.iter().map(keys).chain(edited).fold(0.0, f64::max)
    }
}

/// An arrow.
#[derive(Clone, Debug, PartialEq)]
pub struct AnchorSpec {
    /// A name that edits can refer to; unique in its field.
    pub name: Option<String>,
    /// Where it is and leads, in the order of time; at least one.
    pub keys: Vec<AnchorKey>,
    /// How much the field may miss it, in normalised units.
    pub smoothing: Option<f64>,
    /// Distance beyond which it does not lead, m; `None` if it leads everywhere.
    pub reach: Option<f64>,
    /// Where it stands in the scene file.
    pub span: Span,
}

/// What an arrow is like at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnchorKey {
    /// The moment, s; 0 for arrows that stay as they are.
    pub time: f64,
    /// Where it is, m.
    pub position: DVec2,
    /// Where it leads, and how fast, m/s.
    pub velocity: DVec2,
}

/// How the field is made of arrows with keys.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum KeyMethod {
    /// Each arrow changes at a steady rate from key to key.
    #[default]
    Tracks,
    /// One field is solved for all places and times.
    Joint {
        /// How many metres count as much as a second (τ), m/s; as many as suit the arrows if `None`.
        tau: Option<f64>,
    },
}

/// A change of a field while the simulation runs.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldEdit {
    /// When, s.
    pub time: f64,
    /// What.
    pub change: FieldChange,
    /// Where it stands in the scene file.
    pub span: Span,
}

/// What an edit does.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldChange {
    /// A new arrow, with one key.
    Add(AnchorSpec),
    /// Another place, velocity or reach for the arrow of this name.
    Change {
        /// Which.
        name: String,
        /// Where to, m.
        position: Option<DVec2>,
        /// Its velocity from now on, m/s.
        velocity: Option<DVec2>,
        /// Its reach from now on, m.
        reach: Option<f64>,
    },
    /// Takes the arrow of this name away.
    Remove(String),
}

/// How people are led by fields: their preferred velocity is ρ Φ + (1 - ρ)(κ v + (1 - κ)(a + w)) with
/// the field Φ, the velocity v towards their goal, the attraction a of the anchors around, each weighed
/// by its distance, and wandering w.
#[derive(Clone, Debug, PartialEq)]
pub struct Led {
    /// By which fields.
    pub by: Vec<FieldId>,
    /// The share that the fields have in their velocity (ρ).
    pub share: Distribution,
    /// How much they wander, as a share of their speed (ξ).
    pub wander: f32,
    /// The share that their goals have in what fields leave (κ); 0 without goals.
    pub goals: f32,
    /// Where it stands in the scene file.
    pub span: Span,
}
