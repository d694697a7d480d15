//! What people find ways by: the corridor map of a floor, and some ways through it.

mod axis;
mod ways;

use throng::Scene;
use throng::world::scene::LayerId;
use throng_nav::{CorridorMap, MapRules};

use self::axis::Axis;
use self::ways::Ways;
use crate::colour::ColourMap;
use crate::excerpt::Excerpt;
use crate::figure::{Figure, Subject};
use crate::ground::Ground;
use crate::labels::Labels;
use crate::layout::{ColourBar, Key, Surroundings};
use crate::map::{MapFigure, View};
use crate::options::{Kind, Options};
use crate::{PlotError, measures};

/// Draws the ways of the scene that was recorded.
pub(crate) fn plot_recorded(excerpt: &mut Excerpt, options: &Options) -> Result<Figure, PlotError> {
    let notes = std::mem::take(&mut excerpt.notes);
    let scene = excerpt.scene_for("a map of ways")?;
    plot(scene, excerpt.layer, notes, options)
}

/// Draws the ways on one floor of a scene.
pub(crate) fn plot(
    scene: &Scene,
    layer: LayerId,
    mut notes: Vec<String>,
    options: &Options,
) -> Result<Figure, PlotError> {
    let map = CorridorMap::of_scene(scene, &MapRules::of_scene(scene))?;
    let blocked = map.blocked_connectors().iter();
    notes.extend(
        blocked.map(|name| {
            format!("\"{name}\" is no way: something stands on it, or it is too narrow")
        }),
    );
    let ground = Ground::of_scene(scene, layer);
    let ways = Ways::find(scene, &map, layer, options, &mut notes)?;
    let axis = Axis::of_floor(&map, layer, View::new(ground.bounds).scale);

    let mut figure = MapFigure::new(&ground, surroundings(scene, layer, &axis, &ways, options));
    let view = figure.view;
    figure.draw_connectors(&ground);
    figure.draw("corridor", ways.draw_corridor(&view));
    figure.draw("discs", axis.draw_discs(&view));
    figure.draw_obstacles(&ground);
    figure.draw("axis", axis.draw(&view));
    figure.draw("gates", axis.draw_gates(&view));
    figure.draw("ways", ways.draw(&view));
    figure.draw("passages", axis.draw_passages(&view));
    figure.draw("measures", measures::draw(options, &view));
    let lines = axis.lines(&view).into_iter().chain(ways.lines(&view)).collect();
    let mut labels = Labels::new(&view, &ground, std::iter::empty(), lines);
    for gate in &axis.gates {
        labels.place_beside_crossed(&gate.label(), gate.ends);
    }
    figure.draw("labels", labels.into_items());
    let name = &scene.layers[usize::from(layer.0)].name;
    let subject = Subject {
        kind: Kind::Nav.name(),
        layer: (scene.layers.len() > 1).then(|| name.clone()),
        notes,
        no_way: ways.reason,
        ..Subject::default()
    };
    Ok(Figure { page: figure.finish(), subject })
}

fn surroundings(
    scene: &Scene,
    layer: LayerId,
    axis: &Axis,
    ways: &Ways,
    options: &Options,
) -> Surroundings {
    let mut subtitle = "Ways and their clearance".to_owned();
    if scene.layers.len() > 1 {
        subtitle += &format!(" · {}", scene.layers[usize::from(layer.0)].name);
    }
    let bar = ColourBar {
        map: ColourMap::CLEARANCE,
        label: "Distance to walls (m)".into(),
        ends: [0.0, axis.top.value],
        open_ended: axis.top.is_exceeded,
    };
    let mut entries = axis.legend();
    entries.extend(ways.legend());
    Surroundings {
        title: options.title.clone().unwrap_or_else(|| scene.name.clone()),
        subtitle,
        key: Key::Both(bar, entries),
        caption: ways.caption(),
    }
}
