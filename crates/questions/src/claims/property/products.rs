//! The violation of `exact-products`: a product is not exact. Also tells which models show their
//! products among their stages.

use super::values::same_value;
use mmasmt_core::machines::algorithms::{DotAdd, Fused, Inputs, Registers, Step};
use mmasmt_core::machines::model::Instance;
use mmasmt_core::machines::model::Model;
use mmasmt_core::numbers::bits::{Prop, Shape, mux};
use mmasmt_core::numbers::float::{Arithmetic, Format, NanCode, Rounding, ieee_multiply, unpack};

/// Unsatisfiable iff, wherever factors and scales are finite, every product in the stages is the
/// exact product of its factors and their scales.
///
/// Call this only for models that [show their products](shows_products).
pub fn has_inexact_products<B: Instance>(model: &Model, inputs: &Registers<B>) -> B::Bool {
    let signature = model.signature();
    let factors = [&signature.a, &signature.b];
    let (_, stages) = model.evaluate(inputs);
    let Some(products_of_link) = products_of_link(model) else {
        return B::Bool::constant(true);
    };
    let mut inexact: Vec<B::Bool> = Vec::new();
    for step in stages.steps() {
        // Every link of a chain numbers its products from 0.
        let link = inexact.len() / products_of_link;
        let start = link * products_of_link;
        match step {
            Step::Fused(fused) if fused.grid.term == "product" => {
                for (index, number) in product_numbers(step).into_iter().enumerate() {
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

/// The number of products of one link of a chain. `None` for a composition, which shows the
/// products of its parts, not its own.
fn products_of_link(model: &Model) -> Option<usize> {
    let (operation, _) = model.algorithm().operation()?;
    Some(operation.signature().products as usize)
}

/// Whether the stages of the model show each of its products once, with its own number.
pub fn shows_products(model: &Model) -> bool {
    shows_each_once(model, |_| true)
}

/// Whether the stages of the model show each of its products once, as a term of a fused sum.
pub(super) fn aligns_products(model: &Model) -> bool {
    shows_each_once(model, |step| matches!(step, Step::Fused(_)))
}

/// Whether the steps that are wanted show each product of the model once. Stages have the same
/// structure for all values, so that one run on shapes, which have no values, is enough.
fn shows_each_once(model: &Model, is_wanted: impl Fn(&Step<Shape>) -> bool) -> bool {
    let signature = model.signature();
    let shapes = Inputs::zero(&signature).lifted::<Shape>(&signature);
    let (_, stages) = model.evaluate(&shapes);
    let steps = stages.steps().iter().filter(|step| is_wanted(step));
    let shown: Vec<usize> = steps.flat_map(product_numbers).collect();
    // Every link of a chain numbers its products from 0.
    let Some(of_link) = products_of_link(model) else {
        return false;
    };
    let is_whole = |link: &[usize]| (0..of_link).all(|k| link.contains(&k));
    shown.len() == signature.products as usize && shown.chunks(of_link).all(is_whole)
}

/// The numbers of the products that a step shows.
fn product_numbers<B: Instance>(step: &Step<B>) -> Vec<usize> {
    match step {
        Step::Fused(fused) if fused.grid.term == "product" => {
            let others = usize::from(fused.grid.last_term.is_some());
            let indices = 0..fused.terms.len() - others;
            let number = |index| fused.grid.first + fused.grid.step * index;
            indices.map(number).collect()
        }
        Step::Rounded {
            what: "product",
            index: Some(k),
            ..
        } => vec![*k],
        _ => Vec::new(),
    }
}

/// Whether the value of a term differs from the product of its factors and scales, where these are
/// finite. The two numbers are normalised; then their significands and exponents are compared.
fn is_inexact_term<B: Instance>(
    fused: &Fused<B>,
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

/// Whether `value`, a rounded product, is not the exact product of its finite factors.
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

#[cfg(test)]
mod tests {
    use super::{aligns_products, shows_products};
    use mmasmt_core::machines::model::Model;

    #[test]
    fn stages_tell_which_models_show_products() {
        for (model, shows, aligns) in [
            ("fda:K=4,chain=2", true, true),
            ("gfdrda", true, true),
            ("exact", true, true),
            ("gps", true, false),
            ("ieee:order=pairwise", true, false),
            ("ieee:order=fma", false, false),
            ("sfma", false, false),
            ("gdfs", false, false),
            // The two halves of hmma8 each number their products from 0, and interleave them.
            ("hmma8", false, false),
        ] {
            let found = Model::parse(model).unwrap();
            let found = (shows_products(&found), aligns_products(&found));
            assert_eq!(found, (shows, aligns), "{model}");
        }
    }
}
