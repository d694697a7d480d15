//! The corridor map: the medial axis of the free space with its clearance.
//!
//! Every point of the axis is the centre of a free disc, and the discs cover all places that a body
//! fits in. A way along the axis is therefore a corridor of known width, in which people are free to
//! move, and not just a line.

use std::cmp::Reverse;
use std::ops::Range;

use glam::DVec2;
use throng_world::scene::LayerId;
use throng_world::{Connector, Scene};

use crate::draft::Draft;
use crate::footprint::{Footprint, FootprintError};
use crate::index::by_row;
use crate::live::LiveMap;
use crate::locate::Locator;
use crate::medial::{Arc, MedialAxis, Sites, SweepError};
use crate::piece::Piece;
use crate::slice::Slice;
use crate::widths::Widths;

/// A vertex of a [`CorridorMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VertexId(pub u32);

/// An edge of a [`CorridorMap`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(pub u32);

/// However long a piece of an edge is, it is told by no more points than this.
const MOST_STEPS: f64 = 400.0;

/// Where ways part or end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// Where it is.
    pub point: DVec2,
    /// Distance to the nearest walls, m.
    pub clearance: f64,
    /// On which floor.
    pub layer: LayerId,
}

/// A way between two vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Where it begins and ends.
    pub ends: [VertexId; 2],
    pub(crate) arcs: Range<u32>,
    /// Its length along the axis, m.
    pub length: f64,
    /// The clearance where it is narrowest, m.
    pub clearance: f64,
    /// Where that is.
    pub narrowest: DVec2,
    /// Whether it only leads into a corner.
    pub is_tip: bool,
}

/// A part of the axis that was cut off, and the place on the map that it led to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stub {
    pub arc: Arc,
    pub at: u32,
    pub share: f64,
}

/// How a map is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapRules {
    /// Corners narrower than this are not on the map: the radius of the smallest body, m.
    pub smallest_body: f64,
}

impl MapRules {
    /// The rules for a map on which all people of a scene find what they fit through.
    pub fn of_scene(scene: &Scene) -> Self {
        let groups = scene.groups.iter().map(|group| group.radii()[0]);
        let people = scene.groups.iter().flat_map(|g| &g.people).filter_map(|p| p.radius);
        let smallest = groups.chain(people).fold(0.25, f32::min).max(0.05);
        Self { smallest_body: smallest.into() }
    }
}

impl Default for MapRules {
    fn default() -> Self {
        Self { smallest_body: 0.2 }
    }
}

/// Why there is no map.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MapError {
    /// The ground has impossible coordinates.
    #[error(transparent)]
    Footprint(#[from] FootprintError),
    /// The sweep failed.
    #[error(transparent)]
    Sweep(#[from] SweepError),
}

/// The free space of all floors as a graph of corridors.
#[derive(Clone, Debug, Default)]
pub struct CorridorMap {
    pub(crate) vertices: Vec<Vertex>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) arcs: Vec<Arc>,
    pub(crate) owners: Vec<EdgeId>,
    /// Where each arc begins and ends.
    pub(crate) slices: Vec<[Slice; 2]>,
    /// The least clearance of each arc.
    pub(crate) rooms: Vec<f64>,
    /// By how much each arc turns about a corner, radians.
    pub(crate) turns: Vec<f64>,
    /// Edges at each vertex: begins of the rows, and the items.
    begins: Vec<u32>,
    incident: Vec<EdgeId>,
    pub(crate) floors: Vec<Floor>,
    /// How long an edge is on average, without those that only lead into a corner, m.
    pub(crate) edge_length: f64,
    pub(crate) widths: Widths,
    blocked: Vec<String>,
}

/// What is known of one floor.
#[derive(Clone, Debug)]
pub(crate) struct Floor {
    pub sites: Sites,
    pub locator: Locator,
}

impl CorridorMap {
    /// The map of a scene, all floors joined by their stairs and ramps.
    pub fn of_scene(scene: &Scene, rules: &MapRules) -> Result<Self, MapError> {
        LiveMap::of_scene(scene, rules).map(LiveMap::into_map)
    }

    /// The map of floors that are not joined.
    pub fn new(floors: &[Footprint], rules: &MapRules) -> Result<Self, MapError> {
        LiveMap::new(floors, &[], rules).map(LiveMap::into_map)
    }

    /// The map that axes make, each with its sites, one of each for every floor.
    pub(crate) fn of_axes(
        axes: &[MedialAxis],
        sites: Vec<Sites>,
        connectors: &[Connector],
        rules: &MapRules,
    ) -> Self {
        let mut draft = Draft::default();
        for (layer, axis) in (0..).zip(axes) {
            draft.add(axis, LayerId(layer));
        }
        draft.prune(rules.smallest_body);
        let blocked = connectors.iter().filter(|connector| !draft.join(connector));
        let blocked = blocked.map(|connector| connector.name.clone()).collect();
        Self { blocked, ..Self::assemble(&draft, sites) }
    }

