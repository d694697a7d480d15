//! Libraries: how many people can be made of them, and what is refused.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::Vec3;
use throng::bodies::variety::dye::Dye;
use throng::bodies::variety::{Dyes, Library, LibraryError, Present, Template, Wardrobe};
use throng::motion::{HairStyle, Outfit, Physique};
use throng_base::random::{Purpose, Random, Stream};

use super::usual;

/// So many colours that nobody takes for each other, and that are no skin.
fn colours(draw: &mut Stream, most: u64) -> Vec<Dye> {
    let count = 1 + draw.bits() % most;
    (0..count).map(|index| Dye::plain([0.01, 0.02, 0.1 + 0.09 * index as f32])).collect()
}

fn random_library(number: u64) -> Library {
    let mut draw = Random::new(77).stream(number, 0, Purpose::Body);
    let looks = 1 + draw.bits() % 4;
    let templates = (0..looks).map(|index| Template::Person {
        physique: Physique { age: 30.0 + 14.0 * index as f32, ..Physique::default() },
        outfit: Outfit { hair: HairStyle::ALL[(draw.bits() % 6) as usize], ..Outfit::default() },
    });
    let templates: Vec<Template> = templates.collect();
    let skins = (1 + draw.bits() % 2) as usize;
    let dyes = Dyes {
        skins: [[0.672, 0.423, 0.309], [0.188, 0.088, 0.049]].map(Dye::plain)[..skins].to_vec(),
        // One of them is fair, and does not go with dark skin.
        hairs: [[0.012, 0.009, 0.008], [0.456, 0.33, 0.18]].map(Dye::plain)
            [..(1 + draw.bits() % 2) as usize]
            .to_vec(),
        irises: vec![Dye::plain([0.045, 0.023, 0.012])],
        // One of them is that of light skin.
        tops: [colours(&mut draw, 3), vec![Dye::plain([0.67, 0.42, 0.31])]].concat(),
        bottoms: colours(&mut draw, 2),
        shoes: colours(&mut draw, 2),
    };
    Library::new(templates, dyes).expect("a library")
}

#[test]
fn as_many_can_be_told_apart_as_are_counted() {
    for number in 0..20 {
        let library = Arc::new(random_library(number));
        let mut wardrobe = Wardrobe::new(library.clone(), number);
        let mut found = BTreeSet::new();
        // Far from each other, so that everybody has the first candidate.
        let apart = |id: u32| Vec3::new(100.0 * id as f32, 0.0, 0.0);
        let people: Vec<Present> =
            (0..60_000).map(|id| Present { id, place: apart(id), ..Present::default() }).collect();
        wardrobe.dress(&people);
        found.extend(wardrobe.people().map(|(_, one)| (one.look, one.tints)));
        assert_eq!(found.len() as u64, library.count(), "library {number}");
    }
}

#[test]
fn five_bodies_with_twelve_kinds_of_hair_are_sixty_people() {
    let templates = (0..5).map(|index| Template::Person {
        physique: Physique { build: 0.1 * index as f32, ..Physique::default() },
        outfit: Outfit::default(),
    });
    let one = |colour| vec![Dye::plain(colour)];
    let dyes = Dyes {
        skins: one([0.672, 0.423, 0.309]),
        hairs: (0..12).map(|index| Dye::plain([0.05 * index as f32, 0.01, 0.01])).collect(),
        irises: one([0.045, 0.023, 0.012]),
        tops: one([0.02, 0.03, 0.5]),
        bottoms: one([0.02, 0.03, 0.5]),
        shoes: one([0.02, 0.03, 0.5]),
    };
    assert_eq!(Library::new(templates.collect(), dyes).unwrap().count(), 60);
    assert!(usual(24).count() > 100_000);
}

#[test]
fn libraries_that_nobody_can_be_made_of_are_refused() {
    let usual = usual(2);
    let with = |change: &dyn Fn(&mut Dyes)| {
        let mut dyes = Dyes::default();
        change(&mut dyes);
        Library::new(usual.templates().to_vec(), dyes).unwrap_err()
    };
    assert_eq!(Library::of(Vec::new()), Err(LibraryError::NoTemplates));
    let twins = vec![usual.templates()[0], usual.templates()[1], usual.templates()[0]];
    assert_eq!(Library::of(twins), Err(LibraryError::Twins(0, 2)));
    assert_eq!(with(&|dyes| dyes.tops.clear()), LibraryError::NoDyes("tops"));
    assert_eq!(with(&|dyes| dyes.skins.clear()), LibraryError::NoDyes("skin"));
    let odd = with(&|dyes| dyes.shoes[1].colour[2] = f32::NAN);
    assert_eq!(odd, LibraryError::Dye { region: "shoes", index: 1 });
    let wild = with(&|dyes| dyes.hairs[0].hue = -1.0);
    assert_eq!(wild, LibraryError::Dye { region: "hair", index: 0 });
    let naked = with(&|dyes| dyes.bottoms = vec![dyes.skins[1]]);
    assert!(matches!(naked, LibraryError::NothingToWear { region: "bottoms", .. }), "{naked}");
    let fair = with(&|dyes| dyes.hairs = vec![Dye::plain([0.456, 0.33, 0.18])]);
    assert!(matches!(fair, LibraryError::NothingThatGoes { region: "hair", .. }), "{fair}");
    let blue = with(&|dyes| dyes.irises = vec![Dye::plain([0.09, 0.175, 0.29])]);
    assert!(matches!(blue, LibraryError::NothingThatGoes { region: "irises", .. }), "{blue}");
}
