//! What people want.

use glam::Vec2;
use throng_base::Distribution;

use super::super::names::{Names, list};
use super::super::report::Report;
use super::super::value::{At, FloorPoint, LinePoint, Towards, Whom};
use super::super::{
    Aim, DEFAULT_WITHIN, Goal, GroupId, LayerId, Region, RegionId, Span, Target, Wait, file,
};
use super::varied::{self, TimeTables};
use super::{World, check_inside, exactly_one, optional, shown, vec2};
use crate::Obstacle;

/// Those whom goals can be about.
pub struct Cast<'f> {
    groups: Names<'f>,
    people: Names<'f>,
    /// Where the people of the whole scene are, in the order of the file.
    places: Vec<Target>,
}

impl<'f> Cast<'f> {
    /// Collects the names in `file` and reports duplicates.
    pub fn new(file: &'f file::SceneFile, report: &mut Report) -> Self {
        let place = |(i, group): (usize, &At<file::Group>)| {
            let group_id = GroupId(i as u16);
            let person = move |index| Target::Person { group: group_id, index: index as u32 };
            (0..group.people.len()).map(person)
        };
        let people = file.groups.iter().flat_map(|group| &group.people);
        Self {
            groups: Names::collect("group", file.groups.iter().map(|g| Some(&g.name)), report),
            people: Names::collect("person", people.map(|p| p.name.as_ref()), report),
            places: file.groups.iter().enumerate().flat_map(place).collect(),
        }
    }
}

/// What resolving goals takes.
pub struct Goals<'f> {
    pub world: &'f World<'f>,
    pub obstacles: &'f [Obstacle],
    pub times: &'f TimeTables,
    pub cast: Cast<'f>,
}

