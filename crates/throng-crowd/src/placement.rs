//! Finding room for people: where a body can stand without touching a wall or another body.

use std::collections::HashMap;

use glam::Vec2;
use throng_base::Polygon;
use throng_base::random::Stream;
use throng_world::Walls;
use throng_world::scene::{Arrangement, LayerId, Region};

/// Bodies already placed, in cells as wide as the largest.
#[derive(Clone, Debug)]
pub(crate) struct Occupancy {
    cell: f32,
    cells: HashMap<(LayerId, i32, i32), Vec<(Vec2, f32)>>,
}

impl Occupancy {
    /// Nobody yet; no body will have more than `largest_radius`.
    pub fn new(largest_radius: f32) -> Self {
        Self { cell: (2.0 * largest_radius).max(0.1), cells: HashMap::new() }
    }

    /// Takes note of a body.
    pub fn add(&mut self, layer: LayerId, position: Vec2, radius: f32) {
        let key = self.key(position);
        self.cells.entry((layer, key.0, key.1)).or_default().push((position, radius));
    }

    /// Whether a disc touches none of the bodies.
    pub fn is_free(&self, layer: LayerId, position: Vec2, radius: f32) -> bool {
        let (column, row) = self.key(position);
        let reach = (radius / self.cell).ceil() as i32 + 1;
        let mut cells = (-reach..=reach).flat_map(|i| (-reach..=reach).map(move |j| (i, j)));
        cells.all(|(i, j)| {
            self.cells.get(&(layer, column + i, row + j)).is_none_or(|bodies| {
                bodies.iter().all(|&(other, r)| {
                    let apart = radius + r;
                    position.distance_squared(other) >= apart * apart
                })
            })
        })
    }

    fn key(&self, position: Vec2) -> (i32, i32) {
        let at = (position / self.cell).floor();
        (at.x as i32, at.y as i32)
    }
}

/// How often a place is drawn for one person before giving up.
const TRIES: usize = 10_000;

/// How far apart companions begin, m, and in how many directions around the first of them they look for room.
const BESIDE: f32 = 0.8;
const DIRECTIONS: u32 = 8;

/// Where a companion of somebody at `place` can begin: beside them in the direction `across`, on the other side, around
/// them, or a little farther away.
pub(crate) fn beside(
    place: Vec2,
    across: Vec2,
    mut is_free: impl FnMut(Vec2) -> bool,
) -> Option<Vec2> {
    let turn = std::f32::consts::TAU / DIRECTIONS as f32;
    // Right across, to the other side, and on from there: 0, 4, 1, 5, 2, …
    let order = (0..DIRECTIONS).map(|i| i / 2 + i % 2 * (DIRECTIONS / 2));
    let ring = |distance: f32| {
        let order = order.clone();
        order.map(move |i| place + Vec2::from_angle(turn * i as f32).rotate(across) * distance)
    };
    (1..=3).flat_map(|ring_number| ring(BESIDE * ring_number as f32)).find(|&at| is_free(at))
}

/// Places for `radii.len()` bodies in a region, in the order of `radii`, companions beside each other; or how many fit.
pub(crate) fn places(
    region: &Region,
    arrangement: Arrangement,
    radii: &[f32],
    parties: &[u32],
    walls: &Walls,
    occupancy: &mut Occupancy,
    stream: &mut Stream,
) -> Result<Vec<Vec2>, usize> {
    match arrangement {
        Arrangement::Random => random_places(region, radii, parties, walls, occupancy, stream),
        // Whoever is next in the list is next in the row.
        Arrangement::Grid => grid_places(region, radii, walls, occupancy, stream),
    }
}

fn random_places(
    region: &Region,
    radii: &[f32],
    parties: &[u32],
    walls: &Walls,
    occupancy: &mut Occupancy,
    stream: &mut Stream,
) -> Result<Vec<Vec2>, usize> {
    let mut places: Vec<Vec2> = Vec::with_capacity(radii.len());
    // Whether somebody is beside the one before them.
    let mut joins = parties.iter().flat_map(|&size| (0..size).map(|number| number > 0));
    let mut across = Vec2::X;
    for &radius in radii {
        let free = |place: &Vec2| has_room(region, walls, occupancy, *place, radius);
        let companion = joins.next().unwrap_or(false).then(|| places.last().copied()).flatten();
        let near = companion.and_then(|near| {
            let is_free = |at: Vec2| {
                region.polygon.contains(at)
                    && free(&at)
                    && walls.crossing(region.layer, near, at).is_none()
            };
            beside(near, across, is_free).inspect(|at| across = (*at - near).normalize_or(across))
        });
        if companion.is_none() && parties.iter().any(|&size| size > 1) {
            across = Vec2::from_angle(stream.between(0.0, std::f32::consts::TAU));
        }
        let anywhere = || (0..TRIES).map(|_| region.polygon.random_point(stream)).find(free);
        let place = near.or_else(anywhere);
        let place = place.ok_or(places.len())?;
        occupancy.add(region.layer, place, radius);
        places.push(place);
    }
    Ok(places)
}

/// A square lattice just dense enough, each place moved by up to a fifth of the pitch.
fn grid_places(
    region: &Region,
    radii: &[f32],
    walls: &Walls,
    occupancy: &mut Occupancy,
    stream: &mut Stream,
) -> Result<Vec<Vec2>, usize> {
    let largest = radii.iter().copied().fold(0.0, f32::max);
    let mut pitch = (region.polygon.area() / radii.len().max(1) as f32).sqrt();
    let mut most = 0;
    loop {
        pitch = pitch.max(2.0 * largest);
        let jitter = (0.2 * pitch).min(0.5 * pitch - largest).max(0.0);
        let room = largest + jitter * std::f32::consts::SQRT_2;
        let lattice: Vec<Vec2> = lattice(&region.polygon, pitch)
            .filter(|&place| has_room(region, walls, occupancy, place, room))
            .collect();
        most = most.max(lattice.len());
        if lattice.len() >= radii.len() {
            // Spread evenly over the places there are.
            let place = |i: usize| lattice[i * lattice.len() / radii.len()];
            let mut moved = |center: Vec2| {
                center + stream.point_between(Vec2::splat(-jitter), Vec2::splat(jitter))
            };
            let places: Vec<Vec2> = (0..radii.len()).map(|i| moved(place(i))).collect();
            for (&place, &radius) in places.iter().zip(radii) {
                occupancy.add(region.layer, place, radius);
            }
            return Ok(places);
        }
        if pitch <= 2.0 * largest {
            return Err(most);
        }
        pitch *= 0.98;
    }
}

fn has_room(
    region: &Region,
    walls: &Walls,
    occupancy: &Occupancy,
    place: Vec2,
    radius: f32,
) -> bool {
    occupancy.is_free(region.layer, place, radius) && walls.is_free(region.layer, place, radius)
}

/// The points of a square lattice inside a polygon, row by row, centred in its bounds.
fn lattice(polygon: &Polygon, pitch: f32) -> impl Iterator<Item = Vec2> + '_ {
    let bounds = polygon.bounds();
    let counts = (bounds.size() / pitch + 1e-3).floor().max(Vec2::ONE);
    let first = (bounds.min + bounds.max - (counts - 1.0) * pitch) * 0.5;
    let (columns, rows) = (counts.x as u32, counts.y as u32);
    (0..rows)
        .flat_map(move |row| (0..columns).map(move |column| (column, row)))
        .map(move |(column, row)| first + Vec2::new(column as f32, row as f32) * pitch)
        .filter(|point| polygon.contains(*point))
}
