//! Where people come from in an edited scene.

use throng_world::scene::GroupId;

use super::{YARD, adopted, count, edited, running, scene, support};

/// Three come, soon, and then no more.
const GATES: &str = r#"
    format = 1
    world.bounds = [[-20, -10], [20, 10]]
    regions = [
        { name = "west", rectangle = [[-18, -8], [-12, 8]] },
        { name = "east", rectangle = [[12, -8], [18, 8]] },
    ]
    [[groups]]
    name = "some"
    sources = [{ region = "west", rate = 2, limit = 3 }]
"#;

/// How many have come to the gates when some seconds have passed after an edit.
fn come(edits: &[(&str, &str)]) -> usize {
    let (mut crowd, _) = adopted(GATES, 5.0, edits);
    support::run(&mut crowd, 5.0);
    crowd.len()
}

#[test]
fn a_source_that_is_put_up_later_does_not_make_up_for_lost_time() {
    let (mut crowd, old) = running(YARD, 20.0);
    let new = scene(&edited("rate = 2 }", "rate = 3 }"));
    let before = crowd.ever();
    crowd.adopt(&old, &new).unwrap();
    support::run(&mut crowd, 2.0);
    let came = crowd.ever() - before;
    assert!((4..=8).contains(&came), "{came}");
}

#[test]
fn a_source_that_has_changed_begins_anew_and_others_go_on() {
    assert_eq!(come(&[]), 3);
    // Whoever comes is like the group says, and from wherever its region is.
    assert_eq!(come(&[("name = \"some\"", "name = \"some\"\n    speed = 1")]), 3);
    assert_eq!(
        come(&[(
            "regions = [",
            "regions = [\n        { name = \"middle\", rectangle = [[-1, -1], [1, 1]] },"
        )]),
        3
    );
    assert_eq!(come(&[("rate = 2", "rate = 4")]), 6);
    assert_eq!(come(&[("limit = 3", "limit = 4")]), 7);
    assert_eq!(come(&[("region = \"west\", rate", "region = \"east\", rate")]), 6);
}

#[test]
fn a_source_of_another_group_is_another_one() {
    let (mut crowd, _) = adopted(
        GATES,
        5.0,
        &[(
            "[[groups]]\n    name = \"some\"",
            "[[groups]]\n    name = \"some\"\n    [[groups]]\n    name = \"others\"",
        )],
    );
    support::run(&mut crowd, 5.0);
    assert_eq!((count(&crowd, 0), count(&crowd, 1)), (3, 3));
}

#[test]
fn those_who_come_later_are_as_their_group_is_now_and_come_where_its_region_is() {
    let text = GATES.replace(", limit = 3", "");
    let kiosk = "regions = [\n        { name = \"middle\", rectangle = [[-1, -1], [1, 1]] },";
    let edits = [("regions = [", kiosk), ("name = \"some\"", "name = \"some\"\n    speed = 0.9")];
    let (mut crowd, _) = adopted(&text, 3.0, &edits);
    let before = crowd.ever();
    support::run(&mut crowd, 3.0);
    let late: Vec<_> = crowd.people().filter(|person| person.id.0 >= before).collect();
    assert!(late.len() > 4);
    for person in late {
        assert_eq!(person.group, GroupId(0));
        assert!(person.position.x < -11.0, "{person:?}");
        assert_eq!(crowd.character(person.id).unwrap().preferred_speed, 0.9);
    }
}

#[test]
fn sources_that_begin_anew_have_luck_of_their_own() {
    // When people come at random: after each edit at other times.
    let text = GATES.replace("limit = 3", "arrivals = \"random\"");
    let gaps = |seconds: f64| {
        let (mut crowd, old) = running(&text, seconds);
        crowd.adopt(&old, &scene(&text.replace("rate = 2", "rate = 3"))).unwrap();
        let mut arrivals = Vec::new();
        let mut last = crowd.ever();
        for step in 0..80 {
            crowd.step();
            arrivals.extend((last..crowd.ever()).map(|_| step));
            last = crowd.ever();
        }
        arrivals
    };
    assert_ne!(gaps(2.0), gaps(4.0));
}
