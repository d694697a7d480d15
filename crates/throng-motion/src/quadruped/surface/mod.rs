//! The surface of an animal, bound to its skeleton.
//!
//! Trunk, neck and head are one tube of cross-sections from the rump to the nose. Legs, tail, mane,
//! ears and eyes are closed surfaces of their own, whose upper ends lie inside of the trunk: haunches
//! and shoulders stand out from it as muscles do, and slide over it when the legs swing. As with
//! people, the left half is made and mirrored.

mod features;
mod legs;
mod trunk;

use glam::{Affine3A, Vec3};

use super::body::Quadruped;
use crate::mesh::surface::{Chain, HalfSurface, bind};
use crate::mesh::{Binding, Detail, Mesh, Region};
use crate::skeleton::JointId;

impl Mesh {
    /// The surface of an animal: at most 1,500 triangles at full detail, 610 at medium and
    /// 310 at low.
    ///
    /// Regions are those of people, used as [`Coat`](crate::quadruped::Coat) says.
    pub fn animal(animal: &Quadruped, detail: Detail) -> Self {
        let skeleton = animal.skeleton();
        // No joint is turned at rest.
        let inverse_bind = (0..skeleton.len())
            .map(|joint| Affine3A::from_translation(-animal.at(JointId::new(joint))))
            .collect();
        let mut making = Making { animal, detail, surface: HalfSurface::default() };
        trunk::build(&mut making);
        legs::build(&mut making);
        features::build(&mut making);
        making.surface.mirrored(skeleton, inverse_bind)
    }
}

/// A surface under construction.
struct Making<'q> {
    animal: &'q Quadruped,
    detail: Detail,
    surface: HalfSurface,
}

/// A cross-section of something that lies in the middle plane.
#[derive(Clone, Copy, Debug)]
struct Section {
    centre: Vec3,
    /// How far the line through the centres rises here, in radians.
    rise: f32,
    /// How far it reaches up, down and to the side, in metres.
    up: f32,
    down: f32,
    side: f32,
    /// 2 for ellipses; more is squarer.
    square: f32,
    binding: Binding,
    /// Whether it is left out at medium and at low detail.
    fine: [bool; 2],
}

impl Section {
    /// The point `angle` degrees from below towards the left.
    fn point(&self, angle: f32) -> Vec3 {
        let (sin, cos) = angle.to_radians().sin_cos();
        let power = 2.0 / self.square;
        let (rise_sin, rise_cos) = self.rise.sin_cos();
        let below = Vec3::new(0.0, -rise_cos, rise_sin);
        let depth = if cos > 0.0 { self.down } else { self.up };
        let aside = self.side * sin.max(0.0).powf(power);
        self.centre + depth * cos.signum() * cos.abs().powf(power) * below + aside * Vec3::X
    }
}

impl Making<'_> {
    fn w(&self) -> f32 {
        self.animal.proportions().shoulder_height
    }

    fn at(&self, joint: JointId) -> Vec3 {
        self.animal.at(joint)
    }

    /// A place in the head: aside, along the face from the joint that carries it, and up from the
    /// face, in lengths of the head.
    fn in_head(&self, aside: f32, along: f32, up: f32) -> Vec3 {
        let bones = self.animal.proportions();
        let (sin, cos) = bones.head_drop.sin_cos();
        let flat = along * Vec3::new(0.0, -sin, cos) + up * Vec3::new(0.0, cos, sin);
        self.at(self.animal.head()) + bones.head * (flat + aside * Vec3::X)
    }

    /// A closed surface through sections, from a point behind the first to one ahead of the last.
    /// `region` is given the number of the section at the end of a band and an angle in its middle.
    fn loft(
        &mut self,
        sections: &[Section],
        ends: [(Vec3, Binding); 2],
        columns: &[f32],
        region: impl Fn(usize, f32) -> Region,
    ) {
        let left_out = self.detail.choose(None, Some(0), Some(1));
        let kept = sections
            .iter()
            .enumerate()
            .filter(|(_, section)| left_out.is_none_or(|level| !section.fine[level]));
        let mut last: Option<Chain> = None;
        let [start, end] = ends.map(|(at, binding)| self.surface.seam_vertex(at, binding));
        let mut numbered = 0;
        for (number, section) in kept {
            let mut chain = Chain::default();
            for (column, &angle) in columns.iter().enumerate() {
                let at = section.point(angle);
                let on_seam = column == 0 || column + 1 == columns.len();
                let vertex = if on_seam {
                    self.surface.seam_vertex(at, section.binding)
                } else {
                    self.surface.vertex(at, section.binding)
                };
                chain.push(vertex, angle);
            }
            match &last {
                None => self.surface.floor(region(number, 90.0), &chain, start),
                Some(last) => {
                    for column in 1..columns.len() {
                        let middle = 0.5 * (columns[column - 1] + columns[column]);
                        let corners = [
                            last.vertices[column - 1],
                            last.vertices[column],
                            chain.vertices[column],
                            chain.vertices[column - 1],
                        ];
                        self.surface.quad(region(number, middle), corners);
                    }
                }
            }
            last = Some(chain);
            numbered = number + 1;
        }
        if let Some(last) = last {
            self.surface.roof(region(numbered, 90.0), &last, end);
        }
    }
}

/// One joint carries it all.
fn carried(joint: JointId) -> Binding {
    bind(&[(joint, 1.0)])
}

/// Between joints along a line: each carries all at its place.
fn between(carriers: &[(JointId, f32)], along: f32) -> Binding {
    let after = carriers.iter().position(|(_, at)| *at >= along);
    match after {
        None => carriers.last().map_or_else(|| carried(JointId::ROOT), |last| carried(last.0)),
        Some(0) => carried(carriers[0].0),
        Some(after) => {
            let ((from, start), (to, end)) = (carriers[after - 1], carriers[after]);
            let share = ((along - start) / (end - start).max(1e-6)).clamp(0.0, 1.0);
            bind(&[(from, 1.0 - share), (to, share)])
        }
    }
}

fn mix(from: f32, to: f32, share: f32) -> f32 {
    from + (to - from) * share
}
