//! Scenes that programs edit keep what their authors wrote.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::fs;
use std::path::{Path, PathBuf};

use glam::DVec2;
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use throng_base::Distribution;
use throng_world::scene::{Address, FieldId, SceneText, TextError};

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

/// Changes the list of a field's anchors as it is typed.
fn edit_anchors(text: &mut SceneText, field: usize, change: impl FnOnce(&mut Vec<Json>)) {
    let mut anchors = text.json()["fields"][field]["anchors"].take();
    change(anchors.as_array_mut().unwrap());
    let at = Address::list("fields").index(field).key("anchors");
    text.edit(|draft| draft.set(&at, &anchors)).unwrap();
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
    edit_anchors(&mut text, 0, |anchors| anchors[1]["at"] = json!([0.1 + 0.2, 0.0]));
    expect(
        &text,
        &["    { name = \"bend\", at = [0, 0.0], velocity = [1.2, 0.5] },"],
        &["    { name = \"bend\", at = [0.30000000000000004, 0.0], velocity = [1.2, 0.5] },"],
    );
    assert_eq!(text.scene().fields[0].anchors[1].keys[0].position, DVec2::new(0.1 + 0.2, 0.0));
}

#[test]
fn a_new_key_is_written_behind_the_others() {
    let mut text = text();
    edit_anchors(&mut text, 0, |anchors| anchors[1]["reach"] = json!(7.5));
    expect(
        &text,
        &["    { name = \"bend\", at = [0, 0.0], velocity = [1.2, 0.5] },"],
        &["    { name = \"bend\", at = [0, 0.0], velocity = [1.2, 0.5], reach = 7.5 },"],
    );
    let reaches: Vec<_> =
        text.scene().fields[0].anchors.iter().map(|anchor| anchor.reach).collect();
    assert_eq!(reaches, [None, Some(7.5), None]);
}

#[test]
fn entries_come_and_go_in_brackets() {
    let mut text = text();
    edit_anchors(&mut text, 0, |anchors| {
        anchors.remove(1);
        anchors.push(json!({ "at": [18, -4.5], "velocity": [1, 0] }));
    });
    expect(
        &text,
        &[
            "    # In the middle they bend.",
            "    { name = \"bend\", at = [0, 0.0], velocity = [1.2, 0.5] },",
        ],
        &["    { at = [18, -4.5], velocity = [1, 0] },"],
    );
    // The first and the last, whose comments go with them; that of the list stays.
    edit_anchors(&mut text, 0, |anchors| *anchors = anchors[1..2].to_vec());
    let list = text.to_string();
    let list = list.split("name = \"stream\"\n").nth(1).unwrap().split("\n\n").next().unwrap();
    assert_eq!(
        list,
        "anchors = [ # from west to east\n    { at = [15, 4], velocity = [1.3, 0] }, # the end\n]"
    );
}

#[test]
fn entries_come_and_go_with_headers() {
    let mut text = text();
    edit_anchors(&mut text, 1, |anchors| {
        anchors.insert(1, json!({ "at": [2.5, 8], "velocity": [1, 0] }));
    });
    let written = text.to_string();
    let entry = "[[fields.anchors]]\nat = [2.5, 8]\nvelocity = [1, 0]\n";
    let (before, after) = written.split_once(entry).expect(&written);
    assert!(
        before.ends_with("velocity = [0, 1]\n\n") && after.contains("velocity = [0, -1]  # back")
    );
    edit_anchors(&mut text, 1, |anchors| drop(anchors.remove(0)));
    expect(
        &text,
        &["# One of two.", "at = [0, 5]", "velocity = [0, 1]"],
        &["at = [2.5, 8]", "velocity = [1, 0]"],
    );
}

#[test]
fn tables_come_and_go_where_their_kind_is() {
    let mut text = text();
    let (fields, led) =
        (Address::list("fields"), Address::list("groups").named("walkers").key("led"));
    let other = json!({ "name": "other", "anchors": [{ "at": [0, 0], "velocity": [1, 0] }] });
    text.edit(|draft| draft.add(&fields, &other)).unwrap();
    assert_eq!(text.scene().fields.len(), 3);
    let written = text.to_string();
    assert!(
        written.find("\"other\"").unwrap() < written.find("# ---- People").unwrap(),
        "{written}"
    );

    text.edit(|draft| {
        draft.remove(&fields.named("stream"))?;
        draft.set(&led.key("by"), &json!(["eddy"]))
    })
    .unwrap();
    let (gone, _) = changes(SCENE, &text.to_string());
    let comments: Vec<&String> = gone.iter().filter(|line| line.starts_with('#')).collect();
    assert!(comments.is_empty(), "the heading stays: {comments:?}\n{text}");
    assert_eq!(text.scene().groups[0].led.as_ref().unwrap().by, [FieldId(0)]);
}

#[test]
fn a_value_is_set_in_place() {
    let mut text = text();
    let led = Address::list("groups").named("walkers").key("led");
    text.edit(|draft| {
        draft.set(&led.key("share"), &json!(0.85))?;
        draft.set(&led.key("wander"), &json!(0.1))
    })
    .unwrap();
    expect(
        &text,
        &["led = { by = [\"stream\", \"eddy\"], share = 0.5 }  # half obedient"],
        &["led = { by = [\"stream\", \"eddy\"], share = 0.85, wander = 0.1 }  # half obedient"],
    );
    text.edit(|draft| draft.remove(&led)).unwrap();
    assert!(text.scene().groups[0].led.is_none());
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
    type Edit<'a> = &'a dyn Fn(&mut SceneText) -> Result<(), TextError>;
    let edits: [Edit; 6] = [
        &|text| text.edit(|draft| draft.remove(&region)),
        &|text| text.edit(|draft| draft.set(&region.key("colour"), &json!("red"))),
        &|text| text.edit(|draft| draft.set(&region, &json!(3))),
        &|text| text.edit(|draft| draft.set(&region.key("name").key("first"), &json!(3))),
        &|text| text.edit(|draft| draft.set(&Address::default(), &json!({}))),
        &|text| text.edit(|draft| draft.add(&Address::list("name"), &json!({}))),
    ];
    for edit in edits {
        assert!(edit(&mut text).is_err());
        assert_eq!(text.to_string(), SCENE);
    }
    let error =
        text.edit(|draft| draft.remove(&Address::list("fields").named("steam"))).unwrap_err();
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
    text.edit(|draft| draft.set(&Address::list("name"), &json!("Road"))).unwrap();
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
