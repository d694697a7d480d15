//! Where a foot stands or swings.
//!
//! On a level patch of ground a foot does as it does over the flat carpet. Elsewhere it may have to do otherwise: toes hang over
//! the edge of a step that they would have rolled over, and a sole rests on an edge. So what bears is kept where it was a
//! frame ago, by holding the foot back; and a foot that cannot stand any more is let go a little early.

use std::f32::consts::PI;

use glam::{DVec2, DVec3, FloatExt as _, Quat, Vec2, Vec3};
use throng_base::ground::{Ground, Surface};

use super::super::descriptor::{heading, lean};
use super::super::rig::Rig;
use super::super::window::{Window, sound};
use super::FootGoal;
use super::sole::{MOST_POINTS, Sole};
use crate::gait::smoothstep;
use crate::pose::ModelPose;

/// How steeply a foot in the air rises towards an edge.
const RISING: f32 = 0.6;
/// From how far away it heeds edges, m.
const FORESIGHT: f32 = 0.45;
/// How soon a foot has tilted to the ground, s.
const TILTING: f32 = 0.05;
/// Ground this far above or below the carpet is none to step on, m.
const TALLEST_STEP: f32 = 0.45;
/// Steps by which room for a foot is looked for, m; ground is even enough to within the other, m.
const SHIFT: f32 = 0.035;
const EVEN: f32 = 0.03;
/// How much earlier than a foot is down it is where there is room.
const EARLIER: f32 = 1.6;
/// How far toes keep away from a riser, m.
const CLEAR_OF_STEPS: f32 = 0.04;
/// How fast a foot in the air is lifted over what it would catch on, and comes down after, m/s.
const LIFTING: f32 = 4.0;
/// How much of the way to where there is room a foot goes in a frame.
const TAKING_AIM: f32 = 0.6;
/// A point of a sole that is lower than this above the ground bears, m.
const BEARING: f32 = 0.02;
/// How far a foot is held back at most, m; beyond it the foot steps. And how soon it is let go in the air, s.
const FURTHEST_HOLD: f32 = 0.12;
const LETTING_GO: f32 = 0.08;
/// How long such a step takes, s, and how high the foot is lifted, m.
const STEP: f32 = 0.32;
const STEP_HEIGHT: f32 = 0.05;
/// The sine by which a foot tilts in a frame that still has to settle on the ground below it.
const SETTLED: f32 = 1e-3;
/// What bears no more than this does not stand.
const ALMOST: f32 = 0.99;
/// A heel that is this much higher than the toes is up, m.
const HEEL_UP: f32 = 0.03;
/// Toes that dip into the ground by no more than this do so over the flat carpet, too, m.
const DIPPING: f32 = 0.004;
/// Ground that differs by less below a sole is level, m.
const LEVEL: f32 = 0.002;
/// What is held back by less needs not be looked at again, m.
const NOTICED: f32 = 3e-4;
/// A sole that is higher than this above all ground does not stand, m.
const FLOATING: f32 = 0.015;

/// Where points of a sole are in plan, and how high above the ground.
type Places = [(DVec2, f32); MOST_POINTS];

/// What a foot does that should bear.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Grip {
    Holds,
    /// It hangs over the edge of a step or is out of reach, and swings until it is said to.
    LetsGo,
    /// It was held back too far and steps to where it should be; for so many seconds already.
    Steps(f32),
}

/// What is remembered of a foot.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct FootState {
    normal: Option<Vec3>,
    /// The pivot in lattice spacings from row and column 0, in the last frame.
    before: Option<[f64; 2]>,
    pub contact: f32,
    /// How far ahead of where it would be the foot is set down, m, and where that has brought it, in plan.
    shift: f32,
    shifted: Vec2,
    /// How high its pivot was in the world.
    height: Option<f32>,
    /// Where its sole was in the last frame, if it bore.
    stood: Option<Places>,
    /// How far the foot is held back so that what bears stays where it is, in plan, m.
    hold: Vec2,
    grip: Grip,
    /// Whether it tilted in this frame.
    tilts: bool,
    /// The last row that the foot depends on.
    pub row: i32,
}

