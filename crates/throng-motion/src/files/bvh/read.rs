//! From the text of a file to a motion.

use std::sync::Arc;

use glam::{DQuat, DVec3, Quat, Vec3, Vec3A};

use super::body::{facing, feet, guess_unit, standing_height, turn_ahead};
use super::frames::{self, Frames};
use super::hierarchy::{self, Channel, Hierarchy, Node};
use super::stretch::{Places, place};
use super::text::Scanner;
use super::{FirstFrame, Import, ReadError, ReadOptions};
use crate::files::mapping::is_unit;
use crate::files::{Place, Up, Warnings};
use crate::landmark::{Landmark, Landmarks};
use crate::motion::Motion;
use crate::skeleton::{Joint, JointId, Skeleton};

/// Reads a motion called `name` from the contents of a file.
///
/// # Errors
///
/// If the text is no BVH, with the place of what is wrong; or if the mapping names joints that the
/// file does not have.
pub fn read(contents: &[u8], name: &str, options: &ReadOptions) -> Result<Import, ReadError> {
    if let Some(unit) = options.unit
        && !is_unit(unit.into())
    {
        return Err(ReadError::Unit(unit));
    }
    let mut warnings = Warnings::default();
    let text = String::from_utf8_lossy(contents);
    if matches!(text, std::borrow::Cow::Owned(_)) {
        warnings.add(Place::File, "the text is not UTF-8", "what is not is replaced by \u{fffd}");
    }
    let mut scanner = Scanner::new(&text);
    let Hierarchy { mut nodes, numbers } = hierarchy::parse(&mut scanner, &mut warnings)?;
    let frames = frames::parse(&mut scanner, (numbers, nodes.len()), &mut warnings)?;

    let raw = raw_skeleton(&nodes, DQuat::IDENTITY, Landmarks::default())?;
    let landmarks = options.mapping.map(&raw).map_err(ReadError::Mapping)?;
    let said = options.up.or(options.mapping.up);
    let up = said.unwrap_or_else(|| {
        guessed_up(&nodes, &frames, numbers, landmarks.landmarks(), &mut warnings)
    });
    let basis = upright(up);
    let raw = raw_skeleton(&nodes, basis, *landmarks.landmarks())?;
    let unit = match options.unit.or(options.mapping.unit) {
        Some(unit) => f64::from(unit),
        None => guessed_unit(&raw, &nodes, basis, &mut warnings),
    };
    let basis = ahead(options, &raw, &mut warnings) * basis;

    let carried = carried_joint(&nodes, &frames, numbers, unit);
    for (index, node) in nodes.iter_mut().enumerate().skip(1) {
        if let Some(places) = Places::of(node, &frames.numbers, numbers) {
            let carried = carried.as_ref().is_some_and(|(carried, _)| *carried == index);
            places.settle(node, unit, carried, &mut warnings);
        }
    }
    let skeleton = Skeleton::new(joints(&nodes, basis, unit), *landmarks.landmarks())?;
    let posing = Posing { nodes: &nodes, frames: &frames, width: numbers, basis, unit, carried };
    let motion = posing.motion(name, Arc::new(skeleton))?;
    let mut motion = without_reference(motion, options.first_frame, &mut warnings)?;
    let tips = nodes.iter().enumerate().filter_map(|(index, node)| {
        Some((JointId::new(index), (basis * (unit * node.tip?)).as_vec3()))
    });
    let tips: Vec<(JointId, Vec3)> = tips.collect();
    if nodes[0].offset == DVec3::ZERO {
        motion = put_on_ground(&motion, &tips)?;
    }
    Ok(Import { motion, landmarks, unit: unit as f32, tips, warnings })
}

/// The turn that makes `up` point along `y`.
fn upright(up: Up) -> DQuat {
    match up {
        Up::Y => DQuat::IDENTITY,
        Up::Z => DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2),
    }
}

/// The skeleton in units of the file, to look at.
fn raw_skeleton(nodes: &[Node], basis: DQuat, landmarks: Landmarks) -> Result<Skeleton, ReadError> {
    Ok(Skeleton::new(joints(nodes, basis, 1.0), landmarks)?)
}

/// The axis along which the body is upright, at rest as well as in the frames: `y` if there is any
/// doubt.
fn guessed_up(
    nodes: &[Node],
    frames: &Frames,
    width: usize,
    landmarks: &Landmarks,
    warnings: &mut Warnings,
) -> Up {
    const LOOKED_AT: usize = 20;
    let top = landmarks.get(Landmark::Head).or_else(|| landmarks.get(Landmark::Neck1));
    let Some((hips, top)) = landmarks.get(Landmark::Hips).zip(top) else { return Up::Y };
    let is_up = |row: Option<&[f64]>| {
        let trunk = trunk(nodes, (hips.index(), top.index()), row);
        trunk.try_normalize().is_some_and(|trunk| trunk.z > 0.7)
    };
    let step = frames.count.div_ceil(LOOKED_AT).max(1);
    let rows = frames.numbers.chunks_exact(width.max(1)).step_by(step);
    let (upright, all) =
        rows.fold((0, 0), |(upright, all), row| (upright + usize::from(is_up(Some(row))), all + 1));
    if !is_up(None) || 2 * upright < all {
        return Up::Y;
    }
    let found = "the body is upright along z, at rest and in the frames";
    warnings.add(Place::File, found, "z is taken to point up; the option `up` can say otherwise");
    Up::Z
}

