//! FBX files: text written here, since there is no other that everybody may have.

use std::fmt::Write as _;
use std::iter::{self, Peekable};
use std::str::Chars;

use glam::{EulerRot, Mat4, Quat, Vec3};
use proptest::prelude::*;
use throng_motion::analysis::Options;
use throng_motion::catalogue::read_file;
use throng_motion::files::ReadOptions;
use throng_motion::files::fbx::read_bytes;
use throng_motion::files::mapping::MappingFile;
use throng_motion::{JointId, Landmark, Mesh, ModelPose, Motion, Region, Skeleton};

use super::people::{boxes, dance, human};

/// How a file measures: its unit in centimetres, and whether `z` is up.
#[derive(Clone, Copy)]
struct Space {
    unit: f32,
    z_up: bool,
}

const CENTIMETRES: Space = Space { unit: 1.0, z_up: false };

impl Space {
    /// From body space to the file's.
    fn turn(self) -> Quat {
        Quat::from_rotation_x(if self.z_up { std::f32::consts::FRAC_PI_2 } else { 0.0 })
    }

    fn length(self, metres: Vec3) -> Vec3 {
        metres * (100.0 / self.unit)
    }
}

fn list(numbers: impl IntoIterator<Item = impl std::fmt::Display>) -> String {
    let numbers: Vec<String> = numbers.into_iter().map(|number| number.to_string()).collect();
    format!("*{} {{ a: {} }}", numbers.len(), numbers.join(","))
}

/// A text file with a skeleton, a motion, and a mesh bound at rest.
fn fbx(motion: &Motion, mesh: &Mesh, space: Space) -> String {
    let skeleton = motion.skeleton();
    let (mut objects, mut connections) = (String::new(), String::new());
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let (at, turn) = local(space, index, joint.translation, joint.rotation);
        let (x, y, z) = euler(turn);
        writeln!(
            objects,
            "Model: {}, \"Model::{}\", \"LimbNode\" {{ Version: 232\n Properties70: {{\n\
             P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",{},{},{}\n\
             P: \"Lcl Rotation\", \"Lcl Rotation\", \"\", \"A\",{x},{y},{z}\n }} }}\n\
             NodeAttribute: {}, \"NodeAttribute::\", \"LimbNode\" {{ TypeFlags: \"Skeleton\" }}",
            1000 + index,
            joint.name,
            at.x,
            at.y,
            at.z,
            2000 + index,
        )
        .unwrap();
        let parent = joint.parent.map_or(0, |parent| 1000 + parent.index());
        writeln!(connections, "C: \"OO\",{},{parent}", 1000 + index).unwrap();
        writeln!(connections, "C: \"OO\",{},{}", 2000 + index, 1000 + index).unwrap();
    }
    add_motion(motion, space, &mut objects, &mut connections);
    add_mesh(skeleton, mesh, space, &mut objects, &mut connections);
    let (up, up_sign, front, front_sign) = if space.z_up { (2, 1, 1, -1) } else { (1, 1, 2, 1) };
    format!(
        "; FBX 7.4.0 project file\n\
         FBXHeaderExtension: {{ FBXHeaderVersion: 1003\n FBXVersion: 7400\n }}\n\
         GlobalSettings: {{ Version: 1000\n Properties70: {{\n\
         P: \"UpAxis\", \"int\", \"Integer\", \"\",{up}\n\
         P: \"UpAxisSign\", \"int\", \"Integer\", \"\",{up_sign}\n\
         P: \"FrontAxis\", \"int\", \"Integer\", \"\",{front}\n\
         P: \"FrontAxisSign\", \"int\", \"Integer\", \"\",{front_sign}\n\
         P: \"CoordAxis\", \"int\", \"Integer\", \"\",0\n\
         P: \"CoordAxisSign\", \"int\", \"Integer\", \"\",1\n\
         P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",{}\n }} }}\n\
         Objects: {{\n{objects}}}\nConnections: {{\n{connections}}}\n",
        space.unit
    )
}

