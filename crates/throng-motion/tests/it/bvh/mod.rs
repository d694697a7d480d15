//! BVH files: what is written comes back, and whatever a file may be is read or refused with reasons.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod assumptions;
mod channels;
mod faults;
mod round_trips;

use glam::{Quat, Vec3, Vec3A};
use proptest::prelude::*;
use throng_motion::files::bvh::{
    self, FirstFrame, Import, ReadError, ReadOptions, RotationOrder, WriteError, WriteOptions,
};
use throng_motion::files::mapping::MappingFile;
use throng_motion::files::{Place, Up};
use throng_motion::{Human, JointId, Landmark, ModelPose, Motion, Pose, Proportions};

use crate::rigs::{Rig, apart, differences, walk};

fn read(text: &str) -> Import {
    read_with(text, &ReadOptions { unit: Some(1.0), ..ReadOptions::default() })
}

fn read_with(text: &str, options: &ReadOptions) -> Import {
    bvh::read(text.as_bytes(), "test", options).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn error(text: &str) -> String {
    match bvh::read(text.as_bytes(), "test", &ReadOptions::default()) {
        Ok(_) => panic!("it was read:\n{text}"),
        Err(error) => error.to_string(),
    }
}

fn exact() -> ReadOptions {
    ReadOptions { unit: Some(0.01), first_frame: FirstFrame::Keep, ..ReadOptions::default() }
}

/// A root with an arm of two joints; the numbers of a frame are six, three and three.
fn arm(frames: &str) -> String {
    format!(
        "HIERARCHY\nROOT Hips\n{{\n\tOFFSET 0 1 0\n\tCHANNELS 6 Xposition Yposition Zposition \
         Zrotation Xrotation Yrotation\n\tJOINT Arm\n\t{{\n\t\tOFFSET 1 0 0\n\t\tCHANNELS 3 \
         Zrotation Xrotation Yrotation\n\t\tJOINT Hand\n\t\t{{\n\t\t\tOFFSET 1 0 0\n\t\t\t\
         CHANNELS 3 Zrotation Xrotation Yrotation\n\t\t\tEnd Site\n\t\t\t{{\n\t\t\t\tOFFSET 0.5 0 \
         0\n\t\t\t}}\n\t\t}}\n\t}}\n}}\nMOTION\n{frames}"
    )
}

const ZEROS: &str = "0 1 0 0 0 0 0 0 0 0 0 0\n";

fn close(a: impl Into<Vec3>, b: impl Into<Vec3>) -> bool {
    a.into().distance(b.into()) < 1e-5
}

fn at(import: &Import, frame: usize, joint: &str) -> Vec3 {
    let skeleton = import.motion.skeleton();
    ModelPose::of(skeleton, &import.motion.pose(frame)).position(skeleton.find(joint).unwrap())
}
