//! What is known of a goal in another way than by a search for inputs that meet it.

use super::basis::Basis;
use crate::vectors::Inputs;

/// What is known of a goal.
pub(super) enum Reasoned {
    /// Nothing meets it.
    Never(Basis),
    /// These inputs do.
    By(Inputs),
    /// That it is not known.
    Unknown,
}
