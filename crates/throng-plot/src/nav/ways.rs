//! Ways from somewhere to somewhere else.

use std::collections::VecDeque;

use glam::{DVec2, Vec2};
use throng::Scene;
use throng::world::scene::LayerId;
use throng_nav::{
    Alternatives, Corridor, CorridorMap, Extras, NoWay, Path as WayPath, Search, Walker,
};

use crate::PlotError;
use crate::draw::{Circle, Ink, Item, Line, Path, Stroke};
use crate::excerpt::known_layer;
use crate::layout::{Entry, Mark};
use crate::map::View;
use crate::options::{Options, Way};
use crate::scene::routes;
use crate::ticks::compact;

/// With more ways than this one cannot tell them apart.
const MOST_WAYS: usize = 8;
/// Those who stay where they are have no way to show; shorter ones, m, are none.
const SHORTEST: f64 = 1.0;
/// How far from walls people like to walk, m.
const MARGIN: f64 = 0.2;
/// The radius of people in a scene that has none, m.
const BODY: f64 = 0.25;
/// A start or goal that had to be moved this far, m, is told.
const MOVED: f64 = 0.01;

const ASKED: Ink = Ink::solid([0xd9, 0x5f, 0x0e]);
/// Alternatives to it, the shortest first; like it, safe for colour-blind readers (after Okabe and Ito, 2008).
const OTHERS: [Ink; MOST_WAYS - 1] = [
    Ink::solid([0x00, 0x72, 0xb2]),
    Ink::solid([0x00, 0x9e, 0x73]),
    Ink::solid([0xcc, 0x79, 0xa7]),
    Ink::solid([0x56, 0xb4, 0xe9]),
    Ink::solid([0x8c, 0x6d, 0x31]),
    Ink::solid([0x7a, 0x5c, 0xa8]),
    Ink::solid([0x55, 0x55, 0x55]),
];
const CORRIDOR: Ink = Ink { rgb: [0xf2, 0x9b, 0x4b], opacity: 0.24 };
const CORRIDOR_RIM: Stroke = Stroke::solid(Ink { rgb: [0xd9, 0x5f, 0x0e], opacity: 0.35 }, 0.6);
const MIDDLE: Stroke = Stroke { ink: ASKED, width: 1.1, dash: Some([4.0, 3.0]) };
const WIDTH: f32 = 1.7;
/// Paper beside a path sets it off from what it crosses.
const HALO: Stroke = Stroke::solid(Ink { rgb: [0xff; 3], opacity: 0.75 }, 3.6);

/// A place on some floor.
type Spot = (LayerId, Vec2);

/// The ways that a figure shows.
pub(super) struct Ways {
    layer: LayerId,
    asked: Option<Asked>,
    sketched: Option<Sketched>,
    of_groups: Vec<Found>,
    /// Why the way that was asked for does not exist.
    pub reason: Option<String>,
    walker: Walker,
}

struct Asked {
    corridor: Corridor,
    shortest: WayPath,
    middle: WayPath,
    /// The shortest paths of other ways.
    others: Vec<WayPath>,
}

/// A line that was sketched, and the way that comes of it.
struct Sketched {
    line: WayPath,
    route: WayPath,
}

/// A path that somebody would take.
struct Found {
    ink: Ink,
    name: String,
    path: WayPath,
}

impl Ways {
    /// The way that `options` ask for, or those of groups to their first goals.
    pub(super) fn find(
        scene: &Scene,
        map: &CorridorMap,
        layer: LayerId,
        options: &Options,
        notes: &mut Vec<String>,
    ) -> Result<Self, PlotError> {
        let radii = scene.groups.iter().map(|group| f64::from(group.body.radius.typical()));
        let radius = radii.reduce(f64::max).unwrap_or(BODY);
        let walker = Walker { radius, margin: MARGIN };
        let mut ways = Self {
            layer,
            asked: None,
            sketched: None,
            of_groups: Vec::new(),
            reason: None,
            walker,
        };
        let Some(points) = options.way.as_ref().map(Way::points) else {
            ways.of_groups = of_groups(scene, map, layer, notes);
            return Ok(ways);
        };
        let floor = match &options.to_layer {
            Some(name) => known_layer(name, scene.layers.iter().map(|of| of.name.as_str()))?,
            None => layer,
        };
        match *points {
            [from, to] => ways.ask(map, [(layer, from), (floor, to)], options.ways, notes),
            _ => ways.sketch(map, points, floor),
        }
        Ok(ways)
    }

