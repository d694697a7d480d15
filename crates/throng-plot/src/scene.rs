//! A scene before it runs: what is there, who starts where, and where they want to go.

pub(crate) mod routes;

use std::collections::BTreeSet;

use throng::recording::Frame;
use throng::world::scene::{LayerId, MeasuredPlace};
use throng::{Engine, Scene};

use crate::draw::{Ink, Item, Path, Stroke};
use crate::excerpt::{known_layer, on_layer};
use crate::figure::{Figure, Subject};
use crate::ground::Ground;
use crate::labels::Labels;
use crate::layout::{Entry, Key, Mark, Surroundings};
use crate::map::{MapFigure, View};
use crate::options::Options;
use crate::style::{MEASURE, MUTED};
use crate::ticks::counted;
use crate::{PlotError, measures, positions};

const REGION_FILL: Ink = Ink { rgb: [0x8f, 0x9c, 0xad], opacity: 0.10 };
const REGION_RIM: Stroke =
    Stroke { ink: Ink::solid([0xa8, 0xb1, 0xbd]), width: 0.75, dash: Some([3.0, 3.0]) };

/// Draws a scene with everyone where they start.
pub(crate) fn plot(scene: Scene, options: &Options) -> Result<Figure, PlotError> {
    let mut notes = Vec::new();
    let layer = floor(&scene, options, &mut notes)?;
    // Only building the crowd tells where everyone finds room.
    let engine = Engine::new(scene)?;
    let mut start = Frame::default();
    engine.snapshot(&mut start);
    let scene = engine.scene();

    let ground = Ground::of_scene(scene, layer);
    let here: Vec<usize> = on_layer(&start, layer).collect();
    let mut figure = MapFigure::new(&ground, surroundings(scene, layer, here.len(), options));
    let view = figure.view;
    figure.draw("regions", regions(scene, layer, &view));
    figure.draw("sources", sources(scene, layer, &view));
    figure.draw_connectors(&ground);
    figure.draw_obstacles(&ground);
    let people = here.iter().flat_map(|&i| {
        let person = start.people.get(i);
        let ink = Ink::solid(scene.groups[usize::from(person.group.0)].color);
        positions::person(&view, person.position, person.heading, person.radius, ink)
    });
    figure.draw("people", people.collect());
    let legs = routes::legs(scene, layer, &view);
    figure.draw("goals", routes::draw(scene, layer, &view, &legs));
    let people = here.iter().map(|&i| start.people.positions[i]);
    let routes = legs.iter().map(|leg| leg.ends).collect();
    let mut labels = Labels::new(&view, &ground, people, routes);
    for region in scene.regions.iter().filter(|region| region.layer == layer) {
        labels.place(&region.name, &region.polygon);
    }
    for measurement in scene.measurements.iter().filter(|of| of.layer == layer) {
        match &measurement.place {
            MeasuredPlace::Line(ends) => labels.place_beside(&measurement.name, *ends),
            MeasuredPlace::Area { polygon, .. } => labels.place(&measurement.name, polygon),
        }
    }
    let mut measured = measures::draw_of_scene(scene, layer, &view);
    measured.extend(measures::draw(options, &view));
    figure.draw("measures", measured);
    figure.draw("labels", labels.into_items());
    let name = &scene.layers[usize::from(layer.0)].name;
    let subject = Subject {
        kind: "scene",
        people: here.len() as u64,
        layer: (scene.layers.len() > 1).then(|| name.clone()),
        notes,
        ..Subject::default()
    };
    Ok(Figure { page: figure.finish(), subject })
}

/// The floor that `options` name, or the first.
pub(crate) fn floor(
    scene: &Scene,
    options: &Options,
    notes: &mut Vec<String>,
) -> Result<LayerId, PlotError> {
    let names = scene.layers.iter().map(|layer| layer.name.as_str());
    if let Some(name) = &options.layer {
        return known_layer(name, names);
    }
    if scene.layers.len() > 1 {
        let others: Vec<&str> = names.skip(1).collect();
        notes.push(format!(
            "only the first floor is shown; others to name with --layer are {}",
            others.join(", ")
        ));
    }
    Ok(LayerId(0))
}

fn surroundings(scene: &Scene, layer: LayerId, people: usize, options: &Options) -> Surroundings {
    let group = |group: &throng::world::scene::Group| {
        Entry::new(Mark::Disc(Ink::solid(group.color)), group.name.clone())
    };
    let mut entries: Vec<Entry> = scene.groups.iter().map(group).collect();
    if scene.groups.iter().any(|group| !group.sources.is_empty()) {
        let (fill, rim) = source_look(MUTED);
        entries.push(Entry::new(Mark::Area { fill, rim }, "source"));
    }
    if !routes::points(scene, layer).is_empty() {
        entries.push(Entry::new(Mark::Ring(MUTED), "goal"));
    }
    if scene.measurements.iter().any(|measurement| measurement.layer == layer) {
        entries.push(Entry::new(Mark::Line(Stroke::solid(MEASURE, 1.8)), "measurement"));
    }
    let mut subtitle = vec![format!("{} at the start", counted(people as u64, "person", "people"))];
    match scene.expected_arrivals(scene.settings.duration) {
        0 => {}
        later => subtitle.push(format!("about {later} more within {} s", scene.settings.duration)),
    }
    if scene.layers.len() > 1 {
        subtitle.push(scene.layers[usize::from(layer.0)].name.clone());
    }
    Surroundings {
        title: options.title.clone().unwrap_or_else(|| scene.name.clone()),
        subtitle: subtitle.join(" · "),
        key: Key::Legend(entries),
        caption: String::new(),
    }
}

fn regions(scene: &Scene, layer: LayerId, view: &View) -> Vec<Item> {
    let here = scene.regions.iter().filter(|region| region.layer == layer);
    here.map(|region| {
        let lines = vec![view.outline(&region.polygon)];
        Path { lines, fill: Some(REGION_FILL), stroke: Some(REGION_RIM) }.into()
    })
    .collect()
}

/// Regions that people come from, in the colour of their group.
fn sources(scene: &Scene, layer: LayerId, view: &View) -> Vec<Item> {
    let mut drawn = BTreeSet::new();
    let mut items = Vec::new();
    for group in &scene.groups {
        for source in &group.sources {
            let region = &scene.regions[usize::from(source.region.0)];
            if region.layer == layer && drawn.insert((source.region, group.color)) {
                let (fill, rim) = source_look(Ink::solid(group.color));
                let lines = vec![view.outline(&region.polygon)];
                items.push(Path { lines, fill: Some(fill), stroke: Some(rim) }.into());
            }
        }
    }
    items
}

fn source_look(ink: Ink) -> (Ink, Stroke) {
    (ink.with_opacity(0.16), Stroke::solid(ink.with_opacity(0.8), 0.9))
}
