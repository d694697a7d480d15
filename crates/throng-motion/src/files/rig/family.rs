//! Which nodes make one body, and which of them is its root.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap, HashSet};
use std::sync::Arc;

use super::Source;
use super::rest::Rest;
use super::tree::Tree;
use crate::files::document::{ReadError, ReadOptions};
use crate::files::mapping::MappingErrors;
use crate::files::{Place, Warnings};
use crate::landmark::{Landmark, Landmarks};
use crate::naming::LandmarkMap;
use crate::skeleton::{Joint, JointId, Skeleton};

/// Nodes that belong to one body: all joints of skins that have to do with one another, and what
/// lies between them.
pub(super) struct Family {
    pub name: String,
    /// Nodes, parents first. The first is above all others.
    pub members: Vec<usize>,
    /// Skins in the order of the file.
    pub skins: Vec<usize>,
    /// Joints that hang nowhere near the others.
    strays: usize,
}

/// The families of a file, in the order in which it has their skins. A file without skins has one
/// in every tree that is animated.
pub(super) fn families(source: &Source, tree: &Tree) -> Vec<Family> {
    let has_skins = !source.skins.is_empty();
    let sets: Vec<Vec<usize>> = if has_skins {
        source.skins.iter().map(|skin| skin.joints.clone()).collect()
    } else {
        animated_trees(source, tree)
    };
    let mut scratch = Scratch::new(source, tree);
    let mut families = Vec::new();
    for group in groups(source, tree, &sets) {
        let joints: BTreeSet<usize> =
            group.iter().flat_map(|set| sets[*set].iter().copied()).collect();
        if let Some((members, strays)) = scratch.members(&joints) {
            let listed = group.iter().flat_map(|set| sets[*set].iter().copied());
            let members = in_file_order(source, &members, listed);
            let name = name_of(source, &joints, members[0], families.len());
            let skins = if has_skins { group } else { Vec::new() };
            families.push(Family { name, members, skins, strays });
        }
    }
    families
}

/// For each tree with animated nodes, those nodes and all below them that show nothing.
fn animated_trees(source: &Source, tree: &Tree) -> Vec<Vec<usize>> {
    let mut moves = vec![false; source.nodes.len()];
    let tracks = source.animations.iter().flat_map(|animation| &animation.tracks);
    for track in tracks.filter(|track| track.curves().next().is_some()) {
        moves[track.node] = true;
    }
    let mut top = vec![0; source.nodes.len()];
    let mut sets = vec![Vec::new(); source.nodes.len()];
    for &node in &tree.order {
        let parent = source.nodes[node].parent;
        top[node] = parent.map_or(node, |parent| top[parent]);
        let below = parent.is_some_and(|parent| moves[parent]);
        moves[node] |= below && !source.nodes[node].shows;
        if moves[node] {
            sets[top[node]].push(node);
        }
    }
    sets.retain(|set| !set.is_empty());
    sets
}

