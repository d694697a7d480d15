//! The bodies that pages are shown, which follow the simulation or the recording one-way.
//!
//! The [pipeline](throng::animation) gives everybody a level by how pages look at them: a few have full bodies, the others are
//! in one of a few poses, which pages draw as meshes or as pictures. All go on in step, so that nobody changes their pose
//! when they change their level.
//!
//! A simulation may make ten steps per second, and a recording may have two frames: too few to walk by. So the time
//! between two states is divided, and everybody follows targets that lie between those of both. No body goes
//! back into the simulation. Only if an author wants so, those are simulated with less effort whom nobody sees well: then the
//! scaler says who ([`StudioBodies::efforts`]).

use std::time::{Duration, Instant};

use axum::body::Bytes;
use throng::animation::{Pipeline, PipelineStage};
use throng::bodies::variety::Descriptor;
use throng::bodies::variety::Wardrobe as Dressed;
use throng::bodies::{Ensemble, LodBodies, Look, Member, MotionTarget, Viewer};
use throng::scaler::{BodyLevel, Budget, Effort, FALLEN, Scaler, ScalerOptions, Subject, View};
use throng_base::frame::ground_to_world;
use throng_motion::carpet::Report;
use throng_motion::gaze::{Kind, Phase};
use throng_world::Scene;

use super::poses::{Poses, nobody};
use super::skate::Skate;
use super::wardrobe::Wardrobe;
use crate::frame::{Moment, Standing};
use crate::protocol::{
    BodyState, Foot, FootSlip, GazePhase, GazeTarget, LevelCounts, LooksAt, Name, PerName, Skating,
    Underfoot,
};

/// Poses per second that pages are sent, of simulated time, or of time on the wall if that passes more slowly.
const RATE: f64 = 30.0;
/// Moments between two states at most.
const MOST_MOMENTS: f64 = 32.0;
/// If more time has passed than this, s, everybody begins anew where they are: time has jumped.
const LONGEST: f64 = 2.0;
/// Times that differ by less, s, are the same, but for rounding.
const INSTANT: f64 = 1e-9;
/// If time passes faster than this, feet are not planted: nobody could see it, and bodies would cost too much.
const FASTEST_PLANTED: f64 = 4.0;

/// The bodies of everybody who is shown.
pub(crate) struct StudioBodies {
    pipeline: Pipeline,
    /// Who is looked at closely, however far away.
    watched: Option<u32>,
    /// When everybody was judged last, on the wall: levels are for those who look.
    judged: Instant,
    /// What the scene calls the things that can be looked at.
    names: Vec<String>,
    /// The time of the newest poses, and everybody's targets then.
    at: Option<f64>,
    targets: Vec<MotionTarget>,
    skate: Skate,
    /// Whose looks pages know, in ascending order.
    told: Vec<u32>,
    /// How long it took to make the newest poses.
    pub effort: Duration,
}

/// What is to be told of a moment.
pub(crate) struct Following {
    /// The poses of those with bodies of their own.
    pub poses: Bytes,
    /// What everybody's body is like, in ascending order of id; nothing while time runs backwards.
    pub standings: Option<Vec<Standing>>,
}

impl StudioBodies {
    /// Nobody yet, in `scene`, whose seed decides who looks how.
    pub fn new(wardrobe: &Wardrobe, scene: &Scene) -> Self {
        let ensemble = Ensemble::new(wardrobe.cast.clone(), scene.settings.seed).in_scene(scene);
        let skate = Skate::of(&ensemble);
        let mut pipeline = Pipeline::new(Some(scene));
        pipeline.set_bodies(Some(ensemble));
        pipeline.set_scaling(Some(ScalerOptions::default()));
        Self {
            pipeline,
            watched: None,
            judged: Instant::now(),
            names: names(scene),
            at: None,
            targets: Vec::new(),
            skate,
            told: Vec::new(),
            effort: Duration::ZERO,
        }
    }

    fn bodies(&self) -> &LodBodies {
        self.pipeline.lod_bodies().expect("people of a studio have bodies")
    }

    fn scaler(&self) -> &Scaler {
        self.pipeline.scaler().expect("people of a studio have levels")
    }

    /// Goes on in a scene that was edited.
    pub fn adopt(&mut self, scene: &Scene) {
        self.pipeline.adopt(scene);
        self.skate = Skate::of(self.bodies().ensemble());
        self.names = names(scene);
        // Somebody may look otherwise now.
        self.told.clear();
    }

    /// From now on these look at the crowd, and can draw so many bodies.
    pub fn set_views(&mut self, views: &[View], budget: Budget) {
        self.pipeline.set_views(views);
        let options = ScalerOptions { budget, ..*self.scaler().options() };
        self.pipeline.set_scaling(Some(options));
    }

    /// Notes how long the newest step of the simulation took: a budget in time goes by it.
    pub fn simulated(&mut self, took: Duration) {
        self.pipeline.simulated(took);
    }

