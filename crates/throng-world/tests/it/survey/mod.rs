//! What a survey makes of geometry whose ground is known.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests too")]

mod model;
mod soups;

use std::collections::VecDeque;

use glam::{DVec2, Vec3};
use model::Model;
use throng_world::ConnectorKind;
use throng_world::survey::{Plan, Rules, Surface, SurveyError, SurveyedFloor, survey};
use throng_world::walkable::Area;

fn surface(model: &Model) -> Surface {
    Surface::new(&model.soup, &Rules::default()).unwrap()
}

fn plan(model: &Model) -> Plan {
    survey(&model.soup, &Rules::default()).unwrap()
}

fn fine() -> Rules {
    Rules { cell: 0.1, ..Rules::default() }
}

fn size(floor: &SurveyedFloor) -> f64 {
    floor.footprint.iter().map(Area::size).sum()
}

/// Whether one can walk from a point to another, both at their heights.
fn walkable(surface: &Surface, from: [f64; 3], to: [f64; 3]) -> bool {
    let cell = |[x, y, z]: [f64; 3]| {
        let found = surface.cell_at(DVec2::new(x, y), z as f32);
        found.filter(|cell| (surface.cells()[*cell].height - z as f32).abs() < 0.3)
    };
    let (Some(start), Some(end)) = (cell(from), cell(to)) else { return false };
    let mut seen = vec![false; surface.cells().len()];
    let mut open = VecDeque::from([start]);
    while let Some(at) = open.pop_front() {
        for (_, next) in surface.cells()[at].neighbours() {
            if !std::mem::replace(&mut seen[next], true) {
                open.push_back(next);
            }
        }
    }
    seen[end]
}

fn stands(surface: &Surface, [x, y, z]: [f64; 3]) -> bool {
    let found = surface.cell_at(DVec2::new(x, y), z as f32);
    found.is_some_and(|cell| (surface.cells()[cell].height - z as f32).abs() < 0.1)
}

/// A floor from 0, 0 to 10, 8.
fn hall() -> Model {
    let mut model = Model::default();
    model.sheet([0.0, 0.0], [10.0, 8.0], 0.0);
    model
}

#[test]
fn a_floor_with_a_box_is_an_area_with_a_hole() {
    // Low and high boxes, on the lines of the lattice and off them.
    for (height, off) in [(1.0, 0.0), (3.0, 0.0), (3.0, 0.07)] {
        let mut model = hall();
        model.solid([4.0 + off, 3.0 + off, 0.0], [6.0 + off, 5.0 + off, height]);
        let plan = plan(&model);
        let ground = &plan.floors[0];
        assert_eq!((plan.joints.len(), ground.footprint.len()), (0, 1), "{height} {off}");
        assert_eq!(ground.footprint[0].holes().len(), 1);
        assert_eq!(ground.footprint[0].holes()[0].len(), 4);
        // At most a cell all round the box.
        let hole = 80.0 - size(ground);
        assert!((4.0 - 1e-6..=2.4 * 2.4 + 1e-6).contains(&hole), "a hole of {hole} m²");
        if off == 0.0 {
            assert!((hole - 4.0).abs() < 1e-6, "on the lattice, it is exact: {hole}");
        }
        // One can stand on the box, and not in it.
        assert_eq!((plan.components, plan.floors.len()), (2, 2), "{height} {off}");
        assert!((plan.floors[1].elevation - height).abs() < 1e-6);
    }
}

#[test]
fn ramps_are_walked_up_to_the_largest_slope() {
    for (degrees, is_walked) in [(39.0f32, true), (41.0, false)] {
        let mut model = hall();
        let high = 3.0 * degrees.to_radians().tan();
        model.face(&[[10.0, 2.0, 0.0], [13.0, 2.0, high], [13.0, 6.0, high], [10.0, 6.0, 0.0]]);
        model.sheet([13.0, 2.0], [16.0, 6.0], high);
        let surface = surface(&model);
        let walked = walkable(&surface, [1.0, 4.0, 0.0], [15.0, 4.0, high.into()]);
        assert_eq!(walked, is_walked, "{degrees}°");
    }
}

#[test]
fn steps_are_taken_up_to_the_highest() {
    for (step, is_taken) in [(0.25, true), (0.35, false)] {
        for off in [0.0, 0.13] {
            let mut model = hall();
            model.solid([5.0 + off, 0.0, -1.0], [10.0, 8.0, step]);
            let surface = surface(&model);
            let taken = walkable(&surface, [1.0, 4.0, 0.0], [8.0, 4.0, step.into()]);
            assert_eq!(
                (taken, surface.component_count()),
                (is_taken, if is_taken { 1 } else { 2 })
            );
        }
    }
}

