//! Where tracks have to be cut: long gaps, and jumps that no one can make.
//!
//! Short gaps are bridged, as long as the person walks no faster in them than otherwise. A jump ends a
//! stretch. If somebody jumps away and comes back a moment later, it was a spike of the tracker rather
//! than the person, and the samples in between are left out.

use super::TrackOptions;
use super::gather::Row;
use super::pace::quantile;
use super::report::TrackReport;

/// Speeds are taken over at least this time, s; over less they are noise.
const BASELINE: f64 = 0.35;
/// Samples of tracks that are fine may be off by this much, m, by so many times their usual error, and
/// never by more than this.
const SLACK: f64 = 0.3;
const NOISE_SLACK: f64 = 6.0;
const MOST_SLACK: f64 = 1.5;
/// By how much somebody can be faster than they mostly are: at once, and throughout a gap.
const BURST: (f64, f64) = (4.0, 2.0);
/// Everybody can be so fast, m/s: run a few steps, and walk briskly where nobody saw them.
const EVERYBODY: (f64, f64) = (4.0, 2.5);
/// From so many samples on, a track shows how fast its person mostly is.
const ENOUGH: usize = 8;
/// Samples that are longer apart than this many intervals have a gap between them.
const GAP: f64 = 1.5;
/// Gaps of fewer intervals than this never cut, however long an interval is.
const SHORT_GAP: f64 = 2.5;
/// Spikes last no longer, s; what stays away for longer is somewhere else.
const SPIKE: f64 = 0.5;

/// Of so many spikes in a row nobody knows which is the person.
const MOST_SPIKES: usize = 16;

/// Cuts the samples of one person into stretches, none of them empty.
pub(super) fn cut(
    rows: &[Row],
    interval: f64,
    options: &TrackOptions,
    report: &mut TrackReport,
) -> Vec<Vec<Row>> {
    let limits = Limits::of(rows, interval, options);
    let mut pieces: Vec<&[Row]> = Vec::new();
    let mut rest = rows;
    while !rest.is_empty() {
        let joined = rest.windows(2).take_while(|pair| limits.verdict(&pair[0], &pair[1]).is_ok());
        let (piece, later) = rest.split_at(joined.count() + 1);
        pieces.push(piece);
        rest = later;
    }
    let stretches = without_spikes(&pieces, &limits, report);
    for pair in stretches.windows(2) {
        if let (Some(last), Some(next)) = (pair[0].last(), pair[1].first()) {
            let (time, distance) = (next.sample.time - last.sample.time, last.distance(next));
            match limits.verdict(last, next) {
                Err(Cut::Jump) => report.jumps.add(next.incident(distance)),
                _ => report.cuts.add(next.incident(time)),
            }
        }
    }
    for pair in stretches.iter().flat_map(|stretch| stretch.windows(2)) {
        let time = pair[1].sample.time - pair[0].sample.time;
        if time > GAP * interval {
            report.bridges.add(pair[0].incident(time));
        }
    }
    stretches
}

/// Joins pieces between which the person was away for a moment, and drops where they were.
fn without_spikes(pieces: &[&[Row]], limits: &Limits, report: &mut TrackReport) -> Vec<Vec<Row>> {
    let mut stretches: Vec<Vec<Row>> = Vec::new();
    let mut next = 0;
    while let Some(piece) = pieces.get(next) {
        let back = stretches.last().and_then(|stretch| limits.comes_back(stretch, &pieces[next..]));
        match (back, stretches.last_mut()) {
            (Some(skipped), Some(stretch)) => {
                for row in pieces[next..next + skipped].iter().copied().flatten() {
                    let from = stretch.last().map_or(0.0, |last| last.distance(row));
                    report.spikes.add(row.incident(from));
                }
                stretch.extend_from_slice(pieces[next + skipped]);
                next += skipped + 1;
            }
            _ => {
                stretches.push(piece.to_vec());
                next += 1;
            }
        }
    }
    stretches
}

/// Why a track is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cut {
    Gap,
    Jump,
}

/// What one person can do.
struct Limits {
    interval: f64,
    longest_gap: f64,
    /// Speeds, m/s: from sample to sample, and throughout a gap.
    burst: f64,
    in_gaps: f64,
    /// Distance that is none, m.
    slack: f64,
}

impl Limits {
    fn of(rows: &[Row], interval: f64, options: &TrackOptions) -> Self {
        let mut speeds = speeds(rows, options.longest_gap.max(SHORT_GAP * interval));
        let is_enough = speeds.len() >= ENOUGH;
        let own = quantile(&mut speeds, 3, 4).copied().filter(|_| is_enough);
        let limit = |burst: f64, everybody: f64| {
            own.map_or(options.fastest, |own| (burst * own).max(everybody).min(options.fastest))
        };
        Self {
            interval,
            longest_gap: options.longest_gap.max(SHORT_GAP * interval),
            burst: limit(BURST.0, EVERYBODY.0),
            in_gaps: limit(BURST.1, EVERYBODY.1),
            slack: (SLACK + NOISE_SLACK * usual_error(rows)).min(MOST_SLACK),
        }
    }

    /// Whether one can get from `a` to `b`.
    fn verdict(&self, a: &Row, b: &Row) -> Result<(), Cut> {
        let time = b.sample.time - a.sample.time;
        let speed = if time > GAP * self.interval { self.in_gaps } else { self.burst };
        if time > self.longest_gap {
            Err(Cut::Gap)
        } else if a.distance(b) > speed * time + self.slack {
            Err(Cut::Jump)
        } else {
            Ok(())
        }
    }

    /// After how many pieces, at least one, the person is back where `stretch` ended.
    fn comes_back(&self, stretch: &[Row], pieces: &[&[Row]]) -> Option<usize> {
        let last = stretch.last()?;
        let left = pieces.first()?.first()?;
        if self.verdict(last, left) != Err(Cut::Jump) {
            return None;
        }
        for (skipped, pair) in pieces.windows(2).take(MOST_SPIKES).enumerate() {
            let (away, back) = (pair[0].last()?, pair[1].first()?);
            if away.sample.time - left.sample.time > SPIKE {
                return None;
            }
            if self.verdict(last, back).is_ok() {
                return Some(skipped + 1);
            }
        }
        None
    }
}

/// About how far samples are off in each coordinate, m, whatever spikes and jumps there are: from the
/// median distance of a sample to the middle of its neighbours, which is √(3 ln 2) errors.
fn usual_error(rows: &[Row]) -> f64 {
    let off = |triple: &[Row]| {
        let [a, b, c] = [0, 1, 2].map(|i: usize| triple[i].sample.position);
        f64::from(b.distance(a.midpoint(c)))
    };
    let mut off: Vec<f64> = rows.windows(3).map(off).collect();
    quantile(&mut off, 1, 2).map_or(0.0, |median| median / (3.0 * std::f64::consts::LN_2).sqrt())
}

/// How fast somebody is, from each sample to the first that is late enough to tell, m/s.
pub(super) fn speeds(rows: &[Row], longest: f64) -> Vec<f64> {
    let mut speeds = Vec::with_capacity(rows.len());
    let mut later = 0;
    for row in rows {
        let time = |other: &Row| other.sample.time - row.sample.time;
        while rows.get(later).is_some_and(|other| time(other) < BASELINE) {
            later += 1;
        }
        match rows.get(later) {
            Some(other) if time(other) <= longest => speeds.push(row.distance(other) / time(other)),
            _ => {}
        }
    }
    speeds
}
