//! What scoring needs to know of a moment.

use glam::Vec2;
use throng::crowd::Status;
use throng::recording::Frame;
use throng_world::scene::{GroupId, LayerId};

use super::error::Fault;

/// No moment is farther from time 0, s: beyond, samples can no longer be numbered.
const LONGEST: f64 = 1e9;

/// Everyone at one moment, with what scoring needs beyond a [`FrameView`](crate::FrameView).
///
/// Entry `i` of every slice is about the same person.
#[derive(Clone, Copy, Debug)]
pub struct WalkView<'a> {
    /// When, s.
    pub time: f64,
    /// Who; strictly ascending.
    pub ids: &'a [u32],
    /// Groups.
    pub groups: &'a [GroupId],
    /// Positions on the ground, m.
    pub positions: &'a [Vec2],
    /// Floors.
    pub layers: &'a [LayerId],
    /// Headings, radians counter-clockwise from `+x`.
    pub headings: &'a [f32],
    /// Radii, m.
    pub radii: &'a [f32],
    /// What they are up to. Who is [`Status::Arrived`] has completed their way; who
    /// [stands](Status::is_standing) because they want to is not deadlocked.
    pub statuses: &'a [Status],
}

impl<'a> From<&'a Frame> for WalkView<'a> {
    fn from(frame: &'a Frame) -> Self {
        let people = &frame.people;
        Self {
            time: frame.time,
            ids: &people.ids,
            groups: &people.groups,
            positions: &people.positions,
            layers: &people.layers,
            headings: &people.headings,
            radii: &people.radii,
            statuses: &people.statuses,
        }
    }
}

impl WalkView<'_> {
    /// Whether it can be frame number `frame`, which follows one at the time `before`, of a scene with
    /// so many floors.
    pub(super) fn check(
        &self,
        frame: u64,
        before: Option<f64>,
        floors: usize,
    ) -> Result<(), Fault> {
        let people = self.ids.len();
        let lists = [
            ("groups", self.groups.len()),
            ("positions", self.positions.len()),
            ("layers", self.layers.len()),
            ("headings", self.headings.len()),
            ("radii", self.radii.len()),
            ("statuses", self.statuses.len()),
        ];
        if let Some((list, count)) = lists.into_iter().find(|&(_, count)| count != people) {
            return Err(Fault::Length { frame, list, count, people });
        }
        let (time, person) = (self.time, self.ids.first().copied());
        if time.is_nan() || time.abs() > LONGEST {
            return Err(Fault::NoTime { frame, person, time });
        }
        if let Some(before) = before.filter(|&before| time <= before) {
            return Err(Fault::Time { frame, person, time, before });
        }
        if let Some(pair) = self.ids.windows(2).find(|pair| pair[0] >= pair[1]) {
            return Err(Fault::Order { frame, person: pair[1], before: pair[0] });
        }
        (0..people).try_for_each(|i| self.check_person(i, frame, floors))
    }

    fn check_person(&self, i: usize, frame: u64, floors: usize) -> Result<(), Fault> {
        let person = self.ids[i];
        let Vec2 { x, y } = self.positions[i];
        let (heading, radius, layer) = (self.headings[i], self.radii[i], self.layers[i].0);
        let numbers = [("x", x), ("y", y), ("heading", heading), ("radius", radius)];
        if let Some((quantity, value)) = numbers.into_iter().find(|(_, value)| !value.is_finite()) {
            return Err(Fault::NotFinite { frame, person, quantity, value: value.into() });
        }
        if radius < 0.0 {
            return Err(Fault::Radius { frame, person, radius });
        }
        if usize::from(layer) >= floors {
            return Err(Fault::Layer { frame, person, layer, count: floors });
        }
        Ok(())
    }
}
