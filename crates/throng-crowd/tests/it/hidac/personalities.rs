//! Kinds of people in scene files.

use std::path::Path;

use throng_crowd::{Crowd, PersonId};
use throng_world::Scene;

fn load(steering: &str, own: &str) -> Result<Crowd, String> {
    let text = format!(
        "format = 1\n[world]\nbounds = [[-9, -9], [9, 9]]\n[[groups]]\nname = \"g\"\n\
         steering = {steering}\ngoals = [{{ seek = [0, 0] }}]\n\
         people = [{{ position = [1, 1]{own} }}]\n"
    );
    let scene = Scene::parse("scene.toml", &text, Path::new("")).map_err(|e| e.to_string())?;
    Crowd::from_scene(&scene).map_err(|e| e.to_string())
}

/// A parameter of the one person.
fn value(crowd: &Crowd, name: &str) -> f32 {
    crowd.character(PersonId(0)).unwrap().steering.get(name).unwrap()
}

#[test]
fn a_personality_is_the_values_it_stands_for() {
    for kind in throng_crowd::steering::MODELS.info("hidac").unwrap().personalities {
        let steering = format!("{{ model = \"hidac\", personality = \"{}\" }}", kind.name);
        let crowd = load(&steering, "").unwrap();
        for (name, expected) in kind.values {
            assert_eq!(value(&crowd, name), *expected, "{name} of {}", kind.name);
        }
    }
}

#[test]
fn what_is_written_beside_a_personality_counts_more() {
    let aggressive = "{ personality = \"aggressive\", model = \"hidac\", personal_space = 0.03 }";
    let crowd = load(aggressive, "").unwrap();
    assert_eq!((value(&crowd, "personal_space"), value(&crowd, "haste")), (0.03, 1.15));
    let own = ", steering = { personality = \"respectful\" }";
    let crowd = load(aggressive, own).unwrap();
    assert_eq!(value(&crowd, "personal_space"), 0.2, "one's own personality counts most");
}

#[test]
fn unknown_personalities_are_named_with_those_there_are() {
    let error = load("{ model = \"hidac\", personality = \"shy\" }", "").err().unwrap();
    assert!(error.contains("knows no personality \"shy\""), "{error}");
    assert!(error.contains("\"calm\", \"hurried\", \"respectful\""), "{error}");
    let error = load("{ model = \"orca\", personality = \"calm\" }", "").err().unwrap();
    assert!(error.contains("steering model \"orca\" knows no personality"), "{error}");
    assert!(error.contains("\"hidac\""), "{error}");
    let error = load("{ model = \"hidac\", personality = 3 }", "").err().unwrap();
    assert!(error.contains("personality"), "{error}");
}
