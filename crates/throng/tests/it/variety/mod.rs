//! That people near each other do not look and walk alike, whoever is asked and in whatever order.

mod films;
mod library;
mod steps;
mod traits;

use std::collections::BTreeSet;
use std::f32::consts::TAU;
use std::sync::Arc;

use glam::{Vec2, Vec3};
use throng::bodies::Cast;
use throng::bodies::variety::{
    CloneView, Descriptor, Library, Pair, Present, Sighting, Stride, Wardrobe, clones, sameness,
};
use throng_base::random::{Purpose, Random};
use throng_world::scene::Species;

/// The templates that ship.
fn usual(looks: usize) -> Arc<Library> {
    Arc::new(Cast::usual_library(looks, &[]).expect("a library"))
}

/// So many people anywhere in a square, with so many to a square metre.
fn crowd(count: u32, density: f32, seed: u64) -> Vec<Present> {
    let side = (count as f32 / density).sqrt();
    let somewhere = |id: u32| {
        let mut draw = Random::new(seed).stream(id.into(), 0, Purpose::Placement);
        let place = draw.point_between(Vec2::ZERO, Vec2::splat(side)).extend(0.0);
        Present { id, place, ..Present::default() }
    };
    (0..count).map(somewhere).collect()
}

fn dress(library: &Arc<Library>, people: &[Present], seed: u64) -> Vec<Descriptor> {
    let mut wardrobe = Wardrobe::new(library.clone(), seed);
    wardrobe.dress(people);
    wardrobe.people().map(|(_, descriptor)| *descriptor).collect()
}

/// Everybody as if nobody else were there.
fn alone(library: &Arc<Library>, people: &[Present], seed: u64) -> Vec<Descriptor> {
    people.iter().map(|person| dress(library, &[*person], seed)[0]).collect()
}

/// Pairs within `reach`, as if all of them had just set out.
fn pairs(
    library: &Library,
    people: &[Present],
    descriptors: &[Descriptor],
    reach: f32,
) -> Vec<Pair> {
    let sightings: Vec<Sighting> = people
        .iter()
        .zip(descriptors)
        .map(|(person, descriptor)| Sighting {
            person: person.id,
            descriptor: *descriptor,
            place: person.place,
            height: 1.7,
            stride: Some(Stride { clip: 0, phase: descriptor.phase }),
        })
        .collect();
    clones(library, &sightings, reach, None)
}

fn worse_than(pairs: &[Pair], cost: f32) -> usize {
    pairs.iter().filter(|pair| pair.cost > cost).count()
}

#[test]
fn looks_depend_on_nothing_but_who_is_where() {
    let (library, people) = (usual(12), crowd(300, 0.5, 1));
    let dressed = dress(&library, &people, 9);
    let mut turned = people.clone();
    turned.reverse();
    turned.swap(20, 250);
    assert_eq!(dress(&library, &turned, 9), dressed, "another order");
    assert_ne!(dress(&library, &people, 10), dressed, "another seed");
    let twice: Vec<Present> = people.iter().chain(&people).copied().collect();
    assert_eq!(dress(&library, &twice, 9), dressed, "everybody told twice");
}

#[test]
fn who_is_there_keeps_their_looks_whoever_comes_and_goes() {
    let (library, people) = (usual(12), crowd(200, 0.5, 2));
    let mut wardrobe = Wardrobe::new(library, 3);
    wardrobe.dress(&people[..100]);
    let before: Vec<Descriptor> = wardrobe.people().map(|(_, one)| *one).collect();
    wardrobe.dress(&people);
    wardrobe.dress(&people[50..]);
    for id in 50..100 {
        assert_eq!(wardrobe.descriptor(id), Some(&before[id as usize]), "{id}");
    }
    assert_eq!(wardrobe.people().count(), 150);
    wardrobe.dress(&people);
    let after: Vec<Descriptor> = wardrobe.people().map(|(_, one)| *one).collect();
    assert_eq!(after[..100], before, "who comes back looks the same");
    wardrobe.clear();
    assert_eq!(wardrobe.descriptor(0), None);
}

