//! Lines of the walls around sixteen people; see [`super::super::obstacle_lines`].
//!
//! Most people in a street see one wall or two. Which cell of the index each is in, which of its edges they
//! see, the order of these and the line of each are found for all lanes together. Who is where very many
//! edges meet is served alone.

use throng_simd::{Floats, Mask, Simd, set_bits};
use throng_world::scene::LayerId;
use throng_world::{Cell, WallId, WallIndex, WallRecord, Walls};

use super::super::{MAX_LINES, Person, PersonTerms, WallScratch, room, wall_lines};
use super::People;
use super::lanes::{Lines, Row};
use crate::neighbours::{LANES, Neighbourhood};
use crate::steering::Surroundings;
use crate::steering::lanes::Vec2s;
use crate::steering::orca::line::Line;

/// So many edges within reach are looked at in lanes. At the corners of a city there are up to six.
const MOST_EDGES: usize = 8;

/// Adds the lines of walls, and tells how far these are from everybody at least.
#[inline(always)]
pub(super) fn add_wall_lines<S: Simd>(
    simd: S,
    around: &Surroundings,
    batch: &Neighbourhood,
    people: &People<S>,
    rooms: &mut [f32; LANES],
    scratch: &mut WallScratch,
    lines: &mut Lines,
) {
    let horizon = people.terms.wall_horizon;
    // See `Person::wall_range`.
    let range = horizon * people.own.max_speed + people.own.radius;
    let everyone = ((1u32 << batch.len) - 1) as u16;
    let alone = match common_layer(around, batch) {
        Some(layer) => {
            let Some(index) = around.walls.index(layer) else {
                *rooms = [f32::INFINITY; LANES];
                return;
            };
            let sight = Sight {
                range,
                radius: people.own.radius,
                inverse_horizon: simd.splat(1.0) / horizon,
            };
            sight.add_lines(simd, (around.walls, &index), people, everyone, rooms, lines)
        }
        None => everyone,
    };
    if alone != 0 {
        let horizons = horizon.to_array();
        serve_alone(around, batch, (alone, &horizons), &range.to_array(), rooms, scratch, lines);
    }
}

/// The floor that all are on.
#[inline(always)]
fn common_layer(around: &Surroundings, batch: &Neighbourhood) -> Option<LayerId> {
    if around.walls.floors() == 1 {
        return Some(LayerId(0));
    }
    let first = around.people.layers[batch.rows[0] as usize];
    let mut differ = false;
    for &row in &batch.rows[..batch.len] {
        differ |= around.people.layers[row as usize] != first;
    }
    (!differ).then_some(first)
}

/// The same for some lanes, one after the other.
#[cold]
#[inline(never)]
fn serve_alone(
    around: &Surroundings,
    batch: &Neighbourhood,
    (lanes, horizons): (u16, &[f32; LANES]),
    ranges: &[f32; LANES],
    rooms: &mut [f32; LANES],
    scratch: &mut WallScratch,
    lines: &mut Lines,
) {
    let mut own = [Line::FREE; MAX_LINES];
    for lane in set_bits(lanes) {
        rooms[lane] = room(around, batch.who[lane]);
        if rooms[lane] >= ranges[lane] {
            continue;
        }
        let person = Person::new(around, batch.who[lane], PersonTerms::for_walls(horizons[lane]));
        let count = wall_lines(around, &person, scratch, &mut own, |_| {});
        rooms[lane] = scratch.room(ranges[lane]);
        if count > lines.wall_count {
            lines.rows[lines.wall_count..count].fill(Row::FREE);
        }
        for (row, line) in lines.rows.iter_mut().zip(&own[..count]) {
            row.set_lane(lane, *line);
        }
        lines.wall_count = lines.wall_count.max(count);
    }
}

/// How sixteen people see walls.
struct Sight<S: Simd> {
    range: S::F,
    radius: S::F,
    inverse_horizon: S::F,
}

/// An edge of each of sixteen people.
struct Edges<S: Simd> {
    start: Vec2s<S>,
    end: Vec2s<S>,
    direction: Vec2s<S>,
    /// Whether the corners at the start and at the end are convex.
    convex: [S::M; 2],
}

