//! The `throng` command as scripts and people see it: what it prints where, the files it leaves and
//! how it ends.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod animate;
mod bench;
mod benchmarks;
mod calibrate;
mod check;
mod clips;
mod docs;
mod duplicates;
mod elsewhere;
mod evacuate;
mod eval;
mod experiment;
mod export;
mod help;
mod import;
mod info;
mod interruption;
mod measure;
mod output;
mod plot;
mod run;
mod steersuite;
mod studio;
mod support;
mod survey;
mod systems;
