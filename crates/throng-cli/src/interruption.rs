//! Ctrl-C, SIGTERM and SIGHUP as requests to end well.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::Failure;

/// A flag that Ctrl-C raises, as do the signals by which other programs end this one. The second one
/// ends the process at once, as a crash would.
pub fn watch_for_interruption() -> Result<Arc<AtomicBool>, Failure> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = interrupted.clone();
    let handler = move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(Failure::Interrupted.exit_code().into());
        }
    };
    match ctrlc::set_handler(handler) {
        Ok(()) => Ok(interrupted),
        Err(error) => Err(Failure::Work(format!("cannot watch for Ctrl-C: {error}"))),
    }
}
