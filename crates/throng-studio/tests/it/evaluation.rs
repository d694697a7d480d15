//! The folder of an evaluation: its report, and each of its recordings at an address of its own.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::net::SocketAddr;
use std::path::Path;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;
use throng::Scene;
use throng_eval::batch::{Batch, Recordings, Results, Store, Subject};
use throng_eval::report::write_report;
use throng_eval::score::{Event, ScoreOptions, Technique, Weights};
use throng_studio::{Running, Studio, StudioError, StudioOptions};

use crate::support::{Client, SCENE, STUCK, Stage, http, open, upgrade};

struct Evaluated {
    folder: tempfile::TempDir,
    results: Results,
}

/// One scene with two models.
fn evaluated() -> Evaluated {
    let folder = tempfile::tempdir().unwrap();
    let scene = Scene::parse("stuck.toml", STUCK, Path::new("")).unwrap();
    let batch = Batch {
        subjects: vec![Subject::of_scene("stuck", scene, Path::new(""))],
        models: vec!["orca".parse().unwrap(), "none".parse().unwrap()],
        seeds: 1,
        options: ScoreOptions::default(),
        recordings: Recordings::All,
        largest_recording: u64::MAX,
        threads: Some(1),
        engine: "test".into(),
    };
    let store = Store::create(folder.path()).unwrap();
    batch.run(&store, &|_| true).unwrap();
    let results = Results::read(&store, Technique::Normalised, &Weights::default()).unwrap();
    write_report(&folder.path().join("report.html"), &results).unwrap();
    Evaluated { folder, results }
}

impl Evaluated {
    /// The name of a run's recording, as links have it.
    fn run(&self, index: usize) -> String {
        let name = self.results.runs[index].recording.as_deref().unwrap();
        name.strip_prefix("recordings/").unwrap().strip_suffix(".parquet").unwrap().into()
    }

    fn events(&self, index: usize) -> &[Event] {
        &self.results.runs[index].measured().unwrap().metrics.events
    }
}

fn get(studio: &Running, path: &str) -> String {
    let host = ("Host", format!("127.0.0.1:{}", studio.address().port()));
    let local = ([127, 0, 0, 1], studio.address().port()).into();
    http(local, path, &[host])
}

/// The links of a page, as they are when the studio serves it.
fn links(page: &str) -> Vec<String> {
    let links = page.split("data-studio=\"").skip(1).filter_map(|rest| rest.split('"').next());
    links.map(|link| link.replace("&amp;", "&")).collect()
}

#[test]
fn links_of_the_report_lead_to_the_moments_it_tells_of() {
    let evaluated = evaluated();
    let studio = open(evaluated.folder.path(), 0);
    let page = get(&studio, "/");
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    assert!(page.contains("data-served=\"studio\""));
    let head = page.split("\r\n\r\n").next().unwrap().to_lowercase();
    assert!(
        head.contains("sandbox allow-scripts") && !head.contains("allow-same-origin"),
        "{head}"
    );
    assert_eq!(
        page.split("\r\n\r\n").nth(1),
        get(&studio, "/report.html").split("\r\n\r\n").nth(1)
    );

    // With one model they get stuck, and that is what its links are about.
    let event = evaluated.events(0)[0];
    let run = evaluated.run(0);
    let expected = format!(
        "studio?recording={run}#at={:.2}&person={}&show=patterns",
        event.from, event.person
    );
    let links = links(&page);
    assert!(links.contains(&expected), "{expected} is not in {links:?}");
    assert!(
        links
            .iter()
            .any(|link| link.starts_with(&format!("studio?recording={}", evaluated.run(1))))
    );
    for link in &links {
        let path = link.split('#').next().unwrap();
        let answer = get(&studio, &format!("/{path}"));
        assert!(answer.starts_with("HTTP/1.1 200"), "{link}: {answer}");
    }

    let join = |run: &str| {
        let query = format!("?recording={run}");
        Client::connect_with(studio.address(), &query).unwrap().greet(60)
    };
    let mut client = join(&run);
    assert_eq!((&client.scene["kind"], &client.scene["name"]), (&json!("replay"), &json!("Stuck")));
    client.ask(json!({ "do": "pause" })).unwrap();
    client.ask(json!({ "do": "seek", "time": event.from })).unwrap();
    client.until(|client| client.patterns["progress"] == "done");
    let found: Vec<(String, u64)> =
        client.found().into_iter().map(|(pattern, id)| (pattern.into(), id)).collect();
    let known: Vec<(String, u64)> = (evaluated.events(0).iter())
        .map(|event| (event.pattern.name().into(), event.person.into()))
        .collect();
    assert_eq!(found, known, "the studio finds what the evaluation has found");

    // Another recording has a time of its own; the same one is shared.
    let mut other = join(&evaluated.run(1));
    other.ask(json!({ "do": "pause" })).unwrap();
    other.ask(json!({ "do": "seek", "time": 1.0 })).unwrap();
    other.until(|other| (other.state["time"].as_f64().unwrap() - 1.0).abs() < 0.1);
    let mut same = join(&run);
    same.until(|same| (same.state["time"].as_f64().unwrap() - event.from).abs() < 0.1);
    for refused in
        [json!({ "do": "new", "name": "x" }), json!({ "do": "open", "name": "x.parquet" })]
    {
        let error = client.ask(refused).unwrap_err();
        assert!(error["help"].as_str().unwrap().contains("from the report"), "{error}");
    }
}

