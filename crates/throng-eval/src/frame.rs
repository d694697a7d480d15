//! What measuring needs to know of a moment.

use glam::Vec2;
use throng::recording::Frame;
use throng_world::scene::LayerId;

/// Everyone at one moment: of a running engine, of a recording, or from anywhere else.
///
/// Entry `i` of every slice is about the same person.
#[derive(Clone, Copy, Debug)]
pub struct FrameView<'a> {
    /// When, s.
    pub time: f64,
    /// Who; strictly ascending.
    pub ids: &'a [u32],
    /// Positions on the ground, m.
    pub positions: &'a [Vec2],
    /// Floors.
    pub layers: &'a [LayerId],
}

impl<'a> From<&'a Frame> for FrameView<'a> {
    fn from(frame: &'a Frame) -> Self {
        let people = &frame.people;
        Self {
            time: frame.time,
            ids: &people.ids,
            positions: &people.positions,
            layers: &people.layers,
        }
    }
}

/// A moment that is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moment {
    pub time: f64,
    pub ids: Vec<u32>,
    pub positions: Vec<Vec2>,
    pub layers: Vec<LayerId>,
}

impl Moment {
    /// Becomes `frame`, in the memory it has.
    pub fn set(&mut self, frame: FrameView) {
        self.time = frame.time;
        self.ids.clear();
        self.ids.extend_from_slice(frame.ids);
        self.positions.clear();
        self.positions.extend_from_slice(frame.positions);
        self.layers.clear();
        self.layers.extend_from_slice(frame.layers);
    }

    pub fn view(&self) -> FrameView<'_> {
        FrameView {
            time: self.time,
            ids: &self.ids,
            positions: &self.positions,
            layers: &self.layers,
        }
    }
}

/// The indices, in two lists of ascending ids, of those who are in both.
pub(crate) fn in_both<'a>(
    ids: &'a [u32],
    others: &'a [u32],
) -> impl Iterator<Item = (usize, usize)> + 'a {
    let mut j = 0;
    ids.iter().enumerate().filter_map(move |(i, id)| {
        while others.get(j).is_some_and(|other| other < id) {
            j += 1;
        }
        (others.get(j) == Some(id)).then_some((i, j))
    })
}
