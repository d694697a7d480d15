//! Who touches what, from when to when.
//!
//! A contact is between a person and an object, another person or an obstacle. It opens in the first
//! frame in which the two overlap by more than the threshold, and closes in the first in which they
//! do not, whether they have parted by a centimetre or one of them has gone. A contact of two people
//! counts for each of them.

use super::collector::ScoreOptions;
use super::metrics::AgentMetrics;

/// What somebody touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Object {
    /// Another person, by their row.
    Person(u32),
    /// An obstacle, by its number.
    Wall(u32),
}

/// An overlap in one frame.
#[derive(Clone, Copy, Debug)]
struct Overlap {
    key: (u32, Object),
    depth: f32,
}

/// A contact that has not ended.
#[derive(Clone, Copy, Debug)]
struct Open {
    key: (u32, Object),
    since: f64,
    is_deep: bool,
    is_long: bool,
}

/// The contacts of everybody.
#[derive(Clone, Debug, Default)]
pub(super) struct Contacts {
    /// In this frame.
    overlaps: Vec<Overlap>,
    /// In order of their keys.
    open: Vec<Open>,
    spare: Vec<Open>,
}

impl Contacts {
    /// Takes note that the person in a row overlaps something in this frame.
    pub fn touch(&mut self, row: u32, object: Object, depth: f32) {
        self.overlaps.push(Overlap { key: (row, object), depth });
    }

    /// Ends the frame: what overlaps opens or continues, all else closes.
    pub fn end_frame(&mut self, time: f64, agents: &mut [AgentMetrics], options: &ScoreOptions) {
        self.overlaps.sort_unstable_by_key(|overlap| overlap.key);
        let mut before = self.open.iter().peekable();
        self.spare.clear();
        for overlap in &self.overlaps {
            while before.next_if(|open| open.key < overlap.key).is_some() {}
            let agent = &mut agents[overlap.key.0 as usize];
            let known = before.next_if(|open| open.key == overlap.key).copied();
            let open = known.unwrap_or_else(|| Open::new(overlap.key, time, agent));
            self.spare.push(open.go_on(overlap.depth.into(), time, agent, options));
        }
        std::mem::swap(&mut self.open, &mut self.spare);
        self.overlaps.clear();
    }
}

impl Open {
    fn new(key: (u32, Object), since: f64, agent: &mut AgentMetrics) -> Self {
        agent.collisions += 1;
        match key.1 {
            Object::Person(_) => agent.person_collisions += 1,
            Object::Wall(_) => agent.wall_collisions += 1,
        }
        Self { key, since, is_deep: false, is_long: false }
    }

    fn go_on(
        mut self,
        depth: f64,
        time: f64,
        agent: &mut AgentMetrics,
        options: &ScoreOptions,
    ) -> Self {
        let lasted = time - self.since;
        agent.collision_score += 1;
        agent.max_penetration = agent.max_penetration.max(depth);
        agent.max_contact_time = agent.max_contact_time.max(lasted);
        let was_both = self.is_deep && self.is_long;
        if !self.is_deep && depth >= options.deep_contact.into() {
            self.is_deep = true;
            agent.deep_collisions += 1;
        }
        // Frames that are due at the limit may be a rounding error early.
        if !self.is_long && lasted >= options.long_contact - 1e-9 {
            self.is_long = true;
            agent.long_collisions += 1;
        }
        agent.deep_long_collisions += u32::from(self.is_deep && self.is_long && !was_both);
        self
    }
}