/// Sets that share a joint, or of which one has joints below another's, belong together.
fn groups(source: &Source, tree: &Tree, sets: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut leader: Vec<usize> = (0..sets.len()).collect();
    fn find(leader: &mut [usize], mut set: usize) -> usize {
        while leader[set] != set {
            leader[set] = leader[leader[set]];
            set = leader[set];
        }
        set
    }
    let mut owner: Vec<Option<usize>> = vec![None; source.nodes.len()];
    let join = |leader: &mut [usize], a: usize, b: usize| {
        let (a, b) = (find(leader, a), find(leader, b));
        leader[a.max(b)] = a.min(b);
    };
    for (set, joints) in sets.iter().enumerate() {
        for &joint in joints {
            match owner[joint] {
                Some(other) => join(&mut leader, set, other),
                None => owner[joint] = Some(set),
            }
        }
    }
    let mut above: Vec<Option<usize>> = vec![None; source.nodes.len()];
    for &node in &tree.order {
        let Some(parent) = source.nodes[node].parent else { continue };
        above[node] = owner[parent].or(above[parent]);
        if let (Some(own), Some(above)) = (owner[node], above[node]) {
            join(&mut leader, own, above);
        }
    }
    let mut groups = vec![Vec::new(); sets.len()];
    for set in 0..sets.len() {
        groups[find(&mut leader, set)].push(set);
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// What finding members needs for every family and would be wasteful to make anew.
struct Scratch<'a> {
    source: &'a Source,
    /// The place of each node in the order.
    rank: Vec<usize>,
    /// How many joints are at or below each node; 0 between families.
    below: Vec<usize>,
}

impl<'a> Scratch<'a> {
    fn new(source: &'a Source, tree: &Tree) -> Self {
        let mut rank = vec![0; source.nodes.len()];
        for (place, node) in tree.order.iter().enumerate() {
            rank[*node] = place;
        }
        Self { source, rank, below: vec![0; source.nodes.len()] }
    }

    /// The joints and everything between them, parents first, from the node on that is above them
    /// all; and how many joints are in other trees than most.
    fn members(&mut self, joints: &BTreeSet<usize>) -> Option<(Vec<usize>, usize)> {
        let parent = |node: usize| self.source.nodes[node].parent;
        let mut seen = HashSet::new();
        let mut visited = Vec::new();
        for &joint in joints {
            let mut at = Some(joint);
            while let Some(node) = at.filter(|node| seen.insert(*node)) {
                visited.push(node);
                at = parent(node);
            }
        }
        visited.sort_by_key(|node| self.rank[*node]);
        for &node in visited.iter().rev() {
            self.below[node] += usize::from(joints.contains(&node));
            if let Some(parent) = parent(node) {
                self.below[parent] += self.below[node];
            }
        }
        let mut most = None;
        for &node in visited.iter().filter(|node| parent(**node).is_none()) {
            if most.is_none_or(|most: usize| self.below[node] > self.below[most]) {
                most = Some(node);
            }
        }
        let mut top = most?;
        let all = self.below[top];
        // Down to where the joints begin or part.
        for &node in &visited {
            if joints.contains(&top) {
                break;
            }
            if parent(node) == Some(top) && self.below[node] == all {
                top = node;
            }
        }
        let mut inside = HashSet::from([top]);
        let is_inside = |node: &usize| {
            *node == top
                || (parent(*node).is_some_and(|parent| inside.contains(&parent))
                    && inside.insert(*node))
        };
        let members = visited.iter().copied().filter(is_inside).collect();
        for node in visited {
            self.below[node] = 0;
        }
        Some((members, joints.len() - all))
    }
}

/// Members in the order in which the file lists its joints, as far as parents come first.
fn in_file_order(
    source: &Source,
    members: &[usize],
    listed: impl Iterator<Item = usize>,
) -> Vec<usize> {
    let mut place: HashMap<usize, usize> = HashMap::new();
    for node in listed {
        let next = place.len();
        place.entry(node).or_insert(next);
    }
    // What is no joint but lies between joints comes as soon as it can, so that they can.
    let place = |node: usize| Reverse((place.get(&node).copied().unwrap_or(0), node));
    let mut children: HashMap<usize, Vec<usize>> = HashMap::new();
    for &member in &members[1..] {
        if let Some(parent) = source.nodes[member].parent {
            children.entry(parent).or_default().push(member);
        }
    }
    let mut ready = BinaryHeap::from([place(members[0])]);
    let mut ordered = Vec::with_capacity(members.len());
    while let Some(Reverse((_, node))) = ready.pop() {
        ordered.push(node);
        ready.extend(children.remove(&node).into_iter().flatten().map(place));
    }
    ordered
}

/// The name of the node that holds a body, such as its armature; a joint's if there is none.
fn name_of(source: &Source, joints: &BTreeSet<usize>, top: usize, index: usize) -> String {
    let holder = if joints.contains(&top) { source.nodes[top].parent } else { Some(top) };
    [holder, Some(top)]
        .into_iter()
        .flatten()
        .map(|node| source.nodes[node].name.clone())
        .find(|name| !name.is_empty())
        .unwrap_or_else(|| format!("body {}", index + 1))
}

/// A family with its skeleton.
pub(super) struct Rig<'a> {
    pub name: String,
    pub family: &'a Family,
    pub rest: &'a Rest,
    pub skeleton: Arc<Skeleton>,
    /// The member that each joint is.
    pub kept: Vec<usize>,
    /// The joint that each member is, or the nearest above it, or else the root.
    pub joint_of: Vec<usize>,
    /// The member that a node is.
    pub member_of: HashMap<usize, usize>,
}

