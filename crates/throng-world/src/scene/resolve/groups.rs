//! Groups and who belongs to them.

use glam::Vec2;
use throng_base::{Distribution, Heading};

use super::super::names::Names;
use super::super::report::Report;
use super::super::value::{At, Steering as SteeringFile, Together, Varied};
use super::super::{
    Body, Cohort, DEFAULT_GOALS, DEFAULT_INTEREST, DEFAULT_MODEL, DEFAULT_SHARE, DEFAULT_WANDER,
    FieldId, Goal, Group, Led, MAX_SPEED, Parameter, Period, Person, PersonalityName, Schedule,
    Source, Span, Species, Steering, file,
};
use super::goals::{Cast, Goals};
use super::population::Standing;
use super::varied::{self, TimeTables};
use super::{World, check_inside, check_order, exactly_one, optional, parties, population, vec2};
use crate::temperament::gains;
use crate::{Interval, Obstacle, OwnTraits, PartySizes, Temperaments, Trait};

/// Colours of groups that do not choose one: Paul Tol's "bright" scheme, which stays apart for
/// colour-blind readers, with its grey last.
const PALETTE: [[u8; 3]; 7] = [
    [0x44, 0x77, 0xAA],
    [0xEE, 0x66, 0x77],
    [0x22, 0x88, 0x33],
    [0xCC, 0xBB, 0x44],
    [0x66, 0xCC, 0xEE],
    [0xAA, 0x33, 0x77],
    [0xBB, 0xBB, 0xBB],
];

/// The colour of the group at `index` in a scene, if it does not choose one.
pub fn default_color(index: usize) -> [u8; 3] {
    PALETTE[index % PALETTE.len()]
}

/// How much faster than they prefer people can walk.
const RESERVE: f32 = 1.3;

pub fn groups(
    file: &file::SceneFile,
    world: &World,
    obstacles: &[Obstacle],
    fields: &Names,
    times: &TimeTables,
    report: &mut Report,
) -> Vec<Group> {
    let goals = Goals { world, obstacles, times, cast: Cast::new(file, report) };
    let mut standing = Vec::new();
    let groups = (file.groups.iter().enumerate())
        .map(|(index, file)| {
            Resolver { index, file, goals: &goals, fields, report }.group(&mut standing)
        })
        .collect();
    population::check_listed(&standing, file, world, obstacles, report);
    parties::check(file, report);
    groups
}

/// How person `index` of `group` is called in messages.
pub fn called_person(file: &file::Group, index: usize) -> String {
    match &file.people[index].name {
        Some(name) => format!("person {:?}", name.as_str()),
        None => format!("person {} of group {:?}", index + 1, file.name.as_str()),
    }
}

/// One group on its way from the file to the scene.
struct Resolver<'a, 'f> {
    index: usize,
    file: &'f At<file::Group>,
    goals: &'a Goals<'f>,
    fields: &'a Names<'f>,
    report: &'a mut Report,
}

impl Resolver<'_, '_> {
    fn group(mut self, standing: &mut Vec<Standing>) -> Group {
        let file = self.file;
        let who = format!("group {:?}", file.name.as_str());
        let goals =
            self.goals.all(file.goals.iter().flat_map(|goals| goals.iter()), &who, self.report);
        let body = self.body(&goals, &who);
        let traits = self.traits(&who);
        Group {
            name: (*file.name).clone(),
            color: self.color(&who),
            species: self.species(),
            interest: optional(file.interest.as_ref()).unwrap_or(DEFAULT_INTEREST) as f32,
            steering: self.steering(&who),
            people: self.people(&body, traits.as_ref(), standing),
            crowds: file.crowds.iter().filter_map(|crowd| self.crowd(crowd, &who)).collect(),
            sources: file.sources.iter().filter_map(|source| self.source(source, &who)).collect(),
            led: self.led(&goals, &who),
            together: self.together(&who),
            body,
            climbing: varied::climbing(
                [file.stairs.as_ref(), file.ramps.as_ref()],
                &who,
                self.report,
            ),
            traits,
            goals,
            then: optional(file.then.as_ref()).unwrap_or_default(),
            span: file.span(),
        }
    }

