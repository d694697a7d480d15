//! Numbers of a glTF file: of any type, normalised or not, interleaved, sparse, or not there at all.
//!
//! Nothing is taken for granted: that views and buffers exist, that elements lie within them, or that
//! counts are small. The `gltf` crate has readers of its own, which trust the file in all of this.

use std::cell::Cell;

use gltf::json;
use json::accessor::{ComponentType, Type};
use json::validation::Checked;
use json::{Accessor, Index, Root};

use crate::files::document::ReadError;

/// Numbers that are read from one file in all. Accessors can be used many times over, and those
/// without data cost the file nothing.
const MOST_NUMBERS: usize = 1 << 27;

/// Reads accessors.
pub(super) struct Accessors<'a> {
    root: &'a Root,
    buffers: &'a [Vec<u8>],
    left: Cell<usize>,
}

/// Where the elements of an accessor are.
struct Layout<'a> {
    bytes: &'a [u8],
    stride: usize,
}

/// One number, as its bytes and what they mean.
struct Number<'a> {
    bytes: &'a [u8],
    component: ComponentType,
    normalised: bool,
}

impl<'a> Accessors<'a> {
    pub fn new(root: &'a Root, buffers: &'a [Vec<u8>]) -> Self {
        Self { root, buffers, left: Cell::new(MOST_NUMBERS) }
    }

    /// The elements of an accessor as floating-point numbers, one component after the other.
    pub fn floats(&self, accessor: Index<Accessor>, kind: Type) -> Result<Vec<f32>, ReadError> {
        self.read(accessor, kind, |number| Some(number.float()))
    }

    /// The elements of an accessor of whole numbers.
    pub fn integers(&self, accessor: Index<Accessor>, kind: Type) -> Result<Vec<u32>, ReadError> {
        self.read(accessor, kind, |number| number.integer())
    }

    fn read<T: Copy + Default>(
        &self,
        index: Index<Accessor>,
        kind: Type,
        convert: impl Fn(Number) -> Option<T>,
    ) -> Result<Vec<T>, ReadError> {
        let refuse =
            |reason: &str| ReadError::part(format!("accessors[{}]", index.value()), reason);
        let accessor = self.root.accessors.get(index.value());
        let accessor = accessor.ok_or_else(|| refuse("it does not exist"))?;
        let Checked::Valid(component) = accessor.component_type else {
            return Err(refuse("its component type is not known"));
        };
        if accessor.type_ != Checked::Valid(kind) {
            return Err(refuse(&format!("it should be of type {}", name(kind))));
        }
        let (component, each) = (component.0, kind.multiplicity());
        let size = component.size() * each;
        let count = usize::try_from(accessor.count.0).ok().filter(|count| *count > 0);
        let numbers = count.and_then(|count| count.checked_mul(each));
        let (Some(count), Some(numbers)) = (count, numbers) else {
            return Err(refuse("it has no elements"));
        };
        let left = self.left.get().checked_sub(numbers);
        self.left.set(left.ok_or_else(|| refuse("there are more numbers than any body needs"))?);

        let normalised = accessor.normalized;
        let element = |bytes: &[u8], out: &mut Vec<T>| -> Result<(), ReadError> {
            for bytes in bytes.chunks_exact(component.size()) {
                let number = Number { bytes, component, normalised };
                out.push(convert(number).ok_or_else(|| refuse("its numbers are not whole"))?);
            }
            Ok(())
        };
        let mut values = Vec::new();
        match accessor.buffer_view {
            // Without a view all numbers are 0; sparse ones go on from there.
            None => values = vec![T::default(); numbers],
            Some(view) => {
                let offset = accessor.byte_offset.map_or(0, |offset| offset.0);
                let layout = self.layout(view, offset, size, count).map_err(|r| refuse(&r))?;
                values.reserve_exact(numbers);
                for index in 0..count {
                    element(&layout.bytes[index * layout.stride..][..size], &mut values)?;
                }
            }
        }
        if let Some(sparse) = &accessor.sparse {
            let given = usize::try_from(sparse.count.0).ok().filter(|given| *given <= count);
            let given = given.ok_or_else(|| refuse("it replaces more elements than it has"))?;
            let Checked::Valid(index_type) = sparse.indices.component_type else {
                return Err(refuse("its sparse indices are of an unknown type"));
            };
            let index_size = index_type.0.size();
            let (places, news) = (&sparse.indices, &sparse.values);
            let layout = |view, offset, size| {
                self.layout(view, offset, size, given).map_err(|reason| refuse(&reason))
            };
            if given > 0 {
                let at = layout(places.buffer_view, places.byte_offset.0, index_size)?;
                let new = layout(news.buffer_view, news.byte_offset.0, size)?;
                let mut replaced = Vec::with_capacity(each);
                for index in 0..given {
                    let bytes = &at.bytes[index * at.stride..][..index_size];
                    let place = Number { bytes, component: index_type.0, normalised: false };
                    let place = place.integer().map(|place| place as usize);
                    let Some(place) = place.filter(|place| *place < count) else {
                        return Err(refuse("it replaces an element that it does not have"));
                    };
                    replaced.clear();
                    element(&new.bytes[index * new.stride..][..size], &mut replaced)?;
                    values[place * each..][..each].copy_from_slice(&replaced);
                }
            }
        }
        Ok(values)
    }

