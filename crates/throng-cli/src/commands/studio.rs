//! `throng studio`.

use std::io;
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use throng_eval::report::STUDIO_PORT;
use throng_studio::{Running, Studio, StudioError, StudioOptions};

use crate::args::StudioArguments;
use crate::failure::Failure;
use crate::interruption::watch_for_interruption;
use crate::report;

/// How many ports are tried.
const PORTS: u16 = 20;
/// How often Ctrl-C is looked for.
const ATTENTION: Duration = Duration::from_millis(50);

/// Shows a scene, a recording or the folder of an evaluation until Ctrl-C.
pub fn run(arguments: &StudioArguments) -> Result<(), Failure> {
    let interrupted = watch_for_interruption()?;
    let running = start(arguments)?;
    report::print(format_args!(
        "{} is at\n\n  {}\n\nCtrl-C ends it.",
        arguments.show.display(),
        running.url()
    ))?;
    if arguments.open && !open(running.url()) {
        report::warning("no browser could be started: please open the address yourself");
    }
    while !interrupted.load(Ordering::Relaxed) && !running.is_over() {
        thread::sleep(ATTENTION);
    }
    let is_asked_for = interrupted.load(Ordering::Relaxed);
    running.close();
    match is_asked_for {
        true => Ok(()),
        false => Err(Failure::Work("the simulation has stopped; please report how".into())),
    }
}

fn start(arguments: &StudioArguments) -> Result<Running, Failure> {
    let open = |port| {
        let page = arguments.page.clone();
        let options = StudioOptions { address: arguments.listen, port, page, at: arguments.at };
        Studio::open(&arguments.show, &options)
    };
    let studio = match arguments.port {
        Some(port) => open(port),
        // The first that is free of those that people may remember, or any.
        None => (STUDIO_PORT..STUDIO_PORT + PORTS)
            .map(open)
            .find(|studio| !is_in_use(studio))
            .unwrap_or_else(|| open(0)),
    };
    Ok(studio?.start()?)
}

fn is_in_use(studio: &Result<Studio, StudioError>) -> bool {
    matches!(studio, Err(StudioError::Listen { source, .. }) if source.kind() == io::ErrorKind::AddrInUse)
}

/// Has the operating system open an address; `false` if it does not know how.
fn open(url: &str) -> bool {
    let (program, arguments) = match std::env::consts::OS {
        "macos" => ("open", vec![url]),
        "windows" => ("cmd", vec!["/c", "start", "", url]),
        _ => ("xdg-open", vec![url]),
    };
    let started = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    started.is_ok()
}
