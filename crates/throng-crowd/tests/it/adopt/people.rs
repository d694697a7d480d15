//! Who is there in an edited scene, and what they are like.

use std::collections::BTreeSet;

use glam::Vec2;
use throng_crowd::{Crowd, PersonId};
use throng_world::scene::{GroupId, LayerId};

use super::{
    HOUSE, YARD, adopted, count, edited, largest_overlap, people, running, scene, support,
};

#[test]
fn crowds_grow_and_shrink_and_listed_people_come_and_go() {
    let (mut crowd, old) = running(YARD, 3.0);
    let more = scene(
        &edited("count = 30", "count = 45")
            .replace("{ position = [2, 4] }]", "{ position = [2, 4] }, { position = [4, 4] }]"),
    );
    let ada = crowd.listed(GroupId(1))[1];
    crowd.adopt(&old, &more).unwrap();
    assert_eq!((count(&crowd, 0), count(&crowd, 1)), (45, 4));
    let fewer = scene(&edited("count = 30", "count = 10").replace("{ position = [0, 0] }, ", ""));
    crowd.adopt(&more, &fewer).unwrap();
    assert_eq!((count(&crowd, 0), count(&crowd, 1)), (10, 2));
    assert_eq!(crowd.listed(GroupId(1)).len(), 2);
    assert_eq!(crowd.listed(GroupId(1))[0], ada);
    assert!(crowd.person(ada).is_some());
    crowd.adopt(&fewer, &old).unwrap();
    assert_eq!((count(&crowd, 0), count(&crowd, 1)), (30, 3));
    support::run(&mut crowd, 3.0);
}

#[test]
fn more_people_than_there_is_room_for_are_refused() {
    let (mut crowd, old) = running(YARD, 3.0);
    let before = people(&crowd);
    let new = scene(&edited("count = 30", "count = 900"));
    let error = crowd.adopt(&old, &new).unwrap_err();
    assert!(error.to_string().contains("find room"), "{error}");
    assert_eq!(people(&crowd), before);
}

#[test]
fn groups_are_renamed_reordered_and_removed() {
    let (mut crowd, old) = running(YARD, 3.0);
    let renamed = scene(&edited("name = \"walkers\"", "name = \"strollers\""));
    let before = people(&crowd);
    crowd.adopt(&old, &renamed).unwrap();
    assert_eq!(people(&crowd), before);
    let start = YARD.find("[[groups]]").unwrap();
    let end = start + YARD[start + 5..].find("[[groups]]").unwrap() + 5;
    let without = scene(&format!("{}{}", &YARD[..start], &YARD[end..]));
    crowd.adopt(&renamed, &without).unwrap();
    assert_eq!(count(&crowd, 0), 3, "the led are the first group now");
    support::run(&mut crowd, 2.0);
    assert!(crowd.people().filter(|p| p.group == GroupId(0)).all(|p| p.velocity.x > 0.4));
    assert!(count(&crowd, 1) > 0, "the source goes on");
}

#[test]
fn who_steers_in_another_way_does_so_at_once() {
    let (mut crowd, old) = running(YARD, 3.0);
    let new = scene(&edited(
        "name = \"walkers\"",
        "name = \"walkers\"\n    steering = { model = \"social_force\" }\n    speed = 0.6\n    radius = 0.2",
    ));
    crowd.adopt(&old, &new).unwrap();
    let character = crowd.character(PersonId(5)).unwrap();
    assert_eq!(character.steering.model().name, "social_force");
    assert_eq!((character.preferred_speed, character.radius), (0.6, 0.2));
    support::run(&mut crowd, 3.0);
    assert!(crowd.people().filter(|p| p.group == GroupId(0)).all(|p| p.velocity.length() < 0.9));
}

#[test]
fn who_is_listed_is_known_by_name_or_by_where_they_begin() {
    let (before, _) = running(YARD, 2.0);
    let ada = before.listed(GroupId(1))[1];
    // A name outlasts another place to begin at, for it is too late for that.
    let (crowd, _) = adopted(
        YARD,
        2.0,
        &[("name = \"Ada\", position = [0, 2]", "name = \"Ada\", position = [0, 12]")],
    );
    assert_eq!(crowd.listed(GroupId(1))[1], ada);
    assert_eq!(crowd.person(ada), before.person(ada));
    // The same place on another floor is another place.
    let (crowd, _) = adopted(HOUSE, 1.0, &[("{ position = [-5, 5] }, ", "")]);
    let left: Vec<_> = crowd.people().map(|person| (person.id, person.layer)).collect();
    assert_eq!(left, [(PersonId(1), LayerId(1))]);
}

