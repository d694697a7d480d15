//! Contacts are counted from the first overlap until bodies part.

use throng_eval::score::ScoreOptions;
use throng_eval::score::{Collector, Ideals};

use super::track::{Somebody, at, collector, hall, take, watch, watch_in};

/// A person who stands at the origin, and another who is so far to the right of them.
fn pair(distance: f32) -> [Somebody; 2] {
    [at(1, 0.0, 0.0), at(2, distance, 0.0)]
}

/// Two people at these distances, frame by frame.
fn at_distances(distances: &[f32]) -> throng_eval::score::RunMetrics {
    let mut collector = collector(&hall(""));
    for (frame, &distance) in distances.iter().enumerate() {
        take(&mut collector, frame as f64 * 0.05, &pair(distance)).unwrap();
    }
    collector.finish()
}

#[test]
fn overlapping_twice_is_two_collisions_for_each() {
    let metrics = at_distances(&[1.0, 0.45, 0.4, 0.6, 0.48, 0.7]);
    for agent in &metrics.agents {
        assert_eq!((agent.collisions, agent.person_collisions), (2, 2), "{agent:?}");
        assert_eq!((agent.collision_score, agent.wall_collisions), (3, 0));
        assert!((agent.max_penetration - 0.1).abs() < 1e-6);
        assert!((agent.max_contact_time - 0.05).abs() < 1e-9);
        assert!((agent.nearest_person.unwrap() + 0.1).abs() < 1e-6);
    }
}

#[test]
fn ten_frames_of_overlap_score_ten_and_are_one_collision() {
    let distances: Vec<f32> =
        (0..15).map(|k| if (2..12).contains(&k) { 0.44 } else { 0.8 }).collect();
    for agent in at_distances(&distances).agents {
        assert_eq!((agent.collision_score, agent.collisions), (10, 1));
        // 6 cm deep, but 0.45 s is not long.
        assert_eq!((agent.deep_collisions, agent.long_collisions), (1, 0));
        assert!((agent.max_contact_time - 0.45).abs() < 1e-9);
    }
    let longer: Vec<f32> = (0..20).map(|k| if k < 3 { 0.49 } else { 0.44 }).collect();
    for agent in at_distances(&longer).agents {
        assert_eq!((agent.collisions, agent.deep_collisions), (1, 1));
        assert_eq!((agent.long_collisions, agent.deep_long_collisions), (1, 1));
    }
}

#[test]
fn less_than_the_threshold_is_no_contact() {
    let metrics = at_distances(&[0.4995, 0.4995]);
    assert!(metrics.agents.iter().all(|agent| agent.collisions == 0));
    let options = ScoreOptions { contact_threshold: 0.0, ..ScoreOptions::default() };
    let mut exact = Collector::with_ideals(&hall(""), Ideals::default(), options).unwrap();
    take(&mut exact, 0.0, &pair(0.4995)).unwrap();
    assert!(exact.metrics().iter().all(|agent| agent.collisions == 1));
}

#[test]
fn leaping_out_of_range_closes_a_contact() {
    let metrics = at_distances(&[0.4, 40.0, 0.4]);
    assert!(metrics.agents.iter().all(|agent| agent.collisions == 2), "{metrics:?}");
    // And so does leaving.
    let mut collector = collector(&hall(""));
    take(&mut collector, 0.0, &pair(0.4)).unwrap();
    take(&mut collector, 0.1, &pair(0.4)[..1]).unwrap();
    take(&mut collector, 0.2, &pair(0.4)).unwrap();
    let metrics = collector.finish();
    assert!(metrics.agents.iter().all(|agent| agent.collisions == 2), "{metrics:?}");
}

#[test]
fn floors_are_apart() {
    let scene =
        hall("[[layers]]\nname = \"ground\"\n[[layers]]\nname = \"upper\"\nelevation = 4\n");
    let metrics = watch_in(&scene, 20.0, 1.0, |_| {
        vec![at(1, 0.0, 0.0), Somebody { layer: 1, ..at(2, 0.1, 0.0) }]
    });
    assert!(metrics.agents.iter().all(|agent| agent.collisions == 0), "{metrics:?}");
}

#[test]
fn everybody_in_a_press_touches_everybody() {
    let three = |_| vec![at(1, 0.0, 0.0), at(2, 0.2, 0.0), at(3, 0.1, 0.1)];
    for agent in watch(20.0, 1.0, three).agents {
        assert_eq!((agent.collisions, agent.collision_score), (2, 42));
    }
}

#[test]
fn scraping_along_a_wall_is_one_contact_with_the_wall() {
    let scene = hall(
        "[[obstacles]]\nwall = { points = [[-10, 0], [0, 0], [8, 6]], thickness = 0.2 }\n\
         [[obstacles]]\ncircle = { center = [0, -9], radius = 1 }\n",
    );
    // Along the first stretch, 2 cm too near, and round the bend.
    let along = |time: f64| match time as f32 {
        x if x < 10.0 => vec![at(1, x - 10.0, 0.33)],
        _ => vec![at(1, 0.0, 0.33)],
    };
    let agent = watch_in(&scene, 20.0, 10.0, along).agents.remove(0);
    assert_eq!((agent.wall_collisions, agent.person_collisions), (1, 0), "{agent:?}");
    assert!(agent.max_penetration >= 0.02 - 1e-5, "{agent:?}");
    // All the way round a pillar of many edges.
    let round = |time: f64| {
        let place = glam::Vec2::from_angle(time as f32) * 1.22 - glam::Vec2::new(0.0, 9.0);
        vec![at(1, place.x, place.y)]
    };
    let agent = watch_in(&scene, 20.0, 6.0, round).agents.remove(0);
    assert_eq!((agent.wall_collisions, agent.collision_score), (1, 121), "{agent:?}");
    // Not near anything.
    let far = watch_in(&scene, 20.0, 1.0, |_| vec![at(1, 20.0, 20.0)]).agents.remove(0);
    assert_eq!((far.wall_collisions, far.nearest_wall), (0, None));
}

#[test]
fn inside_a_block_one_is_deep_in_the_wall() {
    let scene = hall("[[obstacles]]\nbox = { center = [0, 0], size = [20, 20] }\n");
    let deep = |x: f32| {
        let agent = watch_in(&scene, 20.0, 0.5, |_| vec![at(1, x, 0.0)]).agents.remove(0);
        (agent.wall_collisions, agent.max_penetration, agent.nearest_wall)
    };
    let (count, depth, gap) = deep(9.9);
    assert!(count == 1 && (depth - 0.35).abs() < 1e-5, "{depth}");
    assert!((gap.unwrap() + 0.35).abs() < 1e-5, "{gap:?}");
    let (count, depth, _) = deep(0.0);
    assert!(count == 1 && depth > 0.2, "{depth}");
    let (count, _, gap) = deep(10.75);
    assert!(count == 0 && (gap.unwrap() - 0.5).abs() < 1e-5, "{gap:?}");
}

#[test]
fn obstacles_are_in_the_way_while_they_are_there() {
    let scene = hall(
        "[[obstacles]]\nbox = { center = [0, 0], size = [1, 1] }\nduring = [{ from = 1, to = 2 }]\n",
    );
    let agent = watch_in(&scene, 20.0, 4.0, |_| vec![at(1, 0.6, 0.0)]).agents.remove(0);
    assert_eq!((agent.wall_collisions, agent.collision_score), (1, 20), "{agent:?}");
}
