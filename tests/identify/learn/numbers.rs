//! Numbers of the units to learn: integers with a place, and registers of formats. Nothing here is
//! the program's.

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// A format: bits of the exponent and of the fraction. `Fn` has one NaN and no infinity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    pub exponent: u32,
    pub fraction: u32,
    pub is_fn: bool,
}

pub const F16: Form = form(5, 10, false);
pub const BF16: Form = form(8, 7, false);
pub const F32: Form = form(8, 23, false);
pub const E4M3: Form = form(4, 3, true);

pub const fn form(exponent: u32, fraction: u32, is_fn: bool) -> Form {
    Form {
        exponent,
        fraction,
        is_fn,
    }
}

/// How digits are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Zero,
    /// To nearest, ties to even.
    Nearest,
    Down,
    Up,
    /// The last digit is odd if any digit is dropped; what is too large is infinite, as in BFDOT.
    Odd,
}

/// A number with its sign, or none. A finite one is `mantissa * 2^place`; `exponent` is what the
/// unit reads as its exponent.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    Nan,
    Infinite(bool),
    Finite {
        negative: bool,
        mantissa: BigInt,
        place: i64,
        exponent: i64,
    },
}

use Number::{Finite, Infinite, Nan};

impl Form {
    pub fn least(self) -> i64 {
        2 - (1 << (self.exponent - 1))
    }

    pub fn read(self, bits: u64) -> Number {
        let negative = bits >> (self.exponent + self.fraction) & 1 == 1;
        let fraction = bits & ((1 << self.fraction) - 1);
        let top = (1u64 << self.exponent) - 1;
        let field = bits >> self.fraction & top;
        if self.is_fn {
            if field == top && fraction == (1 << self.fraction) - 1 {
                return Nan;
            }
        } else if field == top {
            return if fraction == 0 {
                Infinite(negative)
            } else {
                Nan
            };
        }
        let hidden = u64::from(field > 0) << self.fraction;
        let exponent = self.least() + field.max(1) as i64 - 1;
        Finite {
            negative,
            mantissa: BigInt::from(hidden | fraction),
            place: exponent - i64::from(self.fraction),
            exponent,
        }
    }

    pub fn sign(self, negative: bool) -> u64 {
        u64::from(negative) << (self.exponent + self.fraction)
    }

    pub fn infinity(self, negative: bool) -> u64 {
        self.sign(negative) | ((1 << self.exponent) - 1) << self.fraction
    }

    pub fn quiet(self) -> u64 {
        self.infinity(false) | 1 << (self.fraction - 1)
    }

    pub fn ones(self) -> u64 {
        (self.infinity(true) - self.sign(true)) | ((1 << self.fraction) - 1)
    }

    /// The register of `|value| * 2^place`, rounded, with this sign.
    pub fn write(self, negative: bool, value: &BigInt, place: i64, way: Way) -> u64 {
        let value = value.abs();
        if value.is_zero() {
            return self.sign(negative);
        }
        let leading = value.bits() as i64 - 1 + place;
        let unit = leading.max(self.least()) - i64::from(self.fraction);
        let kept = dropped(negative, &value, unit - place, way);
        // A carry out of the fraction goes into the exponent field.
        let field = (leading.max(self.least()) - self.least()) as u64;
        let code = (field << self.fraction) + kept.to_u64().unwrap();
        let most = self.infinity(false);
        if code >= most {
            let stays = match way {
                Way::Zero => true,
                Way::Nearest | Way::Odd => false,
                Way::Down => !negative,
                Way::Up => negative,
            };
            return match stays {
                true => self.sign(negative) | (most - 1),
                false => self.infinity(negative),
            };
        }
        self.sign(negative) | code
    }
}

/// The magnitude of a number without its `count` lowest bits; with more if `count` is negative.
pub fn dropped(negative: bool, value: &BigInt, count: i64, way: Way) -> BigInt {
    if count <= 0 {
        return value << -count;
    }
    let kept: BigInt = value >> count;
    let rest = value - (&kept << count);
    let half = BigInt::one() << (count - 1);
    let is_up = match way {
        Way::Zero => false,
        Way::Nearest => rest > half || rest == half && kept.bit(0),
        Way::Down => negative && !rest.is_zero(),
        Way::Up => !negative && !rest.is_zero(),
        Way::Odd => !kept.bit(0) && !rest.is_zero(),
    };
    kept + BigInt::from(u8::from(is_up))
}

/// The exact product; its exponent is the sum of those of the factors.
pub fn product(x: &Number, y: &Number) -> Number {
    let is_zero = |number: &Number| matches!(number, Finite { mantissa, .. } if mantissa.is_zero());
    let negative = |number: &Number| match number {
        Nan => false,
        Infinite(negative) | Finite { negative, .. } => *negative,
    };
    let sign = negative(x) != negative(y);
    match (x, y) {
        (Nan, _) | (_, Nan) => Nan,
        (Infinite(_), other) | (other, Infinite(_)) if is_zero(other) => Nan,
        (Infinite(_), _) | (_, Infinite(_)) => Infinite(sign),
        (
            Finite {
                mantissa: m,
                place: p,
                exponent: e,
                ..
            },
            Finite {
                mantissa: n,
                place: q,
                exponent: f,
                ..
            },
        ) => Finite {
            negative: sign,
            mantissa: m * n,
            place: p + q,
            exponent: e + f,
        },
    }
}

/// What a sum is if a term is infinite or no number.
pub fn special(terms: &[Number]) -> Option<Number> {
    let has = |sign: bool| terms.contains(&Infinite(sign));
    match (has(false), has(true)) {
        _ if terms.contains(&Nan) => Some(Nan),
        (true, true) => Some(Nan),
        (true, false) => Some(Infinite(false)),
        (false, true) => Some(Infinite(true)),
        (false, false) => None,
    }
}

/// The exact sum of finite terms, with its place.
pub fn exact(terms: &[Number]) -> (BigInt, i64) {
    let mut sum = (BigInt::zero(), 0i64);
    for term in terms {
        let Finite {
            negative,
            mantissa,
            place,
            ..
        } = term
        else {
            continue;
        };
        let low = sum.1.min(*place);
        let own = mantissa << (place - low);
        let known = sum.0 << (sum.1 - low);
        sum = (if *negative { known - own } else { known + own }, low);
    }
    sum
}

/// Whether every term is a negative zero or a negative number.
pub fn all_negative(terms: &[Number]) -> bool {
    let is_negative = |term: &Number| matches!(term, Finite { negative: true, .. });
    terms.iter().all(is_negative)
}
