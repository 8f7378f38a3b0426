//! Numbers n * 2^e, exactly.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;

/// The number `n * 2^e`; n is odd, or zero with e = 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dyadic {
    n: BigInt,
    e: i64,
}

impl Dyadic {
    pub(crate) fn new(n: BigInt, e: i64) -> Dyadic {
        match n.trailing_zeros() {
            None => Dyadic::zero(),
            Some(0) => Dyadic { n, e },
            Some(low) => Dyadic {
                n: n >> low,
                e: e + low as i64,
            },
        }
    }

    pub(crate) fn zero() -> Dyadic {
        Dyadic {
            n: BigInt::zero(),
            e: 0,
        }
    }

    /// 2^e.
    pub(crate) fn power(e: i64) -> Dyadic {
        Dyadic {
            n: BigInt::one(),
            e,
        }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.n.is_zero()
    }

    pub(crate) fn is_negative(&self) -> bool {
        self.n.is_negative()
    }

    /// The bits of the odd number.
    pub(crate) fn bits(&self) -> i64 {
        self.n.bits() as i64
    }

    fn at(&self, e: i64) -> BigInt {
        &self.n << (self.e - e).max(0)
    }

    pub(crate) fn plus(&self, other: &Dyadic) -> Dyadic {
        if self.is_zero() {
            return other.clone();
        }
        if other.is_zero() {
            return self.clone();
        }
        let e = self.e.min(other.e);
        Dyadic::new(self.at(e) + other.at(e), e)
    }

    pub(crate) fn minus(&self, other: &Dyadic) -> Dyadic {
        self.plus(&Dyadic {
            n: -&other.n,
            e: other.e,
        })
    }

    pub(crate) fn times(&self, other: &Dyadic) -> Dyadic {
        Dyadic::new(&self.n * &other.n, self.e + other.e)
    }

    /// Times 2^by.
    pub(crate) fn shifted(&self, by: i64) -> Dyadic {
        if self.is_zero() {
            Dyadic::zero()
        } else {
            Dyadic {
                n: self.n.clone(),
                e: self.e + by,
            }
        }
    }

    /// The exponent of the leading one of a number above zero.
    pub(crate) fn log2(&self) -> Option<i64> {
        (!self.is_zero()).then(|| self.e + self.bits() - 1)
    }

    /// The count of 2^place in the number, rounded down, and whether something was left.
    fn count(&self, place: i64) -> (BigInt, bool) {
        if self.e >= place {
            return (self.at(place), false);
        }
        let low = place - self.e;
        let count = if low > self.bits() {
            BigInt::zero()
        } else {
            &self.n >> low
        };
        let is_less = !self.is_zero();
        (count, is_less)
    }

    /// How many bits the count of 2^place has, and the multiple of 2^place, rounded down; of no negative number.
    pub(crate) fn multiple(&self, place: i64) -> (i64, Dyadic) {
        let (count, _) = self.count(place);
        (count.bits() as i64, Dyadic::new(count, place))
    }

    /// The greatest number of so many bits and at least the last place 2^lowest that is at most this one, which is not negative.
    pub(crate) fn down(&self, bits: i64, lowest: i64) -> Dyadic {
        match self.log2() {
            None => Dyadic::zero(),
            Some(top) => self.multiple((top - bits + 1).max(lowest)).1,
        }
    }

    /// The least such number that is at least this one.
    pub(crate) fn up(&self, bits: i64, lowest: i64) -> Dyadic {
        let Some(top) = self.log2() else {
            return Dyadic::zero();
        };
        let place = (top - bits + 1).max(lowest);
        let (count, is_less) = self.count(place);
        Dyadic::new(count + BigInt::from(u8::from(is_less)), place)
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Dyadic) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Dyadic) -> Ordering {
        if let (false, false, Some(x), Some(y)) = (
            self.is_negative(),
            other.is_negative(),
            self.log2(),
            other.log2(),
        ) && x != y
        {
            return x.cmp(&y);
        }
        let e = self.e.min(other.e);
        self.at(e).cmp(&other.at(e))
    }
}

impl std::fmt::Display for Dyadic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}*2^{}", self.n, self.e)
    }
}

/// The sum of all.
pub(crate) fn sum<'d>(all: impl IntoIterator<Item = &'d Dyadic>) -> Dyadic {
    all.into_iter()
        .fold(Dyadic::zero(), |sum, one| sum.plus(one))
}
