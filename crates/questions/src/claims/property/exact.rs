//! The exact sum of operands, as properties compare it with the result.

use super::symbolic::all_finite;
use super::values::same_value;
use mmasmt_core::machines::algorithms::{
    Alignment, Exact, Operation, Registers, Signature, Stages,
};
use mmasmt_core::machines::model::{Algorithm, Instance, Model};
use mmasmt_numbers::bits::Prop;
use mmasmt_numbers::float::{Dyadic, Format, NanCode, Rounding, parse_value, unpack};

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
        alignment: Alignment::default(),
    }
}

/// The exact sum of the operands, rounded once to the format of the result.
pub(super) fn correctly_rounded<B: Instance>(
    signature: &Signature,
    rounding: Rounding,
    inputs: &Registers<B>,
) -> B {
    rounded(exact(signature, rounding), inputs)
}

fn rounded<B: Instance>(exact: Exact, inputs: &Registers<B>) -> B {
    let exact = Algorithm::Operation(Operation::Exact(exact));
    B::run(&exact, inputs.operands(), &mut Stages::forgotten())
}

/// The exponent that the unit aligns the terms of its sum to, if it is one sum.
fn alignment(model: &Model) -> Alignment {
    match model.algorithm().operation() {
        Some((unit, 1)) => unit
            .description()
            .map_or_else(Alignment::default, |unit| Alignment::of(unit.program())),
        _ => Alignment::default(),
    }
}

/// True if the operands and the result are finite.
pub(super) fn is_finite<B: Instance>(
    signature: &Signature,
    inputs: &Registers<B>,
    result: &B,
) -> B::Bool {
    let finite = unpack(&signature.d, result).finite();
    finite.and(&all_finite(signature, inputs))
}

/// Unsatisfiable iff the result is the exact sum for all finite operands whose exact sum the format
/// of the result represents.
pub fn loses_exact_sums<B: Instance>(model: &Model, inputs: &Registers<B>) -> B::Bool {
    let signature = model.signature();
    let sum = HeldSum::aligned(&signature, inputs, alignment(model));
    let same = same_value(&signature.d, &model.result(inputs), &sum.register);
    sum.held.and(&same.not())
}

/// The exact sum in the format of the result, and whether the format represents it.
pub(super) struct HeldSum<B: Instance> {
    /// The exact sum, rounded down.
    pub register: B,
    /// True if `register` is the exact sum, and all operands are finite.
    pub held: B::Bool,
}

impl<B: Instance> HeldSum<B> {
    pub fn of(signature: &Signature, inputs: &Registers<B>) -> Self {
        HeldSum::aligned(signature, inputs, Alignment::default())
    }

    fn aligned(signature: &Signature, inputs: &Registers<B>, alignment: Alignment) -> Self {
        let format = &signature.d;
        let rounded = |rounding| {
            let exact = Exact {
                alignment,
                ..exact(signature, rounding)
            };
            rounded(exact, inputs)
        };
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

/// True if the exact sum exceeds, in magnitude, the greatest number of the result's format. False
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
