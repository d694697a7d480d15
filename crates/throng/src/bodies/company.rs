//! Everybody of a crowd, each with as much of a body as they are worth.
//!
//! A [`Company`] has an [`Ensemble`] of those with bodies of their own, and everybody as an [`Extra`]. Who gets a body of
//! their own begins in the pose that they had as an extra, and comes out of it within a third of a second; who loses
//! it goes back into it first. So nothing jumps when somebody changes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use glam::FloatExt as _;
use rayon::prelude::*;
use throng_base::Bounds;
use throng_base::frame::world_to_ground;
use throng_crowd::{Embodiment, Move};
use throng_motion::blend;
use throng_world::Scene;

use super::cast::Cast;
use super::ensemble::{Ensemble, Wish, wish_of};
use super::extras::{Extra, HeadTurn, Poses};
use super::member::Member;
use super::sights::{Passer, Sights};
use super::variety::{Nudge, Pacing, Walker, Wardrobe};
use crate::scaler::BodyLevel;

/// How long it takes to come out of a pose, or to go into it, s: no less than to look ahead again.
const CHANGING: f32 = 0.35;
/// How far from bodies people may be that they see, m.
const IN_SIGHT: f32 = 8.0;
/// Fewer extras than this are not handed out to other threads.
const PARALLEL_FROM: usize = 4096;

/// Somebody of the company.
#[derive(Clone, Copy, Debug)]
struct Player {
    extra: Extra,
    level: BodyLevel,
    /// How much their body is still, or already, in the pose of an extra, from 0 to 1.
    posed: f32,
    /// Whether there is a body of their own.
    has_body: bool,
    /// Whether they have not been seen before.
    is_new: bool,
}

impl Player {
    /// Has another level, or the same, after some `part` of the time that changes take.
    fn change(&mut self, level: BodyLevel, part: f32) {
        let was_full = self.level == BodyLevel::Full;
        // Who gets a body is shown in their old pose for a frame, unless they have none, and so is who loses it. Nobody sees how
        // a body changes that is not seen.
        (self.posed, self.has_body) = match level {
            BodyLevel::Full if self.is_new => (0.0, true),
            BodyLevel::Full if was_full => ((self.posed - part).max(0.0), true),
            BodyLevel::Full => (self.posed, true),
            BodyLevel::Unseen => (1.0, false),
            _ => ((self.posed + part).min(1.0), self.has_body && self.posed < 1.0),
        };
        (self.level, self.is_new) = (level, false);
    }
}

/// Everybody of a crowd, each with as much of a body as they are worth.
///
/// Those with bodies of their own are an [`Ensemble`], and everybody is an [`Extra`] as well. Who gets a body of their own comes
/// out of the pose that they had, and who loses it goes back into it first: nothing jumps.
#[derive(Clone)]
pub struct Company {
    ensemble: Ensemble,
    /// By look.
    poses: Arc<Vec<Poses>>,
    players: Vec<Player>,
    /// What is asked for, in ascending order of id.
    levels: Vec<(u32, BodyLevel)>,
    /// Who looks around of those with bodies of their own, in ascending order of id; all of them, if nothing is said. And how
    /// many did the last time.
    lookers: Option<Vec<u32>>,
    looking: usize,
    /// Who is in step with whom, if anybody minds.
    pacing: Option<Pacing>,
    /// Kept for their memory.
    wishes: Vec<Wish>,
    full: Vec<Wish>,
    before: Vec<Player>,
    spent: Duration,
    /// For how long everybody has looked around, s.
    watched: f64,
}

impl Company {
    /// A company of this ensemble, with nobody in it yet.
    pub fn new(ensemble: Ensemble) -> Self {
        let poses = Self::poses_of(ensemble.cast());
        Self::with_poses(ensemble, Arc::new(poses))
    }