impl<S: Simd> Edges<S> {
    #[inline(always)]
    fn load(simd: S, records: &[&WallRecord; LANES]) -> Self {
        let mut edges = [&WallRecord::NONE.edge; LANES];
        for lane in 0..LANES {
            edges[lane] = &records[lane].edge;
        }
        let columns = simd.transpose(edges);
        let half = simd.splat(0.5);
        Self {
            start: Vec2s { x: columns[0], y: columns[1] },
            end: Vec2s { x: columns[2], y: columns[3] },
            direction: Vec2s { x: columns[4], y: columns[5] },
            convex: [columns[6].gt(half), columns[7].gt(half)],
        }
    }

    /// Squared distances from people, infinite where they do not see the edge; see [`Walls::visible`].
    #[inline(always)]
    fn distance_squared(&self, simd: S, position: Vec2s<S>, range: S::F) -> S::F {
        let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
        let from_start = position.minus(self.start);
        let behind = self.direction.det(from_start);
        let along = self.end.minus(self.start);
        let length_squared = along.dot(along);
        let share = (from_start.dot(along) / length_squared).max(zero).min(one);
        let share = length_squared.gt(zero).select(share, zero);
        let apart = self.start.plus(along.times(share)).minus(position);
        let distance_squared = apart.dot(apart);
        let is_seen = behind.ge(-range) & behind.le(zero) & distance_squared.lt(range * range);
        is_seen.select(distance_squared, simd.splat(f32::INFINITY))
    }
}

impl<S: Simd> Sight<S> {
    /// Adds the lines of all who are not where too many edges are: tells who these are.
    #[inline(always)]
    fn add_lines(
        &self,
        simd: S,
        (walls, index): (&Walls, &WallIndex),
        people: &People<S>,
        everyone: u16,
        rooms: &mut [f32; LANES],
        lines: &mut Lines,
    ) -> u16 {
        let position = people.own.position;
        let cells = find_cells(simd, index, position);
        for lane in 0..LANES {
            rooms[lane] = cells[lane].room();
        }
        let near = simd.load(rooms).lt(self.range).bits() & everyone;
        if near == 0 {
            return 0;
        }
        let (mut lists, mut longest, mut alone): ([&[u32]; LANES], _, _) = ([&[]; LANES], 0, 0);
        for lane in set_bits(near) {
            let list = index.near(cells[lane]);
            if list.len() > MOST_EDGES {
                alone |= 1 << lane;
            } else {
                lists[lane] = list;
                longest = longest.max(list.len());
            }
        }
        let infinity = simd.splat(f32::INFINITY);
        let mut keys = [infinity; MOST_EDGES];
        for (slot, key) in keys[..longest].iter_mut().enumerate() {
            let (records, exist) = records(walls, &lists, [slot; LANES]);
            let edges = Edges::load(simd, &records);
            let distance_squared = edges.distance_squared(simd, position, self.range);
            *key = simd.mask(exist).select(distance_squared, infinity);
        }
        let keys = &mut keys[..longest];
        let (mut nearest, mut which) = take_nearest(simd, keys);
        let seen = nearest.lt(infinity);
        let found = seen.select(nearest.sqrt(), self.range).to_array();
        for lane in set_bits(near) {
            rooms[lane] = found[lane];
        }
        while nearest.lt(infinity).any() {
            let (records, exist) = records(walls, &lists, which);
            let active = simd.mask(exist) & nearest.lt(infinity);
            self.add_line(simd, people, &records, active, lines);
            (nearest, which) = take_nearest(simd, keys);
        }
        alone
    }
}

/// The cells of the index that sixteen people are in, if any wall can be near there.
#[inline(always)]
fn find_cells<S: Simd>(simd: S, index: &WallIndex, position: Vec2s<S>) -> [Cell; LANES] {
    let (low, high) = (index.bounds.min, index.bounds.max);
    let is_near = position.x.ge(simd.splat(low.x))
        & position.x.le(simd.splat(high.x))
        & position.y.ge(simd.splat(low.y))
        & position.y.le(simd.splat(high.y));
    let density = simd.splat(index.density);
    let last = [index.columns, index.rows].map(|count| count.saturating_sub(1) as f32);
    let zero = simd.splat(0.0);
    let columns = (position.x - simd.splat(index.origin.x)) * density;
    let columns = columns.max(zero).min(simd.splat(last[0]));
    let rows = (position.y - simd.splat(index.origin.y)) * density;
    let rows = rows.max(zero).min(simd.splat(last[1]));
    let columns = is_near.select(columns, zero).to_whole();
    let rows = is_near.select(rows, zero).to_whole();
    let bits = is_near.bits();
    let mut cells = [Cell::BEYOND; LANES];
    // One load after the other: gathering is slower on many processors.
    for lane in set_bits(bits) {
        let at = rows[lane] * index.columns + columns[lane];
        cells[lane] = Cell::from_bits(index.cells[at as usize]);
    }
    cells
}

