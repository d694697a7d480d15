//! Scenes that programs edit keep what their authors wrote.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::fs;
use std::path::{Path, PathBuf};

use glam::DVec2;
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use throng_base::Distribution;
use throng_world::scene::{Address, AnchorKey, AnchorSpec, FieldId, Led, SceneText, TextError};

const SCENE: &str = r#"# A street, directed by arrows.
format = 1
name = "Street"   # short

[world]
bounds = [[-20, -20], [20, 20]]  # 40 m

# ---- Places ----

# Where they come from.
[[regions]]
name = "start"
rectangle = [[-18, -5], [-10, 5]]

# Where they go.
[[regions]]
name = "end"
rectangle = [[10, -5], [18, 5]]

# ---- Arrows ----

[[fields]]
name = "stream"
anchors = [ # from west to east
    { at = [-15, 0], velocity = [1.30, 0] }, # the beginning
    # In the middle they bend.
    { name = "bend", at = [0, 0.0], velocity = [1.2, 0.5] },
    { at = [15, 4], velocity = [1.3, 0] }, # the end
]

[[fields]]
name = "eddy"

# One of two.
[[fields.anchors]]
at = [0, 5]
velocity = [0, 1]

[[fields.anchors]]
at = [5, 5]
velocity = [0, -1]  # back

# ---- People ----

[[groups]]
name = "walkers"
led = { by = ["stream", "eddy"], share = 0.5 }  # half obedient
crowds = [{ count = 5, region = "start" }]

# The end.
"#;

fn text() -> SceneText {
    SceneText::parse("street.toml", SCENE, Path::new("")).unwrap_or_else(|error| panic!("{error}"))
}

/// Lines of `new` that are not in `old`, and the other way round.
fn changes(old: &str, new: &str) -> (Vec<String>, Vec<String>) {
    let missing = |a: &str, b: &str| {
        let lines: Vec<&str> = b.lines().collect();
        a.lines().filter(|line| !lines.contains(line)).map(str::to_owned).collect()
    };
    (missing(old, new), missing(new, old))
}

#[track_caller]
fn expect(edited: &SceneText, gone: &[&str], added: &[&str]) {
    let (was, is) = changes(SCENE, &edited.to_string());
    assert_eq!(
        (was, is),
        (gone.iter().map(|&l| l.into()).collect(), added.iter().map(|&l| l.into()).collect())
    );
}

fn anchors(text: &SceneText, field: usize) -> Vec<AnchorSpec> {
    text.scene().fields[field].anchors.clone()
}

fn arrow(at: [f64; 2], velocity: [f64; 2]) -> AnchorSpec {
    let key = AnchorKey { time: 0.0, position: at.into(), velocity: velocity.into() };
    AnchorSpec { name: None, keys: vec![key], smoothing: None, reach: None, span: 0..0 }
}

#[test]
fn what_is_not_edited_is_not_touched() {
    for (name, original) in shipped() {
        let text = SceneText::load(&name).unwrap();
        assert_eq!(text.to_string(), original);
        let mut edited = text;
        edited.edit(|draft| draft.set(&Address::list("format"), &json!(1))).unwrap();
        assert_eq!(edited.to_string(), original, "{}", name.display());
    }
}

#[test]
fn only_the_numbers_that_changed_are_written() {
    let mut text = text();
    let mut moved = anchors(&text, 0);
    moved[1].keys[0].position = DVec2::new(0.1 + 0.2, 0.0);
    text.edit(|draft| draft.set_anchors("stream", &moved)).unwrap();
    expect(
        &text,
        &["    { name = \"bend\", at = [0, 0.0], velocity = [1.2, 0.5] },"],
        &["    { name = \"bend\", at = [0.30000000000000004, 0.0], velocity = [1.2, 0.5] },"],
    );
    assert_eq!(anchors(&text, 0)[1].keys, moved[1].keys);
}

#[test]
fn the_reach_of_an_anchor_is_written_and_read_again() {
    let mut text = text();
    let mut limited = anchors(&text, 0);
    limited[1].reach = Some(7.5);
    text.edit(|draft| draft.set_anchors("stream", &limited)).unwrap();
    expect(
        &text,
        &["    { name = \"bend\", at = [0, 0.0], velocity = [1.2, 0.5] },"],
        &["    { name = \"bend\", at = [0, 0.0], velocity = [1.2, 0.5], reach = 7.5 },"],
    );
    let reaches: Vec<_> = anchors(&text, 0).iter().map(|anchor| anchor.reach).collect();
    assert_eq!(reaches, [None, Some(7.5), None]);
}

