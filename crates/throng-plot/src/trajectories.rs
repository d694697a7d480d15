//! Everyone's path over the ground.
//!
//! Frames are read once, and of every path only the points that make a difference on the page are
//! kept: a point is dropped while it is within half a unit of the one before. If that is still too
//! much, half of the people are dropped, chosen by a hash of their ids so that no group is
//! preferred; when few are left, every path is made coarser instead. Finished paths lose the points
//! that lie on a straight line between others (Ramer 1972, Douglas and Peucker 1973).

use std::collections::HashMap;

use glam::Vec2;
use throng::base::hash::splitmix64;
use throng::recording::Frame;
use throng::world::scene::{GroupId, LayerId};

use crate::colour::ColourMap;
use crate::draw::{Circle, Ink, Item, Line, Path, Stroke};
use crate::excerpt::{Census, Excerpt, on_layer};
use crate::figure::Figure;
use crate::layout::{ColourBar, Entry, Key, Mark};
use crate::lines::{self, simplified};
use crate::map::{MapFigure, View};
use crate::options::{ColourBy, Kind, Options};
use crate::style::MUTED;
use crate::ticks::counted;
use crate::{PlotError, Progress, measures, scale};

/// The most people drawn: more lines than this are a carpet.
const MOST_PATHS: usize = 4000;
/// The most points kept at a time, of all paths.
const MOST_POINTS: usize = 1 << 20;
/// With fewer people than this, paths are made coarser instead of fewer.
const FEW_PATHS: usize = 64;
/// With more people than this, starts and ends would hide the paths.
const MOST_MARKED: usize = 120;
const LINE_WIDTH: f32 = 0.9;

/// Draws the paths of everyone in `excerpt`.
pub(crate) fn plot(
    excerpt: &mut Excerpt,
    options: &Options,
    progress: Progress,
) -> Result<Figure, PlotError> {
    let half_a_unit = 0.5 / View::new(excerpt.ground.bounds).scale;
    let mut paths = Paths::new(half_a_unit as f32);
    let mut census = Census::default();
    let mut present = vec![false; excerpt.group_count()];
    let layer = excerpt.layer;
    excerpt.each_frame(progress, |frame| {
        census.note(on_layer(frame, layer).map(|i| frame.people.ids[i]));
        for i in on_layer(frame, layer) {
            present[usize::from(frame.people.groups[i].0)] = true;
        }
        paths.extend(frame, layer);
    })?;

    let people = census.people();
    let by = options.colour.unwrap_or_default();
    let top = scale::top(&mut paths.speeds());
    let key = match by {
        ColourBy::Group => {
            let line = |ink| Mark::Line(Stroke::solid(ink, 2.0));
            let mut entries = excerpt.legend(&present, line);
            if (1..=MOST_MARKED).contains(&paths.paths.len()) {
                entries.push(Entry::new(Mark::Dot(MUTED), "start"));
                entries.push(Entry::new(Mark::Ring(MUTED), "end"));
            }
            Key::Legend(entries)
        }
        ColourBy::Speed => Key::Bar(ColourBar::of_speeds(&top)),
    };
    let what = format!("Trajectories · {}", counted(people, "person", "people"));
    let caption = match paths.halvings {
        0 => String::new(),
        halvings => format!("One person in {} is drawn, chosen at random.", 1u64 << halvings),
    };
    let around = excerpt.surroundings(options, &what, &excerpt.time_range(), key, caption);
    let mut figure = MapFigure::new(&excerpt.ground, around);
    figure.draw_connectors(&excerpt.ground);
    figure.draw_obstacles(&excerpt.ground);
    let items = match by {
        ColourBy::Group => paths.by_group(&figure.view, |group| excerpt.colour(group)),
        ColourBy::Speed => paths.by_speed(&figure.view, top.value as f32),
    };
    figure.draw("trajectories", items);
    figure.draw("measures", measures::draw(options, &figure.view));
    Ok(Figure { page: figure.finish(), subject: excerpt.subject(Kind::Trajectories, people) })
}

/// The paths of those who are drawn, as far as they have been read.
struct Paths {
    /// By first appearance.
    paths: Vec<PersonPath>,
    /// Where everyone is in `paths`.
    index: HashMap<u32, usize>,
    /// One person is drawn of two to this power.
    halvings: u32,
    /// Points nearer to the last one than this are dropped, m.
    spacing: f32,
    points: usize,
    most_paths: usize,
    most_points: usize,
}

struct PersonPath {
    id: u32,
    group: GroupId,
    /// Without the times the person was on another floor or not there.
    stretches: Vec<Stretch>,
}

