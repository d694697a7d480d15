//! Everyone at one moment, from above.

use glam::Vec2;

use crate::colour::ColourMap;
use crate::draw::{Circle, Ink, Item, Line, Path, Stroke};
use crate::excerpt::{Excerpt, on_layer};
use crate::figure::Figure;
use crate::layout::{ColourBar, Key, Mark};
use crate::map::{MapFigure, View};
use crate::options::{ColourBy, Kind, Options};
use crate::ticks::{compact, counted};
use crate::{PlotError, Progress, measures, scale};

/// Nobody is drawn smaller than this, however large the world is.
const SMALLEST_RADIUS: f32 = 1.1;
/// A smaller disc has no room for a tick that shows the heading.
const SMALLEST_WITH_HEADING: f32 = 2.4;

/// Draws everyone in `excerpt` at the moment that `options` name.
pub(crate) fn plot(
    excerpt: &mut Excerpt,
    options: &Options,
    progress: Progress,
) -> Result<Figure, PlotError> {
    let frame = match options.at {
        Some(time) => excerpt.frame_at(time)?,
        None => excerpt.busiest_frame(progress)?,
    };
    let here: Vec<usize> = on_layer(&frame, excerpt.layer).collect();
    let people = &frame.people;
    let mut speeds: Vec<f32> = here.iter().map(|&i| people.velocities[i].length()).collect();
    let top = scale::top(&mut speeds);
    let by = options.colour.unwrap_or_default();
    let key = match by {
        ColourBy::Group => {
            let mut present = vec![false; excerpt.group_count()];
            here.iter().for_each(|&i| present[usize::from(people.groups[i].0)] = true);
            Key::Legend(excerpt.legend(&present, Mark::Disc))
        }
        ColourBy::Speed => Key::Bar(ColourBar::of_speeds(&top)),
    };
    let what = format!("Positions · {}", counted(here.len() as u64, "person", "people"));
    let when = format!("{} s", compact(frame.time, 2));
    let around = excerpt.surroundings(options, &what, &when, key, String::new());
    let mut figure = MapFigure::new(&excerpt.ground, around);
    figure.draw_connectors(&excerpt.ground);
    figure.draw_obstacles(&excerpt.ground);
    let mut items = Vec::new();
    for &i in &here {
        let ink = match by {
            ColourBy::Group => excerpt.colour(people.groups[i]),
            ColourBy::Speed => {
                let level = people.velocities[i].length() / top.value as f32;
                Ink::solid(ColourMap::SPEED.at(level))
            }
        };
        let (at, heading) = (people.positions[i], people.headings[i]);
        items.extend(person(&figure.view, at, heading, people.radii[i], ink));
    }
    figure.draw("people", items);
    figure.draw("measures", measures::draw(options, &figure.view));
    let mut subject = excerpt.subject(Kind::Positions, here.len() as u64);
    (subject.frames, subject.from, subject.to) = (1, frame.time, frame.time);
    Ok(Figure { page: figure.finish(), subject })
}

/// A disc with a tick that shows where the person is heading.
pub(crate) fn person(view: &View, at: Vec2, heading: f32, radius: f32, ink: Ink) -> Vec<Item> {
    let (center, radius) = (view.point(at), view.length(radius).max(SMALLEST_RADIUS));
    let mut items = Vec::new();
    if radius >= SMALLEST_WITH_HEADING {
        // On the page, y points downwards.
        let ahead = Vec2::from_angle(-heading) * radius;
        let width = (radius * 0.28).clamp(0.7, 2.0);
        let rim = Some(Stroke::solid(darker(ink), width * 0.6));
        items.push(
            Circle { center, radius, fill: Some(ink.with_opacity(0.85)), stroke: rim }.into(),
        );
        let tick = Line::open([center, center + ahead * 1.45]);
        items.push(Path::stroked(tick, Stroke::solid(darker(ink), width)).into());
    } else {
        items.push(Circle { center, radius, fill: Some(ink), stroke: None }.into());
    }
    items
}

fn darker(ink: Ink) -> Ink {
    Ink::solid(ink.rgb.map(|channel| (f32::from(channel) * 0.62) as u8))
}