/// From one joint to another that hangs from it, in a frame or at rest.
fn trunk(nodes: &[Node], (hips, top): (usize, usize), row: Option<&[f64]>) -> DVec3 {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let turned =
        |node: &Node| row.map_or(Quat::IDENTITY, |row| rotation(node, row, axes)).as_dquat();
    let mut way = DVec3::ZERO;
    let mut at = Some(top);
    let mut below_hips = true;
    while let Some(index) = at {
        let node = &nodes[index];
        way = turned(node) * way;
        below_hips &= index != hips;
        if below_hips {
            way += node.offset;
        }
        at = node.parent;
    }
    way
}

fn joints(nodes: &[Node], basis: DQuat, unit: f64) -> Vec<Joint> {
    let joint = |node: &Node| Joint {
        name: node.name.clone(),
        parent: node.parent.map(JointId::new),
        translation: (basis * (unit * node.offset)).as_vec3(),
        rotation: Quat::IDENTITY,
    };
    nodes.iter().map(joint).collect()
}

fn guessed_unit(raw: &Skeleton, nodes: &[Node], basis: DQuat, warnings: &mut Warnings) -> f64 {
    let (unit, done) = guess_unit(raw, nodes, basis);
    warnings.add(Place::File, "the format has no unit of length", done);
    // What is guessed for specks and giants must be a unit, too.
    unit.clamp(1e-6, 1e3)
}

/// The turn about the vertical after which the body faces `+Z`.
fn ahead(options: &ReadOptions, raw: &Skeleton, warnings: &mut Warnings) -> DQuat {
    let landmarks = raw.landmarks();
    warn_of_axes(raw, warnings);
    let Some(facing) = facing(raw, landmarks) else { return DQuat::IDENTITY };
    if feet(raw, landmarks).is_some_and(|feet| feet.dot(facing) < -0.5) {
        warnings.add(
            Place::File,
            "the feet point back, as if left and right were exchanged",
            "the names are believed; a mapping can say otherwise",
        );
    }
    let turn = turn_ahead(facing);
    if options.keep_facing || turn == 0.0 {
        return DQuat::IDENTITY;
    }
    let found = format!("at rest the body faces {}", described(facing));
    warnings.add(
        Place::File,
        found,
        format!("everything is turned by {:.0}° to face +z", turn.to_degrees()),
    );
    DQuat::from_rotation_y(turn.into())
}

/// Says so if the body does not seem to be upright.
fn warn_of_axes(raw: &Skeleton, warnings: &mut Warnings) {
    let at = |landmark| raw.landmark(landmark).map(|joint| raw.rest_position(joint));
    let top = [Landmark::Head, Landmark::Neck1].into_iter().find_map(at);
    let up = top.zip(at(Landmark::Hips)).and_then(|(top, hips)| (top - hips).try_normalize());
    if let Some(up) = up.filter(|up| up.y < 0.7) {
        let found = format!("at rest the body is upright along {}, not y", described(up));
        warnings.add(
            Place::File,
            found,
            "it is read as it is; the option `up` can be another axis",
        );
    }
}

/// The axis nearest to a direction.
fn described(direction: Vec3) -> &'static str {
    let axes = [
        (Vec3::X, "+x"),
        (Vec3::NEG_X, "-x"),
        (Vec3::Y, "+y"),
        (Vec3::NEG_Y, "-y"),
        (Vec3::Z, "+z"),
        (Vec3::NEG_Z, "-z"),
    ];
    let nearest = axes.into_iter().max_by(|a, b| a.0.dot(direction).total_cmp(&b.0.dot(direction)));
    nearest.map_or("nowhere", |(_, name)| name)
}

/// The joint that moves instead of the root: the first below it that does, as long as nothing else
/// hangs from the joints above it.
fn carried_joint(
    nodes: &[Node],
    frames: &Frames,
    width: usize,
    unit: f64,
) -> Option<(usize, Places)> {
    let mut index = 0;
    loop {
        let mut children =
            (index + 1..nodes.len()).filter(|child| nodes[*child].parent == Some(index));
        let child = children.next().filter(|_| children.next().is_none())?;
        let places = Places::of(&nodes[child], &frames.numbers, width);
        if let Some(places) = places.filter(|places| places.moves(unit)) {
            return Some((child, places));
        }
        index = child;
    }
}

/// What it takes to make poses of numbers.
struct Posing<'a> {
    nodes: &'a [Node],
    frames: &'a Frames,
    width: usize,
    basis: DQuat,
    unit: f64,
    carried: Option<(usize, Places)>,
}

