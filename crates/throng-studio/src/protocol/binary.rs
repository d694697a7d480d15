//! Layout of binary messages: records of little-endian numbers, and the numbers that they hold.
//!
//! [`record!`] declares a struct whose fields are written in their order without padding, [`codes!`] an enum of numbers and
//! [`constants!`] the scales of fixed-point numbers. The encoders use them, and the page's decoder uses the offsets and
//! numbers that are generated from them.

use throng_motion::Region;

/// A little-endian number, an array of them, or a record.
pub(crate) trait Wire {
    /// Number of bytes.
    const SIZE: usize;

    /// Appends the bytes.
    fn push(self, bytes: &mut Vec<u8>);

    /// Name of the type in tables.
    #[cfg(test)]
    fn type_name() -> String;
}

macro_rules! wire_numbers {
    ($($number:ident)*) => {
        $(impl Wire for $number {
            const SIZE: usize = size_of::<$number>();

            fn push(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }

            #[cfg(test)]
            fn type_name() -> String {
                stringify!($number).into()
            }
        })*
    };
}

wire_numbers! { u8 i8 u16 i16 u32 f32 f64 }

impl<T: Wire, const N: usize> Wire for [T; N] {
    const SIZE: usize = N * T::SIZE;

    fn push(self, bytes: &mut Vec<u8>) {
        self.into_iter().for_each(|number| number.push(bytes));
    }

    #[cfg(test)]
    fn type_name() -> String {
        format!("{N} × {}", T::type_name())
    }
}

/// Field of a record: its name, type, size in bytes and meaning.
#[cfg(test)]
pub(super) struct FieldLayout {
    pub name: &'static str,
    pub type_name: String,
    pub size: usize,
    pub meaning: &'static str,
}

