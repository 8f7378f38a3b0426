//! The unit loses what an accumulator of a format would keep.

use super::exact::{correctly_rounded, loses_exact_sums};
use super::values::same_value;
use crate::algorithms::{Registers, Signature};
use crate::bits::{Bv, Prop};
use crate::float::{Format, Rounding, unpack};
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
    let mut fits = Vec::with_capacity(inputs.a.len());
    let mut partial = inputs.c.clone();
    for (a, b) in inputs.a.iter().zip(&inputs.b) {
        let operands = Registers {
            a: vec![a.clone()],
            b: vec![b.clone()],
            c: partial,
            ..inputs.clone()
        };
        let below = correctly_rounded(&step, Rounding::Rd, &operands);
        let above = correctly_rounded(&step, Rounding::Ru, &operands);
        let fitting = same_value(format, &below, &above).and(&unpack(format, &below).finite());
        fits.push(fitting);
        partial = below;
        step.c = *format;
    }
    B::Bool::all(fits).and(&loses_exact_sums(model, inputs))
}
