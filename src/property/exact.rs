//! The result against the exact sum.

use super::values::same_value;
use crate::algorithms::{DotAdd, Exact, Registers, Signature, Stages};
use crate::bits::{Bv, Prop};
use crate::float::{NanCode, Rounding, unpack};
use crate::model::Model;

/// The unit that rounds the exact sum of operands of `signature` to the format of its result.
pub(super) fn exact(signature: &Signature, rounding: Rounding) -> Exact {
    Exact {
        a: signature.a,
        b: signature.b,
        c: signature.c,
        out: signature.d,
        products: signature.products,
        rounding,
        nan: NanCode::Quiet,
    }
}

/// The exact sum of the operands, correctly rounded to the format of the result.
pub(super) fn correctly_rounded<B: Bv>(
    signature: &Signature,
    rounding: Rounding,
    inputs: &Registers<B>,
) -> B {
    exact(signature, rounding).dot_add(inputs.operands(), &mut Stages::new())
}

/// Unsatisfiable iff every finite result is the exact sum, rounded by `rounding`; the two zeros
/// are one number.
pub fn rounds_otherwise<B: Bv>(
    model: &Model,
    rounding: Rounding,
    inputs: &Registers<B>,
) -> B::Bool {
    let format = model.signature().d;
    let result = model.result(inputs);
    let correct = correctly_rounded(&model.signature(), rounding, inputs);
    let same = same_value(&format, &result, &correct);
    unpack(&format, &result).finite().and(&same.not())
}

/// Unsatisfiable iff every finite result is one of the two numbers nearest to the exact sum, or
/// the exact sum itself.
pub fn is_unfaithful<B: Bv>(model: &Model, inputs: &Registers<B>) -> B::Bool {
    let format = model.signature().d;
    let result = model.result(inputs);
    let neighbours = [Rounding::Rd, Rounding::Ru];
    let same = neighbours.map(|rounding| {
        same_value(
            &format,
            &result,
            &correctly_rounded(&model.signature(), rounding, inputs),
        )
    });
    unpack(&format, &result)
        .finite()
        .and(&B::Bool::any(same).not())
}

/// Unsatisfiable iff every sum that the format of the result holds is the result.
pub fn loses_exact_sums<B: Bv>(model: &Model, inputs: &Registers<B>) -> B::Bool {
    let format = model.signature().d;
    let below = correctly_rounded(&model.signature(), Rounding::Rd, inputs);
    let above = correctly_rounded(&model.signature(), Rounding::Ru, inputs);
    let representable = same_value(&format, &below, &above);
    let finite = unpack(&format, &below).finite();
    let same = same_value(&format, &model.result(inputs), &below);
    representable.and(&finite).and(&same.not())
}
