//! Whether people who walk in opposite directions have sorted themselves into lanes.

/// The order of lanes at one moment, 0 to 1: the mean over all walkers of
/// `((same - opposite) / (same + opposite))²`, counted over everyone whose track lies within
/// `half_width` beside one's own, oneself included (Rex and Löwen 2007, Nowak and Schadschneider
/// 2012). With lanes it is 1; of people at random places with `n` of them within reach it is `1/n`.
///
/// A walker is a pair of the coordinate across the corridor, m, and whether they walk forwards. Where
/// they are along the corridor does not matter, so it makes no difference whether the corridor is
/// periodic. `None` if nobody walks.
pub fn lane_order(walkers: &[(f64, bool)], half_width: f64) -> Option<f64> {
    let mut sorted = walkers.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Everyone within reach of a walker is a run of the sorted list, and its ends only advance.
    let (mut begin, mut end) = (0, 0);
    let mut forwards = 0usize;
    let mut sum = 0.0;
    for &(place, _) in &sorted {
        while end < sorted.len() && sorted[end].0 <= place + half_width {
            forwards += usize::from(sorted[end].1);
            end += 1;
        }
        while sorted[begin].0 < place - half_width {
            forwards -= usize::from(sorted[begin].1);
            begin += 1;
        }
        let count = (end - begin) as f64;
        // Squared, it does not matter which of the two ways is one's own.
        sum += (2.0 * forwards as f64 / count - 1.0).powi(2);
    }
    (!sorted.is_empty()).then(|| sum / sorted.len() as f64)
}

#[cfg(test)]
mod tests {
    use throng_base::random::{Purpose, Random};

    use super::*;

    #[test]
    fn lanes_have_order_one_and_a_chequered_crowd_none() {
        let lanes: Vec<_> = (0..20).map(|i| (f64::from(i) * 0.1, i < 10)).collect();
        let apart: Vec<_> =
            lanes.iter().map(|&(y, way)| (if way { y } else { y + 1.0 }, way)).collect();
        assert_eq!(lane_order(&apart, 0.75), Some(1.0));
        assert!(lane_order(&lanes, 0.75).unwrap() < 0.6);
        let chequered: Vec<_> = (0..20).map(|i| (f64::from(i / 2), i % 2 == 0)).collect();
        assert_eq!(lane_order(&chequered, 0.75), Some(0.0));
        assert_eq!((lane_order(&[], 1.0), lane_order(&[(3.0, true)], 1.0)), (None, Some(1.0)));
    }

    #[test]
    fn at_random_it_is_one_by_the_number_within_reach() {
        let mut stream = Random::new(3).stream(0, 0, Purpose::Placement);
        let mut draw = || -> Vec<(f64, bool)> {
            (0..100).map(|i| (f64::from(stream.between(0.0, 10.0)), i < 50)).collect()
        };
        let mean = (0..200).map(|_| lane_order(&draw(), 0.75).unwrap()).sum::<f64>() / 200.0;
        assert!((0.055..0.09).contains(&mean), "fifteen are within reach: {mean}");
    }

    #[test]
    fn the_running_count_agrees_with_counting_each_time() {
        let walkers: Vec<_> =
            (0..57).map(|i| (f64::from(i * 37 % 101) * 0.1, i % 3 == 0)).collect();
        let own = |&(y, way): &(f64, bool)| {
            let near = || walkers.iter().filter(move |other| (other.0 - y).abs() <= 0.85);
            let same = near().filter(|other| other.1 == way).count() as f64;
            let all = near().count() as f64;
            ((2.0 * same - all) / all).powi(2)
        };
        let expected = walkers.iter().map(own).sum::<f64>() / 57.0;
        assert!((lane_order(&walkers, 0.85).unwrap() - expected).abs() < 1e-9);
    }
}
