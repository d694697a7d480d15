//! What people want: goals, one after the other, and what becomes of whoever has achieved them all.

use glam::Vec2;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_base::random::Random;

use super::{GroupId, LayerId, RegionId, Span, Wait};

/// One thing a person wants. It ends when it is achieved or its time is up.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// What is wanted.
    pub aim: Aim,
    /// Speed for this goal, m/s, instead of the person's preferred speed.
    pub speed: Option<f32>,
    /// Longest time on this goal, s; may be infinite.
    pub duration: f32,
    /// How long people stay, for an idle goal at which that varies; [`Self::duration`] is the longest time then.
    pub wait: Option<Wait>,
    /// How people choose among the ways there are.
    pub ways: Ways,
    /// Where this stands in the scene file.
    pub span: Span,
}

impl Goal {
    /// A goal without limits that was not read from a file.
    pub fn new(aim: Aim) -> Self {
        Self { aim, speed: None, duration: f32::INFINITY, wait: None, ways: Ways::Best, span: 0..0 }
    }

    /// The longest time that person number `id` spends on it, s, if it is the `count`-th goal that they begin.
    pub fn time_of(&self, random: Random, id: u32, count: u32) -> f32 {
        self.wait.as_ref().map_or(self.duration, |wait| wait.of(random, id, count))
    }
}

/// How people choose among the ways to a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Ways {
    /// Everyone takes the best way, as it seems to them.
    #[default]
    Best,
    /// They are spread over ways that differ.
    Many,
}

/// What a [`Goal`] is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Aim {
    /// Go to a point.
    Seek {
        /// The point.
        point: Vec2,
        /// Its floor.
        layer: LayerId,
        /// Achieved at this distance, m.
        within: f32,
    },
    /// Go to a place drawn at random from a region when the goal begins.
    SeekRandom {
        /// Where to draw from.
        region: RegionId,
        /// Achieved at this distance from the drawn point, m.
        within: f32,
    },
    /// Go into a region by its nearest point; achieved inside it.
    SeekRegion {
        /// The region.
        region: RegionId,
    },
    /// Go into whichever of several regions is nearest by the ways there are; achieved inside any.
    SeekNearest {
        /// The regions, at least one.
        regions: Vec<RegionId>,
    },
    /// Catch up with someone.
    SeekTarget {
        /// Whom.
        target: Target,
        /// Achieved at this gap between the bodies, m.
        within: f32,
    },
    /// Walk along a line, as near to it as walls permit, to its end.
    Follow {
        /// Its points with their floors, at least two.
        line: Vec<(LayerId, Vec2)>,
        /// The width of the strip along it that people spread over, m.
        width: f32,
        /// Achieved at this distance from its end, m.
        within: f32,
    },
    /// Get away from a point.
    Flee {
        /// The point.
        point: Vec2,
        /// Its floor; people on other floors have achieved this goal.
        layer: LayerId,
        /// Achieved at this distance, m; may be infinite.
        beyond: f32,
    },
    /// Get away from someone.
    FleeTarget {
        /// From whom.
        target: Target,
        /// Achieved at this distance, m; may be infinite.
        beyond: f32,
    },
    /// Walk in a direction until the time is up.
    Flow {
        /// Unit vector.
        direction: Vec2,
    },
    /// Walk the way the people around one walk, until the time is up.
    FollowCrowd,
    /// Stay where one is until the time is up.
    Idle,
}

impl Aim {
    /// Whether it is to get to a place, to which there may be a way.
    pub fn is_place(&self) -> bool {
        match self {
            Self::Seek { .. }
            | Self::SeekRandom { .. }
            | Self::SeekRegion { .. }
            | Self::SeekNearest { .. }
            | Self::SeekTarget { .. }
            | Self::Follow { .. } => true,
            Self::Flee { .. }
            | Self::FleeTarget { .. }
            | Self::Flow { .. }
            | Self::FollowCrowd
            | Self::Idle => false,
        }
    }
}

/// Someone who moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// A person listed in the scene: index of the group, index in [`Group::people`](super::Group::people).
    Person {
        /// The group.
        group: GroupId,
        /// Index in the group's list.
        index: u32,
    },
    /// Whoever of a group is nearest.
    Group(GroupId),
}

/// What people do after their last goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Then {
    /// Stand where they are.
    #[default]
    Stay,
    /// Leave the simulation.
    Leave,
    /// Begin again with the first goal.
    Repeat,
}
