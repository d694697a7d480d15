//! Pieces of the medial axis: curves that keep the same distance from two walls.
//!
//! Between two walls or two corners such a curve is straight, between a wall and a corner a
//! parabola. All of it is in closed form, so clearance and length are exact.

use glam::DVec2;
use throng_base::geometry::share_along;

/// What a clearance is measured to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Site {
    /// A corner or a post.
    Point(DVec2),
    /// A wall between its corners, with the free side on its left.
    Wall(DVec2, DVec2),
}

impl Site {
    /// Its point nearest to `point`, for points in its part of the plane.
    pub(crate) fn nearest(&self, point: DVec2) -> DVec2 {
        match *self {
            Self::Point(corner) => corner,
            Self::Wall(a, b) => a.lerp(b, share_along(a, b, point)),
        }
    }

    /// The distance from `point`, m.
    pub(crate) fn distance(&self, point: DVec2) -> f64 {
        self.nearest(point).distance(point)
    }
}

/// Part of the medial axis with the same nearest walls on either side all along.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Where it begins.
    pub from: DVec2,
    /// Where it ends.
    pub to: DVec2,
    /// The nearest wall on its left.
    pub left: Site,
    /// The nearest wall on its right.
    pub right: Site,
}

/// A parabola with a corner as its focus and a wall as its directrix, in the frame of the wall: `x`
/// along it from the foot of the corner, `y` away from it.
#[derive(Clone, Copy, Debug)]
struct Parabola {
    /// The foot of the focus on the wall.
    foot: DVec2,
    along: DVec2,
    away: DVec2,
    /// How far the focus is from the wall.
    height: f64,
}

impl Parabola {
    fn new(focus: DVec2, [a, b]: [DVec2; 2]) -> Self {
        let along = (b - a) / (b - a).length();
        let away = along.perp();
        let height = (focus - a).dot(away);
        Self { foot: focus - away * height, along, away, height }
    }

    fn x(&self, point: DVec2) -> f64 {
        (point - self.foot).dot(self.along)
    }

    fn clearance(&self, x: f64) -> f64 {
        (x * x + self.height * self.height) / (2.0 * self.height)
    }

    fn point(&self, x: f64) -> DVec2 {
        self.foot + self.along * x + self.away * self.clearance(x)
    }

    /// The length of the curve from its vertex to `x`.
    fn length(&self, x: f64) -> f64 {
        let slope = x / self.height;
        0.5 * self.height * (slope * (1.0 + slope * slope).sqrt() + slope.asinh())
    }
}

/// The part of a parabola between two of its `x`.
#[derive(Clone, Copy, Debug)]
struct Curve {
    parabola: Parabola,
    begin: f64,
    end: f64,
}

impl Curve {
    fn x(&self, share: f64) -> f64 {
        self.begin + (self.end - self.begin) * share
    }

    fn at(&self, share: f64) -> DVec2 {
        self.parabola.point(self.x(share))
    }
}

impl Piece {
    /// The same the other way round.
    pub fn reversed(self) -> Self {
        Self { from: self.to, to: self.from, left: self.right, right: self.left }
    }

    fn parabola(&self) -> Option<Parabola> {
        match (self.left, self.right) {
            (Site::Point(focus), Site::Wall(a, b)) | (Site::Wall(a, b), Site::Point(focus)) => {
                let parabola = Parabola::new(focus, [a, b]);
                // A corner on the wall's own line makes no curve.
                (parabola.height > 1e-9).then_some(parabola)
            }
            _ => None,
        }
    }

    fn curve(&self) -> Option<Curve> {
        let parabola = self.parabola()?;
        let [begin, end] = [self.from, self.to].map(|end| parabola.x(end));
        Some(Curve { parabola, begin, end })
    }

    /// Whether it is part of a parabola.
    pub(crate) fn is_curved(&self) -> bool {
        self.parabola().is_some()
    }

    /// The point at `share` of the way, from 0 to 1. Equal shares are not equal lengths on a parabola.
    pub fn at(&self, share: f64) -> DVec2 {
        let is_inner = share > 0.0 && share < 1.0;
        match is_inner.then(|| self.curve()).flatten() {
            Some(curve) => curve.at(share),
            None => self.from.lerp(self.to, share.clamp(0.0, 1.0)),
        }
    }

    /// The share of the way at which `point`, which lies on the piece, is found.
    pub fn share(&self, point: DVec2) -> f64 {
        self.share_on(self.curve(), point)
    }

