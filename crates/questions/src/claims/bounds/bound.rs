//! Bounds of the error of one step, and of several steps in sequence or in a tree.
//!
//! A step adds products, whose magnitudes sum to P, to the sum before it, `c`. Its error is at most
//! `q (|c| + P) + p P + t`. For one step alone, this is at most `r T + t`, where T is |c| + P and r
//! is q + p.
//!
//! *One after the other.* After the first step, |d| is at most |c| + P plus the error. If the
//! magnitudes of the products of the second step sum to P', its error is at most
//! `q' (|c| + P + error + P') + p' P' + t'`. For both steps together, q is (1 + q)(1 + q') - 1, p
//! is the greater one of p (1 + q') and p', and t is t (1 + q') + t'.
//!
//! *In a tree.* The sums of parts are added up, and each part goes through at most n additions. The
//! error of each addition is at most u times its result. The additions together add an error of at
//! most (1 + u)^n - 1 times the sum of the magnitudes of the parts' sums as they were computed.

use mmasmt_numbers::float::{Dyadic, Rounding};
use num_bigint::BigInt;
use num_traits::Zero;

/// The number of significant bits to which the numbers of a bound are rounded up.
const BITS: u64 = 64;

/// A bound of the error: `of_all (|c| + Σ|a[k] b[k]|) + of_products Σ|a[k] b[k]| + absolute`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorBound {
    /// The factor of `|c| + Σ|a[k] b[k]|`, the sum of all magnitudes.
    pub of_all: Dyadic,
    /// The additional factor of `Σ|a[k] b[k]|`, the sum of the magnitudes of the products.
    pub of_products: Dyadic,
    /// The part of the bound that does not shrink with the operands. It comes from subnormal
    /// numbers and underflow.
    pub absolute: Dyadic,
}

impl ErrorBound {
    /// The bound of a step without error.
    pub(super) fn none() -> Self {
        let [of_all, of_products, absolute] = [0; 3].map(|zero| scaled(zero, 0));
        ErrorBound {
            of_all,
            of_products,
            absolute,
        }
    }

    /// The bound of a rounding to `fraction` fraction bits: one last place, or half of one if
    /// rounding is to nearest. The last place of a subnormal result is that of the least normal
    /// number.
    pub(super) fn of_rounding(rounding: Rounding, fraction: u32, min_exponent: i64) -> Self {
        let half = i64::from(rounding.is_to_nearest());
        let last = -i64::from(fraction) - half;
        ErrorBound {
            of_all: scaled(1, last),
            absolute: scaled(1, min_exponent + last),
            ..Self::none()
        }
    }

    /// The bound of two such errors together.
    #[must_use]
    pub fn doubled(&self) -> ErrorBound {
        ErrorBound {
            of_all: self.of_all.shifted(1),
            of_products: self.of_products.shifted(1),
            absolute: self.absolute.shifted(1),
        }
    }

    /// The factor r of the bound `r T + t`, where T is the sum of all magnitudes. The bound holds
    /// for every share that `c` has in T.
    pub fn relative(&self) -> Dyadic {
        self.of_all.plus(&self.of_products)
    }

    /// The bound for operands whose magnitudes sum to `magnitudes`.
    pub fn at(&self, magnitudes: &Dyadic) -> Dyadic {
        self.relative().times(magnitudes).plus(&self.absolute)
    }

    /// The bound of this step followed by the step with the bound `next`.
    pub(super) fn then(&self, next: &ErrorBound) -> ErrorBound {
        let growth = scaled(1, 0).plus(&next.of_all);
        let of_products = self.of_products.times(&growth);
        let of_products = if next.of_products.magnitude_exceeds(&of_products) {
            next.of_products.clone()
        } else {
            of_products
        };
        let of_all = self.of_all.times(&growth).plus(&next.of_all);
        let absolute = self.absolute.times(&growth).plus(&next.absolute);
        ErrorBound {
            of_all,
            of_products,
            absolute,
        }
        .rounded_up()
    }

    /// The bound of a sequence of `times` steps with this bound.
    pub(super) fn repeated(&self, times: u64) -> ErrorBound {
        let mut result = Self::none();
        let (mut square, mut left) = (self.clone(), times);
        while left > 0 {
            if left % 2 == 1 {
                result = result.then(&square);
            }
            left /= 2;
            if left > 0 {
                square = square.then(&square);
            }
        }
        result
    }

    /// The bound of a step that sums its products from +0, with the bound `self`, and then adds the
    /// sum to `c`, with the bound `addition`.
    pub(super) fn added_to_c(&self, addition: &ErrorBound) -> ErrorBound {
        let growth = scaled(1, 0).plus(&addition.of_all);
        ErrorBound {
            of_all: addition.of_all.clone(),
            of_products: self.relative().times(&growth),
            absolute: self.absolute.times(&growth).plus(&addition.absolute),
        }
        .rounded_up()
    }

    /// The bound of a tree of additions of the given depth, which adds up the sums of `parts`
    /// parts, each summed from +0 with the bound `self`.
    pub(super) fn added_up(&self, parts: u64, depth: u64, addition: &ErrorBound) -> ErrorBound {
        let added = addition.repeated(depth).of_all;
        let growth = scaled(1, 0).plus(&added);
        let own = self.absolute.times(&scaled(parts, 0));
        let of_additions = addition.absolute.times(&scaled(parts, 0));
        ErrorBound {
            of_all: self.relative().times(&growth).plus(&added),
            of_products: scaled(0, 0),
            absolute: own.plus(&of_additions).times(&growth),
        }
        .rounded_up()
    }

    pub(super) fn rounded_up(&self) -> ErrorBound {
        ErrorBound {
            of_all: rounded_up(&self.of_all),
            of_products: rounded_up(&self.of_products),
            absolute: rounded_up(&self.absolute),
        }
    }
}

/// `mantissa * 2^exponent`.
pub fn scaled(mantissa: u64, exponent: i64) -> Dyadic {
    Dyadic::new(BigInt::from(mantissa), exponent)
}

/// The number `x`, not negative, rounded up to `BITS` significant bits.
pub(super) fn rounded_up(x: &Dyadic) -> Dyadic {
    let excess = x.mantissa().bits().saturating_sub(BITS);
    if excess == 0 || x.mantissa().is_zero() {
        return x.clone();
    }
    let up: BigInt = (x.mantissa() >> excess) + BigInt::from(1);
    Dyadic::new(up, x.exponent() + excess as i64)
}
