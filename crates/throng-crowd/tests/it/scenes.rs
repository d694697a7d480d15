//! The scenes that ship do what they promise.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use glam::Vec2;
use throng_base::Bounds;
use throng_base::geometry::nearest_on_segment;
use throng_crowd::{Condition, Crowd, PersonId, PersonState, Status};
use throng_world::scene::{Aim, GroupId, LayerId};
use throng_world::{Scene, Shape};

use crate::support::{assert_out_of_walls, assert_sound};

/// A scene that runs, and what has been seen of it.
struct Run {
    scene: Scene,
    crowd: Crowd,
    /// Everyone who was ever seen, as they were seen last.
    seen: BTreeMap<PersonId, PersonState>,
}

impl Run {
    fn new(name: &str) -> Self {
        let scenes = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
        let scene = Scene::load(scenes.join(name)).unwrap_or_else(|errors| panic!("{errors}"));
        let crowd = Crowd::from_scene(&scene).unwrap_or_else(|errors| panic!("{errors}"));
        Self { scene, crowd, seen: BTreeMap::new() }
    }

    /// One step, after which bodies must be apart, out of walls and in the world.
    fn step(&mut self) {
        self.crowd.step();
        assert_sound(&self.crowd);
        assert_out_of_walls(&self.crowd);
        for p in self.crowd.people() {
            assert!(self.scene.bounds.contains(p.position), "walked off: {p:?}");
        }
        self.seen.extend(self.crowd.people().map(|p| (p.id, p)));
    }

    fn run_to_the_end(&mut self) {
        while !self.is_over() {
            self.step();
        }
    }

    fn is_over(&self) -> bool {
        self.crowd.time() >= self.scene.settings.duration - 1e-6
    }

    fn group(&self, name: &str) -> GroupId {
        let index = self.scene.groups.iter().position(|group| group.name == name);
        GroupId(index.unwrap_or_else(|| panic!("no group {name}")) as u16)
    }

    fn region(&self, name: &str) -> Bounds {
        let region = self.scene.regions.iter().find(|region| region.name == name);
        region.unwrap_or_else(|| panic!("no region {name}")).polygon.bounds()
    }

    /// How many people of a group have left, all of them at the region.
    fn left_at(&self, group: &str, region: &str) -> usize {
        let (group, region) = (self.group(group), self.region(region).grown(0.3));
        let gone = self.seen.values().filter(|p| p.group == group);
        let gone: Vec<_> = gone.filter(|p| self.crowd.person(p.id).is_none()).collect();
        for p in &gone {
            assert!(region.contains(p.position), "left before the exit: {p:?}");
        }
        gone.len()
    }

    fn members(&self, group: &str) -> impl Iterator<Item = PersonState> {
        let group = self.group(group);
        self.crowd.people().filter(move |p| p.group == group)
    }
}

#[test]
fn on_the_circle_everyone_reaches_the_other_side() {
    let mut run = Run::new("circle.toml");
    while run.crowd.count(Status::Arrived) < 100 {
        run.step();
        assert!(run.crowd.time() < 90.0, "{} arrived", run.crowd.count(Status::Arrived));
    }
}

/// Of the people nearest ahead of somebody, in their track, the share who walk the same way.
fn share_of_followers(crowd: &Crowd) -> (usize, usize) {
    let people: Vec<_> = crowd.people().filter(|p| p.position.x.abs() < 15.0).collect();
    let (mut same, mut all) = (0, 0);
    for p in &people {
        let ahead = if p.group == GroupId(0) { 1.0 } else { -1.0 };
        let nearest = people
            .iter()
            .filter(|q| (q.position.y - p.position.y).abs() < 0.3)
            .map(|q| ((q.position.x - p.position.x) * ahead, q.group))
            .filter(|(gap, _)| (0.01..3.0).contains(gap))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((_, group)) = nearest {
            all += 1;
            same += usize::from(group == p.group);
        }
    }
    (same, all)
}

