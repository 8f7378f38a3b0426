//! Bounds of the errors of schemes, computed sum by sum.

use super::bound::ErrorBound;
use super::factors::Factors;
use super::sums::{Follower, PartProduct, SchemeSum};
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::schemes::{
    AddendRule, CutlassBf16, DotAlgorithm, InputPrecision, Method, ScaledAccumulator, Scheme,
    SmallProducts, SumPlacement,
};
use mmasmt_core::machines::sums::PartRounding;
use mmasmt_numbers::float::Format;

const BIG: PartProduct = (0, 0);
const MIXED: [PartProduct; 2] = [(1, 0), (0, 1)];
const LOW: PartProduct = (1, 1);

/// The bound of a scheme on this unit. `None` if a part may exceed its format, if the scheme scales
/// rows by their largest number, or if the unit has no bound.
pub(super) fn of_scheme(
    scheme: &Scheme,
    unit: &Signature,
    run: &dyn Fn(Factors) -> Option<ErrorBound>,
    factors: Factors,
) -> Option<ErrorBound> {
    let start = |roundings: &[PartRounding], scale| {
        Follower::new((unit, run), scheme.products, factors, (roundings, scale))
    };
    let rne = PartRounding::Rne;
    let kept = |low: SmallProducts| (low == SmallProducts::Kept).then_some(LOW);
    match scheme.method {
        Method::PlainProduct(plain) => {
            let on = start(&[plain.round], 0)?;
            Some(on.bound(&on.chained(&on.c(), &[BIG], 0)?, &[BIG]))
        }
        Method::Markidis(_) => {
            let on = start(&[rne; 2], 0)?;
            let all = [BIG, MIXED[0], MIXED[1], LOW];
            // Blocks of one instruction along k would not change the number of runs of the unit.
            Some(on.bound(&on.chained(&on.c(), &all, 0)?, &all))
        }
        Method::OotomoYokota(method) => {
            let is_tf32 = unit.a == Format::TF32;
            let (rounding, scale, block) = if is_tf32 {
                (method.tf32, 0, 8)
            } else {
                (rne, 11, 16)
            };
            let on = start(&[rounding; 2], scale)?;
            let scale = i64::from(scale);
            let main = match method.main {
                SumPlacement::Inside => on.in_blocks(&on.c(), &[BIG], block, 0)?,
                SumPlacement::Outside => on.blocks_outside(&on.c(), &[BIG], block)?,
            };
            let mut small = on.in_blocks(&on.zero(), &MIXED, block, scale)?;
            if method.low == SmallProducts::Kept {
                let low = on.in_blocks(&on.zero(), &[LOW], block, 2 * scale)?;
                small = on.add(&small, &on.scaled_back(&low, scale));
            }
            let d = on.add(&main, &on.scaled_back(&small, 0));
            let used = [BIG, MIXED[0], MIXED[1]]
                .into_iter()
                .chain(kept(method.low));
            Some(on.bound(&d, &used.collect::<Vec<_>>()))
        }
        Method::Equation24(method) => {
            let on = start(&[rne; 2], 11)?;
            let main = on.chained(&on.zero(), &[BIG], 0)?;
            let mixed = on.chained(&on.zero(), &MIXED, 11)?;
            let mut sum = on.scaled_back(&mixed, 0);
            if method.low == SmallProducts::Kept {
                let low = on.chained(&on.zero(), &[LOW], 22)?;
                sum = on.add(&on.scaled_back(&low, 0), &sum);
            }
            let d = on.add(&on.add(&sum, &main), &on.c());
            let used = [BIG, MIXED[0], MIXED[1]]
                .into_iter()
                .chain(kept(method.low));
            Some(on.bound(&d, &used.collect::<Vec<_>>()))
        }
        Method::CutlassTf32(method) => {
            let on = start(&[method.big, method.small], 0)?;
            let used = [BIG, MIXED[0], MIXED[1]]
                .into_iter()
                .chain(kept(method.low));
            let used: Vec<_> = used.collect();
            Some(on.bound(&on.in_blocks(&on.c(), &used, method.step.into(), 0)?, &used))
        }
        Method::Triton(method) => {
            let (roundings, used): (&[PartRounding], _) = match method.precision {
                InputPrecision::Tf32x3 => (&[PartRounding::Rna, PartRounding::None], pairs(2, 1)),
                InputPrecision::Bf16x3 => (&[rne; 2], pairs(2, 1)),
                InputPrecision::Bf16x6 => (&[rne; 3], pairs(3, 2)),
            };
            let on = start(roundings, 0)?;
            let block = method.block.map_or(on.products, u64::from);
            let d = match method.addend {
                SumPlacement::Inside => on.in_blocks(&on.c(), &used, block, 0)?,
                SumPlacement::Outside => on.blocks_outside(&on.c(), &used, block)?,
            };
            Some(on.bound(&d, &used))
        }
        Method::Xla(method) => {
            let rz = PartRounding::Rz;
            let (roundings, used): (&[PartRounding], _) = match method.algorithm {
                DotAlgorithm::Tf32X3 => (&[rz, PartRounding::None], pairs(2, 1)),
                DotAlgorithm::Bf16X3 => (&[rz, rne], pairs(2, 1)),
                DotAlgorithm::Bf16X6 => (&[rz, rz, rne], pairs(3, 2)),
                DotAlgorithm::Bf16X9 => (&[rz, rz, rne], pairs(3, 4)),
            };
            let on = start(roundings, 0)?;
            let d = dots_added(&on, &on.zero(), &used)?;
            match method.addend {
                AddendRule::None => None,
                AddendRule::Outside => Some(on.bound(&on.add(&d, &on.c()), &used)),
            }
        }
        Method::Words(method) => {
            let words = method.words as usize;
            let used = match method.low {
                SmallProducts::Dropped => pairs(words, words - 1),
                SmallProducts::Kept => pairs(words, 2 * (words - 1)),
            };
            let on = start(&vec![rne; words], 0)?;
            let d = match method.sum {
                SumPlacement::Inside => on.chained(&on.c(), &used, 0)?,
                SumPlacement::Outside => dots_added(&on, &on.c(), &used)?,
            };
            Some(on.bound(&d, &used))
        }
        Method::CutlassBf16(method) if method.addend == AddendRule::Outside => {
            let step = method.step.clamp(1, scheme.products);
            let parts: (&[PartRounding], i32) = (&[PartRounding::RneFinite; 3], 8);
            let block = Follower::new((unit, run), step, factors, parts)?;
            let blocks = scheme.products.div_ceil(step);
            let sum = block.sum_of(&in_bands(&block, &method)?, blocks.into());
            let on = start(parts.0, parts.1)?;
            let used = pairs(3, method.bands as usize - 1);
            Some(on.bound(&on.add(&sum, &on.c()), &used))
        }
        Method::CutlassBf16(_) => None,
        // This scheme scales rows by their largest number.
        Method::XlaFp8(_) => None,
    }
}

