//! Z3 in process, behind the feature `z3`: an instance of the bit-vectors made of Z3's own
//! expressions, which shares neither the term layer nor the gates.

#[cfg(not(feature = "z3"))]
mod absent;
#[cfg(feature = "z3")]
mod instance;
#[cfg(feature = "z3")]
mod present;

#[cfg(not(feature = "z3"))]
pub use absent::Z3;
#[cfg(feature = "z3")]
pub use present::Z3;
