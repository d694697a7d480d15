//! Which entry of a list has become which, when all that is known is what they were and are.

use serde_json::{Map, Value as Json};

/// Cost of an entry that is taken away, or new.
const CHANGE: f32 = 1.0;
/// Lists whose sizes multiply to more are compared entry by entry: a hand edits fewer.
const MOST_CELLS: usize = 1 << 20;

/// For each entry of `new`, the one of `old` it was; these ascend. Equal entries at both ends stay
/// what they are, and in between as little as possible changes: an edit distance.
pub(super) fn align(old: &[Json], new: &[Json]) -> Vec<Option<usize>> {
    let same = |a: &Json, b: &Json| are_equal(a, b);
    let head = old.iter().zip(new).take_while(|(a, b)| same(a, b)).count();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev());
    let tail = tail.take_while(|(a, b)| same(a, b)).count();
    let middle = [&old_rest[..old_rest.len() - tail], &new_rest[..new_rest.len() - tail]];
    let found = align_middle(middle[0], middle[1]);
    let found = found.into_iter().map(|of| of.map(|index| head + index));
    let end = (old.len() - tail..old.len()).map(Some);
    (0..head).map(Some).chain(found).chain(end).collect()
}

fn align_middle(old: &[Json], new: &[Json]) -> Vec<Option<usize>> {
    if old.len().saturating_mul(new.len()) > MOST_CELLS {
        return (0..new.len()).map(|index| (index < old.len()).then_some(index)).collect();
    }
    let width = new.len() + 1;
    // The cost of making the rest of `new` from the rest of `old`.
    let mut costs = vec![0.0; (old.len() + 1) * width];
    for i in (0..=old.len()).rev() {
        for j in (0..=new.len()).rev() {
            let ahead = |i: usize, j: usize| costs[i * width + j];
            costs[i * width + j] = match (i == old.len(), j == new.len()) {
                (true, _) => CHANGE * (new.len() - j) as f32,
                (_, true) => CHANGE * (old.len() - i) as f32,
                _ => {
                    let kept = difference(&old[i], &new[j]) + ahead(i + 1, j + 1);
                    kept.min(CHANGE + ahead(i + 1, j)).min(CHANGE + ahead(i, j + 1))
                }
            };
        }
    }
    let (mut i, mut found) = (0, Vec::with_capacity(new.len()));
    for (j, entry) in new.iter().enumerate() {
        let mut of = None;
        while i < old.len() {
            let here = costs[i * width + j];
            let kept = difference(&old[i], entry) + costs[(i + 1) * width + j + 1];
            if kept <= here {
                of = Some(i);
                i += 1;
                break;
            }
            if CHANGE + costs[i * width + j + 1] <= here {
                break;
            }
            i += 1;
        }
        found.push(of);
    }
    found
}

/// From 0 for what is the same to 2 for what has nothing in common, which is no better than one
/// entry less and another more. With different names it is something else for certain.
fn difference(old: &Json, new: &Json) -> f32 {
    match (old, new) {
        (Json::Object(old), Json::Object(new)) => {
            if let (Some(old), Some(new)) = (old.get("name"), new.get("name")) {
                return if old == new { 0.1 } else { 2.1 };
            }
            2.0 * (1.0 - shared(old, new))
        }
        _ if are_equal(old, new) => 0.0,
        _ => 1.5,
    }
}

/// The share of keys with equal values.
fn shared(old: &Map<String, Json>, new: &Map<String, Json>) -> f32 {
    let is_same =
        |(key, value): &(&String, &Json)| old.get(*key).is_some_and(|of| are_equal(of, value));
    let equal = new.iter().filter(is_same).count();
    equal as f32 / old.len().max(new.len()).max(1) as f32
}

/// Whether two values mean the same: 1 and 1.0 do.
pub(super) fn are_equal(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Number(a), Json::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Json::Array(a), Json::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| are_equal(a, b))
        }
        (Json::Object(a), Json::Object(b)) => {
            let is_same = |(key, a): (&String, &Json)| b.get(key).is_some_and(|b| are_equal(a, b));
            a.len() == b.len() && a.iter().all(is_same)
        }
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn aligned(old: &Json, new: &Json) -> Vec<Option<usize>> {
        align(old.as_array().unwrap(), new.as_array().unwrap())
    }

    #[test]
    fn entries_are_recognised() {
        let old =
            json!([{ "at": [0, 0], "v": 1 }, { "at": [1, 0], "v": 1 }, { "at": [2, 0], "v": 1 }]);
        let without = json!([{ "at": [0, 0], "v": 1 }, { "at": [2, 0], "v": 1.0 }]);
        assert_eq!(aligned(&old, &without), [Some(0), Some(2)]);
        let moved =
            json!([{ "at": [0, 0], "v": 1 }, { "at": [1, 5], "v": 1 }, { "at": [2, 0], "v": 1 }]);
        assert_eq!(aligned(&old, &moved), [Some(0), Some(1), Some(2)]);
        let moved_and_less = json!([{ "at": [1, 0], "v": 2 }, { "at": [2, 0], "v": 1 }]);
        assert_eq!(aligned(&old, &moved_and_less), [Some(1), Some(2)]);
        assert_eq!(aligned(&json!([1, 2]), &json!([1, 3, 2, 2])), [Some(0), None, None, Some(1)]);
    }

    #[test]
    fn names_say_who_is_who() {
        let old = json!([{ "name": "a", "x": 1 }, { "name": "b", "x": 1 }]);
        assert_eq!(aligned(&old, &json!([{ "name": "b", "x": 7 }])), [Some(1)]);
        assert_eq!(aligned(&old, &json!([{ "name": "c", "x": 1 }])), [None]);
    }
}
