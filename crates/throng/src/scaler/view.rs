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

    /// What is needed to look at many people; nothing if it is no view at all. `guard` is by how much wider than the
    /// picture is looked, and `kept` by how much wider than that for those who were seen.
    pub(super) fn lens(&self, guard: f32, kept: f32) -> Option<Lens> {
        let forward = self.direction.try_normalize()?;
        let usable = self.eye.is_finite() && self.pixels > 0.0 && self.aspect > 0.0;
        let usable = usable && self.pixels.is_finite() && self.aspect.is_finite();
        let usable = usable && self.field > 0.0 && self.field < std::f32::consts::PI;
        if !usable {
            return None;
        }
        let tall = (0.5 * self.field).tan();
        let right = forward.cross(Vec3::Y).try_normalize().unwrap_or(Vec3::X);
        // A ball is within the slanted sides of a pyramid if its centre is no further out than its radius allows.
        let side = |slope: f32, kept: f32| {
            let slope = slope * (1.0 + guard + kept);
            [slope, (1.0 + kept) * ROOM * (1.0 + slope * slope).sqrt()]
        };
        let frame = |kept: f32| Frame {
            behind: (1.0 + kept) * ROOM,
            sides: [side(tall * self.aspect, kept), side(tall, kept)],
        };
        Some(Lens {
            at: self.eye,
            eye: self.eye - 0.5 * TALL * Vec3::Y,
            forward,
            right,
            up: right.cross(forward),
            frames: [frame(0.0), frame(kept.max(0.0))],
            pixels: 0.5 * self.pixels * TALL / tall,
        })
    }
}

/// The edges of a picture.
struct Frame {
    /// How far behind the eye the middle of somebody may be.
    behind: f32,
    /// Of the sides and of top and bottom: how steep they are, and how far beyond them the middle of somebody may be.
    sides: [[f32; 2]; 2],
}

/// A view, made ready to look at many people.
pub(super) struct Lens {
    /// Where the eye is.
    pub at: Vec3,
    /// As far below the eye as people's middles are above their feet.
    eye: Vec3,
    forward: Vec3,
    right: Vec3,
    up: Vec3,
    /// What is in the picture, for those who were not seen and for those who were.
    frames: [Frame; 2],
    /// How tall somebody is a metre away, pixels.
    pixels: f32,
}

impl Lens {
    /// What is seen of somebody who stands at `place`; who `was_seen` is in the picture for a little longer.
    #[inline]
    pub fn look(&self, place: Vec3, was_seen: bool) -> Seen {
        let frame = &self.frames[usize::from(was_seen)];
        let to = place - self.eye;
        let depth = to.dot(self.forward);
        let within = |out: f32, [slope, room]: [f32; 2]| out.abs() - slope * depth <= room;
        let inside = depth > -frame.behind
            && within(to.dot(self.right), frame.sides[0])
            && within(to.dot(self.up), frame.sides[1]);
        let distance = to.length();
        Seen { inside, pixels: self.pixels / distance.max(NEAREST), distance }
    }
}