/// Translation and rotation as the file has them: only the root sees how space is turned.
fn local(space: Space, joint: usize, at: Vec3, turn: Quat) -> (Vec3, Quat) {
    let turned = if joint == 0 { space.turn() } else { Quat::IDENTITY };
    (space.length(turned * at), turned * turn)
}

/// Degrees about x, then y, then z.
fn euler(turn: Quat) -> (f32, f32, f32) {
    let (z, y, x) = turn.to_euler(EulerRot::ZYX);
    (x.to_degrees(), y.to_degrees(), z.to_degrees())
}

fn add_motion(motion: &Motion, space: Space, objects: &mut String, connections: &mut String) {
    const SECOND: f64 = 46_186_158_000.0;
    let ticks = |frame: usize| (frame as f64 / f64::from(motion.rate()) * SECOND).round() as i64;
    let last = ticks(motion.frames() - 1);
    writeln!(
        objects,
        "AnimationStack: 50, \"AnimStack::{}\", \"\" {{ Properties70: {{\n\
         P: \"LocalStop\", \"KTime\", \"Time\", \"\",{last}\n }} }}\n\
         AnimationLayer: 51, \"AnimLayer::Base\", \"\" {{ }}",
        motion.name()
    )
    .unwrap();
    connections.push_str("C: \"OO\",51,50\n");
    let times = list((0..motion.frames()).map(ticks));
    let mut next = 100_000;
    let mut track = |node: usize, property: &str, values: [Vec<f32>; 3]| {
        let curve_node = next;
        next += 10;
        writeln!(
            objects,
            "AnimationCurveNode: {curve_node}, \"AnimCurveNode::{property}\", \"\" {{ Properties70: {{\n\
             P: \"d|X\", \"Number\", \"\", \"A\",{}\nP: \"d|Y\", \"Number\", \"\", \"A\",{}\n\
             P: \"d|Z\", \"Number\", \"\", \"A\",{}\n }} }}",
            values[0][0], values[1][0], values[2][0]
        )
        .unwrap();
        writeln!(connections, "C: \"OO\",{curve_node},51").unwrap();
        writeln!(connections, "C: \"OP\",{curve_node},{}, \"Lcl {property}\"", 1000 + node)
            .unwrap();
        for (axis, values) in ["X", "Y", "Z"].iter().zip(values) {
            next += 1;
            // Flag 4: linear between keys.
            writeln!(
                objects,
                "AnimationCurve: {next}, \"AnimCurve::\", \"\" {{ Default: 0\n KeyVer: 4008\n\
                 KeyTime: {times}\nKeyValueFloat: {}\nKeyAttrFlags: {}\nKeyAttrDataFloat: {}\n\
                 KeyAttrRefCount: {} }}",
                list(&values),
                list([4]),
                list([0, 0, 0, 0]),
                list([values.len()])
            )
            .unwrap();
            writeln!(connections, "C: \"OP\",{next},{curve_node}, \"d|{axis}\"").unwrap();
        }
        next += 10;
    };
    for joint in 0..motion.skeleton().len() {
        let mut degrees: [Vec<f32>; 3] = Default::default();
        for frame in 0..motion.frames() {
            let (_, turn) = local(space, joint, Vec3::ZERO, motion.rotations(frame)[joint]);
            let (x, y, z) = euler(turn);
            degrees.iter_mut().zip([x, y, z]).for_each(|(list, angle)| list.push(angle));
        }
        track(joint, "Rotation", degrees);
    }
    let mut places: [Vec<f32>; 3] = Default::default();
    for root in motion.roots() {
        let (at, _) = local(space, 0, (*root).into(), Quat::IDENTITY);
        places.iter_mut().zip(at.to_array()).for_each(|(list, number)| list.push(number));
    }
    track(0, "Translation", places);
}

