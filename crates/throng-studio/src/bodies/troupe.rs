//! Everybody's body, as far as anybody sees it, following what is shown.
//!
//! The engine's scaler gives everybody a level by how pages look at them: a few have bodies of their own, the others are extras
//! in one of a few poses, which pages draw as meshes or as pictures. All go on in step, so that nobody changes their pose
//! when they change their level.
//!
//! A simulation may make ten steps per second, and a recording may have two frames: too few to walk by. So the time
//! between two states is divided, and everybody follows wishes that lie between those of both. No body goes
//! back into the simulation. Only if an author wants so, those are simulated with less effort whom nobody sees well: then the
//! scaler says who ([`Troupe::efforts`]).

use std::time::{Duration, Instant};

use axum::body::Bytes;
use throng::PipelineStage;
use throng::bodies::variety::Descriptor;
use throng::bodies::variety::Wardrobe as Dressed;
use throng::bodies::{Company, Ensemble, Look, Member, Sights, Viewer, Wish};
use throng::scaler::{
    BodyLevel, Budget, Effort, FALLEN, Scaler, ScalerOptions, Screens, Spent, Subject, View,
};
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

/// Everybody, with as much of a body as they are worth.
pub(crate) struct Troupe {
    company: Company,
    scaler: Scaler,
    views: Vec<View>,
    /// Who is looked at closely, however far away.
    watched: Option<u32>,
    /// When everybody was judged last, on the wall: levels are for those who look.
    judged: Instant,
    /// What hides people.
    screens: Screens,
    /// What there is to look at, and what the scene calls it.
    sights: Sights,
    names: Vec<String>,
    /// The time of the newest poses, and what everybody wished then.
    at: Option<f64>,
    wishes: Vec<Wish>,
    skate: Skate,
    /// Whose looks pages know, in ascending order.
    told: Vec<u32>,
    /// How long it took to make the newest poses, and of it the stages of the engine.
    pub effort: Duration,
    times: [(PipelineStage, Duration); 3],
}

/// What is to be told of a moment.
pub(crate) struct Following {
    /// The poses of those with bodies of their own.
    pub poses: Bytes,
    /// What everybody's body is like, in ascending order of id; nothing while time runs backwards.
    pub standings: Option<Vec<Standing>>,
}

impl Troupe {
    /// Nobody yet, in `scene`, whose seed decides who looks how.
    pub fn new(wardrobe: &Wardrobe, scene: &Scene) -> Self {
        let ensemble = Ensemble::new(wardrobe.cast.clone(), scene.settings.seed).in_scene(scene);
        Self {
            at: None,
            wishes: Vec::new(),
            skate: Skate::of(&ensemble),
            effort: Duration::ZERO,
            times: [PipelineStage::Scaler, PipelineStage::Animator, PipelineStage::Gaze]
                .map(|stage| (stage, Duration::ZERO)),
            company: Company::with_poses(ensemble, wardrobe.poses.clone()),
            scaler: Scaler::new(ScalerOptions::default()),
            views: Vec::new(),
            watched: None,
            judged: Instant::now(),
            told: Vec::new(),
            sights: Sights::of(scene),
            screens: Screens::of(scene),
            names: names(scene),
        }
    }

    /// Goes on in a scene that was edited.
    pub fn adopt(&mut self, scene: &Scene) {
        self.company.adopt(scene);
        self.skate = Skate::of(self.company.ensemble());
        let viewers = self.sights.viewers().to_vec();
        self.sights = Sights::of(scene);
        self.screens = Screens::of(scene);
        self.sights.set_viewers(&viewers);
        self.names = names(scene);
        // Somebody may look otherwise now.
        self.told.clear();
    }

    /// From now on these look at the crowd, and can draw so many bodies.
    pub fn set_views(&mut self, views: Vec<View>, budget: Budget) {
        self.views = views;
        self.scaler.set_options(ScalerOptions { budget, ..*self.scaler.options() });
    }

    /// Notes how long the newest step of the simulation took: a budget in time goes by it.
    pub fn simulated(&mut self, took: Duration) {
        self.scaler.spent(&Spent { simulation: took, ..Spent::default() });
    }

