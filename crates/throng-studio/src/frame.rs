//! Everybody at one moment, as bytes: the frames of `docs/protocol.md`.

use axum::body::Bytes;
use glam::Vec2;
use throng::bodies::{HeadTurn, PosedBody};
use throng::scaler::BodyLevel;
use throng_base::Bounds;
use throng_crowd::Appearance;
use throng_world::Scene;

/// Bytes before the columns.
pub const HEADER: usize = 44;

const FRAME: u8 = 1;
const WIDE_POSITIONS: u8 = 1;
const HEIGHTS: u8 = 2;
const LAYERS: u8 = 4;
const WIDE_GROUPS: u8 = 8;
const LEVELS: u8 = 16;

/// The finest positions are told, m.
const FINEST: f32 = 0.005;
/// The same for positions of three bytes, m.
const FINEST_WIDE: f32 = 0.001;
/// How far outside of its bounds people of a scene are still seen, m.
const MARGIN: f32 = 20.0;
/// As many groups fit beside the status.
const NARROW_GROUPS: usize = 32;

/// How positions and heights of a scene become whole numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lattice {
    flags: u8,
    origin: Vec2,
    quantum: f32,
    lowest: f32,
    height_quantum: f32,
}

/// What a frame is of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Moment {
    pub epoch: u16,
    pub revision: u32,
    pub step: u32,
    pub time: f64,
}

/// What everybody's body is like who has none of their own, or would be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Standing {
    pub level: BodyLevel,
    pub head: HeadTurn,
    pub take: u8,
    /// How far through it they are, 256ths.
    pub phase: u8,
    /// How body space is turned, 256ths of a turn.
    pub yaw: u8,
}

impl Standing {
    pub fn of(posed: &PosedBody, level: BodyLevel) -> Self {
        Self {
            level,
            head: posed.head,
            take: posed.take.min(15) as u8,
            phase: (posed.phase * 256.0) as u8,
            yaw: turned(posed.placement.yaw),
        }
    }
}

impl Lattice {
    /// For people of a scene.
    pub fn of_scene(scene: &Scene) -> Self {
        let heights = heights(scene);
        let is_flat =
            scene.connectors.is_empty() && scene.layers.iter().all(|layer| layer.terrain.is_flat());
        Self::new(scene.bounds, heights, is_flat, scene.layers.len(), scene.groups.len())
    }

    fn new(
        bounds: Bounds,
        [lowest, highest]: [f32; 2],
        is_flat: bool,
        layers: usize,
        groups: usize,
    ) -> Self {
        let origin = bounds.min - MARGIN;
        let extent = (bounds.max + MARGIN - origin).max_element();
        let is_wide = extent > FINEST * f32::from(u16::MAX);
        let quantum = if is_wide { (extent / 16_777_215.0).max(FINEST_WIDE) } else { FINEST };
        let mut flags = 0;
        for (flag, is_set) in [
            (WIDE_POSITIONS, is_wide),
            (HEIGHTS, !is_flat),
            (LAYERS, layers > 1),
            (WIDE_GROUPS, groups > NARROW_GROUPS),
        ] {
            flags |= if is_set { flag } else { 0 };
        }
        let height_quantum = ((highest - lowest) / f32::from(u16::MAX)).max(0.001);
        Self { flags, origin, quantum, lowest, height_quantum }
    }

    fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// The frame of a moment. People are in ascending order of id; `standings` are theirs, if there are any.
    pub fn frame(
        &self,
        moment: &Moment,
        people: &[Appearance],
        standings: Option<&[Standing]>,
    ) -> Bytes {
        let standings = standings.filter(|standings| standings.len() == people.len());
        let mut bytes = Vec::with_capacity(HEADER + 17 * people.len());
        bytes.extend([FRAME, self.flags | if standings.is_some() { LEVELS } else { 0 }]);
        bytes.extend(moment.epoch.to_le_bytes());
        bytes.extend(moment.revision.to_le_bytes());
        bytes.extend(moment.step.to_le_bytes());
        bytes.extend(moment.time.to_le_bytes());
        bytes.extend((people.len() as u32).to_le_bytes());
        for number in [self.origin.x, self.origin.y, self.quantum, self.lowest, self.height_quantum]
        {
            bytes.extend(number.to_le_bytes());
        }
        let mut previous = 0;
        for person in people {
            push_varint(&mut bytes, person.id.0.wrapping_sub(previous));
            previous = person.id.0;
        }
        self.push_coordinates(&mut bytes, people.iter().map(|p| p.position.x - self.origin.x));
        self.push_coordinates(&mut bytes, people.iter().map(|p| p.position.y - self.origin.y));
        bytes.extend(people.iter().map(|person| heading(person.facing)));
        let is_wide = self.has(WIDE_GROUPS);
        bytes.extend(people.iter().map(|person| {
            let group = if is_wide { 0 } else { (person.group.0 as u8) << 3 };
            person.status as u8 | group
        }));
        if is_wide {
            people.iter().for_each(|person| bytes.extend(person.group.0.to_le_bytes()));
        }
        if self.has(HEIGHTS) {
            for person in people {
                let height = ((person.height - self.lowest) / self.height_quantum).round();
                bytes.extend((height as u16).to_le_bytes());
            }
        }
        if self.has(LAYERS) {
            bytes.extend(people.iter().map(|person| person.layer.0));
        }
        if let Some(all) = standings {
            bytes.extend(all.iter().map(|s| s.level as u8 | (s.head as u8) << 2 | s.take << 4));
            bytes.extend(all.iter().map(|s| s.phase));
            bytes.extend(all.iter().map(|s| s.yaw));
        }
        bytes.into()
    }

    /// Who is out of range is at its border: `as` saturates.
    fn push_coordinates(&self, bytes: &mut Vec<u8>, coordinates: impl Iterator<Item = f32>) {
        let scale = 1.0 / self.quantum;
        match self.has(WIDE_POSITIONS) {
            true => coordinates.for_each(|x| {
                let value = ((x * scale).round() as u32).min(0xff_ffff);
                bytes.extend_from_slice(&value.to_le_bytes()[..3]);
            }),
            false => coordinates.for_each(|x| {
                bytes.extend_from_slice(&((x * scale).round() as u16).to_le_bytes());
            }),
        }
    }
}

/// The lowest and the highest ground of a scene, m.
fn heights(scene: &Scene) -> [f32; 2] {
    let range = |layer: &throng_world::Layer| {
        let [low, high] = layer.terrain.height_range();
        [low + layer.elevation, high + layer.elevation]
    };
    let ranges = scene.layers.iter().map(range);
    ranges.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]).unwrap_or([0.0; 2])
}

/// A direction in 256 steps.
fn heading(facing: Vec2) -> u8 {
    turned(facing.y.atan2(facing.x))
}

/// An angle in 256 steps.
fn turned(angle: f32) -> u8 {
    // A turn is 256, which is 0 again.
    (angle / std::f32::consts::TAU * 256.0).round() as i32 as u8
}

/// Seven bits per byte, lowest first; the eighth says that more follow.
pub(crate) fn push_varint(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}