    fn color(&mut self, who: &str) -> [u8; 3] {
        let default = default_color(self.index);
        let Some(text) = &self.file.color else { return default };
        parse_color(text).unwrap_or_else(|| {
            let message = format!("{who} has color {:?}", text.as_str());
            let help = "write red, green and blue in hexadecimal, e.g. color = \"#4477aa\"";
            self.report.error(text.span(), message).help(help);
            default
        })
    }

    fn species(&self) -> Species {
        optional(self.file.species.as_ref()).unwrap_or_default()
    }

    fn body(&mut self, goals: &[Goal], who: &str) -> Body {
        let file = self.file;
        let speed =
            self.varied(file.speed.as_ref(), who, "speed").unwrap_or(self.species().speed());
        let radius = self.varied(file.radius.as_ref(), who, "radius");
        let fastest = goals.iter().filter_map(|goal| goal.speed).fold(speed.max(), f32::max);
        let max_speed = self.varied(file.max_speed.as_ref(), who, "max_speed");
        if let (Some(max_speed), Some(typed)) = (max_speed, &file.max_speed) {
            self.check_speed(speed.min(), max_speed.max(), typed.span(), who);
            for goal in goals {
                self.check_speed(
                    goal.speed.unwrap_or(0.0),
                    max_speed.max(),
                    goal.span.clone(),
                    who,
                );
            }
        }
        Body {
            speed,
            max_speed: max_speed.unwrap_or(Distribution::Constant(with_reserve(fastest))),
            radius: radius.unwrap_or(Distribution::Constant(self.species().radius())),
        }
    }

    /// Reports a speed that can never be reached.
    fn check_speed(&mut self, wanted: f32, max_speed: f32, span: Span, who: &str) {
        if wanted > max_speed {
            let message =
                format!("{who} has speed {wanted} m/s, above its max_speed {max_speed} m/s");
            self.report.error(span, message).help("raise max_speed or lower speed");
        }
    }

    fn varied(&mut self, value: Option<&At<Varied>>, who: &str, key: &str) -> Option<Distribution> {
        varied::varied(value, who, key, self.report)
    }

    fn traits(&mut self, who: &str) -> Option<Temperaments> {
        let file = self.file.traits.as_ref()?;
        let mut traits = Temperaments::default();
        for (which, typed) in Trait::ALL.into_iter().zip(file.all()) {
            if let Some(value) = self.varied(typed, who, which.name()) {
                traits.traits[which as usize] = value;
            }
        }
        Some(traits)
    }

    fn together(&mut self, who: &str) -> Option<PartySizes> {
        let file = self.file.together.as_ref()?;
        let sizes = match &**file {
            Together::All(count) => PartySizes::all_of(*count as usize),
            Together::Shares(shares) => {
                let shares: Vec<f32> = shares.iter().map(|share| *share as f32).collect();
                PartySizes::new(&shares)
            }
        };
        if sizes.is_none() {
            let message = format!("{who} has `together` with no share above 0");
            let help = "write how many walk together, e.g. together = 2, or the shares of those who \
                        walk alone, of pairs and so on, e.g. together = [0.4, 0.4, 0.2]";
            self.report.error(file.span(), message).help(help);
        }
        sizes
    }

    fn steering(&mut self, who: &str) -> Steering {
        let Some(file) = &self.file.steering else {
            return Steering {
                model: DEFAULT_MODEL.into(),
                personality: None,
                parameters: Vec::new(),
                span: self.file.span(),
            };
        };
        Steering {
            model: file.model.as_ref().map_or(DEFAULT_MODEL, |model| model.as_str()).into(),
            personality: personality(file),
            parameters: self.parameters(file, who),
            span: file.model.as_ref().map_or_else(|| file.span(), At::span),
        }
    }

    fn parameters(&mut self, file: &SteeringFile, who: &str) -> Vec<Parameter> {
        let parameter = |(name, value): &(At<String>, At<Varied>)| {
            let value_read = self.varied(Some(value), who, name)?;
            Some(Parameter {
                name: (**name).clone(),
                value: value_read,
                span: name.span().start..value.span().end,
            })
        };
        file.parameters.iter().filter_map(parameter).collect()
    }

