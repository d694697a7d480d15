//! All there is to draw of a scene but the people: the contents of the `scene` event.

use glam::{Vec2, Vec3};
use throng_base::Polygon;
use throng_crowd::{Crowd, LiveField};
use throng_world::scene::{FieldId, FieldSpec, LayerId, Led, MeasuredPlace};
use throng_world::{Obstacle, Plan, Scene, Shape};

use crate::ground::Grounds;
use crate::protocol::{
    self, Anchor, Connector, ConnectorKind, Field, Ground, Group, Interest, Layer, Measurement,
    Name, PlanArea, Point, Region, SceneContents, SuggestedView,
};

/// Returns what the `scene` event says of a scene. If it runs, `crowd` knows which obstacles are there and where
/// anchors point now. `grounds` caches surfaces.
pub(crate) fn of_scene(
    scene: &Scene,
    crowd: Option<&Crowd>,
    grounds: &mut Grounds,
) -> SceneContents {
    let here = |index: usize| {
        let obstacles = crowd.and_then(|crowd| crowd.obstacles().nth(index));
        obstacles.is_none_or(|(.., is_there)| is_there)
    };
    let grounds = grounds.of_layers(&scene.layers, scene.bounds);
    SceneContents {
        name: scene.name.clone(),
        description: scene.description.clone(),
        step: scene.settings.step,
        duration: scene.settings.duration,
        navigation: scene.settings.navigation,
        bounds: [shown(scene.bounds.min), shown(scene.bounds.max)],
        layers: (0..)
            .map(LayerId)
            .zip(&scene.layers)
            .zip(grounds)
            .map(|((id, floor), ground)| layer(id, floor, ground, scene))
            .collect(),
        connectors: scene.connectors.iter().map(|way| connector(way, &scene.layers)).collect(),
        obstacles: obstacles(&scene.obstacles, here),
        regions: scene.regions.iter().map(region).collect(),
        interests: scene.interests.iter().map(interest).collect(),
        fields: fields(scene, crowd),
        groups: scene.groups.iter().map(|one| group(one, scene)).collect(),
        measurements: scene.measurements.iter().map(measurement).collect(),
        cameras: cameras(scene),
    }
}

fn outline(polygon: &Polygon) -> protocol::Polygon {
    polygon.points().iter().map(|&point| shown(point)).collect()
}

/// Returns a point rounded to a tenth of a millimetre, which is shorter to write.
fn shown(point: Vec2) -> Point {
    Point(point.to_array().map(tidy))
}

fn tidy(number: f32) -> f64 {
    (f64::from(number) * 1e4).round() / 1e4
}

fn layer(id: LayerId, layer: &throng_world::Layer, ground: Option<Ground>, scene: &Scene) -> Layer {
    let plans = scene.obstacles.iter().filter(|obstacle| obstacle.layer == id);
    let mut plan = plans.filter_map(|obstacle| match &obstacle.shape {
        Shape::Plan(plan) => Some(walkable(plan)),
        _ => None,
    });
    let (name, elevation) = (layer.name.clone(), layer.elevation);
    Layer { name, elevation, ground, plan: plan.next_back() }
}

fn walkable(plan: &Plan) -> Vec<PlanArea> {
    let areas = plan.areas();
    let areas = areas.iter().map(|area| PlanArea {
        outline: area.outline().iter().copied().collect(),
        holes: area.holes().iter().map(|hole| hole.iter().copied().collect()).collect(),
    });
    areas.collect()
}

fn connector(connector: &throng_world::Connector, layers: &[throng_world::Layer]) -> Connector {
    Connector {
        name: connector.name.clone(),
        kind: match connector.kind {
            throng_world::ConnectorKind::Stairs => ConnectorKind::Stairs,
            throng_world::ConnectorKind::Ramp => ConnectorKind::Ramp,
        },
        polygon: outline(&connector.polygon),
        edges: [connector.lower_edge, connector.upper_edge],
        ends: connector.ends(layers),
        risers: connector.risers(layers),
        lower: connector.lower.0,
        upper: connector.upper.0,
    }
}

/// A file of polygons is one entry of the document and several obstacles of the scene.
fn obstacles(obstacles: &[Obstacle], here: impl Fn(usize) -> bool) -> Vec<protocol::Obstacle> {
    let (mut entries, mut last) = (0, None);
    let mut listed = Vec::new();
    for (index, obstacle) in obstacles.iter().enumerate() {
        if matches!(obstacle.shape, Shape::Border(_) | Shape::Plan(_)) {
            continue;
        }
        if last.replace(obstacle.span.start) != Some(obstacle.span.start) {
            entries += 1;
        }
        listed.push(protocol::Obstacle {
            index: entries - 1,
            name: obstacle.name.clone(),
            layer: obstacle.layer.0,
            height: obstacle.height,
            solids: obstacle.shape.solids().iter().map(outline).collect(),
            here: here(index),
        });
    }
    listed
}

