//! Ground read from files: what good ones mean, and that bad ones are refused without harm.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests too")]

use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use glam::Vec2;
use png::{BitDepth, ColorType};
use serde_json::{Value, json};
use tempfile::TempDir;
use throng_base::Bounds;
use throng_base::random::{Purpose, Random, Stream};
use throng_world::{Terrain, TerrainError};

const BOUNDS: Bounds = Bounds { min: Vec2::new(-10.0, 20.0), max: Vec2::new(30.0, 50.0) };

/// A folder for one test, with a shorthand to fill it.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn put(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }
}

fn png(columns: u32, rows: u32, colour: ColorType, depth: BitDepth, data: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, columns, rows);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    encoder.write_header().unwrap().write_image_data(data).unwrap();
    file
}

/// A 16-bit image of `level(column, row)`, its top row first.
fn grey(columns: u32, rows: u32, level: impl Fn(u32, u32) -> u16) -> Vec<u8> {
    let pixels = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
    let data: Vec<u8> = pixels.flat_map(|(c, r)| level(c, r).to_be_bytes()).collect();
    png(columns, rows, ColorType::Grayscale, BitDepth::Sixteen, &data)
}

fn heightmap(path: &Path) -> Result<Terrain, TerrainError> {
    Terrain::heightmap(path, BOUNDS, -2.0, 6.0)
}

