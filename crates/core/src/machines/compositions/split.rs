//! Split-K: parts of k are summed separately, each from +0, and their sums are combined outside of
//! the unit.

use crate::machines::algorithms::Signature;
use crate::machines::sums::{Calculation, Operator, Sums, add};
use mmasmt_numbers::float::{Format, Rounding};

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
    pub combine: CombinationOrder,
    /// Rounding of the additions of these sums.
    pub rounding: Rounding,
    /// The format in which the sum of a part is stored before it is added, if it is another one.
    pub part_format: Option<Format>,
    /// The format in which the sum of the parts so far is stored after each part, if it is another one.
    pub sum_format: Option<Format>,
    /// Number of products of a block, where those of a part that fill no block are summed first, in
    /// instructions of their own, of which the last is filled up with zeros (CUTLASS).
    pub first: Option<u32>,
    /// Number of products of a block, where those at the end of a part that fill no block are not
    /// summed (cuBLASLt, in some split kernels).
    pub lost: Option<u32>,
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
pub enum CombinationOrder {
    /// `((p0 + p1) + p2) + ...`.
    Serial,
    /// The order of cuBLASLt on Ada. With `S` parts and `h = ceil(S / 2)`, slot i is
    /// `p_i + p_(i+h)` where `i + h < S - 1`, else `p_i`; the result is
    /// `((p_(S-1) + slot 0) + slot 1) + ...`.
    Pairwise,
    /// Neighbouring sums are added in pairs, then the results in pairs, and so on; a last sum
    /// without a neighbour goes to the next round unchanged.
    Tree,
    /// With `n` sums, the sum with number i is added to the one with number i + ceil(n / 2), and so
    /// on with the results (the lanes of a warp, by `__shfl_down_sync`).
    Butterfly,
    /// No additions: each part begins at the sum of the part before it, and the first part at `c`.
    Chain,
}

impl Split {
    /// The most products of one part.
    pub(super) fn products_of_a_part(&self) -> u32 {
        let tile = self.tile.max(1);
        let tiles = self.products.div_ceil(tile).div_ceil(self.splits.max(1));
        tiles.saturating_mul(tile).min(self.products)
    }

    /// The most products of one run; `None` where a run continues from another one.
    pub(super) fn most_of_a_run(&self) -> Option<u32> {
        let continues = self.combine == CombinationOrder::Chain || self.first.is_some();
        (!continues).then(|| self.products_of_a_part())
    }

    pub(super) fn signature(&self, unit: &Signature) -> Result<Signature, String> {
        if unit.scales.is_some() {
            return Err(format!("a unit without scales, found {unit}"));
        }
        for stored in [self.part_format, self.sum_format].into_iter().flatten() {
            if !unit.d.has_all_of(&stored) || unit.d == stored {
                return Err(format!(
                    "a unit whose results hold more than {stored}, found {unit}"
                ));
            }
        }
        Ok(Signature {
            products: self.products,
            ..*unit
        })
    }

    pub(super) fn sum<S: Sums>(&self, unit: &Signature, on: &mut S) -> Result<S::Sum, S::Stop> {
        if self.combine == CombinationOrder::Chain {
            let mut d = on.c()?;
            for part in 0..self.splits {
                d = self.run(on, part, d)?;
            }
            return Ok(d);
        }
        let mut sums = Vec::new();
        for part in 0..self.splits {
            let zero = on.constant(unit.d, 0)?;
            let sum = self.run(on, part, zero)?;
            sums.push(stored(
                on,
                unit.d,
                self.part_format,
                ("part stored", part),
                sum,
            )?);
        }
        // The first part is the running sum as long as there is no other.
        let mut count = 0;
        let what = "sum of parts stored";
        if let Some(first) = sums.first_mut() {
            *first = stored(on, unit.d, self.sum_format, (what, count), first.clone())?;
        }
        let sum = combined(self.combine, &sums, &mut |x: &S::Sum, y: &S::Sum| {
            let what = ("sum of parts", Some(count as usize));
            let sum = on.calculate(what, add(unit.d, self.rounding), &[x, y])?;
            count += 1;
            stored(
                on,
                unit.d,
                self.sum_format,
                ("sum of parts stored", count - 1),
                sum,
            )
        })?;
        let c = on.c()?;
        on.calculate(("c added", None), add(unit.d, self.rounding), &[&sum, &c])
    }