    /// The same with [poses](Self::poses_of) that were made for its cast before.
    ///
    /// # Panics
    ///
    /// If there are not as many as the cast has looks.
    pub fn with_poses(mut ensemble: Ensemble, poses: Arc<Vec<Poses>>) -> Self {
        assert_eq!(poses.len(), ensemble.cast().looks().len(), "each look has poses");
        ensemble.clear();
        // Steps are looked after for everybody together.
        let pacing = ensemble.is_kept_out_of_step().then(Pacing::default);
        ensemble.keep_out_of_step(false);
        Self {
            ensemble,
            poses,
            players: Vec::new(),
            levels: Vec::new(),
            lookers: None,
            looking: 0,
            pacing,
            wishes: Vec::new(),
            full: Vec::new(),
            before: Vec::new(),
            spent: Duration::ZERO,
            watched: 0.0,
        }
    }

    /// The poses that extras of each look can be in. It takes a while: whoever makes several companies of a cast keeps them.
    pub fn poses_of(cast: &Cast) -> Vec<Poses> {
        cast.looks().par_iter().map(Poses::of).collect()
    }

    /// Those with bodies of their own.
    pub fn ensemble(&self) -> &Ensemble {
        &self.ensemble
    }

    /// How everybody looks, to say how somebody looks before they appear.
    pub fn wardrobe_mut(&mut self) -> &mut Wardrobe {
        self.ensemble.wardrobe_mut()
    }

    /// Goes on in a scene that has changed. Who is something else now appears anew.
    pub fn adopt(&mut self, scene: &Scene) {
        let Self { ensemble, players, .. } = self;
        ensemble.adopt(scene);
        players.retain(|player| ensemble.fits(player.extra.id, player.extra.group));
    }

    /// Whether those who fall into step with somebody near step faster or slower until they are out of it, as they do unless
    /// it is said otherwise.
    pub fn keep_out_of_step(&mut self, keep: bool) {
        self.pacing = keep.then(Pacing::default);
        self.players.iter_mut().for_each(|player| player.extra.nudge = Nudge::None);
    }

    /// The poses that extras are in, by look.
    pub fn poses(&self) -> &[Poses] {
        &self.poses
    }