    fn share_on(&self, curve: Option<Curve>, point: DVec2) -> f64 {
        let share = match curve {
            Some(Curve { parabola, begin, end }) => (parabola.x(point) - begin) / (end - begin),
            None => {
                let way = self.to - self.from;
                (point - self.from).dot(way) / way.length_squared()
            }
        };
        if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
    }

    /// Length of the part up to `share` of the way, m.
    pub fn length_to(&self, share: f64) -> f64 {
        match self.curve() {
            Some(curve) => {
                let length = |x| curve.parabola.length(x);
                (length(curve.x(share)) - length(curve.begin)).abs()
            }
            None => self.from.distance(self.to) * share,
        }
    }

    /// Its length, m.
    pub fn length(&self) -> f64 {
        self.length_to(1.0)
    }

    /// The distance from `point` of the piece to the nearest walls, m.
    pub fn clearance(&self, point: DVec2) -> f64 {
        // Corners are exact; a wall's distance suffers when it is long and far from the origin.
        match (self.left, self.right) {
            (site @ Site::Point(_), _) | (_, site @ Site::Point(_)) => site.distance(point),
            (left, right) => 0.5 * (left.distance(point) + right.distance(point)),
        }
    }

    /// The share of the way where it is narrowest. Clearance rises from there to both ends.
    pub fn narrowest(&self) -> f64 {
        let share = match (self.left, self.right) {
            (Site::Point(a), Site::Point(b)) => {
                let way = self.to - self.from;
                ((a + b) * 0.5 - self.from).dot(way) / way.length_squared()
            }
            _ => match self.curve() {
                Some(Curve { begin, end, .. }) => -begin / (end - begin),
                None if self.clearance(self.from) <= self.clearance(self.to) => 0.0,
                None => 1.0,
            },
        };
        if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
    }

    /// The first share of the way from which on clearance is at least `wanted`, if it rises to the
    /// end and reaches it.
    pub(crate) fn widens_to(&self, wanted: f64) -> Option<f64> {
        let clearance = |share: f64| self.clearance(self.at(share));
        let (mut low, mut high) = (self.narrowest(), 1.0);
        if clearance(high) < wanted {
            return None;
        }
        if clearance(low) >= wanted {
            return Some(low);
        }
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            *(if clearance(middle) < wanted { &mut low } else { &mut high }) = middle;
        }
        Some(high)
    }

    /// The part between two shares of the way.
    pub(crate) fn part(&self, from: f64, to: f64) -> Self {
        Self { from: self.at(from), to: self.at(to), ..*self }
    }

    /// Both parts, cut at `share`.
    pub(crate) fn split(&self, share: f64) -> [Self; 2] {
        [self.part(0.0, share), self.part(share, 1.0)]
    }

    /// Where the ray from `corner`, which the piece goes about, along `way` meets it.
    pub(crate) fn meet(&self, corner: DVec2, way: DVec2) -> f64 {
        self.share(Across::new(self, corner).meet(corner, way))
    }

    /// How far the piece turns about the corner it keeps on its left or right, radians: the larger
    /// of both. The same to the bit for the piece reversed.
    pub(crate) fn turn(&self) -> f64 {
        let about = |site: Site| match site {
            Site::Point(corner) => (self.from - corner).angle_to(self.to - corner).abs(),
            Site::Wall(..) => 0.0,
        };
        let turn = about(self.left).max(about(self.right));
        if turn.is_finite() { turn } else { 0.0 }
    }
}

/// What is across a piece from the corner that it goes about.
#[derive(Clone, Copy, Debug)]
enum Across {
    /// A wall: the direction away from it, and how far away from it the corner is, m.
    Wall { away: DVec2, height: f64 },
    /// Another corner, with the piece straight between both: its way, and the determinant of the way from the corner to its
    /// beginning and that.
    Corner { along: DVec2, aside: f64 },
}

impl Across {
    fn new(piece: &Piece, corner: DVec2) -> Self {
        let other = if piece.left == Site::Point(corner) { piece.right } else { piece.left };
        match other {
            Site::Wall(a, b) => {
                let away = (b - a).normalize_or_zero().perp();
                Self::Wall { away, height: (corner - a).dot(away) }
            }
            Site::Point(_) => {
                let along = piece.to - piece.from;
                Self::Corner { along, aside: (piece.from - corner).perp_dot(along) }
            }
        }
    }

    /// Where the ray from the corner along `way` meets the piece or its continuation.
    fn meet(&self, corner: DVec2, way: DVec2) -> DVec2 {
        let way = way.normalize_or_zero();
        match *self {
            Self::Wall { away, height } => corner + way * (height / (1.0 - way.dot(away))),
            Self::Corner { along, aside } => corner + way * (aside / way.perp_dot(along)),
        }
    }
}

