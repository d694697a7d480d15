//! Falling: onto the knees, onto the hands, onto the ground. Played backwards, somebody gets up.

use glam::{FloatExt as _, Vec3};

use super::sketch::{Arm, Foot, Sketch, Trunk};
use super::stand::standing;
use super::steady::GaitError;
use super::style::Style;
use crate::clip::{Clip, ClipKind, ClipParts};
use crate::contact::{Contacts, Side, Span};
use crate::human::Human;
use crate::motion::Motion;
use crate::pose::{ModelPose, Pose};
use crate::root::RootTrack;

/// How somebody falls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Falling {
    /// How the person deviates from the average.
    pub style: Style,
}

/// How long it takes to fall, in seconds.
const DURATION: f32 = 0.8;
const FRAMES: usize = 25;
/// Joints are this far above the ground at least, in metres.
const LOWEST_JOINT: f32 = 0.012;
/// When the knees meet the ground, when the hands do, and when all of the body does.
const MOMENTS: [f32; 4] = [0.0, 0.4, 0.7, 1.0];

impl Falling {
    /// From standing to lying face down, ahead of where they stood and behind it alike.
    ///
    /// # Errors
    ///
    /// If no body can have that style.
    pub fn clip(&self, human: &Human) -> Result<Clip, GaitError> {
        if let Some((name, value)) = self.style.fault() {
            return Err(GaitError::Style { name, value });
        }
        let moments =
            [standing(human, &self.style, 0.0), kneeling(human), on_all_fours(human), lying(human)];
        let poses: Vec<Pose> = (0..FRAMES)
            .map(|frame| {
                let at = frame as f32 / (FRAMES - 1) as f32;
                let next = MOMENTS.partition_point(|moment| *moment <= at).clamp(1, 3);
                let (from, to) = (MOMENTS[next - 1], MOMENTS[next]);
                let part = at.smoothstep(from, to);
                lifted(moments[next - 1].lerp(&moments[next], part).pose(human), human)
            })
            .collect();
        let rate = (FRAMES - 1) as f32 / DURATION;
        let motion = Motion::from_poses("fall", human.skeleton().clone(), rate, &poses)?;
        // Until the heels come up.
        let stand = vec![Span { start: 0.0, length: 0.25 * MOMENTS[1] }];
        Ok(Clip::new(ClipParts {
            kind: ClipKind::Fall,
            motion,
            root: RootTrack::still(FRAMES),
            contacts: Contacts::two([stand.clone(), stand]),
            looped: false,
        })?)
    }
}

/// The pose so high up that all joints are above the ground: between two moments toes may dip into it.
fn lifted(mut pose: Pose, human: &Human) -> Pose {
    let model = ModelPose::of(human.skeleton(), &pose);
    let lowest = model.positions.iter().map(|position| position.y).fold(f32::INFINITY, f32::min);
    pose.root.y += (LOWEST_JOINT - lowest).max(0.0);
    pose
}

/// On the knees and the tips of the toes, the hands ahead.
fn kneeling(human: &Human) -> Sketch {
    let body = human.proportions();
    let knee = 0.06 * body.leg();
    Sketch {
        root: Vec3::new(0.0, 0.97 * body.thigh + knee, 0.05 * body.leg()),
        pelvis: flexed(20.0),
        lumbar: flexed(15.0),
        thorax: flexed(20.0),
        head: flexed(-25.0),
        arms: [arm(65.0, 15.0, 35.0); 2],
        feet: feet(human, 0.15 * body.leg() - 0.97 * body.shank, (-80.0, 55.0)),
    }
}

/// On knees and hands, about to go down.
fn on_all_fours(human: &Human) -> Sketch {
    let body = human.proportions();
    Sketch {
        root: Vec3::new(0.0, 0.62 * body.thigh, -0.1 * body.leg()),
        pelvis: flexed(68.0),
        lumbar: flexed(8.0),
        thorax: flexed(5.0),
        head: flexed(-35.0),
        arms: [arm(80.0, 20.0, 55.0); 2],
        feet: feet(human, -0.2 * body.leg() - 0.95 * body.shank, (-95.0, 50.0)),
    }
}

/// Face down, an arm beside the head, which is turned to it.
fn lying(human: &Human) -> Sketch {
    let body = human.proportions();
    let leg = body.thigh + body.shank;
    // Forearms lie on the ground, beside the head and beside the body.
    let outwards = |arm: Arm, degrees: f32| Arm { rotation: -degrees.to_radians(), ..arm };
    let up = outwards(arm(5.0, 115.0, 80.0), 90.0);
    let down = outwards(arm(0.0, 18.0, 20.0), 60.0);
    let mut sketch = Sketch {
        root: Vec3::new(0.0, 0.125 * body.leg(), 0.0),
        pelvis: flexed(88.0),
        lumbar: flexed(-2.0),
        thorax: flexed(-1.0),
        head: Trunk { rotation: 65f32.to_radians(), ..flexed(-10.0) },
        arms: [up, down],
        feet: feet(human, -0.985 * leg, (-135.0, 0.0)),
    };
    // One knee is drawn up a little.
    let ankle = &mut sketch.feet[Side::Left as usize].ankle;
    *ankle += Vec3::new(0.12 * leg, 0.0, 0.06 * leg);
    sketch
}

fn flexed(degrees: f32) -> Trunk {
    Trunk { flexion: degrees.to_radians(), ..Trunk::default() }
}

fn arm(flexion: f32, abduction: f32, elbow: f32) -> Arm {
    let [flexion, abduction, elbow] = [flexion, abduction, elbow].map(f32::to_radians);
    Arm { flexion, abduction, rotation: 0.0, elbow }
}

/// Feet on the ground behind, with soles and toes bent by so many degrees.
fn feet(human: &Human, behind: f32, (pitch, toes): (f32, f32)) -> [Foot; 2] {
    let body = human.proportions();
    Side::BOTH.map(|side| Foot {
        ankle: Vec3::new(side.sign() * 1.15 * body.hip_half_width, 0.085 * body.leg(), behind),
        yaw: side.sign() * 0.1,
        pitch: pitch.to_radians(),
        toes: toes.to_radians(),
    })
}
