//! Where arrows on the ground lead: fields, as people would follow them.
//!
//! One field is shown with the velocity on a grid, with streamlines, its anchors and the places where
//! it stands still; of several, each has streamlines and anchors in a colour of its own.

mod critical;
mod streamlines;

use glam::{DVec2, Vec2};
use throng::Scene;
use throng::base::Polygon;
use throng::crowd::LiveField;
use throng::field::{Anchor, CriticalPoint};
use throng::world::scene::{FieldId, LayerId};

use self::streamlines::Streamlines;
use crate::draw::{Circle, Ink, Item, Line, Path, Stroke};
use crate::excerpt::Excerpt;
use crate::figure::{Figure, Subject};
use crate::ground::{Ground, arrow_lines};
use crate::labels::Labels;
use crate::layout::{Entry, Key, Mark, Surroundings};
use crate::map::{MapFigure, View};
use crate::options::{FieldChoice, Kind, Options};
use crate::style::series_ink;
use crate::ticks::{compact, round_down};
use crate::{PlotError, measures};

/// Distance of the arrows on the grid, on the page.
const SPACING: f32 = 27.0;
/// They are as long as this share of an anchor's arrow of the same velocity.
const SHARE: f32 = 2.0 / 3.0;
/// The longest arrow of an anchor, as a multiple of the grid's spacing.
const LONGEST: f32 = 1.35;
/// Distance of streamlines on the page, alone and with those of other fields.
const LINE_SPACING: [f32; 2] = [13.5, 20.0];
/// With more fields than this one cannot tell them apart.
const MOST_FIELDS: usize = 6;
/// A field that misses an anchor by less, m/s, passes through it.
const MISSED: f64 = 0.01;

const STREAM: Stroke = Stroke::solid(Ink::solid([0xc3, 0xd3, 0xe4]), 0.8);
const ARROW: Stroke = Stroke::solid(Ink::solid([0x33, 0x6f, 0xa8]), 1.0);
const ANCHOR: Ink = Ink::solid([0xd0, 0x4a, 0x02]);
const ANCHOR_WIDTH: f32 = 2.2;
const GHOST: Stroke = Stroke { ink: ANCHOR, width: 1.3, dash: Some([3.0, 2.4]) };
/// Paper beside an arrow sets it off from what it crosses.
const HALO: Stroke = Stroke::solid(Ink { rgb: [0xff; 3], opacity: 0.8 }, 4.6);
const REGION_RIM: Stroke =
    Stroke { ink: Ink::solid([0x8f, 0x9c, 0xad]), width: 0.9, dash: Some([4.0, 3.0]) };

/// Draws fields of the scene that was recorded.
pub(crate) fn plot_recorded(excerpt: &mut Excerpt, options: &Options) -> Result<Figure, PlotError> {
    let notes = std::mem::take(&mut excerpt.notes);
    let scene = excerpt.scene_for("a plot of fields")?;
    plot(scene, notes, options)
}

/// Draws fields of a scene, all on the floor of the first of them.
pub(crate) fn plot(
    scene: &Scene,
    mut notes: Vec<String>,
    options: &Options,
) -> Result<Figure, PlotError> {
    let time = options.at.unwrap_or(0.0).max(0.0);
    let ids = chosen(scene, options, &mut notes)?;
    let mut shown = Vec::with_capacity(ids.len());
    for id in ids {
        shown.push(Shown::new(scene, id, time)?);
    }
    let layer = shown[0].field.layer();
    let ground = Ground::of_scene(scene, layer);
    let seconds = seconds_of_arrows(&shown, &View::new(ground.bounds));
    let is_alone = shown.len() == 1;
    let points = if is_alone { critical::find(&shown[0], &ground, &mut notes) } else { Vec::new() };

    let around = surroundings(scene, &shown, &points, seconds, time, options);
    let mut figure = MapFigure::new(&ground, around);
    let view = figure.view;
    figure.draw_connectors(&ground);
    let outlines = shown.iter().flat_map(|of| {
        let reaches = of.anchors.iter().filter_map(|arrow| arrow.draw_reach(&view, &ground));
        of.draw_region(&view).into_iter().chain(reaches)
    });
    figure.draw("regions", outlines.collect());
    let spacing = LINE_SPACING[usize::from(!is_alone)];
    let mut streams = Vec::new();
    for (number, of) in shown.iter().enumerate() {
        let stroke = if is_alone { STREAM } else { Stroke::solid(series_ink(number), 0.8) };
        let lines = Streamlines::new(&ground, &view, spacing, |place| of.velocity(place)).lines();
        streams.extend(draw_streams(&lines, &view, stroke));
    }
    figure.draw("streamlines", streams);
    if is_alone {
        figure.draw("arrows", grid_arrows(&shown[0], &ground, &view, seconds));
    }
    figure.draw_obstacles(&ground);
    let anchors = (shown.iter().enumerate()).flat_map(|(number, of)| {
        let ink = if is_alone { ANCHOR } else { series_ink(number) };
        of.anchors.iter().flat_map(move |anchor| anchor.draw(&view, seconds, ink))
    });
    figure.draw("anchors", anchors.collect());
    figure.draw("critical", points.iter().flat_map(|point| critical::draw(point, &view)).collect());
    figure.draw("measures", measures::draw(options, &view));
    figure.draw("labels", labels(&shown, &ground, &view, seconds));

    let subject = Subject {
        kind: Kind::Field.name(),
        from: time,
        to: time,
        layer: (scene.layers.len() > 1).then(|| scene.layers[usize::from(layer.0)].name.clone()),
        notes,
        ..Subject::default()
    };
    Ok(Figure { page: figure.finish(), subject })
}

