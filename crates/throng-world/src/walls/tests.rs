use throng_base::random::{Purpose, Random};

use super::*;
use crate::ConnectorKind;

const GROUND: LayerId = LayerId(0);

fn obstacle(shape: Shape) -> Obstacle {
    Obstacle::new(shape, GROUND)
}

fn square(x: f32, y: f32, half: f32) -> Obstacle {
    let size = Vec2::splat(2.0 * half);
    obstacle(Shape::Box { center: Vec2::new(x, y), size, angle: 0.3 })
}

#[test]
fn the_index_finds_what_a_search_of_all_walls_finds() {
    let mut stream = Random::new(5).stream(0, 0, Purpose::Placement);
    let obstacles: Vec<_> = (0..60)
        .map(|_| {
            let p = stream.point_between(Vec2::splat(-40.0), Vec2::splat(40.0));
            square(p.x, p.y, stream.between(0.1, 3.0))
        })
        .collect();
    let walls = Walls::new(&obstacles, &[], 1, 3.5);
    let mut found = Vec::new();
    for _ in 0..2000 {
        let point = stream.point_between(Vec2::splat(-50.0), Vec2::splat(50.0));
        walls.visible(GROUND, point, 3.5, &mut found);
        let mut expected: Vec<_> = (0..walls.len() as u32)
            .map(WallId)
            .filter(|&id| walls.get(id).faces(point))
            .map(|id| (walls.get(id).nearest(point).distance_squared(point), id))
            .filter(|(d, _)| *d < 3.5 * 3.5)
            .collect();
        expected.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        assert_eq!(found, expected);
        let inside = obstacles.iter().any(|o| o.shape.solids()[0].contains(point));
        let touching = |r: f32| {
            (0..walls.len() as u32).any(|i| walls.get(WallId(i)).nearest(point).distance(point) < r)
        };
        assert_eq!(walls.is_free(GROUND, point, 0.3), !inside && !touching(0.3));
    }
}

#[test]
fn the_index_laid_open_is_the_one_that_is_asked() {
    let walls = Walls::new(&[square(0.0, 0.0, 1.0), square(6.0, 3.0, 2.0)], &[], 1, 2.0);
    let index = walls.index(GROUND).unwrap();
    let mut stream = Random::new(8).stream(0, 0, Purpose::Placement);
    for _ in 0..500 {
        let point = stream.point_between(Vec2::splat(-6.0), Vec2::splat(12.0));
        let at = (point - index.origin) * index.density;
        let cell = if index.bounds.contains(point) {
            Cell::from_bits(index.cells[at.y as usize * index.columns as usize + at.x as usize])
        } else {
            Cell::BEYOND
        };
        assert_eq!(cell.room(), walls.room(GROUND, point));
        if cell != Cell::BEYOND {
            assert_eq!(index.near(cell), walls.near(GROUND, point));
        }
    }
    assert_eq!(walls.floors(), 1);
    assert!(walls.index(LayerId(1)).is_none(), "there is no such floor");
}

#[test]
fn records_hold_what_is_beside_an_edge() {
    let walls = Walls::new(&[square(0.0, 0.0, 1.0)], &[], 1, 2.0);
    for id in (0..walls.len() as u32).map(WallId) {
        let (wall, record) = (walls.get(id), walls.record(id));
        let pair = |numbers: &[f32]| Vec2::new(numbers[0], numbers[1]);
        let edge = [wall.start, wall.end, wall.direction];
        assert_eq!([0, 2, 4].map(|i| pair(&record.edge[i..])), edge);
        assert_eq!(record.edge[6..], [1.0, 1.0], "a box is convex at all corners");
        let beside = [wall.previous, wall.next].map(|id| walls.get(id).direction);
        assert_eq!([0, 2].map(|i| pair(&record.beside[i..])), beside);
    }
}