/// The edges in some slots of lists, and the lanes that have so many.
#[inline(always)]
fn records<'a>(
    walls: &'a Walls,
    lists: &[&[u32]; LANES],
    slots: [usize; LANES],
) -> ([&'a WallRecord; LANES], u16) {
    let (mut records, mut exist) = ([&WallRecord::NONE; LANES], 0);
    for lane in 0..LANES {
        if let Some(&id) = lists[lane].get(slots[lane]) {
            records[lane] = walls.record(WallId(id));
            exist |= 1 << lane;
        }
    }
    (records, exist)
}

/// The smallest key of each lane and the first slot that has it; it is not taken again.
#[inline(always)]
fn take_nearest<S: Simd>(simd: S, keys: &mut [S::F]) -> (S::F, [usize; LANES]) {
    let infinity = simd.splat(f32::INFINITY);
    let (mut nearest, mut which) = (infinity, simd.splat(0.0));
    for (slot, &key) in keys.iter().enumerate() {
        let is_nearer = key.lt(nearest);
        nearest = is_nearer.select(key, nearest);
        which = is_nearer.select(simd.splat(slot as f32), which);
    }
    for (slot, key) in keys.iter_mut().enumerate() {
        let slot = simd.splat(slot as f32);
        *key = (which.le(slot) & which.ge(slot)).select(infinity, *key);
    }
    let whole = which.to_whole();
    let mut slots = [0; LANES];
    for lane in 0..LANES {
        slots[lane] = whole[lane] as usize;
    }
    (nearest, slots)
}

/// A leg of a cone, and whether it is a neighbouring edge, which brings its own line.
#[derive(Clone, Copy)]
struct Leg<S: Simd> {
    direction: Vec2s<S>,
    foreign: S::M,
}

impl<S: Simd> Leg<S> {
    /// Squared distances of velocities from the leg, infinite where their foot lies before it begins.
    #[inline(always)]
    fn distance_squared(&self, simd: S, velocity: Vec2s<S>, from: Vec2s<S>, along: S::F) -> S::F {
        let apart = velocity.minus(from.plus(self.direction.times(along)));
        along.lt(simd.splat(0.0)).select(simd.splat(f32::INFINITY), apart.dot(apart))
    }

    #[inline(always)]
    fn select(mask: S::M, yes: Self, no: Self) -> Self {
        Self {
            direction: Vec2s::select(mask, yes.direction, no.direction),
            foreign: (mask & yes.foreign) | (!mask & no.foreign),
        }
    }
}

/// Some line of each lane, and the lanes that have one.
#[derive(Clone, Copy)]
struct Drawn<S: Simd> {
    point: Vec2s<S>,
    direction: Vec2s<S>,
    exists: S::M,
}

impl<S: Simd> Drawn<S> {
    /// Replaced by `other` where `mask` is true.
    #[inline(always)]
    fn or(self, mask: S::M, other: Self) -> Self {
        Self {
            point: Vec2s::select(mask, other.point, self.point),
            direction: Vec2s::select(mask, other.direction, self.direction),
            exists: (mask & other.exists) | (!mask & self.exists),
        }
    }
}

impl<S: Simd> Sight<S> {
    /// Adds the line of one edge per lane, where earlier ones leave it anything to forbid.
    #[inline(always)]
    fn add_line(
        &self,
        simd: S,
        people: &People<S>,
        records: &[&WallRecord; LANES],
        active: S::M,
        lines: &mut Lines,
    ) {
        let edges = Edges::load(simd, records);
        let position = people.own.position;
        let to_left = edges.start.minus(position);
        let to_right = edges.end.minus(position);
        let active = active & !self.are_covered(simd, [to_left, to_right], lines);
        if !active.any() {
            return;
        }
        let mut beside = [&WallRecord::NONE.beside; LANES];
        for lane in 0..LANES {
            beside[lane] = &records[lane].beside;
        }
        let columns = simd.transpose(beside);
        let before = Vec2s { x: columns[0], y: columns[1] };
        let after = Vec2s { x: columns[2], y: columns[3] };
        let view = View { sight: self, edges, to_left, to_right, before, after };
        let line = view.line(simd, people.own.velocity);
        let exists = line.exists & active;
        if exists.any() {
            let row = &mut lines.rows[lines.wall_count];
            row.set(
                Vec2s::select(exists, line.point, Row::FREE.point(simd)),
                Vec2s::select(exists, line.direction, Row::FREE.direction(simd)),
            );
            lines.wall_count += 1;
        }
    }

    /// Whether earlier lines keep people clear of both corners.
    #[inline(always)]
    fn are_covered(&self, simd: S, corners: [Vec2s<S>; 2], lines: &Lines) -> S::M {
        let margin = self.radius * self.inverse_horizon - simd.splat(1e-5);
        let [left, right] =
            [corners[0].times(self.inverse_horizon), corners[1].times(self.inverse_horizon)];
        let mut covered = simd.mask(0);
        for row in &lines.rows[..lines.wall_count] {
            let (point, direction) = (row.point(simd), row.direction(simd));
            covered = covered
                | (left.minus(point).det(direction).ge(margin)
                    & right.minus(point).det(direction).ge(margin));
        }
        covered
    }

    /// The line that keeps clear of the disc at the end of the cut-off.
    #[inline(always)]
    fn around(&self, simd: S, center: Vec2s<S>, velocity: Vec2s<S>) -> (Vec2s<S>, Vec2s<S>) {
        let outwards = normalize_or_x(simd, velocity.minus(center));
        let point = center.plus(outwards.times(self.radius * self.inverse_horizon));
        (point, Vec2s { x: outwards.y, y: -outwards.x })
    }

    /// The point beside which a line along `direction` from `from` runs, moved outwards by the body.
    #[inline(always)]
    fn beside(&self, from: Vec2s<S>, direction: Vec2s<S>) -> Vec2s<S> {
        let outwards = Vec2s { x: -direction.y, y: direction.x };
        from.plus(outwards.times(self.radius * self.inverse_horizon))
    }
}

/// An edge per lane as people see it.
struct View<'a, S: Simd> {
    sight: &'a Sight<S>,
    edges: Edges<S>,
    to_left: Vec2s<S>,
    to_right: Vec2s<S>,
    /// Directions of the edges before and after.
    before: Vec2s<S>,
    after: Vec2s<S>,
}

