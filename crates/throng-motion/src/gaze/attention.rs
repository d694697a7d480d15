//! What somebody looks at, for how long, and what they have had enough of.

use std::f32::consts::{FRAC_PI_2, PI};

use glam::{Vec3, Vec3A};
use throng_base::random::{Purpose, Random, Stream};

use super::interest::{Interest, Kind, Subject, Target};
use super::turn::angle_between;

/// What catches somebody's eye: their own in everybody.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Traits {
    /// What being near counts (`w_p`).
    pub near: f32,
    /// What moving differently counts (`w_s`).
    pub moving: f32,
    /// What coming towards one in the middle of the view counts (`w_o`).
    pub oncoming: f32,
    /// What entering at the side, headed the same way, counts (`w_e`).
    pub entering: f32,
    /// What scores less is not looked at.
    pub threshold: f32,
    /// How long something is looked at at most (`T_hold`), s.
    pub hold: f32,
    /// How long it is ignored then (`T_ref`), s.
    pub refractory: f32,
    /// How likely they look where the viewer looks (`p_follow`).
    pub follow: f32,
    /// What is farther away is not noticed (`d_max`), m.
    pub reach: f32,
    /// The whole field of view, radians.
    pub view: f32,
    /// Only who is headed within this of one's own way enters at the side (`b_m`), radians.
    pub same_way: f32,
}

impl Default for Traits {
    /// Somebody average.
    fn default() -> Self {
        Self {
            near: 0.6,
            moving: 0.6,
            oncoming: 0.6,
            entering: 0.6,
            threshold: 0.5,
            hold: 3.5,
            refractory: 6.0,
            follow: 0.4,
            reach: 10.0,
            view: 200f32.to_radians(),
            same_way: FRAC_PI_2,
        }
    }
}

impl Traits {
    /// Somebody out of the many.
    pub fn drawn(draw: &mut Stream) -> Self {
        Self {
            near: draw.between(0.2, 1.0),
            moving: draw.between(0.2, 1.0),
            oncoming: draw.between(0.2, 1.0),
            entering: draw.between(0.2, 1.0),
            threshold: draw.between(0.3, 0.7),
            hold: draw.between(2.0, 5.0),
            refractory: draw.between(4.0, 8.0),
            ..Self::default()
        }
    }
}

/// Whoever looks, in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Onlooker {
    /// What others know them as; nobody looks at themselves.
    pub subject: Option<Subject>,
    /// Where their eyes are, m.
    pub eyes: Vec3,
    /// Where their body faces.
    pub forward: Vec3,
    /// How they move, m/s.
    pub velocity: Vec3,
}

/// What one body attends to. Its choices depend on what it was shown and on its own random numbers alone.
///
/// ```
/// use glam::Vec3;
/// use throng_motion::gaze::{Attention, Interest, Onlooker, Subject};
/// use throng_base::random::Random;
///
/// let mut attention = Attention::of(Random::new(1), 7);
/// let me = Onlooker {
///     subject: Some(Subject::person(7)),
///     eyes: Vec3::new(0.0, 1.6, 0.0),
///     forward: Vec3::Z,
///     velocity: Vec3::Z,
/// };
/// let window = Interest {
///     facing: -Vec3::Z,
///     ..Interest::new(Subject::place(1), Vec3::new(0.5, 1.5, 2.0))
/// };
/// let walls = |_: &Interest| true; // nothing is in the way
/// let target = attention.choose(&me, [window], walls, 1.0 / 25.0);
/// assert_eq!(target.map(|target| target.subject), Some(Subject::place(1)));
/// ```
#[derive(Clone, Debug)]
pub struct Attention {
    /// What catches their eye.
    pub traits: Traits,
    random: Random,
    who: u64,
    /// How many things the viewer looked at were decided on.
    decisions: u64,
    held: Option<Subject>,
    /// For how long, s.
    dwell: f32,
    ignored: [Ignored; IGNORED],
    following: Option<Following>,
}

/// What is ignored, and for how much longer, s.
#[derive(Clone, Copy, Debug, Default)]
struct Ignored {
    subject: Option<Subject>,
    left: f32,
}

/// How many things one ignores at once; more, and the one whose time is nearest is forgotten.
const IGNORED: usize = 8;
/// How long something is looked at at least, s.
const LEAST_HOLD: f32 = 0.8;
/// By how much something must be more interesting than what is looked at.
const MORE: f32 = 1.2;
/// How far beyond the bounds of what would be noticed something is that one goes on looking at: in distance, and radians.
const FARTHER: f32 = 1.1;
const ASIDE: f32 = 0.09;
/// What is nearer is no thing to look at, m.
const NEAREST: f32 = 0.1;
/// Differences of velocities count up to here, m/s.
const FAST: f32 = 2.0;

