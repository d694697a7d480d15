//! Bodies for those who look closely: made while somebody wants them, and not otherwise.

use std::sync::PoisonError;
use std::time::Duration;

use throng::bodies::variety::Wardrobe as Dressed;
use throng::bodies::{MotionTarget, Viewer};
use throng_world::Scene;
use tokio::sync::watch;

use super::{Show, Stage};
use crate::bodies::{Focus, Following, RoleLog, StudioBodies, Wardrobe, needs};
use crate::frame::Standing;

impl Show {
    /// Everybody's motion targets now, in ascending order of id.
    fn targets(&self) -> Vec<MotionTarget> {
        match self {
            Self::Live(live) => MotionTarget::of_crowd(live.engine().crowd()).collect(),
            Self::Replay(replay) => MotionTarget::of_recorded(replay.people()).collect(),
        }
    }

    /// Time between two states, s.
    fn interval(&self) -> f64 {
        match self {
            Self::Live(live) => live.scene().settings.step,
            Self::Replay(replay) => replay.interval(),
        }
    }

    /// How everybody looks.
    fn dressed(&mut self) -> Option<&Dressed> {
        match self {
            Self::Live(live) => live.dressed(),
            Self::Replay(replay) => replay.dressed(),
        }
    }

    /// Where bodies are: its ground is what they stand on.
    pub(super) fn scene(&self) -> &Scene {
        match self {
            Self::Live(live) => live.scene(),
            Self::Replay(replay) => replay.scene(),
        }
    }
}

/// Who was inspected this long ago is still watched.
const WATCHED: Duration = Duration::from_secs(1);

impl Stage {
    /// Lets bodies follow to where everybody is now, and tells their poses; and what everybody's body is like, if anybody wants
    /// to know. `people` are those of now.
    pub(super) fn tell_bodies(&mut self) -> Option<Vec<Standing>> {
        // Nobody panics while they hold it; if somebody did, what they left is still where pages look.
        let foci = self.outlets.foci.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if foci.is_empty() {
            self.bodies = None;
            return None;
        }
        self.look_for_cast();
        self.bodies.as_ref()?;
        let (targets, interval) = (self.show.targets(), self.show.interval());
        let moment = self.moment();
        self.note_effort();
        let bodies = self.bodies.as_mut()?;
        if let Some(dressed) = self.show.dressed() {
            bodies.dress(&targets, dressed);
        }
        let viewers: Vec<Viewer> = foci.values().filter_map(Focus::viewer).collect();
        bodies.set_viewers(&viewers);
        let (views, budget) = needs(&foci);
        bodies.set_views(&views, self.efforts.map_or(budget, |efforts| efforts.within(budget)));
        let watched = self.inspected.filter(|(_, since)| since.elapsed() < WATCHED);
        bodies.watch(watched.map(|(person, _)| person));
        let Following { poses, standings } =
            bodies.follow(&moment, targets, interval, self.clock.speed());
        tell_roles(&self.outlets.roles, bodies, moment.epoch);
        self.outlets.bodies.send_replace(poses);
        self.give_efforts();
        standings
    }

    /// Whoever wants bodies may have to wait until there is a cast. Tells whether there is one just now.
    pub(super) fn look_for_cast(&mut self) -> bool {
        let is_wanted = self.outlets.foci.lock().is_ok_and(|foci| !foci.is_empty());
        if self.bodies.is_some() || !is_wanted {
            return false;
        }
        match Wardrobe::usual() {
            None => {}
            Some(Ok(wardrobe)) => {
                // Those who have it need not be told again.
                self.outlets.cast.send_if_modified(|told| {
                    let is_new = told.is_empty();
                    *told = wardrobe.message.clone();
                    is_new
                });
                self.bodies = Some(StudioBodies::new(wardrobe, self.show.scene()));
                return true;
            }
            Some(Err(error)) => {
                self.outlets.foci.lock().map(|mut foci| foci.clear()).ok();
                self.tell_error(format!("there are no bodies: {error}"));
            }
        }
        false
    }

    /// Ids mean other people, or the same people are elsewhere.
    pub(super) fn dismiss_bodies(&mut self) {
        self.bodies = None;
    }
}

/// Tells how those look whom pages do not know yet.
fn tell_roles(roles: &watch::Sender<RoleLog>, bodies: &mut StudioBodies, epoch: u16) {
    let is_long = roles.borrow().is_long();
    if is_long {
        bodies.tell_anew();
    }
    let is_new = bodies.is_new();
    let news = bodies.news();
    if news.is_empty() {
        return;
    }
    roles.send_modify(|log| {
        if is_new {
            log.forget();
        }
        log.push(epoch, &news);
    });
}
