//! Batches of runs: what they come to, and that nothing of it is lost, run twice, or left to chance.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use throng::Scene;
use throng::recording::Recording;
use throng_eval::batch::baseline::Baseline;
use throng_eval::batch::{
    Batch, BatchError, Done, LARGEST_RECORDING, Outcome, Recordings, Results, RunKey, Store,
    Subject, rescore, write_tables,
};
use throng_eval::report::html;
use throng_eval::score::{ScoreOptions, Technique, Weights};
use throng_world::scene::RunQuantity;

/// Some who walk through each other, with chance in it.
const MEETING: &str = r#"
format = 1
name = "Meeting <script>alert(1)</script>"
description = "They \"meet\" & part"
[simulation]
duration = 30
step = 0.05
[world]
bounds = [[-10, -10], [10, 10]]
[[obstacles]]
circle = { center = [0, 3], radius = 1 }
[[regions]]
name = "west"
rectangle = [[-9, -2], [-6, 2]]
[[groups]]
name = "eastward"
goals = [{ seek = [8, 0] }]
then = "leave"
crowds = [{ count = 4, region = "west" }]
[[groups]]
name = "westward"
goals = [{ seek = [-8, 0] }]
then = "leave"
people = [{ position = [7, 0.3] }, { position = [7, -1] }]
[evaluation]
version = 2
category = "tests"
criteria = ["completion == 1", "time <= 0.5 * ideal_time"]
"#;

/// One who is alone.
const ALONE: &str = r#"
format = 1
[simulation]
duration = 20
step = 0.05
[world]
bounds = [[-10, -10], [10, 10]]
[[groups]]
name = "walker"
goals = [{ seek = [5, 0] }]
then = "leave"
people = [{ position = [-5, 0] }]
[evaluation]
version = 1
criteria = ["collisions == 0"]
"#;

fn subject(name: &str, text: &str) -> Subject {
    let scene = Scene::parse(&format!("{name}.toml"), text, Path::new("")).unwrap();
    Subject::of_scene(name, scene, Path::new(""))
}

fn batch() -> Batch {
    Batch {
        subjects: vec![subject("meeting", MEETING), subject("alone", ALONE)],
        models: vec!["orca".parse().unwrap(), "predictive:conflicts=2".parse().unwrap()],
        seeds: 2,
        options: ScoreOptions::default(),
        recordings: Recordings::None,
        largest_recording: LARGEST_RECORDING,
        threads: Some(1),
        engine: "test".into(),
    }
}

fn run(batch: &Batch, folder: &Path) -> Done {
    batch.run(&Store::create(folder).unwrap(), &|_| true).unwrap()
}

fn results(folder: &Path) -> Results {
    let store = Store::open(folder).unwrap();
    Results::read(&store, Technique::Normalised, &Weights::default()).unwrap()
}

/// Everything that must not depend on how it came about.
fn tables(folder: &Path) -> Vec<Vec<u8>> {
    write_tables(folder, &results(folder)).unwrap();
    let names =
        ["runs.csv", "runs.parquet", "agents.csv", "agents.parquet", "results.json", "matrix.md"];
    names.iter().map(|name| fs::read(folder.join(name)).unwrap()).collect()
}

#[test]
fn an_interrupted_batch_goes_on_and_ends_like_one_that_was_not() {
    let [whole, broken] = [(), ()].map(|()| tempfile::tempdir().unwrap());
    let all = run(&batch(), whole.path());
    assert_eq!(all, Done { ran: 8, ..Done::default() });

    let store = Store::create(broken.path()).unwrap();
    let stopped = batch().run(&store, &|progress| progress.done < 3).unwrap_err();
    let BatchError::Interrupted { done, total } = stopped else { panic!("{stopped}") };
    assert_eq!((done, total), (3, 8));
    drop(store);
    // A power cut tears the last file.
    let mut kept: Vec<_> = fs::read_dir(broken.path().join("runs")).unwrap().flatten().collect();
    kept.sort_by_key(fs::DirEntry::file_name);
    assert_eq!(kept.len(), 3);
    let torn = kept[0].path();
    let bytes = fs::read(&torn).unwrap();
    fs::write(&torn, &bytes[..bytes.len() / 2]).unwrap();

    let rest = run(&Batch { threads: Some(3), ..batch() }, broken.path());
    assert_eq!((rest.ran, rest.kept, rest.damaged.len()), (6, 2, 1));
    assert!(rest.damaged[0].contains(&*torn.file_name().unwrap().to_string_lossy()));
    let written = tables(whole.path());
    assert_eq!(written, tables(broken.path()));
    let matrix = String::from_utf8(written[5].clone()).unwrap();
    assert!(matrix.starts_with(
        "| scenario | `orca` | `predictive:conflicts=2` |\n|---|---|---|\n| `meeting` | "
    ));
    assert!(matrix.contains("\n| `alone` | ✓ "), "{matrix}");
    assert_eq!(run(&batch(), broken.path()), Done { kept: 8, ..Done::default() });
}

