//! Everybody's body.

use std::sync::Arc;

use glam::Vec2;
use rayon::prelude::*;
use throng_base::Heading;
use throng_base::frame::ground_to_world;
use throng_base::ground::Ground;
use throng_crowd::{Embodiment, Move};
use throng_motion::gaze::{Anatomy, Phase};
use throng_motion::mediator::PerformerOptions;
use throng_world::FloorGround;
use throng_world::scene::{Dispositions, GroupId, Species};
use throng_world::{Scene, Temperament};

use super::cast::Cast;
use super::look::Look;
use super::member::{Member, Moment, Workspace};
use super::sights::{Passer, PassersBy, Sights};
use super::variety::{Descriptor, Nudge, Pacing, Present, Wardrobe};

/// Ground that many share.
pub type SharedGround = Arc<dyn Ground + Send + Sync>;

/// The ground of a scene, with its stairs and ramps; nothing if all of it is level.
pub fn ground_of(scene: &Scene) -> Option<SharedGround> {
    let level =
        scene.connectors.is_empty() && scene.layers.iter().all(|floor| floor.terrain.is_flat());
    (!level).then(|| Arc::new(FloorGround::new(&scene.layers, &scene.connectors)) as SharedGround)
}

/// What somebody's body should do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wish {
    /// Who.
    pub id: u32,
    /// Their group, which says what they are.
    pub group: GroupId,
    /// Where they should be, on the ground, m.
    pub position: Vec2,
    /// Height of the ground there, m.
    pub height: f32,
    /// How they should move, m/s.
    pub velocity: Vec2,
    /// Where they should face when they stand.
    pub heading: Option<Heading>,
    /// Whether they lie on the ground, or fall down now.
    pub lying: bool,
    /// Whether their feet should stand where they stand. Without, it is cheaper and they skate.
    pub planted: bool,
    /// Where in the cycle of a gait they begin who are new, from 0 to 1; as their role says, if nothing is said.
    pub phase: Option<f32>,
    /// What they are like; as the scene says, if nothing is said.
    pub temperament: Option<Temperament>,
}

/// Fewer people than this are not handed out to other threads.
const PARALLEL_FROM: usize = 64;

/// The bodies of a crowd, in ascending order of id.
///
/// They follow what they are wished to do, be it by a running simulation, a recording, or tracks from
/// elsewhere; what they make of it can be read from the members.
#[derive(Clone)]
pub struct Ensemble {
    cast: Arc<Cast>,
    /// How everybody looks, and what decides it.
    wardrobe: Wardrobe,
    seed: u64,
    options: PerformerOptions,
    /// What bodies stand on, and what groups are, if that is known.
    ground: Option<SharedGround>,
    species: Vec<Species>,
    dispositions: Option<Dispositions>,
    members: Vec<Member>,
    /// What each look of people looks with.
    anatomies: Arc<Vec<Option<Anatomy>>>,
    passers_by: PassersBy,
    /// Who is in step with whom, if anybody minds.
    pacing: Option<Pacing>,
    /// Kept for their memory.
    wishes: Vec<Wish>,
    present: Vec<Present>,
}

impl Ensemble {
    /// Nobody yet. `seed` decides who looks how.
    pub fn new(cast: Arc<Cast>, seed: u64) -> Self {
        let anatomies = cast.looks().iter().map(|look| match look {
            Look::Person(_) => Anatomy::of(look.skeleton()).ok(),
            Look::Animal(_) => None,
        });
        Self {
            anatomies: Arc::new(anatomies.collect()),
            passers_by: PassersBy::default(),
            pacing: Some(Pacing::default()),
            wardrobe: Wardrobe::new(cast.library().clone(), seed),
            seed,
            cast,
            options: PerformerOptions::default(),
            ground: None,
            species: Vec::new(),
            dispositions: None,
            members: Vec::new(),
            wishes: Vec::new(),
            present: Vec::new(),
        }
    }

    /// The same with other options.
    pub fn with_options(mut self, options: PerformerOptions) -> Self {
        self.options = options;
        self
    }

    /// The same with people who look as `wardrobe` says. Who is new to it is dressed when they appear. One that was made
    /// for another cast says nothing.
    pub fn dressed_by(mut self, wardrobe: Wardrobe) -> Self {
        if wardrobe.library() == self.cast.library() {
            self.wardrobe = wardrobe;
        }
        self
    }

    /// The same in a scene: bodies stand on its ground, and are what its groups are.
    pub fn in_scene(mut self, scene: &Scene) -> Self {
        self.adopt(scene);
        self
    }

    /// The same on some ground. On none, everybody stands level at the height of their wish.
    pub fn on(mut self, ground: Option<SharedGround>) -> Self {
        self.ground = ground;
        self
    }

