//! The looks that people and animals can have, and what pages are told of them: the cast of `docs/protocol.md`.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use std::thread;

use axum::body::Bytes;
use throng::bodies::variety::{Library, Wardrobe as Dressed};
use throng::bodies::{BodyError, Cast, FRAMES, turning_joints};
use throng_motion::{Binding, Detail, JointId, Mesh, Pose, Skeleton};
use throng_world::scene::Species;

use super::poses::{fixed, push_pose};
use crate::protocol::{
    BinaryKind, CastHeader, JointRecord, MeshHeader, NO_PARENT, VertexRecord, Wire,
};

/// The levels of detail that are told, finest first.
pub(super) const DETAILS: [Detail; 3] = [Detail::Full, Detail::Medium, Detail::Low];

/// A cast and the message that tells of it.
pub(crate) struct Wardrobe {
    pub cast: Arc<Cast>,
    pub message: Bytes,
}

/// The animals that there are looks of.
const ANIMALS: [Species; 2] = [Species::Dog, Species::Horse];

/// Nobody yet: who will look how in a scene with this seed, as one of the usual cast. It is there before the cast is.
/// Without one nobody is told how people look, and bodies dress as they appear.
pub(crate) fn dressing(seed: u64) -> Option<Dressed> {
    static LIBRARY: OnceLock<Option<Arc<Library>>> = OnceLock::new();
    let library =
        LIBRARY.get_or_init(|| Cast::usual_library(Cast::USUAL, &ANIMALS).ok().map(Arc::new));
    Some(Dressed::new(library.clone()?, seed))
}

type Made = Result<Wardrobe, String>;

impl Wardrobe {
    /// The usual cast. It is made in the background when it is asked for first, once for all studios of this
    /// process; `None` until it is there. An error says why it never will be.
    pub fn usual() -> Option<Result<&'static Self, &'static str>> {
        static MADE: OnceLock<Made> = OnceLock::new();
        static BEGUN: OnceLock<()> = OnceLock::new();
        BEGUN.get_or_init(|| {
            let make =
                || _ = MADE.get_or_init(|| Self::new(Cast::USUAL).map_err(|e| e.to_string()));
            if let Err(error) = thread::Builder::new().name("wardrobe".into()).spawn(make) {
                let _ = MADE.set(Err(error.to_string()));
            }
        });
        MADE.get().map(|made| made.as_ref().map_err(String::as_str))
    }

    pub fn new(looks: usize) -> Result<Self, BodyError> {
        let cast = Cast::with_animals(looks, &ANIMALS)?;
        let message = message(&cast)?;
        Ok(Self { cast: Arc::new(cast), message })
    }
}

fn message(cast: &Cast) -> Result<Bytes, BodyError> {
    let mut bytes = Vec::new();
    cast_header(cast.looks().len()).push(&mut bytes);
    for (index, (look, poses)) in cast.looks().iter().zip(cast.poses()).enumerate() {
        let meshes = DETAILS.map(|detail| look.mesh(detail));
        let meshes = meshes.into_iter().collect::<Result<Vec<_>, _>>()?;
        push_look(&mut bytes, look.species(), look.skeleton(), &meshes);
        let neck = turning_joints(look.skeleton());
        push_neck(&mut bytes, &neck);
        // Looks with the same body move in the same way.
        let body = cast.library().body(index);
        bytes.push(body as u8);
        if body == index {
            let takes = poses.takes().iter().map(|take| (take.speed, take.frames()));
            push_takes(&mut bytes, takes);
        }
    }
    Ok(bytes.into())
}

pub(super) fn cast_header(looks: usize) -> CastHeader {
    CastHeader {
        kind: BinaryKind::Cast as u8,
        looks: looks as u8,
        meshes: DETAILS.len() as u8,
        frames: FRAMES as u8,
    }
}

pub(super) fn push_neck(bytes: &mut Vec<u8>, neck: &[JointId]) {
    bytes.push(neck.len() as u8);
    bytes.extend(neck.iter().map(|joint| joint.index() as u8));
}

/// Appends takes: the speed, m/s, and the poses of each.
pub(super) fn push_takes<'a>(
    bytes: &mut Vec<u8>,
    takes: impl ExactSizeIterator<Item = (f32, &'a [Pose])>,
) {
    bytes.push(takes.len() as u8);
    for (speed, poses) in takes {
        speed.push(bytes);
        poses.iter().for_each(|pose| push_pose(bytes, pose));
    }
}

