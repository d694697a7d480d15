//! How pages look at the crowd, and how many bodies they can draw.

use std::collections::BTreeMap;

use glam::Vec3;
use throng::bodies::Viewer;
use throng::scaler::{Budget, View};
use throng_base::frame::ground_to_world;

use crate::protocol::{BodiesKeys, Refusal};

/// Bodies of their own that there are at most, for all pages together.
pub(crate) const MOST_BODIES: usize = 400;
/// And posed ones.
const MOST_POSED: usize = 4000;
/// The farthest from the origin that a camera can be, m.
const FARTHEST_EYE: f32 = 1e6;
/// From the lower edge of a picture to the upper, degrees.
const FIELDS: std::ops::RangeInclusive<f32> = 1.0..=170.0;
/// Width of a picture over its height.
const ASPECTS: std::ops::RangeInclusive<f32> = 0.05..=20.0;
/// Height of a picture, pixels.
const PIXELS: std::ops::RangeInclusive<f32> = 1.0..=100_000.0;

/// How a page looks at the crowd.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Focus {
    view: View,
    most: usize,
    posed: usize,
    noticed: bool,
}

impl Focus {
    /// What a client has asked for; `None` if nobody is to have a body.
    pub fn of(wanted: &BodiesKeys) -> Result<Option<Self>, Refusal> {
        let [eye, look] = [wanted.eye, wanted.look].map(Vec3::from_array);
        if !eye.is_finite() || eye.abs().max_element() > FARTHEST_EYE {
            return Err(Refusal::new("an `eye` cannot be that far away").with_help(format!(
                "write where the camera is, [x, y, height], within {FARTHEST_EYE} m"
            )));
        }
        let Some(look) = look.try_normalize() else {
            return Err(Refusal::new("nobody can `look` in no direction")
                .with_help("write a direction, [x, y, up], that is not zero"));
        };
        for (name, value, range) in [
            ("field", wanted.field, FIELDS),
            ("aspect", wanted.aspect, ASPECTS),
            ("pixels", wanted.pixels, PIXELS),
        ] {
            if !range.contains(&value) {
                return Err(Refusal::new(format!("no picture has `{name}` {value}"))
                    .with_help(format!("write {} to {}", range.start(), range.end())));
            }
        }
        for (name, count, limit) in
            [("most", wanted.most, MOST_BODIES), ("posed", wanted.posed, MOST_POSED)]
        {
            if count > limit {
                return Err(Refusal::new(format!("{count} bodies cannot be shown"))
                    .with_help(format!("write for `{name}` at most {limit}")));
            }
        }
        let world = |ground: Vec3| ground_to_world(ground.truncate(), ground.z);
        let view = View {
            eye: world(eye),
            direction: world(look),
            field: wanted.field.to_radians(),
            aspect: wanted.aspect,
            pixels: wanted.pixels,
        };
        let BodiesKeys { most, posed, noticed, .. } = *wanted;
        Ok((most > 0).then_some(Self { view, most, posed, noticed }))
    }

    /// Who looks there, if people are to take notice of them.
    pub fn viewer(&self) -> Option<Viewer> {
        self.noticed.then(|| Viewer::new(self.view.eye, self.view.direction))
    }
}

/// How all pages look, by the number of their connection.
pub(crate) type Foci = BTreeMap<u64, Focus>;

/// The views of all pages, and how many bodies they can draw together.
pub(crate) fn needs(foci: &Foci) -> (Vec<View>, Budget) {
    let views = foci.values().map(|focus| focus.view).collect();
    let sum = |count: fn(&Focus) -> usize, limit: usize| {
        foci.values().map(count).sum::<usize>().min(limit)
    };
    let full = sum(|focus| focus.most, MOST_BODIES);
    let posed = sum(|focus| focus.posed, MOST_POSED);
    (views, Budget { full, posed, ..Budget::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WANTED: BodiesKeys = BodiesKeys {
        eye: [1.0, 2.0, 1.7],
        look: [0.0, 3.0, 0.0],
        field: 50.0,
        aspect: 1.5,
        pixels: 900.0,
        most: 9,
        posed: 20,
        noticed: false,
    };

    #[test]
    fn pages_are_views_of_the_world_and_their_numbers_add_up() {
        let focus = Focus::of(&WANTED).unwrap().unwrap();
        let foci = Foci::from([(1, focus), (2, Focus { most: 395, ..focus })]);
        let (views, budget) = needs(&foci);
        assert_eq!(views.len(), 2);
        assert_eq!(views[0].eye, Vec3::new(1.0, 1.7, -2.0));
        assert_eq!(views[0].direction, Vec3::NEG_Z);
        assert!((views[0].field - 50_f32.to_radians()).abs() < 1e-6);
        assert_eq!((budget.full, budget.posed), (MOST_BODIES, 40));
        assert_eq!(needs(&Foci::new()).1.full, 0);
    }

    #[test]
    fn only_who_wants_to_be_noticed_is_a_viewer() {
        let quiet = Focus::of(&WANTED).unwrap().unwrap();
        assert_eq!(quiet.viewer(), None);
        let noticed = BodiesKeys { noticed: true, ..WANTED };
        let viewer = Focus::of(&noticed).unwrap().unwrap().viewer().unwrap();
        assert_eq!(viewer.position, Vec3::new(1.0, 1.7, -2.0));
        assert_eq!(viewer.direction, Vec3::NEG_Z);
        assert_eq!(Focus::of(&BodiesKeys { most: 0, ..noticed }), Ok(None));
    }

    #[test]
    fn what_is_no_view_is_refused_with_a_way_out() {
        for odd in [
            BodiesKeys { eye: [f32::NAN, 0.0, 0.0], ..WANTED },
            BodiesKeys { eye: [0.0, f32::INFINITY, 0.0], ..WANTED },
            BodiesKeys { eye: [0.0, 0.0, -2e6], ..WANTED },
            BodiesKeys { look: [0.0; 3], ..WANTED },
            BodiesKeys { look: [f32::INFINITY, 0.0, 0.0], ..WANTED },
            BodiesKeys { look: [f32::NAN, 1.0, 0.0], ..WANTED },
            BodiesKeys { field: 0.0, ..WANTED },
            BodiesKeys { field: 180.0, ..WANTED },
            BodiesKeys { field: f32::NAN, ..WANTED },
            BodiesKeys { aspect: 0.0, ..WANTED },
            BodiesKeys { aspect: f32::INFINITY, ..WANTED },
            BodiesKeys { pixels: -1.0, ..WANTED },
            BodiesKeys { most: MOST_BODIES + 1, ..WANTED },
            BodiesKeys { posed: MOST_POSED + 1, ..WANTED },
        ] {
            assert!(Focus::of(&odd).is_err_and(|refusal| refusal.help.is_some()), "{odd:?}");
        }
    }
}
