//! R05: people who belong together.
//!
//! A scene says who walks together (`party`); whether they do as people do is measured. Pairs begin side by side in a street
//! with others, and five of whom one is slow cross a room together (NIST TN 1822, 2.9, which names
//! people and speeds; the room is ours: 15 m to walk, far enough for speeds to tell).

use std::collections::BTreeSet;

use throng_world::scene::GroupId;
use throng_world::scene::file::{Goal, Group, given};

use crate::experiments::ExperimentError;
use crate::verification::bench::{Bench, Verdict};
use crate::verification::grade::worst;
use crate::verification::measures::groups::Pairs;
use crate::verification::record::{Estimate, record};
use crate::verification::scenes::{adults, group, scene};
use crate::verification::tracks::{Gatherer, SampledTracks};

/// How far apart two begin, m.
const APART: f64 = 0.8;
/// How many pairs there are, and people alone, each way.
const PAIRS: u32 = 8;
const ALONE: u32 = 16;

record! {
    /// How the people of pairs walk.
    pub struct PairWalks: "pairs" effort 2 by measure_pair_walks {
        /// How far apart they are.
        spacing: V = ("m", 2),
        /// The angle between their way and the line from one to the other.
        angle: V = ("°", 0),
        /// Their speed by that of people alone.
        speed_ratio: V = ("", 2),
    }
}

fn measure_pair_walks(bench: &Bench) -> Result<PairWalks, ExperimentError> {
    let (tracks, partners) = walk_in_pairs(bench)?;
    Ok(PairWalks::of(Pairs::among(&tracks, &partners).as_ref()))
}

impl PairWalks {
    pub fn of(pairs: Option<&Pairs>) -> Self {
        let value = |of: fn(&Pairs) -> f64| pairs.map_or(f64::NAN, of);
        Self {
            spacing: value(|pairs| pairs.spacing),
            angle: value(|pairs| pairs.angle),
            speed_ratio: value(|pairs| pairs.speed_ratio),
        }
    }
}

/// SampledTracks of a street with pairs and people alone, and who the pairs are.
fn walk_in_pairs(bench: &Bench) -> Result<(SampledTracks, BTreeSet<(u32, u32)>), ExperimentError> {
    let regions = [("west", [[-36.0, 4.5], [0.0, 6.5]]), ("east", [[0.0, -6.5], [36.0, -4.5]])];
    let mut groups = Vec::new();
    for (way, region, heading) in [("eastwards", "west", 1.0), ("westwards", "east", -1.0)] {
        let flow = || Goal::flow([heading, 0.0]);
        groups.push(group(way, adults(), flow()).crowd(ALONE, region));
        for pair in 0..PAIRS {
            let name = format!("{way} {pair}");
            // Far enough from each other that nobody is in two pairs.
            let (x, y) = (-heading * (2.0 + 4.5 * f64::from(pair)), heading * 2.0);
            let places = [[x, y - 0.5 * APART], [x, y + 0.5 * APART]];
            groups.push(together(group(&name, adults(), flow()).people_at(places), &name));
        }
    }
    let file = scene(35.0, [[-60.0, -8.0], [60.0, 8.0]], &[], &regions, groups);
    let mut gathered = Gatherer::new(bench.step).ok();
    let mut members: std::collections::BTreeMap<GroupId, Vec<u32>> = Default::default();
    bench.watch(file, |frame| {
        // Until all have taken up their speed, nothing is looked at.
        if let Some(gatherer) = gathered.as_mut().filter(|_| frame.time > 3.0) {
            gatherer.push(frame.into());
        }
        if members.is_empty() {
            for (id, group) in frame.people.ids.iter().zip(&frame.people.groups) {
                members.entry(*group).or_default().push(*id);
            }
        }
        true
    })?;
    let two = |ids: &Vec<u32>| match ids[..] {
        [a, b] => Some((a.min(b), a.max(b))),
        _ => None,
    };
    let partners: BTreeSet<(u32, u32)> = members.values().filter_map(two).collect();
    Ok((gathered.map(Gatherer::finish).unwrap_or_default(), partners))
}

record! {
    /// Five who belong together, of whom four want 1.25 m/s and one 0.5 m/s, among ten at 0.2 m/s.
    pub struct SlowMember: "slow-member" effort 1 by measure_slow_member {
        /// Between the first and the last of them at the exit.
        apart: V = ("s", 1),
    }
}

fn measure_slow_member(bench: &Bench) -> Result<SlowMember, ExperimentError> {
    let arrived = arrivals(bench)?;
    let first = arrived.iter().copied().fold(f64::INFINITY, f64::min);
    let last = arrived.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Ok(SlowMember { apart: if arrived.len() == 5 { last - first } else { f64::INFINITY } })
}

/// When those of the five who arrive do so, s.
fn arrivals(bench: &Bench) -> Result<Vec<f64>, ExperimentError> {
    let walls = [
        [[-0.3, -0.3], [18.3, 0.0]],
        [[-0.3, 10.0], [18.3, 10.3]],
        [[-0.3, 0.0], [0.0, 10.0]],
        [[18.0, 0.0], [18.3, 4.0]],
        [[18.0, 6.0], [18.3, 10.0]],
    ];
    let regions = [("room", [[4.0, 0.5], [16.0, 9.5]]), ("out", [[19.5, 3.5], [21.0, 6.5]])];
    let places = [3.4, 4.2, 5.8, 6.6, 5.0].map(|y| [3.0, y]);
    let mut five = group("together", 1.25, Goal::seek("out")).people_at(places);
    five.people[4].speed = given(0.5);
    let others = group("others", 0.2, Goal::seek("out")).crowd(10, "room");
    let groups = [together(five, "five"), others];
    let file = scene(120.0, [[-2.0, -2.0], [22.0, 12.0]], &walls, &regions, groups);
    let mut last_seen = std::collections::BTreeMap::new();
    bench.watch(file, |frame| {
        let people = frame.people.ids.iter().zip(&frame.people.groups);
        for (id, _) in people.filter(|(_, group)| **group == GroupId(0)) {
            last_seen.insert(*id, frame.time);
        }
        frame.people.groups.contains(&GroupId(0))
    })?;
    // Whoever is still there when time is up has not arrived.
    Ok(last_seen.into_values().filter(|time| *time < 119.0).collect())
}

/// The group with all its people in one party.
fn together(mut group: Group, party: &str) -> Group {
    group.people.iter_mut().for_each(|person| person.party = given(party));
    group
}

/// How pairs walk.
pub fn judge_pairs(PairWalks { spacing, angle, speed_ratio }: &PairWalks<Estimate>) -> Verdict {
    let outcomes =
        [spacing.within([0.65, 0.95]), angle.within([60.0, 90.0]), speed_ratio.within([0.8, 0.96])];
    let value = format!("{spacing}, {angle}, {speed_ratio} times as fast as others");
    Verdict::new(worst(outcomes), value)
}

/// How pairs walk, and whether five arrive together.
pub fn judge(pairs: &PairWalks<Estimate>, SlowMember { apart }: &SlowMember<Estimate>) -> Verdict {
    let pairs = judge_pairs(pairs);
    Verdict::new(
        worst([pairs.grade, apart.within([0.0, 10.0])]),
        format!("{}; five arrive within {apart}", pairs.value),
    )
}
