//! The ground of a floor: how high it is and which way it faces at a point in plan.
//!
//! A floor is flat, or its ground is a [`Heightfield`] (a lattice of heights, usually read from a
//! greyscale image) or a [`GroundMesh`] (triangles, usually read from OBJ or glTF). All three answer
//! the same two questions for any point whatsoever: beyond the ground's border they answer for a
//! nearest point of it, so that somebody pushed over the edge neither falls nor produces a NaN.
//!
//! Files come from anywhere, so the readers trust nothing in them: every size is checked against a
//! limit before memory is asked for, and every number that could spoil a query later is refused
//! here, with the file and the reason in the message.

mod gltf;
mod grid;
mod ground;
mod heightfield;
mod heightmap;
mod mesh;
mod obj;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{Vec2, Vec3};

pub(crate) use heightfield::MOST_SAMPLES;
pub use heightfield::{Heightfield, HeightfieldError};
pub use mesh::{GroundMesh, MeshError};

use throng_base::Bounds;
use throng_base::asset_file::{LARGEST_FILE, read_at_most};

/// The ground of a floor. Cloning shares the data.
#[derive(Clone, Debug, Default)]
pub enum Terrain {
    /// Height 0 everywhere.
    #[default]
    Flat,
    /// Heights on a lattice.
    Heightfield(Arc<Heightfield>),
    /// Triangles, possibly several surfaces above one another.
    Mesh(Arc<GroundMesh>),
}

/// Why a file is no ground.
#[derive(Debug, thiserror::Error)]
pub enum TerrainError {
    /// The file could not be read.
    #[error("{}: {reason}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the operating system says.
        reason: io::Error,
    },
    /// A mesh file whose name ends in none of the known ways.
    #[error("{}: cannot tell the mesh format from the name; use .obj, .gltf or .glb", file.display())]
    UnknownFormat {
        /// The file.
        file: PathBuf,
    },
    /// An image that cannot be decoded or is not greyscale.
    #[error("{}: {reason}", file.display())]
    Image {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// An image whose pixels or bounds make no heightfield.
    #[error("{}: {reason}", file.display())]
    Heightfield {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        reason: HeightfieldError,
    },
    /// A line of an OBJ file that cannot be understood.
    #[error("{}:{line}: {reason}", file.display())]
    Obj {
        /// The file.
        file: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A glTF file, or a buffer it names, that cannot be understood.
    #[error("{}: {reason}", file.display())]
    Gltf {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Well-formed triangles that make no ground.
    #[error("{}: {reason}", file.display())]
    Mesh {
        /// The file.
        file: PathBuf,
        /// What is wrong with them.
        reason: MeshError,
    },
}

impl Terrain {
    /// Reads a heightmap: a greyscale PNG that spans `bounds`, with its top row at the largest y.
    /// The outermost pixels lie on the border. Black is `low`, white is `high` (m), and values
    /// between are linear, whatever gamma the file claims.
    ///
    /// Use 16 bits per pixel. 8 bits are accepted but coarse: over a range of 10 m the ground then
    /// rises in steps of 4 cm, which feet and slopes show.
    pub fn heightmap(
        path: &Path,
        bounds: Bounds,
        low: f32,
        high: f32,
    ) -> Result<Self, TerrainError> {
        Self::heightmap_with(path, &mut from_folder(path), bounds, low, high)
    }

    /// Reads a heightmap as [`Terrain::heightmap`] does, from wherever `read` finds it.
    pub(crate) fn heightmap_with(
        path: &Path,
        read: &mut Read,
        bounds: Bounds,
        low: f32,
        high: f32,
    ) -> Result<Self, TerrainError> {
        let file = || path.to_owned();
        let image = heightmap::decode(&read_terrain_file(path, read)?)
            .map_err(|reason| TerrainError::Image { file: file(), reason })?;
        let (columns, rows) = (image.columns, image.rows);
        Heightfield::new(bounds, columns, rows, image.heights(low, high))
            .map(Self::from)
            .map_err(|reason| TerrainError::Heightfield { file: file(), reason })
    }

    /// Reads a ground mesh from a `.obj`, `.gltf` or `.glb` file with y up, in metres.
    pub fn mesh(path: &Path) -> Result<Self, TerrainError> {
        Self::mesh_with(path, &mut from_folder(path))
    }

    /// Reads a ground mesh as [`Terrain::mesh`] does, from wherever `read` finds it.
    pub(crate) fn mesh_with(path: &Path, read: &mut Read) -> Result<Self, TerrainError> {
        let soup = TriangleSoup::load_with(path, read)?;
        GroundMesh::new(soup.vertices, soup.triangles)
            .map(Self::from)
            .map_err(|reason| TerrainError::Mesh { file: path.to_owned(), reason })
    }

    /// Height of the ground at `point`, m. Where a mesh has several surfaces, the highest.
    pub fn height(&self, point: Vec2) -> f32 {
        match self {
            Self::Flat => 0.0,
            Self::Heightfield(field) => field.height(point),
            Self::Mesh(mesh) => mesh.height(point),
        }
    }

    /// Height of the surface nearest to `hint` (m) at `point`: for somebody known to be on or under
    /// a bridge. Only a mesh can have more than one.
    pub fn height_near(&self, point: Vec2, hint: f32) -> f32 {
        match self {
            Self::Mesh(mesh) => mesh.height_near(point, hint),
            _ => self.height(point),
        }
    }

    /// Which way the ground faces at `point`: a unit vector in the world frame (y up).
    pub fn normal(&self, point: Vec2) -> Vec3 {
        match self {
            Self::Flat => Vec3::Y,
            Self::Heightfield(field) => field.normal(point),
            Self::Mesh(mesh) => mesh.normal(point),
        }
    }

    /// [`Terrain::height`] and [`Terrain::normal`] of many points, with the same results bit for
    /// bit, but one dispatch for all and one search per point for both answers.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn sample(&self, points: &[Vec2], heights: &mut [f32], normals: Option<&mut [Vec3]>) {
        match self {
            Self::Flat => fill(points, heights, normals, |_| 0.0, |_| (0.0, Vec3::Y)),
            Self::Heightfield(field) => fill(
                points,
                heights,
                normals,
                |point| field.height(point),
                |point| field.height_and_normal(point),
            ),
            Self::Mesh(mesh) => fill(
                points,
                heights,
                normals,
                |point| mesh.height(point),
                |point| mesh.height_and_normal(point),
            ),
        }
    }

    /// The lowest and the highest height, m.
    pub fn height_range(&self) -> [f32; 2] {
        let around = |heights: &mut dyn Iterator<Item = f32>| {
            heights.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], height| {
                [low.min(height), high.max(height)]
            })
        };
        match self {
            Self::Flat => [0.0; 2],
            Self::Heightfield(field) => around(&mut field.heights().iter().copied()),
            Self::Mesh(mesh) => around(&mut mesh.triangles().flatten().map(|vertex| vertex.y)),
        }
    }

    /// Whether this is [`Terrain::Flat`], so that callers can skip the third dimension.
    pub fn is_flat(&self) -> bool {
        matches!(self, Self::Flat)
    }
}

