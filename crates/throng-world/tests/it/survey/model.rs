//! Models of places, made of triangles by code.

use std::fmt::Write;

use glam::{Vec2, Vec3};
use throng_base::frame::{ground_to_world, world_to_ground};
use throng_world::TriangleSoup;

/// Triangles in the making. Coordinates are those of the ground: x, y in plan and z up.
#[derive(Clone, Default)]
pub struct Model {
    pub soup: TriangleSoup,
}

impl Model {
    /// A polygon, counter-clockwise seen from the side it faces.
    pub fn face(&mut self, corners: &[[f32; 3]]) {
        let first = self.soup.vertices.len() as u32;
        let place = |[x, y, z]: &[f32; 3]| ground_to_world(Vec2::new(*x, *y), *z);
        self.soup.vertices.extend(corners.iter().map(place));
        let fan = (1..corners.len() as u32 - 1).map(|i| [first, first + i, first + i + 1]);
        self.soup.triangles.extend(fan);
    }

    /// A level rectangle without thickness that faces up.
    pub fn sheet(&mut self, [x0, y0]: [f32; 2], [x1, y1]: [f32; 2], z: f32) {
        self.face(&[[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]]);
    }

    /// A solid between a floor plan, counter-clockwise, and the same moved up.
    pub fn prism(&mut self, outline: &[[f32; 2]], low: f32, high: impl Fn([f32; 2]) -> f32) {
        let bottom: Vec<_> = outline.iter().rev().map(|&[x, y]| [x, y, low]).collect();
        let top: Vec<_> = outline.iter().map(|&[x, y]| [x, y, high([x, y])]).collect();
        self.face(&bottom);
        self.face(&top);
        for i in 0..outline.len() {
            let j = (i + 1) % outline.len();
            let ([ax, ay], [bx, by]) = (outline[i], outline[j]);
            self.face(&[[ax, ay, low], [bx, by, low], top[j], top[i]]);
        }
    }

    /// A box.
    pub fn solid(&mut self, [x0, y0, z0]: [f32; 3], [x1, y1, z1]: [f32; 3]) {
        self.prism(&[[x0, y0], [x1, y0], [x1, y1], [x0, y1]], z0, |_| z1);
    }

    /// Stairs of solid steps from `from` along +x, `rise` high, up to the last step's end. Each step
    /// is a block that stands on `base`.
    pub fn stairs(
        &mut self,
        from: [f32; 3],
        width: f32,
        treads: usize,
        tread: f32,
        riser: f32,
        base: f32,
    ) {
        let [x, y, z] = from;
        for i in 0..treads {
            let (near, far) = (x + i as f32 * tread, x + (i + 1) as f32 * tread);
            let top = z + (i + 1) as f32 * riser;
            self.solid([near, y, base], [far, y + width, top]);
        }
    }

    /// Four walls around a rectangle, outside of it.
    #[allow(dead_code, reason = "the example has doors in its walls")]
    pub fn walls(
        &mut self,
        [x0, y0]: [f32; 2],
        [x1, y1]: [f32; 2],
        z: f32,
        height: f32,
        thick: f32,
    ) {
        let top = z + height;
        self.solid([x0 - thick, y0 - thick, z], [x1 + thick, y0, top]);
        self.solid([x0 - thick, y1, z], [x1 + thick, y1 + thick, top]);
        self.solid([x0 - thick, y0, z], [x0, y1, top]);
        self.solid([x1, y0, z], [x1 + thick, y1, top]);
    }

    /// Adds all of another model.
    pub fn add(&mut self, other: Self) {
        let first = self.soup.vertices.len() as u32;
        self.soup.vertices.extend(other.soup.vertices);
        let triangles = other.soup.triangles.into_iter();
        self.soup.triangles.extend(triangles.map(|corners| corners.map(|index| index + first)));
    }

    /// The same, turned about the origin and moved.
    pub fn moved(mut self, degrees: f32, by: Vec3) -> Self {
        let turn = Vec2::from_angle(degrees.to_radians());
        for vertex in &mut self.soup.vertices {
            let (ground, height) = world_to_ground(*vertex);
            *vertex = ground_to_world(turn.rotate(ground) + by.truncate(), height + by.z);
        }
        self
    }

    /// The model as a Wavefront OBJ file with y up.
    #[allow(dead_code, reason = "only the example writes files")]
    pub fn to_obj(&self) -> String {
        let mut text = String::new();
        for v in &self.soup.vertices {
            // Writing to a string does not fail.
            let _ = writeln!(text, "v {} {} {}", round(v.x), round(v.y), round(v.z));
        }
        for [a, b, c] in &self.soup.triangles {
            let _ = writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1);
        }
        text
    }
}

/// To a tenth of a millimetre, and no -0.
fn round(coordinate: f32) -> f32 {
    (coordinate * 1e4).round() / 1e4 + 0.0
}
