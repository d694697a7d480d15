//! Running the command, and scenes to run it with.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// A folder to run commands in.
pub struct Folder(TempDir);

/// How a command ended.
#[derive(Debug)]
pub struct Outcome {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Folder {
    /// An empty folder.
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with a scene in it, called `hall.toml`.
    pub fn with_scene(text: &str) -> Self {
        let folder = Self::new();
        folder.write("hall.toml", text);
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    /// The names of all files, in order.
    pub fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// `throng` with these arguments, to be started in this folder.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
        command.args(arguments);
        self.prepare(command)
    }

    /// Runs `throng` with these arguments.
    pub fn throng(&self, arguments: &[&str]) -> Outcome {
        Outcome::of(&mut self.command(arguments))
    }

    /// Asserts that `throng` with these arguments, separated by blanks, is refused with a message that contains `reason`.
    #[track_caller]
    pub fn refuses(&self, arguments: &str, reason: &str) {
        let words: Vec<&str> = arguments.split_whitespace().collect();
        let message = self.throng(&words).fails(2);
        assert!(message.contains(reason), "{arguments}: {message}");
    }

    /// Runs `throng` in a shell that has been told `before`, for instance its limits.
    pub fn throng_in_shell(&self, before: &str, arguments: &[&str]) -> Outcome {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{before}; exec \"$0\" \"$@\"")]);
        shell.arg(env!("CARGO_BIN_EXE_throng")).args(arguments);
        Outcome::of(&mut self.prepare(shell))
    }

    /// Runs a line of a shell that finds `throng`; its standard error is part of its output.
    pub fn shell(&self, line: &str) -> Outcome {
        let programs = Path::new(env!("CARGO_BIN_EXE_throng")).parent().unwrap().to_owned();
        let others = std::env::var_os("PATH").unwrap_or_default();
        let path = std::iter::once(programs).chain(std::env::split_paths(&others));
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("exec 2>&1\n{line}")]);
        shell.env("PATH", std::env::join_paths(path).unwrap());
        Outcome::of(&mut self.prepare(shell))
    }

    fn prepare(&self, mut command: Command) -> Command {
        // Neither the terminal of whoever runs the tests nor their settings make a difference.
        command.env_remove("COLUMNS").env_remove("CLICOLOR_FORCE").env_remove("RAYON_NUM_THREADS");
        command.current_dir(self.0.path()).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

impl Outcome {
    pub fn of(command: &mut Command) -> Self {
        command.output().unwrap().into()
    }

    /// The standard output of a command that succeeded and had nothing to complain about.
    #[track_caller]
    pub fn ok(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""), "{}", self.out);
        self.out
    }

    /// The only thing on standard output of a command that succeeded.
    #[track_caller]
    pub fn json(self) -> Value {
        parse(&self.ok())
    }

    /// The message of a command that ended with `code` and printed no results.
    #[track_caller]
    pub fn fails(self, code: i32) -> String {
        assert_eq!((self.code, self.out.as_str()), (Some(code), ""), "{}", self.err);
        assert!(!self.err.contains("panicked") && !self.err.is_empty(), "{}", self.err);
        self.err
    }
}

impl From<std::process::Output> for Outcome {
    fn from(output: std::process::Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

/// The one JSON document in `text`.
#[track_caller]
pub fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text:?}"))
}

/// Waits until `condition` holds.
#[track_caller]
pub fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !condition() {
        assert!(begin.elapsed() < Duration::from_secs(60), "still waiting until {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The folder of the scenes that ship.
pub fn shipped_scenes() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes")
}

/// 30 visitors of a hall and some who come and go, for 4 s.
pub const HALL: &str = r#"
format = 1
name = "Hall"
[simulation]
duration = 4
seed = 3
[world]
bounds = [[-10, -10], [10, 10]]
[[obstacles]]
name = "pillar"
circle = { center = [0, 0], radius = 1 }
[[regions]]
name = "floor"
rectangle = [[-8, -8], [8, 8]]
[[regions]]
name = "door"
rectangle = [[8.2, -2], [9.5, 2]]
[[groups]]
name = "visitors"
goals = [{ seek = { random = "floor" } }]
then = "repeat"
crowds = [{ count = 30, region = "floor" }]
[[groups]]
name = "guests"
goals = [{ flow = [-1, 0], duration = 0.5 }, { seek = "door" }]
then = "leave"
sources = [{ region = "door", rate = 2 }]
"#;

/// The hall for so long that nobody waits for the end.
pub fn endless_hall() -> String {
    HALL.replace("duration = 4\n", "duration = 1000000\n")
}

/// A scene with two mistakes, in lines 6 and 8.
pub const BROKEN: &str = r#"format = 1
[world]
bounds = [[0, 0], [10, 10]]
[[groups]]
name = "visitors"
speeed = 1.2
people = [{ position = [5, 5] }]
goals = [{ seek = "exit" }]
"#;
