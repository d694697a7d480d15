//! Suggested views: what other programs tell of cameras, as the `[evaluation]` table of a scene has it.
//!
//! A scene's view is upright, looks somewhere, and is within the bounds of what can be simulated. What
//! is no such view is left out, or brought into the range; whoever asks is told.

use std::fmt::Write;

use glam::Vec3;
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
pub(super) fn table(cameras: &[Camera]) -> String {
    let mut text = String::new();
    if cameras.is_empty() {
        return text;
    }
    text.push_str("\n[evaluation]\ncameras = [\n");
    for camera in cameras {
        let place = |at: Vec3| format!("[{}, {}, {}]", at.x, at.y, at.z);
        let (position, look_at) = (place(camera.position), place(camera.look_at));
        // Writing to a string does not fail.
        let _ = write!(text, "    {{ position = {position}, look_at = {look_at}");
        if f64::from(camera.field_of_view) != DEFAULT_FIELD_OF_VIEW {
            let _ = write!(text, ", field_of_view = {}", camera.field_of_view);
        }
        text.push_str(" },\n");
    }
    text + "]\n"
}