    /// Everybody without a body of their own, with their level, in ascending order of id.
    pub fn extras(&self) -> impl Iterator<Item = (&Extra, BodyLevel)> + '_ {
        let extras = self.players.iter().filter(|player| !player.has_body);
        extras.map(|player| (&player.extra, player.level))
    }

    /// Everybody as they are, or would be, in the background, with their level, in ascending order of id.
    pub fn everybody(&self) -> impl ExactSizeIterator<Item = (&Extra, BodyLevel)> + '_ {
        self.players.iter().map(|player| (&player.extra, player.level))
    }

    /// Somebody as they are, or would be, in the background.
    pub fn extra(&self, id: u32) -> Option<&Extra> {
        let found = self.players.binary_search_by_key(&id, |player| player.extra.id).ok()?;
        Some(&self.players[found].extra)
    }

    /// How long bodies of their own took in the last step.
    pub fn spent(&self) -> Duration {
        self.spent
    }

    /// From now on everybody has these levels, given in strictly ascending order of id. Who is not listed is unseen.
    pub fn set_levels(&mut self, levels: impl IntoIterator<Item = (u32, BodyLevel)>) {
        self.levels.clear();
        self.levels.extend(levels);
    }

    /// From now on only these look around of those with bodies of their own, given in ascending order of id; all of them, if
    /// nothing is said.
    pub fn set_lookers(&mut self, lookers: Option<impl IntoIterator<Item = u32>>) {
        let mut before = self.lookers.take().unwrap_or_default();
        before.clear();
        self.lookers = lookers.map(|lookers| {
            before.extend(lookers);
            before
        });
    }

    /// How many with bodies of their own looked around the last time.
    pub fn looking(&self) -> usize {
        self.looking
    }

    /// Whoever is to lose their body has lost it when everybody follows next: while time stands, nobody would ever go back into
    /// a pose.
    pub fn settle(&mut self) {
        let leaving = self.players.iter_mut().filter(|player| player.level != BodyLevel::Full);
        leaving.for_each(|player| (player.posed, player.has_body) = (1.0, false));
    }

    /// Everybody looks around for some seconds: those with bodies of their own with eyes, head and spine, posed ones with
    /// their heads if there is something to be seen at the side.
    pub fn look_around(&mut self, sights: &Sights, seconds: f32) {
        let Self { ensemble, players, lookers, .. } = self;
        let places = ensemble.members().iter().map(Member::position);
        let around = Bounds::around(places)
            .map(|around| Bounds { min: around.min - IN_SIGHT, max: around.max + IN_SIGHT });
        let near = |player: &&Player| {
            let place = world_to_ground(player.extra.placement.translation).0;
            around.is_some_and(|around| around.contains(place))
        };
        let passers = players.iter().filter(near).map(|player| Passer {
            id: player.extra.id,
            group: player.extra.group,
            place: player.extra.placement.translation,
            velocity: player.extra.velocity(),
        });
        // Who goes back into a pose looks ahead.
        let stays = |id: u32| {
            let found = players.binary_search_by_key(&id, |player| player.extra.id);
            let may = lookers.as_ref().is_none_or(|lookers| lookers.binary_search(&id).is_ok());
            may && found.is_ok_and(|found| players[found].level == BodyLevel::Full)
        };
        self.looking = ensemble.members().iter().filter(|member| stays(member.id)).count();
        ensemble.look_around_if(sights, passers, seconds, stays);
        self.watched += if seconds.is_finite() { f64::from(seconds.clamp(0.0, 1.0)) } else { 0.0 };
        for player in &mut self.players {
            if !player.has_body && player.level == BodyLevel::Posed {
                player.extra.glance(sights.places(), self.watched);
            } else if player.posed == 0.0 {
                player.extra.head = HeadTurn::Ahead;
            }
        }
    }

    /// Forgets everybody.
    pub fn clear(&mut self) {
        self.ensemble.clear();
        self.players.clear();
        self.levels.clear();
    }

    /// Lets `seconds` pass, in which everybody follows their wish. `wishes` are in strictly ascending order of id;
    /// whoever has none is gone, and whoever is new appears.
    ///
    /// The result does not depend on the number of threads.
    pub fn follow(&mut self, wishes: &[Wish], seconds: f32) {
        self.gather(wishes, seconds);
        self.pace();
        let mut full = std::mem::take(&mut self.full);
        full.clear();
        let with_bodies = self.players.iter().zip(wishes).filter(|(player, _)| player.has_body);
        full.extend(with_bodies.map(|(player, wish)| {
            // Who begins, begins where they are in their gait.
            Wish { phase: Some(player.extra.phase), ..*wish }
        }));
        let before = Instant::now();
        let nudges = self.players.iter().filter(|player| player.has_body);
        self.ensemble.follow_nudged(&full, nudges.map(|player| player.extra.nudge), seconds);
        self.spent = before.elapsed();
        self.full = full;
        self.step_extras(wishes, seconds);
        self.blend_changing();
    }

    /// Makes the players those who have wishes, with the levels that are asked for.
    fn gather(&mut self, wishes: &[Wish], seconds: f32) {
        let part = if seconds > 0.0 { seconds / CHANGING } else { 0.0 };
        let same = self.players.len() == wishes.len()
            && self.players.iter().zip(wishes).all(|(player, wish)| player.extra.id == wish.id);
        if !same {
            self.regroup(wishes);
        }
        let mut levels = self.levels.iter().peekable();
        for (player, wish) in self.players.iter_mut().zip(wishes) {
            let id = player.extra.id;
            if let Some(temperament) = wish.temperament
                && player.extra.role.temperament != temperament
            {
                player.extra.role.temperament = temperament;
                self.ensemble.wardrobe_mut().tell(id, temperament);
            }
            while levels.next_if(|(other, _)| *other < id).is_some() {}
            let level = levels.next_if(|(other, _)| *other == id);
            player.change(level.map_or(BodyLevel::Unseen, |(_, level)| *level), part);
        }
    }

    /// Makes the players those who have wishes.
    fn regroup(&mut self, wishes: &[Wish]) {
        self.ensemble.dress(wishes);
        std::mem::swap(&mut self.before, &mut self.players);
        self.players.clear();
        let mut before = self.before.iter().peekable();
        for wish in wishes {
            while before.next_if(|player| player.extra.id < wish.id).is_some() {}
            let known = before.next_if(|player| player.extra.id == wish.id);
            let player = known.copied().unwrap_or_else(|| {
                let role = self.ensemble.role(wish.id);
                let extra = Extra::new(&self.poses[role.look], role, wish);
                Player {
                    extra,
                    level: BodyLevel::Unseen,
                    posed: 1.0,
                    has_body: false,
                    is_new: true,
                }
            });
            self.players.push(player);
        }
    }

    /// Sees to it that those whom anybody sees well do not go in step with each other: pictures have a few phases only.
    fn pace(&mut self) {
        let Self { pacing: Some(pacing), players, ensemble, .. } = self else { return };
        let library = ensemble.cast().library();
        let seen = |player: &Player| player.level >= BodyLevel::Posed;
        let walkers = players.iter().filter(|player| seen(player)).map(|player| {
            let Extra { role, take, phase, placement, rate, nudge, .. } = player.extra;
            let clip = (library.body(role.look) as u64) << 32 | take as u64;
            Walker { place: placement.translation, clip, phase, rate, nudge }
        });
        let mut nudges = pacing.review(walkers).iter();
        for player in players {
            let nudge = if seen(player) { nudges.next() } else { None };
            player.extra.nudge = nudge.copied().unwrap_or_default();
        }
    }

    /// Extras go on by themselves; those with bodies of their own are in step with these.
    fn step_extras(&mut self, wishes: &[Wish], seconds: f32) {
        let (poses, ensemble) = (&self.poses, &self.ensemble);
        let step = |(player, wish): (&mut Player, &Wish)| {
            let poses = &poses[player.extra.role.look];
            let body = if player.has_body { ensemble.member(wish.id) } else { None };
            match body.and_then(|body| Some((body.played()?, body.placement()))) {
                Some((played, placement)) => player.extra.keep_step(poses, played, placement),
                None => player.extra.step(poses, wish, seconds),
            }
        };
        if wishes.len() < PARALLEL_FROM {
            self.players.iter_mut().zip(wishes).for_each(step);
        } else {
            self.players.par_iter_mut().zip(wishes).with_min_len(1024).for_each(step);
        }
    }

    /// Mixes the poses of extras into those of bodies that come or go.
    fn blend_changing(&mut self) {
        let mut members = self.ensemble.members_mut().iter_mut();
        for player in self.players.iter().filter(|player| player.has_body) {
            let Some(member) = members.find(|member| member.id == player.extra.id) else { return };
            if player.posed > 0.0 {
                let poses = &self.poses[player.extra.role.look];
                let pose = player.extra.pose_from(poses, member.placement());
                let part = player.posed.smoothstep(0.0, 1.0);
                blend(&mut member.pose, &pose, part);
            }
        }
    }
}

impl Embodiment for Company {
    fn embody(&mut self, moves: &mut [Move], seconds: f32) {
        let mut wishes = std::mem::take(&mut self.wishes);
        wishes.clear();
        wishes.extend(moves.iter().map(|person| wish_of(person, seconds)));
        self.follow(&wishes, seconds);
        self.wishes = wishes;
        // Only bodies of their own have a say.
        let mut members = self.ensemble.members().iter().peekable();
        for person in moves {
            while members.next_if(|member| member.id < person.id.0).is_some() {}
            if let Some(member) = members.next_if(|member| member.id == person.id.0) {
                person.to = member.position();
                person.velocity = member.velocity();
                person.facing = member.heading().direction();
            }
        }
    }
}
