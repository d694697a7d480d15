//! A plan as a scene that can be read, edited and run: a scene file, and beside it for each floor its
//! outline as well-known text and its heights as an image.

use std::fmt::Write;

use glam::DVec2;

use super::joints::Joint;
use super::plan::Plan;
use crate::plan::to_wkt;
use crate::scene::{FORMAT_VERSION, quoted};
use crate::walkable::Area;
use crate::{ConnectorKind, Terrain};

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
        let (min, max) = (self.bounds().min.as_dvec2(), self.bounds().max.as_dvec2());
        let mut scene = format!(
            "# Floors, stairs and ramps found in geometry. Add people, and change what you like.\n\
             format = {FORMAT_VERSION}\n\
             name = {}\n\
             description = {}\n\n\
             [world]\n\
             bounds = [{}, {}]\n",
            quoted(title),
            quoted(origin),
            point(min),
            point(max)
        );
        let mut others = Vec::new();
        // Writing to a string does not fail.
        for (number, floor) in self.floors.iter().enumerate() {
            let (name, elevation) = (floor_name(number), floor.elevation);
            let plan = format!("{stem}.floor-{number}.wkt");
            let _ = write!(
                scene,
                "\n[[layers]]\nname = {}\nelevation = {elevation}\nplan = {}\n",
                quoted(&name),
                quoted(&plan)
            );
            others.push((plan, (to_wkt(&rounded(&floor.footprint)) + "\n").into_bytes()));
            if let Terrain::Heightfield(field) = &floor.terrain {
                let (image, [low, high]) = field.to_heightmap()?;
                let file = format!("{stem}.floor-{number}.png");
                let shown = quoted(&file);
                let _ = writeln!(
                    scene,
                    "terrain = {{ heightmap = {shown}, low = {low}, high = {high} }}"
                );
                others.push((file, image));
            }
        }
        let mut counts = [0; 2];
        for joint in &self.joints {
            let (kind, count) = match joint.kind {
                ConnectorKind::Stairs => ("stairs", &mut counts[0]),
                ConnectorKind::Ramp => ("ramp", &mut counts[1]),
            };
            *count += 1;
            connector(&mut scene, joint, kind, *count);
        }
        Ok(SceneFiles { scene, others })
    }
}

/// The name of a floor in a scene.
pub(super) fn floor_name(number: usize) -> String {
    format!("floor {number}")
}

fn connector(scene: &mut String, joint: &Joint, kind: &str, number: usize) {
    let [a, b, c, d] = joint.corners.map(point);
    let [lower, upper] = [joint.lower, joint.upper].map(|floor| quoted(&floor_name(floor)));
    // Writing to a string does not fail.
    let _ = write!(
        scene,
        "\n[[connectors]]\n\
         name = \"{kind} {number}\"\n\
         kind = \"{kind}\"\n\
         polygon = [{a}, {b}, {c}, {d}]\n\
         lower = {{ layer = {lower}, edge = [{a}, {b}] }}\n\
         upper = {{ layer = {upper}, edge = [{c}, {d}] }}\n"
    );
}

/// To a tenth of a millimetre: nothing is known more closely, and files stay short.
fn round(point: DVec2) -> DVec2 {
    // No negative zeros.
    (point * 1e4).round() / 1e4 + 0.0
}

fn point(at: DVec2) -> String {
    let at = round(at);
    format!("[{}, {}]", at.x, at.y)
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
