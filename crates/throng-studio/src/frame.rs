//! Everybody at one moment, as bytes: the frames of `docs/protocol.md`.

use axum::body::Bytes;
use glam::Vec2;
use throng::bodies::{HeadTurn, PosedBody};
use throng::scaler::BodyLevel;
use throng_base::Bounds;
use throng_crowd::Appearance;
use throng_world::Scene;

use crate::protocol::{
    BinaryKind, FrameColumn, FrameFlag, FrameHeader, HEAD_BITS, LEVEL_BITS, STATUS_BITS, Wire,
};

/// The finest positions are told, m.
const FINEST: f32 = 0.005;
/// The same for positions of three bytes, m.
const FINEST_WIDE: f32 = 0.001;
/// How far outside of its bounds people of a scene are still seen, m.
const MARGIN: f32 = 20.0;
/// As many groups fit beside the status.
const NARROW_GROUPS: usize = 1 << (8 - STATUS_BITS);

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

    pub fn new(
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
            (FrameFlag::WidePositions, is_wide),
            (FrameFlag::Heights, !is_flat),
            (FrameFlag::Layers, layers > 1),
            (FrameFlag::WideGroups, groups > NARROW_GROUPS),
        ] {
            flags |= if is_set { flag as u8 } else { 0 };
        }
        let height_quantum = ((highest - lowest) / f32::from(u16::MAX)).max(0.001);
        Self { flags, origin, quantum, lowest, height_quantum }
    }

    /// The frame of a moment. People are in ascending order of id; `standings` are theirs, if there are any.
    pub fn frame(
        &self,
        moment: &Moment,
        people: &[Appearance],
        standings: Option<&[Standing]>,
    ) -> Bytes {
        let standings = standings.filter(|standings| standings.len() == people.len());
        let flags = self.flags | standings.map_or(0, |_| FrameFlag::Levels as u8);
        let standings = standings.unwrap_or_default();
        let mut bytes = Vec::with_capacity(FrameHeader::SIZE + 17 * people.len());
        let header = FrameHeader {
            kind: BinaryKind::Frame as u8,
            flags,
            epoch: moment.epoch,
            revision: moment.revision,
            step: moment.step,
            time: moment.time,
            count: people.len() as u32,
            origin: self.origin.to_array(),
            quantum: self.quantum,
            lowest: self.lowest,
            height_quantum: self.height_quantum,
        };
        header.push(&mut bytes);
        push_ids(&mut bytes, people.iter().map(|person| person.id.0));
        for column in FrameColumn::ALL {
            if column.flag().is_none_or(|flag| flag.is_in(flags)) {
                self.push_column(&mut bytes, column, people, standings);
            }
        }
        bytes.into()
    }

    fn push_column(
        &self,
        bytes: &mut Vec<u8>,
        column: FrameColumn,
        people: &[Appearance],
        standings: &[Standing],
    ) {
        let has_groups = FrameFlag::WideGroups.is_in(self.flags);
        match column {
            FrameColumn::X => {
                self.push_coordinates(bytes, people.iter().map(|p| p.position.x - self.origin.x));
            }
            FrameColumn::Y => {
                self.push_coordinates(bytes, people.iter().map(|p| p.position.y - self.origin.y));
            }
            FrameColumn::Headings => bytes.extend(people.iter().map(|p| heading(p.facing))),
            FrameColumn::States => bytes.extend(people.iter().map(|person| {
                let group = if has_groups { 0 } else { (person.group.0 as u8) << STATUS_BITS };
                person.status as u8 | group
            })),
            FrameColumn::Groups => people.iter().for_each(|person| person.group.0.push(bytes)),
            FrameColumn::Heights => people.iter().for_each(|person| {
                let height = ((person.height - self.lowest) / self.height_quantum).round();
                (height as u16).push(bytes);
            }),
            FrameColumn::Layers => bytes.extend(people.iter().map(|person| person.layer.0)),
            FrameColumn::Levels => bytes.extend(standings.iter().map(|standing| {
                let head = (standing.head as u8) << LEVEL_BITS;
                standing.level as u8 | head | standing.take << (LEVEL_BITS + HEAD_BITS)
            })),
            FrameColumn::Phases => bytes.extend(standings.iter().map(|standing| standing.phase)),
            FrameColumn::Yaws => bytes.extend(standings.iter().map(|standing| standing.yaw)),
        }
    }

    /// Who is out of range is at its border: `as` saturates.
    fn push_coordinates(&self, bytes: &mut Vec<u8>, coordinates: impl Iterator<Item = f32>) {
        let scale = 1.0 / self.quantum;
        match FrameFlag::WidePositions.is_in(self.flags) {
            true => coordinates.for_each(|x| {
                let value = ((x * scale).round() as u32).min(0xff_ffff);
                bytes.extend_from_slice(&value.to_le_bytes()[..3]);
            }),
            false => coordinates.for_each(|x| ((x * scale).round() as u16).push(bytes)),
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

/// Appends ids, which ascend: the first one, then differences.
pub(crate) fn push_ids(bytes: &mut Vec<u8>, ids: impl Iterator<Item = u32>) {
    let mut previous = 0;
    for id in ids {
        push_varint(bytes, id.wrapping_sub(previous));
        previous = id;
    }
}

/// Appends a number with seven bits per byte, lowest first; the eighth says that more follow.
fn push_varint(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}
