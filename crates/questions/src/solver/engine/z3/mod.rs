//! Z3 in this process, with the feature `z3`. Goals are built from Z3's own expressions, without
//! the term graph and the gates.

#[cfg(not(feature = "z3"))]
mod absent;
#[cfg(feature = "z3")]
mod present;

#[cfg(not(feature = "z3"))]
pub use absent::Z3;
#[cfg(feature = "z3")]
pub use present::Z3;
