//! Arrows on the ground.

use std::collections::HashSet;

use glam::DVec2;

use super::super::names::Names;
use super::super::report::Report;
use super::super::value::{At, Point};
use super::super::{
    AnchorKey, AnchorSpec, DEFAULT_BORDER, DEFAULT_FADE, FieldChange, FieldEdit, FieldSpec,
    KeyMethod, LayerId, MAX_SPEED, RegionId, file,
};
use super::{World, called, check_inside, exactly_one, optional, vec2};

pub fn fields<'f>(
    file: &'f file::SceneFile,
    world: &World,
    report: &mut Report,
) -> (Vec<FieldSpec>, Names<'f>) {
    let names = Names::collect("field", file.fields.iter().map(|f| Some(&f.name)), report);
    let fields = file.fields.iter().filter_map(|file| {
        let subject = format!("field {:?}", file.name.as_str());
        Resolver { file, world, subject, report }.field()
    });
    (fields.collect(), names)
}

/// One field on its way from the file to the scene.
struct Resolver<'a, 'f> {
    file: &'f At<file::Field>,
    world: &'a World<'f>,
    subject: String,
    report: &'a mut Report,
}

impl Resolver<'_, '_> {
    fn field(mut self) -> Option<FieldSpec> {
        let file = self.file;
        Names::collect("anchor", file.anchors.iter().map(|a| a.name.as_ref()), self.report);
        let anchors = file.anchors.iter().enumerate().filter_map(|(index, anchor)| {
            let name = called("anchor", anchor.name.as_ref(), index);
            let who = format!("{name} of {}", self.subject);
            self.anchor(anchor, &who)
        });
        let anchors: Vec<_> = anchors.collect();
        let keys = self.key_method();
        let edits = self.edits(&anchors);
        let (layer, region) = self.place()?;
        if let (Some(border), None) = (&file.border, &file.region) {
            let message = format!("{} has a border, but no region", self.subject);
            self.report.error(border.span(), message).help("say in which region it holds");
        }
        Some(FieldSpec {
            name: (*file.name).clone(),
            anchors,
            edits,
            keys,
            layer,
            region,
            border: optional(file.border.as_ref()).unwrap_or(DEFAULT_BORDER),
            priority: optional(file.priority.as_ref()).unwrap_or(1.0) as f32,
            fade: optional(file.fade.as_ref()).unwrap_or(DEFAULT_FADE),
            span: file.span(),
        })
    }

    fn key_method(&mut self) -> KeyMethod {
        let method = optional(self.file.keys.as_ref()).unwrap_or(file::KeyMethod::Tracks);
        match (method, &self.file.tau) {
            (file::KeyMethod::Joint, tau) => KeyMethod::Joint { tau: optional(tau.as_ref()) },
            (file::KeyMethod::Tracks, None) => KeyMethod::Tracks,
            (file::KeyMethod::Tracks, Some(tau)) => {
                let message = format!("{} has tau, but its keys are tracks", self.subject);
                let help = "write keys = \"joint\", or leave tau out";
                self.report.error(tau.span(), message).help(help);
                KeyMethod::Tracks
            }
        }
    }

    /// The floor, and the region on it.
    fn place(&mut self) -> Option<(LayerId, Option<RegionId>)> {
        let layer = self.world.floors.find(self.file.layer.as_ref(), self.report);
        let Some(name) = &self.file.region else { return Some((layer?, None)) };
        let id = RegionId(self.world.region_names.find(name, self.report)? as u16);
        let floor = self.world.region(id)?.layer;
        if self.file.layer.is_some() && layer.is_some_and(|layer| layer != floor) {
            let message =
                format!("{} holds in region {:?}, on another floor", self.subject, name.as_str());
            self.report.error(name.span(), message).help("leave out layer, or the region");
        }
        Some((floor, Some(id)))
    }

    fn anchor(&mut self, file: &At<file::Anchor>, who: &str) -> Option<AnchorSpec> {
        let keys = match &file.keys {
            Some(keys) => self.keys(file, keys, who)?,
            None => vec![self.key(file, None, who)?],
        };
        Some(AnchorSpec {
            name: file.name.as_ref().map(|name| (**name).clone()),
            keys,
            smoothing: optional(file.smoothing.as_ref()),
            reach: optional(file.reach.as_ref()),
            span: file.span(),
        })
    }

    fn keys(
        &mut self,
        file: &At<file::Anchor>,
        keys: &[At<file::Key>],
        who: &str,
    ) -> Option<Vec<AnchorKey>> {
        let resolved: Option<Vec<AnchorKey>> =
            keys.iter().map(|key| self.key(file, Some(key), who)).collect();
        for (key, [before, now]) in keys.iter().skip(1).zip(
            resolved.iter().flat_map(|keys| keys.windows(2).map(|two| [two[0].time, two[1].time])),
        ) {
            if now <= before {
                let message = format!("{who} has a key at {now} s after one at {before} s");
                self.report.error(key.span(), message).help("list keys in the order of time");
            }
        }
        resolved
    }

