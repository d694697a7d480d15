//! The binary half of a glTF file: numbers in sections of one kind each, and the accessors that say
//! where in them something is.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use gltf::json;
use json::accessor::{ComponentType, GenericComponentType, Type};
use json::buffer::{Stride, Target};
use json::validation::{Checked, USize64};
use json::{Accessor, Index};
use throng_base::place::create_beside;

use super::super::export::WriteError;

/// What a section of the buffer holds. Each becomes one view, so that a file of a thousand people
/// has no more views than that of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    /// Positions and normals.
    Vectors,
    /// Joints of vertices, where 256 joints are enough.
    SmallJoints,
    /// Joints of vertices.
    Joints,
    /// Weights of vertices.
    Weights,
    /// Vertices of triangles, where 65,535 vertices are enough.
    SmallIndices,
    /// Vertices of triangles.
    Indices,
    /// Inverse bind matrices.
    Matrices,
    /// Key times and what is keyed.
    Keys,
    /// What is keyed, as 16-bit numbers.
    CompactKeys,
}

impl Section {
    const ALL: [Self; 9] = [
        Self::Vectors,
        Self::SmallJoints,
        Self::Joints,
        Self::Weights,
        Self::SmallIndices,
        Self::Indices,
        Self::Matrices,
        Self::Keys,
        Self::CompactKeys,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Vectors => "positions and normals",
            Self::SmallJoints | Self::Joints => "joints",
            Self::Weights => "weights",
            Self::SmallIndices | Self::Indices => "indices",
            Self::Matrices => "inverse bind matrices",
            Self::Keys | Self::CompactKeys => "keys",
        }
    }

    /// What graphics processors use it for, and how far its elements are apart if they need to
    /// know.
    fn use_of(self) -> (Option<Target>, Option<usize>) {
        match self {
            Self::Vectors => (Some(Target::ArrayBuffer), Some(12)),
            Self::SmallJoints => (Some(Target::ArrayBuffer), Some(4)),
            Self::Joints => (Some(Target::ArrayBuffer), Some(8)),
            Self::Weights => (Some(Target::ArrayBuffer), Some(16)),
            Self::SmallIndices | Self::Indices => (Some(Target::ElementArrayBuffer), None),
            Self::Matrices | Self::Keys | Self::CompactKeys => (None, None),
        }
    }
}

/// What an accessor says about its elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Elements {
    pub count: usize,
    pub kind: Type,
    pub component: ComponentType,
    pub normalised: bool,
}

impl Elements {
    pub fn floats(count: usize, kind: Type) -> Self {
        Self { count, kind, component: ComponentType::F32, normalised: false }
    }
}

/// Collects numbers and accessors.
#[derive(Debug, Default)]
pub(super) struct Pack {
    sections: [Store; Section::ALL.len()],
    accessors: Vec<Accessor>,
}

/// Where the numbers of a section are until the file is written.
#[derive(Debug)]
pub(super) enum Store {
    Memory(Vec<u8>),
    Spool(Spool),
}

/// A hidden file that goes away with its owner.
#[derive(Debug)]
pub(super) struct Spool {
    out: BufWriter<File>,
    path: PathBuf,
    length: usize,
}

impl Default for Store {
    fn default() -> Self {
        Self::Memory(Vec::new())
    }
}

impl Store {
    fn len(&self) -> usize {
        match self {
            Self::Memory(bytes) => bytes.len(),
            Self::Spool(spool) => spool.length,
        }
    }

    fn append<const N: usize>(
        &mut self,
        numbers: impl IntoIterator<Item = [u8; N]>,
    ) -> Result<(), WriteError> {
        match self {
            Self::Memory(bytes) => numbers.into_iter().for_each(|n| bytes.extend_from_slice(&n)),
            Self::Spool(spool) => {
                for number in numbers {
                    spool.out.write_all(&number).map_err(|error| spool.failed(error))?;
                    spool.length += N;
                }
            }
        }
        Ok(())
    }

    /// Writes everything to `out`.
    pub fn copy_to(&self, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Memory(bytes) => out.write_all(bytes),
            Self::Spool(spool) => io::copy(&mut File::open(&spool.path)?, out).map(|_| ()),
        }
    }
}

impl Spool {
    /// A spool for a file that will be at `path`.
    fn beside(path: &Path) -> Result<Self, WriteError> {
        let (file, path) = create_beside(path).map_err(|error| WriteError::Unwritable {
            file: path.to_owned(),
            reason: io::Error::other(error),
        })?;
        Ok(Self { out: BufWriter::with_capacity(1 << 20, file), path, length: 0 })
    }