    fn assemble(draft: &Draft, sites: Vec<Sites>) -> Self {
        let chains = draft.chain();
        let ends = |(id, edge): (u32, &Edge)| edge.ends.map(|end| (end.0, EdgeId(id)));
        let ends: Vec<(u32, EdgeId)> = (0..).zip(&chains.edges).flat_map(ends).collect();
        let (begins, incident) = by_row(chains.vertices.len(), &ends);
        let layer_of = |owner: EdgeId| {
            chains.vertices[chains.edges[owner.0 as usize].ends[0].0 as usize].layer
        };
        let layers: Vec<LayerId> = chains.owners.iter().map(|&owner| layer_of(owner)).collect();
        let floors = (0..)
            .map(LayerId)
            .zip(sites)
            .map(|(layer, sites)| {
                let arcs = (0..).zip(&chains.arcs).filter(|&(i, _)| layers[i as usize] == layer);
                let stubs = chains.stubs.iter().filter(|stub| layers[stub.at as usize] == layer);
                Floor { locator: Locator::new(&sites, arcs, stubs), sites }
            })
            .collect();
        let slices = |arc: &Arc| [0.0, 1.0].map(|share| Slice::new(&arc.piece, share));
        let room = |arc: &Arc| arc.piece.clearance(arc.piece.at(arc.piece.narrowest()));
        let ways = chains.edges.iter().filter(|edge| !edge.is_tip);
        let [count, length] = ways.fold([0.0, 0.0], |[n, sum], edge| [n + 1.0, sum + edge.length]);
        Self {
            edge_length: if count > 0.0 { length / count } else { 0.0 },
            widths: Widths::new(chains.vertices.len(), &chains.edges),
            rooms: chains.arcs.iter().map(room).collect(),
            turns: chains.arcs.iter().map(|arc| arc.piece.turn()).collect(),
            slices: chains.arcs.iter().map(slices).collect(),
            vertices: chains.vertices,
            edges: chains.edges,
            arcs: chains.arcs,
            owners: chains.owners,
            begins,
            incident,
            floors,
            blocked: Vec::new(),
        }
    }

    /// Whether ways lead from one edge to another, however narrow they are.
    pub fn is_connected(&self, a: EdgeId, b: EdgeId) -> bool {
        self.root(self.edge(a)) == self.root(self.edge(b))
    }

    /// A vertex of the largest part of the map that hangs together.
    pub(crate) fn somewhere(&self) -> VertexId {
        let mut sizes = vec![0; self.vertices.len()];
        self.edges.iter().for_each(|edge| sizes[self.root(edge).0 as usize] += 1);
        let size = |edge: &Edge| sizes[self.root(edge).0 as usize];
        let largest = (0u32..).zip(&self.edges);
        let largest = largest.max_by_key(|&(number, edge)| (size(edge), Reverse(number)));
        largest.map_or(VertexId(0), |(_, edge)| edge.ends[0])
    }

    /// A vertex that is the same for all edges that lead to each other.
    fn root(&self, edge: &Edge) -> VertexId {
        self.widths.root(edge.ends[0])
    }

    /// Names of stairs and ramps that are no way: something stands on them, or they are too narrow.
    pub fn blocked_connectors(&self) -> &[String] {
        &self.blocked
    }

    /// All vertices; the index is the number of their id.
    pub fn vertices(&self) -> &[Vertex] {
        &self.vertices
    }

    /// All edges; the index is the number of their id.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// A vertex.
    pub fn vertex(&self, id: VertexId) -> &Vertex {
        &self.vertices[id.0 as usize]
    }

    /// An edge.
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.0 as usize]
    }

    /// Edges that begin or end at a vertex; one that does both comes twice.
    pub fn edges_at(&self, id: VertexId) -> &[EdgeId] {
        &self.incident[self.begins[id.0 as usize] as usize..self.begins[id.0 as usize + 1] as usize]
    }

    /// What an edge consists of, from its beginning to its end. The few metres where a stair changes
    /// floors have none.
    pub fn pieces(&self, id: EdgeId) -> impl DoubleEndedIterator<Item = &Piece> {
        let arcs = self.edge(id).arcs.clone();
        self.arcs[arcs.start as usize..arcs.end as usize].iter().map(|arc| &arc.piece)
    }

    /// Points along an edge, at most about `spacing` metres apart, with their clearances, m.
    pub fn points_along(&self, id: EdgeId, spacing: f64) -> Vec<(DVec2, f64)> {
        let mut points = Vec::new();
        for piece in self.pieces(id) {
            let steps = (piece.length() / spacing).ceil().clamp(1.0, MOST_STEPS);
            let first = usize::from(!points.is_empty());
            points.extend((first..=steps as usize).map(|step| {
                let at = piece.at(step as f64 / steps);
                (at, piece.clearance(at))
            }));
        }
        points
    }

    /// The floor on which an edge begins.
    pub fn layer(&self, id: EdgeId) -> LayerId {
        self.vertex(self.edge(id).ends[0]).layer
    }
}
