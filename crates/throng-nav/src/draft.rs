//! From medial axes to a map: tips are cut off, floors joined, and pieces strung together.

use throng_world::Connector;
use throng_world::scene::LayerId;

use crate::map::{Edge, EdgeId, Stub, Vertex, VertexId};
use crate::medial::{Arc, MedialAxis};

/// The axes of all floors as one graph that is being worked on.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    vertices: Vec<Vertex>,
    arcs: Vec<DraftArc>,
    /// Arcs that end at each vertex and are still there.
    incident: Vec<Vec<u32>>,
    /// Pairs of vertices where a stair leads from floor to floor.
    links: Vec<[u32; 2]>,
}

#[derive(Clone, Copy, Debug)]
struct DraftArc {
    arc: Arc,
    layer: LayerId,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Kept,
    /// Cut off; what is left of the axis begins at this vertex.
    Pruned(u32),
}

/// Edges and what they are made of.
#[derive(Debug, Default)]
pub(crate) struct Chains {
    pub vertices: Vec<Vertex>,
    pub edges: Vec<Edge>,
    pub arcs: Vec<Arc>,
    /// The edge of each arc.
    pub owners: Vec<EdgeId>,
    pub stubs: Vec<Stub>,
}

impl Draft {
    /// Adds the axis of a floor.
    pub fn add(&mut self, axis: &MedialAxis, layer: LayerId) {
        let first = self.vertices.len() as u32;
        self.vertices.extend(axis.points.iter().map(|&point| Vertex {
            point,
            clearance: 0.0,
            layer,
        }));
        self.incident.resize(self.vertices.len(), Vec::new());
        for arc in &axis.arcs {
            self.insert(DraftArc {
                arc: Arc { ends: arc.ends.map(|end| end + first), ..*arc },
                layer,
                state: State::Kept,
            });
        }
    }

    fn insert(&mut self, arc: DraftArc) {
        let number = self.arcs.len() as u32;
        for (end, point) in arc.arc.ends.into_iter().zip([arc.arc.piece.from, arc.arc.piece.to]) {
            self.incident[end as usize].push(number);
            self.vertices[end as usize].clearance = arc.arc.piece.clearance(point);
        }
        self.arcs.push(arc);
    }

    fn detach(&mut self, arc: u32) {
        for end in self.arcs[arc as usize].arc.ends {
            self.incident[end as usize].retain(|&other| other != arc);
        }
    }

    fn new_vertex(&mut self, vertex: Vertex) -> u32 {
        self.vertices.push(vertex);
        self.incident.push(Vec::new());
        self.vertices.len() as u32 - 1
    }

    /// Cuts the tips of branches off where they are narrower than `radius`: nobody fits there. The
    /// rest still covers every place that somebody of that radius can be in.
    pub fn prune(&mut self, radius: f64) {
        let mut tips: Vec<u32> = (0..self.vertices.len() as u32)
            .filter(|&vertex| self.incident[vertex as usize].len() == 1)
            .collect();
        while let Some(tip) = tips.pop() {
            let &[number] = self.incident[tip as usize].as_slice() else { continue };
            let DraftArc { arc, layer, .. } = self.arcs[number as usize];
            // From the tip inwards.
            let arc = if arc.ends[0] == tip { arc } else { arc.reversed() };
            if self.vertices[tip as usize].clearance >= radius {
                continue;
            }
            self.detach(number);
            let inner = arc.ends[1];
            let cut = match arc.piece.widens_to(radius) {
                None => inner,
                Some(share) => {
                    let [outside, inside] = arc.piece.split(share);
                    let cut =
                        self.new_vertex(Vertex { point: inside.from, clearance: radius, layer });
                    let kept = Arc { ends: [cut, inner], piece: inside, ..arc };
                    self.insert(DraftArc { arc: kept, layer, state: State::Kept });
                    self.arcs[number as usize].arc.piece = outside;
                    cut
                }
            };
            self.arcs[number as usize].state = State::Pruned(cut);
            // What was cut off further out now ends here, too: `Pruned` is followed up to a vertex
            // that is still there.
            if cut == inner && self.incident[inner as usize].len() == 1 {
                tips.push(inner);
            }
        }
    }