#[test]
fn anchors_come_and_go_in_brackets() {
    let mut text = text();
    let mut fewer = anchors(&text, 0);
    fewer.remove(1);
    fewer.push(arrow([18.0, -4.5], [1.0, 0.0]));
    text.edit(|draft| draft.set_anchors("stream", &fewer)).unwrap();
    expect(
        &text,
        &[
            "    # In the middle they bend.",
            "    { name = \"bend\", at = [0, 0.0], velocity = [1.2, 0.5] },",
        ],
        &["    { at = [18, -4.5], velocity = [1, 0] },"],
    );
    // The first and the last, whose comments go with them; that of the list stays.
    text.edit(|draft| draft.set_anchors("stream", &fewer[1..2])).unwrap();
    let list = text.to_string();
    let list = list.split("name = \"stream\"\n").nth(1).unwrap().split("\n\n").next().unwrap();
    assert_eq!(
        list,
        "anchors = [ # from west to east\n    { at = [15, 4], velocity = [1.3, 0] }, # the end\n]"
    );
}

#[test]
fn anchors_come_and_go_with_headers() {
    let mut text = text();
    let mut more = anchors(&text, 1);
    more.insert(1, arrow([2.5, 8.0], [1.0, 0.0]));
    text.edit(|draft| draft.set_anchors("eddy", &more)).unwrap();
    let written = text.to_string();
    let entry = "[[fields.anchors]]\nat = [2.5, 8]\nvelocity = [1, 0]\n";
    let (before, after) = written.split_once(entry).expect(&written);
    assert!(
        before.ends_with("velocity = [0, 1]\n\n") && after.contains("velocity = [0, -1]  # back")
    );
    text.edit(|draft| draft.set_anchors("eddy", &more[1..])).unwrap();
    expect(
        &text,
        &["# One of two.", "at = [0, 5]", "velocity = [0, 1]"],
        &["at = [2.5, 8]", "velocity = [1, 0]"],
    );
}

#[test]
fn fields_come_and_go() {
    let mut text = text();
    let spec = text.scene().fields[0].clone();
    let spec = throng_world::scene::FieldSpec { name: "other".into(), fade: 1.5, ..spec };
    text.edit(|draft| draft.add_field(&spec)).unwrap();
    let [_, _, other] = &text.scene().fields[..] else { panic!("three fields") };
    assert_eq!((&*other.name, other.fade, other.anchors.len()), ("other", 1.5, 3));
    let written = text.to_string();
    assert!(
        written.find("\"other\"").unwrap() < written.find("# ---- People").unwrap(),
        "{written}"
    );

    text.edit(|draft| draft.remove_field("stream")).unwrap();
    let (gone, _) = changes(SCENE, &text.to_string());
    let comments: Vec<&String> = gone.iter().filter(|line| line.starts_with('#')).collect();
    assert!(comments.is_empty(), "the heading stays: {comments:?}\n{text}");
    assert_eq!(text.scene().groups[0].led.as_ref().unwrap().by, [FieldId(0)]);
    text.edit(|draft| {
        draft.remove_field("eddy")?;
        draft.remove_field("other")?;
        draft.set(
            &Address::list("groups").named("walkers").key("goals"),
            &json!([{ "seek": "end" }]),
        )
    })
    .unwrap();
    assert!(text.scene().fields.is_empty() && text.scene().groups[0].led.is_none());
    assert!(text.to_string().contains("goals = [{ seek = \"end\" }]"));
}

#[test]
fn obedience_is_set_in_place() {
    let mut text = text();
    let led = text.scene().groups[0].led.clone().unwrap();
    let led = Led { share: Distribution::Constant(0.85), wander: 0.1, ..led };
    text.edit(|draft| draft.set_led("walkers", Some(&led))).unwrap();
    expect(
        &text,
        &["led = { by = [\"stream\", \"eddy\"], share = 0.5 }  # half obedient"],
        &["led = { by = [\"stream\", \"eddy\"], share = 0.85, wander = 0.1 }  # half obedient"],
    );
    let led = Led { by: vec![FieldId(1)], wander: 0.2, ..led };
    text.edit(|draft| draft.set_led("walkers", Some(&led))).unwrap();
    assert!(text.to_string().contains("led = { by = [\"eddy\"], share = 0.85, wander = 0.2 }  #"));
    text.edit(|draft| draft.set_led("walkers", None)).unwrap();
    assert!(text.scene().groups[0].led.is_none());
    assert!(text.edit(|draft| draft.set_led("others", Some(&led))).is_err());
}