fn add_mesh(
    skeleton: &Skeleton,
    mesh: &Mesh,
    space: Space,
    objects: &mut String,
    connections: &mut String,
) {
    let place = |at: &Vec3| space.length(space.turn() * *at).to_array();
    let triangles: Vec<[u32; 3]> =
        mesh.parts.iter().flat_map(|part| part.triangles.iter().copied()).collect();
    // The last corner of a polygon is marked by its complement.
    let corners = triangles.iter().flat_map(|[a, b, c]| [*a as i64, *b as i64, !(*c as i64)]);
    writeln!(
        objects,
        "Geometry: 60, \"Geometry::body\", \"Mesh\" {{\nVertices: {}\nPolygonVertexIndex: {}\n\
         LayerElementMaterial: 0 {{ MappingInformationType: \"AllSame\"\n\
         ReferenceInformationType: \"IndexToDirect\"\nMaterials: {} }} }}\n\
         Model: 61, \"Model::body\", \"Mesh\" {{ Version: 232 }}\n\
         Material: 62, \"Material::Shoes_Mat\", \"\" {{ Version: 102 }}\n\
         Deformer: 63, \"Deformer::Skin\", \"Skin\" {{ Version: 101 }}",
        list(mesh.positions.iter().flat_map(place)),
        list(corners),
        list([0])
    )
    .unwrap();
    connections.push_str("C: \"OO\",61,0\nC: \"OO\",60,61\nC: \"OO\",62,61\nC: \"OO\",63,60\n");
    for joint in 0..skeleton.len() {
        let (mut vertices, mut weights) = (Vec::new(), Vec::new());
        for (vertex, binding) in mesh.bindings.iter().enumerate() {
            for (bound, weight) in binding.joints.iter().zip(binding.weights) {
                if usize::from(*bound) == joint && weight > 0.0 {
                    vertices.push(vertex);
                    weights.push(weight);
                }
            }
        }
        let id = JointId::new(joint);
        let link = Mat4::from_rotation_translation(
            space.turn() * skeleton.rest_rotation(id),
            space.length(space.turn() * skeleton.rest_position(id)),
        );
        writeln!(
            objects,
            "Deformer: {}, \"SubDeformer::\", \"Cluster\" {{ Version: 100\n{}\
             Transform: {}\nTransformLink: {} }}",
            3000 + joint,
            if vertices.is_empty() {
                String::new()
            } else {
                format!("Indexes: {}\nWeights: {}\n", list(&vertices), list(&weights))
            },
            list(link.inverse().to_cols_array()),
            list(link.to_cols_array())
        )
        .unwrap();
        writeln!(connections, "C: \"OO\",{},63", 3000 + joint).unwrap();
        writeln!(connections, "C: \"OO\",{},{}", 1000 + joint, 3000 + joint).unwrap();
    }
}

fn options(rate: f32) -> ReadOptions {
    ReadOptions { rate, ..ReadOptions::default() }
}

#[test]
fn bodies_and_motions_arrive_in_metres_with_y_up() {
    let human = human();
    let motion = dance(human.skeleton(), "dance", 30.0, 46, 1.2);
    let mesh = boxes(human.skeleton());
    for space in [CENTIMETRES, Space { unit: 100.0, z_up: false }, Space { unit: 2.54, z_up: true }]
    {
        let text = fbx(&motion, &mesh, space);
        let document = read_bytes(text.as_bytes(), &options(30.0)).unwrap();
        assert!(document.warnings.is_empty(), "{}", document.warnings);
        let body = &document.bodies[0];
        assert_eq!(body.skeleton.len(), human.skeleton().len());
        let read = &document.motions[0];
        assert_eq!((read.name(), read.frames()), ("dance", 46));
        for frame in 0..46 {
            let expected = ModelPose::of(human.skeleton(), &motion.pose(frame));
            let found = ModelPose::of(&body.skeleton, &read.pose(frame));
            for landmark in Landmark::ALL {
                let at = expected.landmark(human.skeleton(), landmark).unwrap();
                let other = found.landmark(&body.skeleton, landmark).unwrap();
                assert!((at - other).length() < 1e-4, "frame {frame}: {other} is not {at}");
            }
            let (expected, found) = (motion.pose(frame), read.pose(frame));
            for (index, joint) in human.skeleton().joints().iter().enumerate() {
                let other = body.skeleton.find(&joint.name).unwrap();
                let angle = expected.rotations[index].inverse() * found.rotation(other);
                assert!(2.0 * angle.xyz().length() < 1e-4, "{} in frame {frame}", joint.name);
            }
        }
        let surface = &body.meshes[0];
        assert_eq!(surface.triangle_count(), mesh.triangle_count());
        assert_eq!(surface.parts[0].region, Region::Shoes, "by the material's name");
        // Vertices are those of the mesh, wherever they are in the list.
        let (bent, _) = surface.skinned(&ModelPose::of(&body.skeleton, &read.pose(7)));
        let (all, _) = mesh.skinned(&ModelPose::of(human.skeleton(), &motion.pose(7)));
        for at in &bent {
            assert!(all.iter().any(|other| (*at - *other).length() < 2e-4), "{at}");
        }
    }
}