    /// What an anchor is like, at a key or at all times.
    fn key(
        &mut self,
        anchor: &At<file::Anchor>,
        key: Option<&At<file::Key>>,
        who: &str,
    ) -> Option<AnchorKey> {
        let span = key.map_or_else(|| anchor.span(), At::span);
        let at = key.and_then(|key| key.at.as_ref()).or(anchor.at.as_ref());
        let velocity = key.and_then(|key| key.velocity.as_ref()).or(anchor.velocity.as_ref());
        for (name, example, is_missing) in [
            ("at", "at = [0, 0]", at.is_none()),
            ("velocity", "velocity = [1.3, 0]", velocity.is_none()),
        ] {
            if is_missing {
                let message = format!("{who} has no `{name}`");
                self.report.error(span.clone(), message).help(format!("write e.g. {example}"));
            }
        }
        Some(AnchorKey {
            time: key.map_or(0.0, |key| *key.time),
            position: self.position(at?, who),
            velocity: self.velocity(velocity?, who),
        })
    }

    fn position(&mut self, at: &At<Point>, who: &str) -> DVec2 {
        let lies = || format!("{who} lies");
        check_inside(vec2(at), self.world.bounds, at.span(), lies, self.report);
        exact(at)
    }

    fn velocity(&mut self, velocity: &At<Point>, who: &str) -> DVec2 {
        let speed = vec2(velocity).length();
        if speed > MAX_SPEED as f32 {
            let message = format!("{who} has a velocity of {speed} m/s");
            self.report
                .error(velocity.span(), message)
                .help(format!("{MAX_SPEED} m/s is the most"));
        }
        exact(velocity)
    }

    fn edits(&mut self, anchors: &[AnchorSpec]) -> Vec<FieldEdit> {
        let mut known: HashSet<String> = anchors.iter().filter_map(|a| a.name.clone()).collect();
        let mut before = 0.0;
        let mut edits = Vec::with_capacity(self.file.edits.len());
        let is_keyed = anchors.iter().any(|anchor| anchor.keys.len() > 1);
        for (index, file) in self.file.edits.iter().enumerate() {
            let who = format!("edit {} of {}", index + 1, self.subject);
            if is_keyed {
                let message = format!("{} has edits, and anchors with keys", self.subject);
                self.report.error(file.span(), message).help("write all changes as keys");
                return Vec::new();
            }
            if *file.time < before {
                let message = format!("{who} is at {} s, after one at {before} s", *file.time);
                self.report
                    .error(file.time.span(), message)
                    .help("list edits in the order of time");
            }
            before = *file.time;
            if let Some(change) = self.change(file, &who, &mut known) {
                edits.push(FieldEdit { time: *file.time, change, span: file.span() });
            }
        }
        edits
    }

    fn change(
        &mut self,
        file: &At<file::Edit>,
        who: &str,
        known: &mut HashSet<String>,
    ) -> Option<FieldChange> {
        let keys = [
            ("add", file.add.is_some()),
            ("change", file.change.is_some()),
            ("remove", file.remove.is_some()),
        ];
        if !exactly_one(who, &keys, file.span(), self.report) {
            return None;
        }
        let is_known = |name: &At<String>, resolver: &mut Self| {
            let is_known = known.contains(name.as_str());
            if !is_known {
                let message = format!("there is no anchor {:?} when {who} is made", name.as_str());
                resolver.report.error(name.span(), message).help("name one that is there then");
            }
            is_known
        };
        if let Some(name) = &file.change {
            let is_known = is_known(name, self);
            if file.at.is_none() && file.velocity.is_none() && file.reach.is_none() {
                let message = format!("{who} changes nothing");
                self.report.error(file.span(), message).help("write `at`, `velocity` or `reach`");
            }
            let anchor = format!("anchor {:?} after {who}", name.as_str());
            let position = file.at.as_ref().map(|at| self.position(at, &anchor));
            let velocity = file.velocity.as_ref().map(|velocity| self.velocity(velocity, &anchor));
            return is_known.then(|| FieldChange::Change {
                name: (**name).clone(),
                position,
                velocity,
                reach: optional(file.reach.as_ref()),
            });
        }
        let spans = [
            ("at", file.at.as_ref().map(At::span)),
            ("velocity", file.velocity.as_ref().map(At::span)),
            ("reach", file.reach.as_ref().map(At::span)),
        ];
        for (key, span) in spans {
            if let Some(span) = span {
                let message = format!("{who} has `{key}`, but no `change`");
                let help = match file.remove {
                    Some(_) => "leave it out",
                    None => "put it into the table of `add`",
                };
                self.report.error(span, message).help(help);
            }
        }
        if let Some(name) = &file.remove {
            return is_known(name, self).then(|| {
                known.remove(name.as_str());
                FieldChange::Remove((**name).clone())
            });
        }
        let added = file.add.as_ref()?;
        if let Some(keys) = &added.keys {
            let message = format!("{who} adds an anchor with keys");
            self.report.error(keys.span(), message).help("write `at` and `velocity`");
            return None;
        }
        let anchor = self.anchor(added, &format!("the anchor of {who}"))?;
        if let (Some(name), Some(typed)) = (&anchor.name, &added.name)
            && !known.insert(name.clone())
        {
            let message = format!("there is already an anchor {name:?}");
            self.report.error(typed.span(), message).help("give each a name of its own");
        }
        Some(FieldChange::Add(anchor))
    }
}

fn exact(point: &At<Point>) -> DVec2 {
    (**point).into()
}
