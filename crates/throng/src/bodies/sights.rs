//! What there is to look at, and what is in the way.

use glam::{Vec2, Vec3};
use throng_base::frame::{ground_to_world, world_to_ground};
use throng_motion::gaze::{Interest, Subject, Target};
use throng_world::scene::{GroupId, LayerId};
use throng_world::{Layer, Scene, Walls};

/// Obstacles that are lower than this do not hide anything, m.
const HIDING: f32 = 1.6;
/// Nobody sees anything on a floor that is this far above or below, m.
const STOREY: f32 = 2.2;
/// How far away people are looked at, m, and how high above the ground their faces are.
const FACE_REACH: f32 = 6.0;
const FACE: f32 = 1.6;
/// People are sorted into squares of this size, m.
const CELL: f32 = 2.0;
/// Lines of sight are followed in pieces of this length, m.
const PIECE: f32 = 3.0;
/// Nobody takes notice of more people at once.
const MOST: usize = 32;
/// How near a viewer's line of sight has to pass somebody to be about them, m; and how far it goes.
const NEAR_LINE: f32 = 0.4;
const FARTHEST: f32 = 60.0;

/// Somebody who watches the crowd and may be noticed: a camera, or a person who is tracked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewer {
    /// Where their eyes are in the world, m.
    pub position: Vec3,
    /// Where they look.
    pub direction: Vec3,
    /// How they move, m/s.
    pub velocity: Vec3,
    /// How interesting they are, from 0 to 1.
    pub level: f32,
    /// From how far away they are noticed, m.
    pub reach: f32,
    /// How interesting is what they look at, from 0 to 1.
    pub gaze_level: f32,
}

impl Viewer {
    /// A viewer who is as interesting as can be, and so is what they look at.
    pub fn new(position: Vec3, direction: Vec3) -> Self {
        Self { position, direction, velocity: Vec3::ZERO, level: 1.0, reach: 10.0, gaze_level: 0.8 }
    }
}

/// Somebody who can be looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Passer {
    /// Who.
    pub id: u32,
    /// Their group, which says how interesting they are.
    pub group: GroupId,
    /// Where they stand in the world, m.
    pub place: Vec3,
    /// How they move, m/s.
    pub velocity: Vec3,
}

/// All there is to look at but people: what the scene has, and who watches.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sights {
    places: Vec<Interest>,
    /// How interesting people are, by group.
    levels: Vec<f32>,
    layers: Vec<Layer>,
    walls: Option<Walls>,
    viewers: Vec<Viewer>,
}

impl Sights {
    /// What a scene has.
    pub fn of(scene: &Scene) -> Self {
        let place = |(number, interest): (u64, &throng_world::scene::Interest)| {
            let floor = scene.layers.get(usize::from(interest.layer.0));
            let ground = floor.map_or(0.0, |floor| floor.height(interest.position));
            let (facing, view) = match interest.facing {
                Some((heading, cosine)) => {
                    (ground_to_world(heading.direction(), 0.0), cosine.clamp(-1.0, 1.0).acos())
                }
                None => (Vec3::ZERO, std::f32::consts::PI),
            };
            Interest {
                level: interest.level,
                reach: interest.reach,
                facing,
                view,
                ..Interest::new(
                    Subject::place(number),
                    ground_to_world(interest.position, ground + interest.height),
                )
            }
        };
        let tall = scene
            .obstacles
            .iter()
            .filter(|obstacle| obstacle.is_permanent() && obstacle.height >= HIDING);
        let walls = Walls::new(tall, &scene.connectors, scene.layers.len(), PIECE);
        Self {
            places: (0..).zip(&scene.interests).map(place).collect(),
            levels: scene.groups.iter().map(|group| group.interest).collect(),
            layers: scene.layers.clone(),
            walls: (!walls.is_empty()).then_some(walls),
            viewers: Vec::new(),
        }
    }

    /// Who watches from now on.
    pub fn set_viewers(&mut self, viewers: &[Viewer]) {
        self.viewers.clear();
        self.viewers.extend_from_slice(viewers);
    }

    /// Who watches.
    pub fn viewers(&self) -> &[Viewer] {
        &self.viewers
    }

    /// Whether anything at all can be looked at, were there people or not.
    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
            && self.viewers.is_empty()
            && self.levels.iter().all(|level| *level <= 0.0)
    }

    /// What is fixed in the scene.
    pub fn places(&self) -> &[Interest] {
        &self.places
    }

    /// How interesting people of a group are.
    fn level(&self, group: GroupId) -> f32 {
        let level = self.levels.get(usize::from(group.0)).copied();
        level.unwrap_or(throng_world::scene::DEFAULT_INTEREST as f32)
    }

    /// Whether nothing is between two places.
    pub(super) fn is_free(&self, from: Vec3, to: Vec3) -> bool {
        if (from.y - to.y).abs() > STOREY && self.layers.len() > 1 {
            return false;
        }
        let Some(walls) = &self.walls else { return true };
        let ((from, height), (to, _)) = (world_to_ground(from), world_to_ground(to));
        // What is on a wall is seen, and so is what is in a window in it.
        let to = to - (to - from).clamp_length_max(0.3);
        let layer = self.layer_at(from, height - FACE);
        // Walls are known to those who are near them: the line is followed piece by piece.
        let pieces = (from.distance(to) / PIECE).ceil().clamp(1.0, 100.0) as u32;
        let at = |piece: u32| from.lerp(to, piece as f32 / pieces as f32);
        (0..pieces).all(|piece| walls.crossing(layer, at(piece), at(piece + 1)).is_none())
    }

    /// The floor that somebody stands on.
    fn layer_at(&self, position: Vec2, height: f32) -> LayerId {
        let off = |layer: &Layer| (layer.height(position) - height).abs();
        let nearest = (0..).zip(&self.layers).min_by(|a, b| off(a.1).total_cmp(&off(b.1)));
        LayerId(nearest.map_or(0, |(index, _)| index))
    }

    /// What a viewer looks at: the first person near their line of sight, or the ground.
    fn looked_at(&self, viewer: &Viewer, crowd: &PassersBy) -> Option<Vec3> {
        let way = viewer.direction.try_normalize()?;
        let along = |passer: &Passer| {
            let to = passer.place + FACE * Vec3::Y - viewer.position;
            let along = to.dot(way);
            let off = (to - along * way).with_y(0.0).length();
            (along > 0.5 && along < FARTHEST && off < NEAR_LINE).then_some(along)
        };
        let person = crowd.passers.iter().filter_map(along).min_by(f32::total_cmp);
        let ground = self.layers.first().map_or(0.0, |layer| layer.elevation);
        let floor = (way.y < -1e-3).then(|| (ground - viewer.position.y) / way.y);
        let floor = floor.filter(|along| (0.5..FARTHEST).contains(along));
        let along = match (person, floor) {
            (Some(person), Some(floor)) => person.min(floor),
            (one, other) => one.or(other)?,
        };
        Some(viewer.position + along * way)
    }
}

