//! What people want in an edited scene, and how far they are with it.

use glam::Vec2;
use throng_crowd::{Crowd, PersonId};
use throng_world::scene::{Aim, GroupId, LayerId};

use super::{YARD, adopted, count, edited, people, running, scene, support};

/// Somebody has been to the shop and is on the way to the bank; friends wait.
const ERRANDS: &str = r#"
    format = 1
    world.bounds = [[-30, -10], [30, 10]]
    regions = [
        { name = "shop", rectangle = [[-8, -2], [-4, 2]] },
        { name = "bank", rectangle = [[4, -2], [8, 2]] },
        { name = "park", rectangle = [[20, -2], [24, 2]] },
    ]
    [[groups]]
    name = "friends"
    people = [{ name = "Ada", position = [26, 8] }, { name = "Bob", position = [26, -8] }]
    [[groups]]
    name = "one"
    speed = 1.3
    goals = [{ seek = { nearest = ["shop", "park"] } }, { seek = "bank" }, { seek = { person = "Ada" } }]
    people = [{ position = [-12, 0] }]
"#;
const ERRAND: PersonId = PersonId(2);
/// When they have left the shop, s.
const UNDER_WAY: f64 = 9.0;

/// Which goal somebody pursues.
fn goal(crowd: &Crowd, id: PersonId) -> usize {
    crowd.inspect(id).unwrap().goal.unwrap().index
}

#[test]
fn changed_goals_are_begun_anew_and_others_are_not() {
    let (mut crowd, old) = running(YARD, 3.0);
    let new = scene(&edited(
        "goals = [{ seek = \"east\" }, { seek = \"west\" }]",
        "goals = [{ seek = [0, -13] }]",
    ));
    crowd.adopt(&old, &new).unwrap();
    support::run(&mut crowd, 25.0);
    let near = crowd.people().filter(|person| {
        person.group == GroupId(0) && person.position.distance(Vec2::new(0.0, -13.0)) < 4.0
    });
    assert!(near.count() > 25);
    assert!(count(&crowd, 2) > 5, "others go on");
}

#[test]
fn a_region_that_moves_takes_its_goals_along() {
    let (mut crowd, old) = running(YARD, 12.0);
    let new =
        scene(&edited("rectangle = [[14, -10], [18, 10]]", "rectangle = [[-4, -14], [4, -12]]"));
    crowd.adopt(&old, &new).unwrap();
    support::run(&mut crowd, 2.0);
    let walkers = crowd.people().filter(|person| person.group == GroupId(2));
    let down = walkers.filter(|person| person.preferred_velocity.y < 0.0).count();
    assert!(down > count(&crowd, 2) / 2, "{down}");
}

#[test]
fn goals_that_were_given_by_hand_outlast_edits_elsewhere() {
    let (mut crowd, old) = running(YARD, 3.0);
    let mut character = crowd.character(PersonId(4)).unwrap();
    let Aim::SeekRegion { .. } = character.plan.goals[0].aim else { panic!("to the east") };
    character.plan.goals.swap(0, 1);
    assert!(crowd.set_character(PersonId(4), &character).unwrap());
    // Regions change places in the list.
    let west = "[[regions]]\n    name = \"west\"\n    rectangle = [[-18, -10], [-8, 10]]\n";
    let new =
        scene(&edited(west, "").replacen("[[regions]]", &format!("{west}    [[regions]]"), 1));
    crowd.adopt(&old, &new).unwrap();
    let after = crowd.character(PersonId(4)).unwrap();
    assert_eq!(after.plan.goals.len(), 2);
    let Aim::SeekRegion { region } = after.plan.goals[0].aim else { panic!("to the west") };
    assert_eq!(new.regions[region.0 as usize].name, "west");
    assert_ne!(crowd.character(PersonId(5)).unwrap().plan, after.plan);
}

#[test]
fn goals_that_mean_the_same_are_not_begun_anew() {
    assert_eq!(goal(&running(ERRANDS, UNDER_WAY).0, ERRAND), 1);
    let kiosk = "regions = [\n        { name = \"kiosk\", rectangle = [[0, 5], [1, 6]] },";
    for edits in [
        // Everything has another number.
        &[("regions = [", kiosk)][..],
        &[
            ("[{ name = \"Ada\", position = [26, 8] }, ", "["),
            ("[26, -8] }]", "[26, -8] }, { name = \"Ada\", position = [26, 8] }]"),
        ],
        &[(
            "[[groups]]\n    name = \"friends\"",
            "[[groups]]\n    name = \"nobody\"\n    [[groups]]\n    name = \"friends\"",
        )],
        // Another name, and nothing else.
        &[("\"bank\"", "\"vault\"")],
    ] {
        let (mut crowd, _) = adopted(ERRANDS, UNDER_WAY, edits);
        assert_eq!(goal(&crowd, ERRAND), 1, "{edits:?}");
        support::run(&mut crowd, 14.0);
        assert_eq!(goal(&crowd, ERRAND), 2, "{edits:?}");
        support::run(&mut crowd, 25.0);
        let near = crowd.person(ERRAND).unwrap().position.distance(Vec2::new(26.0, 8.0));
        assert!(near < 2.0, "{near} m from Ada: {edits:?}");
    }
}

