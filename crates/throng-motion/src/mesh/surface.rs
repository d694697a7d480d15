//! The left half of a surface while it is being built, and how it becomes a whole one.
//!
//! Bodies are built from chains of vertices, one above the other, with strips of triangles between
//! them. Only the left half is made; vertices in the middle plane are the seam, and mirroring
//! gives the right half. So bodies are exactly symmetric, and a half that is closed but for its
//! seam becomes a closed surface.

use glam::{Affine3A, Vec2, Vec3};

use super::{Binding, Mesh, Part, Region};
use crate::skeleton::{JointId, Skeleton};

/// Vertices in a row around the body or a limb, with the angle at which each is meant to be.
///
/// Angles are degrees from the front towards the left, ascending. They decide which vertices of
/// neighbouring chains belong together, so that chains of different length can be joined.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chain {
    pub vertices: Vec<u32>,
    pub angles: Vec<f32>,
}

impl Chain {
    pub fn push(&mut self, vertex: u32, angle: f32) {
        self.vertices.push(vertex);
        self.angles.push(angle);
    }

    /// A closed loop as a chain that ends where it began.
    fn closed(&self) -> Self {
        let mut chain = self.clone();
        if let (Some(&vertex), Some(&angle)) = (self.vertices.first(), self.angles.first()) {
            chain.push(vertex, angle + 360.0);
        }
        chain
    }
}

/// The left half of a body.
#[derive(Default)]
pub(crate) struct HalfSurface {
    positions: Vec<Vec3>,
    bindings: Vec<Binding>,
    seam: Vec<bool>,
    triangles: Vec<(Region, [u32; 3])>,
}

impl HalfSurface {
    pub fn position(&self, vertex: u32) -> Vec3 {
        self.positions[vertex as usize]
    }

    /// A vertex of the left half.
    pub fn vertex(&mut self, at: Vec3, binding: Binding) -> u32 {
        self.push(at, binding, false)
    }

    /// A vertex in the middle plane, which both halves share.
    pub fn seam_vertex(&mut self, at: Vec3, binding: Binding) -> u32 {
        self.push(Vec3::new(0.0, at.y, at.z), binding, true)
    }

    fn push(&mut self, at: Vec3, binding: Binding, seam: bool) -> u32 {
        self.positions.push(at);
        self.bindings.push(binding);
        self.seam.push(seam);
        self.positions.len() as u32 - 1
    }

    pub fn triangle(&mut self, region: Region, corners: [u32; 3]) {
        self.triangles.push((region, corners));
    }

    /// Two triangles for a quad whose corners turn counter-clockwise seen from outside.
    pub fn quad(&mut self, region: Region, [a, b, c, d]: [u32; 4]) {
        self.triangle(region, [a, b, c]);
        self.triangle(region, [a, c, d]);
    }

    /// Fills the space between two open chains; `upper` is above `lower` when their angles grow to
    /// the left.
    pub fn strip(&mut self, region: Region, lower: &Chain, upper: &Chain) {
        let (mut i, mut j) = (0, 0);
        loop {
            let below = lower.angles.get(i + 1).copied();
            let above = upper.angles.get(j + 1).copied();
            let along_lower = match (below, above) {
                (None, None) => break,
                (Some(_), None) => true,
                (None, Some(_)) => false,
                // Equal angles make quads; in front they are cut one way and behind the other.
                (Some(b), Some(a)) if (b - a).abs() < 1e-3 => b <= 90.0,
                (Some(b), Some(a)) => b < a,
            };
            if along_lower {
                let corners = [lower.vertices[i], lower.vertices[i + 1], upper.vertices[j]];
                self.triangle(region, corners);
                i += 1;
            } else {
                let corners = [lower.vertices[i], upper.vertices[j + 1], upper.vertices[j]];
                self.triangle(region, corners);
                j += 1;
            }
        }
    }

    /// Fills the space between two closed loops.
    pub fn tube(&mut self, region: Region, lower: &Chain, upper: &Chain) {
        self.strip(region, &lower.closed(), &upper.closed());
    }

