//! Scenes that are edited while they run: the crowd goes on, and whatever was changed holds from now on.
//!
//! An edit is a whole new scene. What is in it is compared with the scene before (`kinship.rs`), and only
//! differences take effect: people keep their places, their velocities and, if their goals mean the same, what they
//! have achieved of them. Everything that can be refused is found before anything is changed.

mod ground;
mod kinship;
mod population;
mod room;

use throng_world::Scene;
use throng_world::scene::{FieldChange, FieldSpec, GroupId, Led, SceneError, SceneErrors, Source};

use self::kinship::Kinship;
use crate::assemble;
use crate::crowd::Crowd;
use crate::fields::LiveField;
use crate::guidance::Asking;
use crate::recipe::Recipe;
use crate::source::ActiveSource;

impl Crowd {
    /// Whether a crowd of scene `old` can go on as one of scene `new`. If not, because time passes
    /// in other steps, randomness derives from another seed, or floors or bounds have changed, it has to begin anew.
    pub fn can_adopt(old: &Scene, new: &Scene) -> bool {
        let key = |scene: &Scene| {
            let settings = &scene.settings;
            (settings.step, settings.seed, settings.navigation, scene.bounds)
        };
        key(old) == key(new) && old.layers == new.layers && old.connectors == new.connectors
    }

    /// Goes on as a crowd of scene `new` where it was one of `old`, which was edited.
    ///
    /// - Obstacles come, move and go; whoever stands where one comes is moved beside it.
    /// - Fields and how far they lead people change gradually.
    /// - Goals that have changed are begun anew. Sources that have changed go on from now.
    /// - People who are listed anew, and as many as crowds have grown by, are added; as many as they have
    ///   shrunk by, and those of groups that are gone, are taken out.
    /// - Whose group steers or is built in another way does so at once.
    ///
    /// # Errors
    ///
    /// If somebody would have no room, or there is something wrong that only shows when a scene is run. Nothing has
    /// changed then.
    pub fn adopt(&mut self, old: &Scene, new: &Scene) -> Result<(), SceneErrors> {
        let mut errors = Vec::new();
        let kin = Kinship::between(old, new);
        let recipes = assemble::recipes(new, &self.models, &mut errors);
        let fields = self.changed_fields(old, new, &kin, &mut errors);
        let mut ground = self.plan_ground(new, &recipes, &mut errors);
        let arrivals = self.plan_arrivals(old, new, &kin, &recipes, &mut ground, &mut errors);
        if let Some(errors) = SceneErrors::new(errors) {
            return Err(errors);
        }

        self.warnings = assemble::advice(new, &recipes, &self.models);
        self.world.setting.slopes = new.settings.slopes;
        self.world.setting.contacts = new.settings.contacts;
        self.change_ground(new, &ground);
        self.change_regions(old, new);
        self.change_sources(old, new, &kin, &recipes);
        self.change_people(old, new, &kin, &recipes);
        self.change_fields(old, new, &kin, fields);
        self.receive(arrivals, new, &recipes);
        self.intents.everyone_drifts = false;
        if let Some(guidance) = &mut self.guidance {
            guidance.asking = Asking::Anybody;
        }
        Ok(())
    }

    /// For each field of the new scene, what it has become; `None` where it is as it was.
    fn changed_fields(
        &self,
        old: &Scene,
        new: &Scene,
        kin: &Kinship,
        errors: &mut Vec<SceneError>,
    ) -> Vec<Option<LiveField>> {
        let changed = |(index, spec): (usize, &FieldSpec)| {
            let was = kin.old_field(index).map(|id| &old.fields[id.0 as usize]);
            if was.is_some_and(|was| is_same_field(was, old, spec, new)) {
                return None;
            }
            LiveField::begun(new, index, self.world.time(), errors)
        };
        new.fields.iter().enumerate().map(changed).collect()
    }