#[test]
fn other_engines_options_and_scenes_are_other_runs() {
    let folder = tempfile::tempdir().unwrap();
    let small = Batch { seeds: 1, subjects: vec![subject("alone", ALONE)], ..batch() };
    assert_eq!(run(&small, folder.path()).ran, 2);
    assert_eq!(run(&Batch { engine: "newer".into(), ..small.clone() }, folder.path()).ran, 2);
    let longer = ALONE.replace("seek = [5, 0]", "seek = [6, 0]");
    let changed = Batch { subjects: vec![subject("alone", &longer)], ..small.clone() };
    assert_eq!(run(&changed, folder.path()).ran, 2);
    let options = ScoreOptions { window: 2.0, ..ScoreOptions::default() };
    assert_eq!(run(&Batch { options, ..small.clone() }, folder.path()).ran, 2);
    assert_eq!(run(&small, folder.path()), Done { kept: 2, ..Done::default() });
    // More of the same uses what there is.
    assert_eq!(run(&Batch { seeds: 3, ..small }, folder.path()).ran, 4);
}

#[test]
fn a_recording_gives_the_numbers_of_its_run() {
    let folder = tempfile::tempdir().unwrap();
    let recorded = Batch { seeds: 1, recordings: Recordings::All, ..batch() };
    assert_eq!(run(&recorded, folder.path()).ran, 4);
    let results = results(folder.path());
    for run in &results.runs {
        let path = folder.path().join(run.recording.as_ref().unwrap());
        let mut recording = Recording::open(&path).unwrap();
        let scene = recording.scene().unwrap();
        assert_eq!(scene.groups[0].steering.model, run.record.key.model.split(':').next().unwrap());
        let seen = AtomicUsize::new(0);
        let look = |_, _: &_| _ = seen.fetch_add(1, Ordering::Relaxed);
        let (metrics, ideals) =
            rescore(&mut recording, &scene, ScoreOptions::default(), look).unwrap();
        let measured = run.measured().unwrap();
        // Kept as text, numbers may differ in their last bit.
        for (a, b) in metrics.agents.iter().zip(&measured.metrics.agents) {
            assert_eq!((a.id, a.completed, a.collisions), (b.id, b.completed, b.collisions));
            assert!((a.resampled_energy / b.resampled_energy - 1.0).abs() < 1e-12);
            assert!((a.time - b.time).abs() < 1e-9);
        }
        assert_eq!(ideals.len(), measured.ideals.len());
        assert_eq!(seen.into_inner(), recording.frame_count() as usize);
    }
    // A result without its recording is made again when recordings are wanted.
    fs::remove_file(folder.path().join(results.runs[0].recording.as_ref().unwrap())).unwrap();
    assert_eq!(run(&recorded, folder.path()), Done { ran: 1, kept: 3, ..Done::default() });
}

#[test]
fn the_worst_runs_are_recorded_and_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let batch = Batch { seeds: 4, recordings: Recordings::Worst, ..batch() };
    run(&batch, folder.path());
    let results = results(folder.path());
    let recorded: Vec<_> = results.runs.iter().filter(|run| run.recording.is_some()).collect();
    assert_eq!((results.runs.len(), recorded.len()), (16, 12));
    assert!(results.worst(12).iter().all(|run| run.recording.is_some()));
}