#[test]
fn people_walk_where_there_is_head_room() {
    for (height, is_walked) in [(1.9, false), (2.1, true)] {
        let mut model = hall();
        model.solid([4.0, 3.0, height], [6.0, 5.0, height + 0.3]);
        assert_eq!(stands(&surface(&model), [5.0, 4.0, 0.0]), is_walked, "{height} m");
    }
}

/// A road along x, a bridge along y over it with two pillars under it.
fn bridge() -> Model {
    let mut model = Model::default();
    model.sheet([-20.0, -3.0], [20.0, 3.0], 0.0);
    model.solid([-2.0, -15.0, 3.5], [2.0, 15.0, 4.0]);
    model.solid([-0.3, -0.3, 0.0], [0.3, 0.3, 3.5]);
    model
}

#[test]
fn a_bridge_and_the_road_under_it_are_two_floors_that_do_not_touch() {
    let model = bridge();
    let (surface, plan) = (surface(&model), plan(&model));
    assert!(!walkable(&surface, [0.0, -10.0, 4.0], [10.0, 0.0, 0.0]));
    assert!(walkable(&surface, [-10.0, 0.0, 0.0], [10.0, 0.0, 0.0]));
    assert_eq!((plan.floors.len(), plan.joints.len(), plan.components), (2, 0, 2));
    let elevations: Vec<f32> = plan.floors.iter().map(|floor| floor.elevation).collect();
    assert_eq!(elevations, [0.0, 4.0]);
    assert!((plan.floors[1].area - 4.0 * 30.0).abs() < 1e-6);
    assert_eq!(plan.floors[0].footprint[0].holes().len(), 1, "the pillar");
    assert_eq!(plan.floors[1].footprint[0].holes().len(), 0);
    // Over the pillar, there are two metres to the rails.
    let middle = surface.cell_at(DVec2::new(0.1, 0.1), 4.0).unwrap();
    assert!(surface.clearance(middle) > 1.6, "{}", surface.clearance(middle));
    let beside = surface.cell_at(DVec2::new(0.5, 0.1), 0.0).unwrap();
    assert!(surface.clearance(beside) < 0.3, "{}", surface.clearance(beside));
}

#[test]
fn rooms_without_a_door_are_apart_and_on_one_floor() {
    let mut model = hall();
    model.solid([4.9, 0.0, 0.0], [5.0, 8.0, 2.5]);
    let plan = plan(&model);
    assert_eq!((plan.components, plan.floors.len(), plan.joints.len()), (2, 1, 0));
    assert_eq!(plan.floors[0].footprint.len(), 2);
}

/// A hall, a floor above it with a stairwell, and stairs that lead there.
fn two_storeys() -> Model {
    let mut model = Model::default();
    model.solid([0.0, 0.0, -0.3], [12.0, 8.0, 0.0]);
    // The slab has an opening from 4, 3 to 9.2, 5.
    model.solid([0.0, 0.0, 3.2], [12.0, 3.0, 3.5]);
    model.solid([0.0, 5.0, 3.2], [12.0, 8.0, 3.5]);
    model.solid([0.0, 3.0, 3.2], [4.0, 5.0, 3.5]);
    model.solid([9.2, 3.0, 3.2], [12.0, 5.0, 3.5]);
    model.stairs([3.0, 3.0, 0.0], 2.0, 20, 0.31, 0.175, 0.0);
    model.walls([0.0, 0.0], [12.0, 8.0], 0.0, 6.0, 0.3);
    model
}

