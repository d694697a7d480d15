//! Ground with holes, walls and nonsense, and paths that lead nowhere: defined answers, never a NaN.

use std::sync::Arc;

use glam::{Quat, Vec2, Vec3};
use proptest::prelude::*;
use throng_base::Bounds;
use throng_base::ground::{Ground, Relief, Surface};
use throng_motion::carpet::{self, CarpetError, CarpetOptions, Character, Cycle, CycleParts, Rig};
use throng_motion::{JointId, Pose, RootMotion};

use super::stage::*;

/// Whatever the ground, bodies are finite and whole.
fn survives(ground: &dyn Ground) -> (Character, Character) {
    let mut line = walker(CarpetOptions::default());
    let mut world = Character::on_world(RIG.clone(), CarpetOptions::default()).unwrap();
    let mut pose = Pose::default();
    for frame in 0..60 {
        line.advance(SPEED * STEP);
        WALK.sample(0.04 * frame as f32, &mut pose);
        let translation = Vec3::new(0.0, 0.0, 0.05 * frame as f32);
        world.show(&pose, RootMotion { translation, yaw: 0.0 }, &[]);
        for character in [&mut line, &mut world] {
            carpet::step(std::slice::from_mut(character), ground, STEP);
            let model = character.model();
            assert!(model.positions.iter().all(|at| at.is_finite()), "{frame}");
            assert!(model.rotations.iter().all(|turn| turn.is_finite()), "{frame}");
            assert!(character.pose().root.is_finite());
            assert!(character.pose().rotations.iter().all(|turn| turn.is_finite()));
        }
    }
    (line, world)
}

/// Level storeys, one above another.
struct Decks<'h> {
    heights: &'h [f32],
    bounds: Bounds,
}

impl Ground for Decks<'_> {
    fn at(&self, place: Vec2, hint: f32) -> Option<Surface> {
        let away = |height: &f32| (height - hint).abs();
        let nearest = self.heights.iter().copied().min_by(|a, b| away(a).total_cmp(&away(b)));
        let height = nearest.filter(|_| self.bounds.contains(place))?;
        Some(Surface { height, normal: Vec3::Y })
    }
}

struct Nothing;

impl Ground for Nothing {
    fn at(&self, _: Vec2, _: f32) -> Option<Surface> {
        None
    }
}

#[test]
fn without_any_ground_bodies_walk_on_at_the_height_they_had() {
    let (line, world) = survives(&Nothing);
    for character in [line, world] {
        assert!(character.report().condition.hole && character.report().unsupported);
        let low = character.model().positions.iter().map(|at| at.y).fold(f32::INFINITY, f32::min);
        assert!(low.abs() < 0.05, "{low}");
    }
}

#[test]
fn holes_and_heights_that_are_no_numbers_are_walked_over() {
    let holey = |odd: f32| {
        Relief(move |place: Vec2| if (place.y - 1.5).abs() < 0.4 { odd } else { 0.1 * place.x })
    };
    for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
        let (line, _) = survives(&holey(odd));
        assert!(line.model().positions.iter().all(|at| at.y.abs() < 3.0), "{odd}");
    }
}

#[test]
fn cliffs_and_walls_are_no_steeper_than_a_carpet_can_be_and_are_reported() {
    for height in [-30.0f32, 30.0] {
        let ground = Relief(move |place: Vec2| if place.y > 1.0 { height } else { 0.0 });
        let mut character = walker(CarpetOptions::default());
        let mut steep = false;
        let mut before: Option<f32> = None;
        for _ in 0..40 {
            character.advance(SPEED * STEP);
            carpet::step(std::slice::from_mut(&mut character), &ground, STEP);
            steep |= character.report().condition.steep;
            let pelvis = character.model().positions[0].y;
            if let Some(before) = before {
                assert!((pelvis - before).abs() < 0.3, "{height}: {before} {pelvis}");
            }
            before = Some(pelvis);
        }
        assert!(steep);
        for (_, normal, _) in character.carpet().descriptors() {
            assert!(normal.y > 0.4, "{normal}");
        }
    }
    // A slope that people do walk is not.
    let (line, _) = survives(&Relief(|place: Vec2| 0.46 * place.y));
    assert!(!line.report().condition.steep);
}

#[test]
fn a_bridge_and_the_road_below_it_carry_different_people() {
    let bounds = Bounds { min: Vec2::new(-3.0, -5.0), max: Vec2::new(3.0, 20.0) };
    let decks = Decks { heights: &[0.0, 4.0], bounds };
    for storey in [0.0f32, 4.0] {
        let place = Vec3::new(0.0, storey, 0.0);
        let options = CarpetOptions::default();
        let mut character =
            Character::on_line(RIG.clone(), CYCLE.clone(), place, 0.0, options).unwrap();
        let feet = walk(&mut character, &decks, 100, |_, character| {
            let pelvis = character.model().positions[0].y - storey;
            assert!((0.7..1.1).contains(&pelvis), "{storey}: {pelvis}");
        });
        assert!(feet.sunk < 0.01 && feet.slid < 0.002, "{feet:?}");
    }
}

#[test]
fn off_the_edge_of_the_ground_the_carpet_goes_on() {
    let bounds = Bounds { min: Vec2::new(-1.0, -3.0), max: Vec2::new(1.0, 1.0) };
    let (line, _) = survives(&Decks { heights: &[0.5], bounds });
    assert!(line.report().condition.hole && line.report().unsupported);
    assert!((line.model().positions[0].y - 1.4).abs() < 0.2, "{}", line.model().positions[0]);
}

