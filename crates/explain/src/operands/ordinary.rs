//! Ordinary operands: normal numbers with exponents near 0, such as a person would write.

use super::of_exponents::number;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Exponents, Format};
use rand::Rng;

/// The exponents of ordinary operands.
const ORDINARY: Exponents = Exponents {
    lowest: -4,
    highest: 4,
};

/// The domain of ordinary operands that models of floating-point numbers take, as text: normal
/// numbers with exponents from -4 to 4; scales are 1. Nothing is assumed of a `c` that no model reads.
pub fn ordinary_domain(models: &[&Model]) -> String {
    let is_conversion = models.iter().any(|model| model.signature().is_conversion());
    let operands: &[&str] = match models.iter().any(|model| model.reads_c()) {
        _ if is_conversion => &["a"],
        true => &["a", "b", "c"],
        false => &["a", "b"],
    };
    let normal = operands.iter().map(|operand| format!("{operand} normal"));
    let exponents = operands
        .iter()
        .map(|operand| format!("{operand} exp {ORDINARY}"));
    let mut domain = normal.chain(exponents).collect::<Vec<_>>().join(", ");
    if models
        .iter()
        .any(|model| model.signature().scales.is_some())
    {
        domain.push_str(", sa = 1, sb = 1");
    }
    domain
}

/// Draws ordinary operands: signs, exponents and significands are uniform among those that the
/// formats have. `None` if a format has no normal numbers with ordinary exponents.
pub fn ordinary_operands(signature: &Signature, rng: &mut impl Rng) -> Option<Inputs> {
    let mut inputs = Inputs::zero(signature);
    let Signature { a, b, c, .. } = signature;
    for (row, format) in [(&mut inputs.a, a), (&mut inputs.b, b)] {
        if row.is_empty() {
            continue;
        }
        let exponents = exponents_of(format)?;
        row.iter_mut()
            .for_each(|register| *register = number(format, exponents, rng));
    }
    if !signature.is_conversion() {
        inputs.c = number(c, exponents_of(c)?, rng);
    }
    fill_scales_with_one(&mut inputs, signature);
    Some(inputs)
}

/// Replaces the block scales of both factors, if there are any, by 1.
pub fn fill_scales_with_one(inputs: &mut Inputs, signature: &Signature) {
    if let Some(scales) = signature.scales {
        let one = scales.format.register(0, 0, false);
        inputs.a_scales.fill(one);
        inputs.b_scales.fill(one);
    }
}

/// The ordinary exponents that normal numbers of the format have; `None` if there are none.
fn exponents_of(format: &Format) -> Option<Exponents> {
    let of_format = Exponents::normal(format);
    let exponents = Exponents {
        lowest: ORDINARY.lowest.max(of_format.lowest),
        highest: ORDINARY.highest.min(of_format.highest),
    };
    (exponents.lowest <= exponents.highest).then_some(exponents)
}
