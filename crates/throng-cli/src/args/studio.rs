//! Arguments of `throng studio`.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;

/// Watch and direct a crowd in the browser
///
/// Simulates a scene in real time and serves a page on which it can be watched, inspected, edited while
/// it runs, recorded and saved. A recording can be played and scrubbed through; oscillations, deadlocks and
/// spins in it are marked. The folder of an evaluation is shown as its report, whose links open
/// recordings at the moments it tells of.
///
/// Only programs on this machine can connect, unless --listen says otherwise; then the printed address
/// has a token in it, without which nobody is let in.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  throng studio plaza.toml               then open the printed address
  throng studio plaza.toml --open        or have it opened
  throng studio plaza-1.parquet          play a recording
  throng studio plaza-1.parquet --at 12.5   or look at one moment of it
  throng studio evaluation               show the report that throng eval --out evaluation made
  throng studio                          begin a new scene
  throng studio plaza.toml --listen 0.0.0.0   for others in the network, who need the printed address

Ctrl-C ends it. What was not saved is lost; recordings are kept.")]
pub struct StudioArguments {
    /// The scene, recording, or folder of an evaluation. A scene file that does not exist is begun empty
    #[arg(value_name = "SCENE.toml|REC.parquet|FOLDER", default_value = "untitled.toml")]
    pub show: PathBuf,
    /// The port to listen at [default: 8730, or the next that is free]
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,
    /// The address to listen at
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub listen: IpAddr,
    /// Stand at this moment of the recording, instead of playing it from the start
    #[arg(long, value_name = "SECONDS", value_parser = moment, allow_negative_numbers = true)]
    pub at: Option<f64>,
    /// Open the page in the browser
    #[arg(long)]
    pub open: bool,
    /// Serve the page from this folder instead of the one built in, for who works on the page
    #[arg(long, value_name = "FOLDER")]
    pub page: Option<PathBuf>,
}

/// A time of a recording.
pub(super) fn moment(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| seconds.is_finite());
    seconds.ok_or_else(|| "it is a time in seconds, e.g. 12.5".into())
}
