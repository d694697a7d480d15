//! All there is to draw of a scene but the people: the `scene` event.

use glam::{DVec2, Vec2, Vec3};
use serde_json::{Value as Json, json};
use throng_base::{Bounds, Polygon};
use throng_crowd::{Crowd, LiveField};
use throng_world::scene::{
    FieldSpec, Group, Interest, LayerId, MeasuredPlace, Measurement, Region,
};
use throng_world::{Connector, ConnectorKind, Layer, Obstacle, Plan, Scene, Shape};

use crate::ground::Grounds;

/// What the `scene` event says of a scene. If it runs, `crowd` knows which obstacles are there and where
/// arrows point now. `grounds` remembers what was told before.
pub(crate) fn of_scene(scene: &Scene, crowd: Option<&Crowd>, grounds: &mut Grounds) -> Json {
    let here = |index: usize| {
        let obstacles = crowd.and_then(|crowd| crowd.obstacles().nth(index));
        obstacles.is_none_or(|(.., is_there)| is_there)
    };
    let grounds = grounds.of_layers(&scene.layers, scene.bounds);
    json!({
        "name": scene.name,
        "description": scene.description,
        "step": scene.settings.step,
        "duration": scene.settings.duration,
        "navigation": scene.settings.navigation,
        "bounds": corners(scene.bounds),
        "layers": (0..).map(LayerId).zip(&scene.layers).zip(grounds)
            .map(|((id, floor), ground)| layer(id, floor, &ground, scene)).collect::<Vec<_>>(),
        "connectors": scene.connectors.iter()
            .map(|way| connector(way, &scene.layers)).collect::<Vec<_>>(),
        "obstacles": obstacles(&scene.obstacles, here),
        "regions": scene.regions.iter().map(region).collect::<Vec<_>>(),
        "interests": scene.interests.iter().map(interest).collect::<Vec<_>>(),
        "fields": fields(scene, crowd),
        "groups": scene.groups.iter().map(|one| group(one, scene)).collect::<Vec<_>>(),
        "cameras": cameras(scene),
        "measurements": scene.measurements.iter().map(measurement).collect::<Vec<_>>(),
    })
}

fn corners(bounds: Bounds) -> Json {
    json!([shown(bounds.min), shown(bounds.max)])
}

fn outline(polygon: &Polygon) -> Json {
    json!(polygon.points().iter().map(|&point| shown(point)).collect::<Vec<_>>())
}

/// A point to a tenth of a millimetre: more cannot be seen, and is long to write.
fn shown(point: Vec2) -> [f64; 2] {
    point.as_dvec2().to_array().map(|x| (x * 1e4).round() / 1e4)
}

fn layer(id: LayerId, layer: &Layer, ground: &Json, scene: &Scene) -> Json {
    let plans = scene.obstacles.iter().filter(|obstacle| obstacle.layer == id);
    let mut plan = plans.filter_map(|obstacle| match &obstacle.shape {
        Shape::Plan(plan) => Some(walkable(plan)),
        _ => None,
    });
    json!({
        "name": layer.name,
        "elevation": layer.elevation,
        "ground": ground,
        "plan": plan.next_back(),
    })
}

fn walkable(plan: &Plan) -> Json {
    let ring = |ring: &[DVec2]| json!(ring.iter().map(DVec2::to_array).collect::<Vec<_>>());
    let areas = plan.areas();
    let areas = areas.iter().map(|area| {
        let holes: Vec<Json> = area.holes().iter().map(|hole| ring(hole)).collect();
        json!({ "outline": ring(area.outline()), "holes": holes })
    });
    areas.collect()
}

fn connector(connector: &Connector, layers: &[Layer]) -> Json {
    json!({
        "name": connector.name,
        "kind": match connector.kind {
            ConnectorKind::Stairs => "stairs",
            ConnectorKind::Ramp => "ramp",
        },
        "polygon": outline(&connector.polygon),
        "edges": [connector.lower_edge, connector.upper_edge],
        "ends": connector.ends(layers),
        "risers": connector.risers(layers),
        "lower": connector.lower.0,
        "upper": connector.upper.0,
    })
}

/// A file of polygons is one entry of the document and several obstacles of the scene.
fn obstacles(obstacles: &[Obstacle], here: impl Fn(usize) -> bool) -> Vec<Json> {
    let (mut entry, mut last) = (None, None);
    let mut listed = Vec::new();
    for (index, obstacle) in obstacles.iter().enumerate() {
        if matches!(obstacle.shape, Shape::Border(_) | Shape::Plan(_)) {
            continue;
        }
        if last.replace(obstacle.span.start) != Some(obstacle.span.start) {
            entry = Some(entry.map_or(0, |entry| entry + 1));
        }
        listed.push(json!({
            "index": entry,
            "name": obstacle.name,
            "layer": obstacle.layer.0,
            "height": obstacle.height,
            "solids": obstacle.shape.solids().iter().map(outline).collect::<Vec<_>>(),
            "here": here(index),
        }));
    }
    listed
}