    /// The effort to simulate everybody with, in ascending order of id.
    pub fn efforts(&self) -> impl Iterator<Item = (u32, Effort)> + '_ {
        self.pipeline.efforts()
    }

    /// Who is looked at closely from now on, however far away.
    pub fn watch(&mut self, person: Option<u32>) {
        self.watched = person;
    }

    /// Who is to be noticed from now on.
    pub fn set_viewers(&mut self, viewers: &[Viewer]) {
        self.pipeline.set_viewers(viewers);
    }

    /// Forgets everybody.
    pub fn clear(&mut self) {
        self.pipeline.clear();
        self.at = None;
        self.targets.clear();
        self.skate.clear();
    }

    /// How many have full bodies.
    pub fn len(&self) -> usize {
        self.bodies().ensemble().members().len()
    }

    /// Follows to a moment at which everybody has these targets, in ascending order of id, and tells all poses on the
    /// way. States are `interval` seconds apart: those who are there at first have moved for a part of it already. `speed` is how
    /// fast time passes; backwards nobody has a body.
    pub fn follow(
        &mut self,
        moment: &Moment,
        mut targets: Vec<MotionTarget>,
        interval: f64,
        speed: f64,
    ) -> Following {
        let begin = Instant::now();
        if speed < 0.0 {
            self.clear();
            return Following { poses: nobody(moment), standings: None };
        }
        targets.iter_mut().for_each(|target| target.planted = speed <= FASTEST_PLANTED);
        let passed = self.at.map(|at| moment.time - at).filter(|passed| {
            let is_same = passed.abs() < INSTANT;
            is_same || (0.0..=LONGEST).contains(passed)
        });
        if passed.is_none() {
            self.clear();
        }
        let is_new = passed.is_none();
        let passed = passed.map_or(interval, |passed| if passed < INSTANT { 0.0 } else { passed });
        self.judge(&targets, begin);
        // A little less, so that three thirtieths are not four moments.
        let count = (passed * RATE / speed.max(1.0) - 1e-6).ceil().clamp(1.0, MOST_MOMENTS) as u32;
        let seconds = (passed / f64::from(count)) as f32;
        let mut on_the_way = Vec::with_capacity(targets.len());
        let mut poses = Poses::new(moment.epoch);
        // Nobody was there before the first state.
        for index in if is_new { count } else { 1 }..=count {
            let part = f64::from(index) / f64::from(count);
            let (from, to) = (&self.targets, &targets);
            MotionTarget::between(from, to, part as f32, passed as f32, &mut on_the_way);
            self.pipeline.follow(&on_the_way, seconds);
            let time = moment.time - passed * (1.0 - part);
            let members = self.pipeline.bodies().map_or(&[][..], Ensemble::members);
            poses.push(time, members);
            if seconds > 0.0 {
                self.skate.note(members, time, seconds);
            }
        }
        self.at = Some(moment.time);
        self.targets = targets;
        self.effort = begin.elapsed();
        let everybody = self.bodies().everybody();
        let members = self.bodies().ensemble().members().iter();
        Following {
            poses: poses.finish(members.map(|member| (member.id, &member.role))),
            standings: Some(everybody.map(|(posed, level)| Standing::of(posed, level)).collect()),
        }
    }

    /// Gives everybody the level that they are worth to those who look.
    fn judge(&mut self, targets: &[MotionTarget], now: Instant) {
        let seconds = (now - self.judged).as_secs_f32();
        self.judged = now;
        let watched = self.watched;
        let subjects = targets.iter().map(|target| Subject {
            id: target.id,
            place: ground_to_world(target.position, target.height),
            importance: match target.lying {
                _ if watched == Some(target.id) => 1.0,
                true => FALLEN,
                false => 0.0,
            },
        });
        self.pipeline.judge(subjects, seconds);
    }

    /// Lets those look as they are dressed whom pages do not know yet.
    pub fn dress(&mut self, targets: &[MotionTarget], dressed: &Dressed) {
        let news = unknown(&self.told, targets.iter().map(|target| target.id));
        for id in news {
            if let (Some(role), Some(bodies)) =
                (dressed.descriptor(id), self.pipeline.lod_bodies_mut())
            {
                bodies.wardrobe_mut().put(id, *role);
            }
        }
    }

    /// Whose looks pages do not know yet, in ascending order of id; they do from now on.
    pub fn news(&mut self) -> Vec<(u32, Descriptor)> {
        let ids = self.bodies().everybody().map(|(posed, _)| posed.id);
        let ids = unknown(&self.told, ids);
        let role = |id: u32| Some((id, self.bodies().posed_body(id)?.role));
        let news = ids.iter().filter_map(|id| role(*id)).collect();
        if !ids.is_empty() {
            self.told.extend(ids);
            self.told.sort_unstable();
        }
        news
    }

    /// Whether pages are to be told anew how everybody looks.
    pub fn is_new(&self) -> bool {
        self.told.is_empty()
    }

    /// Pages know nobody any more.
    pub fn tell_anew(&mut self) {
        self.told.clear();
    }

    /// How long the stages took that are not the simulation, ms.
    pub fn times(&self) -> impl Iterator<Item = (PipelineStage, f64)> + '_ {
        let times = self.pipeline.times().iter();
        let own = times.filter(|(stage, _)| *stage != PipelineStage::Simulator);
        own.map(|(stage, time)| (stage, time.as_secs_f64() * 1e3))
    }

    /// How many people have each level.
    pub fn census(&self) -> LevelCounts {
        let census = self.scaler().census();
        LevelCounts {
            bodies: PerName::new(|level| census.of(level)),
            efforts: PerName::new(|effort: Effort| census.efforts[effort as usize]),
        }
    }

    /// Returns the level of a person's body; `None` if the person is not there.
    pub fn level(&self, person: u32) -> Option<BodyLevel> {
        self.scaler().level(person).map(|levels| levels.body)
    }

    /// Returns what a person's body does; `None` without a body of their own.
    pub fn inspect(&self, person: u32) -> Option<BodyState> {
        let ensemble = self.bodies().ensemble();
        let member = ensemble.member(person)?;
        let look = &ensemble.cast().looks()[member.role.look];
        let (clip, phase, pace, twist) = playing(look, member);
        let slip = self.skate.last_of(person).and_then(|stance| {
            Some(FootSlip { foot: Foot::named(stance.called)?, slip: stance.slid })
        });
        Some(BodyState {
            clip: clip.map(Into::into),
            species: Name(look.species()),
            phase,
            pace,
            stance: stance(look, member),
            deviation: member.deviation(),
            slip,
            twist,
            ground: member.on_carpet().map(underfoot),
            planted: member.is_planted(),
            position: member.position().into(),
            height: look.height() * member.role.scale,
            looks_at: self.looks_at(member),
        })
    }

    /// Returns what a person looks at; `None` for one who looks ahead, or is about to.
    fn looks_at(&self, member: &Member) -> Option<LooksAt> {
        let gaze = member.gaze()?;
        let subject = gaze.subject()?;
        let phase = match gaze.phase() {
            Phase::Shift => GazePhase::Shift,
            Phase::Hold => GazePhase::Hold,
            Phase::Idle | Phase::Return | Phase::Fade => return None,
        };
        let target = match subject.kind {
            Kind::Place => {
                let name = usize::try_from(subject.number).ok().and_then(|n| self.names.get(n));
                GazeTarget::Place { name: name.cloned() }
            }
            Kind::Person => GazeTarget::Person { id: subject.number },
            Kind::Viewer => GazeTarget::Viewer,
            Kind::ViewerGaze => GazeTarget::ViewerGaze,
            Kind::Scripted => GazeTarget::Scripted,
        };
        Some(LooksAt { phase, target })
    }

    /// How far feet have slipped of late.
    pub fn skating(&self) -> Skating {
        self.skate.report()
    }
}

