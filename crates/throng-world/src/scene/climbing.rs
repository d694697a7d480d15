//! How fast people walk on stairs and ramps, if that is said of them.

use throng_base::Distribution;
use throng_base::random::{Purpose, Random};

/// Speeds on stairs and on ramps, m/s as seen from above; `None` where they follow from the speed on the level.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Climbing<T> {
    /// Up and down stairs.
    pub stairs: [Option<T>; 2],
    /// Up and down ramps.
    pub ramps: [Option<T>; 2],
}

impl<T: Copy> Climbing<T> {
    /// These where they are given, and those of `others` where not.
    pub fn or(self, others: Self) -> Self {
        let or =
            |own: [Option<T>; 2], other: [Option<T>; 2]| [own[0].or(other[0]), own[1].or(other[1])];
        Self { stairs: or(self.stairs, others.stairs), ramps: or(self.ramps, others.ramps) }
    }

    /// The same with another kind of values.
    pub fn map<U>(self, mut change: impl FnMut(T) -> U) -> Climbing<U> {
        let mut each = |pair: [Option<T>; 2]| pair.map(|value| value.map(&mut change));
        Climbing { stairs: each(self.stairs), ramps: each(self.ramps) }
    }
}

impl Climbing<Distribution> {
    /// The speeds of person number `id`. All are drawn from the stream of the speed on the level: who is fast there is fast
    /// on stairs as well.
    pub fn draw(self, random: Random, id: u32) -> Climbing<f32> {
        self.map(|distribution| random.stream(id.into(), 0, Purpose::Speed).draw(distribution))
    }
}