#[test]
fn a_recording_that_is_missing_damaged_or_none_gives_a_clear_page() {
    let evaluated = evaluated();
    let [gone, damaged] = [evaluated.run(0), evaluated.run(1)];
    let path = |run: &str| evaluated.folder.path().join(format!("recordings/{run}.parquet"));
    std::fs::remove_file(path(&gone)).unwrap();
    std::fs::write(path(&damaged), "PAR1 and nothing else").unwrap();
    let studio = open(evaluated.folder.path(), 0);
    for (query, words) in [
        (format!("?recording={gone}"), "There is no recording"),
        (format!("?recording={damaged}"), "<h1"),
        (String::new(), "A recording has to be chosen"),
        ("?recording=".into(), "There is no recording"),
        ("?recording=a&recording=b".into(), "Something is wrong with the address"),
        ("?recording=%ff%fe".into(), "<h1"),
    ] {
        let answer = get(&studio, &format!("/studio{query}"));
        assert!(answer.starts_with("HTTP/1.1 40"), "{query}: {answer}");
        assert!(answer.contains(words), "{query}: {answer}");
        assert!(Client::connect_with(studio.address(), &query).is_err(), "{query}");
    }
    assert!(get(&studio, &format!("/studio?recording={gone}")).contains("Back to the report"));
    std::fs::remove_file(evaluated.folder.path().join("report.html")).unwrap();
    assert!(get(&studio, "/").contains("The report is not there any more"));
}

#[test]
fn hostile_names_lead_nowhere_and_break_no_page() {
    let evaluated = evaluated();
    std::fs::write(evaluated.folder.path().join("secret.parquet"), "secret").unwrap();
    let studio = open(evaluated.folder.path(), 0);
    let address = studio.address();
    for name in [
        "../secret",
        "..%2fsecret",
        "..%5csecret",
        "%2e%2e%2fsecret",
        "/etc/passwd",
        "....//secret",
        "secret%00",
        "C:%5cboot",
        "%3Cscript%3Ealert(1)%3C/script%3E",
        "%22%20onload=%22x",
        "%0d%0aSet-Cookie:a=b",
    ] {
        let answer = get(&studio, &format!("/studio?recording={name}"));
        assert!(answer.starts_with("HTTP/1.1 404"), "{name}: {answer}");
        assert!(!answer.contains("<script") && !answer.contains("\" onload"), "{name}: {answer}");
        assert!(!answer.contains("\nSet-Cookie"), "{name}: {answer}");
        assert!(Client::connect_with(address, &format!("?recording={name}")).is_err(), "{name}");
    }
    for path in [
        "/recordings/",
        "/matrix.json",
        "/results.json",
        "/../secret.parquet",
        "/recordings/../matrix.json",
        "/%2e%2e/secret.parquet",
        "/studio/../report.html",
        "/index.html",
    ] {
        assert!(get(&studio, path).starts_with("HTTP/1.1 404"), "{path}");
    }
    let mut runner = TestRunner::new(Config { cases: 100, ..Config::default() });
    let any_query = "[ -~]{0,40}|(%[0-9a-fA-F]{2}){0,12}|(\\.\\./){1,5}[a-z.]{0,12}";
    let odd = runner.run(&any_query, |query| {
        let path = format!("/studio?recording={}", query.replace([' ', '#'], "+"));
        let answer = get(&studio, &path);
        prop_assert!(answer.starts_with("HTTP/1.1 40"), "{path}: {answer}");
        Ok(())
    });
    odd.unwrap();
    assert!(get(&studio, "/").starts_with("HTTP/1.1 200"), "it is well");
}

#[test]
fn who_is_elsewhere_needs_the_token_and_the_report_is_nobodys_page() {
    let evaluated = evaluated();
    let options = StudioOptions { address: [0, 0, 0, 0].into(), ..StudioOptions::default() };
    let studio = Studio::open(evaluated.folder.path(), &options).unwrap().start().unwrap();
    let token = studio.url().split_once("token=").unwrap().1.to_string();
    let run = evaluated.run(0);
    for (path, status) in [
        ("/".into(), "403"),
        ("/?token=0123".into(), "403"),
        (format!("/?token={token}"), "200"),
        (format!("/studio?recording={run}"), "403"),
        ("/studio?recording=nothing".into(), "403"),
        (format!("/studio?recording={run}&token={token}"), "200"),
        (format!("/studio?recording=nothing&token={token}"), "404"),
    ] {
        let answer = get(&studio, &path);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{path}: {answer}");
    }
    // Scripts of the report have no origin, and are not let in.
    let local: SocketAddr = ([127, 0, 0, 1], studio.address().port()).into();
    let path = format!("/ws?recording={run}&token={token}");
    let upgrade = |origin: &str| upgrade(local, &path, origin);
    assert_eq!(upgrade(&format!("http://{local}")), "HTTP/1.1 101");
    assert_eq!(upgrade("null"), "HTTP/1.1 403");
    assert_eq!(upgrade("http://crowds.example.com"), "HTTP/1.1 403");
}

#[test]
fn folders_that_are_no_evaluation_and_links_to_another_studio_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |options: StudioOptions| match Studio::open(folder.path(), &options) {
        Err(StudioError::Show { message, help, .. }) => format!("{message}; {}", help.unwrap()),
        _ => panic!("it is not refused"),
    };
    assert!(refused(StudioOptions::default()).contains("throng eval --out"));
    let at = StudioOptions { at: Some(3.0), ..StudioOptions::default() };
    assert!(refused(at).contains("follow a link"));
    let stage = Stage::new(SCENE);
    let answer = get(&stage.studio, "/studio?recording=a");
    assert!(
        answer.starts_with("HTTP/1.1 404") && answer.contains("throng studio FOLDER"),
        "{answer}"
    );
}
