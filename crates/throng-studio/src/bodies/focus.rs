//! Who gets a body: the people nearest to where pages look.

use std::collections::BTreeMap;

use glam::Vec3;
use throng::bodies::Viewer;
use throng_crowd::Appearance;
use throng_world::frame::ground_to_world;

use crate::message::{BodiesWanted, Refusal};

/// Bodies that there are at most, for all pages together.
pub(crate) const MOST_BODIES: usize = 400;
/// The farthest that people around a focus can be, m.
const LARGEST_RADIUS: f32 = 500.0;
/// The farthest from the origin that a camera can be, m.
const FARTHEST_EYE: f32 = 1e6;
/// Who has a body keeps it this much farther away than others get one, as a share of the distance. Nobody at the
/// border is now a body and now a figure.
const KEEPING: f32 = 0.12;

/// Where a page looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Focus {
    /// On the ground, and the height, m.
    at: Vec3,
    radius: f32,
    most: usize,
    /// Who looks there, if people are to take notice of them.
    viewer: Option<Viewer>,
}

impl Focus {
    /// What a client has asked for; `None` if nobody is to have a body.
    pub fn of(wanted: &BodiesWanted) -> Result<Option<Self>, Refusal> {
        let viewer = viewer(wanted)?;
        let focus = Self::new(wanted.at, wanted.radius, wanted.most)?;
        Ok(focus.map(|focus| Self { viewer, ..focus }))
    }

    /// Who looks there, if people are to take notice of them.
    pub fn viewer(&self) -> Option<Viewer> {
        self.viewer
    }

    /// Around a place `[x, y, height]`; `None` if nobody is to have a body.
    fn new(at: [f32; 3], radius: f32, most: usize) -> Result<Option<Self>, Refusal> {
        let at = Vec3::from_array(at);
        if !at.is_finite() {
            return Err(Refusal::new("nobody can look at a place that is not finite"));
        }
        if !(0.0..=LARGEST_RADIUS).contains(&radius) {
            return Err(Refusal::new(format!("bodies within {radius} m cannot be shown"))
                .with_help(format!("write a radius from 0 to {LARGEST_RADIUS}")));
        }
        if most > MOST_BODIES {
            return Err(Refusal::new(format!("{most} bodies cannot be shown"))
                .with_help(format!("write at most {MOST_BODIES}")));
        }
        Ok((most > 0 && radius > 0.0).then_some(Self { at, radius, most, viewer: None }))
    }

    /// The people it is about, with their distances.
    fn nearest(&self, people: &[Appearance], has_body: &[u32]) -> Vec<(f32, u32)> {
        let mut found: Vec<(f32, u32)> = people
            .iter()
            .filter_map(|person| {
                let id = person.id.0;
                let place = person.position.extend(person.height);
                let keeps = has_body.binary_search(&id).is_ok();
                let ease = if keeps { 1.0 / (1.0 + KEEPING) } else { 1.0 };
                let distance = self.at.distance(place) * ease;
                (distance <= self.radius).then_some((distance, id))
            })
            .collect();
        keep_first(&mut found, self.most);
        found
    }
}

/// Who is to be noticed. What is told of a camera is checked even if nobody is to notice it.
fn viewer(wanted: &BodiesWanted) -> Result<Option<Viewer>, Refusal> {
    let [eye, look] = [wanted.eye, wanted.look].map(|told| told.map(Vec3::from_array));
    if eye.is_some_and(|eye| !eye.is_finite() || eye.abs().max_element() > FARTHEST_EYE) {
        return Err(Refusal::new("an `eye` cannot be that far away").with_help(format!(
            "write where the camera is, [x, y, height], within {FARTHEST_EYE} m"
        )));
    }
    if look.is_some_and(|look| look.try_normalize().is_none()) {
        return Err(Refusal::new("nobody can `look` in no direction")
            .with_help("write a direction, [x, y, up], that is not zero"));
    }
    match (wanted.noticed, eye, look) {
        (false, ..) => Ok(None),
        (true, Some(eye), Some(look)) => {
            let world = |ground: Vec3| ground_to_world(ground.truncate(), ground.z);
            Ok(Some(Viewer::new(world(eye), world(look).normalize())))
        }
        _ => Err(Refusal::new("nobody can notice a camera that is nowhere")
            .with_help("write its `eye` and where it does `look`")),
    }
}

/// Where all pages look, by the number of their connection.
pub(crate) type Foci = BTreeMap<u64, Focus>;

/// Who of `people` gets a body, in ascending order of id. `has_body` are those who have one, in the same order.
pub(crate) fn choose(foci: &Foci, people: &[Appearance], has_body: &[u32]) -> Vec<u32> {
    let mut chosen: BTreeMap<u32, f32> = BTreeMap::new();
    for (distance, id) in foci.values().flat_map(|focus| focus.nearest(people, has_body)) {
        chosen.entry(id).and_modify(|least| *least = least.min(distance)).or_insert(distance);
    }
    let mut chosen: Vec<(f32, u32)> =
        chosen.into_iter().map(|(id, distance)| (distance, id)).collect();
    keep_first(&mut chosen, MOST_BODIES);
    let mut ids: Vec<u32> = chosen.into_iter().map(|(_, id)| id).collect();
    ids.sort_unstable();
    ids
}

