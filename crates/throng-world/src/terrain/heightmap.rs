//! Greyscale PNG images read as tables of levels, and written.

use std::io::Cursor;

use png::{BitDepth, ColorType, Decoder, DecodingError, Reader};

use super::heightfield::check_samples;

/// A greyscale image with its top row first, as files have it.
pub(super) struct Image {
    /// Pixels in a row.
    pub columns: usize,
    /// Rows.
    pub rows: usize,
    /// 1 or 2, the more significant one first.
    bytes_per_pixel: usize,
    bytes: Vec<u8>,
}

impl Image {
    /// Black becomes `low`, white `high`; the rows are turned over, so that y grows.
    pub fn heights(&self, low: f32, high: f32) -> Vec<f32> {
        let white = f64::from((1u32 << (8 * self.bytes_per_pixel)) - 1);
        let (low, range) = (f64::from(low), f64::from(high) - f64::from(low));
        let height = |pixel: &[u8]| {
            let level = pixel.iter().fold(0, |level, byte| level << 8 | u32::from(*byte));
            (low + range * (f64::from(level) / white)) as f32
        };
        self.bytes
            .chunks_exact(self.columns * self.bytes_per_pixel)
            .rev()
            .flat_map(|row| row.chunks_exact(self.bytes_per_pixel).map(height))
            .collect()
    }
}

/// Decodes a PNG file of 8 or 16 bits of grey. The size in the header is checked before any memory
/// for pixels is asked for.
pub(super) fn decode(file: &[u8]) -> Result<Image, String> {
    let mut decoder = Decoder::new(Cursor::new(file));
    // Neither matters for heights, and either may be damaged or larger than the decoder's limits.
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let header = decoder.read_header_info().map_err(|error| unreadable(&error))?;
    let (columns, rows) = (header.width as usize, header.height as usize);
    check_samples(columns, rows).map_err(|error| error.to_string())?;
    let bytes_per_pixel = match (header.color_type, header.bit_depth) {
        (ColorType::Grayscale, BitDepth::Eight) => 1,
        (ColorType::Grayscale, BitDepth::Sixteen) => 2,
        (colour, depth) => {
            return Err(format!(
                "the image is {colour:?} with {} bits per channel; a heightmap must be greyscale \
                 without alpha, with 16 bits (or 8, which is coarse)",
                depth as u8
            ));
        }
    };
    let bytes = pixels(decoder.read_info().map_err(|error| unreadable(&error))?)?;
    Ok(Image { columns, rows, bytes_per_pixel, bytes })
}

/// A PNG file of 16 bits of grey, with `low` black and `high` white, of heights row by row from the
/// smallest y.
pub(crate) fn encode(
    columns: usize,
    heights: &[f32],
    low: f32,
    high: f32,
) -> Result<Vec<u8>, png::EncodingError> {
    let level = |height: &f32| {
        let share = f64::from(height - low) / f64::from(high - low);
        ((share * 65535.0).round() as u16).to_be_bytes()
    };
    let rows = heights.chunks_exact(columns);
    let size = (columns as u32, rows.len() as u32);
    let pixels: Vec<u8> = rows.rev().flat_map(|row| row.iter().flat_map(level)).collect();
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, size.0, size.1);
    encoder.set_color(ColorType::Grayscale);
    encoder.set_depth(BitDepth::Sixteen);
    encoder.set_compression(png::Compression::High);
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(file)
}

fn pixels(mut reader: Reader<Cursor<&[u8]>>) -> Result<Vec<u8>, String> {
    let size = reader.output_buffer_size().ok_or("the image is too large")?;
    let mut bytes = vec![0; size];
    let frame = reader.next_frame(&mut bytes).map_err(|error| unreadable(&error))?;
    if frame.buffer_size() != size {
        return Err("the image's first frame does not fill it".into());
    }
    Ok(bytes)
}

fn unreadable(error: &DecodingError) -> String {
    format!("not a readable PNG image: {error}")
}
