//! Nothing: this package exists for its dependency.
