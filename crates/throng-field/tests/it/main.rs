//! What fields promise to those who lead crowds with them.
//!
//! All tests are modules of one program: linking one is quicker than linking one for each file.

mod contradictions;
mod coverage;
mod diagnostics;
mod editing;
mod interpolation;
mod patches;
mod sampling;
mod support;
mod time;