#[test]
fn those_who_left_long_ago_are_forgotten() {
    let mut wardrobe = Wardrobe::new(usual(2), 3);
    let somebody = |id: u32| Present { id, ..Present::default() };
    for id in 0..20_000 {
        wardrobe.dress(&[somebody(id)]);
    }
    assert_eq!(wardrobe.descriptor(0), None);
    assert!(wardrobe.descriptor(19_990).is_some());
    let mut all = Wardrobe::new(usual(2), 3).remembering_all();
    (0..20_000).for_each(|id| all.dress(&[somebody(id)]));
    assert!(all.descriptor(0).is_some());
}

#[test]
fn there_are_no_clones_within_five_metres_among_two_hundred() {
    for seed in 0..5 {
        let (library, people) = (usual(Cast::USUAL), crowd(200, 1.0, seed));
        let dressed = dress(&library, &people, seed);
        let pairs = pairs(&library, &people, &dressed, 5.0);
        assert!(pairs.len() > 2_000);
        assert_eq!(worse_than(&pairs, 0.5), 0, "{:?}", pairs[0]);
    }
}

#[test]
fn neighbours_are_less_alike_than_by_chance() {
    let (mut chosen, mut chance) = (0, 0);
    let library = usual(10);
    for seed in 0..6 {
        let people = crowd(1_000, 0.5, seed);
        let dressed = dress(&library, &people, seed);
        chosen += worse_than(&pairs(&library, &people, &dressed, 5.0), 0.5);
        let random = alone(&library, &people, seed);
        chance += worse_than(&pairs(&library, &people, &random, 5.0), 0.5);
    }
    assert!(chance > 50, "{chance}");
    assert!(5 * chosen <= chance, "{chosen} clones, {chance} by chance");
}

#[test]
fn of_a_thousand_no_two_are_the_same() {
    let (library, people) = (usual(10), crowd(1_000, 0.5, 4));
    let dressed = dress(&library, &people, 4);
    let mut looks: Vec<_> = dressed.iter().map(|one| (one.look, one.tints)).collect();
    looks.sort_unstable();
    looks.dedup();
    assert_eq!(looks.len(), 1_000);
    // And the worst pair within 5 m is no clone, where chance leaves some.
    let near = pairs(&library, &people, &dressed, 5.0);
    let by_chance = pairs(&library, &people, &alone(&library, &people, 4), 5.0);
    let (worst, chance) = (worse_than(&near, 0.35), worse_than(&by_chance, 0.35));
    assert!(5 * worst <= chance && chance >= 10, "{worst} alike, {chance} by chance");
}

#[test]
fn those_who_walk_alike_are_out_of_step() {
    let (library, people) = (usual(10), crowd(1_000, 0.5, 5));
    let dressed = dress(&library, &people, 5);
    let mean = |of: fn(f32) -> f32| {
        dressed.iter().map(|one| of(TAU * one.phase)).sum::<f32>() / dressed.len() as f32
    };
    let variance = 1.0 - mean(f32::cos).hypot(mean(f32::sin));
    assert!(variance >= 0.9, "{variance}");
    let in_step = |dressed: &[Descriptor]| {
        let pairs = pairs(&library, &people, dressed, 3.0);
        let same = |pair: &&Pair| {
            let [a, b] = pair.people.map(|id| library.body(dressed[id as usize].look));
            a == b
        };
        let same: Vec<&Pair> = pairs.iter().filter(same).collect();
        let in_step = same.iter().filter(|pair| pair.in_step > 0.0).count();
        assert!(same.len() > 100, "{}", same.len());
        in_step as f32 / same.len() as f32
    };
    assert!(in_step(&dressed) <= 0.05, "{}", in_step(&dressed));
    assert!(in_step(&alone(&library, &people, 5)) > 0.1, "chance would do as well");
}

