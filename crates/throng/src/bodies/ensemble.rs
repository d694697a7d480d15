//! Everybody's body.

use std::sync::Arc;

use rayon::prelude::*;
use throng_base::ground::Ground;
use throng_motion::gaze::{Anatomy, Phase};
use throng_motion::mediator::PerformerOptions;
use throng_world::FloorGround;
use throng_world::Scene;
use throng_world::scene::{Dispositions, GroupId, Species};

use super::cast::Cast;
use super::look::Look;
use super::member::{Member, Moment, Workspace};
use super::sights::{Passer, PassersBy, Sights};
use super::target::MotionTarget;
use super::variety::{Descriptor, Nudge, Pacing, Present, Wardrobe};

/// Ground that many share.
pub type SharedGround = Arc<dyn Ground + Send + Sync>;

/// The ground of a scene, with its stairs and ramps; nothing if all of it is level.
pub fn ground_of(scene: &Scene) -> Option<SharedGround> {
    let level =
        scene.connectors.is_empty() && scene.layers.iter().all(|floor| floor.terrain.is_flat());
    (!level).then(|| Arc::new(FloorGround::new(&scene.layers, &scene.connectors)) as SharedGround)
}

/// Fewer people than this are not handed out to other threads.
const PARALLEL_FROM: usize = 64;

/// The bodies of a crowd, in ascending order of id.
///
/// They follow motion targets, be it of a running simulation, a recording, or tracks from
/// elsewhere; what they make of it can be read from the members.
#[derive(Clone)]
pub struct Ensemble {
    pub(super) cast: Arc<Cast>,
    /// How everybody looks, and what decides it.
    wardrobe: Wardrobe,
    seed: u64,
    options: PerformerOptions,
    /// What bodies stand on, and what groups are, if that is known.
    ground: Option<SharedGround>,
    species: Vec<Species>,
    dispositions: Option<Dispositions>,
    pub(super) members: Vec<Member>,
    /// What each look of people looks with.
    anatomies: Arc<Vec<Option<Anatomy>>>,
    passers_by: PassersBy,
    /// Who is in step with whom, if anybody minds.
    pub(super) pacing: Option<Pacing>,
    /// Scratch memory, reused between steps.
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

    /// The same on some ground. On none, everybody stands level at the height of their target.
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

    /// Lets `seconds` pass, in which everybody follows their target. `targets` are in strictly ascending order of
    /// id; whoever has none is gone, and whoever is new appears. If no time passes, the others stay as they are.
    ///
    /// The result does not depend on the number of threads.
    pub fn follow(&mut self, targets: &[MotionTarget], seconds: f32) {
        self.gather(targets);
        self.pace();
        self.move_on(targets, seconds);
    }

    /// Nudges those who walk in step with somebody near.
    fn pace(&mut self) {
        let Self { pacing: Some(pacing), members, cast, .. } = self else { return };
        let walkers = members.iter().map(|member| member.walker(cast));
        let nudges = pacing.review(walkers);
        members.iter_mut().zip(nudges).for_each(|(member, nudge)| member.nudge = *nudge);
    }

    pub(super) fn move_on(&mut self, targets: &[MotionTarget], seconds: f32) {
        let ground = self.ground.as_ref();
        let moment = Moment {
            cast: &self.cast,
            options: &self.options,
            ground: ground.map(|ground| &**ground as &dyn Ground),
            seconds,
        };
        let step = |workspace: &mut Workspace, (member, target): (&mut Member, &MotionTarget)| {
            member.step(moment, target, workspace);
        };
        if targets.len() < PARALLEL_FROM {
            let mut workspace = Workspace::default();
            self.members.iter_mut().zip(targets).for_each(|pair| step(&mut workspace, pair));
        } else {
            self.members
                .par_iter_mut()
                .zip(targets)
                .with_min_len(16)
                .for_each_init(Workspace::default, step);
        }
    }

    /// Those for whom `looks` is true look around for some seconds: at what there is, at `passers`, in ascending order of
    /// id, and at viewers. The others look ahead. Comes after bodies have moved, in every frame.
    pub(super) fn look_around(
        &mut self,
        sights: &Sights,
        passers: &[Passer],
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

    /// Decides how those look who are new, all of them together, where everybody is there who targets something. They
    /// need not have bodies.
    pub fn dress(&mut self, targets: &[MotionTarget]) {
        if self.wardrobe.knows_all(targets.iter().map(|target| self.present(target))) {
            return;
        }
        let mut present = std::mem::take(&mut self.present);
        present.clear();
        present.extend(targets.iter().map(|target| self.present(target)));
        self.wardrobe.dress(&present);
        self.present = present;
    }

    /// Somebody who is where they target to be.
    fn present(&self, target: &MotionTarget) -> Present {
        let said = || self.dispositions.as_ref()?.temperament(target.id, target.group);
        Present {
            id: target.id,
            species: self.species_of(target.group),
            place: target.position.extend(target.height),
            temperament: target.temperament.or_else(said).unwrap_or_default(),
        }
    }

    /// Makes the members those who have targets, and what these say of them.
    pub(super) fn gather(&mut self, targets: &[MotionTarget]) {
        self.gather_members(targets);
        for (member, target) in self.members.iter_mut().zip(targets) {
            if let Some(temperament) = target.temperament
                && member.take_after(temperament)
            {
                self.wardrobe.tell(target.id, temperament);
            }
        }
    }

    fn gather_members(&mut self, targets: &[MotionTarget]) {
        debug_assert!(targets.is_sorted_by(|a, b| a.id < b.id), "in ascending order of id");
        let same = self.members.len() == targets.len()
            && self.members.iter().zip(targets).all(|(member, target)| member.id == target.id);
        if same {
            return;
        }
        self.dress(targets);
        let mut before = std::mem::take(&mut self.members).into_iter().peekable();
        self.members.reserve(targets.len());
        for target in targets {
            while before.next_if(|member| member.id < target.id).is_some() {}
            let member = before
                .next_if(|member| member.id == target.id)
                .unwrap_or_else(|| Member::new(&self.cast, self.role(target.id), target));
            self.members.push(member);
        }
    }
}