    fn change_fields(
        &mut self,
        old: &Scene,
        new: &Scene,
        kin: &Kinship,
        changed: Vec<Option<LiveField>>,
    ) {
        let time = self.world.time();
        let mut before = std::mem::take(&mut self.fields.all);
        self.fields.all = (0..)
            .zip(changed)
            .map(|(index, changed)| {
                let was = kin.old_field(index).and_then(|id| before.get_mut(id.0 as usize)?.take());
                match (changed, was) {
                    (Some(mut field), Some(was)) => {
                        field.take_over(was, time);
                        Some(field)
                    }
                    (changed, was) => changed.or(was),
                }
            })
            .collect();
        let mut leads = std::mem::take(&mut self.fields.leads);
        let led_before = |index: usize| kin.old_group(index);
        self.fields.leads =
            (0..new.groups.len()).map(|index| leads.get_mut(led_before(index)?)?.take()).collect();
        for (index, group) in new.groups.iter().enumerate() {
            let was = kin.old_group(index).and_then(|index| old.groups[index].led.as_ref());
            let id = GroupId(index as u16);
            if is_same_led(was, group.led.as_ref(), kin) {
                self.fields.leads[index].clone_from(&group.led);
            } else if let Err(error) = self.set_led(id, group.led.clone()) {
                // A scene's shares are checked, and its fields are there.
                self.warnings.push(error.to_string());
            }
        }
    }

    fn change_sources(&mut self, old: &Scene, new: &Scene, kin: &Kinship, recipes: &[Recipe]) {
        let sources = |scene: &Scene| -> Vec<(usize, Source)> {
            let groups = scene.groups.iter().enumerate();
            groups
                .flat_map(|(g, group)| group.sources.iter().map(move |s| (g, s.clone())))
                .collect()
        };
        let before = sources(old);
        let mut active: Vec<Option<ActiveSource>> =
            std::mem::take(&mut self.sources).into_iter().map(Some).collect();
        let (random, time) = (self.world.random, self.world.time());
        // Another one in each step and for each source: what comes from it is its own.
        let number = |index: usize| self.world.steps.wrapping_mul(0x1_0000) + index as u64;
        self.sources = sources(new)
            .iter()
            .enumerate()
            .map(|(index, (group, source))| {
                let recipe = recipes[*group].clone();
                let is_same = |(old_group, old): &(usize, Source)| {
                    kin.old_group(*group) == Some(*old_group)
                        && kin.region(old.region) == Some(source.region)
                        && (&old.schedule, old.limit) == (&source.schedule, source.limit)
                };
                let kept = (before.iter().zip(&mut active))
                    .find(|(old, active)| active.is_some() && is_same(old))
                    .and_then(|(_, active)| active.take());
                match kept {
                    Some(mut kept) => {
                        (kept.recipe, kept.region) = (recipe, source.region);
                        kept
                    }
                    None => ActiveSource::from(source, recipe, number(index), random, time),
                }
            })
            .collect();
    }
}

fn is_same_field(old: &FieldSpec, old_scene: &Scene, new: &FieldSpec, new_scene: &Scene) -> bool {
    let region = |spec: &FieldSpec, scene: &Scene| {
        spec.region.map(|id| scene.regions[id.0 as usize].polygon.clone())
    };
    region(old, old_scene) == region(new, new_scene) && bare(old) == bare(new)
}

/// A field without what does not matter to where it leads: places in the file, and which number its
/// region has.
fn bare(spec: &FieldSpec) -> FieldSpec {
    let mut spec = spec.clone();
    (spec.span, spec.region) = (0..0, None);
    spec.anchors.iter_mut().for_each(|anchor| anchor.span = 0..0);
    for edit in &mut spec.edits {
        edit.span = 0..0;
        if let FieldChange::Add(anchor) = &mut edit.change {
            anchor.span = 0..0;
        }
    }
    spec
}

fn is_same_led(old: Option<&Led>, new: Option<&Led>, kin: &Kinship) -> bool {
    match (old, new) {
        (None, None) => true,
        (Some(old), Some(new)) => {
            let by = new.by.iter().map(|id| kin.old_field(id.0 as usize));
            by.eq(old.by.iter().copied().map(Some))
                && (old.share, old.wander, old.goals) == (new.share, new.wander, new.goals)
        }
        _ => false,
    }
}
