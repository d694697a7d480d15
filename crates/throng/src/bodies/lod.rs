//! The bodies of a crowd at all levels of detail.
//!
//! Without levels everybody has a full body, a member of an [`Ensemble`]. With [levels](LodBodies::set_levels) only some do, and
//! everybody has a [`PosedBody`]. A new full body begins in the pose of the posed one and comes out of it within a
//! third of a second; one that is given up goes back into it first. So nothing jumps when somebody changes their level.

use std::time::{Duration, Instant};

use glam::FloatExt as _;
use rayon::prelude::*;
use throng_base::Bounds;
use throng_base::frame::world_to_ground;
use throng_motion::blend;
use throng_world::Scene;

use super::ensemble::Ensemble;
use super::member::Member;
use super::posed::{HeadTurn, PosedBody, Poses};
use super::sights::{Passer, Sights};
use super::target::MotionTarget;
use super::variety::{Nudge, Walker, Wardrobe};
use crate::scaler::{BodyLevel, Levels};

/// How long it takes to come out of a pose, or to go into it, s: no less than to look ahead again.
const CHANGING: f32 = 0.35;
/// How far from full bodies people may be that they see, m: farther than faces are noticed, by what anybody walks until
/// those who look choose anew.
const IN_SIGHT: f32 = 8.0;
/// Fewer posed bodies than this are not handed out to other threads.
const PARALLEL_FROM: usize = 4096;

/// The body of a person at any level.
#[derive(Clone, Copy, Debug)]
struct LodBody {
    posed: PosedBody,
    level: BodyLevel,
    /// Whether they look around if their body is full.
    looks: bool,
    /// How much a full body is still, or already, in the pose of the posed one, from 0 to 1.
    blend: f32,
    /// Whether there is a full body.
    has_body: bool,
    /// Whether they have had no level yet.
    is_new: bool,
}

impl LodBody {
    fn new(posed: PosedBody) -> Self {
        let level = BodyLevel::Unseen;
        Self { posed, level, looks: false, blend: 1.0, has_body: false, is_new: true }
    }

    /// Has another level, or the same, after some `part` of the time that changes take. Without a level, people are unseen.
    fn change(&mut self, levels: Option<Levels>, part: f32) {
        let was_full = self.level == BodyLevel::Full;
        let Levels { body: level, looks, .. } = levels.unwrap_or_default();
        // A new full body is shown in the old pose for a frame, unless there is none, and so is one that is given up. Nobody
        // sees how a body changes that is not seen.
        (self.blend, self.has_body) = match level {
            BodyLevel::Full if self.is_new => (0.0, true),
            BodyLevel::Full if was_full => ((self.blend - part).max(0.0), true),
            BodyLevel::Full => (self.blend, true),
            BodyLevel::Unseen => (1.0, false),
            _ => ((self.blend + part).min(1.0), self.has_body && self.blend < 1.0),
        };
        (self.level, self.looks) = (level, looks);
        self.is_new &= levels.is_none();
    }

    /// Whether anybody sees how they step: pictures have a few phases only.
    fn steps_are_seen(&self) -> bool {
        self.has_body || self.level >= BodyLevel::Posed
    }
}

/// The bodies of a crowd at all levels of detail. See `throng::bodies`.
#[derive(Clone)]
pub struct LodBodies {
    ensemble: Ensemble,
    /// In ascending order of id; nobody if all bodies are full.
    people: Vec<LodBody>,
    /// In ascending order of id; all bodies are full without.
    levels: Option<Vec<(u32, Levels)>>,
    /// How many looked around the last time.
    looking: usize,
    /// Scratch memory, reused between steps.
    full: Vec<MotionTarget>,
    before: Vec<LodBody>,
    passers: Vec<Passer>,
    /// How long full bodies took in the last step.
    spent: Duration,
    /// For how long everybody has looked around, s.
    watched: f64,
}

impl LodBodies {
    /// The bodies of an ensemble, all of them full.
    pub fn new(ensemble: Ensemble) -> Self {
        Self {
            ensemble,
            people: Vec::new(),
            levels: None,
            looking: 0,
            full: Vec::new(),
            before: Vec::new(),
            passers: Vec::new(),
            spent: Duration::ZERO,
            watched: 0.0,
        }
    }

    /// The full bodies.
    pub fn ensemble(&self) -> &Ensemble {
        &self.ensemble
    }

    /// How everybody looks, to say how somebody looks before they appear.
    pub fn wardrobe_mut(&mut self) -> &mut Wardrobe {
        self.ensemble.wardrobe_mut()
    }

    /// Decides how those look who are new. See [`Ensemble::dress`].
    pub fn dress(&mut self, targets: &[MotionTarget]) {
        self.ensemble.dress(targets);
    }

    /// Goes on in a scene that has changed. Who is something else now appears anew.
    pub fn adopt(&mut self, scene: &Scene) {
        let Self { ensemble, people, .. } = self;
        ensemble.adopt(scene);
        people.retain(|person| ensemble.fits(person.posed.id, person.posed.group));
    }