#[test]
fn those_who_come_find_room_and_are_nobodys_twins() {
    let dozen: Vec<String> = (0..12)
        .map(|i| format!("{{ position = [{}, 0.1] }}", -17.0 + 0.7 * f64::from(i)))
        .collect();
    let people_of_arrivals = format!(
        "name = \"arrivals\"\n    people = [{}]\n    crowds = [{{ count = 8, region = \"west\" }}]",
        dozen.join(", ")
    );
    let (before, _) = running(YARD, 1.0);
    let (crowd, _) = adopted(
        YARD,
        1.0,
        &[("count = 30", "count = 60"), ("name = \"arrivals\"", &people_of_arrivals)],
    );
    assert_eq!(crowd.len(), before.len() + 30 + 12 + 8);
    assert!(largest_overlap(&crowd) <= largest_overlap(&before).max(0.0));
    let speed = |id: PersonId| crowd.character(id).unwrap().preferred_speed.to_bits();
    let speeds: BTreeSet<u32> = crowd.people().map(|person| speed(person.id)).collect();
    assert_eq!(speeds.len(), crowd.len());
}

#[test]
fn those_who_come_face_where_the_scene_says() {
    let (crowd, _) = adopted(
        YARD,
        1.0,
        &[(
            "{ position = [2, 4] }",
            "{ position = [2, 4] }, { position = [4, -12], heading = 90 }",
        )],
    );
    let id = crowd.listed(GroupId(1))[3];
    assert!(crowd.person(id).unwrap().heading.direction().distance(Vec2::Y) < 1e-3);
}

#[test]
fn crowds_shrink_by_those_who_are_not_listed() {
    let listed =
        "name = \"walkers\"\n    people = [{ position = [10, -12] }, { position = [12, -12] }]";
    let (mut crowd, more) = adopted(YARD, 1.0, &[("name = \"walkers\"", listed)]);
    let new = scene(&edited("name = \"walkers\"", listed).replace("count = 30", "count = 28"));
    crowd.adopt(&more, &new).unwrap();
    assert_eq!(count(&crowd, 0), 30);
    assert!(crowd.listed(GroupId(0)).iter().all(|id| crowd.person(*id).is_some()));
}

#[test]
fn what_the_list_says_of_somebody_is_more_than_what_their_group_says() {
    let group = "name = \"led\"\n    speed = 1.5";
    let own =
        YARD.replace("{ position = [0, 0] }", "{ position = [0, 0], speed = 0.7, radius = 0.3 }");
    let (crowd, _) = adopted(&own, 1.0, &[("name = \"led\"", group)]);
    let characters: Vec<_> =
        crowd.listed(GroupId(1)).iter().map(|id| crowd.character(*id).unwrap()).collect();
    assert_eq!((characters[0].preferred_speed, characters[0].radius), (0.7, 0.3));
    assert_eq!(characters[1].preferred_speed, 1.5);
}

#[test]
fn another_speed_is_walked_at_unless_a_goal_asks_for_one() {
    let slow = YARD.replace("[{ seek = \"east\" }]", "[{ seek = \"east\", speed = 0.5 }]");
    let edits = [
        ("name = \"walkers\"", "name = \"walkers\"\n    speed = 1.7"),
        ("name = \"arrivals\"", "name = \"arrivals\"\n    speed = 1.7"),
    ];
    let (crowd, _) = adopted(&slow, 3.0, &edits);
    let speed = |group: u16| {
        let person = crowd.people().find(|person| person.group == GroupId(group)).unwrap();
        crowd.inspect(person.id).unwrap().goal.unwrap().speed
    };
    assert_eq!((speed(0), speed(2)), (1.7, 0.5));
}

#[test]
fn who_has_become_larger_or_faster_still_keeps_apart() {
    // Nothing but contacts keeps them apart.
    let larger = "name = \"walkers\"\n    steering = { model = \"none\" }\n    radius = 0.7\n    speed = 3\n    max_speed = 4";
    let (mut crowd, _) = adopted(YARD, 1.0, &[("name = \"walkers\"", larger)]);
    support::run(&mut crowd, 2.0);
    for _ in 0..100 {
        crowd.step();
        assert!(
            largest_overlap(&crowd) < 0.05,
            "{} at {} s",
            largest_overlap(&crowd),
            crowd.time()
        );
    }
}

#[test]
fn warnings_are_those_of_the_new_scene() {
    let unwise =
        "name = \"walkers\"\n    steering = { model = \"predictive\", anticipation_time = 3 }";
    let (crowd, new) = adopted(YARD, 1.0, &[("name = \"walkers\"", unwise)]);
    assert_eq!(crowd.warnings(), Crowd::from_scene(&new).unwrap().warnings());
    assert!(!crowd.warnings().is_empty());
}