    /// Looks for the way from one place to another, and for alternatives.
    fn ask(
        &mut self,
        map: &CorridorMap,
        ends: [Spot; 2],
        count: Option<usize>,
        notes: &mut Vec<String>,
    ) {
        let walker = self.walker;
        let [from, to] = ends.map(|(layer, point)| (layer, point.as_dvec2()));
        let count = count.unwrap_or(1).clamp(1, MOST_WAYS);
        let rules = Alternatives { count, ..Alternatives::default() };
        let mut search = Search::default();
        let found = map.alternatives(&mut search, from, to, &walker, Extras::default(), &rules);
        let [from, to] = ends.map(|end| end.1);
        match found.map(|ways| ways.into_iter().collect::<VecDeque<_>>()) {
            Ok(mut ways) => {
                let Some(corridor) = ways.pop_front() else { return };
                if ways.len() + 1 < count {
                    let found = ways.len() + 1;
                    notes.push(match found {
                        1 => "there is only one way".into(),
                        _ => format!("there are only {found} ways that really differ"),
                    });
                }
                let ends = [("begins", from, corridor.from()), ("ends", to, corridor.to())];
                for (verb, wanted, place) in ends {
                    let DVec2 { x, y } = place.point;
                    if place.point.distance(wanted.as_dvec2()) > MOVED {
                        notes.push(format!(
                            "the way {verb} at ({x:.2}, {y:.2}): there is no room at ({}, {})",
                            wanted.x, wanted.y
                        ));
                    }
                }
                let shortest = corridor.shortest_path(walker.clearance());
                let path = |way: &Corridor| way.shortest_path(walker.clearance());
                let others = ways.iter().map(path).collect();
                self.asked = Some(Asked { shortest, middle: middle(&corridor), corridor, others });
            }
            Err(reason) => {
                let (a, b) = (from, to);
                self.reason = Some(format!(
                    "there is no way from ({}, {}) to ({}, {}): {reason}",
                    a.x, a.y, b.x, b.y
                ));
            }
        }
    }

    /// Looks for a way along a sketched line, which ends on `floor`.
    fn sketch(&mut self, map: &CorridorMap, points: &[Vec2], floor: LayerId) {
        let last = points.len() - 1;
        let on = |i: usize| if i == last { floor } else { self.layer };
        let sketch: Vec<(LayerId, DVec2)> =
            points.iter().enumerate().map(|(i, point)| (on(i), point.as_dvec2())).collect();
        let walker = self.walker;
        match map.indicative_route(&mut Search::default(), &sketch, &walker, Extras::default()) {
            Ok(route) => {
                let points = sketch.iter().map(|stop| stop.1).collect();
                let line = WayPath { points, layers: vec![self.layer; last] };
                self.sketched = Some(Sketched { line, route: route.path().clone() });
            }
            Err(reason) => self.reason = Some(format!("this cannot be walked: {reason}")),
        }
    }

    /// The free ground along the way that was asked for.
    pub(super) fn draw_corridor(&self, view: &View) -> Vec<Item> {
        let Some(Asked { corridor, .. }) = &self.asked else { return Vec::new() };
        let here = |(slice, layer): (_, &LayerId)| (*layer == self.layer).then_some(slice);
        let slices: Vec<Option<&throng_nav::Slice>> =
            corridor.slices().iter().zip(corridor.layers()).map(here).collect();
        let on_page = |point: DVec2| view.point(point.as_vec2());
        let mut items = Vec::new();
        for run in slices.split(Option::is_none) {
            let left = run.iter().flatten().map(|slice| on_page(slice.left));
            let right = run.iter().flatten().rev().map(|slice| on_page(slice.right));
            let outline: Vec<Vec2> = left.chain(right).collect();
            if outline.len() > 2 {
                let lines = vec![Line::closed(outline)];
                items.push(Path { lines, fill: Some(CORRIDOR), stroke: Some(CORRIDOR_RIM) }.into());
            }
        }
        items
    }