/// What the viewer looks at, and whether one will look there, too.
#[derive(Clone, Copy, Debug)]
struct Following {
    subject: Subject,
    place: Vec3,
    follows: bool,
    /// How long before one does, s.
    wait: f32,
}

/// Something one could look at; what is greater is more attractive.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    target: Target,
    rank: Rank,
    score: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Usual,
    Followed,
    Scripted,
}

impl Candidate {
    fn beats(&self, other: &Self) -> bool {
        // Ties go to the smaller name, in whatever order things come.
        let names = other.target.subject.cmp(&self.target.subject);
        self.rank.cmp(&other.rank).then(self.score.total_cmp(&other.score)).then(names).is_gt()
    }
}

/// What was found in one look around.
#[derive(Default)]
struct Survey {
    held: Option<Candidate>,
    best: Option<Candidate>,
    sees_viewer: bool,
    /// What the viewer looks at, with its score.
    pointed: Option<(Interest, f32)>,
}

impl Attention {
    /// That of person `who` in a world with these random numbers.
    pub fn of(random: Random, who: u64) -> Self {
        Self::new(Traits::drawn(&mut random.stream(who, 0, Purpose::Attention)), random, who)
    }

    /// That of somebody with these traits.
    pub fn new(traits: Traits, random: Random, who: u64) -> Self {
        Self {
            traits,
            random,
            who,
            decisions: 0,
            held: None,
            dwell: 0.0,
            ignored: Default::default(),
            following: None,
        }
    }

    /// What is attended to.
    pub fn held(&self) -> Option<Subject> {
        self.held
    }

    /// Whether something is being ignored after it was looked at for long.
    pub fn ignores(&self, subject: Subject) -> bool {
        self.ignored.iter().any(|ignored| ignored.subject == Some(subject))
    }

    /// Ignores something for a while, as if it had been looked at for long: for what cannot be reached.
    pub fn dismiss(&mut self, subject: Subject) {
        let ignored = Ignored { subject: Some(subject), left: self.traits.refractory };
        let place = self.ignored.iter().position(|slot| slot.subject == Some(subject));
        let soonest = (0..IGNORED)
            .min_by(|a, b| self.ignored[*a].left.total_cmp(&self.ignored[*b].left).then(a.cmp(b)));
        if let Some(place) = place.or(soonest) {
            self.ignored[place] = ignored;
        }
        if self.held == Some(subject) {
            self.held = None;
        }
    }

    /// What to look at for the next `seconds`, of all that is there.
    ///
    /// Whether nothing is in the way is for `sees` to say. It is asked only about what would be chosen, so it may be
    /// slow. Things that are nowhere, and levels that are none, are not noticed.
    pub fn choose(
        &mut self,
        me: &Onlooker,
        interests: impl IntoIterator<Item = Interest>,
        mut sees: impl FnMut(&Interest) -> bool,
        seconds: f32,
    ) -> Option<Target> {
        let seconds = if seconds.is_finite() { seconds.max(0.0) } else { 0.0 };
        self.pass(seconds);
        let mut survey = Survey::default();
        for interest in interests {
            self.consider(me, &interest, &mut sees, &mut survey);
        }
        if let Some(followed) = self.followed(&survey, &mut sees, seconds) {
            self.enter(followed, &mut survey);
        }
        self.decide(&survey)
    }

    fn pass(&mut self, seconds: f32) {
        self.dwell += seconds;
        for ignored in &mut self.ignored {
            ignored.left -= seconds;
            // Also what is ignored for a time that is none.
            if ignored.left.is_nan() || ignored.left <= 0.0 {
                *ignored = Ignored::default();
            }
        }
    }

    fn consider(
        &self,
        me: &Onlooker,
        interest: &Interest,
        sees: &mut impl FnMut(&Interest) -> bool,
        survey: &mut Survey,
    ) {
        let subject = interest.subject;
        if me.subject == Some(subject) {
            return;
        }
        let Some(score) = self.score(me, interest) else { return };
        match subject.kind {
            Kind::ViewerGaze => {
                let first = survey.pointed.is_none_or(|(other, _)| subject < other.subject);
                if first {
                    survey.pointed = Some((*interest, score));
                }
                return;
            }
            // A viewer whom one has had enough of still shows where to look.
            Kind::Viewer if !survey.sees_viewer => survey.sees_viewer = sees(interest),
            _ => {}
        }
        let rank = if subject.kind == Kind::Scripted { Rank::Scripted } else { Rank::Usual };
        let candidate = Candidate { target: interest.target(), rank, score };
        let is_held = self.held == Some(subject);
        let notable = is_held || rank > Rank::Usual || score > self.traits.threshold;
        let beats = || is_held || survey.best.is_none_or(|best| candidate.beats(&best));
        let ignored = || rank == Rank::Usual && self.ignores(subject);
        if notable && beats() && !ignored() && sees(interest) {
            self.enter(candidate, survey);
        }
    }

