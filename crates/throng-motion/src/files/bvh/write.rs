//! From a motion to the text of a file.

use std::collections::HashSet;
use std::fmt::Write as _;

use glam::{DQuat, DVec3, Vec3};
use thiserror::Error;

use super::euler::RotationOrder;
use crate::files::mapping::is_unit;
use crate::motion::Motion;
use crate::skeleton::{JointId, Skeleton};

/// How to write a file.
#[derive(Clone, Debug, PartialEq)]
pub struct WriteOptions {
    /// Metres per unit of length. The format has no unit, but most programs take numbers for
    /// centimetres, which is the default; 1 writes metres.
    pub unit: f32,
    /// About which axes the root turns. By default about `y` first: whoever turns round does not
    /// come near the place where angles are not unique.
    pub root_order: RotationOrder,
    /// About which axes other joints turn. By default about `y` in the middle: limbs bend far about
    /// `x` and lift far about `z`, but never twist by a quarter of a turn.
    pub joint_order: RotationOrder,
    /// Where bones end at which no joint is, in the space of the joint, as they were
    /// [read](super::Import::tips). For others a bone of half the length goes on straight ahead.
    pub tips: Vec<(JointId, Vec3)>,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            unit: 0.01,
            root_order: RotationOrder::Yxz,
            joint_order: RotationOrder::Zyx,
            tips: Vec::new(),
        }
    }
}

/// Why a motion cannot be written.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum WriteError {
    /// The unit is no length.
    #[error("the unit is {0} m; write a positive number, e.g. 0.01 for centimetres")]
    Unit(f32),
}

/// The text of a file with `motion`.
///
/// Joints of a file are not turned at rest. If those of the skeleton are, their axes become those of
/// body space: every joint is where it was in every frame, and is turned by as much as it was from
/// how it is at rest.
///
/// White space and braces in names become `_`, since few programs can read them; equal names are
/// numbered.
///
/// # Errors
///
/// If the unit is none.
pub fn write(motion: &Motion, options: &WriteOptions) -> Result<String, WriteError> {
    if !is_unit(options.unit.into()) {
        return Err(WriteError::Unit(options.unit));
    }
    let skeleton = motion.skeleton();
    let writer = Writer {
        skeleton,
        options,
        per_metre: 1.0 / f64::from(options.unit),
        names: names(skeleton),
        children: children(skeleton),
    };
    let mut text = String::from("HIERARCHY\n");
    let order = writer.hierarchy(&mut text);
    writer.frames(motion, &order, &mut text);
    Ok(text)
}

struct Writer<'a> {
    skeleton: &'a Skeleton,
    options: &'a WriteOptions,
    per_metre: f64,
    names: Vec<String>,
    children: Vec<Vec<usize>>,
}

enum Step {
    Open(usize),
    Close,
}

