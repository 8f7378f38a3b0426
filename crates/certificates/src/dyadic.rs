//! Numbers n * 2^e, exactly.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;

/// The number `n * 2^e`; n is odd, or zero with e = 0.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Dyadic {
    n: BigInt,
    e: i64,
}

impl Dyadic {
    pub(crate) fn new(n: BigInt, e: i64) -> Dyadic {
        match n.trailing_zeros() {
            None => Dyadic::default(),
            Some(low) => Dyadic {
                n: n >> low,
                e: e + low as i64,
            },
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

    /// The number of 2^e in this number, which is a multiple of it.
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
        self.times(&Dyadic::power(by))
    }

    /// The exponent of the leading one of a number above zero.
    pub(crate) fn log2(&self) -> Option<i64> {
        (!self.is_zero()).then(|| self.e + self.bits() - 1)
    }

    /// The number of whole 2^place in a number that is not negative.
    pub(crate) fn count(&self, place: i64) -> BigInt {
        match place - self.e {
            low if low <= 0 => self.at(place),
            low if low > self.bits() => BigInt::zero(),
            low => &self.n >> low,
        }
    }

    /// A number that is not negative, rounded up or down to so many bits, of which the last is at least 2^lowest.
    pub(crate) fn rounded(&self, bits: i64, lowest: i64, up: bool) -> Dyadic {
        let Some(top) = self.log2() else {
            return Dyadic::default();
        };
        let place = (top - bits + 1).max(lowest);
        let more = u8::from(up && self.e < place);
        Dyadic::new(self.count(place) + BigInt::from(more), place)
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Dyadic) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Dyadic) -> Ordering {
        let signs = (self.n.sign(), other.n.sign());
        match (self.log2(), other.log2()) {
            _ if signs.0 != signs.1 => signs.0.cmp(&signs.1),
            (Some(x), Some(y)) if x != y && !self.is_negative() => x.cmp(&y),
            _ => {
                let e = self.e.min(other.e);
                self.at(e).cmp(&other.at(e))
            }
        }
    }
}

impl std::fmt::Display for Dyadic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}*2^{}", self.n, self.e)
    }
}

/// The sum of all.
pub(crate) fn sum<'d>(all: impl IntoIterator<Item = &'d Dyadic>) -> Dyadic {
    let all = all.into_iter();
    all.fold(Dyadic::default(), |sum, one| sum.plus(one))
}
