//! A body of 60 joints, as games have them: Throng's with three joints per finger and a jaw.

use std::error::Error;
use std::f32::consts::TAU;
use std::sync::Arc;

use glam::{Quat, Vec3, Vec3A};
use throng_motion::{Clip, ClipParts, Human, Joint, JointId, Landmarks, Motion, Pose, Skeleton};

/// How many joints the body has.
pub const JOINTS: usize = 60;

/// A skeleton with the joints of a [`Human`] and more, depth first, as ozz wants them.
pub struct Body {
    human: Human,
    skeleton: Arc<Skeleton>,
    /// For each joint the one of the human it is, or how it is moved.
    sources: Vec<Source>,
}

#[derive(Clone, Copy)]
enum Source {
    Human(usize),
    /// A joint that swings about `axis`, once per cycle.
    Swing {
        axis: Vec3,
        rest: f32,
        amplitude: f32,
        lag: f32,
    },
}

/// A joint before it has its place among the others.
struct Draft {
    name: String,
    parent: Option<usize>,
    translation: Vec3,
    source: Source,
}

impl Body {
    /// The body of `human` with fingers and a jaw.
    pub fn new(human: Human) -> Result<Self, Box<dyn Error>> {
        let drafts = drafts(&human);
        let (order, place) = depth_first(&drafts);
        let mut landmarks = Landmarks::default();
        for (landmark, joint) in human.skeleton().landmarks().iter() {
            landmarks.set(landmark, Some(JointId::new(place[joint.index()])));
        }
        let joints = order.iter().map(|&index| Joint {
            name: drafts[index].name.clone(),
            parent: drafts[index].parent.map(|parent| JointId::new(place[parent])),
            translation: drafts[index].translation,
            rotation: Quat::IDENTITY,
        });
        let skeleton = Arc::new(Skeleton::new(joints.collect(), landmarks)?);
        assert_eq!(skeleton.len(), JOINTS);
        let sources = order.iter().map(|&index| drafts[index].source).collect();
        Ok(Self { human, skeleton, sources })
    }

    /// The human it was made of.
    pub fn human(&self) -> &Human {
        &self.human
    }

    /// All its joints.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// The human's `clip` with moving fingers.
    pub fn dress(&self, clip: &Clip) -> Result<Clip, Box<dyn Error>> {
        let frames = clip.motion().frames();
        let poses: Vec<Pose> = (0..frames)
            .map(|frame| {
                let phase = frame as f32 / frames as f32;
                let rotations = self.sources.iter().map(|source| match *source {
                    Source::Human(joint) => clip.motion().rotations(frame)[joint],
                    Source::Swing { axis, rest, amplitude, lag } => {
                        let angle = rest + amplitude * (TAU * (phase - lag)).sin();
                        Quat::from_axis_angle(axis, angle)
                    }
                });
                Pose { root: clip.motion().roots()[frame], rotations: rotations.collect() }
            })
            .collect();
        let skeleton = self.skeleton.clone();
        let motion = Motion::from_poses(clip.name(), skeleton, clip.motion().rate(), &poses)?;
        Ok(Clip::new(ClipParts {
            kind: clip.kind(),
            motion,
            root: clip.root().clone(),
            contacts: clip.contacts().clone(),
            looped: clip.is_looped(),
        })?)
    }
}

fn drafts(human: &Human) -> Vec<Draft> {
    let joints = human.skeleton().joints();
    let of_human = |(index, joint): (usize, &Joint)| Draft {
        name: joint.name.clone(),
        parent: joint.parent.map(JointId::index),
        translation: joint.translation,
        source: Source::Human(index),
    };
    let mut drafts: Vec<Draft> = joints.iter().enumerate().map(of_human).collect();
    let find = |name: &str| joints.iter().position(|joint| joint.name == name);
    for side in ["Left", "Right"] {
        let knuckles = find(&format!("{side}Fingers"));
        for (number, finger) in ["Index", "Middle", "Ring", "Little"].into_iter().enumerate() {
            let across = Vec3::new(0.0, -0.005, 0.02 * (1.5 - number as f32));
            chain(&mut drafts, knuckles, &format!("{side}{finger}"), across, 3);
        }
        let thumb = find(&format!("{side}Thumb"));
        chain(&mut drafts, thumb, &format!("{side}Thumb"), Vec3::new(0.0, -0.03, 0.0), 2);
    }
    chain(&mut drafts, find("Head"), "Jaw", Vec3::new(0.0, 0.01, 0.06), 1);
    drafts
}

/// `count` joints in a row, the first at `offset` from `parent`.
fn chain(
    drafts: &mut Vec<Draft>,
    mut parent: Option<usize>,
    name: &str,
    offset: Vec3,
    count: usize,
) {
    for number in 1..=count {
        let translation = if number == 1 { offset } else { Vec3::new(0.0, -0.025, 0.0) };
        let lag = 0.07 * drafts.len() as f32;
        let source = Source::Swing { axis: Vec3::Z, rest: 0.3, amplitude: 0.15, lag };
        drafts.push(Draft { name: format!("{name}{number}"), parent, translation, source });
        parent = Some(drafts.len() - 1);
    }
}

/// The drafts depth first, and where each of them is then.
fn depth_first(drafts: &[Draft]) -> (Vec<usize>, Vec<usize>) {
    let (mut order, mut place) = (Vec::new(), vec![0; drafts.len()]);
    let mut open = vec![0];
    while let Some(index) = open.pop() {
        place[index] = order.len();
        order.push(index);
        open.extend((0..drafts.len()).rev().filter(|&child| drafts[child].parent == Some(index)));
    }
    (order, place)
}

/// The root of a pose as ozz keeps it, with the other joints where they are in their parents.
pub fn local_translation(clip: &Clip, frame: usize, joint: usize) -> Vec3A {
    match joint {
        0 => clip.motion().roots()[frame],
        _ => clip.skeleton().joints()[joint].translation.into(),
    }
}