    /// How much effort everybody is worth, in ascending order of id.
    pub fn efforts(&self) -> impl Iterator<Item = (u32, Effort)> + '_ {
        self.scaler.levels().map(|(id, levels)| (id, levels.effort))
    }

    /// Who is looked at closely from now on, however far away.
    pub fn watch(&mut self, person: Option<u32>) {
        self.watched = person;
    }

    /// Who is to be noticed from now on.
    pub fn set_viewers(&mut self, viewers: &[Viewer]) {
        self.sights.set_viewers(viewers);
    }

    /// Forgets everybody.
    pub fn clear(&mut self) {
        self.company.clear();
        self.at = None;
        self.wishes.clear();
        self.skate.clear();
    }

    /// How many have bodies of their own.
    pub fn len(&self) -> usize {
        self.company.ensemble().members().len()
    }

    /// Follows to a moment at which everybody wishes this, in ascending order of id, and tells all poses on the
    /// way. `speed` is how fast time passes; backwards nobody has a body.
    pub fn follow(&mut self, moment: &Moment, mut wishes: Vec<Wish>, speed: f64) -> Following {
        let begin = Instant::now();
        if speed < 0.0 {
            self.clear();
            return Following { poses: nobody(moment), standings: None };
        }
        wishes.iter_mut().for_each(|wish| wish.planted = speed <= FASTEST_PLANTED);
        let mut passed = self.at.map_or(0.0, |at| moment.time - at);
        if passed.abs() < INSTANT {
            passed = 0.0;
        } else if !(0.0..=LONGEST).contains(&passed) {
            self.clear();
            passed = 0.0;
        }
        self.judge(&wishes, begin);
        if passed == 0.0 && self.len() > self.scaler.options().budget.full {
            self.company.settle();
        }
        // A little less, so that three thirtieths are not four moments.
        let count = (passed * RATE / speed.max(1.0) - 1e-6).ceil().clamp(1.0, MOST_MOMENTS);
        let starts = self.starts(&wishes, passed as f32);
        let mut on_the_way = Vec::with_capacity(wishes.len());
        let mut poses = Poses::new(moment.epoch);
        let [mut animator, mut gaze] = [Duration::ZERO; 2];
        for index in 1..=count as u32 {
            let part = f64::from(index) / count;
            let from = Instant::now();
            on_the_way.clear();
            let pairs = starts.iter().zip(&wishes);
            on_the_way.extend(pairs.map(|(from, to)| between(from, to, part as f32)));
            let seconds = (passed / count) as f32;
            self.company.follow(&on_the_way, seconds);
            let followed = Instant::now();
            animator += followed - from;
            // While time stands poses stay as they are, heads turned already.
            if seconds > 0.0 {
                self.company.look_around(&self.sights, seconds);
                gaze += followed.elapsed();
            }
            let time = moment.time - passed * (1.0 - part);
            let members = self.company.ensemble().members();
            if passed > 0.0 {
                self.skate.note(members, time, seconds);
            }
            poses.push(time, members);
        }
        self.at = Some(moment.time);
        self.wishes = wishes;
        self.effort = begin.elapsed();
        self.times[1].1 = animator;
        self.times[2].1 = gaze;
        let everybody = self.company.everybody();
        let members = self.company.ensemble().members().iter();
        Following {
            poses: poses.finish(members.map(|member| (member.id, &member.role))),
            standings: Some(everybody.map(|(extra, level)| Standing::of(extra, level)).collect()),
        }
    }

    /// Gives everybody the level that they are worth to those who look.
    fn judge(&mut self, wishes: &[Wish], now: Instant) {
        let seconds = (now - self.judged).as_secs_f32();
        self.judged = now;
        let watched = self.watched;
        let subjects = wishes.iter().map(|wish| Subject {
            id: wish.id,
            place: ground_to_world(wish.position, wish.height),
            importance: match wish.lying {
                _ if watched == Some(wish.id) => 1.0,
                true => FALLEN,
                false => 0.0,
            },
        });
        self.scaler.judge_among(subjects, &self.views, &self.screens, seconds);
        self.company.set_levels(self.scaler.levels().map(|(id, levels)| (id, levels.body)));
        self.times[0].1 = now.elapsed();
    }

    /// Lets those look as they are dressed whom pages do not know yet.
    pub fn dress(&mut self, wishes: &[Wish], dressed: &Dressed) {
        let news = unknown(&self.told, wishes.iter().map(|wish| wish.id));
        for id in news {
            if let Some(role) = dressed.descriptor(id) {
                self.company.wardrobe_mut().put(id, *role);
            }
        }
    }

    /// Whose looks pages do not know yet, in ascending order of id; they do from now on.
    pub fn news(&mut self) -> Vec<(u32, Descriptor)> {
        let ids = self.company.everybody().map(|(extra, _)| extra.id);
        let ids = unknown(&self.told, ids);
        let role = |id: u32| Some((id, self.company.extra(id)?.role));
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

    /// How long the stages of the engine took that it has to do with, ms.
    pub fn times(&self) -> impl Iterator<Item = (PipelineStage, f64)> + '_ {
        self.times.iter().map(|(stage, time)| (*stage, time.as_secs_f64() * 1e3))
    }

    /// How many people have each level.
    pub fn census(&self) -> LevelCounts {
        let census = self.scaler.census();
        LevelCounts {
            bodies: PerName::new(|level| census.of(level)),
            efforts: PerName::new(|effort: Effort| census.efforts[effort as usize]),
        }
    }

    /// Returns the level of a person's body; `None` if the person is not there.
    pub fn level(&self, person: u32) -> Option<BodyLevel> {
        self.scaler.level(person).map(|levels| levels.body)
    }

    /// What everybody wished when `passed` seconds had not passed yet. Who was not there came from where they
    /// would have.
    fn starts(&self, wishes: &[Wish], passed: f32) -> Vec<Wish> {
        let mut before = self.wishes.iter().peekable();
        let start = |wish: &Wish| {
            while before.next_if(|known| known.id < wish.id).is_some() {}
            let known = before.next_if(|known| known.id == wish.id);
            known
                .copied()
                .unwrap_or(Wish { position: wish.position - passed * wish.velocity, ..*wish })
        };
        wishes.iter().map(start).collect()
    }

    /// Returns what a person's body does; `None` without a body of their own.
    pub fn inspect(&self, person: u32) -> Option<BodyState> {
        let ensemble = self.company.ensemble();
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

/// What is wished on the way from one wish to the next.
fn between(from: &Wish, to: &Wish, part: f32) -> Wish {
    let heading = match (from.heading, to.heading) {
        (Some(a), Some(b)) => Some(a.turned_by(part * a.turn_to(b))),
        (_, heading) => heading,
    };
    Wish {
        position: from.position.lerp(to.position, part),
        height: from.height + part * (to.height - from.height),
        velocity: from.velocity.lerp(to.velocity, part),
        heading,
        ..*to
    }
}

#[cfg(test)]
mod tests;