/// A rig, and what it could not make of the options.
pub(super) struct MadeRig<'a> {
    pub rig: Rig<'a>,
    pub has_said_root: bool,
    pub mapping_errors: Option<MappingErrors>,
}

impl<'a> Rig<'a> {
    pub fn make(
        source: &Source,
        family: &'a Family,
        rest: &'a Rest,
        options: &ReadOptions,
        warnings: &mut Warnings,
    ) -> Result<MadeRig<'a>, ReadError> {
        let members = &family.members;
        let count = members.len();
        let member_of: HashMap<usize, usize> =
            members.iter().enumerate().map(|(member, node)| (*node, member)).collect();
        let parents: Vec<Option<usize>> = members
            .iter()
            .map(|node| source.nodes[*node].parent.and_then(|p| member_of.get(&p).copied()))
            .collect();
        let names = unique_names(source, members, warnings);
        let whole =
            skeleton(&family.name, &names, &parents, rest, &(0..count).collect::<Vec<_>>())?;
        let (map, mapping_errors) = match options.mapping.map(&whole) {
            Ok(map) => (map, None),
            Err(errors) => (LandmarkMap::find(&whole), Some(errors)),
        };
        let said = options.root.as_ref().and_then(|said| {
            let is_it = |member: &usize| {
                names[*member] == *said || source.nodes[members[*member]].name == *said
            };
            (0..count).find(is_it)
        });
        let hips = map.landmarks().get(Landmark::Hips).map(JointId::index);
        let root = said.unwrap_or_else(|| choose_root(&parents, hips));
        let kept = below(&parents, root);
        report_left_out(family, &parents, root, &kept, &names, warnings);

        let mut place = vec![None; count];
        kept.iter().enumerate().for_each(|(joint, member)| place[*member] = Some(joint));
        let mut landmarks = Landmarks::default();
        for (landmark, joint) in map.landmarks().iter() {
            landmarks.set(landmark, place[joint.index()].map(JointId::new));
        }
        let bones = skeleton(&family.name, &names, &parents, rest, &kept)?;
        let error = |reason| ReadError::Skeleton { body: family.name.clone(), reason };
        let skeleton = Skeleton::new(bones.joints().to_vec(), landmarks).map_err(error)?;
        let mut joint_of = vec![0; count];
        for member in 0..count {
            let above = parents[member].map_or(0, |parent| joint_of[parent]);
            joint_of[member] = place[member].unwrap_or(above);
        }
        rest.report(source, family, warnings);
        let rig = Self {
            name: family.name.clone(),
            family,
            rest,
            skeleton: Arc::new(skeleton),
            kept,
            joint_of,
            member_of,
        };
        Ok(MadeRig { rig, has_said_root: said.is_some(), mapping_errors })
    }

    /// The joint that moves a node: itself, or the nearest above it. None if it has nothing to do
    /// with this body.
    pub fn joint_above(&self, source: &Source, node: usize) -> Option<usize> {
        let mut at = Some(node);
        while let Some(node) = at {
            if let Some(member) = self.member_of.get(&node) {
                return Some(self.joint_of[*member]);
            }
            at = source.nodes[node].parent;
        }
        None
    }
}

/// The hips if most of the body hangs from them; otherwise the first joint from which several
/// others hang. A mere chain begins where it begins.
fn choose_root(parents: &[Option<usize>], hips: Option<usize>) -> usize {
    if let Some(hips) = hips.filter(|hips| 2 * below(parents, *hips).len() >= parents.len()) {
        return hips;
    }
    let mut children = vec![Vec::new(); parents.len()];
    for (member, parent) in parents.iter().enumerate() {
        if let Some(parent) = parent {
            children[*parent].push(member);
        }
    }
    let mut at = 0;
    loop {
        match children[at].as_slice() {
            [] => return 0,
            [only] => at = *only,
            _ => return at,
        }
    }
}