#[test]
fn traits_are_set_in_place_and_taken_back() {
    let mut text = text();
    let before = text.to_string();
    let traits = Address::list("groups").named("walkers").key("traits");
    text.edit(|draft| draft.set(&traits, &json!({ "extraversion": 0.4 }))).unwrap();
    expect(&text, &[], &["traits = { extraversion = 0.4 }"]);
    let spread = json!({ "mean": 0, "sd": 0.3, "min": -1, "max": 1 });
    text.edit(|draft| draft.set(&traits.key("openness"), &spread)).unwrap();
    text.edit(|draft| draft.set(&traits.key("extraversion"), &json!(-0.2))).unwrap();
    let line =
        "traits = { extraversion = -0.2, openness = { mean = 0, sd = 0.3, min = -1, max = 1 } }";
    assert!(text.to_string().contains(line), "{text}");
    let read = text.scene().groups[0].traits.unwrap().traits;
    assert_eq!(read[2], Distribution::Constant(-0.2));
    assert!(text.edit(|draft| draft.set(&traits.key("openness"), &json!(2))).is_err());
    assert!(text.edit(|draft| draft.set(&traits.key("courage"), &json!(0))).is_err());
    text.edit(|draft| draft.remove(&traits)).unwrap();
    assert_eq!(text.to_string(), before);
}

#[test]
fn anything_of_a_scene_can_be_added_replaced_and_removed() {
    let mut text = text();
    let obstacles = Address::list("obstacles");
    let groups = Address::list("groups");
    text.edit(|draft| {
        draft.add(
            &obstacles,
            &json!({ "name": "pillar", "circle": { "center": [0, 8], "radius": 0.4 } }),
        )?;
        draft.add(&obstacles, &json!({ "box": { "center": [3, -8], "size": [2, 1.5] } }))?;
        draft
            .add(&groups.named("walkers").key("crowds"), &json!({ "count": 2, "region": "end" }))?;
        draft.add(
            &groups,
            &json!({ "name": "guests", "sources": [{ "region": "start", "rate": 0.5 }] }),
        )
    })
    .unwrap();
    assert_eq!(text.scene().obstacles.len(), 2);
    let crowds = "crowds = [{ count = 5, region = \"start\" }, { count = 2, region = \"end\" }]";
    assert!(text.to_string().contains(crowds), "{text}");
    assert_eq!(text.scene().groups[1].sources.len(), 1);
    text.edit(|draft| {
        draft.set(&obstacles.named("pillar").key("circle").key("radius"), &json!(0.75))?;
        draft.remove(&obstacles.index(1))?;
        draft.set(&groups.named("guests").key("sources").index(0).key("rate"), &json!(2))?;
        draft.remove(&groups.named("walkers"))
    })
    .unwrap();
    assert!(text.to_string().contains("circle = { center = [0, 8], radius = 0.75 }"), "{text}");
    assert_eq!((text.scene().obstacles.len(), text.scene().groups.len()), (1, 1));
    assert!(
        text.to_string().contains("# ---- People ----")
            && text.to_string().ends_with("# The end.\n")
    );
}

#[test]
fn what_would_be_no_scene_is_refused_and_changes_nothing() {
    let mut text = text();
    let region = Address::list("regions").named("start");
    let nan = arrow([f64::NAN, 0.0], [1.0, 0.0]);
    type Edit<'a> = &'a dyn Fn(&mut SceneText) -> Result<(), TextError>;
    let edits: [Edit; 7] = [
        &|text| text.edit(|draft| draft.remove(&region)),
        &|text| text.edit(|draft| draft.set(&region.key("colour"), &json!("red"))),
        &|text| text.edit(|draft| draft.set(&region, &json!(3))),
        &|text| text.edit(|draft| draft.set(&region.key("name").key("first"), &json!(3))),
        &|text| text.edit(|draft| draft.set(&Address::default(), &json!({}))),
        &|text| text.edit(|draft| draft.add(&Address::list("name"), &json!({}))),
        &|text| text.edit(|draft| draft.set_anchors("stream", std::slice::from_ref(&nan))),
    ];
    for edit in edits {
        assert!(edit(&mut text).is_err());
        assert_eq!(text.to_string(), SCENE);
    }
    let error = text.edit(|draft| draft.remove_field("steam")).unwrap_err();
    assert_eq!(error.to_string(), "there is no fields[\"steam\"] in the scene");
}

