//! How figures look: sizes, line widths and colours that all of them share.

use crate::draw::{Ink, Stroke};

/// Empty border of a page.
pub(crate) const MARGIN: f32 = 18.0;

pub(crate) const TITLE_SIZE: f32 = 15.0;
pub(crate) const SUBTITLE_SIZE: f32 = 10.5;
pub(crate) const LABEL_SIZE: f32 = 10.0;
pub(crate) const TICK_SIZE: f32 = 9.0;
pub(crate) const CAPTION_SIZE: f32 = 8.5;

/// Titles and labels.
pub(crate) const TEXT: Ink = Ink::solid([0x22, 0x25, 0x2b]);
/// What is read second: ticks and captions.
pub(crate) const MUTED: Ink = Ink::solid([0x61, 0x67, 0x70]);
/// Axes and frames.
pub(crate) const AXIS: Stroke = Stroke::solid(Ink::solid([0x8a, 0x90, 0x99]), 0.75);
/// Lines that help the eye.
pub(crate) const GRID: Stroke = Stroke::solid(Ink::solid([0xe6, 0xe8, 0xeb]), 0.75);
/// What lies outside the world.
pub(crate) const OUTSIDE: Ink = Ink::solid([0xf3, 0xf4, 0xf6]);
/// Walls and whatever else is solid.
pub(crate) const OBSTACLE: Ink = Ink::solid([0x9a, 0xa1, 0xab]);
/// The outline of solids, so that even a thin wall is seen in a large world.
pub(crate) const OBSTACLE_RIM: Stroke = Stroke::solid(Ink::solid([0x77, 0x7e, 0x89]), 1.2);
/// Doors and other obstacles that come and go.
pub(crate) const DOOR: Ink = Ink::solid([0xf2, 0xc9, 0x8a]);
/// The border of a world that is closed.
pub(crate) const CLOSED_BORDER: Stroke = Stroke::solid(Ink::solid([0x77, 0x7e, 0x89]), 2.0);
/// Stairs and ramps.
pub(crate) const CONNECTOR: Stroke = Stroke::solid(Ink::solid([0xb4, 0xb9, 0xc1]), 0.75);
pub(crate) const CONNECTOR_FILL: Ink = Ink::solid([0xee, 0xf0, 0xf2]);
/// Measuring lines and areas.
pub(crate) const MEASURE: Ink = Ink::solid([0xd0, 0x2f, 0x44]);

/// The colour of the n-th of several series.
pub(crate) fn series_ink(number: usize) -> Ink {
    Ink::solid(throng::world::scene::default_color(number))
}
