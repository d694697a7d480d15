//! What was done, so that it can be undone.

/// More is forgotten, the oldest first.
const MOST_DEEDS: usize = 500;

/// Something that was done, with what it takes to undo it and to do it again.
#[derive(Debug)]
pub(crate) struct Deed<D> {
    /// What it is called.
    pub label: String,
    pub what: D,
    join: Option<String>,
}

/// Which way through history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// What was done is undone.
    Back,
    /// What was undone is done again.
    Forth,
}

/// What was done, and what was undone of it.
#[derive(Debug)]
pub(crate) struct History<D> {
    done: Vec<Deed<D>>,
    undone: Vec<Deed<D>>,
}

impl<D> Default for History<D> {
    fn default() -> Self {
        Self { done: Vec::new(), undone: Vec::new() }
    }
}

impl<D> History<D> {
    /// Notes a deed. If it joins the one before, `merge` makes it a part of that.
    pub fn note(
        &mut self,
        label: String,
        join: Option<String>,
        what: D,
        merge: impl FnOnce(&mut D, D),
    ) {
        let joins = join.is_some() && self.undone.is_empty();
        self.undone.clear();
        match self.done.last_mut() {
            Some(last) if joins && last.join == join => merge(&mut last.what, what),
            _ => self.done.push(Deed { label, what, join }),
        }
        if self.done.len() > MOST_DEEDS {
            self.done.remove(0);
        }
    }

    /// Forgets deeds that cannot be undone any more.
    pub fn retain(&mut self, keep: impl Fn(&D) -> bool) {
        self.done.retain(|deed| keep(&deed.what));
        self.undone.retain(|deed| keep(&deed.what));
    }

    /// What would be undone, or done again, next.
    pub fn next(&self, way: Way) -> Option<&Deed<D>> {
        match way {
            Way::Back => self.done.last(),
            Way::Forth => self.undone.last(),
        }
    }

    /// Undoes the last deed, or does again what was undone last, with `act`, which may change what the
    /// opposite takes. If that fails, nothing has changed.
    pub fn shift<E>(
        &mut self,
        way: Way,
        act: impl FnOnce(&mut D) -> Result<(), E>,
    ) -> Result<(), E> {
        let (from, to) = match way {
            Way::Back => (&mut self.done, &mut self.undone),
            Way::Forth => (&mut self.undone, &mut self.done),
        };
        if let Some(deed) = from.last_mut() {
            act(&mut deed.what)?;
            // What was undone and done again is complete: nothing joins it any more.
            deed.join = None;
        }
        to.extend(from.pop());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Steps = (i32, i32);

    fn note(history: &mut History<Steps>, label: &str, join: Option<&str>, what: Steps) {
        history.note(label.into(), join.map(Into::into), what, |last, new| last.1 = new.1);
    }

    #[test]
    fn deeds_are_undone_and_done_again_in_order() {
        let mut history = History::default();
        note(&mut history, "one", None, (0, 1));
        note(&mut history, "two", None, (1, 2));
        let mut state = 2;
        let mut undo = |history: &mut History<Steps>| {
            history.shift(Way::Back, |deed| {
                assert_eq!(deed.1, state);
                state = deed.0;
                Ok::<_, ()>(())
            })
        };
        undo(&mut history).unwrap();
        undo(&mut history).unwrap();
        assert_eq!(state, 0);
        assert_eq!(history.next(Way::Forth).unwrap().label, "one");
        history.shift(Way::Forth, |_| Ok::<_, ()>(())).unwrap();
        assert_eq!(history.next(Way::Back).unwrap().label, "one");
        // Something new is done: what was undone cannot come back.
        note(&mut history, "three", None, (1, 3));
        assert!(history.next(Way::Forth).is_none());
    }

    #[test]
    fn a_drag_is_one_deed_until_it_is_undone() {
        let mut history = History::default();
        for step in 0..5 {
            note(&mut history, "drag", Some("arrow 1"), (step, step + 1));
        }
        assert_eq!(history.next(Way::Back).unwrap().what, (0, 5));
        history.shift(Way::Back, |_| Ok::<_, ()>(())).unwrap();
        history.shift(Way::Forth, |_| Ok::<_, ()>(())).unwrap();
        note(&mut history, "drag", Some("arrow 1"), (5, 6));
        assert_eq!(history.next(Way::Back).unwrap().what, (5, 6));
    }

    #[test]
    fn what_cannot_be_undone_stays_done() {
        let mut history = History::default();
        note(&mut history, "one", None, (0, 1));
        assert_eq!(history.shift(Way::Back, |_| Err("no")), Err("no"));
        assert_eq!(history.next(Way::Back).unwrap().label, "one");
    }
}