    /// The sum of one part, which begins at `c`.
    fn run<S: Sums>(&self, on: &mut S, part: u32, c: S::Sum) -> Result<S::Sum, S::Stop> {
        let products = self.part(on.count(), part);
        let residue = |block: u32| products.len() % block.max(1) as usize;
        match (self.first.map(residue), self.lost.map(residue)) {
            (Some(residue), _) => {
                let (first, rest) = products.split_at(residue);
                let d = on.run(first, c)?;
                on.run(rest, d)
            }
            (_, Some(residue)) => on.run(&products[..products.len() - residue], c),
            _ => on.run(&products, c),
        }
    }

    /// The numbers of the products that belong to the part with number `part`, in the order of k.
    fn part(&self, products: usize, part: u32) -> Vec<usize> {
        let tile = (self.tile as usize).max(1);
        let tiles = products.div_ceil(tile);
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
        let own = (first..tiles).step_by(step).take(count);
        own.flat_map(|number| number * tile..products.min((number + 1) * tile))
            .collect()
    }
}

/// A sum rounded to the format that it is stored in, and read again.
fn stored<S: Sums>(
    on: &mut S,
    format: Format,
    stored: Option<Format>,
    (what, number): (&'static str, u32),
    sum: S::Sum,
) -> Result<S::Sum, S::Stop> {
    let Some(stored) = stored else {
        return Ok(sum);
    };
    let what = (what, Some(number as usize));
    let convert = |format, to| Calculation {
        format,
        operation: Operator::Convert(to),
    };
    let sum = on.calculate(what, convert(format, stored), &[&sum])?;
    on.calculate(what, convert(stored, format), &[&sum])
}

/// The sums of all parts, added in the order `combine`. There is at least one part.
fn combined<T: Clone, E>(
    combine: CombinationOrder,
    sums: &[T],
    add: &mut impl FnMut(&T, &T) -> Result<T, E>,
) -> Result<T, E> {
    let serial = |sums: &[T], add: &mut dyn FnMut(&T, &T) -> Result<T, E>| {
        let (first, rest) = (sums[0].clone(), &sums[1..]);
        rest.iter().try_fold(first, |sum, next| add(&sum, next))
    };
    match combine {
        CombinationOrder::Serial | CombinationOrder::Chain => serial(sums, add),
        CombinationOrder::Pairwise => {
            let (half, all) = (sums.len().div_ceil(2), sums.len());
            let (last, rest) = (&sums[all - 1], &sums[..all - 1]);
            let mut slots = vec![last.clone()];
            for (i, sum) in rest.iter().take(half).enumerate() {
                slots.push(match rest.get(i + half) {
                    Some(other) if i + half < all - 1 => add(sum, other)?,
                    _ => sum.clone(),
                });
            }
            serial(&slots, add)
        }
        CombinationOrder::Tree | CombinationOrder::Butterfly => {
            let mut level = sums.to_vec();
            while level.len() > 1 {
                let half = level.len().div_ceil(2);
                let pair = |slot: usize| match combine {
                    CombinationOrder::Tree => [2 * slot, 2 * slot + 1],
                    _ => [slot, slot + half],
                };
                let pairs = (0..half).map(pair);
                let next = pairs.map(|[x, y]| match level.get(y) {
                    Some(other) => add(&level[x], other),
                    None => Ok(level[x].clone()),
                });
                level = next.collect::<Result<_, E>>()?;
            }
            Ok(level[0].clone())
        }
    }
}