/// The fields that are asked for: one by name, or those of a floor.
fn chosen(
    scene: &Scene,
    options: &Options,
    notes: &mut Vec<String>,
) -> Result<Vec<FieldId>, PlotError> {
    if scene.fields.is_empty() {
        return Err(PlotError::options("a plot of fields", "needs a scene that has some"));
    }
    let ids = |is_wanted: &dyn Fn(&throng::world::scene::FieldSpec) -> bool| {
        let found = (0..).map(FieldId).zip(&scene.fields).filter(|(_, spec)| is_wanted(spec));
        found.map(|(id, _)| id).collect::<Vec<_>>()
    };
    if let Some(FieldChoice::Named(name)) = &options.field {
        let found = ids(&|spec| spec.name == *name);
        if found.is_empty() {
            let known: Vec<&str> = scene.fields.iter().map(|spec| spec.name.as_str()).collect();
            return Err(PlotError::NoSuchField { name: name.clone(), known: known.join(", ") });
        }
        return Ok(found);
    }
    let layer = crate::scene::floor(scene, options, notes)?;
    let mut found = ids(&|spec| spec.layer == layer);
    if found.is_empty() {
        let remedy = "needs a floor that has some; name another with --layer";
        return Err(PlotError::options("a plot of fields", remedy));
    }
    if found.len() > MOST_FIELDS {
        let others = found.len() - MOST_FIELDS;
        notes.push(format!("{others} more fields are not shown; name one with --field"));
        found.truncate(MOST_FIELDS);
    }
    Ok(found)
}

/// A field at a moment.
struct Shown<'a> {
    field: LiveField,
    region: Option<&'a Polygon>,
    /// Whether it is the same at all times.
    is_steady: bool,
    anchors: Vec<Arrow>,
}

/// An anchor, and what the field is there.
struct Arrow {
    name: Option<String>,
    anchor: Anchor,
    actual: DVec2,
}

impl<'a> Shown<'a> {
    fn new(scene: &'a Scene, id: FieldId, time: f64) -> Result<Self, PlotError> {
        let spec = &scene.fields[usize::from(id.0)];
        let field = LiveField::of_scene(scene, id, time)
            .map_err(|error| PlotError::NoField { name: spec.name.clone(), error })?;
        let region = spec.region.map(|region| &scene.regions[usize::from(region.0)].polygon);
        let anchors = field.anchors().into_iter().map(|(name, anchor)| {
            let actual = match field.field() {
                Some(field) => field.velocity(anchor.position),
                None => field.velocity(anchor.position.as_vec2()).as_dvec2(),
            };
            Arrow { name: name.map(str::to_owned), anchor, actual }
        });
        let anchors = anchors.collect();
        Ok(Self { field, region, is_steady: spec.is_steady(), anchors })
    }

    /// Where it leads; nowhere outside of its region and of the reach of its anchors.
    fn velocity(&self, place: Vec2) -> Vec2 {
        if self.holds(place) { self.field.velocity(place) } else { Vec2::ZERO }
    }

    fn holds(&self, place: Vec2) -> bool {
        let is_inside = self.region.is_none_or(|region| region.contains(place));
        is_inside && self.field.coverage().weight(place) > 0.0
    }

    fn draw_region(&self, view: &View) -> Option<Item> {
        let outline = view.outline(self.region?);
        Some(Path::stroked(outline, REGION_RIM).into())
    }

    fn missed(&self) -> impl Iterator<Item = &Arrow> {
        self.anchors.iter().filter(|anchor| anchor.residual() > MISSED)
    }
}

impl Arrow {
    fn residual(&self) -> f64 {
        self.actual.distance(self.anchor.vector)
    }

