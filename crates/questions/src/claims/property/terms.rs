//! The terms of an exact sum, and results to compare with this sum, as fixed-point numbers in one
//! unit, so that errors are compared without rounding.

use mmasmt_core::machines::algorithms::{
    Alignment, BlockScales, Exact, Registers, Signature, Stages,
};
use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::float::{Format, NanCode, Rounding, convert, unsigned_width};

/// Numbers in two's complement, all with the same width and the same last place. If an operand or a
/// result is an infinity or a NaN, these numbers mean nothing.
pub(super) struct ExactTerms<B: Instance> {
    /// The products and `c`.
    terms: Vec<B>,
    /// The results that were given, in the unit of the terms.
    pub results: Vec<B>,
}

impl<B: Instance> ExactTerms<B> {
    /// The terms of operands of `signature`, and the given `results`, each with its format.
    pub fn of(signature: &Signature, inputs: &Registers<B>, results: &[(Format, B)]) -> Self {
        let formats = [signature.a, signature.b, signature.c];
        let formats = formats
            .into_iter()
            .chain(results.iter().map(|(format, _)| *format));
        let common = common(formats);
        let widened = |format: &Format, register: &B| {
            convert(format, &common, Rounding::Rz, NanCode::Quiet, register)
        };
        let one = B::lit(common.width(), common.one());
        let row = |format: &Format, row: &[B]| -> Vec<B> {
            row.iter()
                .map(|register| widened(format, register))
                .collect()
        };
        // The products of a and b; then c and all results, each times 1.
        let (mut a, mut b) = (row(&signature.a, &inputs.a), row(&signature.b, &inputs.b));
        a.push(widened(&signature.c, &inputs.c));
        a.extend(
            results
                .iter()
                .map(|(format, result)| widened(format, result)),
        );
        b.resize(a.len(), one);
        let c = B::lit(common.width(), 0);
        let scales = signature.scales;
        let [a_scales, b_scales] = [&inputs.a_scales, &inputs.b_scales]
            .map(|row| scales.map_or(Vec::new(), |scales| each(signature, &scales, row, a.len())));
        let exact = Exact {
            a: common,
            b: common,
            c: common,
            out: common,
            products: a.len() as u32,
            scales: scales.map(|scales| BlockScales { block: 1, ..scales }),
            rounding: Rounding::Rz,
            nan: NanCode::Quiet,
            alignment: Alignment::default(),
        };
        let count = a.len();
        let operands = Registers {
            a,
            b,
            c,
            a_scales,
            b_scales,
        };
        let stage = exact.sum(operands.operands(), &mut Stages::new());
        // The width of the sum, which has room for all terms, and room for double the sum.
        let width = stage.sum.width() + 2;
        let mut terms: Vec<B> = stage.aligned[..count].to_vec();
        for term in &mut terms {
            *term = term.sext(width.max(term.width()));
        }
        let results = terms.split_off(signature.products as usize + 1);
        ExactTerms { terms, results }
    }

    /// The given numbers, of several formats, as results in one unit; the sum of the terms is zero.
    pub fn of_registers(registers: &[(Format, B)]) -> Self {
        let none = Registers::new(Vec::new(), Vec::new(), B::lit(Format::F32.width(), 0));
        let signature = Signature {
            a: Format::F32,
            b: Format::F32,
            c: Format::F32,
            d: Format::F32,
            products: 0,
            scales: None,
        };
        ExactTerms::of(&signature, &none, registers)
    }

    /// The exact sum of the terms.
    pub fn sum(&self) -> B {
        B::sum(&self.terms)
    }

    /// The sum of the magnitudes of all terms.
    pub fn magnitude(&self) -> B {
        let magnitudes: Vec<B> = self.terms.iter().map(magnitude).collect();
        B::sum(&magnitudes)
    }
}

/// The scale of each product, followed by scales of 1; `count` scales in all.
fn each<B: Instance>(
    signature: &Signature,
    scales: &BlockScales,
    row: &[B],
    count: usize,
) -> Vec<B> {
    let products = (0..signature.products as usize).map(|k| k / scales.block as usize);
    let mut each: Vec<B> = products
        .filter_map(|block| row.get(block).cloned())
        .collect();
    each.resize(count, B::lit(scales.format.width(), scales.format.one()));
    each
}

/// The magnitude of a number in two's complement.
pub(super) fn magnitude<B: Instance>(number: &B) -> B {
    number.neg_if(&number.msb())
}

/// True if `error > mantissa * 2^exponent * of`, where `error` and `of` are magnitudes.
pub(super) fn exceeds<B: Instance>(error: &B, (mantissa, exponent): (u64, i64), of: &B) -> B::Bool {
    let [left, right] = [(-exponent).max(0), exponent.max(0)].map(|places| places as u32);
    let bits = unsigned_width(mantissa);
    let width = (error.width() + left).max(of.width() + right + bits) + 1;
    let left = error.widen_low(left).zext(width);
    let right = of.widen_low(right).zext(width);
    let right = right.mul(&B::lit(bits, mantissa).zext(width));
    right.ult(&left)
}

/// A format that has all numbers of the given formats.
fn common(formats: impl Iterator<Item = Format>) -> Format {
    let is_in_f32 = |format: Format| format.width() <= 32;
    match formats.map(is_in_f32).reduce(|all, one| all && one) {
        Some(true) | None => Format::F32,
        Some(false) => Format::F64,
    }
}