#[test]
fn paths_of_no_length_and_turns_on_the_spot_are_survived() {
    let ground = Relief(|place: Vec2| 0.1 * place.x.sin());
    let paths: [Vec<Vec3>; 5] = [
        Vec::new(),
        vec![Vec3::ONE; 3],
        vec![Vec3::NAN, Vec3::splat(f32::INFINITY)],
        (0..9).map(|point| Vec3::new(0.0, 0.0, -0.3 * point as f32)).collect(),
        vec![Vec3::ZERO, Vec3::new(0.0, 0.0, 1e20), Vec3::new(0.0, 0.0, 5.0), Vec3::ZERO],
    ];
    for path in paths {
        let mut character = walker(CarpetOptions::default());
        walk(&mut character, &ground, 60, |frame, character| {
            if frame % 20 == 7 {
                character.follow(path.iter().copied());
            }
        });
    }
}

#[test]
fn nonsense_is_refused_by_name_or_not_taken_over() {
    let short = CarpetOptions { rows: 8, back: 0.3, ..CarpetOptions::default() };
    let refused = Character::on_line(RIG.clone(), CYCLE.clone(), Vec3::ZERO, 0.0, short);
    assert!(matches!(refused, Err(CarpetError::TooShort { .. })), "{:?}", refused.err());
    let odd = CarpetOptions { spacing: f32::NAN, ..CarpetOptions::default() };
    let refused = Character::on_world(RIG.clone(), odd).err();
    assert!(matches!(refused, Some(CarpetError::Option { what: "spacing", .. })), "{refused:?}");
    let options = CarpetOptions::default();
    let refused = Character::on_line(RIG.clone(), CYCLE.clone(), Vec3::NAN, 0.0, options).err();
    assert_eq!(refused, Some(CarpetError::Begin));
    let weighting = options.weighting(1.7);
    let parts = CycleParts { poses: Vec::new(), travel: 1.0, period: 1.0, contacts: Vec::new() };
    let refused = Cycle::new(&RIG, parts, 0.1, 4, &weighting).err();
    assert_eq!(refused, Some(CarpetError::Frames));
    let mut feet = RIG.feet().to_vec();
    feet[0].middle = JointId::ROOT;
    let refused = Rig::new(HUMAN.skeleton().clone(), feet, 1.7, 1.0).err();
    assert_eq!(refused, Some(CarpetError::Foot { foot: 0 }));
    let message = CarpetError::Foot { foot: 0 }.to_string();
    assert!(message.contains("foot 0"), "{message}");

    let mut world = Character::on_world(RIG.clone(), options).unwrap();
    let mut good = Pose::default();
    WALK.sample(0.3, &mut good);
    world.show(&good, RootMotion::default(), &[Some(f32::NAN), Some(7.0)]);
    carpet::step(std::slice::from_mut(&mut world), &throng_base::ground::Level, STEP);
    let before = world.pose().clone();
    let mut bad = good.clone();
    bad.rotations[3] = Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0);
    world.show(&bad, RootMotion::default(), &[]);
    world.show(&Pose::default(), RootMotion::default(), &[]);
    let nowhere = RootMotion { translation: Vec3::NAN, yaw: 0.0 };
    world.show(&good, nowhere, &[]);
    world.push(JointId::ROOT, Vec3::NAN);
    world.push(JointId::new(4000), Vec3::ONE);
    carpet::step(std::slice::from_mut(&mut world), &throng_base::ground::Level, f32::NAN);
    for (a, b) in world.pose().rotations.iter().zip(&before.rotations) {
        assert!(a.angle_between(*b) < 1e-3);
    }
    // Somebody who was never shown is left alone.
    let mut unseen = Character::on_world(RIG.clone(), options).unwrap();
    carpet::step(std::slice::from_mut(&mut unseen), &throng_base::ground::Level, STEP);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_patchwork_of_heights_is_survived(
        seed in any::<u64>(),
        size in prop::sample::select(vec![0.05f32, 0.3, 1.0]),
    ) {
        let patchwork = move |place: Vec2| {
            let cell = (place / size).floor();
            let mut bits = seed ^ ((cell.x as i64 as u64) << 32) ^ (cell.y as i64 as u64);
            bits = (bits ^ (bits >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
            bits ^= bits >> 33;
            match bits % 7 {
                0 => f32::NAN,
                1 => -1e6,
                2 => 1e6,
                3 => f32::INFINITY,
                height => 0.3 * height as f32,
            }
        };
        survives(&Relief(patchwork));
    }
}

#[test]
fn whoever_is_far_from_everything_is_still_whole() {
    let ground = Relief(|place: Vec2| 0.01 * place.x.sin());
    for far in [1e3f32, 1e5, 5e6] {
        let place = Vec3::new(far, 0.0, -far);
        let options = CarpetOptions::default();
        let rig: Arc<Rig> = RIG.clone();
        let mut character = Character::on_line(rig, CYCLE.clone(), place, 0.3, options).unwrap();
        for _ in 0..50 {
            character.advance(SPEED * STEP);
            carpet::step(std::slice::from_mut(&mut character), &ground, STEP);
            // The joints' own arithmetic is near the body, whatever the world's.
            assert!(character.report().bones.error < 2e-3, "{:?}", character.report());
        }
    }
}
