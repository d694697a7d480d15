//! glTF and GLB files, as far as a ground needs them: the triangles of the default scene, where
//! their nodes put them. Materials, skins, morph targets and animations are passed over.
//!
//! The `gltf` crate parses and checks the JSON part, but it takes for granted that accessors exist
//! and lie within their buffers, and that a node has one parent; all of this is checked here first.

use std::io;

use glam::{Mat4, Vec3};
use gltf::accessor::{DataType, Dimensions};
use gltf::buffer::Source;
use gltf::mesh::Mode;
use gltf::{Accessor, Document, Gltf, Node, Primitive, Semantic};
use throng_base::asset_file;

use super::TriangleSoup;
use super::mesh::check_size;

/// Reads the triangles of the default scene (or else the first) of a `.gltf` or `.glb` file.
/// `read` reads buffers in files of their own.
pub(super) fn parse(
    file: &[u8],
    read: impl FnMut(&str, u64) -> io::Result<Vec<u8>>,
) -> Result<TriangleSoup, String> {
    asset_file::check_header(file)?;
    let Gltf { document, blob } =
        Gltf::from_slice_without_validation(file).map_err(|error| unreadable(&error))?;
    let document = checked(document)?;
    let uris = document.buffers().map(|buffer| match buffer.source() {
        Source::Bin => None,
        Source::Uri(uri) => Some(uri),
    });
    let buffers = asset_file::load_buffers_with(uris, blob, read)?;
    let mut collector = Collector { buffers: &buffers, soup: TriangleSoup::default() };
    collector.scene(&document)?;
    Ok(collector.soup)
}

/// The document, once the crate has found its indices and enumerations valid. Extensions that only
/// change how things look are no reason to refuse a file, even if it requires them.
fn checked(document: Document) -> Result<Document, String> {
    let mut json = document.into_json();
    json.extensions_required.retain(|name| !asset_file::is_about_looks(name));
    check_attributes(&json)?;
    Document::from_json(json).map_err(|error| unreadable(&error))
}

/// The crate's own check of a primitive looks up its positions without looking.
fn check_attributes(json: &gltf::json::Root) -> Result<(), String> {
    let mut attributes = json
        .meshes
        .iter()
        .flat_map(|mesh| &mesh.primitives)
        .flat_map(|primitive| primitive.attributes.values());
    match attributes.find(|accessor| accessor.value() >= json.accessors.len()) {
        Some(missing) => Err(format!("not valid glTF: there is no accessor {}", missing.value())),
        None => Ok(()),
    }
}

fn unreadable(error: &gltf::Error) -> String {
    match error {
        // One of them is enough to start with; there may be thousands.
        gltf::Error::Validation(errors) if !errors.is_empty() => {
            format!("not valid glTF: {}: {}", errors[0].0, errors[0].1)
        }
        _ => format!("not readable glTF: {error}"),
    }
}

/// Walks a scene and gathers its triangles.
struct Collector<'a> {
    buffers: &'a [Vec<u8>],
    soup: TriangleSoup,
}