#[test]
fn motions_are_sampled_at_any_rate() {
    let human = human();
    let motion = dance(human.skeleton(), "dance", 30.0, 31, 1.2);
    let text = fbx(&motion, &boxes(human.skeleton()), CENTIMETRES);
    let document = read_bytes(text.as_bytes(), &options(120.0)).unwrap();
    let read = &document.motions[0];
    assert_eq!((read.frames(), read.rate()), (121, 120.0));
    let head = |motion: &Motion, frame: usize| {
        let model = ModelPose::of(motion.skeleton(), &motion.pose(frame));
        model.landmark(motion.skeleton(), Landmark::Head).unwrap()
    };
    for frame in 0..31 {
        let (at, other) = (head(&motion, frame), head(read, 4 * frame));
        assert!((at - other).length() < 1e-4, "frame {frame}: {other} is not {at}");
    }
}

#[test]
fn a_unit_that_somebody_says_counts_more_than_that_of_the_file() {
    let human = human();
    let motion = dance(human.skeleton(), "dance", 30.0, 3, 0.0);
    let text = fbx(&motion, &boxes(human.skeleton()), CENTIMETRES);
    let mapping = MappingFile::parse("unit = 0.02").unwrap();
    let options = ReadOptions { mapping, ..ReadOptions::default() };
    let document = read_bytes(text.as_bytes(), &options).unwrap();
    let hips = document.bodies[0].skeleton.rest_position(JointId::ROOT);
    let expected = 2.0 * human.skeleton().rest_position(JointId::ROOT);
    assert!((hips - expected).length() < 1e-3, "{hips} is not {expected}");
}

/// What is read of a file, as `throng clips` tells it.
fn message(bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.fbx");
    std::fs::write(&file, bytes).unwrap();
    let read = read_file(&file, &MappingFile::default(), &Options::default());
    let message = read.map(|_| ()).unwrap_err().to_string();
    message.replace(&format!("{}/", folder.path().display()), "")
}

#[test]
fn messages_name_the_file_what_is_wrong_and_what_to_do() {
    let text = small();
    let file = binary(&nodes(&text));
    let of_version = |version: u32| {
        let mut bytes = file.clone();
        bytes[23..27].copy_from_slice(&version.to_le_bytes());
        bytes
    };
    let without = |beginnings: &[&str]| {
        let mut nodes = nodes(&text);
        for section in &mut nodes {
            let is_left =
                |node: &Node| !beginnings.iter().any(|begin| node.name.starts_with(begin));
            section.children.retain(is_left);
        }
        binary(&nodes)
    };
    let no_fbx = "not readable FBX: it does not begin as an FBX file does, neither a binary one nor a text; \
        give a file the ending of what it is, or export it as FBX";
    let damaged =
        "not readable FBX: it is damaged, or its end is missing; copy it again, or export it again";
    let bare =
        "nothing in it moves: it has no skin and no animation of nodes; export it with a skeleton";
    let version = |version: &str| {
        format!(
            "not readable FBX: it has version {version}, and 3000 to 7700 can be read; export it as FBX 7.4 (2014)"
        )
    };
    let (old, new) = (version("2000"), version("99999"));
    for (case, bytes, expected) in [
        ("empty", Vec::new(), "not readable FBX: it is empty; export it again"),
        ("prose", b"hello\nthere\n".repeat(100), no_fbx),
        ("glb", b"glTF\x02\0\0\0\x10\0\0\0".repeat(10), no_fbx),
        ("obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".to_vec(), no_fbx),
        ("binary, its first letters", file[..25].to_vec(), damaged),
        ("binary, its beginning", file[..27].to_vec(), damaged),
        ("binary, cut off", file[..file.len() / 2].to_vec(), damaged),
        ("text, cut off", text.as_bytes()[..text.len() / 2].to_vec(), damaged),
        ("binary, damaged", [&file[..2000], &[0xff; 500], &file[2500..]].concat(), damaged),
        ("binary, too old", of_version(2000), &old),
        ("binary, too new", of_version(99_999), &new),
        ("no skeleton", without(&["Animation", "Deformer", "NodeAttribute"]), bare),
    ] {
        assert_eq!(message(&bytes), format!("a.fbx: {expected}"), "{case}");
    }
    let still = "a.fbx has bodies, but nobody moves in it; export it with an animation";
    assert_eq!(message(&without(&["Animation"])), still);
}