/// A part of a path without interruption.
struct Stretch {
    points: Vec<PathPoint>,
    /// Where it ends so far. It joins the points when the stretch is drawn.
    last: PathPoint,
    last_frame: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct PathPoint {
    at: Vec2,
    speed: f32,
}

impl Paths {
    fn new(spacing: f32) -> Self {
        Self {
            paths: Vec::new(),
            index: HashMap::new(),
            halvings: 0,
            spacing,
            points: 0,
            most_paths: MOST_PATHS,
            most_points: MOST_POINTS,
        }
    }

    /// Goes on to where everyone is in `frame`.
    fn extend(&mut self, frame: &Frame, layer: LayerId) {
        for i in on_layer(frame, layer) {
            let (id, group) = (frame.people.ids[i], frame.people.groups[i]);
            if !is_chosen(id, self.halvings) {
                continue;
            }
            let speed = frame.people.velocities[i].length();
            let point = PathPoint { at: frame.people.positions[i], speed };
            let index = *self.index.entry(id).or_insert_with(|| {
                self.paths.push(PersonPath { id, group, stretches: Vec::new() });
                self.paths.len() - 1
            });
            self.points += self.paths[index].go_to(point, frame.index, self.spacing);
        }
        while self.paths.len() > self.most_paths || self.points > self.most_points {
            if self.paths.len() > FEW_PATHS {
                self.halve();
            } else {
                self.coarsen();
            }
        }
    }

    fn halve(&mut self) {
        self.halvings += 1;
        self.paths.retain(|path| is_chosen(path.id, self.halvings));
        self.index = self.paths.iter().enumerate().map(|(i, path)| (path.id, i)).collect();
        self.count_points();
    }

    fn coarsen(&mut self) {
        self.spacing *= 2.0;
        for stretch in self.paths.iter_mut().flat_map(|path| &mut path.stretches) {
            let (spacing, mut kept) = (self.spacing, None::<Vec2>);
            stretch.points.retain(|point| {
                let keep = kept.is_none_or(|kept| kept.distance(point.at) >= spacing);
                kept = if keep { Some(point.at) } else { kept };
                keep
            });
        }
        // Someone who comes and goes all the time has many short stretches: the oldest are dropped.
        for path in &mut self.paths {
            let surplus = path.stretches.len().saturating_sub(self.most_points / (2 * FEW_PATHS));
            path.stretches.drain(..surplus);
        }
        self.count_points();
    }

    fn count_points(&mut self) {
        let stretches = self.paths.iter().flat_map(|path| &path.stretches);
        self.points = stretches.map(|stretch| stretch.points.len()).sum();
    }

    /// All speeds, in no order that matters.
    fn speeds(&self) -> Vec<f32> {
        let stretches = self.paths.iter().flat_map(|path| &path.stretches);
        stretches.flat_map(|stretch| &stretch.points).map(|point| point.speed).collect()
    }

    fn by_group(&self, view: &View, colour: impl Fn(GroupId) -> Ink) -> Vec<Item> {
        let opacity = self.opacity(view);
        let mut items = Vec::new();
        let mut marks = Vec::new();
        for path in &self.paths {
            let ink = colour(path.group);
            let lines: Vec<Line> = path.stretches.iter().map(|s| s.line(view)).collect();
            if self.paths.len() <= MOST_MARKED {
                marks.extend(ends(&lines, ink));
            }
            let stroke = Some(Stroke::solid(ink.with_opacity(opacity), LINE_WIDTH));
            items.push(Path { lines, fill: None, stroke }.into());
        }
        items.extend(marks);
        items
    }

    fn by_speed(&self, view: &View, top: f32) -> Vec<Item> {
        let opacity = self.opacity(view).max(0.45);
        let stretches = self.paths.iter().flat_map(|path| &path.stretches);
        let coloured = |stretch: &Stretch| {
            let point = |point: PathPoint| (view.point(point.at), point.speed / top);
            let points: Vec<(Vec2, f32)> = stretch.all_points().map(point).collect();
            lines::coloured(&points, ColourMap::SPEED, opacity, LINE_WIDTH)
        };
        stretches.flat_map(coloured).collect()
    }