#[test]
fn everything_goes_together() {
    use throng::motion::{Bottom, HairStyle, Region};
    let library = Arc::new(Cast::usual_library(48, &[Species::Dog]).unwrap());
    for template in library.templates() {
        let throng::bodies::variety::Template::Person { physique, outfit } = template else {
            continue;
        };
        let woman = physique.femininity > 0.5;
        assert!(woman || outfit.bottom != Bottom::Skirt);
        assert!(woman || !matches!(outfit.hair, HairStyle::Bun | HairStyle::Bob | HairStyle::Long));
        assert!(!woman || outfit.hair != HairStyle::Bald);
        assert!(!outfit.coat || outfit.bottom == Bottom::Trousers);
    }
    let mut people = crowd(10_000, 1.0, 6);
    people.iter_mut().step_by(10).for_each(|one| one.species = Species::Dog);
    let mut irises = BTreeSet::new();
    for (person, one) in people.iter().zip(dress(&library, &people, 6)) {
        assert_eq!(library.species(one.look), Some(person.species));
        assert!((0.95..1.05).contains(&one.scale) && (0.0..1.0).contains(&one.phase));
        assert!(one.posture.abs() <= 0.05);
        if person.species == Species::Person {
            let skin = one.tint(Region::Skin).oklab();
            for cloth in [Region::Top, Region::Bottom] {
                let apart = one.tint(cloth).oklab().distance(skin);
                assert!(apart >= 0.08, "{cloth:?} is {apart} from skin");
            }
            let throng::bodies::variety::Template::Person { physique, outfit } =
                library.templates()[one.look]
            else {
                panic!("no person")
            };
            let hair = one.tint(Region::Hair).oklab();
            let shows = outfit.hair != HairStyle::Bald && physique.age < 45.0;
            assert!(!shows || hair.x < 0.42 || skin.x > 0.6, "fair hair {hair} over {skin}");
            let [iris, brows, lips] =
                [Region::Iris, Region::Brows, Region::Lips].map(|region| one.tint(region).oklab());
            assert!(iris.x < 0.46 || skin.x > 0.6, "light iris {iris} over {skin}");
            assert!(brows.x < skin.x - 0.1, "brows {brows} over {skin}");
            assert!(lips.x < skin.x && lips.y > skin.y, "lips {lips} in {skin}");
            irises.insert(one.tint(Region::Iris));
        }
        for region in Region::ALL {
            assert!(one.palette().colour(region).iter().all(|part| (0.0..=1.0).contains(part)));
        }
    }
    // Brown, hazel, green, grey and blue, in many shades.
    assert!(irises.len() > 100, "{} colours of irises", irises.len());
    assert!(irises.iter().any(|iris| iris.oklab().z < -0.03), "nobody has blue eyes");
}

#[test]
fn a_hundred_thousand_people_are_as_many_descriptors_and_nothing_else() {
    fn is_plain<T: Copy + 'static>() -> usize {
        size_of::<T>()
    }
    // Nothing that a descriptor could point to.
    assert!(is_plain::<Descriptor>() <= 64);
    let (library, people) = (usual(Cast::USUAL), crowd(100_000, 1.0, 3));
    let mut wardrobe = Wardrobe::new(library.clone(), 3);
    wardrobe.dress(&people);
    assert_eq!(wardrobe.people().count(), 100_000);
    assert!(100_000 * size_of::<Descriptor>() <= 6_400_000);
    // Surfaces and clips belong to looks, and everybody has one of those that there were.
    assert!(Arc::ptr_eq(wardrobe.library(), &library));
    assert!(wardrobe.people().all(|(_, one)| one.look < library.templates().len()));
    let looks: BTreeSet<usize> = wardrobe.people().map(|(_, one)| one.look).collect();
    assert_eq!(looks.len(), Cast::USUAL, "and all of those are used");
}

#[test]
fn bodies_and_motion_are_as_feminine_as_each_other() {
    use throng::bodies::variety::Template;
    use throng::motion::Physique;
    let library = usual(48);
    for template in library.templates() {
        let Template::Person { physique, .. } = template else { continue };
        // The same body with other hips walks otherwise: how feminine a walk is can be read off its style.
        let style = |femininity: f32| Physique { femininity, ..*physique }.style().unwrap();
        let walk = physique.style().unwrap();
        let (man, woman) = (style(0.0).pelvis_list, style(1.0).pelvis_list);
        assert!(woman > man + 0.1, "{woman} {man}");
        let motion = (walk.pelvis_list - man) / (woman - man);
        assert!((motion - physique.femininity).abs() <= 0.25, "{motion} {physique:?}");
    }
}

#[test]
fn who_stands_in_for_others_is_told() {
    let mut people = crowd(4, 1.0, 7);
    people[2].species = Species::Horse;
    let mut wardrobe = Wardrobe::new(usual(2), 7);
    wardrobe.dress(&people[..2]);
    assert!(wardrobe.stand_ins().is_empty());
    wardrobe.dress(&people);
    assert_eq!(wardrobe.stand_ins(), [Species::Horse]);
    let white = throng::motion::files::gltf::Palette::default();
    let somebody = wardrobe.descriptor(2).unwrap().palette();
    assert!(
        throng::motion::Region::ALL
            .iter()
            .any(|region| somebody.colour(*region) != white.colour(*region))
    );
}