/// Keeps the `count` nearest; of those equally far the lowest ids.
fn keep_first(found: &mut Vec<(f32, u32)>, count: usize) {
    if found.len() > count {
        let order = |a: &(f32, u32), b: &(f32, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        found.select_nth_unstable_by(count, order);
        found.truncate(count);
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec2;
    use throng_crowd::{PersonId, Status};
    use throng_world::scene::{GroupId, LayerId};

    use super::*;

    /// Somebody at each of these places along a line.
    fn row(places: &[f32]) -> Vec<Appearance> {
        let somebody = |(id, x): (u32, &f32)| Appearance {
            id: PersonId(id),
            group: GroupId(0),
            layer: LayerId(0),
            position: Vec2::new(*x, 0.0),
            height: 0.0,
            facing: Vec2::X,
            status: Status::Walking,
        };
        (0..).zip(places).map(somebody).collect()
    }

    fn around(x: f32, radius: f32, most: usize) -> Focus {
        Focus::new([x, 0.0, 0.0], radius, most).unwrap().unwrap()
    }

    #[test]
    fn the_nearest_are_chosen_for_all_who_look() {
        let people = row(&[0.0, 1.0, 2.0, 3.0, 50.0, 51.0]);
        let foci = Foci::from([(1, around(0.0, 10.0, 2)), (2, around(50.0, 0.5, 9))]);
        assert_eq!(choose(&foci, &people, &[]), [0, 1, 4]);
        assert!(choose(&Foci::new(), &people, &[]).is_empty());
    }

    #[test]
    fn nobody_at_the_border_flickers() {
        let foci = Foci::from([(1, around(0.0, 10.0, 1))]);
        // Beyond the border one keeps a body, but does not get one.
        let outside = row(&[10.5]);
        assert!(choose(&foci, &outside, &[]).is_empty());
        assert_eq!(choose(&foci, &outside, &[0]), [0]);
        // Of two who are about as far, the one who has a body keeps it.
        let rivals = row(&[5.2, 5.0]);
        assert_eq!(choose(&foci, &rivals, &[]), [1]);
        assert_eq!(choose(&foci, &rivals, &[0]), [0]);
        assert_eq!(choose(&foci, &row(&[6.0, 5.0]), &[0]), [1]);
    }

    #[test]
    fn there_are_never_more_than_the_limit() {
        let people = row(&vec![0.0; 2 * MOST_BODIES]);
        let foci = (0..5).map(|page| (page, around(0.0, 5.0, MOST_BODIES))).collect();
        let chosen = choose(&foci, &people, &[]);
        assert_eq!(chosen, (0..MOST_BODIES as u32).collect::<Vec<_>>());
    }

    #[test]
    fn what_cannot_be_looked_at_is_refused() {
        assert!(Focus::new([f32::NAN, 0.0, 0.0], 10.0, 5).is_err());
        assert!(Focus::new([0.0; 3], f32::NAN, 5).is_err());
        assert!(Focus::new([0.0; 3], -1.0, 5).is_err());
        assert!(Focus::new([0.0; 3], 501.0, 5).is_err());
        assert!(Focus::new([0.0; 3], 10.0, MOST_BODIES + 1).is_err());
        assert_eq!(Focus::new([0.0; 3], 10.0, 0), Ok(None));
    }

    #[test]
    fn who_wants_to_be_noticed_says_where_they_are_and_look() {
        let eye = Some([1.0, 2.0, 1.7]);
        let look = Some([0.0, 3.0, 0.0]);
        let wanted = BodiesWanted { at: [0.0; 3], radius: 5.0, most: 9, eye, look, noticed: true };
        let viewer = Focus::of(&wanted).unwrap().unwrap().viewer().unwrap();
        assert_eq!(viewer.position, Vec3::new(1.0, 1.7, -2.0));
        assert_eq!(viewer.direction, Vec3::NEG_Z);
        let quiet = BodiesWanted { noticed: false, ..wanted };
        assert_eq!(Focus::of(&quiet).unwrap().unwrap().viewer(), None);
        assert_eq!(Focus::of(&BodiesWanted { most: 0, ..wanted }), Ok(None));
        for odd in [
            BodiesWanted { eye: None, ..wanted },
            BodiesWanted { look: None, ..wanted },
            BodiesWanted { eye: Some([f32::NAN, 0.0, 0.0]), ..wanted },
            BodiesWanted { eye: Some([0.0, f32::INFINITY, 0.0]), ..wanted },
            BodiesWanted { eye: Some([0.0, 0.0, -2e6]), ..quiet },
            BodiesWanted { look: Some([0.0; 3]), ..quiet },
            BodiesWanted { look: Some([f32::INFINITY, 0.0, 0.0]), ..wanted },
            BodiesWanted { look: Some([f32::NAN, 1.0, 0.0]), ..wanted },
        ] {
            assert!(Focus::of(&odd).is_err_and(|refusal| refusal.help.is_some()), "{odd:?}");
        }
    }
}
