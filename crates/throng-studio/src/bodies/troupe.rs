//! Bodies that follow what is shown.
//!
//! A simulation may make ten steps per second, and a recording may have two frames: too few to walk by. So the time
//! between two states is divided, and everybody follows wishes that lie between those of both. Nothing goes
//! back: what is simulated does not depend on who looks.

use std::time::{Duration, Instant};

use axum::body::Bytes;
use serde_json::{Value as Json, json};
use throng::bodies::variety::Wardrobe as Dressed;
use throng::bodies::{Ensemble, Look, Member, Sights, Viewer, Wish};
use throng_motion::carpet::Report;
use throng_motion::gaze::{Kind, Phase};
use throng_world::Scene;

use super::poses::{Poses, nobody};
use super::skate::Skate;
use super::wardrobe::Wardrobe;
use crate::frame::Moment;

/// Poses per second that pages are sent, of simulated time, or of time on the wall if that passes more slowly.
const RATE: f64 = 30.0;
/// Moments between two states at most.
const MOST_MOMENTS: f64 = 32.0;
/// If more time has passed than this, s, everybody begins anew where they are: time has jumped.
const LONGEST: f64 = 2.0;
/// Times that differ by less, s, are the same, but for rounding.
const INSTANT: f64 = 1e-9;
/// If time passes faster than this, feet are not planted: nobody could see it, and bodies would cost too much.
const FASTEST_PLANTED: f64 = 4.0;

/// Everybody who has a body.
pub(crate) struct Troupe {
    ensemble: Ensemble,
    /// What there is to look at, and what the scene calls it.
    sights: Sights,
    names: Vec<String>,
    /// The time of the newest poses, and what everybody wished then.
    at: Option<f64>,
    wishes: Vec<Wish>,
    skate: Skate,
    /// How long it took to make the newest poses.
    pub effort: Duration,
}

impl Troupe {
    /// Nobody yet, in `scene`, whose seed decides who looks how.
    pub fn new(wardrobe: &Wardrobe, scene: &Scene) -> Self {
        let ensemble = Ensemble::new(wardrobe.cast.clone(), scene.settings.seed).in_scene(scene);
        Self {
            at: None,
            wishes: Vec::new(),
            skate: Skate::of(&ensemble),
            effort: Duration::ZERO,
            ensemble,
            sights: Sights::of(scene),
            names: names(scene),
        }
    }

    /// Goes on in a scene that was edited.
    pub fn adopt(&mut self, scene: &Scene) {
        self.ensemble.adopt(scene);
        self.skate = Skate::of(&self.ensemble);
        let viewers = self.sights.viewers().to_vec();
        self.sights = Sights::of(scene);
        self.sights.set_viewers(&viewers);
        self.names = names(scene);
    }

    /// Who is to be noticed from now on.
    pub fn set_viewers(&mut self, viewers: &[Viewer]) {
        self.sights.set_viewers(viewers);
    }

    /// Forgets everybody.
    pub fn clear(&mut self) {
        self.ensemble.clear();
        self.at = None;
        self.wishes.clear();
        self.skate.clear();
    }

    /// Who has a body, in ascending order.
    pub fn ids(&self) -> Vec<u32> {
        self.ensemble.members().iter().map(|member| member.id).collect()
    }

    pub fn len(&self) -> usize {
        self.ensemble.members().len()
    }

    /// Follows to a moment at which everybody wishes this, in ascending order of id, and tells all poses on the
    /// way. `speed` is how fast time passes; backwards nobody has a body.
    pub fn follow(&mut self, moment: &Moment, mut wishes: Vec<Wish>, speed: f64) -> Bytes {
        let begin = Instant::now();
        if speed < 0.0 {
            self.clear();
            return nobody(moment);
        }
        wishes.iter_mut().for_each(|wish| wish.planted = speed <= FASTEST_PLANTED);
        let mut passed = self.at.map_or(0.0, |at| moment.time - at);
        if passed.abs() < INSTANT {
            passed = 0.0;
        } else if !(0.0..=LONGEST).contains(&passed) {
            self.clear();
            passed = 0.0;
        }
        // A little less, so that three thirtieths are not four moments.
        let count = (passed * RATE / speed.max(1.0) - 1e-6).ceil().clamp(1.0, MOST_MOMENTS);
        let starts: Vec<Wish> = wishes.iter().map(|wish| self.start(wish, passed as f32)).collect();
        let mut on_the_way = Vec::with_capacity(wishes.len());
        let mut poses = None;
        for index in 1..=count as u32 {
            let part = f64::from(index) / count;
            on_the_way.clear();
            let pairs = starts.iter().zip(&wishes);
            on_the_way.extend(pairs.map(|(from, to)| between(from, to, part as f32)));
            let seconds = (passed / count) as f32;
            self.ensemble.follow(&on_the_way, seconds);
            // While time stands poses stay as they are, heads turned already.
            if seconds > 0.0 {
                let passers = self.ensemble.passers();
                self.ensemble.look_around(&self.sights, passers.into_iter(), seconds);
            }
            let time = moment.time - passed * (1.0 - part);
            let members = self.ensemble.members();
            if passed > 0.0 {
                self.skate.note(members, time, seconds);
            }
            poses.get_or_insert_with(|| Poses::new(moment.epoch, members)).push(time, members);
        }
        self.at = Some(moment.time);
        self.wishes = wishes;
        self.effort = begin.elapsed();
        poses.map_or_else(|| nobody(moment), Poses::finish)
    }

