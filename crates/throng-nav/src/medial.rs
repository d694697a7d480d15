//! The medial axis of a footprint: all free points with two or more nearest walls.
//!
//! It is the part of the Voronoi diagram of walls and corners that lies in free space, without the
//! lines between a wall and its own end. `boostvoronoi` sweeps the diagram with exact predicates on
//! the lattice of the [`Footprint`].

use std::collections::HashMap;

use boostvoronoi::prelude::{Builder, Cell, Diagram, EdgeIndex, SourceCategory, VertexIndex};
use glam::DVec2;

use crate::footprint::{Footprint, LATTICE, Node, metres, node};
use crate::piece::{Piece, Site};

/// What is nearest to some part of the plane: walls come first, then corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SiteId(pub u32);

/// Walls and the corners they meet in.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Sites {
    pub walls: Vec<[DVec2; 2]>,
    /// Numbers of the corners where a wall begins and ends.
    pub ends: Vec<[u32; 2]>,
    pub corners: Vec<DVec2>,
    /// Pairs of walls that follow each other at a corner: the free side is on the left of both.
    pub turns: Vec<Vec<[u32; 2]>>,
}

/// The axis as a graph, before anything is cut off or joined.
#[derive(Clone, Debug, Default)]
pub(crate) struct MedialAxis {
    pub points: Vec<DVec2>,
    pub arcs: Vec<Arc>,
}

/// A piece between two points of the axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arc {
    pub ends: [u32; 2],
    pub piece: Piece,
    pub left: SiteId,
    pub right: SiteId,
}

impl Arc {
    pub fn reversed(self) -> Self {
        Self {
            ends: [self.ends[1], self.ends[0]],
            piece: self.piece.reversed(),
            left: self.right,
            right: self.left,
        }
    }
}

/// The sweep failed. On a clean footprint it does not; if it ever does, this says so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the medial axis could not be computed: {0}")]
pub struct SweepError(String);

impl Sites {
    pub fn new(footprint: &Footprint) -> Self {
        let mut sites = Self::default();
        let mut numbers: HashMap<Node, u32> = HashMap::new();
        for ring in footprint.rings() {
            let mut corner = |node: Node| {
                *numbers.entry(node).or_insert_with(|| {
                    sites.corners.push(metres(node));
                    sites.turns.push(Vec::new());
                    sites.corners.len() as u32 - 1
                })
            };
            let corners: Vec<u32> = ring.iter().map(|&node| corner(node)).collect();
            let first = sites.walls.len() as u32;
            for (i, &from) in corners.iter().enumerate() {
                let to = corners[(i + 1) % corners.len()];
                let before = (i + corners.len() - 1) % corners.len();
                sites.turns[from as usize].push([first + before as u32, first + i as u32]);
                sites.walls.push([sites.corners[from as usize], sites.corners[to as usize]]);
                sites.ends.push([from, to]);
            }
        }
        for &post in footprint.posts() {
            sites.corners.push(metres(post));
            sites.turns.push(Vec::new());
        }
        sites
    }

    pub fn len(&self) -> usize {
        self.walls.len() + self.corners.len()
    }

    /// Numbers of the corners without walls.
    pub fn posts(&self) -> std::ops::Range<u32> {
        let last = self.turns.iter().rposition(|turns| !turns.is_empty());
        last.map_or(0, |last| last as u32 + 1)..self.corners.len() as u32
    }

    pub fn corner_id(&self, corner: u32) -> SiteId {
        SiteId(self.walls.len() as u32 + corner)
    }

    pub fn site(&self, id: SiteId) -> Site {
        match self.walls.get(id.0 as usize) {
            Some(&[a, b]) => Site::Wall(a, b),
            None => Site::Point(self.corners[id.0 as usize - self.walls.len()]),
        }
    }

    /// Whether `point`, to which `id` is the nearest site, is free.
    pub fn is_free_side(&self, id: SiteId, point: DVec2) -> bool {
        if let Some(&[a, b]) = self.walls.get(id.0 as usize) {
            return (b - a).perp_dot(point - a) > 0.0;
        }
        let corner = id.0 as usize - self.walls.len();
        // A post has no walls and is free all around.
        let turns = &self.turns[corner];
        turns.is_empty()
            || turns.iter().any(|&[before, after]| {
                let [a, p] = self.walls[before as usize];
                let [_, b] = self.walls[after as usize];
                is_between(p - a, b - p, point - p)
            })
    }
}

