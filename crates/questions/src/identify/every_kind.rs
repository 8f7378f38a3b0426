//! The source of inputs of every kind.

use super::options::IdentifyOptions;
use crate::claims::property::Domain;
use crate::inputs::{Interface, Kinds, directed};

/// The most inputs that are drawn with a few large and a few small products.
const GREAT_AND_LOW: u32 = 1500;

/// The source of inputs of every kind.
pub(super) fn kinds(interface: impl Into<Interface>, options: &IdentifyOptions) -> Kinds {
    let interface = interface.into();
    let signature = interface.signature;
    let everything = Domain::everything(&signature);
    let range = move |operand: usize| everything.range(operand).clone();
    let directed = directed(signature, range, options.seed, GREAT_AND_LOW);
    Kinds::new(interface, options.specials, options.seed, directed)
}