#[test]
fn nonsense_is_dressed_too() {
    let library = usual(3);
    let mut people = crowd(20, 1.0, 7);
    people[3].place = Vec3::NAN;
    people[4].place = Vec3::new(f32::INFINITY, 0.0, 0.0);
    people[5].place = Vec3::splat(3e38);
    people[6].species = Species::Horse;
    people.extend((20..30).map(|id| Present { id, ..Present::default() }));
    let dressed = dress(&library, &people, 7);
    assert_eq!(dressed.len(), 30);
    assert!(dressed.iter().all(|one| one.look < 3 && one.phase.is_finite()));
    assert!(pairs(&library, &people, &dressed, 5.0).iter().all(|pair| pair.cost.is_finite()));
    let mut wardrobe = Wardrobe::new(library.clone(), 7);
    wardrobe.put(8, Descriptor { look: 99, ..dressed[8] });
    assert_eq!(wardrobe.descriptor(8), None, "there is no such look");
    wardrobe.put(8, dressed[7]);
    wardrobe.dress(&people);
    assert_eq!(wardrobe.descriptor(8), Some(&dressed[7]));
    wardrobe.dress(&[]);
    assert_eq!(wardrobe.people().count(), 0);
}

#[test]
fn clones_are_found_and_cost_what_is_seen_of_them() {
    let library = usual(4);
    let people = crowd(3, 1.0, 8);
    let one = dress(&library, &people, 8)[0];
    let at = |person: u32, x: f32| Sighting {
        person,
        descriptor: one,
        place: Vec3::new(x, 0.0, 0.0),
        height: 1.7,
        stride: Some(Stride { clip: 2, phase: 0.98 }),
    };
    let mut seen = [at(5, 0.0), at(2, 3.0), at(9, 30.0)];
    let found = clones(&library, &seen, 5.0, None);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].people, [2, 5]);
    assert!((found[0].cost - 1.0).abs() < 1e-5 && (found[0].distance - 3.0).abs() < 1e-5);
    assert_eq!(found[0].place, [1.5, 0.0]);
    // Half in step, across where the cycle begins.
    seen[1].stride = Some(Stride { clip: 2, phase: 0.02 });
    let half = clones(&library, &seen, 5.0, None)[0];
    assert!((half.in_step - 0.5).abs() < 1e-4 && (half.cost - 0.9).abs() < 1e-4, "{half:?}");
    seen[1].stride = None;
    assert!((clones(&library, &seen, 5.0, None)[0].cost - 0.8).abs() < 1e-5);
    // From far away they are small, and from between them far apart.
    let cost =
        |eye: Vec3| clones(&library, &seen, 5.0, Some(&CloneView { eye, focal: 1_000.0 }))[0].cost;
    let ahead = cost(Vec3::new(1.5, 12.0, 1.0));
    assert!(ahead > 0.3 && cost(Vec3::new(1.5, 80.0, 1.0)) < 0.1 * ahead);
    assert!(cost(Vec3::new(1.5, 0.0, 0.0)) < 0.01);
}

#[test]
fn what_differs_is_told_apart() {
    use throng::motion::Region;
    let library = usual(6);
    let one = dress(&library, &crowd(1, 1.0, 0), 1)[0];
    assert!((sameness::sameness(&library, &one, &one) - 1.0).abs() < 1e-5);
    let other = dress(&library, &crowd(400, 1.0, 0), 2);
    let with = |region: Region, from: &Descriptor| {
        let mut changed = one;
        changed.tints[region as usize] = from.tint(region);
        sameness::sameness(&library, &one, &changed)
    };
    let least = |region: Region| other.iter().map(|from| with(region, from)).fold(1.0, f32::min);
    // Tops and skin count most.
    assert!((least(Region::Top) - 0.7).abs() < 0.01, "{}", least(Region::Top));
    assert!((least(Region::Skin) - 0.7).abs() < 0.02, "{}", least(Region::Skin));
    assert!(least(Region::Bottom) > 0.92);
    assert_eq!(least(Region::Shoes), 1.0);
    let distinct: BTreeSet<_> = other.iter().map(|one| one.tint(Region::Top)).collect();
    assert!(distinct.len() > 300, "{} tops", distinct.len());
}
