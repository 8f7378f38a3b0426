//! The scheme of Fasi, Higham, Lopez, Mary, Mikaitis 2023 ("Matrix multiplication in multiword
//! arithmetic"): each f32 is split into `p` words of the unit's format; each word is the remainder
//! rounded to nearest even. The products of words `i` and `j` with `i + j <= p + 1` are added.

use super::ootomo_yokota::{SmallProducts, SumPlacement};
use super::parts::Processor;
use crate::machines::sums::{PartRounding, Splitting, Sums};

/// The scheme: products of words are added, the smallest first. Each product is summed over all k
/// before the next product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// Number of words.
    pub words: u32,
    /// Whether products with `i + j > p + 1` are added as well.
    pub low: SmallProducts,
    /// Where sums of products are added up.
    pub sum: SumPlacement,
}

impl Words {
    /// The most words. Three bf16 hold all bits of an f32; an e4m3 holds only four bits, so that
    /// more words are needed.
    pub const MOST: u32 = 8;

    pub(super) fn sum<S: Sums>(&self, mut on: Processor<'_, S>) -> Result<S::Sum, S::Stop> {
        let words = self.words as usize;
        let splitting = Splitting {
            format: on.unit.a,
            parts: &vec![("word of", PartRounding::Rne); words],
            scale: 0,
        };
        let [a, b] = on.split(&splitting)?;
        let all = 0..on.count();

        // Words are counted from 0 here, so that the limit of `i + j` is lower by 2.
        let least = match self.low {
            SmallProducts::Dropped => words - 1,
            SmallProducts::Kept => 2 * (words - 1),
        };
        let mut d = on.c()?;
        let mut count = 0;
        for sum in (0..=least).rev() {
            for i in (0..words).filter(|i| (0..words).contains(&sum.wrapping_sub(*i))) {
                let (factors, index) = ([&a[i], &b[sum - i]], Some(count));
                let what = ("sum after product of words", index);
                d = match self.sum {
                    SumPlacement::Inside => on.chained(what, factors, all.clone(), d)?,
                    SumPlacement::Outside => {
                        let dot = on.dot(("product of words", index), factors, all.clone())?;
                        on.add(what, &d, &dot)?
                    }
                };
                count += 1;
            }
        }
        Ok(d)
    }
}
