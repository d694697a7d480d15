//! Reading `.rec` files, frame by frame.

use std::io::{Read, Seek, SeekFrom};

use super::layout::{
    AGENT_SIZE, BOX_SIZE, CAMERA_SIZE, ENTRY_SIZE, HEADER_SIZE, Header, RecAgent, RecBox,
    RecCamera, RecEntry, RecError,
};

/// Longer names of test cases are cut.
const LONGEST_NAME: u64 = 4096;

/// A `.rec` file of version 1 or 2.
#[derive(Debug)]
pub struct RecFile<R> {
    input: R,
    header: Header,
    name: String,
    cameras: Vec<RecCamera>,
    obstacles: Vec<RecBox>,
    table: Vec<RecEntry>,
    bytes: Vec<u8>,
}

impl<R: Read + Seek> RecFile<R> {
    /// Reads everything but the frames, and makes sure that these are in the file.
    ///
    /// What is in the table and the frames is taken as it is; see [`Self::check_times`] and
    /// [`Self::checked_frame`].
    ///
    /// # Errors
    ///
    /// If it is something else or damaged.
    pub fn open(mut input: R) -> Result<Self, RecError> {
        let length = input.seek(SeekFrom::End(0))?;
        if length < u64::from(HEADER_SIZE) {
            let mut start = [0; 4];
            if length >= 4 {
                input.seek(SeekFrom::Start(0))?;
                input.read_exact(&mut start)?;
                let found = u32::from_le_bytes(start);
                if found != super::MAGIC {
                    return Err(RecError::WrongMagic { found });
                }
            }
            return Err(RecError::TruncatedHeader { length });
        }
        let mut bytes = [0; HEADER_SIZE as usize];
        input.seek(SeekFrom::Start(0))?;
        input.read_exact(&mut bytes)?;
        let header = Header::parse(&bytes, length)?;
        let mut file = Self {
            input,
            header,
            name: String::new(),
            cameras: Vec::new(),
            obstacles: Vec::new(),
            table: Vec::new(),
            bytes: Vec::new(),
        };
        if header.version >= 2 && header.name_offset != 0 {
            file.name = file.read_name(length)?;
        }
        let (at, count) = (header.cameras_offset, header.cameras);
        file.cameras = file.list(at, count, CAMERA_SIZE, RecCamera::parse)?;
        let (at, count) = (header.obstacles_offset, header.obstacles);
        file.obstacles = file.list(at, count, BOX_SIZE, RecBox::parse)?;
        let (at, count) = (header.table_offset, header.frames);
        file.table = file.list(at, count, ENTRY_SIZE, RecEntry::parse)?;
        let size = u64::from(AGENT_SIZE) * u64::from(header.agents);
        for (frame, entry) in (0..).zip(&file.table) {
            let end = u64::from(entry.offset) + size;
            if end > length {
                return Err(RecError::TruncatedFrame { frame, end, length });
            }
        }
        header.check_room(length)?;
        Ok(file)
    }

    /// What its header says.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Name of the test case; empty if there is none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The views it suggests.
    pub fn cameras(&self) -> &[RecCamera] {
        &self.cameras
    }

    /// Its obstacles.
    pub fn obstacles(&self) -> &[RecBox] {
        &self.obstacles
    }

    /// What its table tells of every frame.
    pub fn entries(&self) -> &[RecEntry] {
        &self.table
    }

    /// Makes sure that times ascend, and by the time to the next frame, too.
    ///
    /// # Errors
    ///
    /// About the first frame where they do not.
    pub fn check_times(&self) -> Result<(), RecError> {
        for (frame, pair) in (1..).zip(self.table.windows(2)) {
            let (before, here) = (pair[0], pair[1]);
            // Not a number is not above anything.
            if !(here.time > before.time && here.time.is_finite()) {
                return Err(RecError::Order { frame, before: before.time, time: here.time });
            }
            if !(before.to_next > 0.0 && before.to_next.is_finite()) {
                return Err(RecError::Step { frame: frame - 1, step: before.to_next });
            }
        }
        match self.table.first() {
            Some(first) if !first.time.is_finite() => {
                Err(RecError::Order { frame: 0, before: first.time, time: first.time })
            }
            _ => Ok(()),
        }
    }

    /// Reads a frame as it is into `agents`. There is none beyond the last.
    ///
    /// # Errors
    ///
    /// Those of the input.
    pub fn frame(&mut self, index: u32, agents: &mut Vec<RecAgent>) -> Result<(), RecError> {
        agents.clear();
        let Some(&entry) = self.table.get(index as usize) else { return Ok(()) };
        let (at, count) = (entry.offset, self.header.agents);
        self.read_at(at.into(), u64::from(AGENT_SIZE) * u64::from(count))?;
        agents.extend(self.bytes.chunks_exact(AGENT_SIZE as usize).map(RecAgent::parse));
        Ok(())
    }

    /// Reads a frame in which all who are there have finite positions, directions and radii.
    ///
    /// # Errors
    ///
    /// Those of the input, and if somebody has not.
    pub fn checked_frame(
        &mut self,
        index: u32,
        agents: &mut Vec<RecAgent>,
    ) -> Result<(), RecError> {
        self.frame(index, agents)?;
        for (agent, found) in (0..).zip(agents.iter()) {
            if let Some(what) = found.not_finite() {
                return Err(RecError::NotFinite { agent, frame: index, what });
            }
        }
        Ok(())
    }

    /// `count` things of `each` bytes, which the header has made sure are in the file.
    fn list<T>(
        &mut self,
        offset: u32,
        count: u32,
        each: u32,
        parse: impl Fn(&[u8]) -> T,
    ) -> Result<Vec<T>, RecError> {
        if count == 0 {
            return Ok(Vec::new());
        }
        self.read_at(offset.into(), u64::from(each) * u64::from(count))?;
        Ok(self.bytes.chunks_exact(each as usize).map(parse).collect())
    }

    fn read_name(&mut self, length: u64) -> Result<String, RecError> {
        let offset = u64::from(self.header.name_offset);
        self.read_at(offset, (length - offset).min(LONGEST_NAME))?;
        let end = self.bytes.iter().position(|&byte| byte == 0).unwrap_or(self.bytes.len());
        Ok(String::from_utf8_lossy(&self.bytes[..end]).into_owned())
    }

    fn read_at(&mut self, offset: u64, length: u64) -> Result<(), RecError> {
        self.input.seek(SeekFrom::Start(offset))?;
        self.bytes.resize(length as usize, 0);
        Ok(self.input.read_exact(&mut self.bytes)?)
    }
}
