//! Obstacles that come, move and go while people walk.

use glam::Vec2;
use proptest::prelude::*;
use throng_base::Bounds;
use throng_crowd::{Crowd, ObstacleError, ObstacleId, PersonState, Setting, Status};
use throng_nav::MapRules;
use throng_world::scene::LayerId;
use throng_world::{Interval, Obstacle, Shape};

use crate::support::{GROUND, assert_out_of_walls, plane, rectangle, step_within_walls, walker};

/// A hall of 20 m × 20 m.
fn hall(shapes: impl IntoIterator<Item = Shape>) -> Setting {
    let bounds = Bounds { min: Vec2::ZERO, max: Vec2::splat(20.0) };
    let shapes = shapes.into_iter().chain([Shape::Border(bounds)]);
    Setting {
        bounds,
        obstacles: shapes.map(|shape| Obstacle::new(shape, GROUND)).collect(),
        navigation: Some(MapRules::default()),
        ..plane()
    }
}

/// The same, cut in two by a wall at x = 10 with openings at y = 2..3.2 and y = 16..17.2.
fn two_doors() -> Setting {
    let wall = |from: f32, to: f32| rectangle((9.9, from), (10.1, to));
    hall([wall(0.0, 2.0), wall(3.2, 16.0), wall(17.2, 20.0)])
}

fn lower_door() -> Obstacle {
    Obstacle::new(rectangle((9.9, 2.0), (10.1, 3.2)), GROUND)
}

fn upper_door() -> Obstacle {
    Obstacle::new(rectangle((9.9, 16.0), (10.1, 17.2)), GROUND)
}

/// Steps, and makes sure that nobody crosses a wall or stands in one.
fn run(crowd: &mut Crowd, seconds: f64) {
    let end = crowd.time() + seconds;
    while crowd.time() < end - 1e-6 {
        step_within_walls(crowd);
        assert_out_of_walls(crowd);
    }
}

fn arrived(crowd: &Crowd) -> usize {
    crowd.people().filter(|person| person.status == Status::Arrived).count()
}

#[test]
fn when_a_door_closes_people_take_the_other_one_within_a_second() {
    let mut crowd = Crowd::new(two_doors());
    for i in 0..40 {
        let (x, y) = (1.0 + (i % 8) as f32 * 0.7, 1.0 + (i / 8) as f32 * 0.7);
        walker(&mut crowd, Vec2::new(x, y), Vec2::new(x + 12.0, y));
    }
    run(&mut crowd, 1.0);
    let heads_up = |person: &PersonState| person.preferred_velocity.normalize_or_zero().y > 0.8;
    assert!(!crowd.people().any(|person| heads_up(&person)), "the near door is open");
    let id = crowd.add_obstacle(lower_door()).unwrap();
    run(&mut crowd, 1.0);
    for person in crowd.people() {
        assert!(heads_up(&person), "{:?} at {}", person.preferred_velocity, person.position);
    }
    // It opens again, and those who are still near it do not make the detour.
    crowd.remove_obstacle(id).unwrap();
    run(&mut crowd, 2.0);
    assert!(!crowd.people().any(|person| heads_up(&person)));
    run(&mut crowd, 60.0);
    assert_eq!(arrived(&crowd), 40);
}

#[test]
fn who_is_locked_in_says_so_and_leaves_when_the_door_opens() {
    let mut crowd = Crowd::new(two_doors());
    walker(&mut crowd, Vec2::new(5.0, 5.0), Vec2::new(15.0, 5.0));
    let doors = [lower_door(), upper_door()].map(|door| crowd.add_obstacle(door).unwrap());
    run(&mut crowd, 2.0);
    assert_eq!(crowd.people().next().unwrap().status, Status::NoPath);
    crowd.remove_obstacle(doors[1]).unwrap();
    run(&mut crowd, 1.0);
    assert!(crowd.people().next().unwrap().preferred_velocity.y > 0.5);
    run(&mut crowd, 40.0);
    assert_eq!(arrived(&crowd), 1);
}

#[test]
fn a_door_with_hours_waits_for_those_who_stand_in_it() {
    let mut setting = two_doors();
    setting.obstacles.push(Obstacle {
        during: vec![Interval { from: 1.0, to: 8.0 }, Interval { from: 12.0, to: 13.0 }],
        ..lower_door()
    });
    let door = setting.obstacles.len() - 1;
    let mut crowd = Crowd::new(setting);
    // Somebody is in the doorway when it is to close, and then goes on.
    walker(&mut crowd, Vec2::new(8.6, 2.6), Vec2::new(15.0, 2.6));
    let is_closed = |crowd: &Crowd| crowd.obstacles().nth(door).unwrap().2;
    let mut hours = Vec::new();
    while crowd.time() < 14.0 {
        let was = is_closed(&crowd);
        run(&mut crowd, 0.1);
        if is_closed(&crowd) != was {
            hours.push(crowd.time());
        }
    }
    let near = |time: f64, wanted: f64| (time - wanted).abs() < 0.15;
    assert_eq!(hours.len(), 4, "{hours:?}");
    assert!(hours[0] > 1.2 && hours[0] < 3.0, "it waited: {hours:?}");
    assert!(near(hours[1], 8.0) && near(hours[2], 12.0) && near(hours[3], 13.0), "{hours:?}");
    assert_eq!(arrived(&crowd), 1);
}

