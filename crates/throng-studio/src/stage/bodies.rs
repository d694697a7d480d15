//! Bodies for those who look closely: made while somebody wants them, and not otherwise.

use std::sync::PoisonError;

use throng::bodies::variety::Wardrobe as Dressed;
use throng::bodies::{Viewer, Wish};
use throng_crowd::{PersonId, Status};
use throng_world::{Heading, Scene};

use super::{Show, Stage};
use crate::bodies::{Focus, Troupe, Wardrobe, choose};

impl Show {
    /// What somebody's body should do now.
    fn wish(&self, person: u32) -> Option<Wish> {
        match self {
            Self::Live(live) => {
                let state = live.engine().crowd().person(PersonId(person))?;
                Some(Wish {
                    id: person,
                    group: state.group,
                    position: state.position,
                    height: state.height,
                    velocity: state.velocity,
                    heading: Some(state.heading),
                    lying: state.status == Status::Fallen,
                    planted: true,
                    ..Wish::default()
                })
            }
            Self::Replay(replay) => {
                let people = replay.people();
                let row = people.ids.binary_search(&person).ok()?;
                Some(Wish {
                    id: person,
                    group: people.groups[row],
                    position: people.positions[row],
                    height: people.heights[row],
                    velocity: people.velocities[row],
                    heading: Some(Heading::from_radians(people.headings[row])),
                    lying: people.statuses[row] == Status::Fallen,
                    planted: true,
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

impl Stage {
    /// Lets bodies follow to where everybody is now, and tells their poses. `people` are those of now.
    pub(super) fn tell_bodies(&mut self) {
        // Nobody panics while they hold it; if somebody did, what they left is still where pages look.
        let foci = self.outlets.foci.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if foci.is_empty() {
            self.troupe = None;
            return;
        }
        let Some(troupe) = &mut self.troupe else { return self.look_for_cast() };
        let ids = choose(&foci, &self.people, &troupe.ids());
        let wishes: Vec<Wish> = ids.into_iter().filter_map(|id| self.show.wish(id)).collect();
        let moment = self.moment();
        let Some(troupe) = &mut self.troupe else { return };
        if let Some(dressed) = self.show.dressed() {
            troupe.dress(&wishes, dressed);
        }
        let viewers: Vec<Viewer> = foci.values().filter_map(Focus::viewer).collect();
        troupe.set_viewers(&viewers);
        self.outlets.bodies.send_replace(troupe.follow(&moment, wishes, self.clock.speed()));
    }

    /// Whoever wants bodies may have to wait until there is a cast.
    pub(super) fn look_for_cast(&mut self) {
        let is_wanted = self.outlets.foci.lock().is_ok_and(|foci| !foci.is_empty());
        if self.troupe.is_some() || !is_wanted {
            return;
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
                self.tell_bodies();
            }
            Some(Err(error)) => {
                self.outlets.foci.lock().map(|mut foci| foci.clear()).ok();
                self.tell_notice("error", &format!("there are no bodies: {error}"));
            }
        }
    }

    /// Ids mean other people, or the same people are elsewhere.
    pub(super) fn dismiss_bodies(&mut self) {
        self.troupe = None;
    }
}