/// Everybody who can be looked at, sorted by where they are.
#[derive(Clone, Debug, Default)]
pub(super) struct PassersBy {
    /// In ascending order of id.
    passers: Vec<Passer>,
    /// By square: the number of the square, and who is in it.
    cells: Vec<(i64, u32)>,
    /// What viewers look at.
    gazes: Vec<Option<Vec3>>,
}

fn cell(x: i32, y: i32) -> i64 {
    (i64::from(y) << 32) | i64::from(x as u32 ^ 0x8000_0000)
}

fn square(place: Vec3) -> (i32, i32) {
    ((place.x / CELL).floor() as i32, (place.z / CELL).floor() as i32)
}

impl PassersBy {
    /// Sorts everybody. `passers` are in ascending order of id.
    pub fn gather(&mut self, sights: &Sights, passers: &[Passer]) {
        self.passers.clear();
        self.passers.extend(passers.iter().filter(|passer| passer.place.is_finite()));
        self.cells.clear();
        self.cells.extend((0..).zip(&self.passers).map(|(index, passer)| {
            let (x, y) = square(passer.place);
            (cell(x, y), index)
        }));
        self.cells.sort_unstable();
        let gazes = sights.viewers.iter().map(|viewer| match viewer.gaze_level > 0.0 {
            true => sights.looked_at(viewer, self),
            false => None,
        });
        self.gazes = gazes.collect();
    }

    /// What somebody at `eyes` may take notice of.
    pub fn around<'a>(
        &'a self,
        sights: &'a Sights,
        eyes: Vec3,
    ) -> impl Iterator<Item = Interest> + 'a {
        let near = move |interest: &&Interest| {
            interest.position.distance_squared(eyes) <= interest.reach * interest.reach
        };
        let (x, y) = square(eyes);
        let reach = (FACE_REACH / CELL).ceil() as i32;
        let rows = (y.saturating_sub(reach)..=y.saturating_add(reach)).flat_map(move |row| {
            let (from, to) =
                (cell(x.saturating_sub(reach), row), cell(x.saturating_add(reach), row));
            let begin = self.cells.partition_point(|(cell, _)| *cell < from);
            self.cells[begin..].iter().take_while(move |(cell, _)| *cell <= to)
        });
        let people = rows.map(|(_, index)| &self.passers[*index as usize]).take(MOST);
        let people = people.map(|passer| self.interest(sights, passer));
        let viewers = (0..).zip(&sights.viewers).zip(&self.gazes);
        let viewers = viewers.flat_map(|((number, viewer), gaze)| {
            let seen = Interest {
                velocity: viewer.velocity,
                level: viewer.level,
                reach: viewer.reach,
                ..Interest::new(Subject::viewer(number), viewer.position)
            };
            let looked_at = gaze.map(|position| Interest {
                level: viewer.gaze_level,
                reach: viewer.reach,
                ..Interest::new(Subject::viewer_gaze(number), position)
            });
            [Some(seen), looked_at].into_iter().flatten()
        });
        sights.places.iter().filter(near).copied().chain(people).chain(viewers)
    }

    fn interest(&self, sights: &Sights, passer: &Passer) -> Interest {
        Interest {
            velocity: passer.velocity,
            level: sights.level(passer.group),
            reach: FACE_REACH,
            ..Interest::new(Subject::person(u64::from(passer.id)), passer.place + FACE * Vec3::Y)
        }
    }

    /// Where something is now that is looked at; nothing if it is gone.
    pub fn find(&self, sights: &Sights, subject: Subject) -> Option<Target> {
        use throng_motion::gaze::Kind;
        let number = usize::try_from(subject.number).ok()?;
        let position = match subject.kind {
            Kind::Place => sights.places.get(number)?.position,
            Kind::Viewer => sights.viewers.get(number)?.position,
            Kind::ViewerGaze => (*self.gazes.get(number)?)?,
            Kind::Person => {
                let id = u32::try_from(subject.number).ok()?;
                let found = self.passers.binary_search_by_key(&id, |passer| passer.id).ok()?;
                self.passers[found].place + FACE * Vec3::Y
            }
            Kind::Scripted => return None,
        };
        Some(Target { subject, position })
    }
}
