//! The scheme of Fasi, Higham, Lopez, Mary, Mikaitis 2023 ("Matrix multiplication in multiword
//! arithmetic"): each f32 is split into `p` words of the unit's format; each word is the remainder
//! rounded to nearest even. The products of words `i` and `j` with `i + j <= p + 1` are added.

use super::ootomo_yokota::{Low, Place};
use super::parts::{PartRounding, Processor, Splitting};
use crate::machines::algorithms::{DotAdd, Operands};
use crate::numbers::bits::Bv;

/// The scheme: products of words are added, the smallest first. Each product is summed over all k
/// before the next product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// Number of words.
    pub words: u32,
    /// Whether products with `i + j > p + 1` are added as well.
    pub low: Low,
    /// Where sums of products are added up.
    pub sum: Place,
}

impl Words {
    /// The most words. Three bf16 hold all bits of an f32; an e4m3 holds only four bits, so that
    /// more words are needed.
    pub const MOST: u32 = 8;

    pub(super) fn dot_add<A: DotAdd, B: Bv>(
        &self,
        mut on: Processor<'_, A, B>,
        operands: Operands<'_, B>,
    ) -> B {
        let words = self.words as usize;
        let splitting = Splitting {
            format: on.unit.signature().a,
            parts: &vec![("word of", PartRounding::Rne); words],
            scale: 0,
        };
        let a = on.split(&splitting, operands.a);
        let b = on.split(&splitting, operands.b);

        // Words are counted from 0 here, so that the limit of `i + j` is lower by 2.
        let least = match self.low {
            Low::Dropped => words - 1,
            Low::Kept => 2 * (words - 1),
        };
        let mut d = operands.c.clone();
        let mut count = 0;
        for sum in (0..=least).rev() {
            for i in (0..words).filter(|i| (0..words).contains(&sum.wrapping_sub(*i))) {
                let (factors, index) = ([&a[i][..], &b[sum - i][..]], Some(count));
                d = match self.sum {
                    Place::Inside => on.chained(("sum after product of words", index), factors, &d),
                    Place::Outside => {
                        let dot = on.dot(("product of words", index), factors);
                        on.add(("sum after product of words", index), &d, &dot)
                    }
                };
                count += 1;
            }
        }
        d
    }
}