    fn led(&mut self, goals: &[Goal], who: &str) -> Option<Led> {
        let file = self.file.led.as_ref()?;
        let share = self.varied(file.share.as_ref(), who, "share");
        let kappa = if goals.is_empty() { 0.0 } else { DEFAULT_GOALS };
        if let Some(typed) = file.goals.as_ref().filter(|typed| ***typed > 0.0 && goals.is_empty())
        {
            let message = format!("{who} has goals = {} in `led`, but no goals", **typed);
            self.report.error(typed.span(), message).help("give it goals, or leave the key out");
        }
        let by = file.by.iter().filter_map(|name| self.fields.find(name, self.report));
        Some(Led {
            by: by.map(|index| FieldId(index as u16)).collect(),
            share: share.unwrap_or(Distribution::Constant(DEFAULT_SHARE as f32)),
            wander: optional(file.wander.as_ref()).unwrap_or(DEFAULT_WANDER) as f32,
            goals: optional(file.goals.as_ref()).unwrap_or(kappa) as f32,
            span: file.span(),
        })
    }

    fn people(
        &mut self,
        body: &Body,
        traits: Option<&Temperaments>,
        standing: &mut Vec<Standing>,
    ) -> Vec<Person> {
        let mut people = Vec::with_capacity(self.file.people.len());
        for (index, file) in self.file.people.iter().enumerate() {
            let Some(person) = self.person(index, file, body) else { continue };
            let own = Temperaments::of_one(traits.copied(), person.traits.as_ref());
            let [least, _] = gains::RADIUS.range(own.as_ref());
            standing.push(Standing {
                position: person.position,
                radius: person.radius.unwrap_or(body.radius.min() * least),
                layer: person.layer,
                span: file.position.span(),
                group: self.index,
                index,
            });
            people.push(person);
        }
        people
    }

    fn person(&mut self, index: usize, file: &At<file::Person>, body: &Body) -> Option<Person> {
        let who = called_person(self.file, index);
        let position = vec2(&file.position);
        let bounds = self.goals.world.bounds;
        let stands = || format!("{who} stands");
        let inside = check_inside(position, bounds, file.position.span(), stands, self.report);
        let layer = self.goals.world.floors.find(file.layer.as_ref(), self.report);
        let speed = optional(file.speed.as_ref()).map(|speed| speed as f32);
        let goals = self.own_goals(file, &who);
        let person = Person {
            name: file.name.as_ref().map(|name| (**name).clone()),
            position,
            layer: layer?,
            velocity: self.velocity(file, &who),
            heading: optional(file.heading.as_ref())
                .map(|degrees| Heading::from_radians(degrees.to_radians() as f32)),
            speed,
            max_speed: self.own_max_speed(file, goals.as_deref(), body, &who),
            radius: optional(file.radius.as_ref()).map(|radius| radius as f32),
            climbing: varied::own_climbing([file.stairs.as_ref(), file.ramps.as_ref()]),
            traits: file.traits.as_ref().map(|traits| own_traits(traits)),
            party: file.party.as_ref().map(|party| (**party).clone()),
            personality: file.steering.as_ref().and_then(|steering| personality(steering)),
            parameters: self.own_parameters(file, &who),
            goals,
            then: optional(file.then.as_ref()),
            span: file.span(),
        };
        inside.then_some(person)
    }

    fn velocity(&mut self, file: &file::Person, who: &str) -> Vec2 {
        let Some(typed) = &file.velocity else { return Vec2::ZERO };
        let velocity = vec2(typed);
        if velocity.length() > MAX_SPEED as f32 {
            let message = format!("{who} has a velocity of {} m/s", velocity.length());
            self.report.error(typed.span(), message).help(format!("{MAX_SPEED} m/s is the most"));
        }
        velocity
    }

    /// A person who is asked for more than the group's default can do is able to do it.
    fn own_max_speed(
        &mut self,
        file: &file::Person,
        goals: Option<&[Goal]>,
        body: &Body,
        who: &str,
    ) -> Option<f32> {
        let goal_speeds = goals.into_iter().flatten().filter_map(|goal| goal.speed);
        let speed = optional(file.speed.as_ref()).map(|speed| speed as f32);
        let fastest = goal_speeds.chain(speed).fold(0.0, f32::max);
        let typed = optional(file.max_speed.as_ref()).map(|speed| speed as f32);
        if typed.is_none() && self.file.max_speed.is_none() {
            return (fastest > body.max_speed.min()).then(|| with_reserve(fastest));
        }
        let span = file.speed.as_ref().map_or_else(|| file.position.span(), At::span);
        self.check_speed(fastest, typed.unwrap_or(body.max_speed.max()), span, who);
        typed
    }

