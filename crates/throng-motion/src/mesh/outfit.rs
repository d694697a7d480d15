//! What somebody wears, and how finely it is drawn.

/// Clothes and hair: what the surface of a body is cut into.
///
/// Bodies of the same outfit and detail have the same triangles whatever their physique, so that
/// one can be morphed into another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Outfit {
    /// How the hair is cut.
    pub hair: HairStyle,
    /// How far the top covers the arms.
    pub sleeves: Sleeves,
    /// What is worn below the waist.
    pub bottom: Bottom,
    /// Whether the top is a coat that falls to above the knees. Over a skirt it covers the skirt's
    /// upper part.
    pub coat: bool,
}

/// How hair is cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HairStyle {
    /// None at all.
    Bald,
    /// Cropped close to the head.
    #[default]
    Short,
    /// Combed back, with more of it on top.
    Full,
    /// To the chin.
    Bob,
    /// Over the shoulders.
    Long,
    /// Tied to a knot at the back of the head.
    Bun,
}

impl HairStyle {
    /// All styles.
    pub const ALL: [Self; 6] =
        [Self::Bald, Self::Short, Self::Full, Self::Bob, Self::Long, Self::Bun];
}

/// How long sleeves are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sleeves {
    /// The arms are bare.
    None,
    /// To the middle of the upper arm.
    Short,
    /// To the wrist.
    #[default]
    Long,
}

impl Sleeves {
    /// All lengths.
    pub const ALL: [Self; 3] = [Self::None, Self::Short, Self::Long];
}

/// What is worn below the waist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bottom {
    /// To the shoes.
    #[default]
    Trousers,
    /// To above the knees.
    Shorts,
    /// One piece to the knees.
    Skirt,
}

impl Bottom {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Trousers, Self::Shorts, Self::Skirt];
}

/// How finely a body is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Detail {
    /// At most 1,710 triangles, of which 240 are eyes, brows and lips: people next to the camera.
    #[default]
    Full,
    /// At most 590 triangles, mostly about 570: people who are a few hundred pixels high.
    Medium,
    /// At most 206 triangles, mostly about 186: people who are a few dozen pixels high.
    Low,
}

impl Detail {
    /// All levels, finest first.
    pub const ALL: [Self; 3] = [Self::Full, Self::Medium, Self::Low];

    /// The value for this level.
    pub(crate) fn choose<T>(self, full: T, medium: T, low: T) -> T {
        match self {
            Self::Full => full,
            Self::Medium => medium,
            Self::Low => low,
        }
    }
}