#[test]
fn recordings_of_the_worst_runs_are_bounded_in_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let all = Batch { recordings: Recordings::All, ..batch() };
    run(&all, folder.path());
    let length = |key: &RunKey, folder: &Path| {
        let path = Store::open(folder).unwrap().recording_path(key);
        fs::metadata(path).map(|file| file.len()).ok()
    };
    let keys: Vec<RunKey> =
        results(folder.path()).runs.iter().map(|run| run.record.key.clone()).collect();
    let mut lengths: Vec<u64> =
        keys.iter().map(|key| length(key, folder.path()).unwrap()).collect();
    lengths.sort_unstable();
    // Four people take more than one.
    let largest_recording = (lengths[3] + lengths[4]) / 2;
    assert!((lengths[3]..lengths[4]).contains(&largest_recording), "{lengths:?}");

    let folder = tempfile::tempdir().unwrap();
    let bounded = Batch { recordings: Recordings::Worst, largest_recording, ..batch() };
    let done = run(&bounded, folder.path());
    assert_eq!(done, Done { ran: 8, too_large: 4, ..Done::default() });
    let there: Vec<u64> = keys.iter().filter_map(|key| length(key, folder.path())).collect();
    assert_eq!(there.len(), 4);
    assert!(there.iter().all(|&length| length <= largest_recording), "{there:?}");
    assert_eq!(fs::read_dir(folder.path().join("recordings")).unwrap().count(), 8, "4 are marked");
    assert_eq!(results(folder.path()).runs.iter().filter(|run| run.is_failed()).count(), 0);
    // They are not made again, and recorded if all are wanted.
    let again = run(&bounded, folder.path());
    assert_eq!(again, Done { kept: 8, too_large: 4, ..Done::default() });
    assert_eq!(run(&all, folder.path()), Done { ran: 4, kept: 4, ..Done::default() });
    assert_eq!(run(&bounded, folder.path()), Done { kept: 8, ..Done::default() });
}

#[test]
fn a_run_that_fails_is_told_and_does_not_end_the_others() {
    let crowded = MEETING.replace("count = 4", "count = 79");
    let folder = tempfile::tempdir().unwrap();
    let subjects = vec![subject("crowded", &crowded), subject("alone", ALONE)];
    run(&Batch { seeds: 1, subjects, ..batch() }, folder.path());
    let results = results(folder.path());
    let failed: Vec<&str> = results.runs.iter().filter_map(|run| run.failure()).collect();
    assert_eq!((failed.len(), results.runs.len()), (2, 4));
    assert!(failed[0].contains("crowded.toml"), "{}", failed[0]);
    assert!(matches!(results.runs[0].record.outcome, Outcome::Failed(_)));
    assert!(results.runs[0].total(Technique::Normalised).is_none());
    assert!(html(&results).contains("failed"));
    tables(folder.path());
}

#[test]
fn runs_end_when_everybody_has_left() {
    let folder = tempfile::tempdir().unwrap();
    run(&Batch { seeds: 1, ..batch() }, folder.path());
    let results = results(folder.path());
    assert!(!results.runs.is_empty());
    for run in &results.runs {
        let limit = if run.record.key.scenario == "alone" { 20.0 } else { 30.0 };
        let duration = run.quantity(RunQuantity::Duration).unwrap();
        assert!(run.completion() == 1.0 && duration < limit - 5.0, "{duration}");
        let by = run.quantity(RunQuantity::Time).unwrap();
        assert!(duration - by < 0.11, "{duration} s, although all have left after {by} s");
    }
}

#[test]
fn nothing_to_run_and_names_that_clash_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(folder.path()).unwrap();
    let message = |batch: Batch| batch.run(&store, &|_| true).unwrap_err().to_string();
    assert!(message(Batch { models: Vec::new(), ..batch() }).contains("no model"));
    assert!(message(Batch { subjects: Vec::new(), ..batch() }).contains("no scenario"));
    let twice = vec![subject("a", ALONE), subject("a", MEETING)];
    assert!(message(Batch { subjects: twice, ..batch() }).contains("two scenarios called \"a\""));
}

