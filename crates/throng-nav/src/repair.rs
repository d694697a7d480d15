//! A medial axis is brought up to date where walls have changed.
//!
//! Each wall and corner has a cell, the free ground that it is nearest to, and the axis is where
//! cells meet. A cell changes only if its owner is new, or if it lost ground to one that is new or
//! won ground from one that is gone. Cells are star-shaped about their owners, so ground is lost and
//! won at their borders: somebody whose cell changed owns a piece of axis that is not true any more.
//! Those pieces can be found without any geometry but distances, and more of them than
//! necessary do no harm.
//!
//! The *core* are the owners of cells that may have changed. A sweep of the core and all its
//! neighbours, old and new, gives the cells of the core exactly, since a cell is bounded by its
//! neighbours and by nobody else. All pieces that have an owner in the core are taken from that sweep, all
//! others stay, and they meet in points that both know.

use std::collections::HashMap;

use glam::DVec2;

use crate::footprint::{Node, node};
use crate::medial::{Arc, MedialAxis, SiteId, Sites, SweepError};
use crate::piece::Piece;

/// If more than this share of all sites would be swept, one may as well sweep them all.
const LARGEST_SHARE: f64 = 0.5;

/// Points of the old and the new axis this near to each other, m, are the same one, computed
/// twice.
const SAME_POINT: f64 = 1e-6;

/// The axis of `after`, from that of `before`, and how many walls were swept for it; `None` if that
/// is not worth it, or if the parts would not fit together.
pub(crate) fn repaired(
    axis: &MedialAxis,
    before: &Sites,
    after: &Sites,
) -> Result<Option<(MedialAxis, usize)>, SweepError> {
    let change = Change::between(before, after);
    let core = change.core(axis, after);
    let around = change.with_neighbours(axis, &core);
    let (walls, posts) = inputs(after, &around);
    if (walls.len() + posts.len()) as f64 > LARGEST_SHARE * after.len() as f64 {
        return Ok(None);
    }
    let swept = MedialAxis::around(after, &walls, &posts)?;
    let is_core = |site: SiteId| core[site.0 as usize];
    let is_new = |arc: &&Arc| is_core(arc.left) || is_core(arc.right);
    let stays = |arc: &Arc| {
        let (left, right) = (change.renumbered(arc.left)?, change.renumbered(arc.right)?);
        (!is_core(left) && !is_core(right)).then_some(Arc { left, right, ..*arc })
    };
    let old: Vec<Option<Arc>> = axis.arcs.iter().map(stays).collect();
    let new = swept.arcs.iter().filter(is_new);
    Ok(joined(axis, &old, &swept, new).map(|axis| (axis, walls.len())))
}

/// How the sites of two grounds correspond.
struct Change {
    /// For each old site, its number now; `None` if it is gone or has other walls.
    now: Vec<Option<SiteId>>,
    /// Sites that were not there, or have other walls.
    fresh: Vec<SiteId>,
}

impl Change {
    fn between(before: &Sites, after: &Sites) -> Self {
        let numbers: HashMap<[Node; 2], u32> =
            (0..).zip(&after.walls).map(|(number, wall)| (wall.map(node), number)).collect();
        let walls: Vec<Option<u32>> =
            before.walls.iter().map(|wall| numbers.get(&wall.map(node)).copied()).collect();
        let corners: HashMap<Node, u32> =
            (0..).zip(&after.corners).map(|(number, &corner)| (node(corner), number)).collect();
        // A corner whose walls have changed is free on other sides.
        let turns_now = |corner: usize| -> Option<Vec<[u32; 2]>> {
            let now = |wall: u32| walls[wall as usize];
            before.turns[corner].iter().map(|&[a, b]| Some([now(a)?, now(b)?])).collect()
        };
        let corner_now = |corner: usize| {
            let now = *corners.get(&node(before.corners[corner]))?;
            let mut turns = [turns_now(corner)?, after.turns[now as usize].clone()];
            turns.iter_mut().for_each(|turns| turns.sort_unstable());
            (turns[0] == turns[1]).then(|| after.corner_id(now))
        };
        let mut now: Vec<Option<SiteId>> = walls.iter().map(|wall| wall.map(SiteId)).collect();
        now.extend((0..before.corners.len()).map(corner_now));
        let mut is_old = vec![false; after.len()];
        now.iter().flatten().for_each(|site| is_old[site.0 as usize] = true);
        let fresh = (0..after.len() as u32).filter(|&site| !is_old[site as usize]);
        Self { fresh: fresh.map(SiteId).collect(), now }
    }

    fn renumbered(&self, old: SiteId) -> Option<SiteId> {
        self.now[old.0 as usize]
    }

    /// For each site of `after`, whether its cell may have changed.
    fn core(&self, axis: &MedialAxis, after: &Sites) -> Vec<bool> {
        let boxes: Vec<Extent> =
            self.fresh.iter().map(|&site| Extent::of_site(after, site)).collect();
        let all = boxes.iter().copied().reduce(Extent::with);
        let mut core = vec![false; after.len()];
        self.fresh.iter().for_each(|site| core[site.0 as usize] = true);
        for arc in &axis.arcs {
            let owners = [arc.left, arc.right].map(|site| self.renumbered(site));
            let is_untrue = || {
                let discs = Extent::of_discs(arc);
                all.is_some_and(|all| all.meets(&discs)) && boxes.iter().any(|b| b.meets(&discs))
            };
            if owners.contains(&None) || is_untrue() {
                owners.into_iter().flatten().for_each(|site| core[site.0 as usize] = true);
            }
        }
        core
    }

