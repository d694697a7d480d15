//! A plan as a scene that can be read, edited and run: a scene file, and beside it for each floor its
//! outline as well-known text and its heights as an image.

use glam::DVec2;

use super::joints::Joint;
use super::plan::Plan;
use crate::plan::to_wkt;
use crate::scene::file::{
    self, Connector, Landing, Layer, Point, SceneFile, at, decimal, given, list,
};
use crate::walkable::Area;
use crate::{ConnectorKind, Terrain};

/// The first line of the scene file.
const HEAD: &str =
    "# Floors, stairs and ramps found in geometry. Add people, and change what you like.\n";

/// The files of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneFiles {
    /// The scene itself.
    pub scene: String,
    /// The files it names, which belong beside it, and their contents.
    pub others: Vec<(String, Vec<u8>)>,
}

impl Plan {
    /// The plan as a scene without people. `title` is the scene's name, `origin` says what it was
    /// surveyed from, and the names of other files begin with `stem`.
    ///
    /// # Errors
    ///
    /// If the heights of a floor cannot be made an image.
    pub fn to_scene(&self, title: &str, origin: &str, stem: &str) -> Result<SceneFiles, String> {
        let mut others = Vec::new();
        let mut scene =
            SceneFile::new([self.bounds().min, self.bounds().max].map(|at| point(at.as_dvec2())));
        scene.name = given(title);
        scene.description = given(origin);
        for (number, floor) in self.floors.iter().enumerate() {
            let plan = format!("{stem}.floor-{number}.wkt");
            let mut layer = Layer {
                name: at(floor_name(number)),
                elevation: given(decimal(floor.elevation)),
                plan: given(plan.as_str()),
                ..Layer::default()
            };
            others.push((plan, (to_wkt(&rounded(&floor.footprint)) + "\n").into_bytes()));
            if let Terrain::Heightfield(field) = &floor.terrain {
                let (image, [low, high]) = field.to_heightmap()?;
                let file = format!("{stem}.floor-{number}.png");
                layer.terrain = given(file::Terrain {
                    heightmap: given(file.as_str()),
                    low: given(decimal(low)),
                    high: given(decimal(high)),
                    mesh: None,
                });
                others.push((file, image));
            }
            scene.layers.push(at(layer));
        }
        let mut counts = [0; ConnectorKind::ALL.len()];
        for joint in &self.joints {
            let count = &mut counts[joint.kind as usize];
            *count += 1;
            let name = format!("{} {count}", joint.kind.name());
            scene.connectors.push(at(connector(joint, name)));
        }
        Ok(SceneFiles { scene: HEAD.to_owned() + &scene.to_toml(), others })
    }
}

/// The name of a floor in a scene.
pub(super) fn floor_name(number: usize) -> String {
    format!("floor {number}")
}

fn connector(joint: &Joint, name: String) -> Connector {
    let [a, b, c, d] = joint.corners.map(point);
    let landing = |floor, edge| Landing { layer: at(floor_name(floor)), edge: at(edge) };
    Connector {
        name: at(name),
        kind: at(joint.kind),
        polygon: at(list([a, b, c, d])),
        lower: at(landing(joint.lower, [a, b])),
        upper: at(landing(joint.upper, [c, d])),
        steps: None,
        speed_factor: None,
    }
}

/// To a tenth of a millimetre: nothing is known more closely, and files stay short.
fn round(point: DVec2) -> DVec2 {
    // No negative zeros.
    (point * 1e4).round() / 1e4 + 0.0
}

fn point(at: DVec2) -> Point {
    round(at).into()
}

/// Areas with rounded corners.
fn rounded(areas: &[Area]) -> Vec<Area> {
    let ring = |ring: &[DVec2]| {
        let mut points: Vec<DVec2> = ring.iter().copied().map(round).collect();
        points.dedup();
        points
    };
    let area = |area: &Area| {
        let holes = area.holes().iter().map(|hole| ring(hole)).collect();
        Area::new(ring(area.outline()), holes).ok()
    };
    areas.iter().filter_map(area).collect()
}