/// Of some ids, those that are not among the known ones; both ascend.
fn unknown(known: &[u32], ids: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut known = known.iter().peekable();
    ids.filter(|id| {
        while known.next_if(|other| *other < id).is_some() {}
        known.next_if(|other| *other == id).is_none()
    })
    .collect()
}

/// What the scene calls the things that can be looked at.
fn names(scene: &Scene) -> Vec<String> {
    scene.interests.iter().map(|interest| interest.name.clone()).collect()
}

/// What somebody plays, how far it has come, how fast, and how far the torso is twisted.
fn playing<'a>(look: &'a Look, member: &Member) -> (Option<&'a str>, f32, f32, f32) {
    if let Some(progress) = member.progress() {
        return (Some(progress.gait), progress.phase, 1.0, 0.0);
    }
    let part = |part| look.as_person()?.repertoire.parts().get(part);
    member.played().map_or((None, 0.0, 0.0, 0.0), |played| {
        let clip = part(played.part).map(|part| part.clip.name());
        (clip, played.phase, played.pace, played.twist)
    })
}

/// The feet that somebody stands on.
fn stance(look: &Look, member: &Member) -> Vec<Foot> {
    let stands: Vec<bool> = match (member.played(), member.progress()) {
        (Some(played), _) => played.feet.iter().map(|foot| foot.contact.is_some()).collect(),
        (_, Some(progress)) => progress.feet.to_vec(),
        _ => Vec::new(),
    };
    let standing = stands.iter().enumerate().filter(|(_, stands)| **stands);
    standing.filter_map(|(foot, _)| Foot::named(look.foot_name(foot))).collect()
}

/// What is odd about the ground that somebody is on.
fn underfoot(report: &Report) -> Underfoot {
    Underfoot {
        hole: report.condition.hole,
        steep: report.condition.steep,
        unsupported: report.unsupported,
        unreached: report.unreached,
        lowered: report.lowered,
    }
}

#[cfg(test)]
mod parity;
#[cfg(test)]
mod tests;
