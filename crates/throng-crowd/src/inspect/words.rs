//! An inspection in a sentence or two, for people to read.

use glam::Vec2;
use throng_base::words::list;
use throng_nav::NoWay;
use throng_world::Layer;
use throng_world::scene::{Aim, GroupId, LayerId, Region, RegionId, Target};

use super::{CurrentGoal, Inspection, Neighbour, WayKind};
use crate::PersonId;
use crate::crowd::Crowd;
use crate::status::{Obstruction, Status};
use crate::steering::{Action, Condition, Constraints};
use crate::world::Setting;

/// What things are called. Whatever has no name here is called by its number.
#[derive(Clone, Copy, Debug, Default)]
pub struct Names<'a> {
    /// Regions, by their numbers.
    pub regions: &'a [Region],
    /// Floors, by their numbers.
    pub layers: &'a [Layer],
    /// Groups, by their numbers.
    pub groups: &'a [&'a str],
}

impl Crowd {
    /// The names of the crowd's own regions and floors, and those of groups, which it does not know.
    pub fn names<'a>(&'a self, groups: &'a [&'a str]) -> Names<'a> {
        let Setting { regions, layers, .. } = self.setting();
        Names { regions, layers, groups }
    }
}

impl Names<'_> {
    fn region(&self, id: RegionId) -> String {
        match self.regions.get(id.0 as usize) {
            Some(region) => format!("region {:?}", region.name),
            None => format!("region {}", id.0),
        }
    }

    fn layer(&self, id: LayerId) -> String {
        match self.layers.get(id.0 as usize) {
            Some(layer) => format!("floor {:?}", layer.name),
            None => format!("floor {}", id.0),
        }
    }

    fn group(&self, id: GroupId) -> String {
        match self.groups.get(id.0 as usize) {
            Some(name) => format!("group {name:?}"),
            None => format!("group {}", id.0),
        }
    }
}

/// Whoever changes somebody's velocity by less, m/s, is not worth a word.
const NOTICEABLE: f32 = 0.05;

/// Who gets nearer at less than this, m/s, does not come.
const COMES: f32 = 0.2;

/// Slower than this, m/s, somebody stands.
const STANDS: f32 = 0.1;

/// Faster than this, m/s, somebody walks, even if not towards their goal.
const MOVES: f32 = 0.25;

/// Who waits for this long, s, or longer waits until they are stopped.
const ENDLESS: f32 = 1e6;

impl Inspection {
    /// Why they move as they do, or why they do not, in a sentence or two.
    pub fn status_in_words(&self, names: &Names) -> String {
        let sentence = match self.decision.status {
            _ if self.leaves => "Is done, and about to leave".to_owned(),
            Status::NoPath => self.no_path(names),
            Status::Blocked => {
                let (time, by) = (seconds(self.blocked_for), self.obstruction());
                let is_moving = self.state.velocity.length() > MOVES;
                let blocked = match is_moving {
                    true => format!("Walks, but gets no nearer for {time} because of {by}"),
                    false => format!("Blocked for {time} by {by}"),
                };
                match self.goal.as_ref().filter(|goal| goal.aim.is_place()) {
                    Some(_) => format!("{blocked} on the way {}", self.whereto(names)),
                    None => blocked,
                }
            }
            Status::Waiting => match self.goal.as_ref().map(|goal| goal.time_left) {
                Some(left) if left < ENDLESS => format!("Waiting for another {}", seconds(left)),
                _ => "Waiting".to_owned(),
            },
            Status::Arrived if self.state.velocity.length() > STANDS => {
                "Has arrived, and makes room or closes up".to_owned()
            }
            Status::Arrived => "Has arrived, with nothing left to do".to_owned(),
            Status::Walking | Status::Panicking if self.way.kind == WayKind::Unknown => {
                format!("Waits to be told the way {}", self.whereto(names))
            }
            Status::Walking | Status::Panicking => self.walking(names),
            Status::Queueing => self.queueing(names),
            Status::Fallen => self.fallen(),
        };
        sentence + "."
    }

