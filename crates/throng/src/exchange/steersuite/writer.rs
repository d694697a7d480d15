//! Writing `.rec` files, frame by frame.

use std::io::{self, Seek, SeekFrom, Write};

use super::layout::{
    AGENT_SIZE, BOX_SIZE, CAMERA_SIZE, HEADER_SIZE, Header, RecAgent, RecBox, RecCamera, RecEntry,
    VERSION, padded_name,
};

/// A `.rec` file of version 2 that is being written. It can be read once it is
/// [finished](Self::finish): the table of frames and the header come last.
#[derive(Debug)]
pub struct RecWriter<W> {
    out: W,
    header: Header,
    table: Vec<RecEntry>,
    /// Time of the last frame, s, with the digits that `f32` has not.
    last: f64,
    /// Where the next frame begins.
    offset: u64,
    bytes: Vec<u8>,
}

impl<W: Write + Seek> RecWriter<W> {
    /// Begins a file for `agents` agents at the beginning of `out`. `name` is that of the test case.
    ///
    /// # Errors
    ///
    /// Those of `out`, and if lists are so long that the layout has no words for it.
    pub fn begin(
        mut out: W,
        name: &str,
        agents: u32,
        cameras: &[RecCamera],
        obstacles: &[RecBox],
    ) -> io::Result<Self> {
        let name = padded_name(name);
        let mut offset = u64::from(HEADER_SIZE);
        let mut place = |length: usize, each: u32| {
            let here = offset;
            offset += length as u64 * u64::from(each);
            word(here)
        };
        let header = Header {
            version: VERSION,
            cameras: word(cameras.len() as u64)?,
            obstacles: word(obstacles.len() as u64)?,
            agents,
            name_offset: place(name.len(), 1)?,
            cameras_offset: place(cameras.len(), CAMERA_SIZE)?,
            obstacles_offset: place(obstacles.len(), BOX_SIZE)?,
            first_frame_offset: place(0, 0)?,
            ..Header::default()
        };
        // A header without a table is how readers know a file that was not finished.
        out.write_all(&header.to_bytes())?;
        out.write_all(&name)?;
        cameras.iter().try_for_each(|camera| out.write_all(&camera.to_bytes()))?;
        obstacles.iter().try_for_each(|obstacle| out.write_all(&obstacle.to_bytes()))?;
        Ok(Self { out, header, table: Vec::new(), last: 0.0, offset, bytes: Vec::new() })
    }

    /// Appends a frame at `time`, s, later than those before.
    ///
    /// # Errors
    ///
    /// Those of the output, if there are not as many agents as were announced, if the frame is not
    /// later than the one before, and if the file would have more than 4 GiB.
    pub fn frame(&mut self, time: f64, agents: &[RecAgent]) -> io::Result<()> {
        if agents.len() != self.header.agents as usize {
            let message = format!("{} agents instead of {}", agents.len(), self.header.agents);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        if let Some(before) = self.table.last_mut() {
            if time as f32 <= before.time {
                let message = format!("a frame at {time} s after one at {} s", before.time);
                return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
            }
            before.to_next = (time - self.last) as f32;
        }
        let offset = word(self.offset)?;
        self.bytes.clear();
        agents.iter().for_each(|agent| agent.append_to(&mut self.bytes));
        self.out.write_all(&self.bytes)?;
        self.table.push(RecEntry { time: time as f32, to_next: 0.0, offset });
        self.last = time;
        self.offset += agents.len() as u64 * u64::from(AGENT_SIZE);
        Ok(())
    }

    /// Writes the table and the header.
    ///
    /// # Errors
    ///
    /// Those of the output, and if the file would have more than 4 GiB.
    pub fn finish(mut self) -> io::Result<W> {
        self.header.table_offset = word(self.offset)?;
        self.header.frames = word(self.table.len() as u64)?;
        if let (Some(first), Some(last)) = (self.table.first(), self.table.last()) {
            self.header.total_time = last.time - first.time;
        }
        self.table.iter().try_for_each(|entry| self.out.write_all(&entry.to_bytes()))?;
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&self.header.to_bytes())?;
        self.out.flush()?;
        Ok(self.out)
    }
}

fn word(value: u64) -> io::Result<u32> {
    u32::try_from(value)
        .map_err(|_| io::Error::new(io::ErrorKind::FileTooLarge, "a rec file has at most 4 GiB"))
}