#[test]
fn a_crossing_is_found_from_the_free_side_only() {
    let walls = Walls::new(&[square(0.0, 0.0, 1.0)], &[], 1, 4.0);
    let (outside, inside) = (Vec2::new(3.0, 0.2), Vec2::ZERO);
    let (fraction, _) = walls.crossing(GROUND, outside, inside).unwrap();
    assert!((0.55..0.75).contains(&fraction), "{fraction}");
    assert!(walls.crossing(GROUND, inside, outside).is_none());
    assert!(walls.crossing(GROUND, outside, Vec2::new(3.0, 3.0)).is_none());
}

#[test]
fn a_border_keeps_people_in() {
    let bounds = Bounds { min: Vec2::splat(-5.0), max: Vec2::splat(5.0) };
    let walls = Walls::new(&[obstacle(Shape::Border(bounds))], &[], 1, 4.0);
    assert!(walls.is_free(GROUND, Vec2::ZERO, 0.3));
    assert!(!walls.is_free(GROUND, Vec2::new(4.9, 0.0), 0.3));
    assert!(!walls.is_free(GROUND, Vec2::new(40.0, 0.0), 0.3));
    assert!(walls.crossing(GROUND, Vec2::new(4.0, 0.0), Vec2::new(6.0, 0.0)).is_some());
}

#[test]
fn a_plan_keeps_people_in_and_out_of_its_holes() {
    let room = "POLYGON ((0 0, 10 0, 10 4, 6 4, 6 9, 0 9), (2 2, 4 2, 4 4, 2 4))";
    let plan = crate::Plan::parse("room.wkt".as_ref(), room).unwrap();
    let walls = Walls::new(&[obstacle(Shape::Plan(plan.clone()))], &[], 1, 4.0);
    assert_eq!(walls.len(), 10);
    let mut stream = Random::new(5).stream(0, 0, Purpose::Placement);
    for _ in 0..3000 {
        let [p, q] = [0, 1].map(|_| stream.point_between(Vec2::splat(-2.0), Vec2::splat(12.0)));
        let free = walls.is_free(GROUND, p, 0.0);
        assert_eq!(free, plan.contains(p), "at {p}");
        // Whoever is in cannot get out in a step.
        let q = p + (q - p).clamp_length_max(2.0);
        if free && !plan.contains(q) {
            assert!(walls.crossing(GROUND, p, q).is_some(), "from {p} to {q}");
        }
    }
    assert!(!walls.is_free(GROUND, Vec2::new(0.2, 1.0), 0.3), "a body takes room");
    assert!(!walls.is_free(GROUND, Vec2::new(3.0, 4.2), 0.3));
}

#[test]
fn stairs_are_entered_at_their_ends_only() {
    let corners = [(0.0, 0.0), (2.0, 0.0), (2.0, 6.0), (0.0, 6.0)];
    let stairs = Connector {
        name: "stairs".into(),
        kind: ConnectorKind::Stairs,
        polygon: Polygon::new(corners.map(Vec2::from)).unwrap(),
        lower: LayerId(0),
        upper: LayerId(1),
        lower_edge: 0,
        upper_edge: 2,
        steps: None,
        speed_factor: [1.0; 2],
    };
    let walls = Walls::new(&[], &[stairs], 2, 4.0);
    let blocked = |layer, from: (f32, f32), to: (f32, f32)| {
        walls.crossing(LayerId(layer), from.into(), to.into()).is_some()
    };
    assert!(!blocked(0, (1.0, -1.0), (1.0, 1.0)), "up from the ground floor");
    assert!(blocked(0, (1.0, 7.0), (1.0, 5.0)), "no way in under the head of the stairs");
    assert!(!blocked(0, (1.0, 5.0), (1.0, 7.0)), "the head is open to those on the stairs");
    assert!(!blocked(1, (1.0, 7.0), (1.0, 5.0)), "down from the first floor");
    assert!(blocked(1, (1.0, -1.0), (1.0, 1.0)), "no fall into the stairwell");
    for layer in [0, 1] {
        assert!(blocked(layer, (-1.0, 3.0), (1.0, 3.0)) && blocked(layer, (1.0, 3.0), (3.0, 3.0)));
    }
}
