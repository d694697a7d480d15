//! Suggested views: what other programs tell of cameras, as the `[evaluation]` table of a scene has it.
//!
//! A scene's view is upright, looks somewhere, and is within the bounds of what can be simulated. What
//! is no such view is left out, or brought into the range; whoever asks is told.

use glam::Vec3;
use throng_world::scene::file::{self, At, at, decimal, given, list};
use throng_world::scene::{Camera, DEFAULT_FIELD_OF_VIEW, MAX_CAMERAS, MAX_COORDINATE};

/// Places nearer to each other than this are the same, m: nothing is looked at.
const NEAREST: f32 = 0.01;
/// What a scene's views can have between the lower edge and the upper, degrees.
const FIELDS: std::ops::RangeInclusive<f64> = 1.0..=170.0;

/// The first of `cameras` that a scene can have, in their order.
pub(super) fn usable(cameras: impl Iterator<Item = Camera>) -> Vec<Camera> {
    let is_near =
        |place: Vec3| place.is_finite() && place.abs().max_element() <= MAX_COORDINATE as f32;
    let is_view = |camera: &Camera| {
        let Camera { position, look_at, .. } = *camera;
        is_near(position) && is_near(look_at) && position.distance(look_at) >= NEAREST
    };
    cameras.filter(is_view).take(MAX_CAMERAS).collect()
}

/// A field of view that a scene can have, and whether it is the one that was asked for.
pub(super) fn usable_field(degrees: Option<f64>) -> (f32, bool) {
    match degrees {
        None => (DEFAULT_FIELD_OF_VIEW as f32, true),
        Some(degrees) if FIELDS.contains(&degrees) => (degrees as f32, true),
        Some(degrees) => (degrees.clamp(*FIELDS.start(), *FIELDS.end()) as f32, false),
    }
}

/// The table of a scene file that has these views; nothing if there are none.
pub(super) fn table(cameras: &[Camera]) -> Option<At<file::Evaluation>> {
    let place = |at: Vec3| at.to_array().map(decimal);
    let camera = |camera: &Camera| file::Camera {
        position: at(place(camera.position)),
        look_at: at(place(camera.look_at)),
        field_of_view: Some(decimal(camera.field_of_view))
            .filter(|field| *field != DEFAULT_FIELD_OF_VIEW)
            .and_then(given),
    };
    let cameras = list(cameras.iter().map(camera));
    let table = file::Evaluation { cameras, ..file::Evaluation::default() };
    given(table).filter(|table: &At<file::Evaluation>| !table.cameras.is_empty())
}