fn message<T: std::fmt::Debug>(result: Result<T, TerrainError>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn a_16_bit_ramp_is_exact_to_one_level() {
    let folder = Folder::new();
    let level = |column: u32| (column as f64 / 256.0 * 65535.0).round() as u16;
    let terrain = heightmap(&folder.put("ramp.png", grey(257, 3, |c, _| level(c)))).unwrap();
    for i in 0..=1000 {
        let point = Vec2::new(-10.0 + 40.0 * i as f32 / 1000.0, 33.0);
        let expected = -2.0 + 8.0 * (point.x + 10.0) / 40.0;
        let error = (terrain.height(point) - expected).abs();
        assert!(error < 8.0 / 65535.0, "{error} at {point}");
    }
    assert_eq!(terrain.height(Vec2::new(-10.0, 20.0)), -2.0, "black is low");
    assert_eq!(terrain.height(Vec2::new(30.0, 20.0)), 6.0, "white is high");
}

#[test]
fn the_top_of_an_image_is_its_north() {
    let folder = Folder::new();
    let level = |column: u32, row: u32| if (column, row) == (1, 0) { 65535 } else { 0 };
    let terrain = heightmap(&folder.put("corner.png", grey(2, 2, level))).unwrap();
    assert_eq!(terrain.height(BOUNDS.max), 6.0);
    assert_eq!(BOUNDS.corners().map(|p| terrain.height(p)), [-2.0, -2.0, 6.0, -2.0]);
}

#[test]
fn eight_bits_are_accepted() {
    let folder = Folder::new();
    let file = png(2, 2, ColorType::Grayscale, BitDepth::Eight, &[0, 255, 51, 0]);
    let terrain = heightmap(&folder.put("coarse.png", file)).unwrap();
    assert!((terrain.height(BOUNDS.min) - (-2.0 + 8.0 * 0.2)).abs() < 1e-6);
    assert_eq!(terrain.height(BOUNDS.max), 6.0);
}

#[test]
fn images_that_are_no_heightmap_are_refused_with_the_reason() {
    let folder = Folder::new();
    let colour = png(2, 2, ColorType::Rgb, BitDepth::Eight, &[0; 12]);
    let text = message(heightmap(&folder.put("colour.png", colour)));
    assert!(text.contains("colour.png") && text.contains("Rgb"), "{text}");
    let thin = grey(1, 9, |_, _| 0);
    let text = message(heightmap(&folder.put("thin.png", thin)));
    assert!(text.contains("at least 2 × 2 samples"), "{text}");
    let text = message(heightmap(&folder.put("empty.png", "")));
    assert!(text.contains("empty.png: not a readable PNG"), "{text}");
    let missing = heightmap(&folder.0.path().join("none.png"));
    assert!(matches!(missing, Err(TerrainError::Unreadable { .. })));
    let good = folder.put("good.png", grey(4, 4, |_, _| 7));
    assert!(Terrain::heightmap(&good, BOUNDS, 0.0, f32::NAN).is_err());
    let nowhere = Bounds { min: Vec2::ZERO, max: Vec2::ZERO };
    assert!(matches!(
        Terrain::heightmap(&good, nowhere, 0.0, 1.0),
        Err(TerrainError::Heightfield { .. })
    ));
}

#[test]
fn a_header_that_claims_billions_of_pixels_is_refused_before_memory_is_taken() {
    let folder = Folder::new();
    for size in [16385u32, 1 << 20, (1 << 31) - 1] {
        let mut file = grey(4, 4, |_, _| 0);
        file[16..20].copy_from_slice(&size.to_be_bytes());
        file[20..24].copy_from_slice(&size.to_be_bytes());
        let text = message(heightmap(&folder.put("huge.png", with_checksums(file))));
        assert!(text.contains("at most 16384 samples"), "{text}");
    }
}

const HILL: &str = "o hill\nv 0 0 0\nv 2 0 0\nv 2 0 -2\nv 0 0 -2\nv 1 3 -1\n\
                    f 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n";

#[test]
fn an_obj_file_is_ground() {
    let folder = Folder::new();
    let hill = Terrain::mesh(&folder.put("hill.OBJ", HILL)).unwrap();
    assert_eq!(hill.height(Vec2::new(1.0, 1.0)), 3.0);
    assert_eq!(hill.height(Vec2::new(0.5, 1.0)), 1.5);
    assert_eq!(hill.height(Vec2::new(5.0, 1.0)), 0.0);
}

#[test]
fn mesh_files_that_are_no_ground_are_refused_with_the_reason() {
    let folder = Folder::new();
    let of = |name: &str, content: &str| message(Terrain::mesh(&folder.put(name, content)));
    assert!(of("a.obj", "v 0 0 0\nv 1 0 0\nf 1 2 9\n").contains("a.obj:3: the face uses vertex 9"));
    assert!(of("b.obj", "# nothing\n").contains("b.obj: the mesh has no triangles"));
    assert!(of("c.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3").contains("+y is up"));
    assert!(of("d.stl", HILL).contains("use .obj, .gltf or .glb"));
    assert!(of("e.glb", "").contains("e.glb: not readable glTF"));
    assert!(of("f.gltf", "{}").contains("f.gltf: not readable glTF"));
    let missing = Terrain::mesh(&folder.0.path().join("none.obj"));
    assert!(matches!(missing, Err(TerrainError::Unreadable { .. })));
    let folder_as_file = folder.0.path().join("folder.obj");
    fs::create_dir(&folder_as_file).unwrap();
    assert!(matches!(Terrain::mesh(&folder_as_file), Err(TerrainError::Unreadable { .. })));
}

/// The positions of a triangle, 36 bytes, then its indices and two bytes of padding.
fn triangle_bytes() -> Vec<u8> {
    let positions = [[0f32, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 1.0, -2.0]];
    let mut bytes: Vec<u8> = positions.iter().flatten().flat_map(|n| n.to_le_bytes()).collect();
    bytes.extend([0u16, 1, 2, 0].iter().flat_map(|i| i.to_le_bytes()));
    bytes
}

/// A scene with that triangle under two nodes: one shifted by (10, 1, 0), one mirrored in x.
fn triangle_json(uri: Option<&str>) -> Value {
    let mut buffer = json!({ "byteLength": 44 });
    if let Some(uri) = uri {
        buffer["uri"] = json!(uri);
    }
    json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": [0, 2] }],
        "nodes": [
            { "translation": [10, 0, 0], "children": [1] },
            { "translation": [0, 1, 0], "mesh": 0 },
            { "scale": [-1, 1, 1], "mesh": 0 },
        ],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }],
        "buffers": [buffer],
        "bufferViews": [
            { "buffer": 0, "byteLength": 36 },
            { "buffer": 0, "byteOffset": 36, "byteLength": 8 },
        ],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
              "min": [0, 0, -2], "max": [2, 1, 0] },
            { "bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR" },
        ],
    })
}