    /// Closes an open chain with a point above it.
    pub fn roof(&mut self, region: Region, chain: &Chain, top: u32) {
        for pair in chain.vertices.windows(2) {
            self.triangle(region, [pair[0], pair[1], top]);
        }
    }

    /// Closes an open chain with a point below it.
    pub fn floor(&mut self, region: Region, chain: &Chain, bottom: u32) {
        for pair in chain.vertices.windows(2) {
            self.triangle(region, [pair[1], pair[0], bottom]);
        }
    }

    /// Fills a loop that turns counter-clockwise seen from outside.
    pub fn fan(&mut self, region: Region, ring: &[u32]) {
        for pair in ring.windows(2).skip(1) {
            self.triangle(region, [ring[0], pair[0], pair[1]]);
        }
    }

    /// Fills the space between two loops of the same length, one around the other; both turn
    /// counter-clockwise seen from outside.
    pub fn band(&mut self, region: Region, outer: &[u32], inner: &[u32]) {
        for corner in 0..outer.len() {
            let next = (corner + 1) % outer.len();
            self.quad(region, [outer[corner], outer[next], inner[next], inner[corner]]);
        }
    }

    /// Closes a loop, counter-clockwise seen from outside, with a point behind it.
    pub fn hide(&mut self, region: Region, ring: &[u32], behind: u32) {
        self.hide_chain(region, ring, behind);
        if let (Some(&first), Some(&last)) = (ring.first(), ring.last()) {
            self.triangle(region, [first, last, behind]);
        }
    }

    /// The same for a loop that begins and ends in the middle plane.
    pub fn hide_chain(&mut self, region: Region, chain: &[u32], behind: u32) {
        for pair in chain.windows(2) {
            self.triangle(region, [pair[1], pair[0], behind]);
        }
    }

    /// The largest z of a region's triangles at a place `(x, y)`, if one of them is there.
    pub fn front(&self, region: Region, at: Vec2) -> Option<f32> {
        let depth = |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(|vertex| self.position(vertex));
            let [p, q, r] = [a, b, c].map(Vec3::truncate);
            let area = (q - p).perp_dot(r - p);
            let weights = [(q, r), (r, p), (p, q)].map(|(s, t)| (t - s).perp_dot(at - s) / area);
            let inside = weights.iter().all(|weight| *weight >= -1e-4);
            inside.then(|| weights[0] * a.z + weights[1] * b.z + weights[2] * c.z)
        };
        let triangles = self.triangles.iter().filter(|(of, _)| *of == region);
        triangles.filter_map(|(_, corners)| depth(corners)).reduce(f32::max)
    }

    /// Closes a loop with a point above it.
    pub fn loop_roof(&mut self, region: Region, chain: &Chain, top: u32) {
        self.roof(region, &chain.closed(), top);
    }

    /// Closes a loop from below by bands from side to side, beginning at its front: a sole, or the
    /// tips of fingers. The loop begins right of the front (or there) and goes round to the left.
    pub fn loop_floor(&mut self, region: Region, chain: &Chain) {
        let vertices = &chain.vertices;
        let mut low = 0;
        let mut high = vertices.len() - 1;
        // The first vertex is right of the front, the second left of it: they begin the bands.
        let mut right = vertices[low];
        low += 1;
        let mut left = vertices[low];
        while low < high {
            let next_right = vertices[high];
            self.triangle(region, [left, right, next_right]);
            right = next_right;
            high -= 1;
            if low < high {
                low += 1;
                let next_left = vertices[low];
                self.triangle(region, [next_left, left, right]);
                left = next_left;
            }
        }
    }

    /// The whole body: this half and its mirror image, with normals.
    pub fn mirrored(mut self, skeleton: &Skeleton, inverse_bind: Vec<Affine3A>) -> Mesh {
        self.drop_unused();
        let count = self.positions.len() as u32;
        let mut next = count;
        let twins: Vec<u32> = (0..count)
            .map(|vertex| {
                if self.seam[vertex as usize] {
                    return vertex;
                }
                next += 1;
                next - 1
            })
            .collect();
        let Self { mut positions, mut bindings, seam, triangles } = self;
        for vertex in 0..count as usize {
            if !seam[vertex] {
                positions.push(positions[vertex] * Vec3::new(-1.0, 1.0, 1.0));
                let Binding { joints, weights } = bindings[vertex];
                let other =
                    |joint: u16| skeleton.mirrored(JointId::new(joint.into())).index() as u16;
                bindings.push(Binding { joints: joints.map(other), weights });
            }
        }
        let parts = Region::ALL.into_iter().filter_map(|region| {
            let left =
                triangles.iter().filter(|(of, _)| *of == region).map(|(_, corners)| *corners);
            let right = left.clone().map(|corners| {
                let [a, b, c] = corners.map(|vertex| twins[vertex as usize]);
                [a, c, b]
            });
            let triangles: Vec<_> = left.chain(right).collect();
            (!triangles.is_empty()).then_some(Part { region, triangles })
        });
        let parts: Vec<Part> = parts.collect();
        let mut normals = normals(&positions, &parts);
        for vertex in (0..count as usize).filter(|&vertex| seam[vertex]) {
            let Vec3 { y, z, .. } = normals[vertex];
            normals[vertex] = Vec3::new(0.0, y, z).normalize_or(Vec3::Y);
        }
        Mesh { positions, normals, bindings, parts, inverse_bind }
    }
}

