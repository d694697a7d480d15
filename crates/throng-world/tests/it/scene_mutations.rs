//! Whatever is in a scene file, reading it gives a scene or errors that point into it.

use std::ops::Range;
use std::path::Path;

use proptest::prelude::*;
use throng_world::Scene;

const SCENES: [&str; 3] = [
    include_str!("../scenes/station.toml"),
    include_str!("../scenes/fields.toml"),
    include_str!("../scenes/minimal.toml"),
];

/// What might be typed instead of something else.
const TOKENS: [&str; 37] = [
    "",
    "0",
    "-1",
    "nan",
    "inf",
    "-inf",
    "1e400",
    "1e38",
    "1e-45",
    "99999999999",
    "0.5",
    "true",
    "\"\"",
    "\"hall\"",
    "\"guide\"",
    "[]",
    "{}",
    "[0, 0]",
    "[[0, 0], [0, 0], [0, 0]]",
    "[nan, 1e39]",
    "{ min = 1, max = 0 }",
    "{ random = \"hall\" }",
    "\"stream\"",
    "[\"time < (colisions\"]",
    "[\"\\u0061 <\", '\u{e9}', \"\"]",
    "\"gate\"",
    "[\"stream\", \"turning\"]",
    "[{ time = 1, velocity = [0, 1] }, { time = 0, at = [0, 1] }]",
    "{ at = [0, 0], velocity = [1e39, 0] }",
    "{ extraversion = -1, neuroticism = { mean = 0, sd = 0.5, min = -1, max = 1 } }",
    "{ openness = { min = 2, max = nan }, calm = 1 }",
    "=",
    "\n",
    "[[groups]]\n",
    "é",
    "\u{0}",
    "#",
];

fn check(text: &str) -> Result<(), TestCaseError> {
    let Err(errors) = Scene::parse("scene.toml", text, Path::new("")) else { return Ok(()) };
    prop_assert!((1..=20).contains(&errors.errors().len()));
    for error in errors.errors() {
        prop_assert!(text.get(error.span.clone()).is_some(), "{:?} in {text}", error.span);
        prop_assert!(!error.to_string().contains('\n'), "{error}");
        let (line, column) = error.line_column();
        prop_assert!(line >= 1 && column >= 1);
    }
    Ok(())
}

/// The values of a scene: everything after an equals sign.
fn values(text: &str) -> Vec<Range<usize>> {
    let value = |(start, _): (usize, &str)| {
        let end = text[start..].find(['\n', ',', '}']).map_or(text.len(), |end| start + end);
        start + 1..end
    };
    text.match_indices('=').map(value).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6 * ProptestConfig::default().cases))]

    #[test]
    fn truncated_scenes_never_panic(scene in 0..SCENES.len(), at in any::<prop::sample::Index>()) {
        let text = SCENES[scene];
        check(&text[..text.floor_char_boundary(at.index(text.len()))])?;
    }

    #[test]
    fn scenes_with_other_values_never_panic(
        scene in 0..SCENES.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..TOKENS.len()), 1..4),
    ) {
        let mut text = SCENES[scene].to_owned();
        for (place, token) in changes {
            let values = values(&text);
            if !values.is_empty() {
                text.replace_range(values[place.index(values.len())].clone(), TOKENS[token]);
            }
        }
        check(&text)?;
    }

    #[test]
    fn scenes_with_other_bytes_never_panic(
        scene in 0..SCENES.len(),
        changes in prop::collection::vec(
            (any::<prop::sample::Index>(), 0usize..12, 0..TOKENS.len()), 1..5
        ),
    ) {
        let mut text = SCENES[scene].to_owned();
        for (place, length, token) in changes {
            let start = text.floor_char_boundary(place.index(text.len().max(1)));
            let end = text.floor_char_boundary(start + length);
            text.replace_range(start..end, TOKENS[token]);
        }
        check(&text)?;
    }

    #[test]
    fn any_text_never_panics(text in "\\PC*") {
        check(&text)?;
        check(&format!("format = 1\n{text}"))?;
    }
}