#[test]
fn in_the_corridor_lanes_form_and_both_directions_get_through() {
    let mut run = Run::new("corridor.toml");
    let (mut same, mut all) = (0, 0);
    while !run.is_over() {
        run.step();
        if run.crowd.time() > 60.0 {
            let (followers, people) = share_of_followers(&run.crowd);
            same += followers;
            all += people;
        }
    }
    let share = same as f32 / all as f32;
    assert!(share > 0.75, "{share} walk behind someone who goes their way; without lanes 0.5");
    // Demand is 1.5 people per second each way, and crossing takes half a minute.
    let through = [run.left_at("eastbound", "east end"), run.left_at("westbound", "west end")];
    assert!(through.iter().all(|&count| count > 90), "{through:?}");
}

#[test]
fn at_the_crossing_people_leave_on_all_four_sides() {
    let mut run = Run::new("crossing.toml");
    run.run_to_the_end();
    for side in ["east", "west", "north", "south"] {
        let count = run.left_at(&format!("to the {side}"), side);
        assert!(count > 70, "{side}: {count}");
    }
}

#[test]
fn at_the_bottleneck_the_hall_empties_through_the_door() {
    let mut run = Run::new("bottleneck.toml");
    let mut crossings = BTreeMap::new();
    while !run.crowd.is_empty() {
        run.step();
        for p in run.crowd.people().filter(|p| p.position.x > 0.0) {
            let time = run.crowd.time();
            crossings.entry(p.id).or_insert_with(|| {
                assert!(p.position.y.abs() < 0.6, "not by the door: {p:?}");
                time
            });
        }
        assert!(!run.is_over(), "{} are left", run.crowd.len());
    }
    assert_eq!(run.left_at("audience", "outside"), 150);
    let mut times: Vec<f64> = crossings.into_values().collect();
    times.sort_by(f64::total_cmp);
    let rate = 99.0 / (times[124] - times[25]);
    // What was measured with people at doors of this width.
    assert!((2.03..2.75).contains(&rate), "{rate} people per second through 1.2 m");
}

#[test]
fn at_the_junction_both_streams_leave_by_the_stem_and_nobody_leaves_the_plan() {
    let mut run = Run::new("t-junction.toml");
    let plan = run.scene.obstacles.iter().find_map(|obstacle| match &obstacle.shape {
        Shape::Plan(plan) => Some(plan.clone()),
        _ => None,
    });
    let plan = plan.unwrap();
    while !run.is_over() {
        run.step();
        for p in run.crowd.people() {
            assert!(plan.contains(p.position), "walked off the plan: {p:?}");
        }
    }
    for branch in ["from the west", "from the east"] {
        assert_eq!(run.left_at(branch, "way out"), 60);
    }
}

#[test]
fn on_the_plaza_everyone_gets_on_with_what_they_do() {
    let mut run = Run::new("plaza.toml");
    run.run_to_the_end();
    let through =
        [run.left_at("commuters east", "east gate"), run.left_at("commuters west", "west gate")];
    assert!(through.iter().all(|&count| count > 40), "{through:?}");
    assert_eq!(run.members("latecomers").count(), 20);
    assert!(run.members("latecomers").all(|p| p.status == Status::Arrived));
    let stuck = run.members("strollers").filter(|p| p.status == Status::Blocked).count();
    assert!(stuck < 25, "{stuck} of 120 strollers are stuck");
    assert!(run.members("waiting").all(|p| p.status == Status::Waiting));
}

#[test]
fn on_the_plaza_the_children_catch_each_other_now_and_then() {
    let mut run = Run::new("plaza.toml");
    let mut catches = 0;
    let mut is_chasing = true;
    while !run.is_over() {
        run.step();
        let children: Vec<_> = run.members("children").collect();
        let [ada, bo] = &children[..] else { panic!("{children:?}") };
        let gap = ada.position.distance(bo.position) - ada.radius - bo.radius;
        catches += usize::from(is_chasing && bo.status == Status::Waiting && gap < 0.5);
        is_chasing = bo.status != Status::Waiting;
    }
    assert!(catches >= 3, "{catches}");
}

