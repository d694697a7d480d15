//! How wide ways are: the narrowest place on the widest way between two places.
//!
//! Edges of the map are added to a forest, from the widest to the narrowest (Kruskal 1956). The edge that joins two
//! trees is the narrowest one on the widest way from any vertex of the one to any of the other. The smaller tree is
//! hung below the root of the larger one and never moved again, so that a vertex is at most log₂ n links below its
//! root, and edges get narrower on the way up: the narrowest edge between two vertices is the last link before their
//! climbs meet. A body that is wider than that gap need not look for a way.

use glam::DVec2;

use crate::map::{CorridorMap, Edge, EdgeId, VertexId};
use crate::search::Query;
use crate::slice::{Direction, Stretch};

/// The axis is exact to about this, m: bodies that are wider than a gap by less may or may not find a way through.
const DOUBTFUL: f64 = 1e-3;

/// The forest of the widest ways of a map.
#[derive(Clone, Debug, Default)]
pub(crate) struct Widths {
    /// By vertex.
    links: Vec<Link>,
}

/// How a vertex hangs below another.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// The vertex itself at a root.
    parent: VertexId,
    /// Rank of the edge in the order from wide to narrow; [`ROOT`] at a root.
    rank: u32,
    edge: EdgeId,
}

const ROOT: u32 = u32::MAX;

/// The narrowest place on a way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bottleneck {
    pub clearance: f64,
    pub point: DVec2,
}

impl Bottleneck {
    fn or(self, (clearance, point): (f64, DVec2)) -> Self {
        if clearance < self.clearance { Self { clearance, point } } else { self }
    }
}

impl Widths {
    pub fn new(vertices: usize, edges: &[Edge]) -> Self {
        let own = |vertex| Link { parent: VertexId(vertex), rank: ROOT, edge: EdgeId(0) };
        let mut widths = Self { links: (0..vertices as u32).map(own).collect() };
        let mut sizes = vec![1u32; vertices];
        let mut order: Vec<u32> = (0..edges.len() as u32).collect();
        let clearance = |edge: u32| edges[edge as usize].clearance;
        order.sort_unstable_by(|&a, &b| clearance(b).total_cmp(&clearance(a)).then(a.cmp(&b)));
        for (rank, &edge) in (0..).zip(&order) {
            let [a, b] = edges[edge as usize].ends.map(|end| widths.root(end));
            if a == b {
                continue;
            }
            let [size_a, size_b] = [a, b].map(|root| sizes[root.0 as usize]);
            let (below, parent) = if size_a < size_b { (a, b) } else { (b, a) };
            sizes[parent.0 as usize] = size_a + size_b;
            widths.links[below.0 as usize] = Link { parent, rank, edge: EdgeId(edge) };
        }
        widths
    }

    fn link(&self, vertex: VertexId) -> Link {
        self.links[vertex.0 as usize]
    }

    /// The vertex that stands for all that hang together with a vertex.
    pub fn root(&self, mut vertex: VertexId) -> VertexId {
        while self.link(vertex).rank != ROOT {
            vertex = self.link(vertex).parent;
        }
        vertex
    }

    /// The narrowest edge on the widest way between two vertices: [`None`] within for a vertex and itself, `None` if no
    /// way leads from one to the other.
    fn narrowest(&self, mut a: VertexId, mut b: VertexId) -> Option<Option<EdgeId>> {
        let mut narrowest = None;
        while a != b {
            // Roots come last.
            let (lower, link) = match [self.link(a), self.link(b)] {
                [link, other] if link.rank < other.rank => (&mut a, link),
                [_, link] => (&mut b, link),
            };
            if link.rank == ROOT {
                return None;
            }
            narrowest = Some(link.edge);
            *lower = link.parent;
        }
        Some(narrowest)
    }
}

/// Part of a way.
#[derive(Clone, Copy)]
enum Part {
    Edge(EdgeId),
    Stretch(Stretch),
}

impl Part {
    /// The least clearance, m.
    fn room(&self, map: &CorridorMap) -> f64 {
        match self {
            Self::Edge(id) => map.edge(*id).clearance,
            Self::Stretch(stretch) => stretch.least_room(map),
        }
    }

    /// The least clearance, m, and where it is.
    fn narrowest(&self, map: &CorridorMap) -> (f64, DVec2) {
        match self {
            Self::Edge(id) => (map.edge(*id).clearance, map.edge(*id).narrowest),
            Self::Stretch(stretch) => stretch.narrowest(map),
        }
    }
}

impl Query<'_> {
    /// The ways from start to goal that are the widest of their kind: along the edge that both are on, and from either
    /// end of the start's edge to either end of the goal's. Of what is between these ends, the narrowest edge counts.
    fn widest_ways(&self) -> impl Iterator<Item = [Option<Part>; 3]> {
        let map = self.map;
        let directly = self.between().map(|way| Part::Stretch(self.directly(way)));
        let ends = [(false, false), (false, true), (true, false), (true, true)];
        let others = ends.into_iter().filter_map(move |(exit, entry)| {
            let exit = Direction::new(self.from.anchor.edge, exit);
            let entry = Direction::new(self.to.anchor.edge, entry);
            let between = map.widths.narrowest(exit.end(map), entry.begin(map))?;
            let stretches = [self.rest(exit), self.up_to_goal(entry)].map(Part::Stretch);
            Some([between.map(Part::Edge), Some(stretches[0]), Some(stretches[1])])
        });
        directly.map(|way| [Some(way), None, None]).into_iter().chain(others)
    }

    /// The narrowest edge on all ways that are as wide as can be, if it is narrower than the edges of the start and
    /// the goal: then it does not matter from which of their ends one goes on.
    fn neck(&self) -> Option<&Edge> {
        let [from, to] = [self.from, self.to].map(|place| self.map.edge(place.anchor.edge));
        let neck = self.map.edge(self.map.widths.narrowest(from.ends[0], to.ends[0])??);
        let is_apart = self.from.anchor.edge != self.to.anchor.edge;
        (is_apart && neck.clearance < from.clearance.min(to.clearance)).then_some(neck)
    }

    /// Whether no way is as wide as the body, and none can be just because the goal comes into sight before a gap.
    ///
    /// A goal that is seen from a disc is reached from there with as much room as it has itself, and by the axis as
    /// well. So no way is overlooked, unless the goal has less room around it than the body takes.
    pub fn is_too_wide_for_all(&self) -> bool {
        let radius = self.walker.radius - DOUBTFUL;
        let fits = |part: &Part| part.room(self.map) >= radius;
        self.to.clearance >= self.walker.radius
            && match self.neck() {
                Some(neck) => neck.clearance < radius,
                None => !self.widest_ways().any(|way| way.iter().flatten().all(fits)),
            }
    }
}

/// Where the widest of all ways is narrowest; `None` if there is no way, however thin one may be.
pub(crate) fn widest(query: &Query) -> Option<Bottleneck> {
    if let Some(&Edge { clearance, narrowest: point, .. }) = query.neck() {
        return Some(Bottleneck { clearance, point });
    }
    let map: &CorridorMap = query.map;
    let room = |way: &[Option<Part>; 3]| {
        way.iter().flatten().map(|part| part.room(map)).fold(f64::INFINITY, f64::min)
    };
    let ways = query.widest_ways().map(|way| (room(&way), way));
    let (_, widest) = ways.reduce(|best, other| if other.0 > best.0 { other } else { best })?;
    let open = Bottleneck { clearance: f64::INFINITY, point: query.from.point };
    Some(widest.iter().flatten().fold(open, |gap, part| gap.or(part.narrowest(map))))
}