/// A node of a file.
struct Node {
    name: String,
    values: Vec<Value>,
    children: Vec<Node>,
}

enum Value {
    Text(String),
    Number(String),
    List(Vec<String>),
}

type Text<'t> = Peekable<Chars<'t>>;

fn skip_space(text: &mut Text) {
    while text.next_if(|c| c.is_whitespace()).is_some() {}
}

fn word(text: &mut Text) -> String {
    let is_in_word = |c: &char| !c.is_whitespace() && !"{}:,".contains(*c);
    let word = iter::from_fn(|| text.next_if(is_in_word)).collect();
    skip_space(text);
    word
}

fn skip(text: &mut Text, expected: char) {
    assert_eq!(text.next(), Some(expected));
    skip_space(text);
}

impl Node {
    /// The nodes of a text without comments, up to a closing bracket or its end.
    fn all(text: &mut Text) -> Vec<Self> {
        let mut nodes = Vec::new();
        skip_space(text);
        while text.peek().is_some_and(|&c| c != '}') {
            let name = word(text);
            skip(text, ':');
            let (mut values, mut children) = (Vec::new(), Vec::new());
            while let Some(value) = Value::next(text) {
                values.push(value);
                if text.peek() == Some(&',') {
                    skip(text, ',');
                }
            }
            if text.peek() == Some(&'{') {
                skip(text, '{');
                children = Self::all(text);
                skip(text, '}');
            }
            nodes.push(Self { name, values, children });
        }
        nodes
    }

    fn write(&self, out: &mut Vec<u8>) {
        let begin = out.len();
        out.extend([0; 12]);
        out.push(self.name.len() as u8);
        out.extend(self.name.as_bytes());
        let values = out.len();
        self.values.iter().for_each(|value| value.write(out));
        let length = out.len() - values;
        self.children.iter().for_each(|child| child.write(out));
        if !self.children.is_empty() {
            out.extend([0; 13]);
        }
        let head =
            [out.len(), self.values.len(), length].map(|number| (number as u32).to_le_bytes());
        out[begin..begin + 12].copy_from_slice(head.as_flattened());
    }
}

