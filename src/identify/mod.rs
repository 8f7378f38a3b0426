//! Telling models apart: which inputs do, and which model a machine is by its answers.
//!
//! [`family`] makes the candidates, [`separate`] finds few inputs that tell them apart,
//! [`exclude`] reads recorded results, [`ClosedLoop`] asks a device until one class is left, and
//! [`score`] judges a set of inputs.

mod answers;
mod candidates;
mod classes;
mod climb;
mod closed_loop;
mod cover;
mod exclude;
mod family;
mod lower_bound;
mod named;
mod pool;
mod score;
mod separate;
mod threads;
mod tree;
mod values;

pub use answers::Answers;
pub use classes::{Classes, Relation};
pub use closed_loop::{Asked, ClosedLoop, Identified};
pub use exclude::{Excluded, Exclusion, Recorded, exclude, nearest};
pub use family::{FamilyError, family, same_signature};
pub use lower_bound::{LowerBound, Reason};
pub use named::NAMED;
pub use score::{Fate, Mutant, Score, catch, score};
pub use separate::{Fewest, Options, Separation, separate};
pub use tree::Tree;
pub use values::mutants;