#[test]
fn stairs_join_two_floors_from_foot_to_head() {
    let model = two_storeys();
    let (surface, plan) = (surface(&model), plan(&model));
    assert!(walkable(&surface, [1.0, 1.0, 0.0], [11.0, 7.0, 3.5]));
    assert_eq!(
        plan.floors.len(),
        2,
        "{:?}",
        plan.floors.iter().map(|f| f.elevation).collect::<Vec<_>>()
    );
    assert_eq!((plan.components, plan.joints.len()), (1, 1));
    let joint = &plan.joints[0];
    assert_eq!((joint.kind, joint.lower, joint.upper), (ConnectorKind::Stairs, 0, 1));
    // The first steps are under the slab above; the rest is free.
    assert!(joint.length() > 4.0 && joint.length() < 6.4, "{joint:?}");
    assert!((joint.width() - 2.0).abs() < 0.21, "{joint:?}");
    assert!(joint.heights[0] < 0.9 && joint.heights[1] > 3.1, "{joint:?}");
    // All of it belongs to both floors.
    let middle = joint.corners.iter().sum::<DVec2>() / 4.0;
    for corner in joint.corners.map(|corner| corner.lerp(middle, 0.02)) {
        assert!(plan.floors.iter().all(|floor| floor.contains(corner)), "{corner}");
    }
    // The upper floor has a stairwell, and the hall no ground inside the stairs.
    let [foot, head] = [joint.corners[1], joint.corners[2]];
    assert!(head.x > foot.x && (foot.y - 3.0).abs() < 0.21, "{joint:?}");
    assert!(plan.floors[0].contains(DVec2::new(11.0, 4.0)));
    assert!((plan.height(0, DVec2::new(1.0, 1.0).as_vec2()) - 0.0).abs() < 0.01);
    assert!((plan.height(1, DVec2::new(1.0, 1.0).as_vec2()) - 3.5).abs() < 0.01);
}

#[test]
fn stairs_join_floors_in_a_turned_building_as_well() {
    for degrees in [30.0, 45.0, -8.0] {
        for rules in [Rules::default(), fine()] {
            let model = two_storeys().moved(degrees, Vec3::new(1.7, 2.9, 10.0));
            let plan = survey(&model.soup, &rules).unwrap();
            let kinds: Vec<_> = plan.joints.iter().map(|joint| joint.kind).collect();
            assert_eq!((plan.floors.len(), kinds), (2, vec![ConnectorKind::Stairs]), "{degrees}°");
            let joint = &plan.joints[0];
            assert!(joint.length() > 3.0 && joint.width() > 1.4, "{degrees}°: {joint:?}");
            let up = (joint.corners[2] - joint.corners[1]).to_angle().to_degrees();
            assert!((up - f64::from(degrees)).abs() < 4.0, "{degrees}°: {up}°");
        }
    }
}

#[test]
fn a_podium_keeps_its_edge_though_a_ramp_leads_up() {
    let mut model = hall();
    model.solid([6.0, 0.0, 0.0], [10.0, 8.0, 0.6]);
    model.face(&[[3.0, 3.0, 0.0], [6.0, 3.0, 0.6], [6.0, 5.0, 0.6], [3.0, 5.0, 0.0]]);
    let (surface, plan) = (surface(&model), plan(&model));
    assert!(walkable(&surface, [1.0, 1.0, 0.0], [9.0, 1.0, 0.6]));
    assert_eq!((plan.floors.len(), plan.joints.len()), (1, 0));
    let ground = &plan.floors[0];
    assert!(ground.contains(DVec2::new(5.9, 4.0)) && ground.contains(DVec2::new(6.1, 1.0)));
    assert!(!ground.contains(DVec2::new(5.9, 1.0)), "the wall of the podium");
}

/// A ramp that winds up in a spiral, 2.5 m wide.
fn spiral(turns: usize) -> Model {
    let mut model = Model::default();
    let per_turn = 48;
    let at = |i: usize, radius: f32| {
        let angle = std::f32::consts::TAU * i as f32 / per_turn as f32;
        [radius * angle.cos(), radius * angle.sin(), 3.0 * i as f32 / per_turn as f32]
    };
    for i in 0..turns * per_turn {
        model.face(&[at(i, 4.0), at(i, 6.5), at(i + 1, 6.5), at(i + 1, 4.0)]);
    }
    model
}

#[test]
fn a_spiral_ramp_is_cut_into_floors_that_do_not_overlap() {
    let model = spiral(2);
    let (surface, plan) = (surface(&model), plan(&model));
    assert!(walkable(&surface, [5.25, 0.3, 0.0], [5.25, -0.3, 6.0]));
    assert!(plan.floors.len() >= 2, "{}", plan.floors.len());
    assert_eq!((plan.components, plan.lost_joints.len()), (1, 0));
    let whole = std::f64::consts::PI * (6.5 * 6.5 - 4.0 * 4.0);
    for floor in &plan.floors {
        assert!(floor.area < whole && (floor.area - size(floor)).abs() < 0.2 * whole);
    }
    let total: f64 = plan.floors.iter().map(|floor| floor.area).sum();
    assert!((total - 2.0 * whole).abs() < 0.15 * whole, "{total} of {}", 2.0 * whole);
    // The floors are all joined, and the joints lead up.
    assert_eq!(plan.joints.len(), plan.floors.len() - 1, "{:?}", plan.joints);
    for joint in &plan.joints {
        assert_eq!(joint.kind, ConnectorKind::Ramp);
        assert!(joint.heights[0] < joint.heights[1] && joint.width() > 1.8, "{joint:?}");
    }
}