    /// The core and all who had a piece of axis in common with it.
    fn with_neighbours(&self, axis: &MedialAxis, core: &[bool]) -> Vec<bool> {
        let mut around = core.to_vec();
        for arc in &axis.arcs {
            let owners = [arc.left, arc.right].map(|site| self.renumbered(site));
            if let [Some(left), Some(right)] = owners
                && (core[left.0 as usize] || core[right.0 as usize])
            {
                around[left.0 as usize] = true;
                around[right.0 as usize] = true;
            }
        }
        around
    }
}

/// The walls and posts to sweep for some sites. A corner comes with its walls: they bound the
/// directions it is seen from.
fn inputs(sites: &Sites, wanted: &[bool]) -> (Vec<u32>, Vec<u32>) {
    let (walls, corners) = wanted.split_at(sites.walls.len());
    let mut walls = walls.to_vec();
    let mut posts = Vec::new();
    for (corner, _) in (0..).zip(corners).filter(|&(_, &wanted)| wanted) {
        let turns = &sites.turns[corner as usize];
        turns.iter().flatten().for_each(|&wall| walls[wall as usize] = true);
        posts.extend(turns.is_empty().then_some(corner));
    }
    let walls = (0..).zip(&walls).filter(|&(_, &wanted)| wanted).map(|(wall, _)| wall);
    (walls.collect(), posts)
}

/// Puts what stays and what is new together; `None` if they do not meet where they should.
fn joined<'a>(
    axis: &MedialAxis,
    old: &[Option<Arc>],
    swept: &MedialAxis,
    new: impl Iterator<Item = &'a Arc>,
) -> Option<MedialAxis> {
    let mut result = MedialAxis::default();
    let mut seams = Seams::default();
    let mut was_cut = vec![false; axis.points.len()];
    for (arc, _) in axis.arcs.iter().zip(old).filter(|(_, stays)| stays.is_none()) {
        arc.ends.iter().for_each(|&end| was_cut[end as usize] = true);
    }
    let mut numbers = vec![u32::MAX; axis.points.len()];
    for arc in old.iter().flatten() {
        let ends = arc.ends.map(|end| {
            let number = &mut numbers[end as usize];
            if *number == u32::MAX {
                let point = axis.points[end as usize];
                let seam = if was_cut[end as usize] { seams.at(point) } else { None };
                *number = seam.unwrap_or_else(|| result.add_point(point));
                if was_cut[end as usize] && seam.is_none() {
                    seams.add(point, *number);
                }
            }
            *number
        });
        result.arcs.push(Arc { ends, ..*arc });
    }
    let mut numbers = vec![u32::MAX; swept.points.len()];
    for arc in new {
        let ends = arc.ends.map(|end| {
            let number = &mut numbers[end as usize];
            if *number == u32::MAX {
                let point = swept.points[end as usize];
                *number = seams.join(point).unwrap_or_else(|| result.add_point(point));
            }
            *number
        });
        let [from, to] = ends.map(|end| result.points[end as usize]);
        if ends[0] != ends[1] {
            let piece = Piece { from, to, ..arc.piece };
            result.arcs.push(Arc { ends, piece, ..*arc });
        }
    }
    seams.are_all_joined().then_some(result)
}

/// Points where old pieces end because the next one was taken away.
#[derive(Default)]
struct Seams {
    cells: HashMap<[i64; 2], Vec<usize>>,
    points: Vec<(DVec2, u32, bool)>,
}

impl Seams {
    fn cell(point: DVec2) -> [i64; 2] {
        (point / (4.0 * SAME_POINT)).floor().to_array().map(|value| value as i64)
    }

    fn find(&self, point: DVec2) -> Option<usize> {
        let [x, y] = Self::cell(point);
        let cells = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| [x + dx, y + dy]));
        let near = cells.filter_map(|cell| self.cells.get(&cell)).flatten().copied();
        let distance = |&seam: &usize| self.points[seam].0.distance(point);
        let nearest = near.min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        (distance(&nearest) <= SAME_POINT).then_some(nearest)
    }

    fn at(&self, point: DVec2) -> Option<u32> {
        self.find(point).map(|seam| self.points[seam].1)
    }

    fn add(&mut self, point: DVec2, number: u32) {
        self.cells.entry(Self::cell(point)).or_default().push(self.points.len());
        self.points.push((point, number, false));
    }

    /// The point where something new continues what stays.
    fn join(&mut self, point: DVec2) -> Option<u32> {
        let seam = self.find(point)?;
        self.points[seam].2 = true;
        Some(self.points[seam].1)
    }

    fn are_all_joined(&self) -> bool {
        self.points.iter().all(|&(_, _, joined)| joined)
    }
}

/// A box around something.
#[derive(Clone, Copy)]
struct Extent {
    min: DVec2,
    max: DVec2,
}

impl Extent {
    fn of_site(sites: &Sites, site: SiteId) -> Self {
        match sites.walls.get(site.0 as usize) {
            Some(&[a, b]) => Self { min: a.min(b), max: a.max(b) },
            None => {
                let corner = sites.corners[site.0 as usize - sites.walls.len()];
                Self { min: corner, max: corner }
            }
        }
    }

    /// A box around all free discs along an arc. Clearance is largest at one of the ends, and a curve
    /// does not stray further from them than half its length.
    fn of_discs(arc: &Arc) -> Self {
        let piece = &arc.piece;
        let clearance = piece.clearance(piece.from).max(piece.clearance(piece.to));
        let stray = if piece.is_curved() { 0.5 * piece.length() } else { 0.0 };
        let reach = DVec2::splat(clearance + stray + SAME_POINT);
        Self { min: piece.from.min(piece.to) - reach, max: piece.from.max(piece.to) + reach }
    }

    fn with(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    fn meets(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }
}
