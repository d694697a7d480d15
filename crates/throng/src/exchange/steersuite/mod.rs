//! Files of SteerSuite: recordings of its classic layout, and test cases as scenes.
//!
//! [`RecFile`] and [`RecWriter`] read and write `.rec` files as they are, frame by frame;
//! [`export`](super::export) and [`import`](super::import) make them of recordings and the other way
//! round. [`import_case`] makes a scene of an XML test case. [`validate_rec`] asks whether a `.rec`
//! file can be true.
//!
//! SteerSuite's ground is the plane of x and z, with y up. Here z becomes y, and y the height.

pub mod case;
mod layout;
mod reader;
mod validate;
mod writer;

pub use case::{Case, CaseOptions, CaseWarning, ImportedCase, import_case, is_case, scene_of_case};
pub use layout::{Header, RecAgent, RecBox, RecCamera, RecEntry, RecError};
pub use reader::RecFile;
pub use validate::validate_rec;
pub use writer::RecWriter;

pub(super) use layout::{MAGIC, digits, size_of_file};
