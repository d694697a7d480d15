//! How much memory a person takes.

use glam::Vec2;

use crate::support::{person, plane, wandering};

/// Bytes per person in an open square, as `throng bench square-10k` counts them. More columns for everybody cost every
/// crowd; what few crowds need belongs into an optional column.
const MOST: usize = 286;

#[test]
fn people_in_an_open_square_take_little_memory() {
    let side = 120.0;
    let (mut crowd, plan) = wandering(plane(), Vec2::splat(side / 2.0));
    for i in 0..10_000 {
        let place = Vec2::new((i % 100) as f32, (i / 100) as f32) * 1.2 - side / 2.0;
        crowd.add(&person(place, plan)).expect("a person");
    }
    (0..65).for_each(|_| crowd.step());
    let bytes = crowd.memory_per_person();
    assert!(bytes <= MOST, "{bytes} bytes per person");
}
