//! `throng schema`.

use crate::failure::Failure;
use crate::report;

/// Prints the JSON Schema of scene files.
pub fn run() -> Result<(), Failure> {
    report::print_json(&throng::scene_schema())
}
