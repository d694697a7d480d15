//! Which descriptors have a say, and how much joints hold their places.

use glam::Vec3;
use proptest::prelude::*;
use throng_base::ground::Level;
use throng_motion::carpet::{
    self, Affinity, CarpetOptions, Extent, Footprint, Weighting, nearest_distance, relate,
};
use throng_motion::{Landmark, Side};

use super::stage::*;

const EXTENT: Extent = Extent { first: [-20, -8], last: [20, 8] };

fn weighting(footprint: Footprint) -> Weighting {
    Weighting { footprint, floor: 0.05, height: 1.8 }
}

proptest! {
    #[test]
    fn says_sum_to_one_and_none_is_negative(
        at in prop::array::uniform3(-1.0f32..1.0),
        height in prop::sample::select(vec![0.0f32, -0.02, 0.001, 0.08, 0.9, 1.8]),
        published in any::<bool>(),
    ) {
        let footprint = if published { Footprint::Published } else { Footprint::Radius(0.35) };
        let mut says = Vec::new();
        let joint = Vec3::new(at[0], height, at[2]);
        relate(joint, 0.1, &EXTENT, &weighting(footprint), &mut says);
        let sum: f32 = says.iter().map(|say| say.weight).sum();
        prop_assert!((sum - 1.0).abs() < 1e-5, "{sum}");
        prop_assert!(says.iter().all(|say| say.weight >= 0.0 && say.weight.is_finite()));
        prop_assert!(!says.is_empty());
    }

    #[test]
    fn says_change_little_when_joints_move_little(
        at in prop::array::uniform3(-0.5f32..0.5), height in 0.0f32..1.8,
    ) {
        let of = |joint: Vec3| {
            let mut says = Vec::new();
            relate(joint, 0.1, &EXTENT, &weighting(Footprint::Radius(0.35)), &mut says);
            let mut table = std::collections::BTreeMap::new();
            for say in says {
                table.insert((say.row, say.column), say.weight);
            }
            table
        };
        let joint = Vec3::new(at[0], height, at[2]);
        let (a, b) = (of(joint), of(joint + Vec3::new(1e-3, 1e-3, -1e-3)));
        let mut moved = 0.0f32;
        for key in a.keys().chain(b.keys()) {
            let weight = |table: &std::collections::BTreeMap<(i32, i32), f32>| {
                table.get(key).copied().unwrap_or(0.0)
            };
            moved = moved.max((weight(&a) - weight(&b)).abs());
        }
        prop_assert!(moved < 0.05, "{moved}");
    }
}

#[test]
fn a_sole_on_the_carpet_and_a_joint_that_is_nowhere_belong_somewhere() {
    let mut says = Vec::new();
    for joint in [Vec3::ZERO, Vec3::new(0.03, 0.0, 0.07), Vec3::NAN, Vec3::splat(1e30)] {
        for footprint in [Footprint::Published, Footprint::Radius(0.35)] {
            relate(joint, 0.1, &EXTENT, &weighting(footprint), &mut says);
            let sum: f32 = says.iter().map(|say| say.weight).sum();
            assert!((sum - 1.0).abs() < 1e-5, "{joint}: {sum}");
        }
    }
}

#[test]
fn the_published_footprint_of_a_head_is_metres_wide_and_ours_is_not() {
    let count = |footprint, height: f32| {
        let mut says = Vec::new();
        let wide = Extent { first: [-40, -40], last: [40, 40] };
        relate(Vec3::new(0.0, height, 0.0), 0.1, &wide, &weighting(footprint), &mut says);
        says.len()
    };
    let published = Footprint::Published;
    assert!((530..560).contains(&count(published, 1.7)), "{}", count(published, 1.7));
    assert!((80..95).contains(&count(published, 0.08)), "{}", count(published, 0.08));
    let ours = Footprint::Radius(0.35);
    assert!((35..=40).contains(&count(ours, 1.7)), "{}", count(ours, 1.7));
    assert!((30..=40).contains(&count(ours, 0.08)), "{}", count(ours, 0.08));
}

#[test]
fn joints_near_the_ground_hold_their_places_most_and_printed_affinities_are_all_the_same() {
    let mut character = walker(CarpetOptions::default());
    character.advance(0.4);
    carpet::step(std::slice::from_mut(&mut character), &Level, STEP);
    let of = |landmark: Landmark| character.affinities()[HUMAN.joint(landmark).index()];
    for side in Side::BOTH {
        let (toes, knee) = (of(Landmark::toes(side)), of(Landmark::lower_leg(side)));
        let (hip, head) = (of(Landmark::upper_leg(side)), of(Landmark::Head));
        assert!(toes > knee && knee > hip && hip > head, "{toes} {knee} {hip} {head}");
    }
    assert!(of(Landmark::LeftToes) > 0.9 && of(Landmark::Head) < 0.15);
    // As printed: the weights of each joint, which sum to one, over the sum of all weights.
    let mut says = Vec::new();
    let sums: Vec<f32> = character
        .flat()
        .positions
        .iter()
        .map(|joint| {
            relate((*joint).into(), 0.1, &EXTENT, &weighting(Footprint::Published), &mut says);
            says.iter().map(|say| say.weight).sum()
        })
        .collect();
    let all: f32 = sums.iter().sum();
    let uniform = Affinity::Uniform.of(0.3, 1.8, 0.05, sums.len());
    for sum in sums {
        assert!((sum / all - uniform).abs() < 1e-4);
    }
    let near = nearest_distance(Vec3::new(0.0, 0.9, 0.0), 0.1, &EXTENT);
    assert!((Affinity::Nearness.of(near, 1.8, 0.05, 9) - 0.5).abs() < 1e-5);
}