    /// Lets those who appear next look as they are dressed, whoever else has a body.
    pub fn dress(&mut self, wishes: &[Wish], dressed: &Dressed) {
        for wish in wishes {
            if self.ensemble.member(wish.id).is_none()
                && let Some(role) = dressed.descriptor(wish.id)
            {
                self.ensemble.wardrobe_mut().put(wish.id, *role);
            }
        }
    }

    /// What somebody wished when `passed` seconds had not passed yet. Who had no body then came from where they
    /// would have.
    fn start(&self, wish: &Wish, passed: f32) -> Wish {
        let before = self.wishes.binary_search_by_key(&wish.id, |wish| wish.id);
        before.map_or_else(
            |_| Wish { position: wish.position - passed * wish.velocity, ..*wish },
            |index| self.wishes[index],
        )
    }

    /// What somebody's body does; `null` if they have none.
    pub fn inspect(&self, person: u32) -> Json {
        let Some(member) = self.ensemble.member(person) else { return Json::Null };
        let look = &self.ensemble.cast().looks()[member.role.look];
        let (clip, phase, pace, twist) = playing(look, member);
        let slip = self
            .skate
            .last_of(person)
            .map(|stance| json!({ "foot": stance.called, "slip": stance.slid }));
        json!({
            "clip": clip,
            "species": look.species().name(),
            "phase": phase,
            "pace": pace,
            "stance": stance(look, member),
            "deviation": member.deviation(),
            "slip": slip,
            "twist": twist,
            "ground": member.on_carpet().map(underfoot),
            "planted": member.is_planted(),
            "position": member.position().to_array(),
            "height": look.height() * member.role.scale,
            "looks_at": self.looks_at(member),
        })
    }

    /// What somebody looks at; `null` if they look ahead.
    fn looks_at(&self, member: &Member) -> Json {
        let Some(gaze) = member.gaze() else { return Json::Null };
        let Some(subject) = gaze.subject() else { return Json::Null };
        let phase = match gaze.phase() {
            Phase::Idle => return Json::Null,
            Phase::Shift => "shift",
            Phase::Hold => "hold",
            Phase::Return => "return",
            Phase::Fade => "fade",
        };
        match subject.kind {
            Kind::Place => {
                let name = usize::try_from(subject.number).ok().and_then(|n| self.names.get(n));
                json!({ "kind": "place", "name": name, "phase": phase })
            }
            Kind::Person => json!({ "kind": "person", "id": subject.number, "phase": phase }),
            Kind::Viewer => json!({ "kind": "viewer", "phase": phase }),
            Kind::ViewerGaze => json!({ "kind": "viewer_gaze", "phase": phase }),
            Kind::Scripted => json!({ "kind": "scripted", "phase": phase }),
        }
    }

    /// How far feet have slipped of late.
    pub fn skating(&self) -> Json {
        self.skate.report()
    }
}

/// What the scene calls the things that can be looked at.
fn names(scene: &Scene) -> Vec<String> {
    scene.interests.iter().map(|interest| interest.name.clone()).collect()
}

/// What somebody plays, how far it has come, how fast, and how far the torso is twisted.
fn playing<'a>(look: &'a Look, member: &Member) -> (Option<&'a str>, f32, f32, f32) {
    if let Some(progress) = member.progress() {
        return (Some(progress.gait), progress.phase, 1.0, 0.0);
    }
    let part = |part| look.as_person()?.repertoire.parts().get(part);
    member.played().map_or((None, 0.0, 0.0, 0.0), |played| {
        let clip = part(played.part).map(|part| part.clip.name());
        (clip, played.phase, played.pace, played.twist)
    })
}

/// The feet that somebody stands on.
fn stance(look: &Look, member: &Member) -> Vec<&'static str> {
    let stands: Vec<bool> = match (member.played(), member.progress()) {
        (Some(played), _) => played.feet.iter().map(|foot| foot.contact.is_some()).collect(),
        (_, Some(progress)) => progress.feet.to_vec(),
        _ => Vec::new(),
    };
    let standing = stands.iter().enumerate().filter(|(_, stands)| **stands);
    standing.map(|(foot, _)| look.foot_name(foot)).collect()
}

