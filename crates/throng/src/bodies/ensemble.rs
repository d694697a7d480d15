//! Everybody's body.

use std::sync::Arc;

use glam::{Quat, Vec2, Vec3, Vec3A};
use rayon::prelude::*;
use throng_crowd::{Embodiment, Move};
use throng_motion::mediator::{Command, Performance, Performer, PerformerOptions, Scratch};
use throng_motion::{Pose, RootMotion};
use throng_world::Heading;
use throng_world::frame::{ground_to_world, world_to_ground};

use super::cast::{Cast, Role};

/// What somebody's body should do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wish {
    /// Who.
    pub id: u32,
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
}

/// Somebody with a body.
#[derive(Clone, Debug)]
pub struct Member {
    /// Who.
    pub id: u32,
    /// How they look.
    pub role: Role,
    /// The pose, of their look's skeleton, in body space. Everything is larger by the role's scale.
    pub pose: Pose,
    /// What is played, as of a body of the look's size.
    pub played: Performance,
    performer: Performer,
    planted: bool,
}

/// Fewer people than this are not handed out to other threads.
const PARALLEL_FROM: usize = 64;

impl Member {
    fn new(cast: &Cast, seed: u64, wish: &Wish) -> Self {
        let role = cast.role(seed, wish.id);
        let yaw =
            wish.heading.or_else(|| Heading::along(wish.velocity)).unwrap_or_default().body_yaw();
        let place = ground_to_world(wish.position, wish.height) / role.scale;
        let performer = Performer::new(place, yaw).at_phase(role.phase);
        Self {
            id: wish.id,
            role,
            pose: Pose::rest(cast.looks()[role.look].human.skeleton()),
            played: performer.beginning(),
            performer,
            planted: wish.planted,
        }
    }

    fn step(
        &mut self,
        cast: &Cast,
        wish: &Wish,
        seconds: f32,
        options: &PerformerOptions,
        scratch: &mut Scratch,
    ) {
        if seconds == 0.0 && self.performer.has_begun() {
            return;
        }
        let size = 1.0 / self.role.scale;
        let command = Command {
            velocity: ground_to_world(wish.velocity, 0.0) * size,
            place: ground_to_world(wish.position, wish.height) * size,
            facing: wish.heading.map(Heading::body_yaw),
            lying: wish.lying,
        };
        let repertoire = &cast.looks()[self.role.look].repertoire;
        self.planted = wish.planted;
        let (performer, pose) = (&mut self.performer, &mut self.pose);
        self.played = if wish.planted {
            performer.step(repertoire, &command, seconds, options, pose, scratch)
        } else {
            performer.step_plainly(repertoire, &command, seconds, options, pose, scratch)
        };
    }

    /// Where body space is in the world.
    pub fn placement(&self) -> RootMotion {
        let RootMotion { translation, yaw } = self.played.placement;
        RootMotion { translation: translation * self.role.scale, yaw }
    }

    /// Where they are on the ground: what a simulator should take over.
    pub fn position(&self) -> Vec2 {
        world_to_ground(self.placement().translation).0
    }

    /// The mean velocity of what they play, m/s.
    pub fn velocity(&self) -> Vec2 {
        world_to_ground(self.played.velocity * self.role.scale).0
    }

    /// Where their torso faces.
    pub fn heading(&self) -> Heading {
        let facing = Quat::from_rotation_y(self.played.facing) * Vec3::Z;
        Heading::along(world_to_ground(facing).0).unwrap_or_default()
    }

    /// How far they are from where they should be, m.
    pub fn deviation(&self) -> f32 {
        self.played.deviation * self.role.scale
    }

    /// How far the foot of a side has moved since the frame before, m; nothing if it does not stand.
    pub fn slip(&self, foot: usize) -> Option<f32> {
        let report = self.played.feet.get(foot)?;
        report.contact.map(|_| report.slip * self.role.scale)
    }

    /// Whether their feet stand where they stand.
    pub fn is_planted(&self) -> bool {
        self.planted
    }

    /// The pose in the world, at their size.
    pub fn world_pose(&self) -> Pose {
        let mut pose = self.pose.clone();
        pose.root *= self.role.scale;
        let RootMotion { translation, yaw } = self.placement();
        pose.place((Quat::from_rotation_y(yaw), Vec3A::from(translation)));
        pose
    }
}

/// The bodies of a crowd, in ascending order of id.
///
/// They follow what they are wished to do, be it by a running simulation, a recording, or tracks from
/// elsewhere; what they make of it can be read from the members.
#[derive(Clone, Debug)]
pub struct Ensemble {
    cast: Arc<Cast>,
    seed: u64,
    options: PerformerOptions,
    members: Vec<Member>,
    /// Kept for its memory.
    wishes: Vec<Wish>,
}

impl Ensemble {
    /// Nobody yet. `seed` decides who looks how.
    pub fn new(cast: Arc<Cast>, seed: u64) -> Self {
        Self {
            cast,
            seed,
            options: PerformerOptions::default(),
            members: Vec::new(),
            wishes: Vec::new(),
        }
    }

    /// The same with other options.
    pub fn with_options(mut self, options: PerformerOptions) -> Self {
        self.options = options;
        self
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

    /// Lets `seconds` pass, in which everybody follows their wish. `wishes` are in strictly ascending order of
    /// id; whoever has none is gone, and whoever is new appears. If no time passes, the others stay as they are.
    ///
    /// The result does not depend on the number of threads.
    pub fn follow(&mut self, wishes: &[Wish], seconds: f32) {
        self.gather(wishes);
        let (cast, options) = (&*self.cast, &self.options);
        let step = |scratch: &mut Scratch, (member, wish): (&mut Member, &Wish)| {
            member.step(cast, wish, seconds, options, scratch);
        };
        if wishes.len() < PARALLEL_FROM {
            let mut scratch = Scratch::default();
            self.members.iter_mut().zip(wishes).for_each(|pair| step(&mut scratch, pair));
        } else {
            self.members
                .par_iter_mut()
                .zip(wishes)
                .with_min_len(16)
                .for_each_init(Scratch::default, step);
        }
    }

    /// Makes the members those who have wishes.
    fn gather(&mut self, wishes: &[Wish]) {
        debug_assert!(wishes.is_sorted_by(|a, b| a.id < b.id), "in ascending order of id");
        let same = self.members.len() == wishes.len()
            && self.members.iter().zip(wishes).all(|(member, wish)| member.id == wish.id);
        if same {
            return;
        }
        let mut before = std::mem::take(&mut self.members).into_iter().peekable();
        self.members.reserve(wishes.len());
        for wish in wishes {
            while before.next_if(|member| member.id < wish.id).is_some() {}
            let member = before
                .next_if(|member| member.id == wish.id)
                .unwrap_or_else(|| Member::new(&self.cast, self.seed, wish));
            self.members.push(member);
        }
    }
}

impl Embodiment for Ensemble {
    fn embody(&mut self, moves: &mut [Move], seconds: f32) {
        let mut wishes = std::mem::take(&mut self.wishes);
        wishes.clear();
        wishes.extend(moves.iter().map(|person| Wish {
            id: person.id.0,
            position: person.to,
            height: person.height,
            velocity: (person.to - person.from) / seconds,
            heading: Heading::along(person.facing),
            lying: person.lies,
            planted: true,
        }));
        self.follow(&wishes, seconds);
        self.wishes = wishes;
        for (person, member) in moves.iter_mut().zip(&self.members) {
            person.to = member.position();
            person.velocity = member.velocity();
            person.facing = member.heading().direction();
        }
    }
}
