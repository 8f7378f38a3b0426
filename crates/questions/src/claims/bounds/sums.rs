//! Bounds of the sums of a scheme.
//!
//! Every sum in a register stands for an exact sum of `c` and of products of parts. It has two
//! bounds, each with a multiple of |c| and a multiple of Σ|a||b|: one of the magnitude of the exact
//! sum, and one of the distance of the register from the exact sum. Products that a scheme leaves
//! out, and the rests that parts leave of their numbers, count as errors of the result.

use super::bound::{ErrorBound, scaled};
use super::factors::{Factors, Underflow};
use super::parts::{PartBounds, split};
use super::rounded;
use super::units::Amount;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::sums::PartRounding;
use mmasmt_numbers::float::{Format, Rounding};

/// A sum: bounds of the magnitude of the exact sum that it stands for, and of its distance from
/// that exact sum.
#[derive(Clone)]
pub(super) struct SchemeSum {
    size: Amount,
    error: Amount,
}

impl SchemeSum {
    /// A bound of the magnitude of the register.
    fn magnitude(&self) -> Amount {
        self.size.plus(&self.error)
    }
}

/// Computes the bounds of the sums of a scheme, for a unit and for factors that are split into
/// parts.
pub(super) struct Follower<'x> {
    run: &'x dyn Fn(Factors) -> Option<ErrorBound>,
    step: u64,
    /// The number of products of the whole sum.
    pub products: u64,
    a: PartBounds,
    b: PartBounds,
    underflow: Underflow,
    addition: ErrorBound,
}

/// A product of a part of `a` and a part of `b`, by the numbers of the two parts.
pub(super) type PartProduct = (usize, usize);