    /// Goes on in a scene that has changed.
    pub fn adopt(&mut self, scene: &Scene) {
        self.ground = ground_of(scene);
        self.species = scene.groups.iter().map(|group| group.species).collect();
        self.dispositions = Dispositions::of(scene);
        // Who is something else now appears anew.
        let mut members = std::mem::take(&mut self.members);
        members.retain(|member| self.fits(member.id, member.group));
        self.members = members;
    }

    /// Whether somebody looks like one of a group.
    pub(super) fn fits(&self, id: u32, group: GroupId) -> bool {
        self.wardrobe.has(id, self.species_of(group))
    }

    /// How somebody looks who was dressed.
    pub(super) fn role(&self, id: u32) -> Descriptor {
        self.wardrobe.descriptor(id).copied().unwrap_or_default()
    }

    /// What those of a group are.
    fn species_of(&self, group: GroupId) -> Species {
        self.species.get(usize::from(group.0)).copied().unwrap_or_default()
    }

    /// How everybody looks.
    pub fn wardrobe(&self) -> &Wardrobe {
        &self.wardrobe
    }

    /// The same, to say how somebody looks before they appear.
    pub fn wardrobe_mut(&mut self) -> &mut Wardrobe {
        &mut self.wardrobe
    }

    /// What bodies stand on, if it is not level everywhere.
    pub fn ground(&self) -> Option<&SharedGround> {
        self.ground.as_ref()
    }

    /// The looks they have.
    pub fn cast(&self) -> &Arc<Cast> {
        &self.cast
    }

