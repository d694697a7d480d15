//! How somebody gets where they want to be.

use glam::Vec2;
use throng_nav::NoWay;
use throng_world::scene::LayerId;

use super::CurrentGoal;
use crate::PersonId;
use crate::crowd::Crowd;
use crate::goals::turn_of;
use crate::guidance::Course;
use crate::status::Status;
use crate::step::Foreseen;

/// How somebody gets to a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WayKind {
    /// Their goal is not about getting to a place.
    #[default]
    Nowhere,
    /// They see it, or there are no ways, and walk straight there.
    Straight,
    /// Along a route.
    Route,
    /// They do not know yet, and wait to be told.
    Unknown,
    /// There is no way.
    NoWay,
}

/// The way that lies ahead of somebody.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WayAhead {
    /// How they get there.
    pub kind: WayKind,
    /// Whether they wait to be told a way, or another one than they have.
    pub waits: bool,
    /// What is left to walk, from where they are to the end, with all bends.
    pub points: Vec<WayPoint>,
    /// The point of it that draws them on, m.
    pub attraction: Option<Vec2>,
    /// By how much they turn off it to get round those who stand, radians to the left.
    pub detour: f32,
    /// Discs with no wall in them that the way leads through, in its order; none where the ground has no
    /// map, and not more than two hundred.
    pub corridor: Vec<FreeDisc>,
    /// Why there is no way, if there is none and the reason is known.
    pub no_way: Option<NoWay>,
}

/// A point of a way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WayPoint {
    /// The floor of the leg that leads there.
    pub layer: LayerId,
    /// Where, m.
    pub position: Vec2,
}

/// A disc with no wall in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FreeDisc {
    /// Its floor.
    pub layer: LayerId,
    /// Its centre, m.
    pub centre: Vec2,
    /// Its radius, m.
    pub radius: f32,
}

/// The longest corridor that is told.
const MOST_DISCS: usize = 200;

impl Crowd {
    /// The way of the person in a row to their goal.
    pub(super) fn way_ahead(
        &self,
        row: usize,
        foreseen: &Foreseen,
        goal: Option<&CurrentGoal>,
    ) -> WayAhead {
        let Some((floor, target)) =
            goal.filter(|goal| goal.aim.is_place()).and_then(|goal| goal.target)
        else {
            return WayAhead::default();
        };
        let state = &foreseen.goal;
        let begin =
            WayPoint { layer: self.people.layers[row], position: self.people.positions[row] };
        let waits = self.guidance.is_some() && state.course.asks();
        let detour = turn_of(state.detour);
        let ahead = WayAhead { waits, detour, ..WayAhead::default() };
        if foreseen.status == Status::NoPath {
            let no_way = self.why_no_path(PersonId(self.people.ids[row]));
            return WayAhead { kind: WayKind::NoWay, no_way, ..ahead };
        }
        let mut points = vec![begin];
        let (kind, attraction) = match &foreseen.route {
            Some(route) => {
                let legs = route.legs();
                points.extend(legs.map(|(layer, _, position)| WayPoint { layer, position }));
                (WayKind::Route, foreseen.outlook.aim)
            }
            None if self.guidance.is_none() || state.course == Course::Straight => {
                points.push(WayPoint { layer: floor, position: target });
                (WayKind::Straight, target)
            }
            None => return WayAhead { kind: WayKind::Unknown, ..ahead },
        };
        let corridor = self.corridor(&points);
        WayAhead { kind, attraction: Some(attraction), corridor, points, ..ahead }
    }

    fn corridor(&self, points: &[WayPoint]) -> Vec<FreeDisc> {
        let Some(guidance) = &self.guidance else { return Vec::new() };
        let mut discs: Vec<FreeDisc> = Vec::new();
        for leg in points.windows(2) {
            let [from, to] = [leg[0], leg[1]].map(|point| point.position.as_dvec2());
            let layer = leg[1].layer;
            let most = MOST_DISCS - discs.len();
            discs.extend(guidance.map.discs_along(layer, from, to).take(most).map(|anchor| {
                let (centre, radius) = (anchor.point.as_vec2(), anchor.clearance as f32);
                FreeDisc { layer, centre, radius }
            }));
        }
        discs.dedup();
        discs
    }
}
