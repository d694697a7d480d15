//! A camera on the crowd.

use glam::Vec3;

/// How tall people are thought to be, m.
const TALL: f32 = 1.75;
/// People are within a ball of this radius about their middle, m.
const ROOM: f32 = 1.1;
/// Nobody is nearer to an eye than this, m: somebody whom the eye is in fills the picture.
const NEAREST: f32 = 0.2;

/// Somebody's eye or camera: where it is, where it looks, and how large its picture is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Where it is in the world, m.
    pub eye: Vec3,
    /// Where it looks, in the world. Its length does not matter.
    pub direction: Vec3,
    /// From the lower edge of the picture to the upper, rad.
    pub field: f32,
    /// Width of the picture over its height.
    pub aspect: f32,
    /// Height of the picture, pixels.
    pub pixels: f32,
}

/// What a view sees of somebody.
pub(super) struct Seen {
    /// Whether any of them is in the picture.
    pub inside: bool,
    /// How tall they are in it, pixels.
    pub pixels: f32,
    /// How far away they are, m.
    pub distance: f32,
}

impl View {
    /// A usual camera: 50° high, 16:9, 1080 pixels.
    pub fn new(eye: Vec3, direction: Vec3) -> Self {
        Self { eye, direction, field: 50f32.to_radians(), aspect: 16.0 / 9.0, pixels: 1080.0 }
    }

    /// What it sees of somebody who stands at `place`; nothing if it is no view at all. `guard` is by how much wider than
    /// the picture is looked.
    pub(super) fn look(&self, place: Vec3, guard: f32) -> Option<Seen> {
        let forward = self.direction.try_normalize()?;
        let usable = self.eye.is_finite() && self.pixels > 0.0 && self.aspect > 0.0;
        let usable = usable && self.pixels.is_finite() && self.aspect.is_finite();
        if !usable || !(self.field > 0.0 && self.field < std::f32::consts::PI) {
            return None;
        }
        let tall = (0.5 * self.field).tan();
        let right = forward.cross(Vec3::Y).try_normalize().unwrap_or(Vec3::X);
        let up = right.cross(forward);
        let to = place + 0.5 * TALL * Vec3::Y - self.eye;
        let (depth, aside, above) = (to.dot(forward), to.dot(right), to.dot(up));
        let distance = to.length();
        // A ball is within the slanted sides of a pyramid if its centre is no further out than its radius allows.
        let within = |out: f32, slope: f32| {
            let slope = slope * (1.0 + guard);
            (out.abs() - slope * depth) <= ROOM * (1.0 + slope * slope).sqrt()
        };
        let inside = depth > -ROOM && within(above, tall) && within(aside, tall * self.aspect);
        let pixels = self.pixels * TALL / (2.0 * distance.max(NEAREST) * tall);
        Some(Seen { inside, pixels, distance })
    }
}
