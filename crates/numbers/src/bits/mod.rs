//! Bit-vectors: the trait that every algorithm is written over, and its instances.
//!
//! | instance | content | used for |
//! | --- | --- | --- |
//! | [`W64`], [`W128`] | a machine integer | the simulator |
//! | [`MixedBits`] | a machine integer where 64 bits are enough, else a big one | the simulator of models with few wide words |
//! | [`Big`] | a big integer | evaluation at any width |
//! | [`Shape`] | only the width | the widest bit-vector of a model |
//! | [`Term`](term::Term) | a node of a shared graph | formulas |
//! | [`CircuitBits`](circuit::CircuitBits) | a node of a circuit | other languages, and circuits of others |
//! | [`RangedBits`](ranged::RangedBits) | a node of a graph with ranges | programs over columns of operands |
//! | [`SignalBits`](blast::SignalBits) | a wire for every bit | formulas without simplification |
//! | [`DynamicBits`] | one of `Shape`, `Big`, `CircuitBits`, `SignalBits` | models on these instances |

mod big;
pub mod blast;
mod bv;
pub mod circuit;
mod dynamic;
mod host;
mod input;
mod mixed;
pub mod ranged;
mod shape;
pub mod term;
mod word;
#[cfg(feature = "z3")]
mod z3;

pub use big::Big;
pub use bv::{Bv, Concrete, Mux, Prop, mux};
pub use dynamic::{DynamicBits, DynamicInstance};
pub use host::{HostCut, HostFormat, HostMode, HostOperation, HostOperations, HostRounding};
pub use input::Input;
pub use mixed::MixedBits;
pub use shape::{Shape, UnknownTruth, widest};
pub use word::{MachineInteger, W64, W128, Word};
