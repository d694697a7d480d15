//! What it costs to show a crowd: 10,000 people at 30 frames per second to one client, and how long it
//! takes from an arrow to the first velocity that it has changed; and what bodies cost.
//!
//! Processor time is that of the server's thread, as the operating system counts it, and what the stage
//! says it takes to make frames.

#[path = "../tests/it/support/mod.rs"]
mod support;

use std::fs;
use std::time::{Duration, Instant};

use serde_json::json;

use self::support::Client;

/// How long each measurement takes.
const DURATION: Duration = Duration::from_secs(10);
const EDITS: usize = 40;

fn scene(people: usize) -> String {
    // One person per four square metres.
    let half = (people as f64).sqrt();
    format!(
        "format = 1
[simulation]
step = 0.0333333
[world]
bounds = [[-{half}, -{half}], [{half}, {half}]]
[[regions]]
name = \"square\"
rectangle = [[-{half}, -{half}], [{half}, {half}]]
[[fields]]
name = \"stream\"
anchors = [{{ at = [0, 0], velocity = [1, 0] }}]
[[groups]]
name = \"walkers\"
led = {{ by = [\"stream\"], share = 0.5 }}
goals = [{{ seek = {{ random = \"square\" }} }}]
then = \"repeat\"
crowds = [{{ count = {people}, region = \"square\", arrangement = \"grid\" }}]
"
    )
}

/// Processor time of the threads of this process that have a name, s.
fn processor_time(name: &str) -> f64 {
    let tasks = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let times = tasks.filter_map(|task| {
        let stat = fs::read_to_string(task.path().join("stat")).ok()?;
        let (head, rest) = stat.rsplit_once(") ")?;
        if !head.ends_with(&format!("({name}")) {
            return None;
        }
        let fields: Vec<&str> = rest.split(' ').collect();
        let ticks = |index: usize| fields.get(index)?.parse::<f64>().ok();
        // User and system time, in hundredths of a second.
        Some((ticks(11)? + ticks(12)?) / 100.0)
    });
    times.sum()
}

fn main() {
    let folder = tempfile::tempdir().expect("there is room for a file");
    println!("people   frames/s  bytes/person  server      making frames  both       pace");
    for people in [1_000, 10_000, 20_000] {
        let path = folder.path().join(format!("square-{people}.toml"));
        fs::write(&path, scene(people)).expect("there is room for a file");
        let studio = support::open(&path, 0);
        let mut client = Client::join_at_rate(studio.address(), 30);
        let warm = Instant::now();
        while warm.elapsed() < Duration::from_secs(2) {
            client.read();
        }
        let (frames, bytes, begin) = (client.frames, client.bytes, Instant::now());
        let before = processor_time("server");
        let (mut frame_times, mut paces) = (Vec::new(), Vec::new());
        while begin.elapsed() < DURATION {
            client.read();
            frame_times.extend(client.state["frame_ms"].as_f64());
            paces.extend(client.state["pace"].as_f64());
        }
        let elapsed = begin.elapsed().as_secs_f64();
        let rate = (client.frames - frames) as f64 / elapsed;
        let each = (client.bytes - bytes) as f64 / (client.frames - frames) as f64 / people as f64;
        let server = (processor_time("server") - before) / elapsed;
        let making = median(&mut frame_times) / 1e3 * rate;
        println!(
            "{people:6}   {rate:8.1}  {each:12.2}  {:5.2} %     {:5.2} %        {:5.2} %    {:5.2}",
            100.0 * server,
            100.0 * making,
            100.0 * (server + making),
            median(&mut paces)
        );
        if people == 10_000 {
            latency(&mut client);
            bodies(&mut client);
        }
    }
}

/// What bodies cost: the stage's time to move and encode them, and the bytes of a pose.
fn bodies(client: &mut Client) {
    println!("bodies   poses/s   bytes/pose    stage       per pose");
    for most in [100, 200, 400] {
        let look = json!({ "do": "bodies", "eye": [0, 0, 100], "look": [0, 0, -1],
            "field": 90, "pixels": 30_000, "most": most });
        client.ask(look).expect("the view is sound");
        let warm = Instant::now();
        while client.bodies.is_empty() || warm.elapsed() < Duration::from_secs(2) {
            client.read();
        }
        client.bodies.clear();
        let (bytes, begin) = (client.body_bytes, Instant::now());
        let mut efforts = Vec::new();
        while begin.elapsed() < DURATION {
            client.read();
            efforts.extend(client.state["bodies_ms"].as_f64());
        }
        let elapsed = begin.elapsed().as_secs_f64();
        let moments: usize = client.bodies.iter().map(|told| told.moments.len()).sum();
        let poses: usize =
            client.bodies.iter().map(|told| told.moments.len() * told.ids.len()).sum();
        let each = (client.body_bytes - bytes) as f64 / poses as f64;
        let effort = median(&mut efforts);
        let per_pose = effort * 1e3 * client.bodies.len() as f64 / poses as f64;
        println!(
            "{most:6}   {:7.1}   {each:10.1}    {effort:5.2} ms    {per_pose:5.2} µs",
            moments as f64 / elapsed
        );
    }
}

/// From the moment an arrow is sent to the first frame in which people follow it.
fn latency(client: &mut Client) {
    let mut times: Vec<f64> = (0..EDITS)
        .map(|i| {
            let angle = i as f64;
            let velocity = [angle.cos(), angle.sin()];
            let at = json!(["fields", 0, "anchors", 0, "velocity"]);
            let changes = json!([{ "set": { "at": at, "value": velocity } }]);
            let begin = Instant::now();
            let reply = client.edit("Turn", changes).expect("the edit is sound");
            client.frame_from(reply["step"].as_u64().expect("it says when") as u32);
            begin.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    let middle = median(&mut times);
    let longest = times.last().copied().unwrap_or(0.0);
    println!(
        "         from an arrow to the first frame that follows it: median {middle:.0} ms, longest {longest:.0} ms"
    );
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