/// A piece that turns about a corner, with what all places have in common at which it may be cut.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    piece: Piece,
    curve: Option<Curve>,
    corner: DVec2,
    angle: f64,
    across: Across,
}

impl Turn {
    /// The turn of a piece about the corner on its left, or else on its right; `None` if it borders on no corner.
    pub fn of(piece: Piece) -> Option<Self> {
        let ((Site::Point(corner), _) | (_, Site::Point(corner))) = (piece.left, piece.right)
        else {
            return None;
        };
        let angle = (piece.from - corner).angle_to(piece.to - corner);
        let (curve, across) = (piece.curve(), Across::new(&piece, corner));
        angle.is_finite().then_some(Self { piece, curve, corner, angle, across })
    }

    /// The point at which so much of the turn is done, more than none and less than all.
    pub fn cut(&self, done: f64) -> DVec2 {
        let way = DVec2::from_angle(self.angle * done).rotate(self.piece.from - self.corner);
        let share = self.piece.share_on(self.curve, self.across.meet(self.corner, way));
        match self.curve {
            Some(curve) if share > 0.0 && share < 1.0 => curve.at(share),
            _ => self.piece.from.lerp(self.piece.to, share),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    /// A corner 2 m above a wall along x.
    fn curve() -> Piece {
        let wall = Site::Wall(DVec2::new(-20.0, 0.0), DVec2::new(20.0, 0.0));
        let y = |x: f64| (x * x + 4.0) / 4.0;
        Piece {
            from: DVec2::new(-3.0, y(-3.0)),
            to: DVec2::new(5.0, y(5.0)),
            left: Site::Point(DVec2::new(0.0, 2.0)),
            right: wall,
        }
    }

    #[test]
    fn a_parabola_is_as_far_from_the_corner_as_from_the_wall() {
        let piece = curve();
        for share in (0..=20).map(|i| f64::from(i) / 20.0) {
            let point = piece.at(share);
            assert!(close(point.y, (point.x * point.x + 4.0) / 4.0));
            assert!(close(piece.left.distance(point), piece.right.distance(point)));
            assert!(close(piece.clearance(point), point.y));
            assert!(close(piece.share(point), share));
        }
        assert!(close(piece.narrowest(), 3.0 / 8.0));
        let widens = piece.at(piece.widens_to(2.0).unwrap());
        assert!(close(widens.x, 2.0) && close(widens.y, 2.0), "{widens}");
        assert_eq!(piece.widens_to(10.0), None);
    }

    #[test]
    fn a_turn_is_done_in_equal_parts() {
        // Corners of solids are turned about by less than half a circle.
        let piece = curve().part(0.0, 0.5);
        let Site::Point(corner) = piece.left else { panic!("{piece:?}") };
        let turn = Turn::of(piece).unwrap();
        let angle = |point: DVec2| (piece.from - corner).angle_to(point - corner);
        for done in [0.1, 0.25, 0.5, 0.8] {
            let point = turn.cut(done);
            assert!(close(angle(point), done * angle(piece.to)), "{done}: {point}");
            assert!(close(piece.left.distance(point), piece.right.distance(point)));
        }
        assert!(turn.cut(0.5).distance(piece.at(0.5)) > 0.01);
        assert_eq!(piece.turn().to_bits(), piece.reversed().turn().to_bits());
    }

    #[test]
    fn the_length_of_a_curve_is_that_of_many_chords() {
        let piece = curve();
        let chords: f64 = (0..10_000)
            .map(|i| {
                piece.at(f64::from(i) / 10_000.0).distance(piece.at(f64::from(i + 1) / 10_000.0))
            })
            .sum();
        assert!((piece.length() - chords).abs() < 1e-5, "{} {chords}", piece.length());
        let [a, b] = piece.split(0.3);
        assert!(close(a.length() + b.length(), piece.length()));
        assert!(close(a.length(), piece.length_to(0.3)));
        assert!(close(piece.reversed().length_to(0.7), b.length()));
    }

    #[test]
    fn between_two_corners_it_is_narrowest_half_way() {
        let piece = Piece {
            from: DVec2::new(0.0, -3.0),
            to: DVec2::new(0.0, 1.0),
            left: Site::Point(DVec2::new(-2.0, 0.0)),
            right: Site::Point(DVec2::new(2.0, 0.0)),
        };
        assert!(close(piece.narrowest(), 0.75));
        assert!(close(piece.clearance(piece.at(0.25)), 8f64.sqrt()));
        assert!((piece.turn() - (1.5f64.atan() + 0.5f64.atan())).abs() < 1e-9);
    }
}
