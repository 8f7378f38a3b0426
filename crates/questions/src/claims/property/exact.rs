//! The violation of properties that compare the result with the exact sum.

use super::symbolic::all_finite;
use super::values::same_value;
use mmasmt_core::machines::algorithms::{Exact, Inputs, Operation, Registers, Signature, Stages};
use mmasmt_core::machines::model::{Algorithm, Instance, Model};
use mmasmt_core::numbers::bits::Prop;
use mmasmt_core::numbers::float::{
    Dyadic, Format, NanCode, Rounding, convert, parse_value, unpack,
};

/// The reference model that rounds the exact sum of operands of `signature` to the format of the
/// result.
pub(super) fn exact(signature: &Signature, rounding: Rounding) -> Exact {
    Exact {
        a: signature.a,
        b: signature.b,
        c: signature.c,
        out: signature.d,
        products: signature.products,
        scales: signature.scales,
        rounding,
        nan: NanCode::Quiet,
    }
}

/// The exact sum of the operands, rounded once to the format of the result.
pub(super) fn correctly_rounded<B: Instance>(
    signature: &Signature,
    rounding: Rounding,
    inputs: &Registers<B>,
) -> B {
    let exact = Algorithm::Operation(Operation::Exact(exact(signature, rounding)));
    B::run(&exact, inputs.operands(), &mut Stages::forgotten())
}

/// Unsatisfiable iff every finite result for finite operands is the exact sum, rounded by
/// `rounding`. The two zeros count as equal.
pub fn rounds_otherwise<B: Instance>(
    model: &Model,
    rounding: Rounding,
    inputs: &Registers<B>,
) -> B::Bool {
    let signature = model.signature();
    let result = model.result(inputs);
    let correct = correctly_rounded(&signature, rounding, inputs);
    let same = same_value(&signature.d, &result, &correct);
    is_finite(&signature, inputs, &result).and(&same.not())
}

/// Unsatisfiable iff every finite result for finite operands is the exact sum, rounded to nearest
/// even in `format`. The format of the result must have all numbers of `format`. The two zeros
/// count as equal.
pub fn recovers_otherwise<B: Instance>(
    model: &Model,
    format: &Format,
    inputs: &Registers<B>,
) -> B::Bool {
    let signature = model.signature();
    let rounded_there = Signature {
        d: *format,
        ..signature
    };
    let result = model.result(inputs);
    let correct = correctly_rounded(&rounded_there, Rounding::Rne, inputs);
    let correct = convert(format, &signature.d, Rounding::Rz, NanCode::Quiet, &correct);
    let same = same_value(&signature.d, &result, &correct);
    is_finite(&signature, inputs, &result).and(&same.not())
}

/// Unsatisfiable iff every finite result for finite operands is one of the two numbers nearest to
/// the exact sum, or the exact sum itself.
pub fn is_unfaithful<B: Instance>(model: &Model, inputs: &Registers<B>) -> B::Bool {
    let signature = model.signature();
    let result = model.result(inputs);
    let neighbours = [Rounding::Rd, Rounding::Ru];
    let same = neighbours.map(|rounding| {
        let neighbour = correctly_rounded(&signature, rounding, inputs);
        same_value(&signature.d, &result, &neighbour)
    });
    is_finite(&signature, inputs, &result).and(&B::Bool::any(same).not())
}

/// Whether the operands and the result are finite.
fn is_finite<B: Instance>(signature: &Signature, inputs: &Registers<B>, result: &B) -> B::Bool {
    let finite = unpack(&signature.d, result).finite();
    finite.and(&all_finite(signature, inputs))
}

/// Unsatisfiable iff the result is the exact sum for all finite operands whose exact sum the format
/// of the result represents.
pub fn loses_exact_sums<B: Instance>(model: &Model, inputs: &Registers<B>) -> B::Bool {
    let signature = model.signature();
    let sum = HeldSum::of(&signature, inputs);
    let same = same_value(&signature.d, &model.result(inputs), &sum.register);
    sum.held.and(&same.not())
}

/// The exact sum in the format of the result, and whether the format represents it.
pub(super) struct HeldSum<B: Instance> {
    /// The exact sum, rounded down.
    pub register: B,
    /// Whether `register` is the exact sum, and all operands are finite.
    pub held: B::Bool,
}

impl<B: Instance> HeldSum<B> {
    pub fn of(signature: &Signature, inputs: &Registers<B>) -> Self {
        let format = &signature.d;
        let rounded = |rounding| correctly_rounded(signature, rounding, inputs);
        let (below, above) = (rounded(Rounding::Rd), rounded(Rounding::Ru));
        let parts = [
            same_value(format, &below, &above),
            unpack(format, &below).finite(),
            all_finite(signature, inputs),
            saturates(signature, inputs).not(),
        ];
        HeldSum {
            register: below,
            held: B::Bool::all(parts),
        }
    }
}

/// Whether the exact sum exceeds, in magnitude, the greatest number of the result's format. False
/// if that format has an infinity or a NaN.
fn saturates<B: Instance>(signature: &Signature, inputs: &Registers<B>) -> B::Bool {
    let format = &signature.d;
    if format.beyond_finite() != format.max_finite() {
        return B::Bool::constant(false);
    }
    // Formats without an infinity and a NaN are small: f32 represents all of their numbers, and
    // greater ones.
    let wide = Signature {
        d: Format::F32,
        ..*signature
    };
    let Some(greatest) = Dyadic::of(format, format.greatest())
        .and_then(|greatest| parse_value(&Format::F32, &greatest.to_string()).ok())
    else {
        return B::Bool::constant(false);
    };
    let away = correctly_rounded(&wide, Rounding::Ra, inputs);
    let bits = Format::F32.width_below_sign();
    let magnitude = away.extract(bits - 1, 0);
    B::lit(bits, greatest).ult(&magnitude)
}

/// Unsatisfiable iff the unit accumulates as precisely as registers of `format`
/// (Valpey et al., Property 1): if `c` and each partial sum `c + p0 + ... + pk` are numbers
/// of `format`, and the format of the result has the whole sum, then the result is the whole sum.
pub fn loses_partial_sums<B: Instance>(
    model: &Model,
    format: &Format,
    inputs: &Registers<B>,
) -> B::Bool {
    let signature = model.signature();
    let mut step = Signature {
        d: *format,
        products: 1,
        ..signature
    };
    let mut fits = Vec::with_capacity(inputs.a.len() + 1);
    let mut partial = inputs.c.clone();
    let nothing = Inputs::zero(&step).lifted(&step);
    let products = (0..inputs.a.len()).map(|k| product(&signature, inputs, k));
    for mut operands in std::iter::once(nothing).chain(products) {
        operands.c = partial;
        let sum = HeldSum::of(&step, &operands);
        fits.push(sum.held);
        partial = sum.register;
        step.c = *format;
    }
    B::Bool::all(fits).and(&loses_exact_sums(model, inputs))
}

/// The operands of a dot-add of one product: product number `k` with its scales, and the same `c`.
fn product<B: Instance>(signature: &Signature, inputs: &Registers<B>, k: usize) -> Registers<B> {
    let block = signature.scales.map(|scales| k / scales.block as usize);
    let scale = |row: &[B]| block.and_then(|block| row.get(block)).cloned();
    Registers {
        a: inputs.a.get(k).cloned().into_iter().collect(),
        b: inputs.b.get(k).cloned().into_iter().collect(),
        c: inputs.c.clone(),
        a_scales: scale(&inputs.a_scales).into_iter().collect(),
        b_scales: scale(&inputs.b_scales).into_iter().collect(),
    }
}