/// Two rooms with a door between them, 0.9 m wide.
fn rooms(off: f32) -> Model {
    let mut model = Model::default();
    model.solid([0.0, 0.0, -0.2], [10.0, 6.0, 0.0]);
    model.walls([0.0, 0.0], [10.0, 6.0], 0.0, 2.6, 0.2);
    model.solid([5.0 + off, 0.0, 0.0], [5.15 + off, 2.5 + off, 2.6]);
    model.solid([5.0 + off, 3.4 + off, 0.0], [5.15 + off, 6.0, 2.6]);
    model
}

#[test]
fn a_turned_building_has_straight_walls() {
    for degrees in [30.0, 11.0, -50.0] {
        let model = rooms(0.0).moved(degrees, Vec3::new(3.3, -7.1, 0.0));
        let plan = survey(&model.soup, &fine()).unwrap();
        let ground = plan.floors.iter().max_by(|a, b| a.area.total_cmp(&b.area)).unwrap();
        assert_eq!((ground.footprint.len(), ground.footprint[0].holes().len()), (1, 0));
        let outline = ground.footprint[0].outline();
        assert!(outline.len() <= 60, "{} corners at {degrees}°", outline.len());
        // Most of the outline runs along the walls, to a few degrees.
        let mut aligned = 0.0;
        let mut length = 0.0;
        for i in 0..outline.len() {
            let edge = outline[(i + 1) % outline.len()] - outline[i];
            let turned = (edge.to_angle().to_degrees() - f64::from(degrees)).rem_euclid(90.0);
            length += edge.length();
            aligned += if turned.min(90.0 - turned) < 3.0 { edge.length() } else { 0.0 };
        }
        assert!(aligned > 0.75 * length, "{aligned} of {length} m at {degrees}°");
        // Nowhere behind the walls, and not far from them.
        let back = DVec2::from_angle(f64::from(-degrees).to_radians());
        for corner in outline {
            let at = back.rotate(*corner - DVec2::new(3.3, -7.1));
            assert!(at.cmpge(DVec2::splat(-0.01)).all() && at.cmple(DVec2::new(10.01, 6.01)).all());
            let (x, y) =
                (at.x.min(10.0 - at.x).min((at.x - 5.075).abs() - 0.075), at.y.min(6.0 - at.y));
            let jamb = (at.y - 2.5).abs().min((at.y - 3.4).abs());
            assert!(x.min(y).min(jamb) < 0.15, "{at} is far from all walls");
        }
        assert!((ground.area - 59.0).abs() < 4.0 && (size(ground) - 59.0).abs() < 3.0);
    }
}

#[test]
fn a_door_survives() {
    for rules in [Rules::default(), fine()] {
        for off in [0.0, 0.03, 0.07, 0.11, 0.19] {
            for degrees in [0.0, 30.0] {
                let model = rooms(off).moved(degrees, Vec3::ZERO);
                let surface = Surface::new(&model.soup, &rules).unwrap();
                let plan = Plan::new(&surface).unwrap();
                let floor = &plan.floors[0];
                assert_eq!(
                    floor.footprint.len(),
                    1,
                    "{off} at {degrees}°, cells of {}",
                    rules.cell
                );
                let passage = plan.narrowest_passage.unwrap();
                assert!((0.3..1.1).contains(&passage), "a door of {passage} m");
                // Somebody 0.5 m wide fits through the outline.
                let turn = DVec2::from_angle(f64::from(degrees).to_radians());
                let middle = DVec2::new(f64::from(off) + 5.075, f64::from(off) + 2.95);
                for across in [-0.25, 0.0, 0.25] {
                    let at = turn.rotate(middle + DVec2::new(0.0, across));
                    let fits = rules.cell > 0.15 && degrees > 0.0 && across != 0.0;
                    assert!(floor.contains(at) || fits, "{at} {off} {degrees}° {}", rules.cell);
                }
            }
        }
    }
}