#[test]
fn the_page_needs_nothing_else_and_texts_cannot_break_it() {
    let folder = tempfile::tempdir().unwrap();
    let wild = vec![subject("<b onload='x'>\"&", MEETING), subject("alone", ALONE)];
    run(&Batch { seeds: 1, subjects: wild, ..batch() }, folder.path());
    let page = html(&results(folder.path()));
    assert!(page.contains("&lt;b onload=&#39;x&#39;&gt;&quot;&amp;"), "the name is there, escaped");
    assert!(page.contains("They &quot;meet&quot; &amp; part"));
    assert!(!page.contains("<b onload") && !page.contains("alert(1)</script>"));
    for outside in ["http:", "https:", "src=", "url(", "@import", "<link"] {
        assert!(!page.contains(outside), "{outside} in the page");
    }
    // What is linked to is there.
    let ids: Vec<&str> =
        page.split("id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    for target in page.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(ids.contains(&target), "#{target} leads nowhere");
    }
    // Both scenarios, both models: pictures, curves, verdicts and people.
    assert_eq!(page.matches("<g id=\"t-").count(), 4);
    assert_eq!(page.matches("class=\"spark\"").count(), 16);
    assert!(page.contains("time &lt;= 0.5 * ideal_time"));
    assert_eq!(page.matches("<details").count(), page.matches("</details>").count());
    assert_eq!(page.matches("<figure").count(), page.matches("</figure>").count());
}

#[test]
fn links_lead_to_recordings_that_are_there_and_only_to_them() {
    let folder = tempfile::tempdir().unwrap();
    run(&Batch { recordings: Recordings::All, ..batch() }, folder.path());
    let all = results(folder.path());
    let page = html(&all);
    let links: Vec<&str> =
        page.split("data-studio=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    for run in &all.runs {
        let name = run.recording.as_ref().unwrap();
        let stem = name.strip_prefix("recordings/").unwrap().strip_suffix(".parquet").unwrap();
        // Names have characters that mean something in addresses.
        let query = format!("studio?recording={}", stem.replace('=', "%3D"));
        assert!(links.iter().any(|link| link.starts_with(&query)), "{stem}");
    }
    // As a file, links lead to where the studio is by default, and the page says how to start it.
    let port = throng_eval::report::STUDIO_PORT;
    assert_eq!(
        page.matches(&format!("href=\"http://127.0.0.1:{port}/studio?")).count(),
        links.len()
    );
    assert_eq!(page.matches("<code>throng studio .</code>").count(), 1);
    for run in &all.runs {
        fs::remove_file(folder.path().join(run.recording.as_ref().unwrap())).unwrap();
    }
    let page = html(&results(folder.path()));
    assert!(!page.contains("data-studio=\"") && !page.contains("throng studio ."));
    assert!(page.contains("Not recorded"));
}

#[test]
fn agreed_numbers_notice_what_has_changed() {
    let folder = tempfile::tempdir().unwrap();
    run(&Batch { seeds: 1, ..batch() }, folder.path());
    let today = results(folder.path());
    let path = folder.path().join("agreed.json");
    Baseline::of(&today).write(&path).unwrap();
    let agreed = Baseline::read(&path).unwrap();
    let same = agreed.compare(&today);
    assert_eq!((same.runs, same.differences.len()), (4, 0));
    assert_eq!(same.to_string(), "4 runs are as agreed");

    // A score that is off by 0.4 % is, one by 0.6 % is not.
    let text = fs::read_to_string(&path).unwrap();
    let composite = today.runs[0].total(Technique::Composite01).unwrap();
    let written = format!("{composite:.6}").trim_end_matches('0').to_owned();
    assert!(text.contains(&written), "{written} in {text}");
    let off = |percent: f64| {
        let changed = format!("{:.6}", composite * (1.0 + percent / 100.0));
        fs::write(&path, text.replace(&written, &changed)).unwrap();
        Baseline::read(&path).unwrap().compare(&today).differences
    };
    assert!(off(0.4).is_empty());
    let told = off(0.6);
    assert_eq!(told.len(), 1);
    assert!(told[0].run == "meeting orca 0" && told[0].what.contains("(-0.60 %)"), "{told:?}");

    fs::write(&path, text.replacen("\"collisions\": 0", "\"collisions\": 1", 1)).unwrap();
    let told = Baseline::read(&path).unwrap().compare(&today).to_string();
    assert!(told.contains("collisions was 1, is 0"), "{told}");
    fs::write(&path, "{}").unwrap();
    let message = Baseline::read(&path).unwrap_err().to_string();
    assert!(message.contains("agreed.json has no agreed numbers"), "{message}");
}