impl FootState {
    pub const NEW: Self = Self {
        normal: None,
        before: None,
        contact: 0.0,
        shift: 0.0,
        shifted: Vec2::ZERO,
        height: None,
        stood: None,
        hold: Vec2::ZERO,
        grip: Grip::Holds,
        tilts: false,
        row: i32::MIN,
    };

    /// Lets go of the ground, which the foot cannot reach any more; returns how much it bears now.
    pub fn let_go(&mut self) -> f32 {
        self.grip = Grip::LetsGo;
        self.contact = ALMOST;
        ALMOST
    }

    /// Keeps what bears where it was: `sole` is where its points would be. How far the foot is held back beyond what it
    /// is held already.
    fn hold_back(&mut self, sole: &mut [(DVec2, f32)]) -> Vec2 {
        let Some(before) = self.stood else { return Vec2::ZERO };
        let above = |index: usize| before[index].1.max(sole[index].1);
        let lowest = (0..sole.len()).min_by(|a, b| above(*a).total_cmp(&above(*b)));
        let Some(bearing) = lowest.filter(|index| above(*index) < BEARING) else {
            return Vec2::ZERO;
        };
        let moved = (sole[bearing].0 - before[bearing].0).as_vec2();
        let hold = self.hold - moved;
        if hold.length() > FURTHEST_HOLD {
            self.grip = Grip::Steps(0.0);
            return Vec2::ZERO;
        }
        let back = hold - self.hold;
        self.hold = hold;
        sole.iter_mut().for_each(|(place, _)| *place += back.as_dvec2());
        back
    }
}

/// What is told of a foot in a frame.
pub(in super::super) struct Footing<'a> {
    pub rig: &'a Rig,
    pub window: &'a Window,
    pub rest: &'a ModelPose,
    /// How much it bears, if that is known.
    pub contact: Option<f32>,
    pub dt: f32,
}

/// How a foot is carried from the flat carpet to the ground.
#[derive(Clone, Copy)]
struct Carrying {
    /// The pivot over the flat carpet.
    rest_pivot: Vec3,
    /// Where it is carried in plan.
    at: Vec3,
    tilt: Quat,
    normal: Vec3,
    /// How high the carpet is there in the world.
    carpet: f32,
}

impl Carrying {
    /// How far from the pivot a point of the sole is.
    fn offset(&self, point: Vec3) -> Vec3 {
        self.tilt * (point - self.rest_pivot)
    }
}

/// What a sole finds below it.
struct Found {
    /// How high the pivot is if the sole rests on the ground, and in the air.
    on_ground: f32,
    in_air: f32,
    /// How much of what it rests on touched the flat carpet, too.
    bears: f32,
    /// The lowest and the highest ground.
    ground: [f32; 2],
    supported: bool,
    places: Places,
}