/// Two meshes are the same ground if they have the same triangles.
impl PartialEq for Terrain {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Flat, Self::Flat) => true,
            (Self::Heightfield(a), Self::Heightfield(b)) => Arc::ptr_eq(a, b) || a == b,
            (Self::Mesh(a), Self::Mesh(b)) => Arc::ptr_eq(a, b) || a.triangles().eq(b.triangles()),
            _ => false,
        }
    }
}

impl From<Heightfield> for Terrain {
    fn from(field: Heightfield) -> Self {
        Self::Heightfield(Arc::new(field))
    }
}

impl From<GroundMesh> for Terrain {
    fn from(mesh: GroundMesh) -> Self {
        Self::Mesh(Arc::new(mesh))
    }
}

/// Vertices in the world frame and the triangles between them, as a file states them: unchecked.
#[derive(Clone, Debug, Default)]
pub struct TriangleSoup {
    /// Corners, in the world frame (y up).
    pub vertices: Vec<Vec3>,
    /// Triangles, by the indices of their corners.
    pub triangles: Vec<[u32; 3]>,
}

impl TriangleSoup {
    /// Reads all triangles of a `.obj`, `.gltf` or `.glb` file.
    pub fn load(path: &Path) -> Result<Self, TerrainError> {
        Self::load_with(path, &mut from_folder(path))
    }

    fn load_with(path: &Path, read: &mut Read) -> Result<Self, TerrainError> {
        let file = || path.to_owned();
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        match extension.to_str() {
            Some("obj") => obj::parse(&read_terrain_file(path, read)?).map_err(|error| {
                TerrainError::Obj { file: file(), line: error.line, reason: error.reason }
            }),
            Some("gltf" | "glb") => {
                gltf::parse(&read_terrain_file(path, read)?, |beside, limit| {
                    read(Some(beside), limit)
                })
                .map_err(|reason| TerrainError::Gltf { file: file(), reason })
            }
            _ => Err(TerrainError::UnknownFormat { file: file() }),
        }
    }
}

/// Coordinates beyond this (m) are refused. An `f32` there resolves no better than a metre, and
/// squares of anything below it cannot overflow.
const FARTHEST: f32 = 1e7;

/// Whether a coordinate is finite and within [`FARTHEST`].
fn is_sane(coordinate: f32) -> bool {
    coordinate.abs() <= FARTHEST
}

fn fill(
    points: &[Vec2],
    heights: &mut [f32],
    normals: Option<&mut [Vec3]>,
    height: impl Fn(Vec2) -> f32,
    height_and_normal: impl Fn(Vec2) -> (f32, Vec3),
) {
    assert_eq!(points.len(), heights.len(), "one height per point");
    let Some(normals) = normals else {
        for (point, out) in points.iter().zip(heights) {
            *out = height(*point);
        }
        return;
    };
    assert_eq!(points.len(), normals.len(), "one normal per point");
    for ((point, height), normal) in points.iter().zip(heights).zip(normals) {
        (*height, *normal) = height_and_normal(*point);
    }
}

/// Reads a terrain file, or one beside it whose relative path it names, of at most so many bytes.
pub(crate) type Read<'r> = dyn FnMut(Option<&str>, u64) -> io::Result<Vec<u8>> + 'r;

/// Reads the file at `path` and those beside it.
fn from_folder(path: &Path) -> impl FnMut(Option<&str>, u64) -> io::Result<Vec<u8>> {
    let folder = path.parent().unwrap_or(Path::new(""));
    move |beside, limit| match beside {
        Some(beside) => read_at_most(&folder.join(beside), limit),
        None => read_at_most(path, limit),
    }
}

fn read_terrain_file(path: &Path, read: &mut Read) -> Result<Vec<u8>, TerrainError> {
    read(None, LARGEST_FILE)
        .map_err(|reason| TerrainError::Unreadable { file: path.to_owned(), reason })
}