    fn enter(&self, candidate: Candidate, survey: &mut Survey) {
        if self.held == Some(candidate.target.subject) {
            survey.held = Some(candidate);
        } else if survey.best.is_none_or(|best| candidate.beats(&best)) {
            survey.best = Some(candidate);
        }
    }

    /// How interesting something is (`S`); nothing if it is out of view.
    fn score(&self, me: &Onlooker, interest: &Interest) -> Option<f32> {
        let traits = &self.traits;
        let (farther, aside) =
            if self.held == Some(interest.subject) { (FARTHER, ASIDE) } else { (1.0, 0.0) };
        let way = interest.position - me.eyes;
        let distance = way.length();
        // A director's wishes are noticed from as far as the director says.
        let reach =
            if interest.subject.kind == Kind::Scripted { interest.reach } else { traits.reach };
        let is_near = distance > NEAREST && distance <= reach * farther;
        let forward = Vec3A::from(me.forward);
        let off = angle_between(forward, way.into());
        let is_in_view = off <= 0.5 * traits.view + aside && forward.length_squared() > 1e-12;
        let level = interest.level.clamp(0.0, 1.0);
        let is_there = is_near && is_in_view && level > 0.0;
        if !is_there || !interest.can_be_seen_from(me.eyes) {
            return None;
        }
        let between =
            interest.heading().map_or(FRAC_PI_2, |heading| angle_between(forward, heading.into()));
        let difference = (interest.velocity - me.velocity).length();
        let whole = PI * PI;
        let entering = if between <= traits.same_way { off * (PI - between) / whole } else { 0.0 };
        let score = level
            * (traits.near * (1.0 - distance / traits.reach).max(0.0)
                + traits.moving * (difference / FAST).min(1.0)
                + traits.oncoming * (PI - off) * between / whole
                + traits.entering * entering);
        score.is_finite().then_some(score)
    }

    /// What the viewer looks at, if one looks there, too.
    fn followed(
        &mut self,
        survey: &Survey,
        sees: &mut impl FnMut(&Interest) -> bool,
        seconds: f32,
    ) -> Option<Candidate> {
        /// What moves further from one look around to the next is something else, m.
        const ELSEWHERE: f32 = 1.0;
        let (interest, score) = survey.pointed?;
        let (subject, place) = (interest.subject, interest.position);
        let known = self.following.filter(|following| {
            following.subject == subject && following.place.distance(place) < ELSEWHERE
        });
        let mut following = known.unwrap_or_else(|| self.consider_following(&interest));
        following.place = place;
        if survey.sees_viewer {
            following.wait -= seconds;
        }
        self.following = Some(following);
        // Who looks there already may lose the viewer from sight.
        let knows = survey.sees_viewer || self.held == Some(subject);
        let looks = knows && following.follows && following.wait <= 0.0;
        (looks && !self.ignores(subject) && sees(&interest)).then(|| Candidate {
            target: interest.target(),
            rank: Rank::Followed,
            score,
        })
    }

    fn consider_following(&mut self, interest: &Interest) -> Following {
        self.decisions += 1;
        let mut draw = self.random.stream(self.who, self.decisions, Purpose::Attention);
        Following {
            subject: interest.subject,
            place: interest.position,
            follows: draw.unit() < self.traits.follow,
            wait: draw.between(0.2, 0.6),
        }
    }

    fn decide(&mut self, survey: &Survey) -> Option<Target> {
        let Some(held) = survey.held else { return self.take(survey.best) };
        if held.rank < Rank::Scripted && self.dwell >= self.traits.hold {
            self.dismiss(held.target.subject);
            return self.take(survey.best);
        }
        let better = survey.best.filter(|best| {
            let far_better = self.dwell >= LEAST_HOLD && best.score > MORE * held.score;
            best.rank > held.rank || best.rank == held.rank && far_better
        });
        if better.is_some() { self.take(better) } else { Some(held.target) }
    }

    fn take(&mut self, candidate: Option<Candidate>) -> Option<Target> {
        let target = candidate.map(|candidate| candidate.target);
        self.held = target.map(|target| target.subject);
        self.dwell = 0.0;
        target
    }
}