impl Writer<'_> {
    /// Writes the joints, and gives them in the order in which they were written.
    fn hierarchy(&self, text: &mut String) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.skeleton.len());
        let mut steps = vec![Step::Open(0)];
        let mut depth = 0;
        while let Some(step) = steps.pop() {
            match step {
                Step::Close => {
                    depth -= 1;
                    line(text, depth, "}");
                }
                Step::Open(joint) => {
                    let kind = if joint == 0 { "ROOT" } else { "JOINT" };
                    line(text, depth, &format!("{kind} {}", self.names[joint]));
                    line(text, depth, "{");
                    depth += 1;
                    self.joint(joint, depth, text);
                    order.push(joint);
                    steps.push(Step::Close);
                    steps.extend(self.children[joint].iter().rev().map(|child| Step::Open(*child)));
                }
            }
        }
        order
    }

    fn joint(&self, joint: usize, depth: usize, text: &mut String) {
        line(text, depth, &format!("OFFSET {}", self.length(self.offset(joint))));
        let axes = self.order(joint).axes().map(|axis| ["X", "Y", "Z"][axis]);
        let rotations = format!("{}rotation {}rotation {}rotation", axes[0], axes[1], axes[2]);
        let channels = if joint == 0 {
            format!("CHANNELS 6 Xposition Yposition Zposition {rotations}")
        } else {
            format!("CHANNELS 3 {rotations}")
        };
        line(text, depth, &channels);
        let has_tip = self.options.tips.iter().any(|(tip, _)| tip.index() == joint);
        if self.children[joint].is_empty() || has_tip {
            line(text, depth, "End Site");
            line(text, depth, "{");
            line(text, depth + 1, &format!("OFFSET {}", self.length(self.tip(joint))));
            line(text, depth, "}");
        }
    }

    /// From a joint's parent to it at rest, in body space; the root's place.
    fn offset(&self, joint: usize) -> DVec3 {
        let id = JointId::new(joint);
        let parent = self.skeleton.joints()[joint].parent;
        let from = parent.map_or(Vec3::ZERO, |parent| self.skeleton.rest_position(parent));
        self.skeleton.rest_position(id).as_dvec3() - from.as_dvec3()
    }

    fn tip(&self, joint: usize) -> DVec3 {
        let id = JointId::new(joint);
        if let Some((_, tip)) = self.options.tips.iter().find(|(tip, _)| *tip == id) {
            return (self.skeleton.rest_rotation(id) * *tip).as_dvec3();
        }
        // A bone must have a length, or some programs leave it out.
        let offset = if joint == 0 { DVec3::ZERO } else { 0.5 * self.offset(joint) };
        if offset.length() < 1e-3 { DVec3::new(0.0, 0.05, 0.0) } else { offset }
    }

    fn order(&self, joint: usize) -> RotationOrder {
        if joint == 0 { self.options.root_order } else { self.options.joint_order }
    }

    fn length(&self, metres: DVec3) -> String {
        let units = metres * self.per_metre;
        // Ten thousandths of a millimetre, whatever the unit.
        let digits = (self.per_metre.log10().ceil() as i32).clamp(-3, 6);
        let digits = (7 - digits).clamp(2, 10) as usize;
        let part = |value: f64| number(value, digits);
        format!("{} {} {}", part(units.x), part(units.y), part(units.z))
    }

    fn frames(&self, motion: &Motion, order: &[usize], text: &mut String) {
        let seconds = 1.0 / f64::from(motion.rate());
        let _ = writeln!(text, "MOTION\nFrames: {}\nFrame Time: {seconds:.9}", motion.frames());
        let mut before = vec![[0.0; 3]; self.skeleton.len()];
        for frame in 0..motion.frames() {
            let locals = self.rotations(motion, frame);
            text.push_str(&self.length(motion.roots()[frame].as_dvec3()));
            for &joint in order {
                let angles = self.order(joint).angles(locals[joint], before[joint]);
                before[joint] = angles;
                for angle in angles {
                    text.push(' ');
                    text.push_str(&number(angle.to_degrees(), 6));
                }
            }
            text.push('\n');
        }
    }

    /// How each joint is turned in its parent away from rest, along the axes of body space.
    fn rotations(&self, motion: &Motion, frame: usize) -> Vec<DQuat> {
        let rest = |joint: usize| self.skeleton.rest_rotation(JointId::new(joint)).as_dquat();
        let locals = motion.rotations(frame).iter().enumerate();
        locals
            .map(|(joint, local)| {
                let parent = self.skeleton.joints()[joint].parent;
                let above = parent.map_or(DQuat::IDENTITY, |parent| rest(parent.index()));
                (above * local.as_dquat() * rest(joint).inverse()).normalize()
            })
            .collect()
    }
}

fn line(text: &mut String, depth: usize, words: &str) {
    // Thousands of joints below each other need no thousands of tabs each.
    text.extend(std::iter::repeat_n('\t', depth.min(64)));
    text.push_str(words);
    text.push('\n');
}

/// A number without needless zeros.
fn number(value: f64, digits: usize) -> String {
    let mut text = format!("{value:.digits$}");
    if text.contains('.') {
        text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
    }
    if text == "-0" { "0".into() } else { text }
}

fn names(skeleton: &Skeleton) -> Vec<String> {
    let plain = |name: &str| {
        let odd =
            |letter: char| letter.is_whitespace() || letter.is_control() || "{}".contains(letter);
        let name = name.replace(odd, "_");
        if name.is_empty() { "Joint".to_owned() } else { name }
    };
    let mut taken = HashSet::new();
    let mut names = Vec::with_capacity(skeleton.len());
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let mut name = plain(&joint.name);
        let same = name.clone();
        let mut number = index;
        while !taken.insert(name.clone()) {
            number += 1;
            name = format!("{same}_{number}");
        }
        names.push(name);
    }
    names
}

fn children(skeleton: &Skeleton) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); skeleton.len()];
    for (index, joint) in skeleton.joints().iter().enumerate() {
        if let Some(parent) = joint.parent {
            children[parent.index()].push(index);
        }
    }
    children
}