    /// Joins two floors half-way up a connector, where people change from one to the other; `false` if the
    /// axis of either does not lead there.
    pub fn join(&mut self, connector: &Connector) -> bool {
        let half_way = |draft: &mut Self, layer| {
            let (arc, share) = draft.half_way(connector, layer)?;
            Some(draft.split(arc, share))
        };
        let (Some(lower), Some(upper)) =
            (half_way(self, connector.lower), half_way(self, connector.upper))
        else {
            return false;
        };
        self.links.push([lower, upper]);
        true
    }

    /// Where the axis of a floor passes the middle of a connector; the widest place, if there are
    /// several.
    fn half_way(&self, connector: &Connector, layer: LayerId) -> Option<(u32, f64)> {
        let progress = |point: glam::DVec2| connector.progress(point.as_vec2());
        let mut best: Option<(f64, u32, f64)> = None;
        for (number, draft) in (0..).zip(&self.arcs) {
            let piece = &draft.arc.piece;
            let (begins, ends) = (progress(piece.from) < 0.5, progress(piece.to) < 0.5);
            if draft.layer != layer || draft.state != State::Kept || begins == ends {
                continue;
            }
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..40 {
                let middle = 0.5 * (low + high);
                let before = (progress(piece.at(middle)) < 0.5) == begins;
                *(if before { &mut low } else { &mut high }) = middle;
            }
            let point = piece.at(high);
            let clearance = piece.clearance(point);
            if connector.polygon.contains(point.as_vec2())
                && best.is_none_or(|(widest, ..)| clearance > widest)
            {
                best = Some((clearance, number, high));
            }
        }
        best.map(|(_, arc, share)| (arc, share))
    }

    /// Makes a vertex in the middle of an arc.
    fn split(&mut self, number: u32, share: f64) -> u32 {
        let DraftArc { arc, layer, .. } = self.arcs[number as usize];
        let [before, after] = arc.piece.split(share);
        let clearance = arc.piece.clearance(after.from);
        let middle = self.new_vertex(Vertex { point: after.from, clearance, layer });
        self.detach(number);
        // The old number stays in use, for the first half.
        self.arcs[number as usize].arc = Arc { ends: [arc.ends[0], middle], piece: before, ..arc };
        for end in [arc.ends[0], middle] {
            self.incident[end as usize].push(number);
        }
        let rest = Arc { ends: [middle, arc.ends[1]], piece: after, ..arc };
        self.insert(DraftArc { arc: rest, layer, state: State::Kept });
        middle
    }

    /// Strings pieces together to edges between vertices where ways part, end, or change floors.
    pub fn chain(&self) -> Chains {
        let mut chains = Chains::default();
        let mut is_node: Vec<bool> = self.incident.iter().map(|arcs| arcs.len() != 2).collect();
        for &vertex in self.links.iter().flatten() {
            is_node[vertex as usize] = true;
        }
        let mut progress = Progress {
            numbers: vec![u32::MAX; self.vertices.len()],
            anchors: vec![None; self.vertices.len()],
            is_done: vec![false; self.arcs.len()],
            is_node,
        };
        for node in 0..self.vertices.len() as u32 {
            if progress.is_node[node as usize] {
                for &arc in &self.incident[node as usize] {
                    self.follow(node, arc, &mut progress, &mut chains);
                }
            }
        }
        // What is left are rings, around a pillar say, where ways never part.
        for (number, draft) in (0..).zip(&self.arcs) {
            if draft.state == State::Kept {
                let node = draft.arc.ends[0];
                progress.is_node[node as usize] |= !progress.is_done[number as usize];
                self.follow(node, number, &mut progress, &mut chains);
            }
        }
        for &link in &self.links {
            let ends = link.map(|vertex| VertexId(progress.numbers[vertex as usize]));
            let at = ends.map(|end| chains.vertices[end.0 as usize]);
            let none = chains.arcs.len() as u32;
            chains.edges.push(Edge {
                ends,
                arcs: none..none,
                length: at[0].point.distance(at[1].point),
                clearance: at[0].clearance.min(at[1].clearance),
                narrowest: at[0].point,
                is_tip: false,
            });
        }
        chains.stubs = self.stubs(&progress.anchors);
        chains
    }

