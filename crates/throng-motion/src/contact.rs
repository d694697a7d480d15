//! When which foot is on the ground.

/// A half of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Side {
    Left,
    Right,
}

impl Side {
    /// Left, then right.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// `left` or `right`, as the side is.
    pub fn choose<T>(self, left: T, right: T) -> T {
        match self {
            Self::Left => left,
            Self::Right => right,
        }
    }

    /// The other side.
    pub fn other(self) -> Self {
        self.choose(Self::Right, Self::Left)
    }

    /// `+1` for left and `-1` for right: the sign of `x` in body space.
    pub fn sign(self) -> f32 {
        self.choose(1.0, -1.0)
    }
}

/// A foot of a body on four legs. Those who walk on two have the hind ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Paw {
    LeftHind,
    LeftFore,
    RightHind,
    RightFore,
}

impl Paw {
    /// All four, in the order in which they come down in a walk.
    pub const ALL: [Self; 4] = [Self::LeftHind, Self::LeftFore, Self::RightHind, Self::RightFore];

    /// The hind foot of a side.
    pub fn hind(side: Side) -> Self {
        side.choose(Self::LeftHind, Self::RightHind)
    }

    /// The fore foot of a side.
    pub fn fore(side: Side) -> Self {
        side.choose(Self::LeftFore, Self::RightFore)
    }

    /// Its side.
    pub fn side(self) -> Side {
        match self {
            Self::LeftHind | Self::LeftFore => Side::Left,
            Self::RightHind | Self::RightFore => Side::Right,
        }
    }

    /// Whether it is a fore foot.
    pub fn is_fore(self) -> bool {
        matches!(self, Self::LeftFore | Self::RightFore)
    }
}

/// A stretch of a cycle, from `start` for `length`, in phases: `start` is in `[0, 1)`, and a span
/// that reaches beyond 1 goes on at the cycle's beginning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The phase at which it begins.
    pub start: f32,
    /// How much of the cycle it covers, in `(0, 1]`.
    pub length: f32,
}

impl Span {
    /// A span from `start` to `end`, which may lie beyond the cycle's end.
    pub fn between(start: f32, end: f32) -> Self {
        Self { start: start.rem_euclid(1.0), length: (end - start).clamp(0.0, 1.0) }
    }

    /// How far into the span `phase` is, in `[0, 1)`, or nothing if it is outside.
    pub fn progress(&self, phase: f32) -> Option<f32> {
        let since = (phase - self.start).rem_euclid(1.0);
        (since < self.length).then(|| since / self.length)
    }

    /// The phase at which it ends, in `[0, 1)`.
    pub fn end(&self) -> f32 {
        (self.start + self.length).rem_euclid(1.0)
    }
}

/// Which feet carry the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Support {
    Left,
    Right,
    Both,
    Flight,
}

/// When each foot is on the ground during a clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contacts {
    /// Of the left foot, by their beginnings; of the left hind foot of an animal.
    pub left: Vec<Span>,
    /// Of the right foot, by their beginnings; of the right hind foot of an animal.
    pub right: Vec<Span>,
    /// Of the left and the right fore foot of an animal; none for those who walk on two feet.
    pub fore: [Vec<Span>; 2],
}

impl Contacts {
    /// Those of a body with a left and a right foot.
    pub fn two([left, right]: [Vec<Span>; 2]) -> Self {
        Self { left, right, ..Self::default() }
    }

    /// The contacts of a foot.
    pub fn of(&self, side: Side) -> &[Span] {
        side.choose(&self.left, &self.right)
    }

    /// The contacts of one of four feet.
    pub fn of_paw(&self, paw: Paw) -> &[Span] {
        if paw.is_fore() { &self.fore[paw.side() as usize] } else { self.of(paw.side()) }
    }

    /// Whether one of four feet is on the ground at `phase`.
    pub fn paw_touches(&self, paw: Paw, phase: f32) -> bool {
        self.of_paw(paw).iter().any(|span| span.progress(phase).is_some())
    }

    /// Every contact of every foot.
    pub fn spans(&self) -> impl Iterator<Item = &Span> {
        let [left, right] = &self.fore;
        self.left.iter().chain(&self.right).chain(left).chain(right)
    }

    /// Whether the foot of `side` is on the ground at `phase`.
    pub fn touches(&self, side: Side, phase: f32) -> bool {
        self.of(side).iter().any(|span| span.progress(phase).is_some())
    }

    /// Which feet carry the body at `phase`; of an animal, which hind feet.
    pub fn support(&self, phase: f32) -> Support {
        match (self.touches(Side::Left, phase), self.touches(Side::Right, phase)) {
            (true, true) => Support::Both,
            (true, false) => Support::Left,
            (false, true) => Support::Right,
            (false, false) => Support::Flight,
        }
    }

    /// The part of the cycle during which the foot of `side` is on the ground: the duty factor.
    pub fn duty(&self, side: Side) -> f32 {
        self.of(side).iter().map(|span| span.length).sum::<f32>().min(1.0)
    }

    /// The contacts of the mirrored clip, which begins half a cycle later so that phase 0 stays
    /// the strike of the left foot; `shift` is 0.5 for gaits and 0 for what is played once.
    pub fn mirrored(&self, shift: f32) -> Self {
        let moved = |spans: &[Span]| {
            let mut moved: Vec<Span> = spans
                .iter()
                .map(|span| Span { start: (span.start + shift).rem_euclid(1.0), ..*span })
                .collect();
            moved.sort_by(|a, b| a.start.total_cmp(&b.start));
            moved
        };
        let [left, right] = &self.fore;
        Self {
            left: moved(&self.right),
            right: moved(&self.left),
            fore: [moved(right), moved(left)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_goes_on_at_the_beginning_of_the_cycle() {
        let span = Span::between(0.5, 1.1);
        assert!(span.progress(0.05).is_some() && span.progress(0.9).is_some());
        assert!(span.progress(0.2).is_none() && span.progress(0.49).is_none());
        assert!((span.end() - 0.1).abs() < 1e-6);
        assert!((span.progress(0.8).unwrap() - 0.5).abs() < 1e-5);
    }

    #[test]
    fn support_follows_from_both_feet() {
        let contacts =
            Contacts::two([vec![Span::between(0.0, 0.6)], vec![Span::between(0.5, 1.1)]]);
        assert_eq!(contacts.support(0.05), Support::Both);
        assert_eq!(contacts.support(0.3), Support::Left);
        assert_eq!(contacts.support(0.8), Support::Right);
        assert!((contacts.duty(Side::Right) - 0.6).abs() < 1e-6);
        assert_eq!(contacts.mirrored(0.5).support(0.3), Support::Left);
    }

    #[test]
    fn fore_feet_change_sides_with_the_body() {
        let stance = |start: f32| vec![Span::between(start, start + 0.3)];
        let contacts =
            Contacts { left: stance(0.0), right: stance(0.5), fore: [stance(0.2), stance(0.75)] };
        assert_eq!(contacts.of_paw(Paw::RightFore)[0].start, 0.75);
        assert_eq!(contacts.spans().count(), 4);
        let mirrored = contacts.mirrored(0.5);
        assert!((mirrored.of_paw(Paw::LeftFore)[0].start - 0.25).abs() < 1e-6);
        assert!(mirrored.paw_touches(Paw::RightFore, 0.8));
        assert!(!mirrored.paw_touches(Paw::RightFore, 0.2));
    }
}
