//! Bodies that are led by a simulator.

mod clips;
mod feet;
mod odd;
mod running;
mod stage;
mod turning;
