//! Somebody's eyes: what they attend to, and how they look at it.

use glam::{Quat, Vec3};
use throng_base::random::Random;
use throng_motion::Pose;
use throng_motion::gaze::{
    Anatomy, Attention, Bearings, Gaze, GazeOptions, Look, Onlooker, Phase, Subject,
};
use throng_world::Temperament;
use throng_world::temperament::TraitGain;

use super::sights::{PassersBy, Sights};

/// Every so many seconds people choose what to look at.
const CHOOSING: f32 = 0.16;

/// How interesting something has to be to be looked at, by traits: who is open looks at more.
pub const INDIFFERENCE: TraitGain = TraitGain::new([-0.3, 0.0, 0.0, 0.0, 0.0]);

/// What somebody attends to, and how they look at it.
#[derive(Clone, Debug)]
pub(super) struct Looking {
    attention: Attention,
    /// What they would look at if they were neither open nor the contrary.
    threshold: f32,
    gaze: Gaze,
    subject: Option<Subject>,
    /// Whether they are to look ahead.
    is_ahead: bool,
    /// How long ago they chose, s.
    since: f32,
    look: Look,
}

/// What somebody looks from.
pub(super) struct Standpoint {
    pub bearings: Bearings,
    /// How they move in the world, m/s.
    pub velocity: Vec3,
}

impl Looking {
    /// The eyes of a person who is like that.
    pub fn new(seed: u64, person: u32, temperament: Temperament) -> Self {
        let attention = Attention::of(Random::new(seed), u64::from(person));
        let mut looking = Self {
            threshold: attention.traits.threshold,
            attention,
            gaze: Gaze::default(),
            subject: None,
            is_ahead: false,
            // Not everybody chooses in the same frame.
            since: CHOOSING * (person % 8) as f32 / 8.0,
            look: Look::default(),
        };
        looking.take_after(temperament);
        looking
    }

    /// Who is open looks at what others do not look at.
    pub fn take_after(&mut self, temperament: Temperament) {
        self.attention.traits.threshold = self.threshold * INDIFFERENCE.of(Some(temperament));
    }

    pub fn gaze(&self) -> &Gaze {
        &self.gaze
    }

    pub fn look(&self) -> &Look {
        &self.look
    }

    /// Whether they look ahead and are to do so.
    pub fn is_at_rest(&self) -> bool {
        self.is_ahead && self.gaze.phase() == Phase::Idle
    }

    /// Looks around for some seconds: turns the joints of `pose`.
    pub fn step(
        &mut self,
        person: u32,
        anatomy: &Anatomy,
        standpoint: &Standpoint,
        (sights, crowd): (&Sights, &PassersBy),
        pose: &mut Pose,
        seconds: f32,
    ) {
        let options = GazeOptions::default();
        let Standpoint { bearings, velocity } = standpoint;
        self.is_ahead = false;
        self.since += seconds;
        if self.since >= CHOOSING {
            let (eyes, _) = anatomy.sight(pose);
            let eyes = bearings.to_world(eyes);
            let ahead = Quat::from_rotation_y(bearings.placement.yaw) * Vec3::Z;
            let me = Onlooker {
                subject: Some(Subject::person(u64::from(person))),
                eyes,
                // Who bows sees what is below them, but things come from ahead.
                forward: ahead,
                velocity: *velocity,
            };
            let sees =
                |interest: &throng_motion::gaze::Interest| sights.is_free(eyes, interest.position);
            let chosen = self.attention.choose(&me, crowd.around(sights, eyes), sees, self.since);
            self.subject = chosen.map(|target| target.subject);
            self.since = 0.0;
        }
        let target = self.subject.and_then(|subject| crowd.find(sights, subject));
        self.gaze.look(target);
        self.look = self.gaze.step(anatomy, bearings, pose, seconds, &options);
        if let (Some(target), false) = (target, self.look.reachable) {
            self.attention.dismiss(target.subject);
            self.subject = None;
        }
    }

    /// Looks ahead again, quickly, and goes on to do so.
    pub fn look_ahead(
        &mut self,
        anatomy: &Anatomy,
        bearings: &Bearings,
        pose: &mut Pose,
        seconds: f32,
    ) {
        let options = GazeOptions::default();
        if !self.is_ahead {
            (self.subject, self.is_ahead) = (None, true);
            self.gaze.fade(&options);
        }
        self.look = self.gaze.step(anatomy, bearings, pose, seconds, &options);
    }
}