#[test]
fn walls_can_be_put_up_in_the_open_and_moved() {
    let mut crowd = Crowd::new(Setting { navigation: Some(MapRules::default()), ..hall([]) });
    for i in 0..10 {
        walker(
            &mut crowd,
            Vec2::new(2.0, 6.0 + i as f32 * 0.8),
            Vec2::new(18.0, 6.0 + i as f32 * 0.8),
        );
    }
    run(&mut crowd, 2.0);
    let wall = Obstacle::new(rectangle((9.0, 4.0), (9.2, 16.0)), GROUND);
    let id = crowd.add_obstacle(wall).unwrap();
    run(&mut crowd, 3.0);
    crowd.move_obstacle(id, rectangle((12.0, 0.0), (12.2, 15.0))).unwrap();
    run(&mut crowd, 60.0);
    assert_eq!(arrived(&crowd), 10);
}

#[test]
fn what_cannot_be_put_up_is_refused_with_a_reason() {
    let mut crowd = Crowd::new(two_doors());
    let id = walker(&mut crowd, Vec2::new(5.0, 5.0), Vec2::new(15.0, 5.0));
    let count = crowd.obstacles().count();
    let on_them = Obstacle::new(rectangle((5.2, 4.0), (6.0, 6.0)), GROUND);
    assert_eq!(crowd.add_obstacle(on_them.clone()), Err(ObstacleError::Occupied(id)));
    let circle = |radius| Shape::Circle { center: Vec2::new(3.0, f32::NAN), radius };
    assert_eq!(crowd.add_obstacle(Obstacle::new(circle(1.0), GROUND)), Err(ObstacleError::NoShape));
    let far = Shape::Box { center: Vec2::splat(1e9), size: Vec2::ONE, angle: 0.0 };
    assert_eq!(crowd.add_obstacle(Obstacle::new(far, GROUND)), Err(ObstacleError::NoShape));
    let error = crowd.add_obstacle(Obstacle { layer: LayerId(3), ..lower_door() }).unwrap_err();
    assert_eq!(error.to_string(), "there is no layer 3; there are 1");
    let unknown = ObstacleError::Unknown(ObstacleId(77));
    assert_eq!(crowd.remove_obstacle(ObstacleId(77)).unwrap_err(), unknown);
    assert_eq!(crowd.move_obstacle(ObstacleId(77), on_them.shape.clone()).unwrap_err(), unknown);
    let door = crowd.add_obstacle(lower_door()).unwrap();
    let refused = crowd.move_obstacle(door, on_them.shape).unwrap_err();
    assert_eq!(refused, ObstacleError::Occupied(id));
    assert_eq!(crowd.obstacles().count(), count + 1);
    run(&mut crowd, 40.0);
    assert_eq!(arrived(&crowd), 1, "by the upper door");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn whatever_is_built_nobody_gets_into_a_wall(
        edits in prop::collection::vec(
            (0u8..3, 0usize..10, 0.5f32..19.5, 0.5f32..19.5, 0.1f32..4.0, 0.0f32..3.2),
            1..12,
        ),
    ) {
        let mut crowd = Crowd::new(two_doors());
        for i in 0..30 {
            let (x, y) = (1.0 + (i % 6) as f32 * 1.3, 1.0 + (i / 6) as f32 * 3.5);
            walker(&mut crowd, Vec2::new(x, y), Vec2::new(19.0 - x, 19.0 - y));
        }
        let mut ids = Vec::new();
        for (kind, which, x, y, size, angle) in edits {
            let shape =
                Shape::Box { center: Vec2::new(x, y), size: Vec2::new(size, 0.3), angle };
            match kind {
                0 => ids.extend(crowd.add_obstacle(Obstacle::new(shape, GROUND))),
                1 if !ids.is_empty() => {
                    let _ = crowd.move_obstacle(ids[which % ids.len()], shape);
                }
                _ if !ids.is_empty() => {
                    crowd.remove_obstacle(ids.swap_remove(which % ids.len())).unwrap();
                }
                _ => {}
            }
            run(&mut crowd, 1.5);
        }
    }
}