    fn own_parameters(&mut self, file: &file::Person, who: &str) -> Vec<Parameter> {
        let Some(steering) = &file.steering else { return Vec::new() };
        let of_group = self.file.steering.as_ref().and_then(|steering| steering.model.as_ref());
        let of_group = of_group.map_or(DEFAULT_MODEL, |model| model.as_str());
        if let Some(model) = steering.model.as_ref().filter(|model| model.as_str() != of_group) {
            let message = format!("{who} has another steering model than its group's {of_group:?}");
            self.report.error(model.span(), message).help("make a group of its own for each model");
        }
        self.parameters(steering, who)
    }

    fn own_goals(&mut self, file: &file::Person, who: &str) -> Option<Vec<Goal>> {
        match (&file.goal, &file.goals) {
            (Some(goal), Some(_)) => {
                let message = format!("{who} has both `goal` and `goals`");
                self.report.error(goal.span(), message).help("put it into the list");
                None
            }
            (Some(goal), None) => Some(self.goals.all([goal], who, self.report)),
            (None, goals) => {
                goals.as_ref().map(|goals| self.goals.all(goals.iter(), who, self.report))
            }
        }
    }

    fn crowd(&mut self, file: &At<file::Crowd>, who: &str) -> Option<Cohort> {
        let starts = format!("a crowd of {who} starts in");
        let region = self.goals.world.find_region(&file.region, &starts, self.report)?;
        Some(Cohort {
            count: *file.count as u32,
            region,
            arrangement: optional(file.arrangement.as_ref()).unwrap_or_default(),
            span: file.span(),
        })
    }

    fn source(&mut self, file: &At<file::Source>, who: &str) -> Option<Source> {
        let subject = format!("a source of {who}");
        let keys = [("rate", file.rate.is_some()), ("schedule", file.schedule.is_some())];
        let one = exactly_one(&subject, &keys, file.span(), self.report);
        let is_in = format!("{subject} is in");
        let region = self.goals.world.find_region(&file.region, &is_in, self.report)?;
        let periods = match (&file.rate, &file.schedule) {
            (Some(rate), _) => vec![Period { from: 0.0, to: f64::INFINITY, rate: **rate }],
            (None, schedule) => self.periods(schedule.as_ref()?, &subject),
        };
        one.then_some(Source {
            region,
            schedule: Schedule {
                periods,
                random: matches!(optional(file.arrivals.as_ref()), Some(file::Arrivals::Random)),
            },
            limit: optional(file.limit.as_ref()).map_or(u32::MAX, |limit| limit as u32),
            span: file.span(),
        })
    }

    fn periods(&mut self, files: &[At<file::Period>], subject: &str) -> Vec<Period> {
        let mut periods: Vec<Period> = Vec::with_capacity(files.len());
        for file in files {
            let period = Period {
                from: optional(file.from.as_ref()).unwrap_or(0.0),
                to: optional(file.to.as_ref()).unwrap_or(f64::INFINITY),
                rate: *file.rate,
            };
            let interval = |period: &Period| Interval { from: period.from, to: period.to };
            let before = periods.last().map(interval);
            let now = interval(&period);
            check_order(subject, now, before.as_ref(), file.span(), self.report);
            periods.push(period);
        }
        periods
    }
}

fn own_traits(file: &file::OwnTraits) -> OwnTraits {
    OwnTraits { traits: file.all().map(|typed| optional(typed).map(|value| value as f32)) }
}

fn personality(steering: &SteeringFile) -> Option<PersonalityName> {
    let named = steering.personality.as_ref();
    named.map(|name| PersonalityName { name: (**name).clone(), span: name.span() })
}

fn with_reserve(speed: f32) -> f32 {
    (speed * RESERVE).min(MAX_SPEED as f32)
}

/// `#rrggbb`.
fn parse_color(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
    Some([red, green, blue])
}
