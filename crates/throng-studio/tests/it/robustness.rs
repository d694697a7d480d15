//! What clients can do to the studio: nothing that hurts it or the others.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::cell::RefCell;
use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value as Json, json};
use throng_studio::{Studio, StudioOptions};
use tungstenite::client::IntoClientRequest;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{Error, Message};

use crate::support::{Client, PATIENCE, SCENE, Stage, http, upgrade};

/// Reads until the connection is closed, and tells with which code.
fn closed_with(client: &mut Client) -> Option<CloseCode> {
    let deadline = Instant::now() + PATIENCE;
    while Instant::now() < deadline {
        match client.socket.read() {
            Ok(Message::Close(frame)) => return frame.map(|frame| frame.code),
            Ok(_) => {}
            Err(_) => return None,
        }
    }
    panic!("it was never closed");
}

/// The studio still answers.
fn assert_sound(stage: &Stage) {
    let mut client = stage.join();
    let text = client.ask(json!({ "do": "text" })).unwrap();
    assert!(text["text"].as_str().unwrap().starts_with("# A yard."));
    let step = client.frame.as_ref().map_or(0, |frame| frame.step);
    client.frame_from(step + 2);
}

#[test]
fn another_version_of_the_protocol_is_refused_in_words() {
    let stage = Stage::new(SCENE);
    for (version, older) in [(1, "client"), (3, "server")] {
        let mut client = Client::connect(stage.studio.address());
        let error = client.ask(json!({ "do": "hello", "protocol": version })).unwrap_err();
        assert!(error["message"].as_str().unwrap().contains(&format!("the {older} is older")));
        assert_eq!(closed_with(&mut client), Some(CloseCode::from(4001)));
    }
    let mut client = Client::connect(stage.studio.address());
    let error = client.ask(json!({ "do": "play" })).unwrap_err();
    assert_eq!(error["message"], "say hello first");
    client.ask(json!({ "do": "hello", "protocol": 2 })).unwrap();
}

#[test]
fn messages_that_are_too_long_or_too_many_end_the_connection_and_no_more() {
    let stage = Stage::new(SCENE);
    let mut client = stage.join();
    let long = "x".repeat(9 << 20);
    // It may be refused while it is still being sent.
    if client.socket.send(Message::text(long)).is_ok() {
        closed_with(&mut client);
    }
    let mut client = stage.join();
    for _ in 0..2000 {
        if client.socket.send(Message::text(r#"{ "id": 1, "do": "files" }"#)).is_err() {
            break;
        }
    }
    closed_with(&mut client);
    let mut client = stage.join();
    client.socket.send(Message::binary(vec![1, 2, 3])).unwrap();
    assert_eq!(closed_with(&mut client), Some(CloseCode::Policy));
    assert_sound(&stage);
}

/// Requests of every kind with values of every kind, some of them sensible.
fn request() -> impl Strategy<Value = Json> {
    const NAMES: &str = "hello rate play pause step speed restart seek edit undo redo text files \
        open new remove regroup direct start_here bodies skating patterns \
        inspect streamlines ways record save_as dance";
    const KEYS: &str = "rate count factor time label changes join name overwrite people group \
        goals eye look pixels most then person field layer on protocol id do";
    let value = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        (0..40_i64).prop_map(Json::from),
        (-1e12..1e12).prop_map(|x: f64| json!(x)),
        "[a-z./\\\\]{0,12}".prop_map(Json::from),
        Just(json!("walkers")),
        Just(json!("yard.toml")),
        Just(json!([0, 1, 5, 4_000_000_000_u32])),
        Just(json!([0, 1, 0.5])),
        Just(json!([1e300, -1e300, 0])),
        Just(json!([{ "seek": [1, 1] }])),
        Just(json!([{ "set": { "at": ["groups", 0, "speed"], "value": 1 } }])),
        Just(json!([{ "remove": { "at": [] } }])),
        Just(json!([{ "set": { "at": [], "value": {} } }])),
        Just(json!([{ "set": { "at": ["groups", 0, "speed"], "value": null } }])),
        Just(
            json!([{ "add": { "to": ["groups", 0, "people"], "value": { "position": [1e300, 0] } } }])
        ),
        Just(
            json!([{ "add": { "to": ["obstacles"], "value": { "circle": { "center": [-13, 0], "radius": 40 } } } }])
        ),
    ];
    let one_of = |words: &'static str| prop::sample::select(words.split(' ').collect::<Vec<_>>());
    let entries = prop::collection::vec((one_of(KEYS), value), 0..4);
    (one_of(NAMES), entries).prop_map(|(name, entries)| {
        let mut request = json!({ "do": name });
        for (key, value) in entries {
            request[key] = value;
        }
        request
    })
}