    fn failed(&self, reason: io::Error) -> WriteError {
        WriteError::Unwritable { file: self.path.clone(), reason }
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        // If it cannot be removed there is nobody to be told.
        let _ = fs::remove_file(&self.path);
    }
}

/// The whole buffer, in pieces that follow one another.
pub(super) struct Packed {
    pub pieces: Vec<Store>,
    pub length: usize,
    pub views: Vec<json::buffer::View>,
    pub accessors: Vec<Accessor>,
}

impl Pack {
    /// One that keeps keys in hidden files beside `path` instead of in memory.
    pub fn spooled(path: &Path) -> Result<Self, WriteError> {
        let mut pack = Self::default();
        for section in [Section::Keys, Section::CompactKeys] {
            pack.sections[section as usize] = Store::Spool(Spool::beside(path)?);
        }
        Ok(pack)
    }

    /// Appends numbers to a section and says at which byte of it they begin. Sections hold numbers
    /// of one size, so that everything stays aligned.
    pub fn append<const N: usize>(
        &mut self,
        section: Section,
        numbers: impl IntoIterator<Item = [u8; N]>,
    ) -> Result<usize, WriteError> {
        let store = &mut self.sections[section as usize];
        let start = store.len();
        store.append(numbers)?;
        let used: u64 = self.sections.iter().map(|store| store.len() as u64 + 4).sum();
        if used <= LARGEST { Ok(start) } else { Err(WriteError::TooLarge) }
    }

    /// An accessor of what begins at a byte of a section.
    pub fn accessor(&mut self, section: Section, at: usize, elements: Elements) -> Index<Accessor> {
        Index::push(
            &mut self.accessors,
            Accessor {
                buffer_view: Some(Index::new(section as u32)),
                byte_offset: (at > 0).then_some(USize64(at as u64)),
                count: USize64(elements.count as u64),
                component_type: Checked::Valid(GenericComponentType(elements.component)),
                type_: Checked::Valid(elements.kind),
                normalized: elements.normalised,
                min: None,
                max: None,
                name: None,
                sparse: None,
                extensions: None,
                extras: json::Extras::default(),
            },
        )
    }

    /// Floating-point numbers with an accessor of their own.
    pub fn floats(
        &mut self,
        section: Section,
        kind: Type,
        numbers: &[f32],
    ) -> Result<Index<Accessor>, WriteError> {
        let at = self.append(section, numbers.iter().map(|number| number.to_le_bytes()))?;
        let count = numbers.len() / kind.multiplicity();
        Ok(self.accessor(section, at, Elements::floats(count, kind)))
    }

    /// Says between which values an accessor's elements are.
    pub fn set_bounds(&mut self, accessor: Index<Accessor>, least: &[f32], most: &[f32]) {
        let accessor = &mut self.accessors[accessor.value()];
        accessor.min = Some(json::Value::from(least.to_vec()));
        accessor.max = Some(json::Value::from(most.to_vec()));
    }

    /// Puts the sections that hold something one after the other.
    pub fn finish(self) -> Result<Packed, WriteError> {
        let mut packed =
            Packed { pieces: Vec::new(), length: 0, views: Vec::new(), accessors: self.accessors };
        let mut views = [0; Section::ALL.len()];
        for (section, mut store) in Section::ALL.into_iter().zip(self.sections) {
            let length = store.len();
            if length == 0 {
                continue;
            }
            views[section as usize] = packed.views.len() as u32;
            let (target, stride) = section.use_of();
            packed.views.push(json::buffer::View {
                buffer: Index::new(0),
                byte_length: USize64(length as u64),
                byte_offset: (packed.length > 0).then_some(USize64(packed.length as u64)),
                byte_stride: stride.map(Stride),
                name: Some(section.name().into()),
                target: target.map(Checked::Valid),
                extensions: None,
                extras: json::Extras::default(),
            });
            store.append(vec![[0]; length.next_multiple_of(4) - length])?;
            if let Store::Spool(spool) = &mut store {
                spool.out.flush().map_err(|error| spool.failed(error))?;
            }
            packed.length += store.len();
            packed.pieces.push(store);
        }
        for accessor in &mut packed.accessors {
            if let Some(view) = &mut accessor.buffer_view {
                *view = Index::new(views[view.value()]);
            }
        }
        Ok(packed)
    }
}

/// A binary glTF file counts its bytes with 32 bits; its text needs some of them.
const LARGEST: u64 = u32::MAX as u64 - (256 << 20);
