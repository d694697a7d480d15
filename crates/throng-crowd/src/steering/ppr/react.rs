//! What to do about who and what is right ahead: the decision tree of the reactive phase.
//!
//! A situation is how many different people the three feelers ahead meet, and whether one meets a wall. Nothing
//! is done about people unless one of them would be run into at the velocity somebody wants.

use super::Walker;
use super::feelers::{CENTRE, Feelers, Hit, LEFT, RIGHT, Ray};
use super::predict::{Relation, STANDS, relation, threat_interval};
use super::state::{Command, Turn};
use crate::grid::GridEntry;
use crate::steering::{Action, pair_side};

/// Those behind three others are this much slower than the slowest if it is close (published).
const CLOSE: f32 = 0.7;

/// How fast people step aside of what is as near as their side feelers reach, m/s; nearer, faster by the inverse.
const SCOOT: f32 = 0.05;
/// And at most, m/s.
const FASTEST_SCOOT: f32 = 0.25;

/// In this time people come up to somebody who walks ahead or stands in the way, s.
const HEADWAY: f32 = 0.6;

/// Who gets on with more than this share of one's own speed is not overtaken.
const WORTH: f32 = 0.9;

/// Differences between feelers' free shares that do not matter.
const SAME: f32 = 1e-3;

/// How two stand to each other right now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ahead {
    Oncoming,
    /// Walks the same way, or stands.
    Slow,
    /// Crosses, and is first.
    CrossesFirst,
    /// Crosses, and is second.
    CrossesLater,
}

