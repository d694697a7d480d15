//! What is where in a `.rec` file, and what can be wrong with it.
//!
//! Everything is little-endian and four bytes wide: a header of 17 words; lists of cameras and of
//! obstacles; frames, each with 44 bytes for every agent, there or not; and a table that tells time
//! and place of each frame. The header tells where the others are, so their order does not matter.
//! Version 2 adds the name of the test case. The layout is that of the public SteerSuite release
//! (Singh, Kapadia, Faloutsos, Reinman, MIG 2009).
//!
//! Nothing in a file is trusted: counts are held against its length before memory is asked for.

use std::io;

use thiserror::Error;

/// The first word of every file.
pub(crate) const MAGIC: u32 = 0x0F8C_2951;
/// The version that is written.
pub(super) const VERSION: u32 = 2;

pub(super) const HEADER_SIZE: u32 = 17 * 4;
pub(super) const CAMERA_SIZE: u32 = 9 * 4;
pub(super) const BOX_SIZE: u32 = 6 * 4;
pub(super) const AGENT_SIZE: u32 = 11 * 4;
pub(super) const ENTRY_SIZE: u32 = 3 * 4;

/// The header of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Header {
    /// 1 or 2.
    pub version: u32,
    /// How many cameras are suggested.
    pub cameras: u32,
    /// How many obstacles there are.
    pub obstacles: u32,
    /// How many agents every frame has.
    pub agents: u32,
    /// How many frames there are.
    pub frames: u32,
    /// Time from the first frame to the last, s.
    pub total_time: f32,
    /// Where the name of the test case is; 0 if there is none.
    pub name_offset: u32,
    /// Where the list of cameras is.
    pub cameras_offset: u32,
    /// Where the list of obstacles is.
    pub obstacles_offset: u32,
    /// Where the table of frames is.
    pub table_offset: u32,
    /// Where the first frame is.
    pub first_frame_offset: u32,
}

/// A view that a recording suggests.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RecCamera {
    /// Where it is, m.
    pub position: [f32; 3],
    /// What it looks at, m.
    pub look_at: [f32; 3],
    /// What is up for it.
    pub up: [f32; 3],
}

/// An obstacle: a box along the axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RecBox {
    /// The corner with the smallest coordinates, m.
    pub min: [f32; 3],
    /// The corner with the largest coordinates, m.
    pub max: [f32; 3],
}

/// An agent in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RecAgent {
    /// Whether the agent is there. If not, nothing else means anything.
    pub enabled: bool,
    /// Where the agent is, m.
    pub position: [f32; 3],
    /// Where the agent faces.
    pub direction: [f32; 3],
    /// Where the agent wants to go, m.
    pub goal: [f32; 3],
    /// Radius, m.
    pub radius: f32,
}

/// What the table tells of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RecEntry {
    /// When it is, s.
    pub time: f32,
    /// Time until the next one, s; 0 of the last.
    pub to_next: f32,
    /// Where it is in the file.
    pub offset: u32,
}

/// Why a `.rec` file cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecError {
    /// The operating system refused.
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
    /// It is shorter than a header.
    #[error("it ends within its header, which has {HEADER_SIZE} bytes: the file has {length}")]
    TruncatedHeader {
        /// Length of the file.
        length: u64,
    },
    /// It is something else.
    #[error(
        "it is no rec file of SteerSuite: it begins with {found:#010x} instead of {MAGIC:#010x}{}",
        if found.swap_bytes() == MAGIC { ", so it was written on a big-endian machine" } else { "" }
    )]
    WrongMagic {
        /// Its first word.
        found: u32,
    },
    /// It is of a version that is not known.
    #[error("it is a rec file of version {found}; versions 1 and 2 can be read")]
    Version {
        /// Its version.
        found: u32,
    },
    /// The recording was never finished: its table is missing.
    #[error("it was not finished when it was recorded: it has no table of frames")]
    Unfinished,
    /// A size in the header contradicts a count.
    #[error("its header says that {what} has {found} bytes, but by its counts it has {expected}")]
    Size {
        /// What it is about.
        what: &'static str,
        /// What the header says.
        found: u32,
        /// What it should say.
        expected: u64,
    },
    /// There cannot be so many of something in a file of this length.
    #[error("its header claims {count} {what}, which do not fit into its {length} bytes")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many.
        count: u32,
        /// Length of the file.
        length: u64,
    },
    /// Something should be where the file does not reach.
    #[error("its {what} should begin at byte {offset}, but the file has {length} bytes")]
    Outside {
        /// What.
        what: &'static str,
        /// Where it should begin.
        offset: u32,
        /// Length of the file.
        length: u64,
    },
    /// The file ends within something other than a frame.
    #[error("it ends within its {what}, which reaches to byte {end}: the file has {length} bytes")]
    Truncated {
        /// What.
        what: &'static str,
        /// Where it should end.
        end: u64,
        /// Length of the file.
        length: u64,
    },
    /// A frame is where the file does not reach, or reaches beyond its end.
    #[error(
        "it ends within frame {frame}, which reaches to byte {end}: the file has {length} bytes"
    )]
    TruncatedFrame {
        /// Which frame, from 0.
        frame: u32,
        /// Where it should end.
        end: u64,
        /// Length of the file.
        length: u64,
    },
    /// A frame is over before it begins.
    #[error("the time from frame {frame} to the next is {step} s; it must be above 0")]
    Step {
        /// Which frame, from 0.
        frame: u32,
        /// What the table says, s.
        step: f32,
    },
    /// A frame is not later than the one before it.
    #[error("frame {frame} is at {time} s, but the frame before it is at {before} s")]
    Order {
        /// Which frame, from 0.
        frame: u32,
        /// Time of the frame before, s.
        before: f32,
        /// Its time, s.
        time: f32,
    },
    /// Somebody is nowhere.
    #[error("agent {agent} in frame {frame}: {what} is not finite")]
    NotFinite {
        /// Who, from 0.
        agent: u32,
        /// Which frame, from 0.
        frame: u32,
        /// What of them.
        what: &'static str,
    },
}