    /// What they want, such as `to region "east gate"`.
    pub fn goal_in_words(&self, names: &Names) -> String {
        self.whereto(names)
    }

    fn no_path(&self, names: &Names) -> String {
        let reason = match &self.way.no_way {
            Some(NoWay::TooNarrow { x, y, width }) => format!(
                "the gap at ({x:.1}, {y:.1}) is {width:.2} m wide, the body needs {:.2} m",
                2.0 * self.state.radius
            ),
            Some(reason) => reason.to_string(),
            None => match self.goal.as_ref().and_then(|goal| goal.target) {
                Some((layer, _)) if layer != self.state.layer => {
                    format!("nothing leads to {}", names.layer(layer))
                }
                _ => "none was found yet".to_owned(),
            },
        };
        format!("No way {}: {reason}", self.whereto(names))
    }

    /// "by" whom or what.
    fn obstruction(&self) -> String {
        match self.state.obstruction {
            Obstruction::Person(id) => {
                let other = self.neighbours.iter().find(|other| other.id == id);
                let doing = match other.map(|other| other.status) {
                    Some(Status::Arrived) => " (who has arrived)",
                    Some(Status::Waiting) => " (who waits)",
                    Some(Status::Blocked) => " (who is blocked, too)",
                    Some(Status::NoPath) => " (who has no way)",
                    Some(Status::Queueing) => " (who waits for others)",
                    Some(Status::Fallen) => " (who has fallen)",
                    Some(Status::Panicking) => " (who panics)",
                    Some(Status::Walking) | None => "",
                };
                format!("{}{doing}", person(id))
            }
            Obstruction::Wall => "a wall".to_owned(),
            Obstruction::Crowd | Obstruction::None => "the press of people".to_owned(),
        }
    }

    fn queueing(&self, names: &Names) -> String {
        let stopped = self.conduct.is_some_and(|conduct| conduct.condition == Condition::Stopped);
        let does =
            if stopped { "Was pushed back and has stopped" } else { "Waits for those ahead" };
        match self.goal.as_ref().filter(|goal| goal.aim.is_place()) {
            Some(_) => format!("{does} on the way {}", self.whereto(names)),
            None => does.to_owned(),
        }
    }

    fn fallen(&self) -> String {
        let time = self.conduct.map_or(0.0, |conduct| conduct.held_up);
        format!("Has fallen, and lies there for {}", seconds(time))
    }

    fn walking(&self, names: &Names) -> String {
        let speed = self.state.velocity.length();
        let mut sentence = if self.conduct.is_some_and(|conduct| conduct.panics) {
            format!("Panics on the way {}", self.whereto(names))
        } else if self.goal.is_none() {
            match &self.led {
                Some(_) => "Led by fields".to_owned(),
                None => "On the way".to_owned(),
            }
        } else {
            format!("Walking {}", self.whereto(names))
        };
        sentence += &format!(" at {speed:.1} m/s");
        if let Some(company) = self.company() {
            sentence += &format!(", {company}");
        }
        if let Some(led) = self.led.as_ref().filter(|led| self.goal.is_some() && led.share > 0.0) {
            sentence += &format!(", led by fields for {:.0} %", 100.0 * led.share);
        }
        if self.way.waits {
            sentence += ", and asks for another way";
        }
        match self.reason() {
            Some(reason) => format!("{sentence}; {reason}"),
            None => sentence,
        }
    }

    /// With whom they walk, or for whom they wait.
    fn company(&self) -> Option<String> {
        if let Some(id) = self.waits_for {
            return Some(format!("waiting for {}", person(id)));
        }
        let names = list(self.companions.iter().copied().map(person), "and");
        (!names.is_empty()).then(|| format!("together with {names}"))
    }