#[test]
fn no_request_however_odd_stops_the_studio() {
    let stage = Stage::new(SCENE);
    let client = RefCell::new(stage.join());
    let mut runner = TestRunner::new(Config { cases: 150, ..Config::default() });
    let odd = runner.run(&request(), |request| {
        // Not more in a second than is allowed.
        std::thread::sleep(Duration::from_millis(6));
        let mut client = client.borrow_mut();
        let id = client.send(request.clone());
        let deadline = Instant::now() + PATIENCE;
        loop {
            let reply = client.read();
            // Odd requests may have had another id, or none.
            let is_reply = reply.is_some_and(|reply| reply.get("re").is_some());
            if is_reply {
                break;
            }
            prop_assert!(Instant::now() < deadline, "no reply to {request} ({id})");
        }
        Ok(())
    });
    odd.unwrap();
    let mut client = stage.join();
    client.ask(json!({ "do": "open", "name": "yard.toml" })).unwrap();
    client.ask(json!({ "do": "play" })).unwrap();
    assert_sound(&stage);
}

#[test]
fn random_and_truncated_messages_do_not_stop_the_studio() {
    let stage = Stage::new(SCENE);
    let address = stage.studio.address();
    let whole = json!({ "id": 1, "do": "edit", "label": "x", "changes": [
        { "set": { "at": ["groups", { "name": "walkers" }, "speed"], "value": 1.5 } }] })
    .to_string();
    let mut runner = TestRunner::new(Config { cases: 60, ..Config::default() });
    let noise = (prop::collection::vec(any::<u8>(), 0..200), 0..whole.len(), any::<bool>());
    let sent = runner.run(&noise, |(bytes, end, is_raw)| {
        if is_raw {
            // Not even a WebSocket.
            let mut stream = TcpStream::connect(address).unwrap();
            let _ = stream.write_all(&bytes);
            return Ok(());
        }
        let mut client = Client::connect(address);
        client.ask(json!({ "do": "hello", "protocol": 2 })).unwrap();
        let cut = Message::text(whole[..end].to_string());
        let odd = Message::text(String::from_utf8_lossy(&bytes).into_owned());
        for message in [cut, odd, Message::binary(bytes)] {
            match client.socket.send(message) {
                Ok(()) | Err(Error::ConnectionClosed | Error::AlreadyClosed | Error::Io(_)) => {}
                Err(Error::Protocol(_)) => {}
                Err(error) => panic!("{error}"),
            }
        }
        Ok(())
    });
    sent.unwrap();
    assert_sound(&stage);
}

#[test]
fn pages_of_other_sites_are_not_let_in() {
    let stage = Stage::new(SCENE);
    let host = ("Host", stage.studio.address().to_string());
    assert!(
        http(stage.studio.address(), "/", std::slice::from_ref(&host)).starts_with("HTTP/1.1 200")
    );
    let elsewhere = ("Host", "crowds.example.com".to_string());
    assert!(http(stage.studio.address(), "/", &[elsewhere]).starts_with("HTTP/1.1 403"));
    for path in ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "/yard.toml", "//etc/passwd"] {
        assert!(
            http(stage.studio.address(), path, std::slice::from_ref(&host))
                .starts_with("HTTP/1.1 404"),
            "{path}"
        );
    }
    let upgrade = |origin: &str| upgrade(stage.studio.address(), "/ws", origin);
    assert_eq!(upgrade(&format!("http://{}", stage.studio.address())), "HTTP/1.1 101");
    assert_eq!(upgrade("http://crowds.example.com"), "HTTP/1.1 403");
}

#[test]
fn edits_name_no_files_outside_of_the_folder() {
    let stage = Stage::new(SCENE);
    let outside = tempfile::tempdir().unwrap();
    let plan = "POLYGON ((5 12, 6 12, 6 13, 5 13))";
    let secret = outside.path().join("secret.wkt");
    std::fs::write(&secret, plan).unwrap();
    std::fs::write(stage.file("inside.wkt"), plan).unwrap();
    let mut client = stage.join();
    let absolute = secret.to_str().unwrap().to_owned();
    let mut names = vec![absolute, "../secret.wkt".into(), "x/../../secret.wkt".into()];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&secret, stage.file("link.wkt")).unwrap();
        names.push("link.wkt".into());
    }
    for name in names {
        for changes in [
            json!([{ "add": { "to": ["obstacles"], "value": { "file": name } } }]),
            json!([{ "set": { "at": ["world", "plan"], "value": name } }]),
            json!([{ "set": { "at": ["world", "terrain"], "value": { "mesh": name } } }]),
            json!([{ "set": { "at": ["world", "terrain", "heightmap"], "value": name } }]),
        ] {
            let refused = client.edit("a file", changes).unwrap_err().to_string();
            assert!(refused.contains("is not in the folder of the scene"), "{refused}");
        }
    }
    let inside = json!([{ "add": { "to": ["obstacles"], "value": { "file": "inside.wkt" } } }]);
    client.edit("a file", inside).unwrap();
    assert_sound(&stage);
}