#[test]
fn on_two_floors_people_go_up_and_down_and_round_again() {
    let mut run = Run::new("two-floors.toml");
    let mut floors: BTreeMap<PersonId, Vec<LayerId>> = BTreeMap::new();
    while !run.is_over() {
        run.step();
        for p in run.members("climbers") {
            let visited = floors.entry(p.id).or_default();
            if visited.last() != Some(&p.layer) {
                visited.push(p.layer);
            }
        }
        // The stream to the stairs may sweep one or two along.
        let below = run.members("audience").filter(|p| p.layer == LayerId(0)).count();
        assert!(below >= 57, "{below}");
    }
    let times = |changes: usize| floors.values().filter(|floors| floors.len() > changes).count();
    assert_eq!(times(2), 40, "everyone was up and is down again");
    assert!(times(3) >= 20, "half of them are up for the second time");
}

#[test]
fn at_the_station_people_cross_the_bridge_and_climb_evenly() {
    let mut run = Run::new("station.toml");
    let mut heights: BTreeMap<PersonId, f32> = BTreeMap::new();
    let mut highest: BTreeMap<PersonId, f32> = BTreeMap::new();
    let mut steepest = 0f32;
    while !run.is_over() {
        run.step();
        for p in run.crowd.people() {
            let before = heights.insert(p.id, p.height).unwrap_or(p.height);
            steepest = steepest.max((p.height - before).abs());
            let top = highest.entry(p.id).or_default();
            *top = top.max(p.height);
        }
    }
    assert_eq!(run.crowd.count(Status::Arrived), 60);
    assert!(steepest < 0.3, "somebody has jumped by {steepest} m");
    // Who passes close by may tread on the foot of the stairs, which is part of the ground.
    for p in run.members("northbound") {
        assert!(highest[&p.id] < 1.0 && p.position.y > 3.2, "{p:?}");
    }
    for p in run.members("southbound") {
        let up = highest[&p.id];
        assert!((up - 5.0).abs() < 0.01 && p.height < 0.01 && p.position.y < -3.2, "{up}: {p:?}");
    }
}

#[test]
fn arrows_lead_through_the_valley_and_after_edits_by_the_detour() {
    let mut run = Run::new("arrows.toml");
    // Where people cross the line between the valley and the detour, by time.
    let mut crossings: [Vec<f32>; 2] = Default::default();
    let mut before: BTreeMap<PersonId, f32> = BTreeMap::new();
    while !run.is_over() {
        run.step();
        let phase = match run.crowd.time() {
            time if time < 40.0 => Some(0),
            time if time > 90.0 => Some(1),
            _ => None,
        };
        for p in run.crowd.people() {
            let crosses = before.insert(p.id, p.position.x).is_some_and(|x| x < -8.0);
            if let (true, true, Some(phase)) = (crosses, p.position.x >= -8.0, phase) {
                crossings[phase].push(p.position.y);
            }
        }
    }
    let [early, late] = crossings;
    assert!(early.len() > 20 && early.iter().all(|y| *y < 0.0), "{early:?}");
    assert!(late.len() > 100 && late.iter().all(|y| *y > 0.0), "{late:?}");
    let mean = late.iter().sum::<f32>() / late.len() as f32;
    assert!(mean > 7.0, "{mean}");
    assert!(run.left_at("visitors", "east") > 150);
    assert_eq!(run.crowd.warnings(), &[] as &[String]);
}

#[test]
fn four_led_groups_get_through_each_other() {
    let mut run = Run::new("crossing-arrows.toml");
    run.run_to_the_end();
    for (side, way) in
        [("east", Vec2::X), ("west", -Vec2::X), ("north", Vec2::Y), ("south", -Vec2::Y)]
    {
        let group = format!("to the {side}");
        let count = run.members(&group).filter(|p| p.position.dot(way) > 12.0).count();
        assert!(count >= 90, "{side}: {count}");
    }
}

#[test]
fn the_castle_is_taken_through_its_gates() {
    let mut run = Run::new("siege.toml");
    let mut by_gate = [0; 4];
    let mut inside: BTreeSet<PersonId> = BTreeSet::new();
    while !run.is_over() {
        run.step();
        for p in run.crowd.people() {
            if p.position.abs().max_element() < 29.0 && inside.insert(p.id) {
                // Nobody comes over the north wall.
                assert!(p.position.y < 20.0, "{p:?}");
                by_gate[usize::from(p.group.0)] += 1;
            }
        }
    }
    assert!(by_gate.iter().sum::<usize>() > 1980, "{by_gate:?}");
    assert!(run.crowd.count(Status::Arrived) > 1980);
    // Before the wall without a gate, the arrows lead all to the east.
    let north = run.members("northern host").filter(|p| inside.contains(&p.id)).count();
    assert!(north >= 295, "{north}");
}