impl Posing<'_> {
    fn motion(&self, name: &str, skeleton: Arc<Skeleton>) -> Result<Motion, ReadError> {
        let count = self.nodes.len();
        if self.frames.count == 0 {
            let root = skeleton.rest_position(JointId::ROOT).into();
            let rotations = vec![Quat::IDENTITY; count];
            return Ok(Motion::new(name, skeleton, self.frames.rate, vec![root], rotations)?);
        }
        let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| self.basis * axis);
        let mut roots = Vec::with_capacity(self.frames.count);
        let mut rotations = Vec::with_capacity(self.frames.count * count);
        for row in self.frames.numbers.chunks_exact(self.width) {
            let first = rotations.len();
            rotations.extend(self.nodes.iter().map(|node| rotation(node, row, axes)));
            roots.push(self.root(row, &rotations[first..], &skeleton));
        }
        Ok(Motion::new(name, skeleton, self.frames.rate, roots, rotations)?)
    }

    /// Where the root is: where the file says, and moved by what it does not carry.
    fn root(&self, row: &[f64], rotations: &[Quat], skeleton: &Skeleton) -> Vec3A {
        let root = &self.nodes[0];
        let has_place = root.channels.iter().any(|channel| matches!(channel, Channel::Position(_)));
        let mut at = if has_place {
            (self.basis * (self.unit * place(root, row))).as_vec3()
        } else {
            skeleton.rest_position(JointId::ROOT)
        };
        if let Some((carried, places)) = &self.carried {
            let node = &self.nodes[*carried];
            let by = self.basis * (self.unit * (places.at(node, row) - node.offset));
            let mut turned = Quat::IDENTITY;
            let mut above = node.parent;
            while let Some(index) = above {
                turned = rotations[index] * turned;
                above = self.nodes[index].parent;
            }
            at += turned * by.as_vec3();
        }
        at.into()
    }
}

/// A joint's rotation: about its axes one after the other, the first channel being the outermost.
fn rotation(node: &Node, row: &[f64], axes: [DVec3; 3]) -> Quat {
    let mut rotation = DQuat::IDENTITY;
    for (channel, number) in node.channels.iter().zip(&row[node.first_number..]) {
        if let Channel::Rotation(axis) = channel {
            rotation *= DQuat::from_axis_angle(axes[*axis], (number % 360.0).to_radians());
        }
    }
    rotation.normalize().as_quat()
}

/// A root without a place of its own is put where the body stands on the ground at rest.
fn put_on_ground(motion: &Motion, tips: &[(JointId, Vec3)]) -> Result<Motion, ReadError> {
    let mut joints = motion.skeleton().joints().to_vec();
    joints[0].translation.y = standing_height(motion, tips);
    let skeleton = Skeleton::new(joints, *motion.skeleton().landmarks())?;
    let rotations = (0..motion.frames()).flat_map(|frame| motion.rotations(frame).iter().copied());
    let (rate, roots) = (motion.rate(), motion.roots().to_vec());
    Ok(Motion::new(motion.name(), Arc::new(skeleton), rate, roots, rotations.collect())?)
}

/// Leaves out a first frame that was added for reference.
fn without_reference(
    motion: Motion,
    first_frame: FirstFrame,
    warnings: &mut Warnings,
) -> Result<Motion, ReadError> {
    let drop = match first_frame {
        FirstFrame::Keep => false,
        FirstFrame::Drop => motion.frames() > 1,
        FirstFrame::Detect => begins_with_reference(&motion),
    };
    if !drop {
        return Ok(motion);
    }
    if first_frame == FirstFrame::Detect {
        let found = "the first frame is a pose for reference, from which the body jumps";
        warnings.add(Place::File, found, "it is left out");
    }
    let rotations = (1..motion.frames()).flat_map(|frame| motion.rotations(frame).to_vec());
    let (skeleton, roots) = (motion.skeleton().clone(), motion.roots()[1..].to_vec());
    Ok(Motion::new(motion.name(), skeleton, motion.rate(), roots, rotations.collect())?)
}

/// Whether the first frame is nearly the pose at rest, and the second far away from it and moving
/// far less to the third and on.
fn begins_with_reference(motion: &Motion) -> bool {
    const LOOKED_AT: usize = 20;
    // Joints below the root: where the body stands and faces says nothing.
    let apart = |a: &[Quat], b: &[Quat]| -> f32 {
        let angles = a.iter().zip(b).skip(1).map(|(a, b)| a.angle_between(*b));
        angles.sum::<f32>() / (a.len() - 1).max(1) as f32
    };
    let last = motion.frames().min(LOOKED_AT);
    if last < 4 {
        return false;
    }
    let step = |frame: usize| apart(motion.rotations(frame), motion.rotations(frame + 1));
    // Captured motions have jumps of their own now and then, so that the largest tells little.
    let mut usual: Vec<f32> = (1..last - 1).map(step).collect();
    usual.sort_by(f32::total_cmp);
    let (median, largest) = (usual[usual.len() / 2], usual[usual.len() - 1]);
    let rest = vec![Quat::IDENTITY; motion.skeleton().len()];
    let jump = step(0);
    jump > 3f32.to_radians()
        && jump > 8.0 * median
        && jump > 2.0 * largest
        && apart(motion.rotations(0), &rest) < apart(motion.rotations(1), &rest)
}
