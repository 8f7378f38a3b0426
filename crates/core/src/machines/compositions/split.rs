//! Split-K: parts of k are summed separately, each from +0, and their sums are combined outside of
//! the unit.

use crate::machines::algorithms::{Core, DotAdd, Operands, Signature, Stages, Unit};
use crate::numbers::bits::Bv;
use crate::numbers::float::Rounding;

/// `splits` parts of k, each summed by one run of the unit. Their sums are then combined, and `c`
/// is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// Number of products.
    pub products: u32,
    /// Number of parts.
    pub splits: u32,
    /// Which tiles of k, groups of `tile` neighbouring products, belong to a part.
    pub tiles: Tiles,
    /// Products of one tile.
    pub tile: u32,
    /// The order in which the sums of the parts are added.
    pub combine: Combine,
    /// Rounding of the additions of these sums.
    pub rounding: Rounding,
}

/// The tiles of k that belong to one part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tiles {
    /// Each part has neighbouring tiles: as many as all tiles divided by the number of parts,
    /// rounded up.
    Contiguous,
    /// Tile `t` belongs to part `t mod S`, where `S` is the number of parts.
    Strided,
}

/// The order in which the sums of the parts are added; `p0`, `p1` and so on are these sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combine {
    /// `((p0 + p1) + p2) + ...`.
    Serial,
    /// The order of cuBLASLt on Ada. With `S` parts and `h = ceil(S / 2)`, slot i is
    /// `p_i + p_(i+h)` where `i + h < S - 1`, else `p_i`; the result is
    /// `((p_(S-1) + slot 0) + slot 1) + ...`.
    Pairwise,
    /// Neighbouring sums are added in pairs, then the results in pairs, and so on; a last sum
    /// without a neighbour goes to the next round unchanged.
    Tree,
}

impl Split {
    /// The most products of one part.
    pub(super) fn most_of_a_run(&self) -> u32 {
        let tile = self.tile.max(1);
        let tiles = self.products.div_ceil(tile).div_ceil(self.splits.max(1));
        tiles.saturating_mul(tile).min(self.products)
    }

    pub(super) fn signature(&self, unit: &Signature) -> Result<Signature, String> {
        if unit.scales.is_some() {
            return Err(format!("a unit without scales, found {unit}"));
        }
        Ok(Signature {
            products: self.products,
            ..*unit
        })
    }

    pub(super) fn dot_add<A: DotAdd, B: Bv>(
        &self,
        unit: &Unit<A>,
        operands: Operands<'_, B>,
        stages: &mut Stages<B>,
    ) -> B {
        let (signature, zero) = (unit.signature(), unit.zero());
        let mut sums = Vec::new();
        for part in 0..self.splits {
            let own = |row: &[B]| -> Vec<B> { self.part(row, part).cloned().collect() };
            let (a, b) = (own(operands.a), own(operands.b));
            sums.push(unit.run(Operands::plain(&a, &b, &zero), stages));
        }
        let mut core = Core {
            format: signature.d,
            nan: unit.nan(),
            stages,
        };
        let sum = self.combined(&mut core, sums, zero);
        core.add(("c added", None), self.rounding, &sum, operands.c)
    }

    /// The registers of `row` that belong to the part with number `part`, in the order of k.
    pub fn part<'x, B>(&self, row: &'x [B], part: u32) -> impl Iterator<Item = &'x B> {
        let tile = (self.tile as usize).max(1);
        let tiles = row.len().div_ceil(tile);
        let (part, splits) = (part as usize, self.splits as usize);
        let (first, step, count) = match self.tiles {
            Tiles::Strided => (part, splits, tiles),
            Tiles::Contiguous => {
                let run = tiles.div_ceil(splits).max(1);
                (part * run, 1, run)
            }
        };
        // The tiles of other parts are skipped in one step, not one by one, as there may be as many
        // parts as products.
        let own = row.chunks(tile).skip(first).step_by(step).take(count);
        own.flatten()
    }

    fn combined<B: Bv>(&self, core: &mut Core<'_, B>, sums: Vec<B>, zero: B) -> B {
        let to = self.rounding;
        let mut count = 0;
        let mut add = |x: &B, y: &B| {
            count += 1;
            core.add(("sum of parts", Some(count - 1)), to, x, y)
        };
        match self.combine {
            Combine::Serial => fold(sums, &mut add).unwrap_or(zero),
            Combine::Pairwise => {
                let (half, all) = (sums.len().div_ceil(2), sums.len());
                let Some((last, rest)) = sums.split_last() else {
                    return zero;
                };
                let mut slots = vec![last.clone()];
                for (i, sum) in rest.iter().take(half).enumerate() {
                    slots.push(match rest.get(i + half) {
                        Some(other) if i + half < all - 1 => add(sum, other),
                        _ => sum.clone(),
                    });
                }
                fold(slots, &mut add).unwrap_or(zero)
            }
            Combine::Tree => {
                let mut level = sums;
                while level.len() > 1 {
                    level = level
                        .chunks(2)
                        .map(|pair| match pair {
                            [x, y] => add(x, y),
                            _ => pair[0].clone(),
                        })
                        .collect();
                }
                level.pop().unwrap_or(zero)
            }
        }
    }
}

fn fold<B: Bv>(sums: Vec<B>, add: &mut impl FnMut(&B, &B) -> B) -> Option<B> {
    sums.into_iter().reduce(|sum, next| add(&sum, &next))
}