    /// Everybody, in ascending order of id.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    pub(super) fn members_mut(&mut self) -> &mut [Member] {
        &mut self.members
    }

    /// One of them.
    pub fn member(&self, id: u32) -> Option<&Member> {
        let index = self.members.binary_search_by_key(&id, |member| member.id).ok()?;
        self.members.get(index)
    }

    /// Forgets everybody.
    pub fn clear(&mut self) {
        self.members.clear();
    }

    /// Whether those who fall into step with somebody near step faster or slower until they are out of it, as they do unless
    /// it is said otherwise.
    pub fn keep_out_of_step(&mut self, keep: bool) {
        self.pacing = keep.then(Pacing::default);
        self.members.iter_mut().for_each(|member| member.nudge = Nudge::None);
    }

    /// Whether they do.
    pub fn is_kept_out_of_step(&self) -> bool {
        self.pacing.is_some()
    }

    /// Lets `seconds` pass, in which everybody follows their wish. `wishes` are in strictly ascending order of
    /// id; whoever has none is gone, and whoever is new appears. If no time passes, the others stay as they are.
    ///
    /// The result does not depend on the number of threads.
    pub fn follow(&mut self, wishes: &[Wish], seconds: f32) {
        self.gather(wishes);
        self.pace();
        self.move_on(wishes, seconds);
    }

    /// The same, where it is known who is to step faster or slower.
    pub(super) fn follow_nudged(
        &mut self,
        wishes: &[Wish],
        nudges: impl Iterator<Item = Nudge>,
        seconds: f32,
    ) {
        self.gather(wishes);
        self.members.iter_mut().zip(nudges).for_each(|(member, nudge)| member.nudge = nudge);
        self.move_on(wishes, seconds);
    }

    /// Sees to it that nobody goes in step with somebody near.
    fn pace(&mut self) {
        let Self { pacing: Some(pacing), members, cast, .. } = self else { return };
        let walkers = members.iter().map(|member| {
            let clip = (cast.library().body(member.role.look) as u64) << 32;
            member.walker(cast, clip)
        });
        let nudges = pacing.review(walkers);
        members.iter_mut().zip(nudges).for_each(|(member, nudge)| member.nudge = *nudge);
    }

    fn move_on(&mut self, wishes: &[Wish], seconds: f32) {
        let ground = self.ground.as_ref();
        let moment = Moment {
            cast: &self.cast,
            options: &self.options,
            ground: ground.map(|ground| &**ground as &dyn Ground),
            seconds,
        };
        let step = |workspace: &mut Workspace, (member, wish): (&mut Member, &Wish)| {
            member.step(moment, wish, workspace);
        };
        if wishes.len() < PARALLEL_FROM {
            let mut workspace = Workspace::default();
            self.members.iter_mut().zip(wishes).for_each(|pair| step(&mut workspace, pair));
        } else {
            self.members
                .par_iter_mut()
                .zip(wishes)
                .with_min_len(16)
                .for_each_init(Workspace::default, step);
        }
    }

    /// Everybody looks around for some seconds, as far as they have eyes: at what there is, at `passers`, who are given in
    /// ascending order of id, and at viewers. Comes after [`Self::follow`], in every frame.
    pub fn look_around(
        &mut self,
        sights: &Sights,
        passers: impl Iterator<Item = Passer>,
        seconds: f32,
    ) {
        self.look_around_if(sights, passers, seconds, |_| true);
    }

    /// The same, but some look ahead.
    pub(super) fn look_around_if(
        &mut self,
        sights: &Sights,
        passers: impl Iterator<Item = Passer>,
        seconds: f32,
        looks: impl Fn(u32) -> bool + Sync,
    ) {
        // Whoever has looked at what is gone now still has to turn back.
        let is_idle =
            |member: &Member| member.gaze().is_none_or(|gaze| gaze.phase() == Phase::Idle);
        if sights.is_empty() && self.members.iter().all(is_idle) {
            return;
        }
        let mut passers_by = std::mem::take(&mut self.passers_by);
        passers_by.gather(sights, passers);
        let (anatomies, seed) = (&self.anatomies, self.seed);
        let look = |member: &mut Member| {
            let Some(anatomy) = &anatomies[member.role.look] else { return };
            let around = looks(member.id).then_some((sights, &passers_by));
            member.look_around((anatomy, seed), around, seconds);
        };
        if self.members.len() < PARALLEL_FROM {
            self.members.iter_mut().for_each(look);
        } else {
            self.members.par_iter_mut().with_min_len(16).for_each(look);
        }
        self.passers_by = passers_by;
    }

    /// Those who have bodies, as others see them.
    pub fn passers(&self) -> Vec<Passer> {
        let passer = |member: &Member| Passer {
            id: member.id,
            group: member.group,
            place: member.placement().translation,
            velocity: ground_to_world(member.velocity(), 0.0),
        };
        self.members.iter().map(passer).collect()
    }

    /// Decides how those look who are new, all of them together, where everybody is there who wishes something. They
    /// need not have bodies.
    pub fn dress(&mut self, wishes: &[Wish]) {
        if self.wardrobe.knows_all(wishes.iter().map(|wish| self.present(wish))) {
            return;
        }
        let mut present = std::mem::take(&mut self.present);
        present.clear();
        present.extend(wishes.iter().map(|wish| self.present(wish)));
        self.wardrobe.dress(&present);
        self.present = present;
    }

    /// Somebody who is where they wish to be.
    fn present(&self, wish: &Wish) -> Present {
        let said = || self.dispositions.as_ref()?.temperament(wish.id, wish.group);
        Present {
            id: wish.id,
            species: self.species_of(wish.group),
            place: wish.position.extend(wish.height),
            temperament: wish.temperament.or_else(said).unwrap_or_default(),
        }
    }

    /// Makes the members those who have wishes, and what these say of them.
    fn gather(&mut self, wishes: &[Wish]) {
        self.gather_members(wishes);
        for (member, wish) in self.members.iter_mut().zip(wishes) {
            if let Some(temperament) = wish.temperament
                && member.take_after(temperament)
            {
                self.wardrobe.tell(wish.id, temperament);
            }
        }
    }

    fn gather_members(&mut self, wishes: &[Wish]) {
        debug_assert!(wishes.is_sorted_by(|a, b| a.id < b.id), "in ascending order of id");
        let same = self.members.len() == wishes.len()
            && self.members.iter().zip(wishes).all(|(member, wish)| member.id == wish.id);
        if same {
            return;
        }
        self.dress(wishes);
        let mut before = std::mem::take(&mut self.members).into_iter().peekable();
        self.members.reserve(wishes.len());
        for wish in wishes {
            while before.next_if(|member| member.id < wish.id).is_some() {}
            let member = before
                .next_if(|member| member.id == wish.id)
                .unwrap_or_else(|| Member::new(&self.cast, self.role(wish.id), wish));
            self.members.push(member);
        }
    }
}

/// What the body of somebody should do whom steering wants to move so within some seconds.
pub(super) fn wish_of(person: &Move, seconds: f32) -> Wish {
    Wish {
        id: person.id.0,
        group: person.group,
        position: person.to,
        height: person.height,
        velocity: (person.to - person.from) / seconds,
        heading: Heading::along(person.facing),
        lying: person.lies,
        planted: true,
        phase: None,
        temperament: Some(person.temperament.unwrap_or_default()),
    }
}

impl Embodiment for Ensemble {
    fn embody(&mut self, moves: &mut [Move], seconds: f32) {
        let mut wishes = std::mem::take(&mut self.wishes);
        wishes.clear();
        wishes.extend(moves.iter().map(|person| wish_of(person, seconds)));
        self.follow(&wishes, seconds);
        self.wishes = wishes;
        for (person, member) in moves.iter_mut().zip(&self.members) {
            person.to = member.position();
            person.velocity = member.velocity();
            person.facing = member.heading().direction();
        }
    }
}