/// What is odd about the ground that somebody is on.
fn underfoot(report: &Report) -> Json {
    json!({
        "hole": report.condition.hole,
        "steep": report.condition.steep,
        "unsupported": report.unsupported,
        "unreached": report.unreached,
        "lowered": report.lowered,
    })
}

/// What is wished on the way from one wish to the next.
fn between(from: &Wish, to: &Wish, part: f32) -> Wish {
    let heading = match (from.heading, to.heading) {
        (Some(a), Some(b)) => Some(a.turned_by(part * a.turn_to(b))),
        (_, heading) => heading,
    };
    Wish {
        position: from.position.lerp(to.position, part),
        height: from.height + part * (to.height - from.height),
        velocity: from.velocity.lerp(to.velocity, part),
        heading,
        ..*to
    }
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec2};
    use throng_world::Heading;

    use super::*;

    fn wardrobe() -> Wardrobe {
        Wardrobe::new(2).unwrap()
    }

    fn scene() -> Scene {
        let text = "format = 1\n[world]\nbounds = [[-9, -9], [99, 9]]\n";
        Scene::parse_plan("troupe.toml", text).unwrap()
    }

    fn at(time: f64) -> Moment {
        Moment { time, ..Moment::default() }
    }

    /// Somebody who walks east, and somebody who stands.
    fn wishes(time: f64) -> Vec<Wish> {
        let velocity = Vec2::new(1.3, 0.0);
        let walker = Wish { id: 3, velocity, position: velocity * time as f32, ..Wish::default() };
        let idler = Wish { id: 9, position: Vec2::new(0.0, 5.0), ..Wish::default() };
        let heading = Some(Heading::default());
        vec![Wish { heading, ..walker }, Wish { heading, ..idler }]
    }

    fn moments(bytes: &Bytes) -> u16 {
        u16::from_le_bytes([bytes[8], bytes[9]])
    }

    #[test]
    fn the_time_between_two_states_is_divided_so_that_people_can_walk() {
        let mut troupe = Troupe::new(&wardrobe(), &scene());
        assert_eq!(moments(&troupe.follow(&at(0.0), wishes(0.0), 1.0)), 1);
        assert_eq!(moments(&troupe.follow(&at(0.1), wishes(0.1), 1.0)), 3);
        assert_eq!(moments(&troupe.follow(&at(0.11), wishes(0.11), 1.0)), 1);
        assert_eq!(moments(&troupe.follow(&at(0.61), wishes(0.61), 1.0)), 15);
        // Time passes fast: as many poses per second on the wall.
        assert_eq!(moments(&troupe.follow(&at(1.11), wishes(1.11), 16.0)), 1);
        for step in 12..100 {
            let time = f64::from(step) * 0.1;
            troupe.follow(&at(time), wishes(time), 1.0);
        }
        let walker = troupe.ensemble.member(3).unwrap();
        assert!((walker.position().x - 1.3 * 9.9).abs() < 0.1, "{}", walker.position());
        let report = troupe.skating();
        assert!(report["stances"].as_u64().unwrap() > 10, "{report}");
        assert!(report["max"].as_f64().unwrap() < 0.01, "{report}");
        assert!(
            troupe.inspect(3)["clip"].as_str().unwrap().contains("walk"),
            "{}",
            troupe.inspect(3)
        );
        assert_eq!(troupe.inspect(9)["stance"], json!(["left", "right"]));
        assert_eq!(troupe.inspect(4), Json::Null);
    }

    #[test]
    fn who_is_told_again_while_time_stands_stays_in_the_same_pose() {
        let mut troupe = Troupe::new(&wardrobe(), &scene());
        for step in 0..20 {
            let time = f64::from(step) * 0.1;
            troupe.follow(&at(time), wishes(time), 1.0);
        }
        let before: Vec<_> = troupe.ensemble.members().iter().map(Member::world_pose).collect();
        for _ in 0..50 {
            troupe.follow(&at(1.9), wishes(1.9), 1.0);
        }
        for (member, before) in troupe.ensemble.members().iter().zip(&before) {
            let now = member.world_pose();
            assert!(now.root.distance(before.root) < 1e-4, "{} {}", now.root, before.root);
            let pairs = now.rotations.iter().zip(&before.rotations);
            let turned = pairs.map(|(a, b): (&Quat, &Quat)| 1.0 - a.dot(*b).abs());
            assert!(turned.fold(0.0, f32::max) < 1e-5);
        }
    }

    /// What the idler looks at in a scene with these interests in the course of eight seconds.
    fn looks(troupe: &mut Troupe) -> Vec<Json> {
        let step = |step: i32| {
            let time = f64::from(step) * 0.1;
            troupe.follow(&at(time), wishes(0.0)[1..].to_vec(), 1.0);
            troupe.inspect(9)["looks_at"].clone()
        };
        (0..80).map(step).filter(|told| !told.is_null()).collect()
    }

    #[test]
    fn people_look_at_what_the_scene_has_until_it_is_gone() {
        let text = "format = 1\n[world]\nbounds = [[-9, -9], [99, 9]]\n\
                    [[interests]]\nname = \"clock\"\nposition = [2.5, 6.5]\nlevel = 1\n";
        let with_clock = Scene::parse_plan("troupe.toml", text).unwrap();
        let mut troupe = Troupe::new(&wardrobe(), &with_clock);
        let told = looks(&mut troupe);
        let is_clock = |told: &Json| told["kind"] == "place" && told["name"] == "clock";
        assert!(told.iter().all(is_clock), "{told:?}");
        assert!(told.iter().any(|told| told["phase"] == "hold"), "{told:?}");
        troupe.clear();
        troupe.adopt(&scene());
        assert_eq!(looks(&mut troupe), Vec::<Json>::new());
        troupe.clear();
        troupe.adopt(&with_clock);
        assert!(!looks(&mut troupe).is_empty());
    }

    #[test]
    fn heads_that_are_turned_stay_so_while_time_stands() {
        let text = "format = 1\n[world]\nbounds = [[-9, -9], [99, 9]]\n\
                    [[interests]]\nname = \"clock\"\nposition = [1, 8]\nlevel = 1\n";
        let scene = Scene::parse_plan("troupe.toml", text).unwrap();
        let mut troupe = Troupe::new(&wardrobe(), &scene);
        let turns = (0..80).find(|step| {
            let time = f64::from(*step) * 0.1;
            troupe.follow(&at(time), wishes(0.0)[1..].to_vec(), 1.0);
            troupe.inspect(9)["looks_at"]["phase"] == "shift"
        });
        let time = f64::from(turns.unwrap()) * 0.1;
        let pose = |troupe: &Troupe| troupe.ensemble.member(9).unwrap().world_pose().rotations;
        let before = pose(&troupe);
        for _ in 0..5 {
            troupe.follow(&at(time), wishes(0.0)[1..].to_vec(), 1.0);
        }
        assert_eq!(pose(&troupe), before);
    }

    #[test]
    fn people_notice_who_watches_them_and_nobody_else() {
        let mut troupe = Troupe::new(&wardrobe(), &scene());
        let eye = throng_world::frame::ground_to_world(Vec2::new(2.5, 6.0), 1.6);
        let viewer = Viewer::new(eye, glam::Vec3::NEG_X);
        troupe.set_viewers(&[viewer]);
        // Edits do not make anybody go away.
        troupe.adopt(&scene());
        let told = looks(&mut troupe);
        assert!(told.iter().any(|told| told["kind"] == "viewer"), "{told:?}");
        // Those who look there when they leave look ahead again, though nothing else is there.
        let mut step = 80;
        let mut follow = |troupe: &mut Troupe| {
            let time = f64::from(step) * 0.1;
            step += 1;
            troupe.follow(&at(time), wishes(0.0)[1..].to_vec(), 1.0);
            troupe.inspect(9)["looks_at"].clone()
        };
        assert!((0..200).any(|_| follow(&mut troupe)["phase"] == "hold"));
        troupe.set_viewers(&[]);
        assert!((0..5).any(|_| follow(&mut troupe).is_null()));
        assert!((0..50).all(|_| follow(&mut troupe).is_null()));
    }

    #[test]
    fn jumps_begin_anew_and_backwards_nobody_has_a_body() {
        let mut troupe = Troupe::new(&wardrobe(), &scene());
        troupe.follow(&at(0.0), wishes(0.0), 1.0);
        troupe.follow(&at(0.5), wishes(0.5), 1.0);
        let told = troupe.follow(&at(60.0), wishes(60.0), 1.0);
        assert_eq!((moments(&told), troupe.len()), (1, 2));
        assert!((troupe.ensemble.member(3).unwrap().position().x - 78.0).abs() < 0.01);
        let told = troupe.follow(&at(59.9), wishes(59.9), 1.0);
        assert_eq!((moments(&told), troupe.len()), (1, 2));
        let told = troupe.follow(&at(59.8), wishes(59.8), -1.0);
        assert_eq!((told[4], troupe.len()), (0, 0));
        // Who is not wished for any more is gone.
        troupe.follow(&at(60.0), wishes(60.0), 1.0);
        troupe.follow(&at(60.1), wishes(60.1)[..1].to_vec(), 1.0);
        assert_eq!(troupe.ids(), [3]);
    }
}