    /// Its ends on the ground.
    fn ends(&self, vector: DVec2, seconds: f64) -> [Vec2; 2] {
        [self.anchor.position, self.anchor.position + vector * seconds].map(DVec2::as_vec2)
    }

    /// The circle of its reach within the bounds, if it has one.
    fn draw_reach(&self, view: &View, ground: &Ground) -> Option<Item> {
        let (center, reach) = (self.anchor.position.as_vec2(), self.anchor.reach? as f32);
        let corner = |i: u8| {
            let way = Vec2::from_angle(f32::from(i) * std::f32::consts::TAU / 72.0);
            view.point((center + way * reach).clamp(ground.bounds.min, ground.bounds.max))
        };
        let circle = Line::closed((0..72).map(corner).collect::<Vec<_>>());
        Some(Path::stroked(circle, REGION_RIM).into())
    }

    fn draw(&self, view: &View, seconds: f64, ink: Ink) -> Vec<Item> {
        let on_page = |vector| self.ends(vector, seconds).map(|end| view.point(end));
        let [from, to] = on_page(self.anchor.vector);
        let lines = arrow_lines(from, to, 7.5);
        let mut items = vec![
            Path { lines: lines.clone(), fill: None, stroke: Some(HALO) }.into(),
            Path { lines, fill: None, stroke: Some(Stroke::solid(ink, ANCHOR_WIDTH)) }.into(),
        ];
        if self.residual() > MISSED {
            let [from, to] = on_page(self.actual);
            let stroke = Some(Stroke { ink, ..GHOST });
            let mut lines = arrow_lines(from, to, 6.0).into_iter();
            // Dashes would not leave much of the tip.
            items.extend(
                lines.next().map(|shaft| Path { lines: vec![shaft], fill: None, stroke }.into()),
            );
            let stroke = Some(Stroke::solid(ink, GHOST.width));
            items.push(Path { lines: lines.collect(), fill: None, stroke }.into());
        }
        let stroke = Some(Stroke::solid(Ink::solid([0xff; 3]), 0.8));
        items.push(Circle { center: from, radius: 3.1, fill: Some(ink), stroke }.into());
        items
    }
}

/// How long people walk along an arrow of the figure: a round time with which the longest arrows
/// fit on the grid.
fn seconds_of_arrows(shown: &[Shown], view: &View) -> f64 {
    let speeds = shown.iter().flat_map(|of| &of.anchors).map(|of| of.anchor.vector.length());
    let fastest = speeds.fold(0.0, f64::max);
    let reach = f64::from(SPACING) / view.scale;
    if fastest > 0.0 { round_down(f64::from(LONGEST) * reach / fastest) } else { 1.0 }
}

fn draw_streams(lines: &[Vec<Vec2>], view: &View, stroke: Stroke) -> Vec<Item> {
    let on_page = |line: &Vec<Vec2>| {
        Line::open(line.iter().map(|&point| view.point(point)).collect::<Vec<_>>())
    };
    let lines: Vec<Line> = lines.iter().map(on_page).collect();
    // Where a line leads is shown in its middle.
    let tips = lines.iter().filter_map(|line| {
        let middle = line.points.len() / 2;
        let (from, to) = (*line.points.get(middle.checked_sub(1)?)?, *line.points.get(middle)?);
        let tip = to - (from - to).normalize_or_zero() * 0.1;
        arrow_lines(from, tip, 4.2).into_iter().nth(1)
    });
    let tips = Path { lines: tips.collect(), fill: None, stroke: Some(stroke) };
    vec![Path { lines: lines.clone(), fill: None, stroke: Some(stroke) }.into(), tips.into()]
}

/// Arrows on a grid, centred where they are drawn.
fn grid_arrows(of: &Shown, ground: &Ground, view: &View, seconds: f64) -> Vec<Item> {
    let size = view.panel.size();
    let count = (size / SPACING).floor().max(Vec2::ONE);
    let first = view.panel.min + (size - (count - 1.0) * SPACING) * 0.5;
    let mut lines = Vec::new();
    for i in 0..(count.x * count.y) as usize {
        let (row, column) = (i / count.x as usize, i % count.x as usize);
        let center = first + Vec2::new(column as f32, row as f32) * SPACING;
        let place = view.ground(center);
        let velocity = of.velocity(place);
        if is_covered(ground, place) || velocity == Vec2::ZERO {
            continue;
        }
        let way = Vec2::new(velocity.x, -velocity.y) * (seconds * view.scale) as f32;
        let way = way.clamp_length_max(SPACING * LONGEST) * SHARE;
        let tip = (0.34 * way.length()).clamp(1.5, 5.0);
        lines.extend(arrow_lines(center - 0.5 * way, center + 0.5 * way, tip));
    }
    vec![Path { lines, fill: None, stroke: Some(ARROW) }.into()]
}

