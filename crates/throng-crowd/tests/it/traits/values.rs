//! Who has which traits, and what follows for the numbers that people steer by.

use throng_crowd::steering::{COMMON_GAINS, COMMON_PARAMETERS, MODELS};
use throng_crowd::{Crowd, PersonId};
use throng_world::scene::Dispositions;
use throng_world::{Scene, Temperament, Trait};

use super::{models, parameter};
use crate::support::{bits, crowd, people_in_the_open, run, same_on_any_threads, scene, state};

/// A busy place with walls, a door, listed people, crowds and sources.
fn busy(model: &str, west: &str, east: &str) -> String {
    format!(
        r#"
        [simulation]
        seed = 8
        [world]
        bounds = [[-20, -10], [20, 10]]
        closed = true
        [[obstacles]]
        wall = {{ points = [[0, -10], [0, -1.5]], thickness = 0.3 }}
        [[obstacles]]
        wall = {{ points = [[0, 1.5], [0, 5]], thickness = 0.3 }}
        [[regions]]
        name = "west"
        rectangle = [[-18, -6], [-12, 6]]
        [[regions]]
        name = "east"
        rectangle = [[12, -6], [18, 6]]
        [[groups]]
        name = "to the east"
        steering = {{ model = "{model}" }}
        {west}
        goals = [{{ seek = "east" }}]
        people = [{{ position = [-10, 0] }}, {{ position = [-10, 1], traits = {{ openness = 0.5 }} }}]
        crowds = [{{ region = "west", count = 12 }}]
        sources = [{{ region = "west", rate = 1 }}]
        [[groups]]
        name = "to the west"
        steering = {{ model = "{model}" }}
        {east}
        goals = [{{ seek = "west" }}]
        people = [{{ position = [10, 0] }}]
        crowds = [{{ region = "east", count = 12 }}]
        sources = [{{ region = "east", rate = 1, arrivals = "random" }}]
        "#
    )
}

const VARIED: &str = "traits = { openness = { min = -1, max = 1 }, extraversion = { mean = 0.2, sd = 0.5, min = -1, max = 1 }, \
                      agreeableness = -0.4, neuroticism = { min = 0, max = 0.8 } }";

/// Everybody's traits, in the order of ids.
fn temperaments(crowd: &Crowd) -> Vec<(u32, Option<Temperament>)> {
    crowd.people().map(|person| (person.id.0, crowd.temperament(person.id))).collect()
}

#[test]
fn traits_and_all_that_follows_are_the_same_on_any_number_of_threads() {
    let text = busy("orca", VARIED, "")
        .replace("[[-20, -10], [20, 10]]", "[[-100, -30], [100, 30]]")
        .replace("[[-18, -6], [-12, 6]]", "[[-98, -28], [-12, 28]]")
        .replace("[[12, -6], [18, 6]]", "[[12, -28], [98, 28]]")
        .replace("count = 12", "count = 1600");
    let make = || crowd(&text);
    same_on_any_threads(&[2, 7], make, |crowd| {
        run(crowd, 4.0);
        (bits(crowd), temperaments(crowd))
    });
}

#[test]
fn a_scene_knows_everybodys_traits_without_a_crowd() {
    let text = busy("orca", VARIED, "traits = { extraversion = -0.5 }");
    let scene = scene(&text);
    let known = Dispositions::of(&scene).unwrap();
    let mut crowd = Crowd::from_scene(&scene).unwrap();
    run(&mut crowd, 8.0);
    let mut different = Vec::new();
    for person in crowd.people() {
        let temperament = crowd.temperament(person.id);
        assert_eq!(temperament, known.temperament(person.id.0, person.group), "{:?}", person.id);
        assert_eq!(crowd.inspect(person.id).unwrap().temperament, temperament);
        different.push(temperament.unwrap());
    }
    assert_eq!(crowd.temperament(PersonId(1)).unwrap().get(Trait::Openness), 0.5);
    different.sort();
    different.dedup();
    assert!(different.len() > 15, "{} kinds of people", different.len());
}

#[test]
fn order_of_appearance_does_not_matter() {
    // The same people, of whom those of the second list now come at a source before.
    let of = |rate: f32| {
        let text = busy("orca", VARIED, "").replace("rate = 1 ", &format!("rate = {rate} "));
        let mut crowd = crowd(&text);
        run(&mut crowd, 8.0);
        let group = |id: u32| state(&crowd, id).group;
        let all = temperaments(&crowd);
        all.into_iter().map(|(id, traits)| (id, group(id), traits)).collect::<Vec<_>>()
    };
    let (few, many) = (of(1.0), of(3.0));
    let mut compared = 0;
    for (id, group, traits) in &many {
        if let Some(same) = few.iter().find(|(other, of, _)| (other, of) == (id, group)) {
            assert_eq!(same.2, *traits, "person {id}");
            compared += 1;
        }
    }
    assert!(compared > 25 && many.len() > few.len());
}