impl Goals<'_> {
    /// The goals of `who`.
    pub fn all<'g>(
        &self,
        files: impl IntoIterator<Item = &'g At<file::Goal>>,
        who: &str,
        report: &mut Report,
    ) -> Vec<Goal> {
        let goal = |(i, file): (usize, &At<file::Goal>)| {
            self.goal(file, &format!("goal {} of {who}", i + 1), report)
        };
        files.into_iter().enumerate().filter_map(goal).collect()
    }

    fn goal(&self, file: &At<file::Goal>, subject: &str, report: &mut Report) -> Option<Goal> {
        let keys = [
            ("seek", file.seek.is_some()),
            ("follow", file.follow.is_some()),
            ("flee", file.flee.is_some()),
            ("flow", file.flow.is_some()),
            ("idle", file.idle.is_some()),
        ];
        if !exactly_one(subject, &keys, file.span(), report) {
            return None;
        }
        let wait = file.idle.as_ref();
        let wait = wait.and_then(|idle| varied::wait(idle, subject, self.times, report));
        let longest = wait.as_ref().map(|wait| wait.longest().into());
        let duration = longest.or(optional(file.duration.as_ref()));
        Some(Goal {
            aim: self.aim(file, subject, report)?,
            speed: optional(file.speed.as_ref()).map(|speed| speed as f32),
            duration: duration.unwrap_or(f64::INFINITY) as f32,
            wait: wait.filter(|wait| !matches!(wait, Wait::Drawn(Distribution::Constant(_)))),
            ways: optional(file.ways.as_ref()).unwrap_or_default(),
            span: file.span(),
        })
    }

    fn aim(&self, file: &file::Goal, subject: &str, report: &mut Report) -> Option<Aim> {
        if let Some(seek) = &file.seek {
            self.seek(seek, file, subject, report)
        } else if let Some(line) = &file.follow {
            self.follow(line, file, subject, report)
        } else if let Some(flee) = &file.flee {
            self.flee(flee, file, subject, report)
        } else if let Some(flow) = &file.flow {
            allow(&["speed", "duration"], "a goal that flows", file, subject, report);
            flow_aim(flow, subject, report)
        } else {
            allow(&[], "an idle goal", file, subject, report);
            Some(Aim::Idle)
        }
    }

    fn seek(
        &self,
        seek: &At<Towards>,
        file: &file::Goal,
        subject: &str,
        report: &mut Report,
    ) -> Option<Aim> {
        let within = optional(file.within.as_ref()).unwrap_or(DEFAULT_WITHIN) as f32;
        match &**seek {
            Towards::Point(point) => {
                let options = ["layer", "within", "speed", "duration", "ways"];
                allow(&options, "a goal that seeks a point", file, subject, report);
                let point = Vec2::from(*point);
                let layer = self.world.floors.find(file.layer.as_ref(), report)?;
                let leads = || format!("{subject} leads");
                if check_inside(point, self.world.bounds, seek.span(), leads, report) {
                    self.check_free(point, layer, seek.span(), subject, report);
                }
                Some(Aim::Seek { point, layer, within })
            }
            Towards::Name(name) => {
                let options = ["speed", "duration", "ways"];
                allow(&options, "a goal that seeks a region", file, subject, report);
                let name = seek.with(name.clone());
                let seeks = format!("{subject} seeks");
                let region = self.world.find_region(&name, &seeks, report)?;
                Some(Aim::SeekRegion { region })
            }
            Towards::Whom(whom @ Whom { nearest: Some(names), .. }) if whom.has_one_key() => {
                let options = ["speed", "duration", "ways"];
                allow(&options, "a goal that seeks a region", file, subject, report);
                let seeks = format!("{subject} seeks");
                let regions = self.distinct_regions(names, &seeks, report)?;
                Some(Aim::SeekNearest { regions })
            }
            Towards::Whom(whom @ Whom { tag: Some(tag), .. }) if whom.has_one_key() => {
                let options = ["speed", "duration", "ways"];
                allow(&options, "a goal that seeks a region", file, subject, report);
                let regions = self.tagged_regions(tag, subject, report)?;
                Some(Aim::SeekNearest { regions })
            }
            Towards::Whom(whom @ Whom { random: Some(name), .. }) if whom.has_one_key() => {
                let options = ["within", "speed", "duration", "ways"];
                allow(&options, "a goal that seeks a random point", file, subject, report);
                let seeks = format!("{subject} seeks a point in");
                let region = self.world.find_region(name, &seeks, report)?;
                Some(Aim::SeekRandom { region, within })
            }
            Towards::Whom(whom) => {
                let options = ["within", "speed", "duration"];
                allow(&options, "a goal that seeks people", file, subject, report);
                let target = self.target(whom, seek.span(), subject, report)?;
                Some(Aim::SeekTarget { target, within })
            }
        }
    }

    fn follow(
        &self,
        points: &At<Vec<At<LinePoint>>>,
        file: &file::Goal,
        subject: &str,
        report: &mut Report,
    ) -> Option<Aim> {
        let options = ["layer", "width", "within", "speed", "duration"];
        allow(&options, "a goal that follows a line", file, subject, report);
        let layer = self.world.floors.find(file.layer.as_ref(), report)?;
        let mut line = Vec::with_capacity(points.len());
        for point in points.iter() {
            let (at, layer) = match &**point {
                LinePoint::Here(at) => (Vec2::from(*at), layer),
                LinePoint::Elsewhere(FloorPoint { at, layer }) => {
                    (vec2(at), self.world.floors.find(Some(layer), report)?)
                }
            };
            // What is in an obstacle is walked round.
            let leads = || format!("{subject} leads");
            check_inside(at, self.world.bounds, point.span(), leads, report);
            line.push((layer, at));
        }
        if line.iter().all(|stop| *stop == line[0]) {
            let message = format!("{subject} follows a line without length");
            report.error(points.span(), message).help("write at least two different points");
            return None;
        }
        Some(Aim::Follow {
            line,
            width: optional(file.width.as_ref()).unwrap_or(0.0) as f32,
            within: optional(file.within.as_ref()).unwrap_or(DEFAULT_WITHIN) as f32,
        })
    }

    fn flee(
        &self,
        flee: &At<Towards>,
        file: &file::Goal,
        subject: &str,
        report: &mut Report,
    ) -> Option<Aim> {
        let beyond = optional(file.beyond.as_ref()).unwrap_or(f64::INFINITY) as f32;
        match &**flee {
            Towards::Point(point) => {
                let options = ["layer", "beyond", "speed", "duration"];
                allow(&options, "a goal that flees a point", file, subject, report);
                let layer = self.world.floors.find(file.layer.as_ref(), report)?;
                Some(Aim::Flee { point: (*point).into(), layer, beyond })
            }
            Towards::Whom(whom) => {
                let options = ["beyond", "speed", "duration"];
                allow(&options, "a goal that flees people", file, subject, report);
                let target = self.target(whom, flee.span(), subject, report)?;
                Some(Aim::FleeTarget { target, beyond })
            }
            Towards::Name(_) => None,
        }
    }

    /// The regions with these names; `None` if one does not exist. Repeated names are reported.
    fn distinct_regions(
        &self,
        names: &[At<String>],
        purpose: &str,
        report: &mut Report,
    ) -> Option<Vec<RegionId>> {
        let mut regions = Vec::new();
        for name in names {
            let region = self.world.find_region(name, purpose, report);
            if region.is_some_and(|region| regions.contains(&Some(region))) {
                let message = format!("{purpose} region {:?} twice", name.as_str());
                report.error(name.span(), message).help("name each region once");
            }
            regions.push(region);
        }
        regions.into_iter().collect()
    }

    /// The regions with a tag; `None` if there is none.
    fn tagged_regions(
        &self,
        tag: &At<String>,
        subject: &str,
        report: &mut Report,
    ) -> Option<Vec<RegionId>> {
        let regions = (0..).zip(self.world.regions);
        let regions = regions.filter_map(|(id, region)| Some((RegionId(id), region.as_ref()?)));
        let has_tag = |region: &Region| region.tags.iter().any(|other| *other == **tag);
        let tagged: Vec<RegionId> =
            regions.clone().filter(|(_, region)| has_tag(region)).map(|(id, _)| id).collect();
        if tagged.is_empty() {
            let mut known: Vec<String> = regions
                .flat_map(|(_, region)| &region.tags)
                .map(|tag| format!("{tag:?}"))
                .collect();
            known.sort();
            known.dedup();
            let help = match &known[..] {
                [] => "give it to a region, e.g. tags = [\"shop\"]".into(),
                _ => format!("known tags are {}", list(known, "and")),
            };
            let message =
                format!("{subject} seeks a region with the tag {:?}, and there is none", **tag);
            report.error(tag.span(), message).help(help);
            return None;
        }
        Some(tagged)
    }

    fn target(
        &self,
        whom: &Whom,
        span: Span,
        subject: &str,
        report: &mut Report,
    ) -> Option<Target> {
        let keys = [
            ("random", whom.random.is_some()),
            ("nearest", whom.nearest.is_some()),
            ("tag", whom.tag.is_some()),
            ("person", whom.person.is_some()),
            ("group", whom.group.is_some()),
        ];
        if !exactly_one(subject, &keys, span, report) {
            return None;
        }
        if let Some(name) = &whom.person {
            let index = self.cast.people.find(name, report)?;
            return self.cast.places.get(index).copied();
        }
        let index = self.cast.groups.find(whom.group.as_ref()?, report)?;
        Some(Target::Group(GroupId(index as u16)))
    }

    fn check_free(
        &self,
        point: Vec2,
        layer: LayerId,
        span: Span,
        subject: &str,
        report: &mut Report,
    ) {
        if let Some(index) = self.world.solids.at(layer, point) {
            let place = super::inside(self.obstacles, index);
            let message = format!("{subject} leads to {}, {place}", shown(point));
            report.error(span, message).help("move one of them");
        }
    }
}