#[test]
fn other_machines_need_the_token() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("yard.toml");
    std::fs::write(&scene, SCENE).unwrap();
    let options = StudioOptions { address: [0, 0, 0, 0].into(), ..StudioOptions::default() };
    let studio = Studio::open(&scene, &options).unwrap().start().unwrap();
    let token = studio.url().split_once("token=").unwrap().1.to_string();
    let connect = |query: &str| {
        let port = studio.address().port();
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let request = format!("ws://127.0.0.1:{port}/ws{query}").into_client_request().unwrap();
        tungstenite::client(request, stream).is_ok()
    };
    assert!(connect(&format!("?token={token}")));
    assert!(!connect(""));
    assert!(!connect("?token=0123"));
}

#[test]
fn neither_many_clients_nor_one_that_never_reads_hold_the_simulation_up() {
    let stage = Stage::new(SCENE);
    let mut client = stage.join();
    client.until(|client| client.frame.is_some());
    let address = stage.studio.address();
    let mut deaf: Vec<Client> = (0..5).map(|_| Client::join(address)).collect();
    // They never read again, nor say that they have seen anything.
    deaf.iter_mut().for_each(|client| client.attentive = false);
    let idle: Vec<Client> = (0..100).map(|_| Client::connect(address)).collect();
    let first = client.frame.clone().unwrap().step;
    std::thread::scope(|scope| {
        for _ in 0..20 {
            scope.spawn(|| Client::join(address).frame_from(first + 100));
        }
        client.frame_from(first + 100);
    });
    drop((deaf, idle));
}

#[test]
fn who_does_not_acknowledge_gets_a_few_frames_and_then_the_newest() {
    let stage = Stage::new(SCENE);
    let (mut client, mut watcher) = (stage.join(), stage.join());
    client.attentive = false;
    client.until(|client| client.frames >= 2);
    let before = client.frames;
    let stale = client.frame.clone().unwrap().step;
    let now = watcher.frame_from(stale + 30).step;
    // What was sent before this answer has been read with it.
    client.ask(json!({ "do": "rate", "rate": 10 })).unwrap();
    assert!(client.frames <= before + 3, "{} frames", client.frames - before);
    assert!(client.frame.clone().unwrap().step < now);
    client.attentive = true;
    for _ in 0..3 {
        client.socket.send(Message::binary(vec![2])).unwrap();
    }
    // None of the steps since then waits in a queue.
    let frames = client.frames;
    client.until(|client| client.frames > frames);
    assert!(client.frame.clone().unwrap().step >= now);
}

#[test]
fn slow_rates_are_kept() {
    let stage = Stage::new(SCENE);
    let mut client = stage.join();
    client.ask(json!({ "do": "rate", "rate": 2 })).unwrap();
    assert!(client.ask(json!({ "do": "rate", "rate": 0 })).is_err());
    let (begin, before) = (Instant::now(), client.frames);
    while begin.elapsed() < Duration::from_secs(3) {
        client.read();
    }
    let count = client.frames - before;
    let elapsed = begin.elapsed().as_secs_f64();
    assert!(count as f64 <= 2.0 * elapsed + 2.0, "{count} frames in {elapsed} s");
}

#[test]
fn a_frame_has_at_most_twelve_bytes_for_each_person() {
    let two_floors = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../scenes/two-floors.toml"
    ))
    .unwrap();
    for scene in [SCENE, &two_floors] {
        let stage = Stage::new(scene);
        let mut client = stage.join();
        client.until(|client| client.frame.as_ref().is_some_and(|f| f.people.len() > 20));
        let (bytes, frames) = (client.bytes, client.frames);
        client.until(|client| client.frames >= frames + 5);
        let people = client.frame.clone().unwrap().people.len();
        let each = (client.bytes - bytes) as f64 / (client.frames - frames) as f64 / people as f64;
        // The header is shared by all, and here there are few.
        assert!(each - 44.0 / people as f64 <= 12.0, "{each}");
    }
}
