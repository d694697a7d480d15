//! A small software rasteriser: triangles with smooth shading into a picture, on any machine.
//!
//! Orthographic, with a depth buffer and three by three samples per pixel. Light comes from the
//! camera's upper left and a little from everywhere above.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use glam::{Vec2, Vec3};

/// Samples along each side of a pixel.
const SAMPLES: usize = 3;

/// A picture being drawn.
pub struct Picture {
    width: usize,
    height: usize,
    /// Linear colours and depths of all samples.
    colours: Vec<Vec3>,
    depths: Vec<f32>,
}

/// Where the picture looks from: along the horizontal, from `yaw` radians left of the front.
#[derive(Clone, Copy)]
pub struct View {
    /// Turn of the camera about the vertical; 0 looks at the face of a body, a quarter turn at its left.
    pub yaw: f32,
    /// How far the camera looks down.
    pub pitch: f32,
    /// What is drawn at `at`.
    pub target: Vec3,
    /// Pixel of the target.
    pub at: Vec2,
    /// Pixels per metre.
    pub scale: f32,
    /// Nothing is drawn farther from `at` than this, in pixels.
    pub reach: Vec2,
}

impl Picture {
    /// An empty picture of one colour.
    pub fn new(width: usize, height: usize, background: Vec3) -> Self {
        let samples = width * height * SAMPLES * SAMPLES;
        Self {
            width,
            height,
            colours: vec![background; samples],
            depths: vec![f32::NEG_INFINITY; samples],
        }
    }

    /// Draws triangles of one colour.
    pub fn draw(
        &mut self,
        view: &View,
        positions: &[Vec3],
        normals: &[Vec3],
        triangles: &[[u32; 3]],
        colour: Vec3,
    ) {
        for triangle in triangles {
            let corners = triangle.map(|vertex| view.project(positions[vertex as usize]));
            let shades = triangle.map(|vertex| shade(view.turn(normals[vertex as usize])));
            self.triangle(view, corners, shades, colour);
        }
    }

    fn triangle(&mut self, view: &View, corners: [Vec3; 3], shades: [f32; 3], colour: Vec3) {
        let [a, b, c] = corners.map(|corner| corner.truncate() * SAMPLES as f32);
        let area = (b - a).perp_dot(c - a);
        // Seen from behind: pixels run downwards, so outsides turn clockwise.
        if area >= 0.0 {
            return;
        }
        let (wide, high) = (self.width * SAMPLES, self.height * SAMPLES);
        let size = Vec2::new(wide as f32, high as f32);
        let first = ((view.at - view.reach) * SAMPLES as f32).max(Vec2::ZERO);
        let last = ((view.at + view.reach) * SAMPLES as f32).min(size);
        let low = a.min(b).min(c).floor().max(first);
        let top = a.max(b).max(c).ceil().min(last);
        for y in low.y as usize..top.y as usize {
            for x in low.x as usize..top.x as usize {
                let p = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                let weights = [
                    (c - b).perp_dot(p - b) / area,
                    (a - c).perp_dot(p - c) / area,
                    (b - a).perp_dot(p - a) / area,
                ];
                if weights.iter().any(|weight| *weight < 0.0) {
                    continue;
                }
                let blend = |values: [f32; 3]| (0..3).map(|i| weights[i] * values[i]).sum::<f32>();
                let depth = blend(corners.map(|corner| corner.z));
                let sample = y * wide + x;
                if depth > self.depths[sample] {
                    self.depths[sample] = depth;
                    self.colours[sample] = colour * blend(shades);
                }
            }
        }
    }

    /// Writes the picture as a PNG file.
    pub fn save(&self, path: &Path) -> Result<(), Box<dyn std::error::Error>> {
        let file = BufWriter::new(File::create(path)?);
        let mut encoder = png::Encoder::new(file, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        encoder.write_header()?.write_image_data(&self.bytes())?;
        Ok(())
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(3 * self.width * self.height);
        for y in 0..self.height {
            for x in 0..self.width {
                let mut sum = Vec3::ZERO;
                for sample in 0..SAMPLES * SAMPLES {
                    let (i, j) = (x * SAMPLES + sample % SAMPLES, y * SAMPLES + sample / SAMPLES);
                    sum += self.colours[j * self.width * SAMPLES + i];
                }
                let linear = sum / (SAMPLES * SAMPLES) as f32;
                bytes.extend(linear.to_array().map(|channel| {
                    (channel.clamp(0.0, 1.0).powf(1.0 / 2.2) * 255.0).round() as u8
                }));
            }
        }
        bytes
    }
}

impl View {
    /// A whole body that stands at the pixel `at`.
    pub fn of_body(yaw: f32, at: Vec2, scale: f32) -> Self {
        Self { yaw, pitch: 0.06, target: Vec3::ZERO, at, scale, reach: Vec2::INFINITY }
    }

    /// Body space to camera space: x to the right, y up, z towards the camera.
    fn turn(&self, v: Vec3) -> Vec3 {
        let (sin, cos) = self.yaw.sin_cos();
        let side = Vec3::new(v.x * cos - v.z * sin, v.y, v.x * sin + v.z * cos);
        let (sin, cos) = self.pitch.sin_cos();
        Vec3::new(side.x, side.y * cos - side.z * sin, side.y * sin + side.z * cos)
    }

    /// Pixels, with depth towards the camera as the third coordinate.
    fn project(&self, point: Vec3) -> Vec3 {
        let at = self.turn(point - self.target) * self.scale;
        Vec3::new(self.at.x + at.x, self.at.y - at.y, at.z)
    }
}

fn shade(normal: Vec3) -> f32 {
    let key = normal.dot(Vec3::new(-0.45, 0.65, 0.62).normalize()).max(0.0);
    let rim = normal.dot(Vec3::new(0.9, 0.2, 0.1).normalize()).max(0.0);
    0.75 * key + 0.12 * rim + 0.17 + 0.1 * normal.y
}