impl<'x> Follower<'x> {
    pub fn new(
        (unit, run): (&Signature, &'x dyn Fn(Factors) -> Option<ErrorBound>),
        products: u32,
        factors: Factors,
        (roundings, scale): (&[PartRounding], i32),
    ) -> Option<Self> {
        let Signature {
            a, products: step, ..
        } = *unit;
        Some(Follower {
            run,
            step: step.into(),
            products: products.into(),
            a: split(factors.a, factors.underflow, &a, (roundings, scale))?,
            b: split(factors.b, factors.underflow, &a, (roundings, scale))?,
            underflow: factors.underflow,
            addition: rounded::of_addition(Rounding::Rne, &Format::F32),
        })
    }

    pub fn zero(&self) -> SchemeSum {
        SchemeSum {
            size: Amount::none(),
            error: Amount::none(),
        }
    }

    pub fn c(&self) -> SchemeSum {
        let [one, zero] = [scaled(1, 0), scaled(0, 0)];
        SchemeSum {
            size: Amount::new([one, zero.clone(), zero]),
            error: Amount::none(),
        }
    }

    /// A bound of the sum of the magnitudes of the products of part `i` of `a` and part `j` of `b`.
    fn pair(&self, (i, j): PartProduct) -> Amount {
        let (a, b) = (&self.a.parts[i], &self.b.parts[j]);
        let cross = a.relative.times(&self.a.greatest).times(&b.absolute);
        let other = b.relative.times(&self.b.greatest).times(&a.absolute);
        let absolute = cross.plus(&other).plus(&a.absolute.times(&b.absolute));
        Amount::new([
            scaled(0, 0),
            a.relative.times(&b.relative),
            absolute.times(&scaled(self.products, 0)),
        ])
    }

    /// The bound of one run of the unit on the two parts of a pair.
    fn run(&self, (i, j): PartProduct) -> Option<ErrorBound> {
        let factors = Factors {
            a: self.a.exponents[i],
            b: self.b.exponents[j],
            underflow: self.underflow,
            scales_below: None,
        };
        (self.run)(factors)
    }

    fn runs(&self, products: u64) -> u64 {
        products.div_ceil(self.step)
    }

    /// `sum` after the products of these pairs of parts were added to it in any order. `of_pair`
    /// gives the bound of the additions for the case that all products were products of one pair. A
    /// register is 2^`shift` times the value that it stands for.
    fn added(
        &self,
        sum: &SchemeSum,
        pairs: &[PartProduct],
        shift: i64,
        of_pair: impl Fn(PartProduct) -> Option<ErrorBound>,
    ) -> Option<SchemeSum> {
        let products = pairs.iter().map(|pair| self.pair(*pair));
        let products = products.fold(Amount::none(), |all, one| all.plus(&one));
        let all = sum.magnitude().plus(&products);
        let mut error = sum.error.clone();
        let mut of_all = scaled(0, 0);
        for pair in pairs {
            let bound = of_pair(*pair)?;
            error = error.plus(&self.pair(*pair).times(&bound.of_products));
            error.absolute = error.absolute.plus(&bound.absolute.shifted(-shift));
            if bound.of_all.magnitude_exceeds(&of_all) {
                of_all = bound.of_all;
            }
        }
        error = error.plus(&all.times(&of_all));
        Some(SchemeSum {
            size: sum.size.plus(&products),
            error,
        })
    }

    /// `sum` after all products of these pairs of parts were added to it in one accumulator, over
    /// all k.
    pub fn chained(&self, sum: &SchemeSum, pairs: &[PartProduct], shift: i64) -> Option<SchemeSum> {
        self.in_blocks(sum, pairs, self.products, shift)
    }

    /// `sum` after all products of these pairs of parts were added to it in one accumulator, where
    /// k is split into blocks of `block` products.
    pub fn in_blocks(
        &self,
        sum: &SchemeSum,
        pairs: &[PartProduct],
        block: u64,
        shift: i64,
    ) -> Option<SchemeSum> {
        let runs = self.runs_in_blocks(block) * pairs.len() as u64;
        self.added(sum, pairs, shift, |pair| {
            Some(self.run(pair)?.repeated(runs))
        })
    }

    /// `sum` after blocks of `block` products of these pairs were each summed from +0 and added to
    /// `sum` outside the unit.
    pub fn blocks_outside(
        &self,
        sum: &SchemeSum,
        pairs: &[PartProduct],
        block: u64,
    ) -> Option<SchemeSum> {
        let block = block.clamp(1, self.products);
        let runs = self.runs(block) * pairs.len() as u64;
        let blocks = self.products.div_ceil(block);
        self.added(sum, pairs, 0, |pair| {
            let of_block = self.run(pair)?.repeated(runs);
            Some(of_block.added_to_c(&self.addition).repeated(blocks))
        })
    }

    fn runs_in_blocks(&self, block: u64) -> u64 {
        let block = block.clamp(1, self.products);
        let (whole, left) = (self.products / block, self.products % block);
        whole * self.runs(block) + self.runs(left)
    }

    /// `count` sums with the bounds of `x`, each from +0, added up outside the unit one after the
    /// other.
    pub fn sum_of(&self, x: &SchemeSum, count: u64) -> SchemeSum {
        let all = |of: &Amount| Amount {
            absolute: of.absolute.times(&scaled(count, 0)),
            ..of.clone()
        };
        let (size, error) = (all(&x.size), all(&x.error));
        let rounding = self.addition.repeated(count).of_all;
        SchemeSum {
            error: error.plus(&size.plus(&error).times(&rounding)),
            size,
        }
    }

    /// `x + y`, added outside the unit and rounded to nearest.
    pub fn add(&self, x: &SchemeSum, y: &SchemeSum) -> SchemeSum {
        let rounding = x.magnitude().plus(&y.magnitude());
        let rounding = rounding.times(&self.addition.of_all);
        SchemeSum {
            size: x.size.plus(&y.size),
            error: x.error.plus(&y.error).plus(&rounding),
        }
    }

    /// `x` after a division of its register by a power of two; the register is then 2^`shift` times
    /// the value that it stands for. The division rounds results below the least normal number.
    pub fn scaled_back(&self, x: &SchemeSum, shift: i64) -> SchemeSum {
        let mut error = x.error.clone();
        let least = scaled(1, i64::from(Format::F32.least_exponent()) - shift);
        error.absolute = error.absolute.plus(&least);
        SchemeSum {
            size: x.size.clone(),
            error,
        }
    }

    /// The error bound of the result `d`, to which the products of the pairs `used` were added; the
    /// other products count as errors.
    pub fn bound(&self, d: &SchemeSum, used: &[PartProduct]) -> ErrorBound {
        let mut error = d.error.clone();
        for i in 0..self.a.parts.len() {
            for j in 0..self.b.parts.len() {
                if !used.contains(&(i, j)) {
                    error = error.plus(&self.pair((i, j)));
                }
            }
        }
        // Without the rests r_a and r_b of its factors, a product lacks r_a b + a r_b - r_a r_b.
        let (a, b) = (&self.a.rest, &self.b.rest);
        let both = a.relative.times(&b.relative);
        let relative = a.relative.plus(&b.relative).plus(&both);
        let one = scaled(1, 0);
        let cross = a
            .absolute
            .times(&self.b.greatest)
            .times(&one.plus(&b.relative));
        let other = b
            .absolute
            .times(&self.a.greatest)
            .times(&one.plus(&a.relative));
        let absolute = cross.plus(&other).plus(&a.absolute.times(&b.absolute));
        let left = [
            scaled(0, 0),
            relative,
            absolute.times(&scaled(self.products, 0)),
        ];
        error.plus(&Amount::new(left)).bound()
    }
}
