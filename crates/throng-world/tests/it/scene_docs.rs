//! The reference page of the scene format is true, and so is what the README says of scenes.

use std::path::Path;

use throng_world::Scene;
use throng_world::scene::schema;

const PAGE: &str = include_str!("../../../../docs/scene-format.md");
const README: &str = include_str!("../../../../README.md");

#[test]
fn the_examples_on_both_pages_can_be_read() {
    for (page, count) in [(PAGE, 4), (README, 1)] {
        let examples: Vec<&str> =
            page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
        assert_eq!(examples.len(), count);
        for example in examples {
            let scene = Scene::parse("example.toml", example, Path::new(""));
            scene.unwrap_or_else(|errors| panic!("{errors}"));
        }
    }
}

#[test]
fn the_page_describes_every_key() {
    let schema = schema(&[]);
    let definitions = schema["$defs"].as_object().unwrap().values();
    for table in definitions.chain([&schema]) {
        for key in table["properties"].as_object().into_iter().flatten().map(|(key, _)| key) {
            let mentions = [
                format!("`{key}`"),
                format!("`{key} = "),
                format!(" {key} = "),
                format!("`[{key}]`"),
                format!("`[[{key}]]`"),
                format!("`[[groups.{key}]]`"),
            ];
            assert!(mentions.iter().any(|mention| PAGE.contains(mention)), "{key} is missing");
        }
    }
}