/// Whether a place is in a wall or off the map.
fn is_covered(ground: &Ground, place: Vec2) -> bool {
    !ground.bounds.contains(place) || ground.solids.iter().any(|solid| solid.contains(place))
}

/// Names of anchors, and by how much the field misses them.
fn labels(shown: &[Shown], ground: &Ground, view: &View, seconds: f64) -> Vec<Item> {
    let arrows = || shown.iter().flat_map(|of| &of.anchors);
    let ends = arrows().flat_map(|arrow| {
        [arrow.anchor.vector, arrow.actual].map(|vector| arrow.ends(vector, seconds))
    });
    let routes = ends.map(|ends| ends.map(|end| view.point(end))).collect();
    let bases = arrows().map(|arrow| arrow.anchor.position.as_vec2());
    let mut labels = Labels::new(view, ground, bases, routes);
    for arrow in arrows() {
        let residual = arrow.residual();
        let missed = (residual > MISSED).then(|| format!("{} m/s", compact(residual, 2)));
        let text: Vec<&str> = arrow.name.iter().chain(&missed).map(String::as_str).collect();
        if !text.is_empty() {
            labels.place_beside(&text.join(", "), arrow.ends(arrow.anchor.vector, seconds));
        }
    }
    labels.into_items()
}

fn surroundings(
    scene: &Scene,
    shown: &[Shown],
    points: &[CriticalPoint],
    seconds: f64,
    time: f64,
    options: &Options,
) -> Surroundings {
    let layer = shown[0].field.layer();
    let mut subtitle = match shown {
        [one] => format!("Field \"{}\"", one.field.name()),
        several => format!("{} fields", several.len()),
    };
    if shown.iter().any(|of| !of.is_steady) {
        subtitle += &format!(" at {} s", compact(time, 2));
    }
    if let [one] = shown {
        let led = led_by(scene, one.field.name());
        if !led.is_empty() {
            subtitle += &format!(" · leads {}", led.join(", "));
        }
    }
    if scene.layers.len() > 1 {
        subtitle += &format!(" · {}", floor_name(scene, layer));
    }
    let mut entries = Vec::new();
    if let [one] = shown {
        entries.push(Entry::new(Mark::Line(Stroke::solid(ANCHOR, ANCHOR_WIDTH)), "anchor"));
        if one.missed().next().is_some() {
            entries.push(Entry::new(Mark::Line(GHOST), "what comes of it"));
        }
        entries.push(Entry::new(Mark::Line(ARROW), "field"));
        entries.push(Entry::new(Mark::Line(Stroke { width: 1.2, ..STREAM }), "streamline"));
        entries.extend(critical::legend(points));
    } else {
        entries.extend(shown.iter().enumerate().map(|(number, of)| {
            let mark = Mark::Line(Stroke::solid(series_ink(number), ANCHOR_WIDTH));
            Entry::new(mark, of.field.name())
        }));
    }
    Surroundings {
        title: options.title.clone().unwrap_or_else(|| scene.name.clone()),
        subtitle,
        key: Key::Legend(entries),
        caption: caption(shown, points, seconds),
    }
}

fn caption(shown: &[Shown], points: &[CriticalPoint], seconds: f64) -> String {
    let way = compact(seconds, 6);
    let mut caption = format!("The arrows of anchors are as long as the way of {way} s");
    if let [one] = shown {
        caption += ", those of the field two thirds as long.";
        if one.missed().next().is_some() {
            caption += " Dashed arrows are the field where it misses an anchor, by as much as is written there.";
        }
        let traps = points.iter().filter(|point| point.is_trap()).count();
        if traps > 0 {
            caption +=
                " Where the field stands still, crowds pile up (sinks) or go in circles (centres).";
        }
    } else {
        caption.push('.');
    }
    if shown.iter().any(|of| of.region.is_some()) {
        caption += " Dashed outlines are the regions in which fields hold.";
    }
    caption
}

/// The groups that a field leads.
fn led_by<'s>(scene: &'s Scene, name: &str) -> Vec<&'s str> {
    let is_led = |group: &&throng::world::scene::Group| {
        let by = group.led.iter().flat_map(|led| &led.by);
        by.into_iter().any(|id| scene.fields[usize::from(id.0)].name == name)
    };
    scene.groups.iter().filter(is_led).map(|group| group.name.as_str()).collect()
}

fn floor_name(scene: &Scene, layer: LayerId) -> &str {
    &scene.layers[usize::from(layer.0)].name
}
