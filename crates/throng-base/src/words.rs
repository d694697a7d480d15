//! Words for messages: what a misspelt name was probably meant to be, and lists that read well.

/// The candidate that `written` is most probably a misspelling of, if one is close.
pub fn nearest<'n>(
    written: &str,
    candidates: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    // Comparing takes time in proportion to both lengths; nobody misspells a whole page.
    const LONGEST: usize = 100;
    if written.len() > LONGEST {
        return None;
    }
    let lower = written.to_lowercase();
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= LONGEST)
        .filter(|candidate| candidate.len().abs_diff(lower.len()) <= candidate.len() / 3 + 1)
        .map(|candidate| (strsim::osa_distance(&lower, &candidate.to_lowercase()), candidate))
        .filter(|&(distance, candidate)| distance <= candidate.chars().count().max(3) / 3)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// "a, b and c".
pub fn list(items: impl IntoIterator<Item = String>, conjunction: &str) -> String {
    let mut items: Vec<String> = items.into_iter().collect();
    let last = items.pop().unwrap_or_default();
    if items.is_empty() { last } else { format!("{} {conjunction} {last}", items.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspellings_are_recognised_and_other_words_are_not() {
        let keys = ["radius", "speed", "max_speed"];
        let meant = |written| nearest(written, keys);
        assert_eq!(meant("raduis"), Some("radius"));
        assert_eq!(meant("Speed"), Some("speed"));
        assert_eq!(meant("max_sped"), Some("max_speed"));
        assert_eq!(meant("colour"), None);
    }

    #[test]
    fn lists_read_like_sentences() {
        let items = |n: usize| ["a", "b", "c"][..n].iter().map(ToString::to_string);
        assert_eq!(list(items(1), "or"), "a");
        assert_eq!(list(items(2), "or"), "a or b");
        assert_eq!(list(items(3), "and"), "a, b and c");
    }
}