#[test]
fn nobody_has_traits_unless_it_is_said() {
    let crowd = crowd(&busy("orca", "", "").replace(", traits = { openness = 0.5 }", ""));
    assert!(temperaments(&crowd).iter().all(|(_, traits)| traits.is_none()));
    let scene = scene(&busy("orca", "", ""));
    let crowd = Crowd::from_scene(&scene).unwrap();
    let with: Vec<u32> = temperaments(&crowd)
        .iter()
        .filter(|(_, traits)| traits.is_some())
        .map(|(id, _)| *id)
        .collect();
    assert_eq!(with, [1], "who has traits of their own has them in a group without");
}

/// In every model, somebody who is neither the one nor the other does exactly what somebody without traits does.
#[test]
fn neutral_traits_are_as_good_as_none() {
    const NEUTRAL: &str = "traits = { openness = 0, conscientiousness = 0, extraversion = 0, agreeableness = 0, \
                           neuroticism = { min = 0, max = 0 } }";
    for model in models() {
        let of = |traits: &str| {
            let text = busy(model, traits, traits).replace(", traits = { openness = 0.5 }", "");
            let mut crowd = crowd(&text);
            run(&mut crowd, 10.0);
            crowd
        };
        let (none, neutral) = (of(""), of(NEUTRAL));
        assert_eq!(bits(&none), bits(&neutral), "{model}");
        assert!(
            neutral.temperament(PersonId(0)).is_some() && none.temperament(PersonId(0)).is_none()
        );
    }
}

#[test]
fn sways_are_of_parameters_that_there_are() {
    for model in MODELS.iter() {
        for (name, _) in model.gains {
            assert!(
                model.all_parameters().any(|info| info.name == *name),
                "{name} of {}",
                model.name
            );
        }
    }
    for (name, _) in COMMON_GAINS {
        assert!(COMMON_PARAMETERS.iter().any(|info| info.name == *name), "{name}");
    }
}

/// One person of a group, with what is said of the group and of them.
fn one(steering: &str, traits: &str, own: &str) -> Crowd {
    people_in_the_open(&format!(
        "[[groups]]\nname = \"g\"\nspeed = 1.3\nsteering = {steering}\ntraits = {traits}\n\
         goals = [{{ seek = [9, 0] }}]\npeople = [{{ position = [0, 0]{own} }}]"
    ))
}

#[test]
fn what_is_said_of_a_group_is_where_traits_begin() {
    let open = "{ extraversion = 1, neuroticism = 0.5, conscientiousness = -0.5 }";
    let crowd = one("{ model = \"orca\", time_horizon = 4 }", open, "");
    let character = crowd.character(PersonId(0)).unwrap();
    assert!((character.preferred_speed - 1.5).abs() < 1e-5, "{}", character.preferred_speed);
    assert!((character.radius - 0.25 * 0.9).abs() < 1e-6, "{}", character.radius);
    assert!((parameter(&crowd, 0, "time_horizon") - 4.0 * 0.85).abs() < 1e-5);
    assert!((character.steering.common.responsibility - 0.25).abs() < 1e-5);
    assert_eq!(parameter(&crowd, 0, "time_horizon_walls"), 1.0, "of people, not of walls");
}

#[test]
fn what_is_said_of_one_person_is_as_it_is_said() {
    let own = ", speed = 1.2, radius = 0.3, steering = { time_horizon = 2, responsibility = 0.9 }";
    let crowd = one("{ model = \"orca\" }", "{ extraversion = 1, conscientiousness = 1 }", own);
    let character = crowd.character(PersonId(0)).unwrap();
    assert_eq!((character.preferred_speed, character.radius), (1.2, 0.3));
    assert_eq!(
        (parameter(&crowd, 0, "time_horizon"), character.steering.common.responsibility),
        (2.0, 0.9)
    );
    // The same value as the group's is said as well.
    let same = one(
        "{ time_horizon = 2 }",
        "{ conscientiousness = 1 }",
        ", steering = { time_horizon = 2 }",
    );
    assert_eq!(parameter(&same, 0, "time_horizon"), 2.0);
}

#[test]
fn nobody_is_faster_than_they_can_be() {
    let text = "[[groups]]\nname = \"g\"\nspeed = 1.3\nmax_speed = 1.4\ntraits = { extraversion = 1 }\n\
                people = [{ position = [0, 0] }]";
    assert_eq!(people_in_the_open(text).character(PersonId(0)).unwrap().preferred_speed, 1.4);
}

