//! Scenes that cannot be run say where and why, all at once.

use throng_crowd::Crowd;

use crate::support::scene;

/// What is wrong with a scene of this group in a world with a small region, line by line. The group
/// continues in line 12.
fn errors(group: &str) -> Vec<String> {
    let text = format!(
        r#"
[world]
bounds = [[-10, -10], [10, 10]]

[[regions]]
name = "closet"
rectangle = [[0, 0], [4, 4]]

[[groups]]
name = "people"
{group}
"#
    );
    match Crowd::from_scene(&scene(&text)) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.to_string().lines().map(String::from).collect(),
    }
}

const SOMEBODY: &str = "people = [{ position = [-5, 0] }]";

#[test]
fn a_model_that_does_not_exist_is_named_with_those_that_do() {
    let found = errors(&format!("steering = {{ model = \"orka\" }}\n{SOMEBODY}"));
    let expected = "scene.toml:12:22: there is no steering model \"orka\"; \
                    write one of \"orca\", \"headway\", \"predictive\", \"social_force\", \"pedestrian\", \
                    \"hidac\", \"opensteer\", \"ppr\", \"fuzzy\", \"none\"";
    assert_eq!(found, [expected]);
}

#[test]
fn a_parameter_that_does_not_exist_is_named_with_those_that_do() {
    let found = errors(&format!("steering = {{ time_horizont = 2 }}\n{SOMEBODY}"));
    let expected = "scene.toml:12:14: steering model \"orca\" has no parameter `time_horizont`; \
                    it has \"neighbours\", \"neighbour_range\", \"responsibility\", \
                    \"time_gap\", \"standing_distance\", \"stagger\", \"acceleration_limit\", \
                    \"time_horizon\", \"time_horizon_walls\", \"spare_room\", \"least_effort\"";
    assert_eq!(found, [expected]);
}

#[test]
fn a_parameter_out_of_range_comes_with_the_range() {
    let found = errors(&format!("steering = {{ time_horizon = 0 }}\n{SOMEBODY}"));
    let expected = "scene.toml:12:14: `time_horizon` is 0 s; \
                    write a value from 0.1 to 30 s, e.g. time_horizon = 3";
    assert_eq!(found, [expected]);
    let found = errors(&format!(
        "steering = {{ responsibility = {{ min = 0.5, max = 1.5 }} }}\n{SOMEBODY}"
    ));
    let expected = "scene.toml:12:14: `responsibility` is 0.5 to 1.5; \
                    write a value from 0 to 1, e.g. responsibility = 0.5";
    assert_eq!(found, [expected]);
}

#[test]
fn parameters_of_single_people_are_checked_too() {
    let found = errors("people = [{ position = [-5, 0], steering = { neighbours = 99 } }]");
    let [error] = &found[..] else { panic!("{found:?}") };
    assert!(error.starts_with("scene.toml:12:46: `neighbours` is 99; write a value"), "{error}");
}

#[test]
fn a_crowd_without_room_says_how_many_fit() {
    let found = errors("radius = 0.25\ncrowds = [{ count = 62, region = \"closet\" }]");
    let [error] = &found[..] else { panic!("{found:?}") };
    let end = "of 62 people of group \"people\" find room in region \"closet\"; lower the count, \
               enlarge the region, or try arrangement = \"grid\", which often packs more closely";
    assert!(error.starts_with("scene.toml:13:11: only "), "{error}");
    assert!(error.ends_with(end), "{error}");
    let grid = "crowds = [{ count = 62, region = \"closet\", arrangement = \"grid\" }]";
    assert_eq!(errors(&format!("radius = 0.25\n{grid}")), [""; 0], "as the help says");
}

#[test]
fn all_mistakes_are_reported_in_the_order_of_the_file() {
    let found = errors(
        "steering = { neighbour_range = 0.1, haste = 3 }\n\
         people = [{ position = [-5, 0], steering = { spare_room = 2 } }]\n\
         crowds = [{ count = 50, region = \"closet\" }]\n\
         radius = 0.3",
    );
    let places: Vec<&str> = found.iter().map(|error| &error[..16]).collect();
    assert_eq!(
        places,
        ["scene.toml:12:14", "scene.toml:12:37", "scene.toml:13:46", "scene.toml:14:11"]
    );
}