#[test]
fn goals_that_have_changed_in_any_way_are_begun_anew() {
    for edit in [
        ("{ seek = \"bank\" }", "{ seek = \"bank\", speed = 0.8 }"),
        ("{ seek = \"bank\" }", "{ seek = \"bank\", duration = 90 }"),
        ("{ seek = \"bank\" }", "{ seek = \"bank\", ways = \"many\" }"),
        ("{ seek = \"bank\" }", "{ seek = \"park\" }"),
        ("person = \"Ada\"", "person = \"Bob\""),
        ("{ seek = { person = \"Ada\" } }]", "{ seek = { person = \"Ada\" } }, { idle = 3 }]"),
        ("speed = 1.3", "speed = 1.3\n    then = \"leave\""),
        // What they mean has changed.
        ("[[4, -2], [8, 2]]", "[[4, -3], [8, 2]]"),
        ("[[20, -2], [24, 2]]", "[[20, -3], [24, 2]]"),
    ] {
        let (crowd, _) = adopted(ERRANDS, UNDER_WAY, &[edit]);
        assert_eq!(goal(&crowd, ERRAND), 0, "{edit:?}");
    }
    // A region on another floor is another one.
    let house = ERRANDS.replace(
        "regions = [",
        "layers = [{ name = \"ground\" }, { name = \"roof\", elevation = 4 }]\n    regions = [",
    );
    let (mut crowd, old) = running(&house, UNDER_WAY);
    let mut new = old.clone();
    new.regions[1].layer = LayerId(1);
    crowd.adopt(&old, &new).unwrap();
    assert_eq!(goal(&crowd, ERRAND), 0);
}

#[test]
fn who_has_chosen_among_places_goes_on_to_the_same() {
    let kiosk = "regions = [\n        { name = \"kiosk\", rectangle = [[-14, 6], [-12, 8]] },";
    // Something is in the way, so that there are ways to compare.
    let box_aside = "obstacles = [{ box = { center = [0, -8], size = [1, 1] } }]\n    regions = [";
    let text = ERRANDS.replace("regions = [", box_aside);
    let (mut crowd, _) = adopted(&text, 1.0, &[("regions = [", kiosk)]);
    assert_eq!(goal(&crowd, ERRAND), 0);
    support::run(&mut crowd, 5.0);
    let there = crowd.person(ERRAND).unwrap().position;
    assert!(there.x > -8.5 && there.y.abs() < 1.0, "{there}");
}

/// Somebody who is listed with a goal of their own.
const OWN: &str = r#"
    format = 1
    world.bounds = [[-30, -10], [30, 10]]
    [[groups]]
    name = "all"
    speed = 1.3
    goals = [{ seek = [0, -9] }]
    people = [{ position = [-12, 0], goals = [{ seek = [-9, 0] }, { seek = [9, 0] }] }]
    [[groups]]
    name = "others"
    goals = [{ seek = [0, 9] }]
    people = [{ position = [-12, 4], goals = [{ seek = [-9, 0] }, { seek = [9, 0] }] }]
"#;

fn last_aim(crowd: &Crowd, id: u32) -> Aim {
    crowd.goals_of(PersonId(id)).unwrap().goals.last().unwrap().aim.clone()
}

fn to(x: f32, y: f32) -> Aim {
    Aim::Seek { point: Vec2::new(x, y), layer: LayerId(0), within: 0.5 }
}

#[test]
fn who_is_listed_with_goals_of_their_own_keeps_to_the_list() {
    let (crowd, _) = adopted(OWN, 4.0, &[("[0, 9]", "[1, 9]")]);
    assert_eq!((goal(&crowd, PersonId(0)), last_aim(&crowd, 0)), (1, to(9.0, 0.0)));
    let (crowd, _) = adopted(
        OWN,
        4.0,
        &[("{ seek = [9, 0] }] }]\n    [[groups]]", "{ seek = [9, 5] }] }]\n    [[groups]]")],
    );
    assert_eq!((goal(&crowd, PersonId(0)), last_aim(&crowd, 0)), (0, to(9.0, 5.0)));
    let newcomer = "}] }, { position = [-14, 3], goal = { seek = [-14, 9] } }]";
    let (crowd, _) =
        adopted(OWN, 4.0, &[("}] }]\n    [[groups]]", &format!("{newcomer}\n    [[groups]]"))]);
    assert_eq!(last_aim(&crowd, 2), to(-14.0, 9.0));
}

#[test]
fn who_was_moved_to_another_group_stays_there_with_what_they_want() {
    for keeps_goals in [true, false] {
        let (mut crowd, old) = running(OWN, 1.0);
        let mut character = crowd.character(PersonId(0)).unwrap();
        character.group = GroupId(1);
        if !keeps_goals {
            character.plan.goals = old.groups[1].goals.clone();
        }
        assert!(crowd.set_character(PersonId(0), &character).unwrap());
        let new = scene(&OWN.replace("speed = 1.3", "speed = 1.2"));
        crowd.adopt(&old, &new).unwrap();
        assert_eq!(people(&crowd)[0].group, GroupId(1));
        assert_eq!(last_aim(&crowd, 0), if keeps_goals { to(9.0, 0.0) } else { to(0.0, 9.0) });
        support::run(&mut crowd, 1.0);
    }
}

#[test]
fn goals_can_be_given_by_hand_after_any_edit() {
    let (mut crowd, old) = running(YARD, 1.0);
    let goals = crowd.goals_of(PersonId(4)).unwrap().goals.clone();
    crowd.set_goal(PersonId(4), goals[1].clone()).unwrap();
    assert!(crowd.remove(PersonId(4)));
    crowd.adopt(&old, &scene(&edited("count = 30", "count = 29"))).unwrap();
    crowd.set_goal(PersonId(5), goals[1].clone()).unwrap();
    assert_eq!(crowd.goals_of(PersonId(5)).unwrap().goals, goals[1..]);
    assert_eq!(crowd.goals_of(PersonId(6)).unwrap().goals, goals);
}