#[test]
fn lines_end_as_they_did() {
    let crlf = SCENE.replace('\n', "\r\n");
    let mut text = SceneText::parse("street.toml", &crlf, Path::new("")).unwrap();
    text.edit(|draft| draft.set(&Address::list("name"), &json!("Road"))).unwrap();
    assert_eq!(text.to_string(), crlf.replace("Street", "Road"));
}

#[test]
fn a_saved_scene_replaces_the_old_one_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("street.toml");
    fs::write(&path, SCENE).unwrap();
    let mut text = SceneText::load(&path).unwrap();
    text.edit(|draft| draft.remove_field("eddy")).unwrap();
    text.save(&path).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), text.to_string());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing hidden is left");
    assert!(matches!(text.save(folder.path()), Err(TextError::Place(_))));
}

fn shipped() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let mut scenes: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    scenes.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    scenes.sort();
    scenes.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// The texts after `#`, in order. No scene that ships has one within quotes other than colours.
fn comments(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.find("# ").map(|at| line[at..].trim())).collect()
}

/// Every number of a scene, as an address.
fn numbers(json: &Json, at: &Address, found: &mut Vec<Address>) {
    match json {
        Json::Number(_) => found.push(at.clone()),
        Json::Array(entries) => {
            for (index, entry) in entries.iter().enumerate() {
                numbers(entry, &at.index(index), found);
            }
        }
        Json::Object(entries) => {
            for (key, entry) in entries {
                numbers(entry, &at.key(key), found);
            }
        }
        _ => {}
    }
}

/// Every entry of a list of tables.
fn entries(json: &Json, at: &Address, found: &mut Vec<Address>) {
    match json {
        Json::Array(list) => {
            for (index, entry) in list.iter().enumerate() {
                if entry.is_object() {
                    found.push(at.index(index));
                }
                entries(entry, &at.index(index), found);
            }
        }
        Json::Object(table) => {
            for (key, entry) in table {
                entries(entry, &at.key(key), found);
            }
        }
        _ => {}
    }
}

/// All of a scene as JSON, by another reader, with the same kind of number for 1 and 1.0.
fn parsed(text: &str) -> Json {
    fn alike(json: Json) -> Json {
        match json {
            Json::Number(number) => json!(number.as_f64()),
            Json::Array(list) => Json::Array(list.into_iter().map(alike).collect()),
            Json::Object(table) => {
                Json::Object(table.into_iter().map(|(key, value)| (key, alike(value))).collect())
            }
            other => other,
        }
    }
    alike(toml::from_str(text).unwrap())
}

fn value_at<'j>(json: &'j Json, at: &Address) -> &'j Json {
    let pointer = serde_json::to_value(at).unwrap();
    pointer.as_array().unwrap().iter().fold(json, |json, step| match step {
        Json::String(key) => &json[key],
        step => &json[step.as_u64().unwrap() as usize],
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3 * ProptestConfig::default().cases))]

    #[test]
    fn random_edits_keep_comments_and_set_what_they_say(
        scene in any::<prop::sample::Index>(),
        edits in prop::collection::vec(
            (0..4u8, any::<prop::sample::Index>(), -50f64..50.0, any::<bool>()), 1..8
        ),
    ) {
        let scenes = shipped();
        // Loading a hundred thousand people or a model takes its time.
        let mut scenes: Vec<_> = scenes.into_iter().filter(|(_, text)| text.len() < 8000).collect();
        scenes.push(("".into(), SCENE.to_owned()));
        let (path, original) = &scenes[scene.index(scenes.len())];
        let base = path.parent().unwrap_or(Path::new(""));
        let mut text = SceneText::parse("scene.toml", original, base).unwrap();
        for (kind, place, number, round) in edits {
            let before = text.to_string();
            let all = parsed(&before);
            let mut places = Vec::new();
            if kind < 2 {
                numbers(&all, &Address::default(), &mut places);
            } else {
                entries(&all, &Address::default(), &mut places);
            }
            if places.is_empty() { continue; }
            let at = &places[place.index(places.len())];
            let number = if round { (number * 10.0).round() / 10.0 } else { number };
            let old_comments: Vec<String> = comments(&before).into_iter().map(Into::into).collect();
            match kind {
                0 | 1 => {
                    if text.edit(|draft| draft.set(at, &json!(number))).is_ok() {
                        let now = text.to_string();
                        prop_assert_eq!(value_at(&parsed(&now), at).as_f64(), Some(number));
                        prop_assert_eq!(comments(&now), old_comments);
                        prop_assert!(before.lines().count() == now.lines().count());
                    } else {
                        prop_assert_eq!(text.to_string(), before);
                    }
                }
                2 => {
                    // A copy of an entry, where names allow it.
                    let mut copy = value_at(&all, at).clone();
                    if copy.get("name").is_some() {
                        copy["name"] = json!(format!("copy at {}", text.to_string().len()));
                    }
                    let json = serde_json::to_value(at).unwrap();
                    let list: Address = serde_json::from_value(Json::Array({
                        let mut steps = json.as_array().unwrap().clone();
                        steps.pop();
                        steps
                    })).unwrap();
                    if text.edit(|draft| draft.add(&list, &copy)).is_ok() {
                        let now = text.to_string();
                        let values = parsed(&now);
                        let last = value_at(&values, &list).as_array().unwrap().last();
                        prop_assert_eq!(last, Some(&copy), "{}", now);
                        let mut kept = comments(&now);
                        kept.sort_unstable();
                        let mut old = old_comments.clone();
                        old.sort_unstable();
                        prop_assert_eq!(kept, old);
                    }
                }
                _ => {
                    if text.edit(|draft| draft.remove(at)).is_ok() {
                        let now = text.to_string();
                        let unjust = unjustly_lost(&before, &now);
                        prop_assert!(unjust.is_empty(), "{unjust:?} of {at}\n{now}");
                        let mut expected = all.clone();
                        remove(&mut expected, at);
                        prop_assert_eq!(without_empty(parsed(&now)), without_empty(expected));
                    }
                }
            }
        }
    }
}

