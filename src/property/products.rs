//! A product on the way to the result is not exact.

use super::values::same_value;
use crate::algorithms::{DotAdd, Fused, Order, Registers, Step};
use crate::bits::{Bv, Prop, mux};
use crate::float::{Arithmetic, Format, NanCode, Rounding, ieee_multiply, unpack};
use crate::model::{Model, Operation};

/// Unsatisfiable iff every product that the stages show is the exact product of its factors.
///
/// Asked of models that [show them](shows_products).
pub fn has_inexact_products<B: Bv>(model: &Model, inputs: &Registers<B>) -> B::Bool {
    let signature = model.signature();
    let factors = [&signature.a, &signature.b];
    let (_, stages) = model.evaluate(inputs);
    let products_of_link = model.algorithm().first().signature().products as usize;
    let mut inexact: Vec<B::Bool> = Vec::new();
    for step in stages.steps() {
        // Every link of a chain numbers its products from 0.
        let link = inexact.len() / products_of_link;
        let start = link * products_of_link;
        match step {
            Step::Fused(fused) if fused.grid.term == "product" => {
                let others = usize::from(fused.grid.last_term.is_some());
                for index in 0..fused.terms.len() - others {
                    let k = start + fused.grid.first + fused.grid.step * index;
                    let (a, b) = (&inputs.a[k], &inputs.b[k]);
                    inexact.push(is_inexact_term(fused, index, factors, a, b));
                }
            }
            Step::Rounded {
                what: "product",
                index: Some(k),
                format,
                value,
            } => {
                let (a, b) = (&inputs.a[start + k], &inputs.b[start + k]);
                inexact.push(is_rounded(factors, format, a, b, value));
            }
            _ => {}
        }
    }
    B::Bool::any(inexact)
}

/// Whether the stages of the model show its products as they are.
pub fn shows_products(model: &Model) -> bool {
    match model.algorithm().first() {
        Operation::Fda(_) | Operation::Fdrda(_) | Operation::Gfdrda(_) | Operation::Gps(_) => true,
        Operation::Ieee(ieee) => matches!(ieee.order, Order::Sequential | Order::Pairwise),
        Operation::Hmma8(_) | Operation::Sfma(_) | Operation::Gdfs(_) | Operation::Exact(_) => {
            false
        }
    }
}

/// Whether a term has not the value of the product of `a` and `b`, which are finite: both brought
/// to a leading one have another significand or another exponent.
fn is_inexact_term<B: Bv>(
    fused: &Fused<B>,
    index: usize,
    factors: [&Format; 2],
    a: &B,
    b: &B,
) -> B::Bool {
    let (x, y) = (unpack(factors[0], a), unpack(factors[1], b));
    let (term, own_exponent) = (&fused.terms[index], &fused.exponents[index]);
    let product = x.significand.mul_wide(&y.significand);
    let width = own_exponent.width() + 8;
    let normal = |significand: &B, exponent: B| {
        let (normal, zeros) = significand.normalise(width);
        (normal, exponent.sub(&zeros))
    };
    // The exponent of the highest bit of each, counted from the same.
    let integer_bits = i64::from(term.significand.width() - fused.grid.term_fraction);
    let own = own_exponent
        .zext(width)
        .add_const(i64::from(fused.grid.exponent_offset) + integer_bits);
    let exact = x
        .exponent
        .zext(width)
        .add(&y.exponent.zext(width))
        .add_const(2 - (factors[0].field_of(0) + factors[1].field_of(0)));
    let (found, found_exponent) = normal(&term.significand, own);
    let (expected, expected_exponent) = normal(&product, exact);
    let same_number = found
        .equals(&expected)
        .and(&found_exponent.equals(&expected_exponent));
    let zero = product.is_zero();
    let same = mux(&zero, &term.significand.is_zero(), &same_number);
    same.not().and(&x.finite()).and(&y.finite())
}

/// Whether a rounded product is not exact.
fn is_rounded<B: Bv>(factors: [&Format; 2], format: &Format, a: &B, b: &B, value: &B) -> B::Bool {
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