pub(super) fn push_look(
    bytes: &mut Vec<u8>,
    species: Species,
    skeleton: &Skeleton,
    meshes: &[Mesh],
) {
    bytes.push(number(species));
    push_skeleton(bytes, skeleton);
    meshes.iter().for_each(|mesh| push_mesh(bytes, mesh));
}

/// Returns the number of a species: its index among all.
fn number(species: Species) -> u8 {
    Species::ALL.iter().position(|other| *other == species).unwrap_or_default() as u8
}

fn push_skeleton(bytes: &mut Vec<u8>, skeleton: &Skeleton) {
    bytes.push(skeleton.len() as u8);
    for joint in skeleton.joints() {
        let name = &joint.name.as_bytes()[..joint.name.len().min(255)];
        bytes.push(name.len() as u8);
        bytes.extend(name);
        let record = JointRecord {
            parent: joint.parent.map_or(NO_PARENT, |parent| parent.index() as u8),
            translation: joint.translation.to_array(),
            rotation: joint.rotation.to_array(),
        };
        record.push(bytes);
    }
}

fn push_mesh(bytes: &mut Vec<u8>, mesh: &Mesh) {
    for matrix in &mesh.inverse_bind {
        matrix.to_cols_array().push(bytes);
    }
    let Painted { vertices, triangles } = painted(mesh);
    let counts = [vertices.len(), triangles.len()].map(|count| count as u16);
    MeshHeader { vertices: counts[0], triangles: counts[1] }.push(bytes);
    for &(vertex, region) in &vertices {
        let Binding { joints, weights } = mesh.bindings[vertex as usize];
        let record = VertexRecord {
            position: mesh.positions[vertex as usize].to_array().map(fixed),
            normal: mesh.normals[vertex as usize]
                .to_array()
                .map(|part| (part * 127.0).round() as i8),
            region,
            joints: joints.map(|joint| joint as u8),
            weights: shares(weights),
        };
        record.push(bytes);
    }
    triangles.iter().for_each(|triangle| triangle.push(bytes));
}

/// A mesh whose vertices have one colour each: those where regions meet are there once for each of them.
struct Painted {
    /// Vertices of the mesh with their region.
    vertices: Vec<(u32, u8)>,
    triangles: Vec<[u16; 3]>,
}

fn painted(mesh: &Mesh) -> Painted {
    let mut vertices = Vec::with_capacity(mesh.positions.len());
    let mut numbers: HashMap<(u32, u8), u16> = HashMap::new();
    let mut triangles = Vec::with_capacity(mesh.triangle_count());
    for part in &mesh.parts {
        for triangle in &part.triangles {
            triangles.push(triangle.map(|vertex| {
                let key = (vertex, part.region as u8);
                *numbers.entry(key).or_insert_with(|| {
                    vertices.push(key);
                    (vertices.len() - 1) as u16
                })
            }));
        }
    }
    Painted { vertices, triangles }
}

