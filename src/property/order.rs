//! The result depends on the order of the products.

use super::differ::registers_differ;
use crate::algorithms::Registers;
use crate::bits::{Bv, Prop};
use crate::model::Model;

/// Unsatisfiable iff the result is the same for every order of the products: for the first two
/// exchanged and for all moved on by one, which generate every permutation.
///
/// Scales stay with their places, so that only blocks of one order are compared where there are
/// any.
pub fn depends_on_order<B: Bv>(model: &Model, inputs: &Registers<B>) -> B::Bool {
    if inputs.a.len() < 2 {
        return B::Bool::constant(false);
    }
    let format = model.signature().d;
    let result = model.result(inputs);
    let differs = |other: &Registers<B>| {
        registers_differ(
            &format,
            model.gives_any_nan(),
            &result,
            &model.result(other),
        )
    };
    differs(&exchanged(inputs)).or(&differs(&moved(inputs)))
}

/// With the first two products exchanged; there are two at least.
pub(super) fn exchanged<B: Bv>(inputs: &Registers<B>) -> Registers<B> {
    let mut exchanged = inputs.clone();
    exchanged.a.swap(0, 1);
    exchanged.b.swap(0, 1);
    exchanged
}

/// With all products moved on by one.
pub(super) fn moved<B: Bv>(inputs: &Registers<B>) -> Registers<B> {
    let mut moved = inputs.clone();
    moved.a.rotate_left(1);
    moved.b.rotate_left(1);
    moved
}