impl Value {
    fn next(text: &mut Text) -> Option<Self> {
        match text.peek()? {
            '"' => {
                text.next();
                let string = iter::from_fn(|| text.next_if(|&c| c != '"')).collect();
                skip(text, '"');
                Some(Self::Text(string))
            }
            '*' => {
                word(text);
                skip(text, '{');
                word(text);
                skip(text, ':');
                let mut list = Vec::new();
                while text.peek() != Some(&'}') {
                    list.push(word(text));
                    if text.peek() == Some(&',') {
                        skip(text, ',');
                    }
                }
                skip(text, '}');
                Some(Self::List(list))
            }
            c if c.is_ascii_digit() || *c == '-' => Some(Self::Number(word(text))),
            _ => None,
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Text(text) => {
                // Binary files have names first and kinds behind them.
                let text = match text.split_once("::") {
                    Some((kind, name)) => format!("{name}\0\x01{kind}"),
                    None => text.clone(),
                };
                out.push(b'S');
                out.extend((text.len() as u32).to_le_bytes());
                out.extend(text.as_bytes());
            }
            Self::Number(number) => match number.parse::<i64>() {
                Ok(whole) => out.extend([&b"L"[..], &whole.to_le_bytes()].concat()),
                Err(_) => {
                    let number: f64 = number.parse().unwrap();
                    out.extend([&b"D"[..], &number.to_le_bytes()].concat());
                }
            },
            Self::List(list) => {
                let whole: Result<Vec<i64>, _> = list.iter().map(|number| number.parse()).collect();
                let (kind, bytes): (u8, Vec<u8>) = match whole {
                    Ok(whole) => {
                        (b'l', whole.iter().flat_map(|number| number.to_le_bytes()).collect())
                    }
                    Err(_) => {
                        let numbers = list.iter().map(|number| number.parse::<f64>().unwrap());
                        (b'd', numbers.flat_map(f64::to_le_bytes).collect())
                    }
                };
                out.push(kind);
                // The number of values, that they are not compressed, and their length.
                for number in [list.len(), 0, bytes.len()] {
                    out.extend((number as u32).to_le_bytes());
                }
                out.extend(bytes);
            }
        }
    }
}

/// What is in a text, behind its first line.
fn nodes(text: &str) -> Vec<Node> {
    let (_comment, text) = text.split_once('\n').unwrap();
    Node::all(&mut text.chars().peekable())
}

fn binary(nodes: &[Node]) -> Vec<u8> {
    let mut out = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
    out.extend(7400_u32.to_le_bytes());
    nodes.iter().for_each(|node| node.write(&mut out));
    out.extend([0; 13]);
    out
}

fn small() -> String {
    let human = human();
    let motion = dance(human.skeleton(), "dance", 30.0, 3, 0.0);
    fbx(&motion, &boxes(human.skeleton()), CENTIMETRES)
}

/// The same file as a text and as a binary file.
fn both() -> [Vec<u8>; 2] {
    let text = small();
    let file = binary(&nodes(&text));
    [text.into_bytes(), file]
}

#[test]
fn binary_files_are_read_like_texts() {
    let [text, file] = both().map(|bytes| read_bytes(&bytes, &ReadOptions::default()).unwrap());
    assert_eq!(text.motions.len(), 1);
    for (text, file) in text.motions.iter().zip(&file.motions) {
        assert_eq!((text.name(), text.frames()), (file.name(), file.frames()));
        for frame in 0..text.frames() {
            assert_eq!(text.pose(frame), file.pose(frame));
        }
    }
    assert_eq!(text.bodies[0].meshes[0].positions, file.bodies[0].meshes[0].positions);
}

#[test]
fn files_cut_off_anywhere_never_cause_a_panic() {
    for bytes in both() {
        for length in (0..bytes.len()).step_by(1013) {
            let _ = read_bytes(&bytes[..length], &ReadOptions::default());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 4, ..Default::default() })]

    #[test]
    fn changed_bytes_never_cause_a_panic(
        form in 0..2_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..24),
    ) {
        let mut bytes = std::mem::take(&mut both()[form]);
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        let _ = read_bytes(&bytes, &ReadOptions::default());
    }

    #[test]
    fn changed_numbers_never_cause_a_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..8_usize), 1..12),
    ) {
        let mut words: Vec<String> =
            small().split_inclusive([',', ' ']).map(str::to_owned).collect();
        let numbers: Vec<usize> = (0..words.len())
            .filter(|word| words[*word].starts_with(|c: char| c.is_ascii_digit() || c == '-'))
            .collect();
        for (place, kind) in changes {
            let word = numbers[place.index(numbers.len())];
            let end = words[word].pop().unwrap_or(',');
            let new = ["0", "-1", "1e38", "nan", "99999999", "1000", "2147483647", "9e18"][kind];
            words[word] = format!("{new}{end}");
        }
        let _ = read_bytes(words.concat().as_bytes(), &ReadOptions::default());
    }
}