impl HalfSurface {
    /// Rows have a vertex in every column, also where an arm takes the place of one.
    fn drop_unused(&mut self) {
        let mut used = vec![false; self.positions.len()];
        for vertex in self.triangles.iter().flat_map(|(_, corners)| corners) {
            used[*vertex as usize] = true;
        }
        let mut count = 0;
        let places: Vec<u32> = used
            .iter()
            .map(|used| {
                count += u32::from(*used);
                count.saturating_sub(1)
            })
            .collect();
        for (_, corners) in &mut self.triangles {
            *corners = corners.map(|vertex| places[vertex as usize]);
        }
        let kept = |vertex: &mut usize| {
            *vertex += 1;
            used[*vertex - 1]
        };
        let (mut a, mut b, mut c) = (0, 0, 0);
        self.positions.retain(|_| kept(&mut a));
        self.bindings.retain(|_| kept(&mut b));
        self.seam.retain(|_| kept(&mut c));
    }
}

/// Smooth normals: those of the triangles around a vertex, each as much as its angle there, so that
/// they do not depend on how quads are cut.
fn normals(positions: &[Vec3], parts: &[Part]) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; positions.len()];
    for corners in parts.iter().flat_map(|part| &part.triangles) {
        let at = corners.map(|vertex| positions[vertex as usize]);
        let normal = (at[1] - at[0]).cross(at[2] - at[0]).normalize_or_zero();
        for corner in 0..3 {
            let to_next = at[(corner + 1) % 3] - at[corner];
            let to_last = at[(corner + 2) % 3] - at[corner];
            let angle = to_next.angle_between(to_last);
            if angle.is_finite() {
                sums[corners[corner] as usize] += angle * normal;
            }
        }
    }
    sums.into_iter().map(|sum| sum.normalize_or(Vec3::Y)).collect()
}

/// Shares of joints as a binding: the four largest, made to sum to one.
pub(crate) fn bind(shares: &[(JointId, f32)]) -> Binding {
    let mut merged: Vec<(JointId, f32)> = Vec::with_capacity(shares.len());
    for &(joint, share) in shares.iter().filter(|(_, share)| *share > 1e-4) {
        match merged.iter_mut().find(|(other, _)| *other == joint) {
            Some((_, sum)) => *sum += share,
            None => merged.push((joint, share)),
        }
    }
    merged.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    merged.truncate(4);
    let sum: f32 = merged.iter().map(|(_, share)| share).sum();
    let mut binding = Binding { joints: [0; 4], weights: [0.0; 4] };
    for (slot, (joint, share)) in merged.into_iter().enumerate() {
        binding.joints[slot] = joint.index() as u16;
        binding.weights[slot] = share / sum;
    }
    binding
}