/// Whether `way` leads into the left of a path that comes along `before` and goes on along `after`.
fn is_between(before: DVec2, after: DVec2, way: DVec2) -> bool {
    let left_of_before = before.perp_dot(way) > 0.0;
    let left_of_after = after.perp_dot(way) > 0.0;
    if before.perp_dot(after) > 0.0 {
        left_of_before && left_of_after
    } else {
        left_of_before || left_of_after
    }
}

impl MedialAxis {
    /// The axis of all that `sites` leave free.
    pub fn new(sites: &Sites) -> Result<Self, SweepError> {
        let walls: Vec<u32> = (0..sites.walls.len() as u32).collect();
        let posts: Vec<u32> = sites.posts().collect();
        Self::around(sites, &walls, &posts)
    }

    /// Adds a point, and tells its number.
    pub fn add_point(&mut self, point: DVec2) -> u32 {
        self.points.push(point);
        self.points.len() as u32 - 1
    }

    /// The axis as if only some of the walls and posts were there.
    pub fn around(sites: &Sites, walls: &[u32], posts: &[u32]) -> Result<Self, SweepError> {
        if walls.is_empty() && posts.is_empty() {
            return Ok(Self::default());
        }
        let segment = |&wall: &u32| {
            let [[ax, ay], [bx, by]] = sites.walls[wall as usize].map(node);
            [ax, ay, bx, by]
        };
        let segments: Vec<[i32; 4]> = walls.iter().map(segment).collect();
        let points: Vec<Node> =
            posts.iter().map(|&post| node(sites.corners[post as usize])).collect();
        let failed = |error| SweepError(format!("{error}"));
        let diagram = Builder::<i32>::default()
            .with_vertices(points.iter())
            .map_err(failed)?
            .with_segments(segments.iter())
            .map_err(failed)?
            .build()
            .map_err(failed)?;
        Extraction { diagram: &diagram, sites, walls, posts }.axis().map_err(failed)
    }
}

/// Reads the axis out of a diagram.
struct Extraction<'a> {
    diagram: &'a Diagram,
    sites: &'a Sites,
    /// The walls and posts that were swept, in order.
    walls: &'a [u32],
    posts: &'a [u32],
}

type VoronoiError = boostvoronoi::BvError;

impl Extraction<'_> {
    fn axis(&self) -> Result<MedialAxis, VoronoiError> {
        let mut axis = MedialAxis::default();
        let mut numbers = vec![u32::MAX; self.diagram.vertices().len()];
        for edge in self.diagram.edges() {
            let (id, twin) = (edge.id(), edge.twin()?);
            if edge.is_secondary() || twin.usize() < id.usize() {
                continue;
            }
            let ends = (edge.vertex0(), self.diagram.edge_get_vertex1(id)?);
            let (Some(from), Some(to)) = ends else { continue };
            let (left, right) = (self.site_of(id)?, self.site_of(twin)?);
            let piece = Piece {
                from: self.point(from)?,
                to: self.point(to)?,
                left: self.sites.site(left),
                right: self.sites.site(right),
            };
            let middle = piece.at(0.5);
            if piece.from == piece.to
                || !(self.sites.is_free_side(left, middle)
                    && self.sites.is_free_side(right, middle))
            {
                continue;
            }
            let mut number = |vertex: VertexIndex, point: DVec2| {
                let number = &mut numbers[vertex.usize()];
                if *number == u32::MAX {
                    *number = axis.add_point(point);
                }
                *number
            };
            let ends = [number(from, piece.from), number(to, piece.to)];
            axis.arcs.push(Arc { ends, piece, left, right });
        }
        Ok(axis)
    }

    fn point(&self, vertex: VertexIndex) -> Result<DVec2, VoronoiError> {
        let vertex = self.diagram.vertex(vertex)?;
        Ok(DVec2::new(vertex.x(), vertex.y()) / LATTICE)
    }

    /// The site on the left of an edge.
    fn site_of(&self, edge: EdgeIndex) -> Result<SiteId, VoronoiError> {
        let cell: &Cell = self.diagram.cell(self.diagram.edge_get_cell(edge)?)?;
        let (source, category) = cell.source_index_2();
        let source = source.usize();
        let wall = || self.walls[source - self.posts.len()];
        let end = |end: usize| self.sites.corner_id(self.sites.ends[wall() as usize][end]);
        Ok(match category {
            SourceCategory::Segment => SiteId(wall()),
            SourceCategory::SegmentStart => end(0),
            SourceCategory::SegmentEnd => end(1),
            SourceCategory::SinglePoint => self.sites.corner_id(self.posts[source]),
        })
    }
}
