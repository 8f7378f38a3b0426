//! The result against the exact sum.

use super::values::same_value;
use crate::algorithms::{DotAdd, Exact, Registers, Stages};
use crate::bits::{Bv, Prop};
use crate::float::{NanCode, Rounding, unpack};
use crate::model::Model;

/// The exact sum of the model's operands, correctly rounded to the format of its result.
fn correctly_rounded<B: Bv>(model: &Model, rounding: Rounding, inputs: &Registers<B>) -> B {
    let signature = model.signature();
    let exact = Exact {
        a: signature.a,
        b: signature.b,
        c: signature.c,
        out: signature.d,
        products: signature.products,
        rounding,
        nan: NanCode::Quiet,
    };
    exact.dot_add(inputs.operands(), &mut Stages::new())
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
    let correct = correctly_rounded(model, rounding, inputs);
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
            &correctly_rounded(model, rounding, inputs),
        )
    });
    unpack(&format, &result)
        .finite()
        .and(&B::Bool::any(same).not())
}

/// Unsatisfiable iff every sum that the format of the result holds is the result.
pub fn loses_exact_sums<B: Bv>(model: &Model, inputs: &Registers<B>) -> B::Bool {
    let format = model.signature().d;
    let below = correctly_rounded(model, Rounding::Rd, inputs);
    let above = correctly_rounded(model, Rounding::Ru, inputs);
    let representable = same_value(&format, &below, &above);
    let finite = unpack(&format, &below).finite();
    let same = same_value(&format, &model.result(inputs), &below);
    representable.and(&finite).and(&same.not())
}