fn region(region: &Region) -> Json {
    json!({
        "name": region.name,
        "layer": region.layer.0,
        "polygon": outline(&region.polygon),
        "tags": region.tags,
    })
}

fn interest(interest: &Interest) -> Json {
    let tidy = |x: f32| (f64::from(x) * 1e4).round() / 1e4;
    let degrees = |radians: f32| (f64::from(radians).to_degrees() * 100.0).round() / 100.0;
    let facing = interest.facing;
    json!({
        "name": interest.name,
        "layer": interest.layer.0,
        "position": shown(interest.position),
        "height": tidy(interest.height),
        "level": tidy(interest.level),
        "reach": tidy(interest.reach),
        "facing": facing.map(|(heading, _)| degrees(heading.radians())),
        "field": facing.map(|(_, cosine)| degrees(2.0 * cosine.clamp(-1.0, 1.0).acos())),
    })
}

fn fields(scene: &Scene, crowd: Option<&Crowd>) -> Vec<Json> {
    let ids = (0..).map(throng_world::scene::FieldId);
    let describe = |(id, spec)| match crowd {
        Some(crowd) => crowd.field(id).map(|live| field(spec, live, scene)),
        None => LiveField::of_scene(scene, id, 0.0).ok().map(|live| field(spec, &live, scene)),
    };
    ids.zip(&scene.fields).filter_map(describe).collect()
}

fn field(spec: &FieldSpec, live: &LiveField, scene: &Scene) -> Json {
    let residuals = live.field().map(|field| field.residuals()).unwrap_or_default();
    let ids: Vec<usize> = match live.editor() {
        Some(editor) => editor.anchors().map(|(id, _)| id.0 as usize).collect(),
        None => (0..spec.anchors.len()).collect(),
    };
    let anchors = live.anchors();
    let anchors = anchors.iter().zip(ids).enumerate().map(|(i, ((name, anchor), id))| {
        json!({
            "index": (id < spec.anchors.len()).then_some(id),
            "name": name,
            "at": anchor.position.to_array(),
            "velocity": anchor.vector.to_array(),
            "met": live.field().map_or(anchor.vector, |f| f.velocity(anchor.position)).to_array(),
            "residual": residuals.get(i).copied().unwrap_or(0.0),
            "reach": anchor.reach,
        })
    });
    json!({
        "name": spec.name,
        "layer": spec.layer.0,
        "region": spec.region.map(|id| &scene.regions[id.0 as usize].name),
        "editable": live.editor().is_some(),
        "anchors": anchors.collect::<Vec<_>>(),
        "remarks": remarks(live),
    })
}

/// What an author should know about a field.
fn remarks(live: &LiveField) -> Vec<String> {
    let Some(field) = live.field() else { return Vec::new() };
    let missed = field.residuals().into_iter().filter(|residual| *residual > 0.05).count();
    let mut remarks = Vec::new();
    if missed > 0 {
        remarks
            .push(format!("{missed} arrows contradict their neighbours and are met in part only"));
    }
    remarks
}

fn group(group: &Group, scene: &Scene) -> Json {
    let [r, g, b] = group.color;
    let names = |led: &throng_world::scene::Led| {
        led.by.iter().map(|id| scene.fields[id.0 as usize].name.clone()).collect::<Vec<_>>()
    };
    json!({
        "name": group.name,
        "color": format!("#{r:02x}{g:02x}{b:02x}"),
        "species": group.species.name(),
        "model": group.steering.model,
        "max_speed": (f64::from(group.top_speed()) * 1e4).round() / 1e4,
        "led": group.led.as_ref().map(names).unwrap_or_default(),
        "share": group.led.as_ref().map(|led| led.share.typical()),
    })
}

/// Views that the scene suggests, with heights above zero.
fn cameras(scene: &Scene) -> Vec<Json> {
    let suggested = scene.evaluation.as_ref().map_or(&[][..], |evaluation| &evaluation.cameras);
    let place = |at: Vec3| {
        let ground = scene.layers.first().map_or(0.0, |layer| layer.height(at.truncate()));
        let [x, y] = shown(at.truncate());
        [x, y, f64::from(ground + at.z)]
    };
    let told = suggested.iter().map(|camera| {
        json!({
            "position": place(camera.position),
            "look_at": place(camera.look_at),
            "field": camera.field_of_view,
        })
    });
    told.collect()
}

fn measurement(measurement: &Measurement) -> Json {
    let (name, layer) = (&measurement.name, measurement.layer.0);
    match &measurement.place {
        MeasuredPlace::Line(ends) => {
            json!({ "name": name, "layer": layer, "line": ends.map(|end| end.to_array()) })
        }
        MeasuredPlace::Area { polygon, .. } => {
            json!({ "name": name, "layer": layer, "area": outline(polygon) })
        }
    }
}
