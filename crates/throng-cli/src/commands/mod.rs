//! One module for each command, with a function `run` that does it.

pub mod animate;
pub mod bench;
pub mod calibrate;
pub mod check;
pub mod clips;
pub mod completions;
pub mod evacuate;
pub mod eval;
pub mod experiment;
pub mod export;
mod film;
pub mod import;
pub mod info;
pub mod measure;
pub mod plot;
pub mod rec;
pub mod run;
pub mod schema;
pub mod studio;
pub mod survey;

use std::path::Path;

/// Whether two paths lead to the same file. What is to be written must not be what is read.
fn is_same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
