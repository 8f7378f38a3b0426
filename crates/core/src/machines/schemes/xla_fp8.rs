//! `BF16_BF16_FP8X3` and `_X4` of XLA (algorithm_util.cc): every row is scaled by a power of two,
//! each number is split into two e4m3, the second times 2^4, and each product of parts is a whole
//! dot product.

use super::ootomo_yokota::SmallProducts;
use super::parts::Processor;
use super::xla::AddendRule;
use crate::machines::algorithms::DotAdd;
use crate::machines::sums::{Operator, PartRounding, RegisterSums, Splitting, Sums};
use mmasmt_numbers::bits::Bv;
use mmasmt_numbers::float::{Format, Rounding};
use std::convert::Infallible;

/// The scheme, which computes `(hi hi + (hi lo + lo hi) / 2^4) 2^S_a 2^S_b`, where the largest
/// number of a row times `2^-S` lies in `[128, 256)`. A row has the numbers of this one dot product
/// only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XlaFp8 {
    /// Whether `lo lo / 2^8` is added (X4).
    pub low: SmallProducts,
    /// Whether `c` is added to the result; XLA leaves this addition to another operation.
    pub addend: AddendRule,
}

/// The register of 1e-30. The largest magnitude of a row counts as at least this number.
const LEAST: u64 = 0x0da2_4260;

/// A row, multiplied by a power of two and split into two parts.
struct ScaledRow<B> {
    high: Vec<B>,
    low: Vec<B>,
    /// The power of two that undoes the scaling.
    back: B,
}

impl XlaFp8 {
    pub(super) fn dot_add<A: DotAdd, B: Bv>(&self, on: &mut RegisterSums<'_, A, B>) -> B {
        let unit = on.unit.signature();
        let mut on = Processor { on, unit };
        let Ok(sum) = self.sum(&mut on);
        sum
    }

    fn sum<A: DotAdd, B: Bv>(
        &self,
        on: &mut Processor<'_, RegisterSums<'_, A, B>>,
    ) -> Result<B, Infallible> {
        let [a, b] = on.on.factors()?;
        let (a, b) = (scaled(on, &a)?, scaled(on, &b)?);
        let all = 0..on.count();

        let main = on.dot(("high high", None), [&a.high, &b.high], all.clone())?;
        let high_low = on.dot(("high low", None), [&a.high, &b.low], all.clone())?;
        let low_high = on.dot(("low high", None), [&a.low, &b.high], all.clone())?;
        let small = on.add(("high low + low high", None), &high_low, &low_high)?;
        let small = on.scale(("scaled back", None), &small, -4)?;
        let mut sum = on.add(("sum with high low + low high", None), &main, &small)?;
        if self.low == SmallProducts::Kept {
            let low = on.dot(("low low", None), [&a.low, &b.low], all)?;
            let low = on.scale(("scaled back", None), &low, -8)?;
            sum = on.add(("sum with low low", None), &sum, &low)?;
        }
        for (what, back) in [("times scale of a", &a.back), ("times scale of b", &b.back)] {
            let multiply = Operator::Multiply(Rounding::Rne);
            sum = on.core((what, None), multiply, &[&sum, back])?;
        }
        match self.addend {
            AddendRule::None => Ok(sum),
            AddendRule::Outside => {
                let c = on.c()?;
                on.add(("c added", None), &sum, &c)
            }
        }
    }
}

fn scaled<A: DotAdd, B: Bv>(
    on: &mut Processor<'_, RegisterSums<'_, A, B>>,
    row: &[B],
) -> Result<ScaledRow<B>, Infallible> {
    let f32 = Format::F32;
    let below_sign = f32.width() - 2;
    let mut magnitudes = vec![B::lit(below_sign + 1, LEAST)];
    magnitudes.extend(row.iter().map(|x| x.extract(below_sign, 0)));
    let field = B::umax(&magnitudes).extract(below_sign, f32.fraction_bits);
    // The register of a power of two is its exponent field above zeros. The exponent field of the
    // largest number is 127 + S + 7; from 1e-30 up, both powers are normal numbers.
    let register = |field: &B| field.widen_low(f32.fraction_bits).zext(f32.width());
    let wide = field.zext(field.width() + 1);
    let twice_bias_and_7 = B::lit(wide.width(), 2 * 127 + 7);
    let down = twice_bias_and_7.sub(&wide).resize(field.width());
    let (down, back) = (register(&down), register(&field.add_const(-7)));

    let mut scaled = Vec::with_capacity(row.len());
    for (k, x) in row.iter().enumerate() {
        let multiply = Operator::Multiply(Rounding::Rne);
        scaled.push(on.core(("scaled", Some(k)), multiply, &[x, &down])?);
    }
    let splitting = Splitting {
        format: Format::E4M3,
        parts: &[
            ("high part", PartRounding::Rne),
            ("low part", PartRounding::Rne),
        ],
        scale: 4,
    };
    let mut rows = on.on.split(&splitting, &scaled)?;
    let low = rows.remove(1);
    Ok(ScaledRow {
        high: rows.remove(0),
        low,
        back,
    })
}