#[test]
fn parameters_stay_within_their_limits() {
    // A horizon of 30 s is the longest there is, and a personal space of 0 the smallest.
    let crowd = one("{ time_horizon = 29 }", "{ conscientiousness = 1 }", "");
    assert_eq!(parameter(&crowd, 0, "time_horizon"), 30.0);
    let rude = "{ extraversion = 1, agreeableness = -1, conscientiousness = -1, neuroticism = 1 }";
    let crowd = one("{ model = \"hidac\" }", rude, "");
    let of = |name| parameter(&crowd, 0, name);
    assert_eq!((of("personal_space"), of("right_angle"), of("patience")), (0.0, 0.0, 0.5));
    assert_eq!((of("waiting_time"), of("panic_threshold")), (1.0, 0.25));
}

/// The traits that make of the usual person what the model has names for.
#[test]
fn the_ends_of_traits_are_the_personalities_of_hidac() {
    let hidac = MODELS.iter().find(|model| model.name == "hidac").unwrap();
    let named = |kind: &str, name: &str| {
        let kind = hidac.personalities.iter().find(|personality| personality.name == kind).unwrap();
        kind.values.iter().find(|(of, _)| *of == name).unwrap().1
    };
    let kind = |traits: &str| one("{ model = \"hidac\" }", traits, "");
    let kindly = kind("{ extraversion = -1, agreeableness = 1 }");
    for name in ["personal_space", "waiting_time"] {
        assert_eq!(parameter(&kindly, 0, name), named("respectful", name), "{name}");
    }
    let pushing = kind("{ extraversion = 1, agreeableness = -1 }");
    assert_eq!(parameter(&pushing, 0, "personal_space"), named("aggressive", "personal_space"));
    // A personality of a group is where traits begin, too.
    let both =
        one("{ model = \"hidac\", personality = \"respectful\" }", "{ agreeableness = 1 }", "");
    assert!((parameter(&both, 0, "waiting_time") - 1.5 * 3.0).abs() < 1e-5);
    assert!((parameter(&both, 0, "personal_space") - 1.5 * 0.2).abs() < 1e-5);
}

#[test]
fn orders_that_traits_could_break_are_errors() {
    let text = "format = 1\nworld.bounds = [[-9, -9], [9, 9]]\n[[groups]]\nname = \"g\"\n\
                steering = { model = \"ppr\", t_min = 0.9, t_max = 1.1 }\nTRAITS\n\
                people = [{ position = [0, 0] }]";
    let load = |traits: &str| {
        let scene =
            Scene::parse("scene.toml", &text.replace("TRAITS", traits), "".as_ref()).unwrap();
        Crowd::from_scene(&scene).map_err(|errors| errors.to_string())
    };
    assert!(load("").is_ok() && load("traits = { conscientiousness = 1 }").is_ok());
    let error = load("traits = { conscientiousness = -1 }").err().unwrap();
    assert!(error.contains("`t_min` is up to 0.9, `t_max` from 0.88"), "{error}");
}

#[test]
fn edited_traits_take_effect_and_are_taken_back() {
    let before = scene(&busy("hidac", VARIED, ""));
    let after = scene(&busy("hidac", "traits = { agreeableness = 1, neuroticism = -1 }", VARIED));
    let mut crowd = Crowd::from_scene(&before).unwrap();
    run(&mut crowd, 3.0);
    let characters = |crowd: &Crowd| -> Vec<_> {
        crowd.people().map(|person| crowd.character(person.id).unwrap()).collect()
    };
    let were = characters(&crowd);
    crowd.adopt(&before, &after).unwrap();
    let known = Dispositions::of(&after).unwrap();
    for person in crowd.people() {
        let expected = known.temperament(person.id.0, person.group);
        assert_eq!(crowd.temperament(person.id), expected, "{:?}", person.id);
    }
    assert_eq!(parameter(&crowd, 0, "waiting_time"), 3.0);
    assert_ne!(characters(&crowd), were);
    crowd.adopt(&after, &before).unwrap();
    assert_eq!(characters(&crowd), were);
}

#[test]
fn who_is_moved_to_another_group_is_like_those_there() {
    let scene = scene(&busy("orca", VARIED, "traits = { agreeableness = 0.75 }"));
    let mut crowd = Crowd::from_scene(&scene).unwrap();
    let (id, there) = (PersonId(1), throng_world::scene::GroupId(1));
    let kept = crowd.character(id).unwrap();
    let other = crowd.character_in(&scene, there, id).unwrap();
    crowd.set_character(id, &other).unwrap();
    let known = Dispositions::of(&scene).unwrap();
    assert_eq!(crowd.temperament(id), known.temperament(1, there));
    assert_eq!(crowd.temperament(id).unwrap().get(Trait::Agreeableness), 0.75);
    crowd.set_character(id, &kept).unwrap();
    assert_eq!(crowd.temperament(id).unwrap().get(Trait::Openness), 0.5);
    let back = crowd.character(id).unwrap();
    assert_eq!(back, kept);
}