/// Comments that are not there any more, although a blank line sets them apart from what follows or
/// the line they are on is still there.
fn unjustly_lost(before: &str, now: &str) -> Vec<String> {
    let lines: Vec<&str> = before.lines().collect();
    let is_lost =
        |line: &str| !comments(line).iter().all(|comment| comments(now).contains(comment));
    let is_comment = |line: &&&str| line.trim_start().starts_with('#');
    let lost = lines.iter().enumerate().filter(|(_, line)| is_lost(line));
    let unjustly = lost.filter(|(i, line)| {
        if is_comment(line) {
            let next = lines[*i..].iter().find(|line| !is_comment(line));
            return next.is_none_or(|line| line.trim().is_empty());
        }
        let content = line.split("# ").next().unwrap().trim();
        now.lines().filter(|other| other.contains(content)).count()
            >= lines.iter().filter(|other| other.contains(content)).count()
    });
    unjustly.map(|(_, line)| (*line).to_owned()).collect()
}

fn remove(json: &mut Json, at: &Address) {
    let steps = serde_json::to_value(at).unwrap();
    let (last, rest) = steps.as_array().unwrap().split_last().unwrap();
    let parent = rest.iter().fold(json, |json, step| match step {
        Json::String(key) => &mut json[key],
        step => &mut json[step.as_u64().unwrap() as usize],
    });
    parent.as_array_mut().unwrap().remove(last.as_u64().unwrap() as usize);
}

/// An empty list with headers is not written.
fn without_empty(json: Json) -> Json {
    match json {
        Json::Object(table) => Json::Object(
            table
                .into_iter()
                .map(|(key, value)| (key, without_empty(value)))
                .filter(|(_, value)| *value != json!([]))
                .collect(),
        ),
        Json::Array(list) => Json::Array(list.into_iter().map(without_empty).collect()),
        other => other,
    }
}

#[test]
fn an_edit_elsewhere_leaves_what_a_scene_is_to_show_alone() {
    let written = "\
format = 1
world.bounds = [[-9, -9], [9, 9]]

[evaluation] # frozen
version = 2
criteria = [
    \"completion == 1\",   # everybody
    'time <= 1.5*ideal_time',
]

[[groups]]
name = \"one\"
people = [{ position = [0, 0] }]
";
    let mut text = SceneText::parse("scene.toml", written, Path::new("")).unwrap();
    let speed = Address::list("groups").named("one").key("speed");
    text.edit(|draft| draft.set(&speed, &json!(1.2))).unwrap();
    let kept = &written[written.find("[evaluation]").unwrap()..written.find("[[groups]]").unwrap()];
    assert!(text.to_string().contains(kept), "{text}");
    assert_eq!(text.scene().evaluation.as_ref().map(|told| told.criteria.len()), Some(2));
    let criteria = Address::list("evaluation").key("criteria");
    assert!(text.edit(|draft| draft.set(&criteria, &json!(["tme < 2"]))).is_err());
    text.edit(|draft| draft.set(&criteria, &json!(["time < 2"]))).unwrap();
    assert_eq!(text.scene().evaluation.as_ref().unwrap().criteria[0].text(), "time < 2");
}