    /// What makes them do something else than they want to.
    fn reason(&self) -> Option<String> {
        match self.conduct.map(|conduct| conduct.condition) {
            Some(Condition::Pushed) => return Some("is pushed".to_owned()),
            Some(Condition::Pushing) => return Some("pushes those ahead".to_owned()),
            _ => {}
        }
        if let Constraints::Rules(rules) = &self.constraints
            && rules.action != Action::Aim
        {
            return Some(rules.in_words());
        }
        if let Some(id) = self.decision.follows {
            return Some(format!("keeps a gap to {}, who is ahead", person(id)));
        }
        let strength = |other: &Neighbour| other.influence.length();
        let foremost = self.neighbours.iter().max_by(|a, b| strength(a).total_cmp(&strength(b)));
        let foremost = foremost.filter(|other| strength(other) > NOTICEABLE);
        let walls = self.wall_influence.length();
        match foremost {
            Some(other) if strength(other) >= walls => {
                Some(format!("keeps clear of {}, {}", person(other.id), self.where_is(other)))
            }
            _ if walls > NOTICEABLE => Some("keeps clear of a wall".to_owned()),
            _ if self.way.detour != 0.0 => Some("goes round those who stand".to_owned()),
            _ => None,
        }
    }

    /// Where somebody is, or comes from.
    fn where_is(&self, other: &Neighbour) -> &'static str {
        let ahead = self.decision.preferred_velocity;
        let ahead = ahead.try_normalize().unwrap_or_else(|| self.state.heading.direction());
        let to = other.position - self.state.position;
        let (along, left) = (ahead.dot(to), ahead.perp_dot(to));
        let approach = (self.state.velocity - other.velocity).dot(to.normalize_or_zero());
        let comes = other.velocity.dot(-to) > 0.0 && approach > COMES;
        let stands = other.velocity.length() < STANDS;
        match (along.abs() > left.abs(), along > 0.0, left > 0.0) {
            (true, true, _) if comes => "who comes towards them",
            (true, true, _) if stands => "who stands ahead",
            (true, true, _) => "who walks ahead",
            (true, false, _) if comes => "who comes from behind",
            (true, false, _) => "who is behind",
            (false, _, true) if comes => "who comes from the left",
            (false, _, true) => "who is on the left",
            (false, _, false) if comes => "who comes from the right",
            (false, _, false) => "who is on the right",
        }
    }

    /// "to" where, or what else they do.
    fn whereto(&self, names: &Names) -> String {
        let Some(CurrentGoal { aim, target, region, person: pursued, .. }) = &self.goal else {
            return "where fields lead".to_owned();
        };
        let place = |place: Option<(LayerId, Vec2)>| match place {
            Some((layer, at)) if layer != self.state.layer => {
                format!("({:.1}, {:.1}) on {}", at.x, at.y, names.layer(layer))
            }
            Some((_, at)) => format!("({:.1}, {:.1})", at.x, at.y),
            None => "a place".to_owned(),
        };
        let whom = |of: Target| match (of, *pursued) {
            (Target::Group(group), Some(id)) => {
                format!("{}, the nearest of {}", person(id), names.group(group))
            }
            (Target::Group(group), None) => names.group(group),
            (Target::Person { .. }, Some(id)) => person(id),
            (Target::Person { group, .. }, None) => format!("somebody of {}", names.group(group)),
        };
        match *aim {
            Aim::Seek { .. } => format!("to {}", place(*target)),
            Aim::SeekRandom { region, .. } => format!("to a place in {}", names.region(region)),
            Aim::SeekRegion { region } => format!("to {}", names.region(region)),
            Aim::SeekNearest { .. } => match region {
                Some(region) => format!("to {}", names.region(*region)),
                None => "to a region".to_owned(),
            },
            Aim::SeekTarget { target, .. } => format!("to {}", whom(target)),
            Aim::Follow { .. } => format!("along a line to {}", place(*target)),
            Aim::Flee { .. } => format!("away from {}", place(*target)),
            Aim::FleeTarget { target, .. } => format!("away from {}", whom(target)),
            Aim::Flow { direction: way } => {
                format!("in the direction ({:.1}, {:.1})", way.x, way.y)
            }
            Aim::FollowCrowd => "along with the crowd".to_owned(),
            Aim::Idle => "to stay".to_owned(),
        }
    }
}

fn person(id: PersonId) -> String {
    format!("person {}", id.0)
}

fn seconds(time: f32) -> String {
    if time < 1.95 { format!("{time:.1} s") } else { format!("{time:.0} s") }
}