    /// Makes an edge that begins at `node` with the arc `number`, unless it belongs to one already.
    fn follow(&self, node: u32, mut number: u32, progress: &mut Progress, chains: &mut Chains) {
        if progress.is_done[number as usize] {
            return;
        }
        let begin = chains.arcs.len() as u32;
        let owner = EdgeId(chains.edges.len() as u32);
        let (mut length, mut clearance) = (0.0, f64::INFINITY);
        let mut narrowest = self.vertices[node as usize].point;
        let mut vertex = node;
        loop {
            progress.is_done[number as usize] = true;
            let arc = self.arcs[number as usize].arc;
            let arc = if arc.ends[0] == vertex { arc } else { arc.reversed() };
            length += arc.piece.length();
            let point = arc.piece.at(arc.piece.narrowest());
            if arc.piece.clearance(point) < clearance {
                (clearance, narrowest) = (arc.piece.clearance(point), point);
            }
            let at = chains.arcs.len() as u32;
            for (end, share) in arc.ends.into_iter().zip([0.0, 1.0]) {
                progress.anchors[end as usize].get_or_insert((at, share));
            }
            chains.arcs.push(arc);
            chains.owners.push(owner);
            vertex = arc.ends[1];
            let next = self.incident[vertex as usize].iter().find(|&&arc| arc != number);
            match next {
                Some(&next) if !progress.is_node[vertex as usize] => number = next,
                _ => break,
            }
        }
        let ends = [node, vertex].map(|end| {
            let number = &mut progress.numbers[end as usize];
            if *number == u32::MAX {
                *number = chains.vertices.len() as u32;
                chains.vertices.push(self.vertices[end as usize]);
            }
            VertexId(*number)
        });
        let is_tip = [node, vertex].iter().any(|&end| self.incident[end as usize].len() == 1)
            && !self.links.as_flattened().iter().any(|link| [node, vertex].contains(link));
        let arcs = begin..chains.arcs.len() as u32;
        chains.edges.push(Edge { ends, arcs, length, clearance, narrowest, is_tip });
    }

    /// What was cut off, each with the place on the axis that it led to.
    fn stubs(&self, anchors: &[Option<(u32, f64)>]) -> Vec<Stub> {
        // What was cut off may have led to what was cut off later.
        let mut leads_to: Vec<Option<u32>> = vec![None; self.vertices.len()];
        let pruned = || {
            self.arcs.iter().filter_map(|draft| match draft.state {
                State::Pruned(cut) => Some((draft.arc, cut)),
                State::Kept => None,
            })
        };
        for (arc, cut) in pruned() {
            for end in arc.ends.into_iter().filter(|&end| end != cut) {
                leads_to[end as usize] = Some(cut);
            }
        }
        pruned()
            .filter_map(|(arc, mut vertex)| {
                // Each step leads further inwards, so this ends.
                while anchors[vertex as usize].is_none() {
                    vertex = leads_to[vertex as usize]?;
                }
                anchors[vertex as usize].map(|(at, share)| Stub { arc, at, share })
            })
            .collect()
    }
}

/// How far the stringing together has got.
struct Progress {
    is_node: Vec<bool>,
    is_done: Vec<bool>,
    /// Numbers of nodes in the map.
    numbers: Vec<u32>,
    /// An arc of the map at each vertex, and at which end of it.
    anchors: Vec<Option<(u32, f64)>>,
}