#[test]
fn the_procession_keeps_to_its_line_and_ends_in_the_market() {
    let mut run = Run::new("procession.toml");
    let group = run.group("procession");
    let goal = &run.scene.groups[usize::from(group.0)].goals[0].aim;
    let Aim::Follow { line, .. } = goal.clone() else { panic!("{goal:?}") };
    let beside = |at: Vec2| {
        let legs = line.windows(2).map(|leg| nearest_on_segment(leg[0].1, leg[1].1, at));
        legs.map(|on| on.distance(at)).fold(f32::INFINITY, f32::min)
    };
    let market = run.region("market");
    let (mut off, mut count) = (0, 0);
    while !run.is_over() {
        run.step();
        // In the squares they gather and make room.
        let marching = run.members("procession").filter(|p| {
            p.status != Status::Arrived && p.position.x > 24.0 && !market.contains(p.position)
        });
        let distances: Vec<f32> = marching.map(|p| beside(p.position)).collect();
        count += distances.len();
        off += distances.iter().filter(|&&distance| distance > 3.0).count();
    }
    assert!(count > 100_000 && off * 50 < count, "{off} of {count}");
    let there = run.members("procession").filter(|p| p.status == Status::Arrived).count();
    assert_eq!(there, 140);
}

#[test]
fn a_hundred_thousand_people_load_and_walk() {
    let mut run = Run::new("square-100k.toml");
    run.step();
    run.step();
    assert_eq!(run.crowd.len(), 100_000);
    assert!(run.crowd.count(Status::Walking) > 99_000);
}

#[test]
fn the_room_in_panic_is_empty_first_and_calm_people_wait() {
    let mut run = Run::new("panic.toml");
    let (mut waited, mut empty) = (0, [0.0; 4]);
    while !run.is_over() && !run.crowd.is_empty() {
        run.step();
        waited += run.members("calm").filter(|p| p.status == Status::Queueing).count();
        for p in run.crowd.people().filter(|p| p.position.y > 6.0) {
            empty[(p.position.x / 10.0) as usize] = run.crowd.time();
        }
    }
    assert!(run.crowd.is_empty(), "{} are still there", run.crowd.len());
    assert!(empty[..3].iter().all(|calm| *calm > 1.3 * empty[3]), "{empty:?} s");
    assert!(waited > 1000, "{waited}");
}

#[test]
fn a_queue_forms_before_a_narrow_door_and_some_push_past_it() {
    let mut run = Run::new("queue.toml");
    let (mut longest, mut pushing) = (0, 0);
    let mut times = BTreeMap::<PersonId, f64>::new();
    while !run.is_over() {
        run.step();
        let queueing = run.members("visitors").filter(|p| p.status == Status::Queueing).count();
        longest = longest.max(queueing);
        let pushes = |p: &PersonState| {
            run.crowd.conduct(p.id).is_some_and(|c| c.condition == Condition::Pushing)
        };
        pushing += run.members("pushers").filter(pushes).count();
        for p in run.crowd.people() {
            *times.entry(p.id).or_default() += run.crowd.setting().step;
        }
    }
    assert!(run.crowd.is_empty(), "{} are still there", run.crowd.len());
    assert!(longest >= 5, "{longest} queue at most");
    assert!(pushing > 10, "{pushing}");
    let mean = |group: &str| {
        let of = run.group(group);
        let times = times.iter().filter(|(id, _)| run.seen[id].group == of).map(|(_, time)| time);
        times.clone().sum::<f64>() / times.count() as f64
    };
    let (visitors, pushers) = (mean("visitors"), mean("pushers"));
    assert!(pushers < 0.8 * visitors, "{pushers:.1} s and {visitors:.1} s");
}