/// Declares records and `records`, which lists their layouts.
macro_rules! record {
    ($(
        #[doc = $what:literal]
        $name:ident { $(#[doc = $meaning:literal] $field:ident: $type:ty,)* }
    )*) => {
        $(
            #[doc = $what]
            #[derive(Clone, Copy, Debug, PartialEq)]
            pub(crate) struct $name { $(#[doc = $meaning] pub $field: $type,)* }

            impl Wire for $name {
                const SIZE: usize = 0 $(+ <$type as Wire>::SIZE)*;

                fn push(self, bytes: &mut Vec<u8>) {
                    $(self.$field.push(bytes);)*
                }

                #[cfg(test)]
                fn type_name() -> String {
                    stringify!($name).into()
                }
            }
        )*

        /// Name, meaning and fields of each record.
        #[cfg(test)]
        pub(super) fn records() -> Vec<(&'static str, &'static str, Vec<FieldLayout>)> {
            vec![$((stringify!($name), $what, vec![$(FieldLayout {
                name: stringify!($field),
                type_name: <$type as Wire>::type_name(),
                size: <$type as Wire>::SIZE,
                meaning: $meaning,
            }),*])),*]
        }
    };
}

/// Declares enums of numbers and `codes`, which lists them.
macro_rules! codes {
    ($(
        #[doc = $what:literal]
        $name:ident { $(#[doc = $meaning:literal] $variant:ident = $number:literal,)* }
    )*) => {
        $(
            #[doc = $what]
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            #[repr(u8)]
            pub(crate) enum $name { $(#[doc = $meaning] $variant = $number,)* }
        )*

        /// Name and meaning of each enum, and name, number and meaning of each variant.
        #[cfg(test)]
        pub(super) fn codes() -> Vec<(&'static str, &'static str, Vec<(&'static str, u8, &'static str)>)> {
            vec![$((stringify!($name), $what, vec![$((stringify!($variant), $number, $meaning)),*])),*]
        }
    };
}

/// Declares numbers and `constants`, which lists them.
macro_rules! constants {
    ($(#[doc = $meaning:literal] $name:ident: $type:ty = $number:literal;)*) => {
        $(#[doc = $meaning] pub(crate) const $name: $type = $number;)*

        /// Name, number and meaning of each constant.
        #[cfg(test)]
        pub(super) fn constants() -> Vec<(&'static str, String, &'static str)> {
            vec![$((stringify!($name), $name.to_string(), $meaning)),*]
        }
    };
}

codes! {
    /// First byte of a binary message.
    BinaryKind {
        /// Frame: all people at one moment. From the server.
        Frame = 1,
        /// Acknowledgement of a frame, the only byte of the message. From the client.
        FrameSeen = 2,
        /// Poses of the bodies at one or several moments. From the server.
        Poses = 3,
        /// Acknowledgement of poses, the only byte of the message. From the client.
        PosesSeen = 4,
        /// Cast: the looks of people and animals. From the server.
        Cast = 5,
        /// Roles: the look of each person. From the server.
        Roles = 6,
    }
    /// Flag of a frame.
    FrameFlag {
        /// Positions have three bytes instead of two.
        WidePositions = 1,
        /// There are heights.
        Heights = 2,
        /// There are floors.
        Layers = 4,
        /// There are groups; they are not part of states.
        WideGroups = 8,
        /// There are levels of detail.
        Levels = 16,
    }
    /// Column of a frame, in their order.
    FrameColumn {
        /// x: origin + quantum × value.
        X = 0,
        /// y, likewise.
        Y = 1,
        /// Heading, 2π/256 rad counter-clockwise from +x.
        Headings = 2,
        /// Lowest three bits: status; upper five: group, 0 if there are groups.
        States = 3,
        /// Group.
        Groups = 4,
        /// Height: lowest + quantum × value.
        Heights = 5,
        /// Index of the floor.
        Layers = 6,
        /// Lowest two bits: level of detail of the body; next two: head, 0 ahead, 1 to the left, 2 to the right; upper four: take.
        Levels = 7,
        /// Phase of the take, 256ths.
        Phases = 8,
        /// Yaw of body space about the upright axis, 2π/256 rad; 0 faces −y of the ground.
        Yaws = 9,
    }
}

impl FrameFlag {
    /// Returns whether it is one of these flags.
    pub fn is_in(self, flags: u8) -> bool {
        flags & self as u8 != 0
    }
}

impl FrameColumn {
    /// Every column, in their order.
    pub const ALL: [Self; 10] = [
        Self::X,
        Self::Y,
        Self::Headings,
        Self::States,
        Self::Groups,
        Self::Heights,
        Self::Layers,
        Self::Levels,
        Self::Phases,
        Self::Yaws,
    ];

    /// Returns the flag without which there is no such column; `None` if it is in every frame.
    pub fn flag(self) -> Option<FrameFlag> {
        match self {
            Self::X | Self::Y | Self::Headings | Self::States => None,
            Self::Groups => Some(FrameFlag::WideGroups),
            Self::Heights => Some(FrameFlag::Heights),
            Self::Layers => Some(FrameFlag::Layers),
            Self::Levels | Self::Phases | Self::Yaws => Some(FrameFlag::Levels),
        }
    }

    /// Returns the number of bytes for a person.
    #[cfg(test)]
    pub fn size(self, wide_positions: bool) -> usize {
        match self {
            Self::X | Self::Y if wide_positions => 3,
            Self::X | Self::Y | Self::Groups | Self::Heights => 2,
            _ => 1,
        }
    }
}

record! {
    /// Header of a frame.
    FrameHeader {
        /// 1: a frame.
        kind: u8,
        /// Flags.
        flags: u8,
        /// Number that changes when the simulation begins anew, and ids mean other people.
        epoch: u16,
        /// Revision of the scene.
        revision: u32,
        /// Number of the step; of a recording, of the frame.
        step: u32,
        /// Simulated time, s.
        time: f64,
        /// Number of people, n.
        count: u32,
        /// Origin of positions, x and y, m.
        origin: [f32; 2],
        /// Quantum of positions, m.
        quantum: f32,
        /// Smallest height, m.
        lowest: f32,
        /// Quantum of heights, m.
        height_quantum: f32,
    }
    /// Header of a cast.
    CastHeader {
        /// 5: a cast.
        kind: u8,
        /// Number of looks.
        looks: u8,
        /// Number of meshes of a look, finest first.
        meshes: u8,
        /// Number of poses of a take, f.
        frames: u8,
    }
    /// Joint of a skeleton, after its name.
    JointRecord {
        /// Index of the parent, which comes before it; 255 for the root.
        parent: u8,
        /// Position in the parent's space, m.
        translation: [f32; 3],
        /// Rotation in the parent's space at rest: x, y, z, w.
        rotation: [f32; 4],
    }
    /// Size of a mesh.
    MeshHeader {
        /// Number of vertices, v.
        vertices: u16,
        /// Number of triangles, t.
        triangles: u16,
    }
    /// Vertex of a mesh.
    VertexRecord {
        /// Position in body space, 0.1 mm.
        position: [i16; 3],
        /// Normal, 127ths.
        normal: [i8; 3],
        /// Region of the body.
        region: u8,
        /// Joints.
        joints: [u8; 4],
        /// Their weights, 255ths.
        weights: [u8; 4],
    }
    /// Header of roles.
    RolesHeader {
        /// 6: roles.
        kind: u8,
        /// 1 if all earlier roles are to be forgotten, else 0.
        anew: u8,
        /// Epoch, as in frames.
        epoch: u16,
        /// Number of people, n.
        count: u32,
    }
    /// Role of a person.
    RoleRecord {
        /// Index of the look in the cast.
        look: u8,
        /// Scale of the look: 0.5 + value / 65535.
        scale: u16,
        /// Colour of each region, sRGB.
        colours: [[u8; 3]; Region::ALL.len()],
    }
    /// Header of poses.
    PosesHeader {
        /// 3: poses.
        kind: u8,
        /// 0.
        flags: u8,
        /// Epoch, as in frames.
        epoch: u16,
        /// Number of people, n.
        count: u32,
        /// Number of moments, m.
        moments: u16,
    }
    /// Placement of a body, before its pose.
    PlacementRecord {
        /// x, y and height of body space, m.
        position: [f32; 3],
        /// Yaw about the upright axis, 2π/65536 rad; 0 faces −y of the ground.
        yaw: u16,
    }
}

constants! {
    /// Number of the lowest bits of a state that are the status.
    STATUS_BITS: u8 = 3;
    /// Number of the lowest bits of a level that are the level of detail.
    LEVEL_BITS: u8 = 2;
    /// Number of the next bits of a level that are the head.
    HEAD_BITS: u8 = 2;
    /// Unit of lengths in body space, m.
    BODY_QUANTUM: f32 = 0.0001;
    /// Parent of the root joint.
    NO_PARENT: u8 = 255;
    /// Smallest scale of a look; the largest is 1 more.
    SMALLEST_SCALE: f32 = 0.5;
    /// Number of steps of a component of a rotation, from -1/√2 to 1/√2. Even, so that 0 is one of them.
    ROTATION_STEPS: u16 = 32_766;
}