/// A member and all below it, parents first.
fn below(parents: &[Option<usize>], root: usize) -> Vec<usize> {
    let mut inside = vec![false; parents.len()];
    (0..parents.len())
        .filter(|member| {
            inside[*member] =
                *member == root || parents[*member].is_some_and(|parent| inside[parent]);
            inside[*member]
        })
        .collect()
}

fn report_left_out(
    family: &Family,
    parents: &[Option<usize>],
    root: usize,
    kept: &[usize],
    names: &[String],
    warnings: &mut Warnings,
) {
    let mut has_place = vec![false; parents.len()];
    kept.iter().for_each(|member| has_place[*member] = true);
    let mut at = parents[root];
    while let Some(member) = at {
        has_place[member] = true;
        at = parents[member];
    }
    let left_out = has_place.iter().filter(|has_place| !**has_place).count();
    if let Some(first) = has_place.iter().position(|has_place| !has_place) {
        warnings.add(
            Place::joint(&names[root]),
            format!("{left_out} joints are not below it, such as {:?}", names[first]),
            "they are left out, as a skeleton has one root",
        );
    }
    if family.strays > 0 {
        warnings.add(
            Place::Named(format!("body {:?}", family.name)),
            format!("{} joints are in other trees of nodes", family.strays),
            "they are left out, as a skeleton has one root",
        );
    }
}

/// Names for all members: their own, with a number if somebody else has it already.
fn unique_names(source: &Source, members: &[usize], warnings: &mut Warnings) -> Vec<String> {
    let own: HashSet<&str> = members.iter().map(|node| source.nodes[*node].name.as_str()).collect();
    let mut taken: HashSet<String> = HashSet::new();
    // Where to go on counting: thousands of nodes of one name must not begin anew each time.
    let mut next: HashMap<&str, usize> = HashMap::new();
    let mut names = Vec::with_capacity(members.len());
    for &node in members {
        let name = source.nodes[node].name.as_str();
        if !name.is_empty() && taken.insert(name.to_owned()) {
            names.push(name.to_owned());
            continue;
        }
        let base = if name.is_empty() { "joint" } else { name };
        let number = next.entry(name).or_insert(if name.is_empty() { 1 } else { 2 });
        let unique = loop {
            let candidate = format!("{base} {number}");
            *number += 1;
            if !own.contains(candidate.as_str()) && taken.insert(candidate.clone()) {
                break candidate;
            }
        };
        if !name.is_empty() {
            warnings.add(
                Place::joint(name),
                format!("nodes[{node}] has the same name as another joint"),
                format!("it is called {unique:?}"),
            );
        }
        names.push(unique);
    }
    names
}

/// A skeleton of some of the members: a whole subtree, parents first.
fn skeleton(
    body: &str,
    names: &[String],
    parents: &[Option<usize>],
    rest: &Rest,
    members: &[usize],
) -> Result<Skeleton, ReadError> {
    let mut place = vec![None; names.len()];
    let mut joints = Vec::with_capacity(members.len());
    for (joint, &member) in members.iter().enumerate() {
        place[member] = Some(joint);
        let above = parents[member].and_then(|parent| Some((parent, place[parent]?)));
        let (turned, at) = (rest.rotations[member], rest.positions[member]);
        let (translation, rotation) = match above {
            None => (at, turned),
            Some((parent, _)) => {
                let back = rest.rotations[parent].inverse();
                (back * (at - rest.positions[parent]), back * turned)
            }
        };
        joints.push(Joint {
            name: names[member].clone(),
            parent: above.map(|(_, joint)| JointId::new(joint)),
            translation,
            rotation,
        });
    }
    Skeleton::new(joints, Landmarks::default())
        .map_err(|reason| ReadError::Skeleton { body: body.to_owned(), reason })
}
