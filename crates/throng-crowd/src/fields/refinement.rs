//! A faster way to sample a field that has settled.
//!
//! A grid of nodes takes a while to fill. A thread of its own does that, and people follow the same field by
//! the slower way until then. That the moment of the change is fixed makes results reproducible.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};

use throng_field::{Field, FieldError, FieldSlot, Sampler, SamplerOptions};

/// How long after a field has settled the faster way is taken, s.
const PREPARATION: f64 = 1.0;

/// What the thread will send. Never locked: with a lock it can be shared, as crowds can.
type Promised = Mutex<Receiver<Result<Sampler, FieldError>>>;

/// Where the faster way stands.
#[derive(Debug)]
pub(super) enum Refinement {
    /// It is worth it from a time on, s, if nothing changes.
    From(f64),
    /// It is being prepared, and taken at a time, s.
    Prepared {
        at: f64,
        sampler: Promised,
    },
    Done,
}

impl Refinement {
    pub fn advance(
        &mut self,
        time: f64,
        field: &Arc<Field>,
        slot: &mut FieldSlot,
        options: SamplerOptions,
    ) {
        *self = match std::mem::replace(self, Self::Done) {
            Self::From(from) if time >= from => {
                let (sender, sampler) = channel();
                let field = field.clone();
                // Nobody waits for it if the field has changed meanwhile.
                let prepare = move || drop(sender.send(Sampler::new(field, &options)));
                if std::thread::Builder::new().spawn(prepare.clone()).is_err() {
                    // No thread to spare: it takes this one a moment.
                    prepare();
                }
                Self::Prepared { at: time + PREPARATION, sampler: Mutex::new(sampler) }
            }
            Self::Prepared { at, sampler } if time >= at => {
                // It is the field that people follow already: all that can go wrong did so before.
                let sampler = sampler.into_inner().unwrap_or_else(PoisonError::into_inner);
                if let Ok(Ok(sampler)) = sampler.recv()
                    && sampler.method() != slot.newest().method()
                {
                    slot.replace(Arc::new(sampler));
                }
                Self::Done
            }
            unchanged => unchanged,
        }
    }
}