fn glb(json: &Value) -> Vec<u8> {
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let binary = triangle_bytes();
    let mut file = b"glTF".to_vec();
    file.extend(2u32.to_le_bytes());
    file.extend((28 + text.len() as u32 + binary.len() as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", &text), (b"BIN\0", &binary)] {
        file.extend((chunk.len() as u32).to_le_bytes());
        file.extend(kind);
        file.extend(chunk);
    }
    file
}

fn assert_is_the_pair_of_triangles(terrain: &Terrain) {
    assert_eq!(terrain.height(Vec2::new(10.5, 1.0)), 1.5, "shifted by both nodes");
    assert_eq!(terrain.height(Vec2::new(-0.5, 1.0)), 0.5, "mirrored, and still facing up");
}

#[test]
fn gltf_reads_the_same_from_all_its_containers() {
    let folder = Folder::new();
    fs::create_dir(folder.0.path().join("sub")).unwrap();
    folder.put("sub/a b.bin", triangle_bytes());
    let data = format!("data:application/octet-stream;base64,{}", BASE64.encode(triangle_bytes()));
    for (name, content) in [
        ("binary.glb", glb(&triangle_json(None))),
        ("beside.gltf", triangle_json(Some("./sub/a%20b.bin")).to_string().into_bytes()),
        ("inline.GLTF", triangle_json(Some(&data)).to_string().into_bytes()),
    ] {
        assert_is_the_pair_of_triangles(&Terrain::mesh(&folder.put(name, content)).unwrap());
    }
}

#[test]
fn strips_fans_and_lists_without_indices_are_triangles_too() {
    let folder = Folder::new();
    for (mode, indexed) in [(4, false), (5, true), (6, true), (6, false)] {
        let mut json = triangle_json(None);
        let primitive = &mut json["meshes"][0]["primitives"][0];
        primitive["mode"] = json!(mode);
        if !indexed {
            primitive.as_object_mut().unwrap().remove("indices");
        }
        let path = folder.put("mode.glb", glb(&json));
        assert_is_the_pair_of_triangles(&Terrain::mesh(&path).unwrap());
    }
}

#[test]
fn a_buffer_outside_the_folder_is_not_read() {
    let folder = Folder::new();
    let secret = folder.put("secret.bin", triangle_bytes());
    fs::create_dir(folder.0.path().join("scene")).unwrap();
    let absolute = secret.to_str().unwrap().to_owned();
    for uri in ["../secret.bin", "%2e%2e/secret.bin", "a/../../secret.bin", &absolute]
        .into_iter()
        .map(str::to_owned)
        .chain([format!("file://{absolute}"), "http://localhost/a.bin".into(), String::new()])
    {
        let content = triangle_json(Some(&uri)).to_string();
        let text = message(Terrain::mesh(&folder.put("scene/a.gltf", content)));
        assert!(text.contains("not a file in or below the folder"), "{uri}: {text}");
    }
}

#[test]
fn damaged_gltf_is_refused_with_the_reason() {
    let folder = Folder::new();
    let with = |pointer: &str, value: Value| {
        let mut json = triangle_json(None);
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        match json.pointer_mut(parent).unwrap() {
            Value::Array(list) => list[key.parse::<usize>().unwrap()] = value,
            object => object[key] = value,
        }
        message(Terrain::mesh(&folder.put("a.glb", glb(&json))))
    };
    let beyond = "reaches beyond its buffer";
    assert!(with("/accessors/0/count", json!(4)).contains(beyond));
    assert!(with("/accessors/0/count", json!(0)).contains(beyond));
    assert!(with("/accessors/0/count", json!(u64::MAX)).contains(beyond));
    assert!(with("/accessors/1/byteOffset", json!(u64::MAX)).contains(beyond));
    assert!(with("/bufferViews/1/byteOffset", json!(u64::MAX)).contains(beyond));
    assert!(with("/bufferViews/1/byteLength", json!(9)).contains(beyond));
    assert!(with("/accessors/0/componentType", json!(5123)).contains("not of the type"));
    assert!(with("/accessors/1/type", json!("VEC2")).contains("not of the type"));
    assert!(with("/nodes/1/children", json!([0])).contains("two parents"));
    assert!(with("/nodes/0/children", json!([1, 1])).contains("two parents"));
    assert!(with("/nodes/0/children", json!([7])).contains("not valid glTF"));
    assert!(with("/scenes/0/nodes", json!([])).contains("no triangles"));
    assert!(with("/nodes/2/scale", json!([1e30, 1e30, 1e30])).contains("not a place"));
    assert!(with("/bufferViews/1/byteOffset", json!(12)).contains("there are only 3"));
    let positions = "/meshes/0/primitives/0/attributes/POSITION";
    assert!(with(positions, json!(9)).contains("no accessor 9"));
    let draco = json!(["KHR_draco_mesh_compression"]);
    assert!(with("/extensionsRequired", draco).contains("KHR_draco_mesh_compression"));
}

#[test]
fn required_extensions_that_only_change_looks_do_no_harm() {
    let folder = Folder::new();
    let mut json = triangle_json(None);
    json["extensionsRequired"] = json!(["KHR_materials_unlit", "KHR_texture_transform"]);
    assert_is_the_pair_of_triangles(&Terrain::mesh(&folder.put("a.glb", glb(&json))).unwrap());
}

/// Recomputes the checksums of a PNG's chunks, so that damage to them gets past the first check.
fn with_checksums(mut file: Vec<u8>) -> Vec<u8> {
    let mut at = 8;
    while let Some(length) = file.get(at..at + 4) {
        let length = u32::from_be_bytes(length.try_into().unwrap()) as usize;
        let Some(body) = file.get(at + 4..at + 8 + length) else { break };
        let checksum = crc32(body).to_be_bytes();
        let Some(place) = file.get_mut(at + 8 + length..at + 12 + length) else { break };
        place.copy_from_slice(&checksum);
        at += 12 + length;
    }
    file
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc: u32, _| (crc >> 1) ^ (0xEDB8_8320 * (crc & 1)))
    })
}

