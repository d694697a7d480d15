//! What must not matter does not: who else is far away, how rows lie in memory, who was removed.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests too")]

use glam::Vec2;
use throng_crowd::steering::CommonParameters;
use throng_crowd::{Crowd, NewPerson, PersonId, Plan};
use throng_world::Shape;
use throng_world::scene::Then;

use crate::support::{self, GROUND, orca_with, person, plane, wandering, with_obstacles};

/// People who wander in a square of 12 m around a pillar, and see no further than 4 m.
struct Cluster {
    crowd: Crowd,
    members: Vec<PersonId>,
    /// The plan of those who are far away.
    stand: u32,
}

/// Where the people far away stand, m from the cluster.
const FAR: Vec2 = Vec2::new(90.0, -60.0);

impl Cluster {
    fn new() -> Self {
        let pillar = Shape::Circle { center: Vec2::ZERO, radius: 0.8 };
        let (mut crowd, wander) = wandering(with_obstacles([pillar]), Vec2::splat(6.0));
        let stand = crowd.add_plan(Plan::default()).unwrap();
        let mut cluster = Self { crowd, members: Vec::new(), stand };
        cluster.members = cluster.add(Vec2::ZERO, wander);
        cluster
    }

    /// People far away.
    fn add_others(&mut self) -> Vec<PersonId> {
        self.add(FAR, self.stand)
    }

    /// A lattice of people around `center`.
    fn add(&mut self, center: Vec2, plan: u32) -> Vec<PersonId> {
        let places = (0..100).map(|i| Vec2::new((i % 10) as f32, (i / 10) as f32) * 1.2 - 5.4);
        let free = |place: &Vec2| place.length() > 1.2;
        places
            .filter(free)
            .map(|place| {
                self.crowd
                    .add(&NewPerson {
                        steering: orca_with(CommonParameters {
                            neighbour_range: 4.0,
                            neighbours: 10.0,
                            ..CommonParameters::default()
                        }),
                        ..person(center + place, plan)
                    })
                    .unwrap()
            })
            .collect()
    }

    /// Everything about the members, to the last bit.
    fn bits(&self) -> Vec<[u32; 5]> {
        let state = |&id: &PersonId| {
            let p = self.crowd.person(id).unwrap();
            assert_eq!((p.id, p.layer), (id, GROUND));
            let facing = p.heading.direction();
            [p.position.x, p.position.y, p.velocity.x, p.velocity.y, facing.x].map(f32::to_bits)
        };
        self.members.iter().map(state).collect()
    }

    fn run(&mut self, steps: usize) {
        (0..steps).for_each(|_| self.crowd.step());
    }
}

#[test]
fn people_far_away_change_nothing() {
    // Rows are put into grid order every 32 steps: others in between make for another order, other
    // cells and other batches.
    let (mut alone, mut accompanied) = (Cluster::new(), Cluster::new());
    accompanied.add_others();
    for round in 0..8 {
        alone.run(20);
        accompanied.run(20);
        assert_eq!(alone.bits(), accompanied.bits(), "after {} steps", (round + 1) * 20);
    }
}

#[test]
fn people_far_away_who_come_and_go_change_nothing() {
    let (mut alone, mut accompanied) = (Cluster::new(), Cluster::new());
    let mut others = Vec::new();
    for round in 0..12 {
        if round % 2 == 0 {
            others = accompanied.add_others();
        }
        // From the middle of the list, so that rows swap.
        let leaving = others.drain(others.len() / 4..others.len() / 2);
        leaving.for_each(|id| assert!(accompanied.crowd.remove(id)));
        alone.run(13);
        accompanied.run(13);
        if round % 2 == 1 {
            others.drain(..).for_each(|id| assert!(accompanied.crowd.remove(id)));
        }
        assert_eq!(alone.bits(), accompanied.bits(), "after {} steps", (round + 1) * 13);
    }
}

#[test]
fn rows_that_lie_in_another_order_change_nothing() {
    // The same people, but in one run their rows are shuffled by people who were there before them
    // and left at once.
    let run = |removed_first: bool| {
        let mut crowd = Crowd::new(plane());
        let plan = |crowd: &mut Crowd, to: Vec2| {
            crowd.add_plan(Plan { goals: vec![support::seek(to, 0.5)], then: Then::Stay }).unwrap()
        };
        let idle = crowd.add_plan(Plan::default()).unwrap();
        let strangers: Vec<PersonId> = (0..40)
            .map(|i| crowd.add(&person(Vec2::new(500.0 + i as f32, 0.0), idle)).unwrap())
            .collect();
        // A press, in which people touch more others than they heed.
        for i in 0..150 {
            let start = Vec2::from_angle(i as f32 * 2.4) * (0.45 * (i as f32 + 0.5).sqrt());
            let plan = plan(&mut crowd, -start);
            let common = CommonParameters { neighbours: 3.0, ..CommonParameters::default() };
            let steering = orca_with(common);
            crowd.add(&NewPerson { steering, ..person(start, plan) }).unwrap();
        }
        let leave = |crowd: &mut Crowd| strangers.iter().for_each(|&id| assert!(crowd.remove(id)));
        if removed_first {
            leave(&mut crowd);
        }
        (0..50).for_each(|_| crowd.step());
        if !removed_first {
            leave(&mut crowd);
        }
        (0..50).for_each(|_| crowd.step());
        support::bits(&crowd)
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn whoever_heeds_nobody_is_served_alike_beside_others() {
    let text = |others: &str| {
        format!(
            r#"
            world = {{ bounds = [[-200, -200], [200, 200]] }}
            regions = [
                {{ name = "middle", rectangle = [[-5, -5], [5, 5]] }},
                {{ name = "far", rectangle = [[150, 150], [160, 160]] }},
            ]
            groups = [
                {{ name = "drifters", steering = {{ model = "none", neighbours = 30 }}, then = "repeat",
                   goals = [{{ seek = {{ random = "middle" }} }}],
                   crowds = [{{ count = 250, region = "middle", arrangement = "grid" }}] }},
                {others}
            ]
            "#
        )
    };
    let run = |others: &str| {
        let mut crowd = support::crowd(&text(others));
        (0..200).for_each(|_| crowd.step());
        (0..250).map(|id| crowd.person(PersonId(id)).unwrap().position).collect::<Vec<Vec2>>()
    };
    let heeds = "{ name = \"far\", crowds = [{ count = 1, region = \"far\" }] }";
    assert_eq!(run(""), run(heeds));
}