impl Walker<'_> {
    /// What to do now, if anything is right ahead.
    pub(super) fn react(&self, feelers: &Feelers) -> Option<Command> {
        let (people, count) = feelers.people();
        let matters = people[..count].iter().any(|&index| self.would_meet(self.other(index)));
        let people = if matters { &people[..count] } else { &[] };
        let has_wall = feelers.ahead.iter().any(Ray::meets_wall);
        match (people, has_wall) {
            ([], false) => None,
            ([], true) => Some(self.at_wall(feelers)),
            ([one], false) => Some(self.at_one(feelers, *one)),
            ([one, two], false) => Some(self.at_two(*one, *two)),
            (all, false) => Some(self.at_many(all)),
            ([one], true) => Some(self.at_wall_and_one(feelers, *one)),
            (all, true) => {
                let command = self.at_many(all);
                let turn = Turn::Aside(self.longer_side(feelers) * self.parameters.fast_turn);
                Some(Command { turn, ..command })
            }
        }
    }

    /// How fast to step to the left because of what is beside them, m/s.
    pub(super) fn scoot(&self, feelers: &Feelers) -> f32 {
        let aside = |free: f32| (SCOOT / free.max(1e-3)).min(FASTEST_SCOOT);
        match feelers.beside.map(|ray| (ray.hit != Hit::Nothing).then_some(ray.free)) {
            [Some(left), None] => -aside(left),
            [None, Some(right)] => aside(right),
            _ => 0.0,
        }
    }

    /// Whether they would run into somebody if they walked on as they want to.
    fn would_meet(&self, other: &GridEntry) -> bool {
        let reach = self.person.radius + other.radius() + self.parameters.padding;
        let speed = self.person.velocity.dot(self.heading).max(self.target.speed);
        let apart = self.person.position - other.position();
        let closing = self.heading * speed - other.velocity();
        match threat_interval(apart, closing, reach) {
            // Already too near: what counts is whether they come nearer still.
            Some([begins, ends]) if begins < 0.0 => ends > 0.0 && apart.dot(closing) < 0.0,
            Some(_) => true,
            None => false,
        }
    }

    fn ahead(&self, other: &GridEntry) -> Ahead {
        let stands = other.velocity().length() < STANDS;
        match relation(self.heading, self.heading_of(other)) {
            _ if stands => Ahead::Slow,
            Relation::Similar => Ahead::Slow,
            Relation::Oncoming => Ahead::Oncoming,
            Relation::Crossing if self.is_first(other) => Ahead::CrossesLater,
            Relation::Crossing => Ahead::CrossesFirst,
        }
    }

    fn at_one(&self, feelers: &Feelers, one: u32) -> Command {
        let other = self.other(one);
        let away = self.away(feelers, other);
        let full = if self.is_close(other) { self.parameters.slower } else { 1.0 };
        match self.ahead(other) {
            Ahead::Oncoming => {
                let left = feelers.ahead[RIGHT].meets_person();
                let side = if left { 1.0 } else { -1.0 };
                self.command(Action::TurnAside, aside(side, self.parameters.fast_turn), full)
            }
            Ahead::CrossesFirst => self.give_way(other),
            Ahead::CrossesLater => {
                self.command(Action::TurnAside, aside(away, self.parameters.fast_turn), 1.0)
            }
            // Nearly as fast as oneself: not worth overtaking.
            Ahead::Slow if self.pace_of(other) > WORTH => self.give_way(other),
            Ahead::Slow => {
                let turn = aside(away, self.parameters.fast_turn);
                self.command(Action::TurnAside, turn, self.approach(other))
            }
        }
    }

    fn at_two(&self, one: u32, two: u32) -> Command {
        let (one, two) = (self.other(one), self.other(two));
        let onwards = Turn::Target(self.parameters.typical_turn);
        match (self.ahead(one), self.ahead(two)) {
            (Ahead::Oncoming, Ahead::Oncoming) => self.command(Action::Stop, onwards, 0.0),
            (Ahead::Slow, Ahead::Oncoming) => self.follow(one),
            (Ahead::Oncoming, Ahead::Slow) => self.follow(two),
            _ => {
                let pace = self.pace_of(one).min(self.pace_of(two));
                self.command(Action::Follow, onwards, pace)
            }
        }
    }

    /// Those in the thick of others are as slow as the slowest.
    fn at_many(&self, people: &[u32]) -> Command {
        let others = people.iter().map(|&index| self.other(index));
        let slowest = others.clone().map(|other| self.pace_of(other)).fold(1.0, f32::min);
        let is_close = others.into_iter().any(|other| self.is_close(other));
        let pace = if is_close { CLOSE * slowest } else { slowest };
        self.command(Action::Follow, Turn::Target(self.parameters.typical_turn), pace)
    }

    fn at_wall(&self, feelers: &Feelers) -> Command {
        let [left, centre, right] = feelers.ahead.map(|ray| ray.free);
        let slower = self.parameters.slower;
        let rises = left <= centre + SAME && centre <= right + SAME && left < right - SAME;
        let falls = left + SAME >= centre && centre + SAME >= right && right < left - SAME;
        if rises || falls {
            let side = if rises { -1.0 } else { 1.0 };
            return self.along_wall(feelers, side);
        }
        if !feelers.ahead[CENTRE].meets_wall() {
            // Away from the nearer post.
            let scoot = FASTEST_SCOOT * (left - right);
            let straight = Turn::Target(self.parameters.fast_turn);
            return Command { scoot, ..self.command(Action::ThroughDoor, straight, 1.0) };
        }
        self.command(Action::Corner, Turn::Target(self.parameters.cornering_turn), slower)
    }

    /// A wall that slants: turns to the longer side, unless the way leads there by itself.
    fn along_wall(&self, feelers: &Feelers, side: f32) -> Command {
        let is_ahead = feelers.ahead[CENTRE].meets_wall();
        let aside = self.heading.perp_dot(self.target.direction) * side;
        let leads_there = aside > 0.0 || (aside.abs() < 0.02 && !is_ahead);
        let nearest = feelers.ahead.map(|ray| ray.free).into_iter().fold(1.0, f32::min);
        let pace = if is_ahead { self.parameters.slower.max(nearest) } else { 1.0 };
        let rate =
            if is_ahead { self.parameters.cornering_turn } else { self.parameters.fast_turn };
        let turn = if leads_there { Turn::Target(rate) } else { Turn::Aside(side * rate) };
        self.command(Action::AlongWall, turn, pace)
    }

    fn at_wall_and_one(&self, feelers: &Feelers, one: u32) -> Command {
        let other = self.other(one);
        let is_wall = feelers.ahead.map(|ray| ray.meets_wall());
        let slower = self.parameters.slower;
        match self.ahead(other) {
            Ahead::Oncoming if is_wall[CENTRE] => {
                let turn = aside(self.longer_side(feelers), self.parameters.fast_turn);
                self.command(Action::Stop, turn, 0.0)
            }
            Ahead::Oncoming if is_wall[RIGHT] => self.command(Action::Stop, Turn::Keep, 0.0),
            Ahead::Oncoming => {
                self.command(Action::TurnAside, aside(-1.0, self.parameters.fast_turn), slower)
            }
            Ahead::CrossesLater => {
                let faster = self.parameters.slightly_faster;
                self.command(Action::CrossBefore, Turn::Target(self.parameters.fast_turn), faster)
            }
            Ahead::CrossesFirst => self.give_way(other),
            Ahead::Slow => {
                let onwards = Turn::Target(self.parameters.typical_turn);
                self.command(Action::Follow, onwards, self.approach(other))
            }
        }
    }

    fn give_way(&self, other: &GridEntry) -> Command {
        let pace = self.parameters.slightly_slower * self.pace_of(other);
        self.command(Action::GiveWay, Turn::Target(self.parameters.typical_turn), pace)
    }

    fn follow(&self, other: &GridEntry) -> Command {
        let onwards = Turn::Target(self.parameters.typical_turn);
        self.command(Action::Follow, onwards, self.pace_of(other))
    }

    /// How fast somebody gets on along one's own heading, as a factor of one's own speed.
    fn pace_of(&self, other: &GridEntry) -> f32 {
        let along = other.velocity().dot(self.heading).max(0.0);
        (along / self.target.speed).min(1.0)
    }

    /// The same with what is left to the other's body.
    fn approach(&self, other: &GridEntry) -> f32 {
        (self.pace_of(other) + self.gap(other) / (HEADWAY * self.target.speed)).min(1.0)
    }

    fn gap(&self, other: &GridEntry) -> f32 {
        let distance = self.person.position.distance(other.position());
        (distance - self.person.radius - other.radius()).max(0.0)
    }

    fn is_close(&self, other: &GridEntry) -> bool {
        self.gap(other) < self.parameters.comfort_zone
    }

    /// The side on which nothing was hit; if both were, the one where somebody is not.
    fn away(&self, feelers: &Feelers, other: &GridEntry) -> f32 {
        match [LEFT, RIGHT].map(|side| feelers.ahead[side].meets_person()) {
            [true, false] => -1.0,
            [false, true] => 1.0,
            _ => {
                let aside = self.heading.perp_dot(other.position() - self.person.position);
                if aside.abs() > 1e-3 {
                    -aside.signum()
                } else {
                    pair_side(self.person.id, other.id())
                }
            }
        }
    }

    /// Where walls leave more room.
    fn longer_side(&self, feelers: &Feelers) -> f32 {
        let length = |side: usize| {
            let ray = &feelers.ahead[side];
            if ray.meets_wall() { ray.free } else { 1.0 }
        };
        let longer = length(LEFT) - length(RIGHT);
        let way = self.heading.perp_dot(self.target.direction);
        let side = if longer.abs() > SAME { longer } else { way };
        if side >= 0.0 { 1.0 } else { -1.0 }
    }

    fn command(&self, action: Action, turn: Turn, pace: f32) -> Command {
        Command { action, turn, pace, scoot: 0.0 }
    }
}

/// Turns to a side, 1 for the left and -1 for the right, at a rate in rad/s.
fn aside(side: f32, rate: f32) -> Turn {
    Turn::Aside(side * rate)
}