    /// All paths, with a dot where each begins and a ring where it ends.
    pub(super) fn draw(&self, view: &View) -> Vec<Item> {
        let mut items = Vec::new();
        if let Some(Asked { shortest, middle, others, .. }) = &self.asked {
            for (path, ink) in others.iter().zip(OTHERS).rev() {
                items.extend(self.draw_path(view, path, Stroke::solid(ink, WIDTH)));
            }
            items.extend(self.draw_path(view, middle, MIDDLE));
            items.extend(self.draw_path(view, shortest, Stroke::solid(ASKED, WIDTH)));
            items.extend(self.draw_ends(view, shortest, ASKED));
        }
        if let Some(Sketched { line, route }) = &self.sketched {
            items.extend(self.draw_path(view, line, MIDDLE));
            items.extend(self.draw_path(view, route, Stroke::solid(ASKED, WIDTH)));
            items.extend(self.draw_ends(view, route, ASKED));
        }
        for Found { ink, path, .. } in &self.of_groups {
            items.extend(self.draw_path(view, path, Stroke::solid(*ink, WIDTH)));
        }
        for Found { ink, path, .. } in &self.of_groups {
            items.extend(self.draw_ends(view, path, *ink));
        }
        items
    }

    /// Every leg of all paths on the page, for labels to keep off.
    pub(super) fn lines<'a>(&'a self, view: &View) -> Vec<[Vec2; 2]> {
        let paths = |asked: &'a Asked| [&asked.shortest].into_iter().chain(&asked.others);
        let asked = self.asked.iter().flat_map(paths);
        let sketched = self.sketched.iter().map(|sketched| &sketched.route);
        let paths = asked.chain(sketched).chain(self.of_groups.iter().map(|found| &found.path));
        let lines = paths.flat_map(|path| self.stretches(view, path));
        let legs =
            |line: Vec<Vec2>| line.windows(2).map(|leg| [leg[0], leg[1]]).collect::<Vec<_>>();
        lines.flat_map(legs).collect()
    }

    /// What the paths are, and how long.
    pub(super) fn legend(&self) -> Vec<Entry> {
        let length = |path: &WayPath| format!("{} m", compact(path.length(), 1));
        let mut entries = Vec::new();
        if let Some(Asked { shortest, middle, others, .. }) = &self.asked {
            let area = Mark::Area { fill: CORRIDOR, rim: CORRIDOR_RIM };
            let path = Mark::Line(Stroke::solid(ASKED, WIDTH));
            entries.push(Entry::new(area, "corridor"));
            entries.push(Entry::new(path, format!("shortest path, {}", length(shortest))));
            entries
                .push(Entry::new(Mark::Line(MIDDLE), format!("middle path, {}", length(middle))));
            for (path, ink) in others.iter().zip(OTHERS) {
                let mark = Mark::Line(Stroke::solid(ink, WIDTH));
                entries.push(Entry::new(mark, format!("another way, {}", length(path))));
            }
        }
        if let Some(Sketched { line, route }) = &self.sketched {
            let path = Mark::Line(Stroke::solid(ASKED, WIDTH));
            entries.push(Entry::new(Mark::Line(MIDDLE), format!("sketch, {}", length(line))));
            entries.push(Entry::new(path, format!("way along it, {}", length(route))));
        }
        entries.extend(self.of_groups.iter().map(|Found { ink, name, path }| {
            let mark = Mark::Line(Stroke::solid(*ink, WIDTH));
            Entry::new(mark, format!("{}, {name}", length(path)))
        }));
        entries
    }

    /// How the paths were found.
    pub(super) fn caption(&self) -> String {
        let Walker { radius, margin } = self.walker;
        if self.asked.is_some() {
            let radius = compact(radius, 2);
            return format!(
                "The shortest path is that of a body of radius {radius} m that keeps {margin} m \
                 away from walls where it can."
            );
        }
        if self.sketched.is_some() {
            let radius = compact(radius, 2);
            return format!(
                "The way is that of a body of radius {radius} m that keeps {margin} m away from \
                 walls where it can."
            );
        }
        if self.of_groups.is_empty() {
            return String::new();
        }
        "Paths lead from where groups start to their first goals, in the colours of the groups."
            .into()
    }

    /// The parts of a path that are on this floor, as points of the page.
    fn stretches(&self, view: &View, path: &WayPath) -> Vec<Vec<Vec2>> {
        let mut stretches: Vec<Vec<Vec2>> = Vec::new();
        let mut goes_on = false;
        for (leg, layer) in path.points.windows(2).zip(&path.layers) {
            let is_here = *layer == self.layer;
            let [from, to] = [leg[0], leg[1]].map(|point| view.point(point.as_vec2()));
            match stretches.last_mut() {
                Some(last) if is_here && goes_on => last.push(to),
                _ if is_here => stretches.push(vec![from, to]),
                _ => {}
            }
            goes_on = is_here;
        }
        stretches
    }

    fn draw_path(&self, view: &View, path: &WayPath, stroke: Stroke) -> Vec<Item> {
        let lines: Vec<Line> = self.stretches(view, path).into_iter().map(Line::open).collect();
        let halo = Path { lines: lines.clone(), fill: None, stroke: Some(HALO) };
        vec![halo.into(), Path { lines, fill: None, stroke: Some(stroke) }.into()]
    }

    fn draw_ends(&self, view: &View, path: &WayPath, ink: Ink) -> Vec<Item> {
        let paper = Ink::solid([0xff; 3]);
        let end = |point: Option<&DVec2>, layer: Option<&LayerId>, fill: Ink| {
            let center = view.point(point.filter(|_| layer == Some(&self.layer))?.as_vec2());
            let stroke = Some(Stroke::solid(ink, 1.2));
            Some(Circle { center, radius: 2.8, fill: Some(fill), stroke }.into())
        };
        let start = end(path.points.first(), path.layers.first(), ink);
        let goal = end(path.points.last(), path.layers.last(), paper);
        start.into_iter().chain(goal).collect()
    }
}

