//! A finished figure, and the file it becomes.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;

use serde::Serialize;
use throng::place::{FileError, Overwrite, PartFile, place_for};

use crate::PlotError;
use crate::draw::{Page, raster, svg};

/// Pixels per unit of the page if no width is asked for: sharp on screens of today and in print.
const DEFAULT_SCALE: f32 = 2.0;

/// A finished figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What is drawn.
    pub page: Page,
    /// What it is about.
    pub subject: Subject,
}

/// What a figure is about.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Subject {
    /// The kind of figure.
    pub kind: &'static str,
    /// How many different people are in it.
    pub people: u64,
    /// How many frames of the recording were read.
    pub frames: u32,
    /// Time of the first of them, s.
    pub from: f64,
    /// Time of the last of them, s.
    pub to: f64,
    /// The floor, if there is more than one.
    pub layer: Option<String>,
    /// Why the way that was asked for does not exist.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_way: Option<String>,
    /// What one should know about the figure.
    pub notes: Vec<String>,
}

/// A format a figure can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Pixels.
    Png,
    /// Lines and text that can be enlarged and edited.
    Svg,
}

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Written {
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
    /// Length of the file.
    pub bytes: u64,
}

impl Format {
    /// The format that the ending of a file's name stands for.
    ///
    /// # Errors
    ///
    /// If it is neither `.png` nor `.svg`.
    pub fn of_file(path: &Path) -> Result<Self, PlotError> {
        let ending = path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
        match ending.as_deref() {
            Some("png") => Ok(Self::Png),
            Some("svg") => Ok(Self::Svg),
            _ => Err(PlotError::UnknownFormat { path: path.into() }),
        }
    }
}

impl Figure {
    /// The widest picture, in pixels: twice the width of a large screen.
    pub const WIDEST: u32 = 6000;
    /// The narrowest picture, in pixels.
    pub const NARROWEST: u32 = 200;

    /// The figure as a file of a format, `width` pixels wide or as wide as fits its content.
    ///
    /// # Errors
    ///
    /// If it is too large for this machine's memory.
    pub fn encode(&self, format: Format, width: Option<u32>) -> Result<Vec<u8>, PlotError> {
        let width = self.width(width);
        match format {
            Format::Png => raster::png(&self.page, width),
            Format::Svg => svg::write(&self.page, width).map(String::into_bytes),
        }
    }

    /// Writes the figure to a file. The name appears when the file is complete, never before.
    ///
    /// # Errors
    ///
    /// If the name stands for no format, is taken, or cannot be written to.
    pub fn save(
        &self,
        path: &Path,
        width: Option<u32>,
        overwrite: Overwrite,
    ) -> Result<Written, PlotError> {
        let format = Format::of_file(path)?;
        let (part, mut file) = PartFile::create(path, overwrite)?;
        let content = self.encode(format, width)?;
        file.write_all(&content).map_err(FileError::io("write", path))?;
        let bytes = part.publish()?;
        let width = self.width(width);
        Ok(Written { width, height: raster::height_for(&self.page, width), bytes })
    }

    fn width(&self, asked: Option<u32>) -> u32 {
        let fitting = (self.page.size.x * DEFAULT_SCALE).round() as u32;
        asked.unwrap_or(fitting).clamp(Self::NARROWEST, Self::WIDEST)
    }
}

/// Fails if `path` names something that may not be replaced.
///
/// # Errors
///
/// [`FileError::Exists`], or [`FileError::NoPlace`] if no file can be there at all.
pub fn check_free(path: &Path, overwrite: Overwrite) -> Result<(), PlotError> {
    place_for(path, overwrite)?;
    Ok(())
}