    /// Whether those who fall into step with somebody near step faster or slower until they are out of it, as they do unless
    /// it is said otherwise.
    pub fn keep_out_of_step(&mut self, keep: bool) {
        self.ensemble.keep_out_of_step(keep);
        self.people.iter_mut().for_each(|person| person.posed.nudge = Nudge::None);
    }

    /// Everybody without a full body, with their level, in ascending order of id.
    pub fn posed(&self) -> impl Iterator<Item = (&PosedBody, BodyLevel)> + '_ {
        let posed = self.people.iter().filter(|person| !person.has_body);
        posed.map(|person| (&person.posed, person.level))
    }

    /// Everybody's posed body, with their level, in ascending order of id; nobody's if all bodies are full.
    pub fn everybody(&self) -> impl ExactSizeIterator<Item = (&PosedBody, BodyLevel)> + '_ {
        self.people.iter().map(|person| (&person.posed, person.level))
    }

    /// The posed body of a person.
    pub fn posed_body(&self, id: u32) -> Option<&PosedBody> {
        let found = self.people.binary_search_by_key(&id, |person| person.posed.id).ok()?;
        Some(&self.people[found].posed)
    }

    /// How long full bodies took in the last step.
    pub(crate) fn spent(&self) -> Duration {
        self.spent
    }

    /// From now on everybody has these levels, in strictly ascending order of id; who is not listed is unseen.
    pub fn set_levels(&mut self, levels: impl IntoIterator<Item = (u32, Levels)>) {
        let known = self.levels.get_or_insert_default();
        known.clear();
        known.extend(levels);
    }

    /// From now on all bodies are full. They begin anew.
    pub fn drop_levels(&mut self) {
        self.clear();
        self.levels = None;
    }

    /// How many looked around the last time.
    pub fn looking(&self) -> usize {
        self.looking
    }

    /// Gives up the full bodies that are on their way back into a pose: while time stands they would never get there.
    pub(crate) fn settle(&mut self) {
        let leaving = self.people.iter_mut().filter(|person| person.level != BodyLevel::Full);
        leaving.for_each(|person| (person.blend, person.has_body) = (1.0, false));
    }

    /// Forgets everybody.
    pub fn clear(&mut self) {
        self.ensemble.clear();
        self.people.clear();
        self.levels.iter_mut().for_each(Vec::clear);
    }

    /// Lets `seconds` pass, in which everybody follows their target. `targets` are in strictly ascending order of id;
    /// whoever has none is gone, and whoever is new appears.
    ///
    /// The result does not depend on the number of threads.
    pub fn follow(&mut self, targets: &[MotionTarget], seconds: f32) {
        if self.levels.is_none() {
            let before = Instant::now();
            self.ensemble.follow(targets, seconds);
            self.spent = before.elapsed();
            return;
        }
        self.gather(targets, seconds);
        let mut full = std::mem::take(&mut self.full);
        full.clear();
        let with_bodies = self.people.iter().zip(targets).filter(|(person, _)| person.has_body);
        full.extend(with_bodies.map(|(person, target)| {
            // A new body begins where the person is in their gait.
            MotionTarget { phase: Some(person.posed.phase), ..*target }
        }));
        let before = Instant::now();
        self.ensemble.gather(&full);
        self.pace();
        self.ensemble.move_on(&full, seconds);
        self.spent = before.elapsed();
        self.full = full;
        self.step_posed(targets, seconds);
        self.blend_changing();
    }

    /// Everybody looks around for some seconds: full bodies with eyes, head and spine, posed ones with
    /// their heads if there is something to be seen at the side.
    pub(crate) fn look_around(&mut self, sights: &Sights, seconds: f32) {
        self.gather_passers(sights);
        let Self { ensemble, people, levels, passers, .. } = self;
        // Who goes back into a pose looks ahead.
        let looks = |id: u32| {
            let found = people.binary_search_by_key(&id, |person| person.posed.id);
            let looks = |person: &LodBody| person.looks && person.level == BodyLevel::Full;
            levels.is_none() || found.is_ok_and(|found| looks(&people[found]))
        };
        self.looking = ensemble.members.iter().filter(|member| looks(member.id)).count();
        ensemble.look_around(sights, passers, seconds, looks);
        self.watched += if seconds.is_finite() { f64::from(seconds.clamp(0.0, 1.0)) } else { 0.0 };
        for person in &mut self.people {
            if !person.has_body && person.level == BodyLevel::Posed {
                person.posed.glance(sights.places(), self.watched);
            } else if person.blend == 0.0 {
                person.posed.head = HeadTurn::Ahead;
            }
        }
    }

    /// Finds those whom full bodies may look at. A viewer may draw attention to anybody.
    fn gather_passers(&mut self, sights: &Sights) {
        let Self { ensemble, people, levels, passers, .. } = self;
        passers.clear();
        let mut members = ensemble.members.iter();
        if levels.is_none() {
            return passers.extend(members.map(Member::passer));
        }
        let around = Bounds::around(members.clone().map(Member::position))
            .map(|around| Bounds { min: around.min - IN_SIGHT, max: around.max + IN_SIGHT });
        let is_near = |posed: &PosedBody| {
            let place = world_to_ground(posed.placement.translation).0;
            !sights.viewers().is_empty() || around.is_some_and(|around| around.contains(place))
        };
        passers.extend(people.iter().filter_map(|person| match person.has_body {
            true => members.next().map(Member::passer),
            false => is_near(&person.posed).then(|| person.posed.passer()),
        }));
    }

    /// Makes the people those who have targets, with the levels that are asked for.
    fn gather(&mut self, targets: &[MotionTarget], seconds: f32) {
        let part = if seconds > 0.0 { seconds / CHANGING } else { 0.0 };
        let same = self.people.len() == targets.len()
            && self.people.iter().zip(targets).all(|(person, target)| person.posed.id == target.id);
        if !same {
            self.regroup(targets);
        }
        let mut levels = self.levels.iter().flatten().peekable();
        for (person, target) in self.people.iter_mut().zip(targets) {
            let id = person.posed.id;
            if let Some(temperament) = target.temperament
                && person.posed.role.temperament != temperament
            {
                person.posed.role.temperament = temperament;
                self.ensemble.wardrobe_mut().tell(id, temperament);
            }
            while levels.next_if(|(other, _)| *other < id).is_some() {}
            let level = levels.next_if(|(other, _)| *other == id);
            person.change(level.map(|(_, levels)| *levels), part);
        }
    }

    /// Makes the people those who have targets.
    fn regroup(&mut self, targets: &[MotionTarget]) {
        self.ensemble.dress(targets);
        std::mem::swap(&mut self.before, &mut self.people);
        self.people.clear();
        let poses = self.ensemble.cast.poses();
        let mut before = self.before.iter().peekable();
        for target in targets {
            while before.next_if(|person| person.posed.id < target.id).is_some() {}
            let known = before.next_if(|person| person.posed.id == target.id);
            self.people.push(known.copied().unwrap_or_else(|| {
                let role = self.ensemble.role(target.id);
                LodBody::new(PosedBody::new(&poses[role.look], role, target))
            }));
        }
    }

    /// Nudges those who walk in step with somebody near, whatever the level of both.
    fn pace(&mut self) {
        let Self { people, ensemble: Ensemble { pacing: Some(pacing), members, cast, .. }, .. } =
            self
        else {
            return;
        };
        let seen = people.iter().filter(|person| person.steps_are_seen());
        let mut bodies = members.iter();
        let walkers = seen.filter_map(|person| match person.has_body {
            // A new body has not been nudged yet, but its person has.
            true => bodies
                .next()
                .map(|member| Walker { nudge: person.posed.nudge, ..member.walker(cast) }),
            false => {
                let look = person.posed.role.look;
                Some(person.posed.walker(&cast.poses()[look], cast.library().body(look)))
            }
        });
        let mut nudges = pacing.review(walkers).iter().copied();
        let mut bodies = members.iter_mut();
        for person in people {
            let nudge = if person.steps_are_seen() { nudges.next() } else { None };
            person.posed.nudge = nudge.unwrap_or_default();
            if person.has_body {
                bodies.next().into_iter().for_each(|member| member.nudge = person.posed.nudge);
            }
        }
    }

    /// Posed bodies go on by themselves, or keep step with a full one.
    fn step_posed(&mut self, targets: &[MotionTarget], seconds: f32) {
        let (poses, ensemble) = (self.ensemble.cast.poses(), &self.ensemble);
        let step = |(person, target): (&mut LodBody, &MotionTarget)| {
            let poses = &poses[person.posed.role.look];
            let body = if person.has_body { ensemble.member(target.id) } else { None };
            match body.and_then(|body| Some((body, body.played()?))) {
                Some((body, played)) => person.posed.keep_step(poses, body, played),
                None => person.posed.step(poses, target, seconds),
            }
        };
        if targets.len() < PARALLEL_FROM {
            self.people.iter_mut().zip(targets).for_each(step);
        } else {
            self.people.par_iter_mut().zip(targets).with_min_len(1024).for_each(step);
        }
    }

    /// Mixes the poses of posed bodies into those of full bodies that come or go.
    fn blend_changing(&mut self) {
        let Ensemble { members, cast, .. } = &mut self.ensemble;
        let poses: &[Poses] = cast.poses();
        let with_bodies = self.people.iter().filter(|person| person.has_body);
        for (person, member) in with_bodies.zip(members) {
            if person.blend > 0.0 {
                let pose =
                    person.posed.pose_from(&poses[person.posed.role.look], member.placement());
                blend(&mut member.pose, &pose, person.blend.smoothstep(0.0, 1.0));
            }
        }
    }
}