    /// The more of the map is covered with lines, the lighter they are.
    fn opacity(&self, view: &View) -> f32 {
        let stretches = self.paths.iter().flat_map(|path| &path.stretches);
        let length: f32 = stretches.map(|stretch| view.length(stretch.length())).sum();
        let panel = view.panel.size();
        let coverage = length * LINE_WIDTH / (panel.x * panel.y);
        (0.85 / (1.0 + 0.8 * coverage)).clamp(0.12, 0.8)
    }
}

impl PersonPath {
    /// Goes on to `point`; returns how many points were added.
    fn go_to(&mut self, point: PathPoint, frame: u32, spacing: f32) -> usize {
        match self.stretches.last_mut() {
            Some(stretch) if stretch.last_frame + 1 == frame => {
                (stretch.last, stretch.last_frame) = (point, frame);
                let from = stretch.points.last().map_or(point.at, |last| last.at);
                if from.distance(point.at) < spacing {
                    return 0;
                }
                stretch.points.push(point);
            }
            _ => {
                let points = vec![point];
                self.stretches.push(Stretch { points, last: point, last_frame: frame });
            }
        }
        1
    }
}

impl Stretch {
    fn all_points(&self) -> impl Iterator<Item = PathPoint> + '_ {
        let end = (self.points.last() != Some(&self.last)).then_some(self.last);
        self.points.iter().copied().chain(end)
    }

    fn line(&self, view: &View) -> Line {
        let points: Vec<Vec2> = self.all_points().map(|point| view.point(point.at)).collect();
        Line::open(simplified(&points))
    }

    fn length(&self) -> f32 {
        self.points.windows(2).map(|ends| ends[0].at.distance(ends[1].at)).sum()
    }
}

/// Whether someone is still drawn after so many halvings.
fn is_chosen(id: u32, halvings: u32) -> bool {
    // Mixed, so that neighbouring ids fall anywhere.
    splitmix64(u64::from(id).wrapping_mul(0x9e37_79b9_7f4a_7c15)).trailing_zeros() >= halvings
}

/// A dot where the first line begins, and a ring where the last one ends.
fn ends(lines: &[Line], ink: Ink) -> Vec<Item> {
    let start = lines.first().and_then(|line| line.points.first());
    let end = lines.last().and_then(|line| line.points.last());
    let paper = Some(Ink::solid([0xff; 3]));
    let dot = |&center: &Vec2| Circle { center, radius: 1.7, fill: Some(ink), stroke: None }.into();
    let ring = |&center: &Vec2| {
        let stroke = Some(Stroke::solid(ink, 0.8));
        Circle { center, radius: 1.7, fill: paper, stroke }.into()
    };
    start.map(dot).into_iter().chain(end.map(ring)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng::recording::Person;

    fn frame(index: u32, people: impl IntoIterator<Item = (u32, Vec2)>) -> Frame {
        let mut frame = Frame { index, ..Frame::default() };
        for (id, position) in people {
            frame.people.push(Person { id, position, ..Person::default() });
        }
        frame
    }

    #[test]
    fn small_steps_are_dropped_but_not_the_end() {
        let mut paths = Paths::new(1.0);
        for i in 0..=25 {
            paths.extend(&frame(i, [(7, Vec2::new(i as f32 * 0.1, 0.0))]), LayerId(0));
        }
        let x: Vec<f32> = paths.paths[0].stretches[0].all_points().map(|p| p.at.x).collect();
        assert_eq!(x.len(), 4);
        assert!((x[1] - 1.0).abs() < 1e-4 && (x[3] - 2.5).abs() < 1e-4, "{x:?}");
    }

    #[test]
    fn who_was_away_has_a_gap_in_the_path() {
        let mut paths = Paths::new(0.1);
        for (i, x) in [(0, 0.0), (1, 1.0), (5, 9.0), (6, 10.0)] {
            paths.extend(&frame(i, [(7, Vec2::new(x, 0.0))]), LayerId(0));
        }
        assert_eq!(paths.paths[0].stretches.len(), 2);
        assert_eq!(paths.points, 4);
    }

    #[test]
    fn memory_is_bounded_however_many_walk_however_far() {
        for people in [5, 3000] {
            let mut paths = Paths { most_paths: 500, most_points: 4000, ..Paths::new(0.1) };
            for i in 0..400 {
                let at = |id: u32| Vec2::new((i * 3 % 97) as f32, (id + i * 7 % 89) as f32);
                paths.extend(&frame(i, (0..people).map(|id| (id, at(id)))), LayerId(0));
                assert!(paths.points <= 4000 && paths.paths.len() <= 500);
            }
            let kept: usize =
                paths.paths.iter().flat_map(|p| &p.stretches).map(|s| s.points.len()).sum();
            assert_eq!(kept, paths.points);
            assert!(!paths.paths.is_empty());
            assert!(paths.paths.iter().all(|path| is_chosen(path.id, paths.halvings)));
        }
    }

    #[test]
    fn the_choice_of_people_is_even() {
        for halvings in 0..5 {
            let chosen = (0..32_000).filter(|&id| is_chosen(id, halvings)).count();
            let expected = 32_000 >> halvings;
            assert!(chosen.abs_diff(expected) < expected / 10, "{chosen} of {expected}");
        }
    }
}
