//! Bit-vectors: the trait that every algorithm is written over, and its instances.
//!
//! | instance | content | used for |
//! | --- | --- | --- |
//! | [`W64`], [`W128`] | a machine integer | the simulator |
//! | [`Mixed`] | a machine integer where 64 bits are enough, else a big one | the simulator of models with few wide words |
//! | [`Big`] | a big integer | evaluation at any width |
//! | [`Shape`] | only the width | the widest bit-vector of a model |
//! | [`Term`](term::Term) | a node of a shared graph | formulas |
//! | [`Recorded`](circuit::Recorded) | a node of a circuit | other languages, and circuits of others |
//! | [`Ranged`](ranged::Ranged) | a node of a graph with ranges | programs over columns of operands |
//! | [`Blasted`](blast::Blasted) | a wire for every bit | formulas without simplification |
//! | [`Dynamic`] | one of `Shape`, `Big`, `Recorded`, `Blasted` | models on these instances |

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
pub use dynamic::{Dynamic, OnDynamic};
pub use host::{HostCut, HostFormat, HostMode, HostOperation, HostOperations, HostRounding};
pub use input::Input;
pub use mixed::Mixed;
pub use shape::{Shape, Unknown, widest};
pub use word::{MachineInteger, W64, W128, Word};
