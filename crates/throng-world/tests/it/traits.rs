//! Whatever is written for `traits`, reading it gives what was written, or errors at their places.

use std::path::Path;

use proptest::prelude::*;
use throng_base::Distribution;
use throng_base::random::Random;
use throng_world::scene::Dispositions;
use throng_world::{Scene, Trait};

/// A trait as somebody might write it, with what it means if it is right.
fn written() -> impl Strategy<Value = (String, Option<Distribution>)> {
    let value = || (-130i32..=130).prop_map(|hundredths| f64::from(hundredths) / 100.0);
    let fits = |value: f64| (-1.0..=1.0).contains(&value);
    let narrow = |value: f64| value as f32;
    prop_oneof![
        value().prop_map(move |v| (
            format!("{v}"),
            fits(v).then(|| Distribution::Constant(narrow(v)))
        )),
        (value(), value()).prop_map(move |(min, max)| {
            let right = fits(min) && fits(max) && min <= max;
            let meant = Distribution::Uniform { min: narrow(min), max: narrow(max) };
            (format!("{{ min = {min}, max = {max} }}"), right.then_some(meant))
        }),
        (value(), -0.2..2.0f64, value(), value()).prop_map(move |(mean, sd, min, max)| {
            let right = fits(mean) && sd >= 0.0 && fits(min) && fits(max) && min <= max;
            let meant = Distribution::Normal {
                mean: narrow(mean),
                sd: narrow(sd),
                min: narrow(min),
                max: narrow(max),
            };
            let text = format!("{{ mean = {mean}, sd = {sd}, min = {min}, max = {max} }}");
            (text, right.then_some(meant))
        }),
        prop::sample::select(vec!["", "\"much\"", "[0]", "{}", "nan", "true", "{ mean = 0 }"])
            .prop_map(|text| (text.to_owned(), None)),
    ]
}

proptest! {
    #[test]
    fn traits_mean_what_is_written_or_are_refused_where_they_are(
        traits in prop::collection::vec((0..6usize, written()), 0..5),
        seed in 0u32..1000,
    ) {
        let name = |which: usize| Trait::ALL.get(which).map_or("courage", |which| which.name());
        let mut unique = traits.clone();
        unique.sort_by_key(|(which, _)| *which);
        unique.dedup_by_key(|(which, _)| *which);
        let table: Vec<String> =
            unique.iter().map(|(which, (text, _))| format!("{} = {text}", name(*which))).collect();
        let text = format!(
            "format = 1\nsimulation.seed = {seed}\nworld.bounds = [[-9, -9], [9, 9]]\n[[groups]]\nname = \"g\"\n\
             traits = {{ {} }}\npeople = [{{ position = [0, 0] }}]\n",
            table.join(", ")
        );
        let right = unique.iter().all(|(which, (_, meant))| *which < 5 && meant.is_some());
        match Scene::parse("scene.toml", &text, Path::new("")) {
            Ok(scene) => {
                prop_assert!(right, "{text}");
                let read = scene.groups[0].traits.unwrap();
                for (index, value) in read.traits.iter().enumerate() {
                    let said = unique.iter().find(|(which, _)| *which == index);
                    let meant = said.and_then(|(_, (_, meant))| *meant);
                    prop_assert_eq!(*value, meant.unwrap_or(Distribution::Constant(0.0)));
                }
                let known = Dispositions::of(&scene).unwrap();
                let one = known.temperament(0, throng_world::scene::GroupId(0)).unwrap();
                prop_assert_eq!(one, read.draw(Random::new(seed.into()), 0));
                for (which, (_, value)) in Trait::ALL.into_iter().zip(one.named()) {
                    let spread = read.traits[which as usize];
                    prop_assert!((spread.min() - 0.0051..=spread.max() + 0.0051).contains(&value));
                }
            }
            Err(errors) => {
                prop_assert!(!right, "{errors}\n{text}");
                for error in errors.errors() {
                    // Where there is something written, in its line.
                    prop_assert_eq!(error.line_column().0, 6, "{} in {}", error, text);
                    prop_assert!(error.help.is_some() || table.iter().any(|entry| entry.ends_with("= ")));
                }
            }
        }
    }
}