impl Collector<'_> {
    fn scene(&mut self, document: &Document) -> Result<(), String> {
        let scene = document.default_scene().or_else(|| document.scenes().next());
        let scene = scene.ok_or("there is no scene in it")?;
        let mut seen = vec![false; document.nodes().len()];
        let mut open: Vec<(Node, Mat4)> =
            scene.nodes().map(|node| (node, Mat4::IDENTITY)).collect();
        while let Some((node, parent)) = open.pop() {
            // Nodes form trees; were one reached twice, the walk might never end.
            if std::mem::replace(&mut seen[node.index()], true) {
                return Err(format!("node {} has two parents", node.index()));
            }
            let transform = parent * Mat4::from_cols_array_2d(&node.transform().matrix());
            for primitive in node.mesh().iter().flat_map(gltf::Mesh::primitives) {
                self.primitive(&primitive, transform).map_err(|reason| {
                    format!("node {}, primitive {}: {reason}", node.index(), primitive.index())
                })?;
            }
            open.extend(node.children().map(|child| (child, transform)));
        }
        Ok(())
    }

    fn primitive(&mut self, primitive: &Primitive, transform: Mat4) -> Result<(), String> {
        if !matches!(primitive.mode(), Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan) {
            return Ok(());
        }
        let positions = primitive.get(&Semantic::Positions).ok_or("it has no positions")?;
        self.check_accessor(&positions, Dimensions::Vec3, &[DataType::F32])?;
        let before = self.soup.vertices.len();
        let within_limits = |triangles: usize| {
            check_size(before + positions.count(), triangles).map_err(|error| error.to_string())
        };
        within_limits(0)?;
        let indices = self.indices(primitive, positions.count())?;
        let triangles = asset_file::triangles(primitive.mode().as_gl_enum(), &indices);
        within_limits(self.soup.triangles.len() + triangles.len())?;

        let buffers = self.buffers;
        let reader = primitive.reader(|buffer| buffers.get(buffer.index()).map(Vec::as_slice));
        let positions = reader.read_positions().ok_or("its positions are missing")?;
        let place = |position| transform.transform_point3(Vec3::from(position));
        self.soup.vertices.extend(positions.map(place));
        // A mirrored node turns its triangles inside out; glTF says to turn them back.
        let mirrored = transform.determinant() < 0.0;
        self.soup.triangles.extend(triangles.into_iter().map(|[a, b, c]| {
            let [b, c] = if mirrored { [c, b] } else { [b, c] };
            [a, b, c].map(|index| before as u32 + index)
        }));
        Ok(())
    }

    /// The vertices in drawing order; without indices that is the order they are stored in.
    fn indices(&self, primitive: &Primitive, vertices: usize) -> Result<Vec<u32>, String> {
        let Some(accessor) = primitive.indices() else {
            return Ok((0..vertices as u32).collect());
        };
        let types = [DataType::U8, DataType::U16, DataType::U32];
        self.check_accessor(&accessor, Dimensions::Scalar, &types)?;
        let reader = primitive.reader(|buffer| self.buffers.get(buffer.index()).map(Vec::as_slice));
        let indices = reader.read_indices().ok_or("its indices are missing")?;
        let indices: Vec<u32> = indices.into_u32().collect();
        match indices.iter().find(|index| **index as usize >= vertices) {
            Some(index) => Err(format!("it uses vertex {index}, and there are only {vertices}")),
            None => Ok(indices),
        }
    }

    /// Makes sure that all elements of an accessor have the type we read and lie within its view,
    /// and the view within its buffer.
    fn check_accessor(
        &self,
        accessor: &Accessor,
        dimensions: Dimensions,
        types: &[DataType],
    ) -> Result<(), String> {
        let refuse = |reason: &str| Err(format!("accessor {} {reason}", accessor.index()));
        if accessor.dimensions() != dimensions || !types.contains(&accessor.data_type()) {
            return refuse("is not of the type that glTF asks for");
        }
        if accessor.sparse().is_some() {
            return refuse("is sparse, which is not supported for ground; export it in full");
        }
        let Some(view) = accessor.view() else {
            return refuse("has no data");
        };
        let stride = view.stride().unwrap_or(accessor.size());
        let available = self.buffers.get(view.buffer().index()).map_or(0, Vec::len);
        let view_fits =
            view.offset().checked_add(view.length()).is_some_and(|end| end <= available);
        let end = accessor.count().checked_sub(1).and_then(|last| {
            last.checked_mul(stride)?.checked_add(accessor.size())?.checked_add(accessor.offset())
        });
        let fits = view_fits && end.is_some_and(|end| end <= view.length());
        if stride < accessor.size() || !fits {
            return refuse("is empty or reaches beyond its buffer");
        }
        Ok(())
    }
}