/// The pairs `(i, j)` of part numbers below `parts` with `i + j <= most`. Pairs with the greatest
/// `i + j`, which have the smallest products, come first.
fn pairs(parts: usize, most: usize) -> Vec<PartProduct> {
    let all = (0..parts).flat_map(|i| (0..parts).map(move |j| (i, j)));
    let mut pairs: Vec<_> = all.filter(|(i, j)| i + j <= most).collect();
    pairs.sort_by_key(|(i, j)| std::cmp::Reverse(i + j));
    pairs
}

/// `sum` after the products of each pair were summed from +0 by themselves and then added to `sum`
/// outside the unit.
fn dots_added(on: &Follower<'_>, sum: &SchemeSum, pairs: &[PartProduct]) -> Option<SchemeSum> {
    let mut sum = sum.clone();
    for pair in pairs {
        sum = on.add(&sum, &on.chained(&on.zero(), &[*pair], 0)?);
    }
    Some(sum)
}

/// The sum of the products of one block, band by band from +0. The accumulator is multiplied by
/// 2^-8 before each band but the first.
fn in_bands(on: &Follower<'_>, method: &CutlassBf16) -> Option<SchemeSum> {
    let bands = method.bands as usize;
    let all = pairs(3, bands - 1);
    let mut d = on.zero();
    for band in (0..bands).rev() {
        let of_band: Vec<_> = all.iter().copied().filter(|(i, j)| i + j == band).collect();
        let shift = 8 * band as i64;
        if band + 1 < bands {
            d = on.scaled_back(&d, shift);
        }
        d = match method.scaled {
            ScaledAccumulator::Whole => {
                let products = on.chained(&on.zero(), &of_band, shift)?;
                on.add(&d, &products)
            }
            ScaledAccumulator::Cut | ScaledAccumulator::Rounded => {
                on.chained(&d, &of_band, shift)?
            }
        };
    }
    Some(d)
}
