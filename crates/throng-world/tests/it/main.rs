//! What scenes, plans and terrain are read as.
//!
//! All tests are modules of one program: linking one is quicker than linking one for each file.

mod broken_scenes;
mod criteria;
mod parties;
mod scene_docs;
mod scene_files;
mod scene_mutations;
mod scene_schema;
mod scene_text;
mod scene_values;
mod survey;
mod terrain;
mod terrain_files;
mod traits;
