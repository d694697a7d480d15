//! A client that speaks the protocol, and a studio to speak it to.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::needless_pass_by_value,
    reason = "shared by tests and benchmarks"
)]

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::slice::ChunksExact;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use throng_studio::{Running, Studio, StudioOptions};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// Nothing in these tests takes longer, unless it is broken.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A small scene: two groups, a wall, a region.
pub const SCENE: &str = "\
# A yard.
format = 1
name = \"Yard\"

[simulation]
step = 0.05

[world]
bounds = [[-20, -15], [20, 15]]

[[obstacles]]
name = \"bench\"
box = { center = [0, 10], size = [3, 1] }

[[regions]]
name = \"east\"  # where they go
rectangle = [[14, -10], [18, 10]]

[[groups]]
name = \"walkers\"
goals = [{ seek = \"east\" }]
crowds = [{ count = 30, region = \"west\" }]

[[regions]]
name = \"west\"
rectangle = [[-18, -10], [-8, 10]]

[[groups]]
name = \"idlers\"
people = [{ position = [0, 0] }, { position = [0, 2] }]
";

/// Two who are locked in, one of whom walks a little before that gets in the way, and one who is not.
pub const STUCK: &str = include_str!("../../../../../tests/scenes/stuck.toml");

/// A studio that shows a scene in a folder of its own.
pub struct Stage {
    pub folder: tempfile::TempDir,
    pub studio: Running,
}

impl Stage {
    pub fn new(scene: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("yard.toml"), scene).unwrap();
        let studio = open(&folder.path().join("yard.toml"), 0);
        Self { folder, studio }
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn join(&self) -> Client {
        Client::join(self.studio.address())
    }
}

pub fn open(path: &Path, port: u16) -> Running {
    let options = StudioOptions { port, ..StudioOptions::default() };
    Studio::open(path, &options).unwrap().start().unwrap()
}

/// A client.
pub struct Client {
    pub socket: WebSocket<TcpStream>,
    next: u64,
    /// The newest of each.
    pub scene: Json,
    pub state: Json,
    pub patterns: Json,
    pub frame: Option<Frame>,
    pub frames: usize,
    pub bytes: usize,
    /// How people can look, as it was told.
    pub cast: Vec<u8>,
    /// Who looks how: the look of each person, as it was told.
    pub roles: BTreeMap<u32, u8>,
    /// All that was told of bodies.
    pub bodies: Vec<Bodies>,
    pub body_bytes: usize,
    /// Whether frames are acknowledged.
    pub attentive: bool,
}

impl Client {
    /// Connects without a word.
    pub fn connect(address: SocketAddr) -> Self {
        Self::connect_with(address, "").unwrap()
    }

    /// The same with a query, unless that is refused.
    pub fn connect_with(address: SocketAddr, query: &str) -> Result<Self, String> {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        let request = format!("ws://{address}/ws{query}").into_client_request().unwrap();
        let (socket, _) =
            tungstenite::client(request, stream).map_err(|error| error.to_string())?;
        let (scene, state, patterns) = (Json::Null, Json::Null, Json::Null);
        let (frame, frames, bytes) = (None, 0, 0);
        let (cast, roles, bodies, body_bytes) = (Vec::new(), BTreeMap::new(), Vec::new(), 0);
        Ok(Self {
            socket,
            next: 0,
            scene,
            state,
            patterns,
            frame,
            frames,
            bytes,
            cast,
            roles,
            bodies,
            body_bytes,
            attentive: true,
        })
    }

    /// Connects and says hello.
    pub fn join(address: SocketAddr) -> Self {
        Self::join_at_rate(address, 60)
    }

    /// Connects and asks for so many frames per second at most.
    pub fn join_at_rate(address: SocketAddr, rate: u32) -> Self {
        Self::connect(address).greet(rate)
    }

    /// Says hello.
    pub fn greet(mut self, rate: u32) -> Self {
        self.ask(json!({ "do": "hello", "protocol": 2, "rate": rate })).unwrap();
        self.until(|client| client.scene.is_object() && client.state.is_object());
        self
    }

    /// The patterns that were told last, as pattern and person.
    pub fn found(&self) -> Vec<(&str, u64)> {
        let list = self.patterns["list"].as_array().map_or(&[][..], Vec::as_slice);
        let found = list
            .iter()
            .map(|event| (event["pattern"].as_str().unwrap(), event["person"].as_u64().unwrap()));
        found.collect()
    }

    /// Asks for something and waits for the reply.
    pub fn ask(&mut self, request: Json) -> Result<Json, Json> {
        let id = self.send(request);
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            if let Some(reply) = self.read()
                && reply["re"] == json!(id)
            {
                return match reply.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(reply["ok"].clone()),
                };
            }
        }
        panic!("there was no reply");
    }

    /// Asks for something.
    pub fn send(&mut self, mut request: Json) -> u64 {
        self.next += 1;
        request["id"] = json!(self.next);
        self.socket.send(Message::text(request.to_string())).unwrap();
        self.next
    }

    /// Edits the document.
    pub fn edit(&mut self, label: &str, changes: Json) -> Result<Json, Json> {
        self.ask(json!({ "do": "edit", "label": label, "changes": changes }))
    }

    /// Takes the next message. Replies, and events other than scenes and states, are returned.
    pub fn read(&mut self) -> Option<Json> {
        match self.socket.read().unwrap() {
            Message::Binary(bytes) if bytes[0] == 5 => {
                self.cast = bytes.to_vec();
                None
            }
            Message::Binary(bytes) if bytes[0] == 6 => {
                self.take_roles(&bytes);
                None
            }
            Message::Binary(bytes) if bytes[0] == 3 => {
                self.bodies.push(Bodies::decode(&bytes, &self.looks()));
                self.body_bytes += bytes.len();
                self.socket.send(Message::binary(vec![4])).unwrap();
                None
            }
            Message::Binary(bytes) => {
                self.frames += 1;
                self.bytes += bytes.len();
                self.frame = Some(Frame::decode(&bytes));
                if self.attentive {
                    self.socket.send(Message::binary(vec![2])).unwrap();
                }
                None
            }
            Message::Text(text) => {
                let message: Json = serde_json::from_str(&text).unwrap();
                match message["event"].as_str() {
                    Some("scene") => self.scene = message,
                    Some("state") => self.state = message,
                    Some("patterns") => self.patterns = message,
                    _ => return Some(message),
                }
                None
            }
            _ => None,
        }
    }

    fn take_roles(&mut self, bytes: &[u8]) {
        let mut rest = &bytes[1..];
        let flags = take(&mut rest, 1)[0];
        if flags & 1 != 0 {
            self.roles.clear();
        }
        take(&mut rest, 2);
        let count = number(take(&mut rest, 4));
        let mut id = 0;
        let ids: Vec<u32> = (0..count)
            .map(|_| {
                id += varint(&mut rest);
                id
            })
            .collect();
        for id in ids {
            let known = self.roles.insert(id, take(&mut rest, 33)[0]);
            assert_eq!(known, None, "person {id} was told before");
        }
        assert!(rest.is_empty(), "{} bytes are left", rest.len());
    }

    /// Reads until something is so.
    pub fn until(&mut self, is_so: impl Fn(&Self) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !is_so(self) {
            assert!(Instant::now() < deadline, "it never came to that");
            self.read();
        }
    }

    /// Species and number of joints of each look.
    pub fn looks(&self) -> Vec<(u8, usize)> {
        let mut rest = self.cast.get(1..).expect("the cast comes first");
        let [looks, details, frames] = [(); 3].map(|()| number(take(&mut rest, 1)));
        let looks = (0..looks).map(|look| {
            let species = take(&mut rest, 1)[0];
            let joints = usize::from(take(&mut rest, 1)[0]);
            for _ in 0..joints {
                let name = usize::from(take(&mut rest, 1)[0]);
                take(&mut rest, name + 29);
            }
            for _ in 0..details {
                take(&mut rest, 48 * joints);
                let [vertices, triangles] = [(); 2].map(|()| number(take(&mut rest, 2)) as usize);
                take(&mut rest, 18 * vertices + 6 * triangles);
            }
            let neck = usize::from(take(&mut rest, 1)[0]);
            take(&mut rest, neck);
            if number(take(&mut rest, 1)) == look {
                let takes = usize::from(take(&mut rest, 1)[0]);
                take(&mut rest, takes * (4 + frames as usize * 6 * (1 + joints)));
            }
            (species, joints)
        });
        let looks = looks.collect();
        assert!(rest.is_empty(), "{} bytes are left", rest.len());
        looks
    }

    /// Waits for the next message about bodies.
    pub fn next_bodies(&mut self) -> Bodies {
        let count = self.bodies.len();
        self.until(|client| client.bodies.len() > count);
        self.bodies.last().unwrap().clone()
    }

    /// The next frame of a step.
    pub fn frame_from(&mut self, step: u32) -> Frame {
        self.until(|client| client.frame.as_ref().is_some_and(|frame| frame.step >= step));
        self.frame.clone().unwrap()
    }
}

/// A frame, decoded by the book.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    pub epoch: u16,
    pub revision: u32,
    pub step: u32,
    pub time: f64,
    pub people: Vec<Person>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Person {
    pub id: u32,
    pub at: [f32; 2],
    pub heading: f32,
    pub status: u8,
    pub group: u16,
    pub height: Option<f32>,
    pub layer: u8,
    /// What their body is like, if that is told.
    pub standing: Option<Standing>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// From 0, unseen, to 3, a body of their own.
    pub level: u8,
    pub head: u8,
    pub take: u8,
    pub phase: f32,
    pub yaw: f32,
}

impl Frame {
    pub fn decode(bytes: &[u8]) -> Self {
        let mut rest = bytes;
        assert_eq!(take(&mut rest, 1), [1]);
        let flags = take(&mut rest, 1)[0];
        let [epoch, revision, step] = [2, 4, 4].map(|width| number(take(&mut rest, width)));
        let time = f64::from_le_bytes(take(&mut rest, 8).try_into().unwrap());
        let count = number(take(&mut rest, 4)) as usize;
        let [x, y, quantum, lowest, height_quantum] =
            [(); 5].map(|()| f32::from_le_bytes(take(&mut rest, 4).try_into().unwrap()));
        let mut id = 0;
        let ids: Vec<u32> = (0..count)
            .map(|_| {
                id += varint(&mut rest);
                id
            })
            .collect();
        let width = if flags & 1 == 0 { 2 } else { 3 };
        let mut column = |width: usize| take(&mut rest, count * width).chunks_exact(width);
        let (mut xs, mut ys) = (column(width), column(width));
        let (mut headings, mut states) = (column(1), column(1));
        let mut groups = (flags & 8 != 0).then(|| column(2));
        let mut heights = (flags & 2 != 0).then(|| column(2));
        let mut layers = (flags & 4 != 0).then(|| column(1));
        let mut standings = (flags & 16 != 0).then(|| [(); 3].map(|()| column(1)));
        assert!(rest.is_empty(), "{} bytes are left", rest.len());
        let next = |column: &mut ChunksExact<u8>| number(column.next().unwrap());
        let person = |id| {
            let state = next(&mut states);
            Person {
                id,
                at: [x + quantum * next(&mut xs) as f32, y + quantum * next(&mut ys) as f32],
                heading: next(&mut headings) as f32 * std::f32::consts::TAU / 256.0,
                status: state as u8 & 7,
                group: groups.as_mut().map_or(state >> 3, next) as u16,
                height: heights.as_mut().map(|all| lowest + height_quantum * next(all) as f32),
                layer: layers.as_mut().map_or(0, next) as u8,
                standing: standings.as_mut().map(|columns| {
                    let [packed, phase, yaw] = [0, 1, 2].map(|column| next(&mut columns[column]));
                    Standing {
                        level: packed as u8 & 3,
                        head: packed as u8 >> 2 & 3,
                        take: packed as u8 >> 4,
                        phase: phase as f32 / 256.0,
                        yaw: yaw as f32 * std::f32::consts::TAU / 256.0,
                    }
                }),
            }
        };
        let (epoch, revision, step) = (epoch as u16, revision as u32, step as u32);
        Self { epoch, revision, step, time, people: ids.into_iter().map(person).collect() }
    }

    pub fn person(&self, id: u32) -> Option<&Person> {
        self.people.iter().find(|person| person.id == id)
    }

    /// The mean of those of a group.
    pub fn mean(&self, group: u16) -> [f32; 2] {
        let people: Vec<_> = self.people.iter().filter(|p| p.group == group).collect();
        let mean = |i: usize| people.iter().map(|p| p.at[i]).sum::<f32>() / people.len() as f32;
        [mean(0), mean(1)]
    }
}

/// Poses, decoded by the book.
#[derive(Clone, Debug, PartialEq)]
pub struct Bodies {
    pub epoch: u16,
    pub ids: Vec<u32>,
    pub looks: Vec<u8>,
    pub moments: Vec<BodyMoment>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct BodyMoment {
    pub time: f64,
    /// x, y and height.
    pub places: Vec<[f32; 3]>,
    /// Height of the root joint above the ground.
    pub roots: Vec<f32>,
    /// The bytes of rotations.
    pub rotations: Vec<Vec<u8>>,
}

impl Bodies {
    pub fn decode(bytes: &[u8], cast: &[(u8, usize)]) -> Self {
        let mut rest = bytes;
        assert_eq!(take(&mut rest, 2), [3, 0]);
        let [epoch, count, moments] = [2, 4, 2].map(|width| number(take(&mut rest, width)));
        let mut id = 0;
        let ids = (0..count).map(|_| {
            id += varint(&mut rest);
            id
        });
        let ids = ids.collect();
        let looks: Vec<u8> = (0..count).map(|_| take(&mut rest, 33)[0]).collect();
        let moments = (0..moments).map(|_| {
            let time = f64::from_le_bytes(take(&mut rest, 8).try_into().unwrap());
            let (mut places, mut roots, mut rotations) = (Vec::new(), Vec::new(), Vec::new());
            for &look in &looks {
                places.push(
                    [(); 3].map(|()| f32::from_le_bytes(take(&mut rest, 4).try_into().unwrap())),
                );
                take(&mut rest, 2);
                let root = take(&mut rest, 6);
                roots.push(f32::from(i16::from_le_bytes([root[2], root[3]])) * 0.0001);
                rotations.push(take(&mut rest, 6 * cast[usize::from(look)].1).to_vec());
            }
            BodyMoment { time, places, roots, rotations }
        });
        let moments = moments.collect();
        assert!(rest.is_empty(), "{} bytes are left", rest.len());
        Self { epoch: epoch as u16, ids, looks, moments }
    }
}

/// The answer to a request by hand.
pub fn http(address: SocketAddr, path: &str, headers: &[(&str, String)]) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut request = format!("GET {path} HTTP/1.1\r\nConnection: close\r\n");
    for (name, value) in headers {
        request += &format!("{name}: {value}\r\n");
    }
    stream.write_all((request + "\r\n").as_bytes()).unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// How a WebSocket is answered that a page from somewhere wants to open.
pub fn upgrade(address: SocketAddr, path: &str, origin: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let lines = format!(
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nOrigin: {origin}\r\nUpgrade: websocket\r\n\
         Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.write_all(lines.as_bytes()).unwrap();
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

fn take<'a>(rest: &mut &'a [u8], count: usize) -> &'a [u8] {
    let (head, tail) = rest.split_at(count);
    *rest = tail;
    head
}

/// A whole number, its lowest byte first.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte))
}

/// A whole number in groups of seven bits, the lowest first; the last byte has its highest bit clear.
fn varint(rest: &mut &[u8]) -> u32 {
    let (mut value, mut shift) = (0, 0);
    loop {
        let byte = take(rest, 1)[0];
        value |= u32::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            return value;
        }
    }
}