fn find(
    map: &CorridorMap,
    search: &mut Search,
    from: Spot,
    to: Spot,
    walker: &Walker,
) -> Result<Corridor, NoWay> {
    let [from, to] = [from, to].map(|(layer, point)| (layer, point.as_dvec2()));
    map.corridor(search, from, to, walker, Extras::default())
}

/// From the start to the middle of a corridor, along it, and on to the goal.
fn middle(corridor: &Corridor) -> WayPath {
    let mut path = corridor.middle();
    path.points.insert(0, corridor.from().point);
    path.layers.insert(0, corridor.from().layer);
    path.points.push(corridor.to().point);
    path.layers.push(corridor.to().layer);
    path
}

/// Ways from where groups start to their first goals, as far as they begin or end on `layer`.
fn of_groups(
    scene: &Scene,
    map: &CorridorMap,
    layer: LayerId,
    notes: &mut Vec<String>,
) -> Vec<Found> {
    let mut search = Search::default();
    let mut ways = Vec::new();
    for group in &scene.groups {
        let goals = group.goals.first().map(|goal| routes::places(scene, goal)).unwrap_or_default();
        let start = routes::starts(scene, group).first().copied();
        let (Some(from), Some(to)) = (start, goals.last()) else { continue };
        if ways.len() == MOST_WAYS || (from.0 != layer && to.0 != layer) {
            continue;
        }
        let walker = Walker { radius: group.body.radius.typical().into(), margin: MARGIN };
        match to_goal(map, &mut search, from, &goals, &walker) {
            Ok(path) if path.length() > SHORTEST => {
                let (ink, name) = (Ink::solid(group.color), group.name.clone());
                ways.push(Found { ink, name, path });
            }
            Ok(_) => {}
            Err(reason) => notes.push(format!("\"{}\" find no way: {reason}", group.name)),
        }
    }
    ways
}

/// The way to a goal: the shortest one to a place, or along a line of several.
fn to_goal(
    map: &CorridorMap,
    search: &mut Search,
    from: Spot,
    places: &[Spot],
    walker: &Walker,
) -> Result<WayPath, String> {
    if let [to] = places {
        let corridor = find(map, search, from, *to, walker).map_err(|error| error.to_string())?;
        return Ok(corridor.shortest_path(walker.clearance()));
    }
    let stop = |&(layer, point): &Spot| (layer, point.as_dvec2());
    let sketch: Vec<_> = places.iter().map(stop).collect();
    let route = map.indicative_route_from(search, stop(&from), &sketch, walker, Extras::default());
    route.map(|route| route.path().clone()).map_err(|error| error.to_string())
}
