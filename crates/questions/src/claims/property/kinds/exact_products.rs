//! `exact-products`: every product on the way is exact.

use crate::claims::property::products::{products_of_link, shown, shows_products};
use crate::claims::property::values::same_value;
use crate::claims::property::{ClaimError, Meaning, PropertyDoc, PropertyText, Trial};
use mmasmt_core::machines::algorithms::{FusedStages, Step};
use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::bits::{Prop, mux};
use mmasmt_numbers::float::{Arithmetic, Format, NanCode, Rounding, ieee_multiply, unpack};

pub(super) const DOC: PropertyDoc =
    PropertyDoc::new("exact-products", "every finite product on the way is exact");

/// Wherever factors and scales are finite, every product in the stages is the exact product of its
/// factors and their scales. Only for models that [show their products](shows_products).
#[derive(Clone, Debug)]
pub struct ExactProducts;

impl Meaning for ExactProducts {
    fn read(text: &PropertyText) -> Result<Self, ClaimError> {
        match shows_products(text.model) {
            true => Ok(ExactProducts),
            false => Err(text.unfit("it shows no products on its way")),
        }
    }

    fn is_violated<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
        let (model, inputs, signature) = (by.model, by.inputs, by.signature());
        let factors = [&signature.a, &signature.b];
        let (_, stages) = model.evaluate(inputs);
        let Some(products_of_link) = products_of_link(model) else {
            return B::Bool::constant(true);
        };
        let mut inexact: Vec<B::Bool> = Vec::new();
        for (step, shown) in shown(model, stages.steps()) {
            // Every link of a chain numbers its products from 0.
            let link = inexact.len() / products_of_link;
            let start = link * products_of_link;
            match step {
                Step::Fused(fused) => {
                    for (index, number) in shown {
                        let k = start + number;
                        let (a, b) = (&inputs.a[k], &inputs.b[k]);
                        let scales = signature.scales.map(|scales| {
                            let block = k / scales.block as usize;
                            let scales_of = [&inputs.a_scales[block], &inputs.b_scales[block]];
                            (scales.format, scales_of)
                        });
                        inexact.push(is_inexact_term(fused, index, factors, [a, b], scales));
                    }
                }
                Step::Rounded { format, value, .. } => {
                    for (_, number) in shown {
                        let (a, b) = (&inputs.a[start + number], &inputs.b[start + number]);
                        inexact.push(is_rounded(factors, format, a, b, value));
                    }
                }
            }
        }
        B::Bool::any(inexact)
    }
}

/// True if the value of a term differs from the product of its factors and scales, where these are
/// finite. The two numbers are normalised; then their significands and exponents are compared.
fn is_inexact_term<B: Instance>(
    fused: &FusedStages<B>,
    index: usize,
    factors: [&Format; 2],
    [a, b]: [&B; 2],
    scales: Option<(Format, [&B; 2])>,
) -> B::Bool {
    let (x, y) = (unpack(factors[0], a), unpack(factors[1], b));
    let (term, own_exponent) = (&fused.terms[index], &fused.exponents[index]);
    let mut product = x.significand.mul_wide(&y.significand);
    let width = own_exponent.width() + 8;
    let mut finite = x.finite().and(&y.finite());
    let mut exponent = x.exponent.zext(width).add(&y.exponent.zext(width));
    let mut highest = 2 - (factors[0].field_of(0) + factors[1].field_of(0));
    if let Some((format, of_block)) = scales {
        for scale in of_block {
            let scale = unpack(&format, scale);
            product = product.mul_wide(&scale.significand);
            exponent = exponent.add(&scale.exponent.zext(width));
            highest += 1 - format.field_of(0);
            finite = finite.and(&scale.finite());
        }
    }
    let normal = |significand: &B, exponent: B| {
        let (normal, zeros) = significand.normalise(width);
        (normal, exponent.sub(&zeros))
    };
    // The exponents of the highest bits of the two numbers, without bias or offset.
    let integer_bits = i64::from(term.significand.width() - fused.grid.term_fraction);
    let own = own_exponent
        .zext(width)
        .add_const(i64::from(fused.grid.exponent_offset) + integer_bits);
    let exact = exponent.add_const(highest);
    let (found, found_exponent) = normal(&term.significand, own);
    let (expected, expected_exponent) = normal(&product, exact);
    let wide = found.width().max(expected.width());
    let [found, expected] = [found, expected].map(|x| x.widen_low(wide - x.width()));
    let same_number = found
        .equals(&expected)
        .and(&found_exponent.equals(&expected_exponent));
    let zero = product.is_zero();
    let same = mux(&zero, &term.significand.is_zero(), &same_number);
    same.not().and(&finite)
}

/// True if `value`, a rounded product, is not the exact product of its finite factors.
fn is_rounded<B: Instance>(
    factors: [&Format; 2],
    format: &Format,
    a: &B,
    b: &B,
    value: &B,
) -> B::Bool {
    let rounded = |rounding| {
        let to = Arithmetic {
            format: *format,
            rounding,
            nan: NanCode::Quiet,
        };
        same_value(format, value, &ieee_multiply(&to, factors, a, b))
    };
    let finite = unpack(factors[0], a)
        .finite()
        .and(&unpack(factors[1], b).finite());
    let exact = rounded(Rounding::Rd).and(&rounded(Rounding::Ru));
    exact.not().and(&finite)
}
