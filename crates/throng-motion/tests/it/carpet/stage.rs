//! A body that walks, and what is measured of it.

use std::sync::{Arc, LazyLock};

use glam::{Vec2, Vec3};
use throng_base::ground::Ground;
use throng_motion::carpet::{self, CarpetOptions, Character, Cycle, Rig};
use throng_motion::gait::Steady;
use throng_motion::{Clip, Human, Proportions};

pub const STEP: f32 = 0.04;
pub const SPEED: f32 = 1.3;

pub static HUMAN: LazyLock<Human> =
    LazyLock::new(|| Human::new(Proportions::default()).expect("an average body"));
pub static WALK: LazyLock<Clip> =
    LazyLock::new(|| Steady::ahead(SPEED).clip(&HUMAN).expect("people walk"));
pub static RIG: LazyLock<Arc<Rig>> =
    LazyLock::new(|| Arc::new(Rig::human(HUMAN.skeleton(), Some(&WALK)).expect("legs")));
pub static CYCLE: LazyLock<Arc<Cycle>> = LazyLock::new(|| cycle_of(&RIG, &WALK));

pub fn cycle_of(rig: &Rig, clip: &Clip) -> Arc<Cycle> {
    let options = CarpetOptions::default();
    let weighting = options.weighting(rig.height());
    let cycle = Cycle::of_clip(rig, clip, options.spacing, options.columns / 2, &weighting);
    Arc::new(cycle.expect("a cycle"))
}

pub fn walker(options: CarpetOptions) -> Character {
    Character::on_line(RIG.clone(), CYCLE.clone(), Vec3::ZERO, 0.0, options).expect("a carpet")
}

/// What was seen of a body's feet while they stood, all in metres.
#[derive(Clone, Copy, Debug, Default)]
pub struct Feet {
    /// How far a point of a sole was below the ground.
    pub sunk: f32,
    /// How far the lowest point of a sole was above it.
    pub floated: f32,
    /// How far the point moved in a frame that moved least of those on the ground.
    pub slid: f32,
    /// The sum of these, and how many there were.
    pub slides: (f32, usize),
    /// How far any point moved at most in a frame that touched the ground before it and after it.
    pub scraped: f32,
    /// In how many frames a foot stood over the flat carpet, and in how many of them it did not bear on the ground.
    pub standing: (usize, usize),
    /// The largest of what legs did not reach.
    pub unreached: f32,
}

impl Feet {
    /// Mean speed of points that stood, m/s.
    pub fn skating(&self) -> f32 {
        self.slides.0 / self.slides.1.max(1) as f32 / STEP
    }
}

/// Points of soles over the flat carpet and on the ground, with their heights above it.
#[derive(Clone, Debug)]
pub struct Soles {
    pub flat: Vec<Vec<f32>>,
    pub world: Vec<Vec<Vec3>>,
    pub above: Vec<Vec<f32>>,
    pub contacts: Vec<f32>,
}

pub fn soles(character: &Character, ground: &dyn Ground) -> Soles {
    let rig = character.rig();
    let (mut flat, mut world, mut above) = (Vec::new(), Vec::new(), Vec::new());
    for (foot, goal) in rig.feet().iter().zip(character.feet()) {
        let of = |model: &throng_motion::ModelPose, down: Vec3| -> Vec<Vec3> {
            let points: Vec<Vec3> = foot
                .sole
                .iter()
                .map(|point| {
                    let centre =
                        model.position(point.joint) + model.rotation(point.joint) * point.offset;
                    centre - point.radius * down
                })
                .collect();
            // Soles rest on edges, too.
            let between =
                |pair: &[Vec3]| [0.0, 1.0, 2.0].map(|part| pair[0].lerp(pair[1], part / 3.0));
            points.windows(2).flat_map(between).chain(points.last().copied()).collect()
        };
        flat.push(of(character.flat(), Vec3::Y).iter().map(|point| point.y).collect());
        let points = of(character.model(), goal.normal);
        let height = |point: &Vec3| {
            let surface = ground.at(Vec2::new(point.x, point.z), point.y);
            surface.map_or(0.0, |surface| point.y - surface.height)
        };
        above.push(points.iter().map(height).collect());
        world.push(points);
    }
    let contacts = character.feet().iter().map(|goal| goal.contact).collect();
    Soles { flat, world, above, contacts }
}

/// Watches feet from frame to frame.
#[derive(Default)]
pub struct Watch {
    pub feet: Feet,
    before: Option<Soles>,
}

impl Watch {
    pub fn look(&mut self, character: &Character, ground: &dyn Ground) {
        let seen = soles(character, ground);
        self.feet.unreached = self.feet.unreached.max(character.report().unreached);
        for foot in 0..seen.flat.len() {
            let flat_stands = seen.flat[foot].iter().any(|height| *height < 0.002);
            self.feet.standing.0 += usize::from(flat_stands);
            if seen.contacts[foot] < 1.0 {
                self.feet.standing.1 += usize::from(flat_stands);
                continue;
            }
            let low = seen.above[foot].iter().copied().fold(f32::INFINITY, f32::min);
            self.feet.sunk = self.feet.sunk.max(-low);
            self.feet.floated = self.feet.floated.max(low);
            let Some(before) = &self.before else { continue };
            if before.contacts[foot] < 1.0 {
                continue;
            }
            // Of what is on the ground in one of the frames, what moved least: the sole rolls over it.
            let above = |point: usize| seen.above[foot][point].min(before.above[foot][point]);
            let count = seen.above[foot].len();
            let lowest = (0..count).map(above).fold(f32::INFINITY, f32::min).max(0.0);
            let slid = (0..count)
                .filter(|point| above(*point) < lowest + 0.005)
                .map(|point| {
                    let moved = seen.world[foot][point] - before.world[foot][point];
                    Vec2::new(moved.x, moved.z).length()
                })
                .fold(f32::INFINITY, f32::min);
            self.feet.slid = self.feet.slid.max(slid);
            let touches = |soles: &Soles, point: usize| soles.above[foot][point] < 0.002;
            for point in (0..count).filter(|p| touches(&seen, *p) && touches(before, *p)) {
                let moved = seen.world[foot][point] - before.world[foot][point];
                self.feet.scraped = self.feet.scraped.max(moved.with_y(0.0).length());
            }
            self.feet.slides.0 += slid;
            self.feet.slides.1 += 1;
        }
        self.before = Some(seen);
    }
}

/// Walks for so many frames; `each` is told of every one.
pub fn walk(
    character: &mut Character,
    ground: &dyn Ground,
    frames: usize,
    mut each: impl FnMut(usize, &mut Character),
) -> Feet {
    let mut watch = Watch::default();
    for frame in 0..frames {
        character.advance(SPEED * STEP);
        carpet::step(std::slice::from_mut(character), ground, STEP);
        assert!(character.model().positions.iter().all(|at| at.is_finite()), "frame {frame}");
        watch.look(character, ground);
        each(frame, character);
    }
    watch.feet
}

/// Stairs along z: risers of this height every `tread` metres, for twelve steps up and as many down.
pub fn stairs(riser: f32, tread: f32) -> impl Fn(Vec2) -> f32 {
    move |place: Vec2| {
        let up = ((place.y - 2.0) / tread).ceil().clamp(0.0, 12.0);
        let down = ((place.y - 2.0 - 14.0 * tread) / tread).ceil().clamp(0.0, 12.0);
        riser * (up - down)
    }
}
