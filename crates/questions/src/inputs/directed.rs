//! Inputs on which models differ and which random draws rarely give: ends of ranges, flushed
//! results, ties.

use super::cancelled::cancelled;
use super::ends::{Ends, OperandRange};
use super::great_and_low::great_and_low;
use super::ties::products_beside_ties;
use mmasmt_core::machines::algorithms::{Inputs, Signature};

/// The number of single products that are drawn at ties or just beside them.
const BESIDE_TIES: u32 = 300;

/// Several kinds of inputs, one after another: inputs at the ends of the ranges that `range` gives
/// for each operand, in the order of [`Registers::each`]; inputs whose result is flushed; products
/// beside ties; and at most `great_and_low_tries` inputs with a few great and a few low products.
/// The same seed gives the same inputs.
///
/// [`Registers::each`]: mmasmt_core::machines::algorithms::Registers::each
pub fn directed<R: Fn(usize) -> OperandRange>(
    signature: Signature,
    range: R,
    seed: u64,
    great_and_low_tries: u32,
) -> impl Iterator<Item = Inputs> + use<R> {
    // Nothing here is of conversions, of which any draw is at an end or beside a tie.
    let of_products = (!signature.is_conversion()).then(|| {
        let ends = Ends::new(signature, range);
        let at_ends = ends.clone().inputs();
        at_ends
            .chain(cancelled(signature))
            .chain(products_beside_ties(signature, seed, BESIDE_TIES))
            .chain(great_and_low(signature, ends, seed, great_and_low_tries))
    });
    of_products.into_iter().flatten()
}