/// Weights in 255ths, which together are exactly one: what rounding leaves over goes to the largest.
fn shares(weights: [f32; 4]) -> [u8; 4] {
    let mut shares = weights.map(|weight| (weight * 255.0).round() as i32);
    let left = 255 - shares.iter().sum::<i32>();
    if let Some(largest) = shares.iter_mut().max() {
        *largest += left;
    }
    shares.map(|share| share.clamp(0, 255) as u8)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use glam::Vec3;
    use throng::bodies::Look;
    use throng_motion::{Landmark, Region};

    use super::*;

    #[test]
    fn weights_are_whole_and_sum_to_one() {
        for weights in [
            [1.0, 0.0, 0.0, 0.0],
            [0.25; 4],
            [0.5, 0.499, 0.001, 0.0],
            [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0],
        ] {
            let shares = shares(weights);
            assert_eq!(shares.iter().map(|&share| u32::from(share)).sum::<u32>(), 255);
            for (share, weight) in shares.iter().zip(weights) {
                assert!((f32::from(*share) / 255.0 - weight).abs() < 0.01);
            }
        }
    }

    /// How long what is told of a look is, which must fit its form.
    fn told_of(look: &Look) -> usize {
        let joints = look.skeleton().len();
        assert!(joints < usize::from(NO_PARENT));
        let mut size = 0;
        for joint in look.skeleton().joints() {
            size += 1 + joint.name.len() + 1 + 28;
        }
        for detail in DETAILS {
            let mesh = look.mesh(detail).unwrap();
            let Painted { vertices, triangles } = painted(&mesh);
            assert!(vertices.len() < 65_536);
            assert_eq!(triangles.len(), mesh.triangle_count());
            // Every corner is where it was, and of the colour of its part.
            let parts = mesh.parts.iter();
            let corners = parts.flat_map(|part| part.triangles.iter().map(|t| (part.region, t)));
            for (told, (region, meant)) in triangles.iter().zip(corners) {
                for (&told, &meant) in told.iter().zip(meant) {
                    assert_eq!(vertices[usize::from(told)], (meant, region as u8));
                }
            }
            // Places are told finely enough.
            let reach = mesh
                .positions
                .iter()
                .flat_map(Vec3::to_array)
                .fold(0.0, |a: f32, b| a.max(b.abs()));
            assert!(reach < 3.2, "{reach}");
            size += 48 * joints + 4 + 18 * vertices.len() + 6 * triangles.len();
        }
        size
    }

    #[test]
    fn faces_of_people_are_told_with_their_regions() {
        let cast = Cast::with_animals(1, &[]).unwrap();
        let look = &cast.looks()[0];
        let regions = |detail: Detail, landmark: Option<Landmark>| {
            let mesh = look.mesh(detail).unwrap();
            let joint =
                landmark.map(|landmark| look.skeleton().landmark(landmark).unwrap().index());
            let carrier = |vertex: u32| usize::from(mesh.bindings[vertex as usize].joints[0]);
            let Painted { vertices, .. } = painted(&mesh);
            let told = vertices.into_iter().filter(|(v, _)| joint.is_none_or(|j| carrier(*v) == j));
            told.map(|(_, region)| Region::ALL[usize::from(region)]).collect::<BTreeSet<_>>()
        };
        let full = regions(Detail::Full, None);
        for region in [Region::Eyes, Region::Iris, Region::Pupil, Region::Brows, Region::Lips] {
            assert!(full.contains(&region), "{region:?}");
        }
        for eye in [Landmark::LeftEye, Landmark::RightEye] {
            assert!(regions(Detail::Full, Some(eye)).contains(&Region::Pupil), "{eye:?}");
            for detail in DETAILS {
                assert!(regions(detail, Some(eye)).contains(&Region::Iris), "{eye:?} {detail:?}");
            }
        }
        for detail in DETAILS {
            assert!(regions(detail, None).contains(&Region::Lips), "{detail:?}");
        }
    }

    #[test]
    fn a_cast_fits_its_message() {
        let wardrobe = Wardrobe::new(1).unwrap();
        let mut size = 4;
        let mut species = Vec::new();
        for (index, (look, poses)) in
            wardrobe.cast.looks().iter().zip(wardrobe.cast.poses()).enumerate()
        {
            species.push(Species::ALL[usize::from(wardrobe.message[size])]);
            assert_eq!(usize::from(wardrobe.message[size + 1]), look.skeleton().len());
            size += 2 + told_of(look);
            let neck = usize::from(wardrobe.message[size]);
            assert!((1..=3).contains(&neck), "{neck} joints turn with the head");
            let joints = &wardrobe.message[size + 1..=size + neck];
            assert!(joints.iter().all(|joint| usize::from(*joint) < look.skeleton().len()));
            size += 2 + neck;
            let body = usize::from(wardrobe.message[size - 1]);
            assert!(
                body <= index && wardrobe.cast.poses()[body].takes().len() == poses.takes().len()
            );
            if body == index {
                let takes = usize::from(wardrobe.message[size]);
                assert!(takes > 1 && takes <= 16, "{takes} fit into the four bits of frames");
                size += 1 + takes * (4 + FRAMES * 6 * (1 + look.skeleton().len()));
            }
        }
        assert_eq!(wardrobe.message.len(), size);
        let meant: Vec<Species> = wardrobe.cast.looks().iter().map(Look::species).collect();
        assert_eq!(species, meant);
        assert!(Species::ALL.iter().all(|one| meant.contains(one)));
    }
}
