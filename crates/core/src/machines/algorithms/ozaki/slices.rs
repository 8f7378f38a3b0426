//! Ozaki's scheme I with int8 slices, as in ozIMMU (Ootomo, Ozaki, Yokota 2024). Numbers are cut
//! into slices of `b` bits below a row's largest exponent, products of slices are summed exactly,
//! and these sums are added in f64.

use super::row::{F64, OzakiRow, ceil_log2, finished, note, scaled, signature};
use crate::machines::algorithms::{DotAdd, Operands, Signature, Stages};
use mmasmt_numbers::bits::Bv;
use mmasmt_numbers::float::{Arithmetic, NanCode, Rounding, ieee_add, ieee_multiply};

/// Ozaki's scheme I with `s` slices of `b` bits. A number is about `M * sum of s_t * 2^(1 - b*t)`,
/// where `s_t` is its slice `t` and `M` is the least power of two above all magnitudes in the row,
/// but at least 2^-1021. Slice `i` of a number is multiplied by slice `j` of the other factor if
/// `i + j <= s + 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OzakiSlices {
    /// Number of products.
    pub products: u32,
    /// Number of slices.
    pub slices: u32,
    /// Number of bits of a slice without its sign. `None`: as many as sums in int32 allow, 7 at
    /// most.
    pub bits: Option<u32>,
    /// Code of a NaN result.
    pub nan: NanCode,
}

impl OzakiSlices {
    /// The number of bits of a slice without its sign.
    pub fn slice_bits(&self) -> u32 {
        let room = 31u32.saturating_sub(ceil_log2(self.products)) / 2;
        self.bits.unwrap_or(room.min(7))
    }

    /// Whether every sum of products of slices is an int32.
    pub fn sums_fit(&self) -> bool {
        let most = (1u64 << self.slice_bits()) - 1;
        u64::from(self.products) * most * most < 1 << 31
    }

    /// The slices of all numbers of a row, the highest slice first, in two's complement.
    fn slices<B: Bv>(&self, row: &OzakiRow<B>) -> Vec<Vec<B>> {
        let bits = self.slice_bits();
        // The highest bit of the first slice stays free.
        let words = row.placed(bits * self.slices, 1);
        let slice = |t: u32| {
            let of = words.iter().zip(&row.numbers).map(|(word, x)| {
                let high = word.width() - 1 - t * bits;
                let magnitude = word.extract(high, high + 1 - bits);
                magnitude.zext(bits + 1).neg_if(&x.sign)
            });
            of.collect()
        };
        (0..self.slices).map(slice).collect()
    }
}

impl DotAdd for OzakiSlices {
    fn signature(&self) -> Signature {
        signature(self.products)
    }

    fn nan(&self) -> NanCode {
        self.nan
    }

    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        let rows = [OzakiRow::of(operands.a), OzakiRow::of(operands.b)];
        let [a, b] = [self.slices(&rows[0]), self.slices(&rows[1])];
        let bits = self.slice_bits();
        // The width is enough for every sum.
        let width = 2 * bits + 1 + ceil_log2(self.products);

        let mut sum = B::lit(F64.width(), 0);
        let mut count = 0;
        for i_plus_j in 2..=self.slices + 1 {
            for i in 1..i_plus_j {
                let j = i_plus_j - i;
                let pairs = a[i as usize - 1].iter().zip(&b[j as usize - 1]);
                let products = pairs.map(|(x, y)| x.sext(width).mul(&y.sext(width)));
                let exact = B::sum(&products.collect::<Vec<_>>());
                let exponent = 2 - (bits * i_plus_j) as i32;
                let term = scaled(&exact, &B::lit(1, 0), exponent);
                sum = ieee_add(&F64, Rounding::Rne, self.nan, &sum, &term);
                note(stages, ("sum after slices", Some(count)), &sum);
                count += 1;
            }
        }
        let to = Arithmetic {
            format: F64,
            rounding: Rounding::Rne,
            nan: self.nan,
        };
        for (what, row) in [("times M of a", &rows[0]), ("times M of b", &rows[1])] {
            let field = row.top.add_const(1);
            let power = field.widen_low(F64.fraction_bits).zext(F64.width());
            sum = ieee_multiply(&to, [&F64, &F64], &sum, &power);
            note(stages, (what, None), &sum);
        }
        finished([&rows[0], &rows[1]], &sum, operands.c, self.nan, stages)
    }
}
