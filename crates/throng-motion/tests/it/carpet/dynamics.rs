//! Bodies that are pushed.

use glam::{Vec2, Vec3};
use throng_base::ground::Relief;
use throng_motion::carpet::{self, CarpetOptions, Mode};
use throng_motion::{Landmark, Side};

use super::stage::*;

fn with_mode(mode: Mode, substeps: u32) -> CarpetOptions {
    let mut options = CarpetOptions::default();
    options.spring.mode = mode;
    options.spring.substeps = substeps;
    options
}

#[test]
fn who_is_not_pushed_does_not_lag_and_who_is_comes_back() {
    let dunes = Relief(|place: Vec2| 0.15 * (1.5 * place.y).sin());
    for substeps in [1, 4, 16] {
        let mut direct = walker(with_mode(Mode::Direct, substeps));
        let mut dynamic = walker(with_mode(Mode::Dynamic, substeps));
        let chest = HUMAN.joint(Landmark::Spine4);
        let mut farthest: f32 = 0.0;
        for frame in 0..100 {
            for character in [&mut direct, &mut dynamic] {
                character.advance(SPEED * STEP);
                if frame == 50 {
                    character.push(chest, Vec3::X * 30.0);
                }
                carpet::step(std::slice::from_mut(character), &dunes, STEP);
            }
            let pairs = direct.model().positions.iter().zip(&dynamic.model().positions);
            let away = pairs.map(|(a, b)| (*a - *b).length()).fold(0.0, f32::max);
            match frame {
                0..50 => assert!(away < 1e-5, "{frame}: {away}"),
                50..76 => farthest = farthest.max(away),
                _ => assert!(away < 0.01 * farthest + 1e-5, "{frame}: {away} of {farthest}"),
            }
        }
        assert!(farthest > 0.005 && farthest < 0.5, "{farthest}");
    }
}

#[test]
fn the_published_spring_trails_behind_the_ground() {
    let dunes = Relief(|place: Vec2| 0.15 * (3.0 * place.y).sin());
    let lag = |mode| {
        let mut character = walker(with_mode(mode, 4));
        let mut largest: f32 = 0.0;
        walk(&mut character, &dunes, 80, |_, character| {
            for side in Side::BOTH {
                let hand = HUMAN.joint(Landmark::hand(side)).index();
                let away = character.solved()[hand] - character.targets()[hand];
                largest = largest.max((away.y + character.report().lowered).abs());
            }
        });
        largest
    };
    let (literal, dynamic) = (lag(Mode::Literal), lag(Mode::Dynamic));
    assert!(literal > 2.0 * dynamic, "{literal} {dynamic}");
}