fn region(region: &throng_world::scene::Region) -> Region {
    Region {
        name: region.name.clone(),
        layer: region.layer.0,
        polygon: outline(&region.polygon),
        tags: region.tags.clone(),
    }
}

fn interest(interest: &throng_world::scene::Interest) -> Interest {
    let degrees = |radians: f32| (f64::from(radians).to_degrees() * 100.0).round() / 100.0;
    let facing = interest.facing;
    Interest {
        name: interest.name.clone(),
        layer: interest.layer.0,
        position: shown(interest.position),
        height: tidy(interest.height),
        level: tidy(interest.level),
        reach: tidy(interest.reach),
        facing: facing.map(|(heading, _)| degrees(heading.radians())),
        field: facing.map(|(_, cosine)| degrees(2.0 * cosine.clamp(-1.0, 1.0).acos())),
    }
}

fn fields(scene: &Scene, crowd: Option<&Crowd>) -> Vec<Field> {
    let describe = |(id, spec)| match crowd {
        Some(crowd) => crowd.field(id).map(|live| field(spec, live, scene)),
        None => LiveField::of_scene(scene, id, 0.0).ok().map(|live| field(spec, &live, scene)),
    };
    (0..).map(FieldId).zip(&scene.fields).filter_map(describe).collect()
}

fn field(spec: &FieldSpec, live: &LiveField, scene: &Scene) -> Field {
    let residuals = live.field().map(|field| field.residuals()).unwrap_or_default();
    let ids: Vec<usize> = match live.editor() {
        Some(editor) => editor.anchors().map(|(id, _)| id.0 as usize).collect(),
        None => (0..spec.anchors.len()).collect(),
    };
    let anchors = live.anchors();
    let anchors = anchors.iter().zip(ids).enumerate().map(|(i, ((name, anchor), id))| Anchor {
        index: (id < spec.anchors.len()).then_some(id),
        name: name.map(Into::into),
        at: anchor.position.into(),
        velocity: anchor.vector.into(),
        met: live.field().map_or(anchor.vector, |f| f.velocity(anchor.position)).into(),
        residual: residuals.get(i).copied().unwrap_or(0.0),
        reach: anchor.reach,
    });
    Field {
        name: spec.name.clone(),
        layer: spec.layer.0,
        region: spec.region.map(|id| scene.regions[id.0 as usize].name.clone()),
        editable: live.editor().is_some(),
        anchors: anchors.collect(),
        remarks: remarks(live),
    }
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

fn group(group: &throng_world::scene::Group, scene: &Scene) -> Group {
    let [r, g, b] = group.color;
    let names =
        |led: &Led| led.by.iter().map(|id| scene.fields[id.0 as usize].name.clone()).collect();
    Group {
        name: group.name.clone(),
        color: format!("#{r:02x}{g:02x}{b:02x}"),
        species: Name(group.species),
        model: group.steering.model.clone(),
        max_speed: tidy(group.top_speed()),
        led: group.led.as_ref().map(names).unwrap_or_default(),
        share: group.led.as_ref().map(|led| led.share.typical()),
    }
}

/// Views that the scene suggests, with heights above zero.
fn cameras(scene: &Scene) -> Vec<SuggestedView> {
    let suggested = scene.evaluation.as_ref().map_or(&[][..], |evaluation| &evaluation.cameras);
    let place = |at: Vec3| {
        let ground = scene.layers.first().map_or(0.0, |layer| layer.height(at.truncate()));
        let Point([x, y]) = shown(at.truncate());
        [x, y, f64::from(ground + at.z)]
    };
    let views = suggested.iter().map(|camera| SuggestedView {
        position: place(camera.position),
        look_at: place(camera.look_at),
        field: camera.field_of_view,
    });
    views.collect()
}

fn measurement(measurement: &throng_world::scene::Measurement) -> Measurement {
    let (line, area) = match &measurement.place {
        MeasuredPlace::Line(ends) => (Some(ends.map(Point::from)), None),
        MeasuredPlace::Area { polygon, .. } => (None, Some(outline(polygon))),
    };
    Measurement { name: measurement.name.clone(), layer: measurement.layer.0, line, area }
}
