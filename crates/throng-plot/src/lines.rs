//! Lines of many points, made of no more strokes than one can see.

use glam::Vec2;
use throng::base::geometry;

use crate::colour::ColourMap;
use crate::draw::{Ink, Item, Line, Path, Stroke};

/// Points on a straight line are off it by less than this, in units of the page.
const STRAIGHT: f32 = 0.12;
/// Colours along a line are told apart in so many steps.
const CLASSES: f32 = 24.0;

/// A line through points of the page whose colour tells the value, from 0 to 1, at each of them.
pub(crate) fn coloured(
    points: &[(Vec2, f32)],
    map: ColourMap,
    opacity: f32,
    width: f32,
) -> Vec<Item> {
    let class = |value: f32| (value * CLASSES).clamp(0.0, CLASSES).round();
    let legs: Vec<(f32, [Vec2; 2])> = points
        .windows(2)
        .map(|ends| (class(0.5 * (ends[0].1 + ends[1].1)), [ends[0].0, ends[1].0]))
        .collect();
    let mut items = Vec::new();
    for run in legs.chunk_by(|a, b| a.0 == b.0) {
        let [(class, first), ..] = run else { continue };
        let mut line = vec![first[0]];
        line.extend(run.iter().map(|leg| leg.1[1]));
        let ink = Ink { rgb: map.at(class / CLASSES), opacity };
        items.push(Path::stroked(Line::open(simplified(&line)), Stroke::solid(ink, width)).into());
    }
    items
}

/// `points` without those that lie on straight lines between others.
pub(crate) fn simplified(points: &[Vec2]) -> Vec<Vec2> {
    geometry::simplified(points, STRAIGHT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use throng::base::geometry::nearest_on_segment;

    #[test]
    fn a_line_has_a_stroke_for_each_colour() {
        let point = |i: u8| (Vec2::new(f32::from(i), 0.0), if i < 5 { 0.0 } else { 1.0 });
        let points: Vec<(Vec2, f32)> = (0..10).map(point).collect();
        let items = coloured(&points, ColourMap::SPEED, 1.0, 1.0);
        // Both halves, and the leg from one to the other.
        assert_eq!(items.len(), 3);
        let Item::Path(first) = &items[0] else { panic!("a line is a path") };
        assert_eq!(first.lines[0].points, [Vec2::ZERO, Vec2::new(4.0, 0.0)]);
        assert!(coloured(&points[..1], ColourMap::SPEED, 1.0, 1.0).is_empty());
    }

    proptest! {
        #[test]
        fn simplified_lines_stay_close(
            steps in prop::collection::vec((-2f32..2.0, -2f32..2.0), 0..80)
        ) {
            let points: Vec<Vec2> = steps.iter().scan(Vec2::ZERO, |at, &step| {
                *at += Vec2::from(step);
                Some(*at)
            }).collect();
            let line = simplified(&points);
            prop_assert_eq!(line.first(), points.first());
            prop_assert_eq!(line.last(), points.last());
            for &point in &points {
                let distance = line.windows(2).map(|ends| {
                    nearest_on_segment(ends[0], ends[1], point).distance(point)
                }).fold(f32::INFINITY, f32::min);
                prop_assert!(line.len() < 2 || distance <= STRAIGHT + 1e-3);
            }
        }
    }
}