/// How many bytes a file has whose other parts have the given counts.
pub(crate) fn size_of_file(
    name: &str,
    cameras: u64,
    obstacles: u64,
    agents: u64,
    frames: u64,
) -> u64 {
    let lists = u64::from(CAMERA_SIZE) * cameras + u64::from(BOX_SIZE) * obstacles;
    let frame = u64::from(AGENT_SIZE).saturating_mul(agents) + u64::from(ENTRY_SIZE);
    u64::from(HEADER_SIZE)
        .saturating_add(padded_name(name).len() as u64)
        .saturating_add(lists)
        .saturating_add(frame.saturating_mul(frames))
}

/// A name as it is written: it ends with a zero, and what follows begins at a whole word.
pub(super) fn padded_name(name: &str) -> Vec<u8> {
    let mut bytes: Vec<u8> = name.bytes().filter(|&byte| byte != 0).collect();
    bytes.push(0);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

impl Header {
    pub(super) fn to_bytes(self) -> [u8; HEADER_SIZE as usize] {
        let words = [
            MAGIC,
            self.version,
            HEADER_SIZE,
            CAMERA_SIZE.wrapping_mul(self.cameras),
            BOX_SIZE.wrapping_mul(self.obstacles),
            AGENT_SIZE.wrapping_mul(self.agents),
            ENTRY_SIZE.wrapping_mul(self.frames),
            self.cameras,
            self.obstacles,
            self.agents,
            self.frames,
            self.total_time.to_bits(),
            self.name_offset,
            self.cameras_offset,
            self.obstacles_offset,
            self.table_offset,
            self.first_frame_offset,
        ];
        let mut bytes = [0; HEADER_SIZE as usize];
        for (place, word) in bytes.chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// Reads a header and holds it against the length of its file.
    pub(super) fn parse(bytes: &[u8; HEADER_SIZE as usize], length: u64) -> Result<Self, RecError> {
        let word = |index: usize| words(bytes).nth(index).unwrap_or_default();
        let (magic, version) = (word(0), word(1));
        if magic != MAGIC {
            return Err(RecError::WrongMagic { found: magic });
        }
        if !(1..=VERSION).contains(&version) {
            return Err(RecError::Version { found: version });
        }
        let header = Self {
            version,
            cameras: word(7),
            obstacles: word(8),
            agents: word(9),
            frames: word(10),
            total_time: f32::from_bits(word(11)),
            name_offset: word(12),
            cameras_offset: word(13),
            obstacles_offset: word(14),
            table_offset: word(15),
            first_frame_offset: word(16),
        };
        if header.table_offset == 0 {
            return Err(RecError::Unfinished);
        }
        let sizes = [
            ("the header", word(2), HEADER_SIZE, 1),
            ("the list of cameras", word(3), CAMERA_SIZE, header.cameras),
            ("the list of obstacles", word(4), BOX_SIZE, header.obstacles),
            ("a frame", word(5), AGENT_SIZE, header.agents),
            ("the table of frames", word(6), ENTRY_SIZE, header.frames),
        ];
        header.check_counts(length)?;
        for (what, found, each, count) in sizes {
            let expected = u64::from(each) * u64::from(count);
            if u64::from(found) != expected {
                return Err(RecError::Size { what, found, expected });
            }
        }
        header.check_places(length)?;
        Ok(header)
    }

    /// Whether the file is long enough for as many of everything, so that no count can ask for
    /// memory that the file does not account for.
    fn check_counts(&self, length: u64) -> Result<(), RecError> {
        let agents = if self.frames > 0 { self.agents } else { 0 };
        let counts = [
            ("cameras", self.cameras, CAMERA_SIZE),
            ("obstacles", self.obstacles, BOX_SIZE),
            ("agents", agents, AGENT_SIZE),
            ("frames", self.frames, ENTRY_SIZE),
        ];
        let room = length - u64::from(HEADER_SIZE).min(length);
        for (what, count, each) in counts {
            if u64::from(each) * u64::from(count) > room {
                return Err(RecError::TooMany { what, count, length });
            }
        }
        Ok(())
    }

    /// Whether all frames have places of their own. Frames that share theirs would make a short file
    /// a long recording.
    pub(super) fn check_room(&self, length: u64) -> Result<(), RecError> {
        let frame = u64::from(AGENT_SIZE) * u64::from(self.agents) + u64::from(ENTRY_SIZE);
        if frame.saturating_mul(self.frames.into()) > length {
            return Err(RecError::TooMany { what: "frames", count: self.frames, length });
        }
        Ok(())
    }

    fn check_places(&self, length: u64) -> Result<(), RecError> {
        let table = u64::from(ENTRY_SIZE) * u64::from(self.frames);
        let parts = [
            (
                "list of cameras",
                self.cameras_offset,
                u64::from(CAMERA_SIZE) * u64::from(self.cameras),
            ),
            (
                "list of obstacles",
                self.obstacles_offset,
                u64::from(BOX_SIZE) * u64::from(self.obstacles),
            ),
            ("table of frames", self.table_offset, table),
        ];
        for (what, offset, size) in parts {
            if size == 0 {
                continue;
            }
            if u64::from(offset) >= length {
                return Err(RecError::Outside { what, offset, length });
            }
            let end = u64::from(offset) + size;
            if end > length {
                return Err(RecError::Truncated { what, end, length });
            }
        }
        let named = self.version >= 2 && self.name_offset != 0;
        if named && u64::from(self.name_offset) >= length {
            let offset = self.name_offset;
            return Err(RecError::Outside { what: "name of the test case", offset, length });
        }
        Ok(())
    }
}

impl RecCamera {
    pub(super) fn to_bytes(self) -> Vec<u8> {
        bytes_of([self.position, self.look_at, self.up].into_iter().flatten())
    }

    pub(super) fn parse(bytes: &[u8]) -> Self {
        let number = numbers(bytes);
        Self { position: three(&number, 0), look_at: three(&number, 3), up: three(&number, 6) }
    }
}

impl RecBox {
    pub(super) fn to_bytes(self) -> Vec<u8> {
        bytes_of(self.min.into_iter().zip(self.max).flat_map(|(min, max)| [min, max]))
    }

    pub(super) fn parse(bytes: &[u8]) -> Self {
        let number = numbers(bytes);
        let at = |index: usize| number.get(index).copied().unwrap_or_default();
        Self { min: [at(0), at(2), at(4)], max: [at(1), at(3), at(5)] }
    }

    /// Whether it is a box that something can bump into: finite, and with an area.
    pub fn is_solid(&self) -> bool {
        let finite = self.min.iter().chain(&self.max).all(|x| x.is_finite());
        finite && self.min[0] < self.max[0] && self.min[2] < self.max[2]
    }
}

impl RecAgent {
    pub(super) fn append_to(&self, bytes: &mut Vec<u8>) {
        bytes.extend([u8::from(self.enabled), 0, 0, 0]);
        let numbers = [self.position, self.direction, self.goal].into_iter().flatten();
        bytes.extend(numbers.chain([self.radius]).flat_map(f32::to_le_bytes));
    }

    pub(super) fn parse(bytes: &[u8]) -> Self {
        let number = numbers(bytes.get(4..).unwrap_or_default());
        Self {
            enabled: bytes.first().is_some_and(|&byte| byte != 0),
            position: three(&number, 0),
            direction: three(&number, 3),
            goal: three(&number, 6),
            radius: number.get(9).copied().unwrap_or_default(),
        }
    }

    /// What of an agent who is there is not finite, if anything.
    pub fn not_finite(&self) -> Option<&'static str> {
        let finite = |numbers: &[f32]| numbers.iter().all(|x| x.is_finite());
        let parts = [
            ("the position", finite(&self.position)),
            ("the direction", finite(&self.direction)),
            ("the radius", self.radius.is_finite()),
        ];
        let first = parts.into_iter().find(|(_, finite)| !finite).map(|(what, _)| what);
        first.filter(|_| self.enabled)
    }
}

impl RecEntry {
    pub(super) fn to_bytes(self) -> [u8; ENTRY_SIZE as usize] {
        let mut bytes = [0; ENTRY_SIZE as usize];
        let words = [self.time.to_bits(), self.to_next.to_bits(), self.offset];
        for (place, word) in bytes.chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    pub(super) fn parse(bytes: &[u8]) -> Self {
        let mut words = words(bytes);
        let mut next = || words.next().unwrap_or_default();
        let (time, to_next) = (f32::from_bits(next()), f32::from_bits(next()));
        Self { time, to_next, offset: next() }
    }
}

/// The number that somebody meant who wrote `time`: 0.1 rather than 0.10000000149.
pub(crate) fn digits(time: f32) -> f64 {
    time.to_string().parse().unwrap_or(time.into())
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
}

fn numbers(bytes: &[u8]) -> Vec<f32> {
    words(bytes).map(f32::from_bits).collect()
}

fn three(numbers: &[f32], first: usize) -> [f32; 3] {
    let at = |index: usize| numbers.get(index).copied().unwrap_or_default();
    [at(first), at(first + 1), at(first + 2)]
}

fn bytes_of(numbers: impl Iterator<Item = f32>) -> Vec<u8> {
    numbers.flat_map(f32::to_le_bytes).collect()
}
