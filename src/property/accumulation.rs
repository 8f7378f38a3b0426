//! The unit loses what an accumulator of a format would keep.

use super::exact::{HeldSum, loses_exact_sums};
use crate::algorithms::{Registers, Signature};
use crate::bits::{Bv, Prop};
use crate::float::Format;
use crate::model::Model;

/// Unsatisfiable iff the unit accumulates as precisely as registers of `format` do: where `c` and
/// every sum of it with the first products is a number of `format`, and the last of these sums
/// is one of the result's format, that sum is the result (smt-formalization.txt, Property 1).
pub fn loses_partial_sums<B: Bv>(model: &Model, format: &Format, inputs: &Registers<B>) -> B::Bool {
    let signature = model.signature();
    let mut step = Signature {
        d: *format,
        products: 1,
        ..signature
    };
    let zero = |format: &Format| B::lit(format.width(), 0);
    let nothing = (zero(&signature.a), zero(&signature.b));
    let products = inputs.a.iter().cloned().zip(inputs.b.iter().cloned());
    let mut fits = Vec::with_capacity(inputs.a.len() + 1);
    let mut partial = inputs.c.clone();
    for (a, b) in std::iter::once(nothing).chain(products) {
        let sum = HeldSum::of(&step, &Registers::new(vec![a], vec![b], partial));
        fits.push(sum.held);
        partial = sum.register;
        step.c = *format;
    }
    B::Bool::all(fits).and(&loses_exact_sums(model, inputs))
}
