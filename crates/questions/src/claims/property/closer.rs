//! Errors of two models, compared exactly.

use super::counterpart::Counterpart;
use super::symbolic::all_finite;
use super::terms::{ExactTerms, magnitude};
use super::trial::Trial;
use mmasmt_core::machines::algorithms::{Registers, Signature};
use mmasmt_core::machines::model::{Instance, Model};
use mmasmt_numbers::bits::{Big, Prop};
use mmasmt_numbers::float::{
    Arithmetic, Format, NanCode, Rounding, convert, ieee_add, ieee_multiply, unpack,
};

/// The sum that errors are measured from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrueSum {
    /// The exact sum.
    Exact,
    /// The sum of `c` and the products in their order, where each product and each sum is rounded
    /// to nearest in f64. It stands for the exact sum in Valpey et al. §6.
    F64,
}

impl TrueSum {
    /// The sum that a property of this name speaks of.
    pub(super) fn named(property: &str) -> TrueSum {
        match property.ends_with("-f64") {
            true => TrueSum::F64,
            false => TrueSum::Exact,
        }
    }
}

/// The result of the other model, and the sums that errors are measured from.
pub(super) fn beside_errors(by: &Trial<Big>, other: &Model, from: TrueSum) -> Vec<Counterpart> {
    let mut beside = vec![by.other_model(other)];
    if let TrueSum::F64 = from {
        let signature = by.signature();
        let sum = f64_sum(&signature, by.inputs);
        let (nearest, nan) = (Rounding::Rne, NanCode::Quiet);
        let sum = convert(&Format::F64, &signature.d, nearest, nan, &sum);
        beside.push(Counterpart::new("the sum in f64, to nearest", &sum));
    }
    beside.push(by.exact_sum("the exact sum, to nearest", Rounding::Rne));
    beside
}

/// Unsatisfiable iff the error of `model` is at most the error of `other` for all finite operands
/// for which both results are finite. The errors are distances from the true sum, compared exactly.
pub fn is_worse<B: Instance>(
    model: &Model,
    other: &Model,
    from: TrueSum,
    inputs: &Registers<B>,
) -> B::Bool {
    let signature = model.signature();
    let results = [model, other].map(|model| (model.signature().d, model.result(inputs)));
    let finite = results
        .iter()
        .map(|(format, result)| unpack(format, result).finite());
    let finite = B::Bool::all(finite).and(&all_finite(&signature, inputs));
    let (sum, results, known) = match from {
        TrueSum::Exact => {
            let terms = ExactTerms::of(&signature, inputs, &results);
            (terms.sum(), terms.results, finite)
        }
        TrueSum::F64 => {
            let sum = f64_sum(&signature, inputs);
            let known = finite.and(&unpack(&Format::F64, &sum).finite());
            let [one, two] = results;
            let registers = [one, two, (Format::F64, sum)];
            let mut results = ExactTerms::of_registers(&registers).results;
            let sum = results.pop().unwrap_or_else(|| B::lit(1, 0));
            (sum, results, known)
        }
    };
    let errors: Vec<B> = results
        .iter()
        .map(|result| magnitude(&result.sub(&sum)))
        .collect();
    match &errors[..] {
        [own, other] => other.ult(own).and(&known),
        _ => B::Bool::constant(true),
    }
}

/// The sum of `c` and the products in their order, where each product and each sum is rounded to
/// nearest in f64.
fn f64_sum<B: Instance>(signature: &Signature, inputs: &Registers<B>) -> B {
    let f64 = Format::F64;
    let factor = |own: Format| signature.scales.map_or(own, |_| f64);
    let to = Arithmetic {
        format: f64,
        rounding: Rounding::Rne,
        nan: NanCode::Quiet,
    };
    let c = convert(&signature.c, &f64, Rounding::Rne, NanCode::Quiet, &inputs.c);
    let (a, b) = match signature.scales {
        None => (inputs.a.clone(), inputs.b.clone()),
        Some(scales) => {
            // The product of a factor and its scale is exact: together, they have fewer bits than
            // f64, and far smaller exponents.
            let scaled = |format: &Format, row: &[B], scale_row: &[B]| -> Vec<B> {
                let of_block = |k: usize| scale_row.get(k / scales.block as usize);
                let scaled = row.iter().enumerate().filter_map(|(k, x)| {
                    let factors = [format, &scales.format];
                    Some(ieee_multiply(&to, factors, x, of_block(k)?))
                });
                scaled.collect()
            };
            (
                scaled(&signature.a, &inputs.a, &inputs.a_scales),
                scaled(&signature.b, &inputs.b, &inputs.b_scales),
            )
        }
    };
    let factors = [signature.a, signature.b].map(factor);
    a.iter().zip(&b).fold(c, |sum, (x, y)| {
        let product = ieee_multiply(&to, [&factors[0], &factors[1]], x, y);
        ieee_add(&f64, to.rounding, to.nan, &sum, &product)
    })
}
