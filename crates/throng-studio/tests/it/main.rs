//! The studio's server, as a page sees it.
//!
//! All tests are modules of one program: linking one is quicker than linking one for each file.

mod bodies;
mod efforts;
mod evaluation;
mod patterns;
mod robustness;
mod studio;
mod support;