impl Footing<'_> {
    /// Where a foot should be.
    pub fn goal(
        &self,
        foot: usize,
        ground: &(impl Ground + ?Sized),
        state: &mut FootState,
    ) -> FootGoal {
        let sole = Sole::new(self.rig, foot, self.rest);
        let (plan, half, carpet) = self.window.place(sole.pivot);
        let sample = |from: Vec3| -> Option<Surface> {
            let place = self.window.world_place(Vec2::new(from.x, from.z));
            ground.at(place, carpet).filter(|surface| {
                sound(surface.height) && (surface.height - carpet).abs() < TALLEST_STEP
            })
        };
        let contact = self.bearing(&sole, state);
        state.row = self.row(sole.pivot);
        let turn = heading(half);
        let rest_pivot = Vec3::new(sole.pivot.x, 0.0, sole.pivot.y);
        let plan = Vec3::new(plan.x, 0.0, plan.y);
        let at = plan + self.aside(foot, (&sole, turn), (plan, carpet), contact, &sample, state);
        let normal = self.normal(sole.corners(), at, rest_pivot, turn, &sample, state);
        let mut carrying = Carrying { rest_pivot, at, tilt: lean(normal) * turn, normal, carpet };
        let found = self.find(&sole, &carrying, contact, &sample);
        let mut height = self.height(&found, carpet, contact, state);
        let mut contact = contact;
        // Who steps down further than a foot can come in a frame has not landed yet.
        let lowest = state.height.map_or(height, |before| before - LIFTING * self.dt);
        if contact >= 1.0 && state.contact < 1.0 && self.dt > 0.0 && height < lowest {
            (height, contact) = (lowest, ALMOST);
        }
        // Whether a foot bears that is not told to can only be guessed.
        if contact < 1.0 || self.contact.is_none_or(|told| told < 1.0) {
            state.stood = None;
        } else {
            height = stand(&sole, &found, height, &mut carrying, &sample, state);
            if state.grip != Grip::Holds {
                contact = (1.0 - self.dt.max(0.0) / LETTING_GO).clamp(0.0, ALMOST);
            }
        }
        (state.height, state.contact) = (Some(height), contact);
        let end = self.rig.feet()[foot].end;
        let height = (f64::from(height) - self.window.anchor().y) as f32;
        let mut goal = FootGoal {
            joint: self.rest.position(end),
            rotation: carrying.tilt * self.rest.rotation(end),
            turn: carrying.tilt,
            rest_pivot,
            pivot: carrying.at.with_y(height),
            twist: 0.0,
            contact,
            normal,
            supported: found.supported,
        };
        goal.joint = goal.carry(goal.joint);
        goal
    }

    /// How much a foot bears, if it has not been let go.
    fn bearing(&self, sole: &Sole, state: &mut FootState) -> f32 {
        let told = self.contact(sole.pivot, sole.lowest, state);
        if told < 1.0 {
            state.grip = Grip::Holds;
        }
        let dt = self.dt.max(0.0);
        match &mut state.grip {
            Grip::Holds => told,
            Grip::LetsGo => (state.contact - dt / LETTING_GO).max(0.0),
            Grip::Steps(since) => {
                *since += dt;
                if *since >= STEP {
                    state.grip = Grip::Holds;
                    return told;
                }
                (1.0 - 2.0 * *since / STEP).abs().min(ALMOST)
            }
        }
    }

    /// How far from where the carpet has it a foot is set down: where there is room for it, and held back where it stood.
    fn aside(
        &self,
        foot: usize,
        (sole, turn): (&Sole, Quat),
        (plan, carpet): (Vec3, f32),
        contact: f32,
        sample: &impl Fn(Vec3) -> Option<Surface>,
        state: &mut FootState,
    ) -> Vec3 {
        let ahead = turn * Vec3::new(sole.ahead.x, 0.0, sole.ahead.y);
        if contact < 1.0 {
            state.hold *= (-self.dt.max(0.0) / LETTING_GO).exp();
        }
        let landing = contact < 1.0 && contact > state.contact;
        if contact <= 0.0 {
            state.shift = 0.0;
        } else if landing {
            let flat = self.rig.flat_sole(foot);
            let fitting = fitting_shift(flat, plan, ahead, carpet, state.normal, sample);
            state.shift += TAKING_AIM * (fitting - state.shift);
        }
        // There before it is down, so that no edge is left to be passed on the way down.
        // A foot that stands may turn, and stays there.
        if contact < 1.0 || state.contact < 1.0 {
            let shift = smoothstep(EARLIER * contact) * state.shift;
            state.shifted = shift * Vec2::new(ahead.x, ahead.z);
        }
        let aside = state.shifted + state.hold;
        Vec3::new(aside.x, 0.0, aside.y)
    }

    /// Looks at the ground below every point of a sole.
    fn find(
        &self,
        sole: &Sole,
        carrying: &Carrying,
        contact: f32,
        sample: &impl Fn(Vec3) -> Option<Surface>,
    ) -> Found {
        let mut found = Found {
            on_ground: f32::NEG_INFINITY,
            in_air: f32::NEG_INFINITY,
            bears: 0.0,
            ground: [f32::INFINITY, f32::NEG_INFINITY],
            supported: false,
            places: [(DVec2::ZERO, f32::INFINITY); MOST_POINTS],
        };
        let Carrying { at, normal, carpet, .. } = *carrying;
        let ((points, count), radii) = sole.points();
        for ((point, radius), place) in points[..count].iter().zip(&radii).zip(&mut found.places) {
            let touches = sole.touches(*point);
            let from = carrying.offset(*point);
            let surface = sample(at + from);
            found.supported |= surface.is_some() && touches > 0.0;
            let height = surface.map_or(carpet, |surface| surface.height);
            found.ground = [found.ground[0].min(height), found.ground[1].max(height)];
            // What touched goes on touching; what did not must not sink in.
            let kept = if point.y < 0.0 { 1.0 } else { touches };
            let clearance = kept * point.y / normal.y - from.y;
            if height + clearance > found.on_ground {
                (found.on_ground, found.bears) = (height + clearance, touches);
            }
            // A ball rolls about its middle.
            let world = DVec3::from(at + from + *radius * normal) + self.window.anchor();
            *place = (DVec2::new(world.x, world.z), from.y - height);
            if contact < 1.0 {
                let rest = Vec2::new(point.x, point.z);
                let envelope = self.window.envelope(rest, RISING, FORESIGHT);
                let envelope = envelope.min(carpet + TALLEST_STEP);
                found.in_air = found.in_air.max(envelope + clearance);
            }
        }
        found
    }

    /// How high the pivot is: on the ground, over it, or on the way from one to the other.
    fn height(&self, found: &Found, carpet: f32, contact: f32, state: &FootState) -> f32 {
        let Found { on_ground, mut in_air, .. } = *found;
        if let Grip::Steps(since) = state.grip {
            in_air = in_air.max(on_ground) + STEP_HEIGHT * (PI * since / STEP).sin();
        }
        let height = match on_ground.is_finite() {
            true if contact < 1.0 => contact * on_ground + (1.0 - contact) * in_air.max(on_ground),
            true => on_ground,
            false => carpet,
        };
        match state.height {
            Some(before) if contact < 1.0 => {
                let most = LIFTING * self.dt.max(0.0);
                height.clamp(before - most, before + most)
            }
            _ => height,
        }
    }

    /// How much a foot bears: as told, or by how low and how slow it is.
    fn contact(&self, pivot: Vec2, lowest: f32, state: &mut FootState) -> f32 {
        let origin = self.window.origin();
        let spacing = f64::from(self.window.spacing());
        let at = [
            f64::from(pivot.y) / spacing + f64::from(origin[0]),
            f64::from(pivot.x) / spacing + f64::from(origin[1]),
        ];
        let moved = state.before.map(|before| {
            let (row, column) = (at[0] - before[0], at[1] - before[1]);
            ((row * row + column * column).sqrt() * spacing) as f32
        });
        state.before = Some(at);
        let told = self.contact.filter(|contact| contact.is_finite());
        told.map_or_else(
            || {
                let speed = moved.map_or(0.0, |moved| moved / self.dt.max(1e-3));
                let part = |value: f32, from: f32, to: f32| 1.0 - value.smoothstep(from, to);
                part(lowest, 0.01, 0.04) * part(speed, 0.25, 0.8)
            },
            |contact| contact.clamp(0.0, 1.0),
        )
    }

    /// The row beyond the pivot, counted from row 0.
    fn row(&self, pivot: Vec2) -> i32 {
        (pivot.y / self.window.spacing()).floor() as i32 + 1 + self.window.origin()[0]
    }

    /// The mean normal below a sole, without walls, as it is by now.
    fn normal(
        &self,
        bottoms: &[Vec3],
        at: Vec3,
        pivot: Vec3,
        turn: Quat,
        sample: &impl Fn(Vec3) -> Option<Surface>,
        state: &mut FootState,
    ) -> Vec3 {
        let mut sum = Vec3::ZERO;
        for bottom in bottoms {
            if let Some(surface) = sample(at + turn * (*bottom - pivot)) {
                // Steeper than 60° is a wall, less than 45° is ground.
                let ground = ((surface.normal.y - 0.5) / 0.207).clamp(0.0, 1.0);
                if surface.normal.is_finite() {
                    sum += smoothstep(ground) * surface.normal;
                }
            }
        }
        let wanted = sum.try_normalize().filter(|normal| normal.y > 0.5).unwrap_or(Vec3::Y);
        let before = state.normal.unwrap_or(wanted);
        let part = 1.0 - (-self.dt.max(0.0) / TILTING).exp();
        let normal = before.lerp(wanted, part).try_normalize().unwrap_or(wanted);
        state.tilts = normal.distance_squared(before) > SETTLED * SETTLED;
        state.normal = Some(normal);
        normal
    }
}