fn flow_aim(flow: &At<Towards>, subject: &str, report: &mut Report) -> Option<Aim> {
    match &**flow {
        Towards::Point(direction) => {
            let direction = Vec2::from(*direction).try_normalize();
            if direction.is_none() {
                let message = format!("{subject} flows in no direction");
                report.error(flow.span(), message).help("write a direction, e.g. flow = [1, 0]");
            }
            direction.map(|direction| Aim::Flow { direction })
        }
        _ => Some(Aim::FollowCrowd),
    }
}

/// Reports the options of `goal` that are not `allowed` for what it is.
fn allow(allowed: &[&str], kind: &str, goal: &file::Goal, subject: &str, report: &mut Report) {
    let options = [
        ("layer", goal.layer.as_ref().map(At::span)),
        ("width", goal.width.as_ref().map(At::span)),
        ("within", goal.within.as_ref().map(At::span)),
        ("beyond", goal.beyond.as_ref().map(At::span)),
        ("speed", goal.speed.as_ref().map(At::span)),
        ("duration", goal.duration.as_ref().map(At::span)),
        ("ways", goal.ways.as_ref().map(At::span)),
    ];
    for (key, span) in options {
        let Some(span) = span.filter(|_| !allowed.contains(&key)) else { continue };
        let takes = match allowed {
            [] => "no options".into(),
            _ => list(allowed.iter().map(|key| format!("`{key}`")), "and"),
        };
        let message = format!("{subject} has `{key}`");
        report.error(span, message).help(format!("remove it: {kind} takes {takes}"));
    }
}
