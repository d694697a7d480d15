//! What is kept of a run for its picture: everybody's way over the ground, and how a few numbers went.
//!
//! A recording has everything, and is large. A picture in a report needs little of it: of every way
//! the points that make a difference at the size of a thumbnail, in whole centimetres, and of every
//! number some hundred samples. If ways would still be too many, an even choice of people is kept.

use std::collections::BTreeSet;

use glam::Vec2;
use serde::{Deserialize, Serialize};
use throng::recording::Status;
use throng_base::Bounds;
use throng_base::geometry::simplified;
use throng_world::scene::LayerId;

use crate::frame::in_both;
use crate::score::{AgentMetrics, Collector, WalkView};

/// A way is off its picture by at most this part of the scene's extent.
const TOLERANCE: f32 = 1.0 / 700.0;
/// The most points of a picture.
const MOST_POINTS: usize = 6000;
/// The most ways of a picture: more are a carpet.
const MOST_WAYS: usize = 400;
/// The most samples of a series.
const MOST_SAMPLES: usize = 120;

/// Everybody's ways.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PictureTracks {
    /// How many people there were.
    pub people: u32,
    /// The ways that are kept: those of everybody, or of an even choice.
    pub ways: Vec<Way>,
}

/// A part of somebody's way, on one floor and without interruption.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Way {
    /// Who.
    pub person: u32,
    /// The floor.
    pub layer: u8,
    /// Where it leads, cm.
    pub points: Vec<[i32; 2]>,
}

/// A few numbers over time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// When each sample was taken, s.
    pub times: Vec<f64>,
    /// How many people are on their way.
    pub people: Vec<u32>,
    /// How fast they are on average, m/s.
    pub speed: Vec<f64>,
    /// Collisions so far, of all people.
    pub collisions: Vec<u32>,
    /// How fast they turn on average, degrees per second.
    pub turning: Vec<f64>,
}

/// Follows a run and keeps what its picture needs.
#[derive(Debug)]
pub(crate) struct Follower {
    spacing: f32,
    ways: Vec<Trace>,
    /// Everybody who ever was there.
    known: BTreeSet<u32>,
    /// Who was there in the last frame, and the last part of their way.
    present: Vec<u32>,
    current: Vec<Option<usize>>,
    spare: Vec<Option<usize>>,
    frame: u64,
    series: Series,
    /// Every so many frames are sampled.
    stride: u64,
    /// For how long everybody had walked, how far and how much they had turned when the last sample was
    /// taken, in the order in which they appeared.
    last: Vec<[f64; 3]>,
}

#[derive(Debug)]
struct Trace {
    person: u32,
    layer: LayerId,
    points: Vec<Vec2>,
    end: Vec2,
}

impl Follower {
    pub fn new(bounds: Bounds) -> Self {
        Self {
            spacing: (bounds.size().max_element() * 0.5 * TOLERANCE).max(0.005),
            ways: Vec::new(),
            known: BTreeSet::new(),
            present: Vec::new(),
            current: Vec::new(),
            spare: Vec::new(),
            frame: 0,
            series: Series::default(),
            stride: 1,
            last: Vec::new(),
        }
    }

    /// Goes on to the next moment, which `collector` has just taken.
    pub fn take(&mut self, view: &WalkView, collector: &Collector) {
        self.go_to(view.ids, view.layers, view.positions);
        if self.frame.is_multiple_of(self.stride) {
            self.sample(view, collector.running_metrics());
        }
        self.frame += 1;
    }

    pub fn finish(self) -> (PictureTracks, Series) {
        let tolerance = self.spacing * 2.0;
        let mut ways = self.ways;
        // Everybody has come before somebody is left out: an even choice by order of appearance.
        let every = ways.len().div_ceil(MOST_WAYS).max(1);
        let mut kept: Vec<Way> =
            ways.drain(..).step_by(every).map(|way| way.simplified(tolerance)).collect();
        let points = |ways: &[Way]| ways.iter().map(|way| way.points.len()).sum::<usize>();
        while kept.len() > 1 && points(&kept) > MOST_POINTS {
            kept = kept.into_iter().step_by(2).collect();
        }
        (PictureTracks { people: self.known.len() as u32, ways: kept }, self.series)
    }

    /// Takes everybody, in ascending order of their ids, to where they are in the next frame.
    fn go_to(&mut self, ids: &[u32], layers: &[LayerId], positions: &[Vec2]) {
        let mut current = std::mem::take(&mut self.spare);
        current.clear();
        current.resize(ids.len(), None);
        for (i, j) in in_both(ids, &self.present) {
            current[i] = self.current[j];
        }
        for (i, way) in current.iter_mut().enumerate() {
            let (layer, at) = (layers[i], positions[i]);
            match way.map(|way| &mut self.ways[way]).filter(|way| way.layer == layer) {
                Some(way) => {
                    way.end = at;
                    if way.points.last().is_none_or(|last| last.distance(at) >= self.spacing) {
                        way.points.push(at);
                    }
                }
                None => {
                    self.known.insert(ids[i]);
                    *way = Some(self.ways.len());
                    self.ways.push(Trace { person: ids[i], layer, points: vec![at], end: at });
                }
            }
        }
        self.present.clear();
        self.present.extend_from_slice(ids);
        self.spare = std::mem::replace(&mut self.current, current);
    }