/// Keeps a foot that bears where it is, or lets it go; how high its pivot is then.
fn stand(
    sole: &Sole,
    found: &Found,
    height: f32,
    carrying: &mut Carrying,
    sample: &impl Fn(Vec3) -> Option<Surface>,
    state: &mut FootState,
) -> f32 {
    let mut places = found.places;
    let ((points, count), _) = sole.points();
    places.iter_mut().for_each(|(_, above)| *above += height);
    let [low, high] = found.ground;
    let back = if (sole.is_long() && high - low > LEVEL) || state.tilts {
        state.hold_back(&mut places[..count])
    } else {
        Vec2::ZERO
    };
    state.stood = Some(places);
    // Its toes are over the edge and its heel is up: what it rests on is not what it could stand on.
    if sole.is_long() && found.bears <= 0.0 && sole.heel_up() > HEEL_UP {
        state.grip = Grip::LetsGo;
    }
    carrying.at += Vec3::new(back.x, 0.0, back.y);
    if back.abs().max_element() <= NOTICED {
        return height;
    }
    // An edge may have come below it, or what it stood on is not below it any more.
    let mut resting = f32::NEG_INFINITY;
    for point in &points[..count] {
        let from = carrying.offset(*point);
        let surface = sample(carrying.at + from);
        let ground = surface.map_or(carrying.carpet, |surface| surface.height);
        resting = resting.max(ground - from.y);
    }
    if resting < height - FLOATING {
        state.grip = Grip::LetsGo;
    }
    height.max(resting - DIPPING)
}