#[test]
fn clearance_is_that_of_brute_force() {
    let mut model = hall();
    model.solid([3.0, 2.0, 0.0], [3.5, 4.5, 3.0]);
    model.solid([6.0, 5.0, 0.0], [7.3, 5.4, 3.0]);
    let model = model.moved(17.0, Vec3::ZERO);
    let surface = surface(&model);
    let cell = surface.lattice().cell;
    let ground = |i: &usize| surface.cells()[*i].height == 0.0;
    let all: Vec<usize> = (0..surface.cells().len()).filter(ground).collect();
    let border: Vec<usize> =
        all.iter().copied().filter(|i| surface.cells()[*i].is_border()).collect();
    assert!(border.len() > 100);
    for &i in &all {
        let at = surface.center(i);
        let nearest =
            border.iter().map(|b| surface.center(*b).distance(at)).fold(f64::MAX, f64::min);
        let clearance = f64::from(surface.clearance(i));
        let expected = (nearest - cell * std::f64::consts::FRAC_1_SQRT_2).max(0.0);
        assert!((clearance - expected).abs() < 0.05 * cell, "{clearance} instead of {expected}");
        // Against the geometry itself: never more than there is.
        let back = DVec2::from_angle(-17f64.to_radians()).rotate(at);
        let to_box = |min: DVec2, max: DVec2| (back - back.clamp(min, max)).length();
        let to_rim = back.min(DVec2::new(10.0, 8.0) - back).min_element();
        let free = to_rim
            .min(to_box(DVec2::new(3.0, 2.0), DVec2::new(3.5, 4.5)))
            .min(to_box(DVec2::new(6.0, 5.0), DVec2::new(7.3, 5.4)));
        assert!(clearance <= free + 1e-5, "{clearance} of {free}");
    }
}

#[test]
fn a_landing_goes_with_the_floor_below() {
    // Up along +x to a landing, and on to a slab that covers the start.
    let mut model = Model::default();
    model.sheet([-8.0, -4.0], [2.0, 8.0], 0.0);
    model.stairs([2.0, 0.0, 0.0], 1.6, 10, 0.3, 0.17, 0.0);
    model.solid([5.0, 0.0, 0.0], [6.6, 3.4, 1.7]);
    let mut second = Model::default();
    second.stairs([0.0, 0.0, 1.7], 1.6, 10, 0.3, 0.17, 1.2);
    let second = second.moved(180.0, Vec3::new(5.0, 3.4, 0.0));
    model.add(second);
    model.solid([-8.0, -4.0, 3.1], [2.0, 8.0, 3.4]);
    let (surface, plan) = (surface(&model), plan(&model));
    assert!(walkable(&surface, [-5.0, 0.0, 0.0], [-5.0, 0.0, 3.4]));
    assert_eq!((plan.floors.len(), plan.joints.len()), (2, 1), "{:?}", plan.joints);
    assert!(plan.floors[0].contains(DVec2::new(5.8, 1.0)), "the landing");
}

#[test]
fn what_is_out_of_proportion_is_refused_with_advice() {
    let message =
        |model: &Model, rules: &Rules| survey(&model.soup, rules).unwrap_err().to_string();
    let scaled = |factor: f32| {
        let mut model = two_storeys();
        model.soup.vertices.iter_mut().for_each(|vertex| *vertex *= factor);
        model
    };
    let rules = Rules::default();
    let found = message(&scaled(1000.0), &rules);
    assert!(found.contains("cells of") && found.contains("millimetres"), "{found}");
    let found = message(&scaled(1e5), &rules);
    assert!(found.contains("within 100 km"), "{found}");
    let found = message(&scaled(0.001), &rules);
    assert!(found.contains("not in metres"), "{found}");
    assert_eq!(
        message(&Model::default(), &rules),
        "there are no triangles with an area in it (0 without)"
    );
    let lying = |cell| message(&hall(), &Rules { cell, ..rules });
    assert_eq!(lying(0.0), "cell is 0; it must be from 0.02 to 2 m");
    assert!(lying(f64::NAN).contains("cell is NaN"));
    let mut wall = Model::default();
    wall.face(&[[0.0, 0.0, 0.0], [5.0, 0.0, 0.0], [5.0, 0.0, 3.0]]);
    assert_eq!(survey(&wall.soup, &rules).unwrap_err(), SurveyError::NoGround { dropped: 0 });
    let mut small = Model::default();
    small.sheet([0.0, 0.0], [0.8, 0.8], 0.0);
    small.sheet([5.0, 0.0], [20.0, 0.3], 0.0);
    assert_eq!(survey(&small.soup, &rules).unwrap_err(), SurveyError::NoGround { dropped: 2 });
}
