//! Bodies for those who look closely: made while somebody wants them, and not otherwise.

use std::sync::PoisonError;
use std::time::Duration;

use throng::bodies::variety::Wardrobe as Dressed;
use throng::bodies::{Viewer, Wish};
use throng_base::Heading;
use throng_crowd::{PersonId, Status};
use throng_world::Scene;
use tokio::sync::watch;

use super::{Show, Stage};
use crate::bodies::{Focus, Following, RoleLog, Troupe, Wardrobe, needs};
use crate::frame::Standing;

impl Show {
    /// What somebody's body should do now.
    fn wish(&self, person: u32) -> Option<Wish> {
        match self {
            Self::Live(live) => {
                let crowd = live.engine().crowd();
                let state = crowd.person(PersonId(person))?;
                let temperament = crowd.temperament(state.id);
                Some(Wish {
                    id: person,
                    group: state.group,
                    position: state.position,
                    height: state.height,
                    velocity: state.velocity,
                    heading: Some(state.heading),
                    lying: state.status == Status::Fallen,
                    planted: true,
                    temperament: Some(temperament.unwrap_or_default()),
                    ..Wish::default()
                })
            }
            Self::Replay(replay) => {
                let people = replay.people();
                let row = people.ids.binary_search(&person).ok()?;
                let temperament = replay.temperament(person, people.groups[row]);
                Some(Wish {
                    id: person,
                    group: people.groups[row],
                    position: people.positions[row],
                    height: people.heights[row],
                    velocity: people.velocities[row],
                    heading: Some(Heading::from_radians(people.headings[row])),
                    lying: people.statuses[row] == Status::Fallen,
                    planted: true,
                    temperament: Some(temperament.unwrap_or_default()),
                    ..Wish::default()
                })
            }
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
            self.troupe = None;
            return None;
        }
        self.look_for_cast();
        self.troupe.as_ref()?;
        let ids = self.people.iter().map(|person| person.id.0);
        let wishes: Vec<Wish> = ids.filter_map(|id| self.show.wish(id)).collect();
        let moment = self.moment();
        self.note_effort();
        let troupe = self.troupe.as_mut()?;
        if let Some(dressed) = self.show.dressed() {
            troupe.dress(&wishes, dressed);
        }
        let viewers: Vec<Viewer> = foci.values().filter_map(Focus::viewer).collect();
        troupe.set_viewers(&viewers);
        let (views, budget) = needs(&foci);
        troupe.set_views(views, self.efforts.map_or(budget, |efforts| efforts.within(budget)));
        let watched = self.inspected.filter(|(_, since)| since.elapsed() < WATCHED);
        troupe.watch(watched.map(|(person, _)| person));
        let Following { poses, standings } = troupe.follow(&moment, wishes, self.clock.speed());
        tell_roles(&self.outlets.roles, troupe, moment.epoch);
        self.outlets.bodies.send_replace(poses);
        self.give_efforts();
        standings
    }

    /// Whoever wants bodies may have to wait until there is a cast. Tells whether there is one just now.
    pub(super) fn look_for_cast(&mut self) -> bool {
        let is_wanted = self.outlets.foci.lock().is_ok_and(|foci| !foci.is_empty());
        if self.troupe.is_some() || !is_wanted {
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
                self.troupe = Some(Troupe::new(wardrobe, self.show.scene()));
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
        self.troupe = None;
    }
}

/// Tells how those look whom pages do not know yet.
fn tell_roles(roles: &watch::Sender<RoleLog>, troupe: &mut Troupe, epoch: u16) {
    let is_long = roles.borrow().is_long();
    if is_long {
        troupe.tell_anew();
    }
    let is_new = troupe.is_new();
    let news = troupe.news();
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
