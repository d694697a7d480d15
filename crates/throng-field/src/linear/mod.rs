//! The linear system behind a field: dense, symmetric, and solved on the null space of its
//! polynomial part.
//!
//! All of it is done in lanes of eight with a fixed order of operations and no fused multiply-add.
//! That is why it is here and not taken from a library of linear algebra: those choose kernels by
//! processor, and the same anchors would give other bits, hence other crowds, on other machines.

mod cholesky;
mod condition;
mod factorisation;
mod householder;
mod panels;

pub(crate) use condition::condition;
pub(crate) use factorisation::{Factorisation, Solution};