    /// The bytes of `count` elements of a view, which are all there.
    fn layout(
        &self,
        view: Index<json::buffer::View>,
        offset: u64,
        size: usize,
        count: usize,
    ) -> Result<Layout<'a>, String> {
        let index = view.value();
        let view = self.root.buffer_views.get(index);
        let view = view.ok_or_else(|| format!("bufferViews[{index}] does not exist"))?;
        let buffer = self.buffers.get(view.buffer.value());
        let buffer = buffer.ok_or_else(|| format!("bufferViews[{index}] has no buffer"))?;
        let range = |start: u64, length: u64| {
            let start = usize::try_from(start).ok()?;
            Some(start..start.checked_add(usize::try_from(length).ok()?)?)
        };
        let bytes = range(view.byte_offset.map_or(0, |offset| offset.0), view.byte_length.0)
            .and_then(|range| buffer.get(range))
            .ok_or_else(|| format!("bufferViews[{index}] reaches beyond its buffer"))?;
        let stride = view.byte_stride.map_or(size, |stride| stride.0);
        if stride < size {
            return Err(format!("the elements of bufferViews[{index}] overlap"));
        }
        let length = (count - 1).checked_mul(stride).and_then(|last| last.checked_add(size));
        let bytes = length
            .and_then(|length| bytes.get(range(offset, length as u64)?))
            .ok_or_else(|| format!("it reaches beyond bufferViews[{index}]"))?;
        Ok(Layout { bytes, stride })
    }
}

impl Number<'_> {
    fn integer(&self) -> Option<u32> {
        match (self.component, self.bytes) {
            (ComponentType::U8, [a]) => Some(u32::from(*a)),
            (ComponentType::U16, [a, b]) => Some(u32::from(u16::from_le_bytes([*a, *b]))),
            (ComponentType::U32, [a, b, c, d]) => Some(u32::from_le_bytes([*a, *b, *c, *d])),
            _ => None,
        }
    }

    fn float(&self) -> f32 {
        let part = |number: f32, whole: f32| {
            if self.normalised { (number / whole).max(-1.0) } else { number }
        };
        match (self.component, self.bytes) {
            (ComponentType::I8, [a]) => part(f32::from(i8::from_le_bytes([*a])), 127.0),
            (ComponentType::U8, [a]) => part(f32::from(*a), 255.0),
            (ComponentType::I16, [a, b]) => part(f32::from(i16::from_le_bytes([*a, *b])), 32767.0),
            (ComponentType::U16, [a, b]) => part(f32::from(u16::from_le_bytes([*a, *b])), 65535.0),
            (ComponentType::U32, [a, b, c, d]) => u32::from_le_bytes([*a, *b, *c, *d]) as f32,
            (ComponentType::F32, [a, b, c, d]) => f32::from_le_bytes([*a, *b, *c, *d]),
            _ => 0.0,
        }
    }
}

fn name(kind: Type) -> &'static str {
    match kind {
        Type::Scalar => "SCALAR",
        Type::Vec2 => "VEC2",
        Type::Vec3 => "VEC3",
        Type::Vec4 => "VEC4",
        Type::Mat2 => "MAT2",
        Type::Mat3 => "MAT3",
        Type::Mat4 => "MAT4",
    }
}
