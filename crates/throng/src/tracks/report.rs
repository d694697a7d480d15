//! What was found in tracks and done with them.

use std::fmt;

use serde::Serialize;

use super::noise::Noise;

/// How many examples are kept of each kind of incident.
const EXAMPLES: usize = 5;

/// What was found in tracks, and what was done about it. Its text says the same in words.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TrackReport {
    /// People who have at least one good sample.
    pub people: usize,
    /// Samples, with those that were left out.
    pub samples: u64,
    /// Times that somebody is there continuously.
    pub stretches: usize,
    /// The usual time between two samples, s.
    pub interval: f64,
    /// How long everybody is there in all, s, and how much of this they stand.
    pub duration: f64,
    #[allow(missing_docs, reason = "described with the duration")]
    pub standing: f64,
    /// The median speed of people who get somewhere, m/s.
    pub walking_speed: Option<f64>,
    /// How noisy the samples are, unless there are none.
    pub noise: Option<Noise>,
    /// How far the curves are from the samples.
    pub residuals: Residuals,
    /// Samples that are no numbers, or not of this world. Their size is 0.
    pub impossible: Incidents,
    /// Samples that were left out, as there is another one of the person at the moment; how far
    /// from that, m.
    pub duplicates: Incidents,
    /// Samples that were left out, as the person jumped there and back; how far, m.
    pub spikes: Incidents,
    /// Gaps that were bridged, by how long they are, s.
    pub bridges: Incidents,
    /// Gaps that were too long or too wide for that and end a stretch, by how long they are, s.
    pub cuts: Incidents,
    /// Jumps that end a stretch, by how far they are, m.
    pub jumps: Incidents,
    /// Rows of a person that are earlier than the one before. They were put into order.
    pub unsorted: u64,
    /// What the user should know.
    pub warnings: Vec<String>,
}

/// How far curves are from samples, m.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Residuals {
    /// Root of the mean square.
    pub rms: f64,
    #[allow(missing_docs, reason = "says it")]
    pub median: f64,
    /// One sample in twenty is farther away.
    pub p95: f64,
    /// The largest.
    pub max: f64,
    /// How far curves may be from samples, where people do not accelerate beyond measure.
    pub tolerance: f64,
    /// Samples that are farther away, by how far, m.
    pub beyond: Incidents,
}

/// Something that happened at one sample.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Incident {
    /// Who.
    pub person: u32,
    /// When, s.
    pub time: f64,
    /// Number of the row, from 0.
    pub row: u64,
    /// How bad it is; what in, depends on the kind.
    pub size: f64,
}

/// All incidents of one kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Incidents {
    /// How many there are.
    pub count: u64,
    /// The worst, worst first.
    pub examples: Vec<Incident>,
}

impl Incidents {
    pub(super) fn add(&mut self, incident: Incident) {
        self.count += 1;
        keep_worst(&mut self.examples, incident);
    }

    pub(super) fn extend(&mut self, other: Self) {
        self.count += other.count;
        other.examples.into_iter().for_each(|incident| keep_worst(&mut self.examples, incident));
    }
}

/// Adds `incident` to those that are kept, if it is one of the worst.
fn keep_worst(kept: &mut Vec<Incident>, incident: Incident) {
    let key = |incident: &Incident| (incident.person, incident.row);
    let is_worse = |other: &Incident| {
        other.size.total_cmp(&incident.size).reverse().then(key(other).cmp(&key(&incident))).is_lt()
    };
    let place = kept.iter().take_while(|other| is_worse(other)).count();
    if place < EXAMPLES {
        kept.insert(place, incident);
        kept.truncate(EXAMPLES);
    }
}

impl TrackReport {
    /// Takes in what was found about some of the people.
    pub(super) fn absorb(&mut self, part: Self) {
        self.spikes.extend(part.spikes);
        self.bridges.extend(part.bridges);
        self.cuts.extend(part.cuts);
        self.jumps.extend(part.jumps);
    }

    /// Counts of incidents with what they are called, what their size means, and its unit.
    fn incidents(&self) -> [(&Incidents, &'static str, &'static str); 7] {
        [
            (&self.impossible, "left out, not a place or a time", ""),
            (&self.duplicates, "left out, not the only one at the moment", " m away"),
            (&self.spikes, "left out, jumped there and back", " m away"),
            (&self.bridges, "gaps bridged", " s"),
            (&self.cuts, "gaps too long, each followed by a new stretch", " s"),
            (&self.jumps, "jumps, each followed by a new stretch", " m"),
            (&self.residuals.beyond, "samples beyond the reach of smooth curves", " m off"),
        ]
    }
}

impl fmt::Display for TrackReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { people, stretches, samples, .. } = self;
        let rate = self.interval.recip();
        writeln!(f, "{people} people in {stretches} stretches, {samples} samples at {rate:.3} Hz")?;
        let part = if self.duration > 0.0 { 100.0 * self.standing / self.duration } else { 0.0 };
        write!(f, "{:.0} s in all, {part:.0} % of it standing", self.duration)?;
        match self.walking_speed {
            Some(speed) => writeln!(f, "; who gets somewhere walks {speed:.2} m/s")?,
            None => writeln!(f)?,
        }
        if let Some(noise) = &self.noise {
            let (jitter, sway) = (100.0 * noise.jitter, 100.0 * noise.sway);
            writeln!(
                f,
                "noise: {jitter:.1} cm from sample to sample, {sway:.1} cm from step to step"
            )?;
        }
        let Residuals { rms, median, p95, max, .. } = self.residuals;
        let [rms, median, p95, max] = [rms, median, p95, max].map(|metres| 100.0 * metres);
        writeln!(
            f,
            "samples lie {rms:.1} cm (rms) off the curves, median {median:.1}, 95 % within {p95:.1}, \
             all within {max:.1} cm"
        )?;
        for (incidents, what, unit) in self.incidents() {
            if let Some(Incident { person, time, row, size }) = incidents.examples.first() {
                let count = incidents.count;
                write!(f, "{what}: {count}; person {person} at {time:.2} s (row {row}")?;
                if !unit.is_empty() {
                    write!(f, ", {size:.2}{unit}")?;
                }
                writeln!(f, ")")?;
            }
        }
        if self.unsorted > 0 {
            writeln!(f, "rows out of order: {}", self.unsorted)?;
        }
        self.warnings.iter().try_for_each(|warning| writeln!(f, "warning: {warning}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_are_kept_in_order_whenever_they_come() {
        let incident = |person, size| Incident { person, time: 0.0, row: 0, size };
        let mut incidents = Incidents::default();
        for (person, size) in [(1, 3.0), (2, 9.0), (3, 1.0), (4, 3.0), (5, 2.0), (0, 3.0), (7, 0.1)]
        {
            incidents.add(incident(person, size));
        }
        let kept: Vec<_> = incidents.examples.iter().map(|incident| incident.person).collect();
        assert_eq!((incidents.count, kept), (7, vec![2, 0, 1, 4, 5]));
    }
}