/// How far ahead (or back) of `at` a foot finds room for all of its sole on one step: the least that does. Where steps
/// are too short for it, toes may come near to the next step, and then hang over an edge; heels do neither.
fn fitting_shift(
    flat: &[Vec2],
    at: Vec3,
    ahead: Vec3,
    carpet: f32,
    normal: Option<Vec3>,
    sample: &impl Fn(Vec3) -> Option<Surface>,
) -> f32 {
    let left = Vec3::new(ahead.z, 0.0, -ahead.x);
    let normal = normal.unwrap_or(Vec3::Y);
    let foremost = flat.iter().copied().max_by(|a, b| a.y.total_cmp(&b.y)).unwrap_or_default();
    let heel = flat.iter().copied().min_by(|a, b| a.y.total_cmp(&b.y)).unwrap_or_default();
    // Toes keep clear of the next step, or they would be caught on it when the foot leaves.
    let clear = foremost + Vec2::new(0.0, CLEAR_OF_STEPS);
    let behind = heel - Vec2::new(0.0, 0.5 * CLEAR_OF_STEPS);
    // How many demands are not met, and how uneven the ground is below the sole, beyond its slope.
    let misfit = |shift: f32| {
        let height = |point: Vec2| {
            let from = (point.y + shift) * ahead + point.x * left;
            let slope = -(from.x * normal.x + from.z * normal.z) / normal.y;
            sample(at + from).map_or(carpet, |surface| surface.height) - slope
        };
        let under_heel = height(heel);
        let (mut low, mut high) = (under_heel, under_heel);
        let mut stretch = |point: Vec2| {
            let height = height(point);
            (low, high) = (low.min(height), high.max(height));
            high - low
        };
        let mut unmet = u8::from(stretch(behind) > EVEN);
        flat.iter().filter(|point| **point != foremost).for_each(|point| _ = stretch(*point));
        unmet += u8::from(stretch(heel) > EVEN);
        unmet += u8::from(stretch(foremost) > EVEN);
        unmet += u8::from(stretch(clear) > EVEN);
        (unmet, high - low)
    };
    let mut best = (misfit(0.0), 0.0);
    let mut away = SHIFT;
    while best.0.0 > 0 && away < 5.9 * SHIFT {
        for shift in [-away, away] {
            let (unmet, uneven) = misfit(shift);
            let (fewest, least) = best.0;
            if fewest > 0 && (unmet < fewest || unmet == fewest && uneven < least - 1e-3) {
                best = ((unmet, uneven), shift);
            }
        }
        away += SHIFT;
    }
    best.1
}