    /// Takes a sample; `metrics` are in the order in which people appeared.
    fn sample(&mut self, view: &WalkView, metrics: &[AgentMetrics]) {
        let on_their_way = view.statuses.iter().filter(|status| **status != Status::Arrived);
        let people = on_their_way.count() as u32;
        let (mut speeds, mut turns, mut timed) = (0.0, 0.0, 0u32);
        self.last.resize(metrics.len(), [0.0; 3]);
        for (agent, last) in metrics.iter().zip(&mut self.last) {
            let now = [agent.time, agent.distance, agent.turned];
            let before = std::mem::replace(last, now);
            if now[0] > before[0] {
                speeds += (now[1] - before[1]) / (now[0] - before[0]);
                turns += (now[2] - before[2]) / (now[0] - before[0]);
                timed += 1;
            }
        }
        let mean = |sum: f64| sum / f64::from(timed.max(1));
        let series = &mut self.series;
        series.times.push(view.time);
        series.people.push(people);
        series.speed.push(mean(speeds));
        series.turning.push(mean(turns));
        series.collisions.push(metrics.iter().map(|agent| agent.collisions).sum());
        if series.times.len() > MOST_SAMPLES {
            self.stride *= 2;
            series.halve();
        }
    }
}

impl Trace {
    fn simplified(mut self, tolerance: f32) -> Way {
        if self.points.last() != Some(&self.end) {
            self.points.push(self.end);
        }
        let points = simplified(&self.points, tolerance);
        Way {
            person: self.person,
            layer: self.layer.0,
            points: points.into_iter().map(centimetres).collect(),
        }
    }
}

/// A point in whole centimetres.
pub(crate) fn centimetres(point: Vec2) -> [i32; 2] {
    (point * 100.0).round().to_array().map(|x| x as i32)
}

impl Series {
    /// Leaves every other sample.
    fn halve(&mut self) {
        fn halved<T: Copy>(values: &mut Vec<T>) {
            *values = values.iter().copied().step_by(2).collect();
        }
        halved(&mut self.times);
        halved(&mut self.people);
        halved(&mut self.speed);
        halved(&mut self.turning);
        halved(&mut self.collisions);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follower(extent: f32) -> Follower {
        Follower::new(Bounds { min: Vec2::ZERO, max: Vec2::splat(extent) })
    }

    #[test]
    fn a_straight_way_is_two_points_and_a_corner_is_kept() {
        let mut follower = follower(20.0);
        for i in 0..200 {
            let i = i as f32 * 0.1;
            let at = Vec2::new(i.min(10.0), (i - 10.0).max(0.0));
            follower.go_to(&[4], &[LayerId(0)], &[at]);
        }
        let (tracks, _) = follower.finish();
        assert_eq!(tracks.ways[0].points, [[0, 0], [1000, 0], [1000, 990]]);
        assert_eq!(tracks.people, 1);
    }

    #[test]
    fn who_changes_floors_has_a_way_on_each() {
        let mut follower = follower(20.0);
        for (x, floor) in [(0.0, 0), (1.0, 0), (2.0, 1), (3.0, 1)] {
            follower.go_to(&[4], &[LayerId(floor)], &[Vec2::new(x, 0.0)]);
        }
        let (tracks, _) = follower.finish();
        let floors: Vec<(u8, usize)> =
            tracks.ways.iter().map(|way| (way.layer, way.points.len())).collect();
        assert_eq!((floors, tracks.people), (vec![(0, 2), (1, 2)], 1));
    }

    #[test]
    fn who_was_away_comes_back_on_a_way_of_its_own() {
        let mut follower = follower(20.0);
        let frames: [&[u32]; 5] = [&[4, 7], &[4, 7], &[7], &[4, 7], &[4]];
        for (i, ids) in frames.into_iter().enumerate() {
            let positions = vec![Vec2::new(i as f32, 0.0); ids.len()];
            follower.go_to(ids, &vec![LayerId(0); ids.len()], &positions);
        }
        let (tracks, _) = follower.finish();
        let ways: Vec<(u32, [i32; 2])> = tracks
            .ways
            .iter()
            .map(|way| (way.person, [way.points[0][0], way.points[1][0]]))
            .collect();
        assert_eq!(ways, [(4, [0, 100]), (7, [0, 300]), (4, [300, 400])]);
        assert_eq!(tracks.people, 2);
    }

    #[test]
    fn pictures_stay_small_however_many_walk() {
        let mut follower = follower(50.0);
        let ids: Vec<u32> = (0..3000).collect();
        for i in 0..300 {
            let turned = |&person: &u32| i as f32 * 0.3 + person as f32;
            let at = |id| Vec2::from_angle(turned(id)) * 20.0;
            let positions: Vec<Vec2> = ids.iter().map(at).collect();
            follower.go_to(&ids, &[LayerId(0); 3000], &positions);
        }
        let (tracks, _) = follower.finish();
        let points: usize = tracks.ways.iter().map(|way| way.points.len()).sum();
        assert!(points <= MOST_POINTS && tracks.ways.len() <= MOST_WAYS, "{points}");
        assert!(points > MOST_POINTS / 3, "not smaller than need be");
        assert_eq!(tracks.people, 3000);
    }
}
