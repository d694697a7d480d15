//! Where fields of limited reach yield: near the goal of a person, at the bounds of the world, and to people whom
//! they hold up.
//!
//! An arrow that holds everywhere is an author's order for the whole floor, and none of this applies to it. One with a
//! reach redirects people who pass by: it must neither keep them from their goals for good nor lead them out of the world.

use glam::{FloatExt as _, Vec2};
use throng_base::Bounds;

use super::Obedience;

/// Nearer to their goal than this, m, people follow their goal alone.
const GOAL_NEAR: f32 = 1.0;
/// Farther from their goal than this, m, fields hold in full.
const GOAL_FAR: f32 = 5.0;
/// From this distance to the bounds on, m, velocities that lead out fade.
const BOUNDS_FAR: f32 = 5.0;
/// At this distance to the bounds, m, they are zero, and nearer fields lead back in.
const BOUNDS_NEAR: f32 = 2.0;
/// Speed at which fields lead back in at the bounds, m/s. At 0.3 a crowd that follows pushes the first far out.
const RETURN_SPEED: f32 = 1.0;
/// Share of the preferred velocity towards the goal below which a field holds a person up.
const HELD_UP: f32 = 0.2;
/// How long people without obedience (ρ = 0) bear to be held up until fields have no weight, s. Others bear it
/// 1/(1 - ρ) times as long, the wholly obedient for ever.
const PATIENCE: f32 = 10.0;
/// How long people who have left the reach of all arrows take to heed them again, s.
const RECOVERY: f32 = 5.0;

/// The weight of fields at a distance from the border of the goal, m, from 0 to 1.
pub(crate) fn goal_weight(distance: f32) -> f32 {
    distance.smoothstep(GOAL_NEAR, GOAL_FAR)
}

/// The velocity of a field at a place without what leads out of the bounds.
pub(crate) fn kept_inside(velocity: Vec2, place: Vec2, bounds: Bounds) -> Vec2 {
    let is_positive = velocity.cmpgt(Vec2::ZERO);
    let (to_min, to_max) = (place - bounds.min, bounds.max - place);
    let ahead = Vec2::select(is_positive, to_max, to_min);
    let fade = |distance: f32| distance.smoothstep(BOUNDS_NEAR, BOUNDS_FAR);
    let back = |distance: f32| RETURN_SPEED * (1.0 - distance / BOUNDS_NEAR).clamp(0.0, 1.0);
    let inwards = Vec2::new(back(to_min.x) - back(to_max.x), back(to_min.y) - back(to_max.y));
    velocity * Vec2::new(fade(ahead.x), fade(ahead.y)) + inwards
}

impl Obedience {
    /// Advances `defiance` by `seconds`: it grows while fields of weight `coverage` turn the preferred velocity `own`
    /// into a `wish` without progress, and decays beyond their reach.
    pub fn bear(&mut self, own: Vec2, wish: Vec2, coverage: f32, seconds: f32) {
        let is_held_up = wish.dot(own) < HELD_UP * own.length_squared();
        if coverage == 0.0 {
            self.defiance -= seconds / RECOVERY;
        } else if is_held_up {
            self.defiance += seconds * (1.0 - self.share) / PATIENCE;
        }
        self.defiance = self.defiance.clamp(0.0, 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leads_out_at_the_bounds_and_all_is_led_inside() {
        let bounds = Bounds { min: Vec2::new(-20.0, -10.0), max: Vec2::new(20.0, 10.0) };
        let out = Vec2::new(1.0, -2.0);
        assert_eq!(kept_inside(out, Vec2::ZERO, bounds), out);
        for place in [Vec2::new(19.8, -9.9), Vec2::new(20.0, -10.0), Vec2::new(25.0, -40.0)] {
            let kept = kept_inside(out, place, bounds);
            assert!(kept.x < 0.0 && kept.y > 0.0, "{kept} at {place}");
            assert!(kept.abs().max_element() <= RETURN_SPEED);
            // What leads in is not slowed down.
            let inwards = kept_inside(-out, place, bounds);
            assert!(inwards.x <= -1.0 && inwards.y >= 2.0, "{inwards} at {place}");
        }
    }

    #[test]
    fn what_is_kept_inside_changes_continuously() {
        let bounds = Bounds { min: Vec2::splat(-20.0), max: Vec2::splat(20.0) };
        let mut before = None;
        for i in 0..6000 {
            let place = Vec2::new(-30.0 + 0.01 * i as f32, 19.0);
            let kept = kept_inside(Vec2::new(1.5, 0.7), place, bounds);
            let jump = before.map_or(0.0, |before: Vec2| before.distance(kept));
            assert!(jump < 0.015, "{jump} m/s at {place}");
            before = Some(kept);
        }
    }

    #[test]
    fn the_obedient_bear_more_and_heed_arrows_again_when_they_are_out_of_reach() {
        let steps_until_defiance = |share: f32| {
            let mut obedience = Obedience { share, ..Obedience::default() };
            (0..1000).find(|_| {
                obedience.bear(Vec2::X, Vec2::ZERO, 1.0, 0.1);
                obedience.defiance > 0.52
            })
        };
        assert!(matches!(steps_until_defiance(0.0), Some(50..54)));
        assert!(matches!(steps_until_defiance(0.5), Some(100..108)));
        assert_eq!(steps_until_defiance(1.0), None);
        let mut obedience = Obedience { defiance: 1.0, ..Obedience::default() };
        obedience.bear(Vec2::X, Vec2::X, 0.5, 60.0);
        assert_eq!(obedience.defiance, 1.0, "they are still within reach");
        obedience.bear(Vec2::X, Vec2::X, 0.0, 60.0);
        assert_eq!(obedience.defiance, 0.0);
    }
}