impl<S: Simd> View<'_, S> {
    #[inline(always)]
    fn line(&self, simd: S, velocity: Vec2s<S>) -> Drawn<S> {
        let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
        let radius_squared = self.sight.radius * self.sight.radius;
        let edge = self.to_right.minus(self.to_left);
        let s = -self.to_left.dot(edge) / edge.dot(edge);
        let foot = self.to_left.plus(edge.times(s));
        let near_line = foot.dot(foot).le(radius_squared);
        let (on_left, on_right) = (s.lt(zero), s.gt(one));
        let between = s.ge(zero) & s.le(one);
        let touches_left = on_left & self.to_left.dot(self.to_left).le(radius_squared);
        let touches_right = on_right & self.to_right.dot(self.to_right).le(radius_squared);
        let [left_convex, right_convex] = self.edges.convex;
        // The edge lies nearly in the line of sight: only its near corner matters.
        let at_left = on_left & near_line;
        let at_right = on_right & near_line;
        let cone = self.cone(simd, velocity, [at_left, at_right]);
        let exists = cone.exists & (left_convex | !at_left) & (right_convex | !at_right);
        let mut line = Drawn { exists, ..cone };
        let touches = between & near_line;
        if touches.any() {
            let direction = Vec2s { x: -self.edges.direction.x, y: -self.edges.direction.y };
            let everywhere = simd.mask(u16::MAX);
            line =
                line.or(touches, Drawn { point: Vec2s::zero(simd), direction, exists: everywhere });
        }
        if (touches_left | touches_right).any() {
            let to_corner = Vec2s::select(touches_left, self.to_left, self.to_right);
            // Otherwise the next edge sees the corner too and brings the line.
            let ours = right_convex & self.to_right.det(self.after).ge(zero);
            let tangent = Drawn {
                point: Vec2s::zero(simd),
                direction: normalize_or_x(simd, Vec2s { x: -to_corner.y, y: to_corner.x }),
                exists: (touches_left & left_convex) | (touches_right & ours),
            };
            line = line.or(touches_left | touches_right, tangent);
        }
        line
    }

    /// The line of an edge that is not touched; where `at` tells, of one of its corners alone.
    #[inline(always)]
    fn cone(&self, simd: S, velocity: Vec2s<S>, at: [S::M; 2]) -> Drawn<S> {
        let (zero, one, infinity) = (simd.splat(0.0), simd.splat(1.0), simd.splat(f32::INFINITY));
        let [at_left, at_right] = at;
        let at_corner = at_left | at_right;
        let along = self.edges.direction;
        let backwards = Vec2s { x: -along.x, y: -along.y };
        let left_corner = Vec2s::select(at_right, self.to_right, self.to_left);
        let right_corner = Vec2s::select(at_left, self.to_left, self.to_right);
        let [left_convex, right_convex] = self.edges.convex;
        let never = simd.mask(0);

        let neighbour = Vec2s::select(at_right, along, self.before);
        let neighbour = Vec2s { x: -neighbour.x, y: -neighbour.y };
        let tangent = tangent_leg(simd, left_corner, self.sight.radius);
        let foreign = tangent.det(neighbour).ge(zero);
        let leg = Leg { direction: Vec2s::select(foreign, neighbour, tangent), foreign };
        let flat = Leg { direction: backwards, foreign: never };
        let left = Leg::select(left_convex | at_corner, leg, flat);

        let neighbour = Vec2s::select(at_left, along, self.after);
        let tangent = tangent_leg(simd, right_corner, -self.sight.radius);
        let foreign = tangent.det(neighbour).le(zero);
        let leg = Leg { direction: Vec2s::select(foreign, neighbour, tangent), foreign };
        let flat = Leg { direction: along, foreign: never };
        let right = Leg::select(right_convex | at_corner, leg, flat);

        let left_cut_off = left_corner.times(self.sight.inverse_horizon);
        let right_cut_off = right_corner.times(self.sight.inverse_horizon);
        let cut_off = right_cut_off.minus(left_cut_off);
        let from_left = velocity.minus(left_cut_off);
        let t = from_left.dot(cut_off) / cut_off.dot(cut_off);
        let on_left = from_left.dot(left.direction);
        let on_right = velocity.minus(right_cut_off).dot(right.direction);
        let before_left =
            on_left.lt(zero) & ((at_corner & on_right.lt(zero)) | (!at_corner & t.lt(zero)));
        let before_right = !at_corner & t.gt(one) & on_right.lt(zero);

        let to_cut_off = velocity.minus(left_cut_off.plus(cut_off.times(t)));
        let in_front = !at_corner & t.ge(zero) & t.le(one);
        let to_cut_off = in_front.select(to_cut_off.dot(to_cut_off), infinity);
        let to_left = left.distance_squared(simd, velocity, left_cut_off, on_left);
        let to_right = right.distance_squared(simd, velocity, right_cut_off, on_right);
        let is_front = !at_corner & to_cut_off.le(to_left.min(to_right));
        let is_left = to_left.le(to_right);

        let leg_from = Vec2s::select(is_front | is_left, left_cut_off, right_cut_off);
        let rightwards = Vec2s { x: -right.direction.x, y: -right.direction.y };
        let direction = Vec2s::select(is_left, left.direction, rightwards);
        let direction = Vec2s::select(is_front, backwards, direction);
        let is_foreign = (is_left & left.foreign) | (!is_left & right.foreign);
        let line = Drawn {
            point: self.sight.beside(leg_from, direction),
            direction,
            exists: is_front | !is_foreign,
        };
        let round = before_left | before_right;
        if !round.any() {
            return line;
        }
        let end = Vec2s::select(before_left, left_cut_off, right_cut_off);
        let (point, direction) = self.sight.around(simd, end, velocity);
        line.or(round, Drawn { point, direction, exists: simd.mask(u16::MAX) })
    }
}

/// See [`glam::Vec2::normalize_or`].
#[inline(always)]
fn normalize_or_x<S: Simd>(simd: S, vector: Vec2s<S>) -> Vec2s<S> {
    let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
    let reciprocal = one / vector.length();
    let is_proper = reciprocal.gt(zero) & reciprocal.lt(simd.splat(f32::INFINITY));
    Vec2s::select(is_proper, vector.times(reciprocal), Vec2s { x: one, y: zero })
}

/// Unit vectors of tangents to discs: the left ones for positive radii, the right ones for negative.
#[inline(always)]
fn tangent_leg<S: Simd>(simd: S, center: Vec2s<S>, radius: S::F) -> Vec2s<S> {
    let squared = center.dot(center);
    let leg = (squared - radius * radius).max(simd.splat(0.0)).sqrt();
    Vec2s {
        x: (center.x * leg - center.y * radius) / squared,
        y: (center.x * radius + center.y * leg) / squared,
    }
}