/// A few bytes overwritten, and now and then the end cut off.
fn damaged(file: &[u8], stream: &mut Stream) -> Vec<u8> {
    let mut copy = file.to_vec();
    for _ in 0..1 + stream.bits() % 4 {
        let at = stream.bits() as usize % copy.len();
        copy[at] = match stream.bits() % 3 {
            0 => copy[at] ^ (1 << (stream.bits() % 8)),
            1 => [0, 255, b'-', b'9', b'e', b'/'][stream.bits() as usize % 6],
            _ => stream.bits() as u8,
        };
    }
    if stream.bits().is_multiple_of(4) {
        copy.truncate(stream.bits() as usize % copy.len());
    }
    copy
}

/// Reads many damaged copies of a file. Those that pass must still be usable ground.
fn survive_damage(name: &str, file: &[u8], repair: fn(Vec<u8>) -> Vec<u8>) {
    let folder = Folder::new();
    let mut stream = Random::new(7).stream(name.len() as u64, 0, Purpose::Placement);
    let mut refused = 0;
    for _ in 0..3000 {
        let path = folder.put(name, repair(damaged(file, &mut stream)));
        let ground = if name.ends_with("png") { heightmap(&path) } else { Terrain::mesh(&path) };
        match ground {
            Ok(ground) => {
                for point in [Vec2::ZERO, Vec2::new(1.3, 0.7), Vec2::splat(1e6)] {
                    assert!(
                        ground.height(point).is_finite() && ground.normal(point).is_normalized()
                    );
                }
            }
            Err(error) => {
                assert!(error.to_string().contains(name));
                refused += 1;
            }
        }
    }
    assert!(refused > 300, "only {refused} refused: the damage is too mild to test anything");
}

#[test]
fn no_damage_to_a_png_causes_a_panic() {
    let file = grey(9, 7, |column, row| (column * 5000 + row * 300) as u16);
    survive_damage("raw.png", &file, |file| file);
    survive_damage("checksummed.png", &file, with_checksums);
}

#[test]
fn no_damage_to_an_obj_causes_a_panic() {
    survive_damage("hill.obj", HILL.as_bytes(), |file| file);
}

#[test]
fn no_damage_to_a_glb_causes_a_panic() {
    survive_damage("pair.glb", &glb(&triangle_json(None)), |file| file);
}
