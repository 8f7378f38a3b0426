//! Sets of finite numbers, and formats of registers.

use crate::dyadic::{Dyadic, sum};
use crate::json::{CheckResult, LIMIT, Object, natural, need};
use serde_json::Value;

/// Above every exponent: not known. Its negative: there is none.
pub(crate) const FAR: i64 = 1 << 40;

/// A set of finite numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    /// All are multiples of 2^unit.
    pub(crate) unit: i64,
    /// The greatest magnitude.
    pub(crate) most: Dyadic,
    /// Each is zero or at least 2^least.
    pub(crate) least: i64,
    /// The significant bits.
    pub(crate) bits: i64,
    /// True if one may be less than zero.
    pub(crate) negative: bool,
    /// True if one may be zero.
    pub(crate) zero: bool,
}

impl Numbers {
    /// Zero alone.
    pub(crate) fn zero() -> Numbers {
        Numbers {
            unit: FAR,
            most: Dyadic::default(),
            least: FAR,
            bits: 0,
            negative: false,
            zero: true,
        }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.most.is_zero()
    }

    /// The same set; what follows of one part for another is filled in.
    pub(crate) fn tidy(self) -> Numbers {
        let unit = self.unit.max(self.least - self.bits + 1);
        let least = self.least.max(unit);
        if self.most < Dyadic::power(least) {
            return Numbers::zero();
        }
        let count = self.most.count(unit);
        Numbers {
            unit,
            least,
            bits: self.bits.min(count.bits() as i64),
            most: Dyadic::new(count, unit),
            ..self
        }
    }

    pub(crate) fn read(thing: &Value, what: &str) -> CheckResult<Numbers> {
        let object = Object::open(thing, what)?;
        let unit = object.integer("multiple", -LIMIT)?;
        let most = natural(object.get("most")?, "most")?;
        let numbers = Numbers {
            unit,
            most: Dyadic::new(most, unit),
            least: object.maybe_integer("least", -LIMIT)?.unwrap_or(unit),
            bits: object.maybe_integer("bits", 1)?.unwrap_or(FAR),
            negative: object.flag_or("negative", true)?,
            zero: object.flag_or("zero", true)?,
        };
        Ok(numbers.tidy())
    }

    /// Fails unless every number of this set is one of `claimed`.
    pub(crate) fn need_within(&self, claimed: &Numbers) -> CheckResult<()> {
        let part = |name: &str, holds: bool| {
            need(holds, || {
                format!("`{name}` of the value does not follow: expected {self}, found {claimed}")
            })
        };
        part("multiple", self.unit >= claimed.unit)?;
        part("most", self.most <= claimed.most)?;
        part("least", self.least >= claimed.least)?;
        part("bits", self.bits <= claimed.bits)?;
        part("negative", self.negative <= claimed.negative)?;
        part("zero", self.zero <= claimed.zero)
    }

    /// The numbers that are products of one of each set.
    pub(crate) fn times(&self, other: &Numbers) -> Numbers {
        if self.is_zero() || other.is_zero() {
            return Numbers::zero();
        }
        let numbers = Numbers {
            unit: self.unit + other.unit,
            most: self.most.times(&other.most),
            least: self.least + other.least,
            bits: self.bits + other.bits,
            negative: self.negative || other.negative,
            zero: self.zero || other.zero,
        };
        numbers.tidy()
    }

    /// The numbers that are sums of one of each set; `None` if one set is not known.
    pub(crate) fn sum(sets: &[Option<&Numbers>]) -> Option<Numbers> {
        let all: Vec<&Numbers> = sets.iter().copied().collect::<Option<_>>()?;
        let some: Vec<&Numbers> = all.into_iter().filter(|one| !one.is_zero()).collect();
        if let [one] = some[..] {
            return Some(one.clone());
        }
        let Some(unit) = some.iter().map(|one| one.unit).min() else {
            return Some(Numbers::zero());
        };
        let negative = some.iter().any(|one| one.negative);
        let numbers = Numbers {
            unit,
            most: sum(some.iter().map(|one| &one.most)),
            least: unit,
            bits: FAR,
            negative,
            zero: negative || some.iter().all(|one| one.zero),
        };
        Some(numbers.tidy())
    }
}

impl std::fmt::Display for Numbers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (sign, zero) = (
            if self.negative { "-" } else { "+" },
            if self.zero { "" } else { "non" },
        );
        write!(
            f,
            "{sign}{zero}zero 2^{}..{} by 2^{} of {} bits",
            self.least, self.most, self.unit, self.bits
        )
    }
}

/// A format of floating point or of integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    pub(crate) is_float: bool,
    /// The bits of a significand with its leading one, or those of an integer.
    pub(crate) precision: i64,
    /// The exponents of the least and the greatest normal numbers.
    pub(crate) emin: i64,
    pub(crate) emax: i64,
    pub(crate) greatest: Dyadic,
    pub(crate) signed: bool,
    pub(crate) zero: bool,
    pub(crate) negative_zero: bool,
    pub(crate) nan: bool,
    pub(crate) subnormals: bool,
}

impl Format {
    pub(crate) fn read(thing: &Value) -> CheckResult<Format> {
        let kind = Object::open(thing, "a format")?.get("kind")?;
        match kind.as_str() {
            Some("integer") => Format::read_integer(thing),
            Some("float") => Format::read_float(thing),
            _ => Err(format!("expected float or integer for kind, found {kind}")),
        }
    }

    fn read_float(thing: &Value) -> CheckResult<Format> {
        let known =
            "kind precision emin emax greatest signed zero negative_zero infinity nan subnormals";
        let known: Vec<&str> = known.split(' ').collect();
        let object = Object::of(thing, &known, "a format")?;
        object.flag("infinity")?;
        let format = Format {
            is_float: true,
            precision: object.integer("precision", 1)?,
            emin: object.integer("emin", -LIMIT)?,
            emax: object.integer("emax", -LIMIT)?,
            greatest: object.dyadic("greatest")?,
            signed: object.flag("signed")?,
            zero: object.flag("zero")?,
            negative_zero: object.flag("negative_zero")?,
            nan: object.flag("nan")?,
            subnormals: object.flag("subnormals")?,
        };
        let is_number = format.greatest.log2() == Some(format.emax)
            && format.emin <= format.emax
            && format.greatest.bits() <= format.precision;
        need(is_number, || "`greatest` is no number of its format".into())?;
        Ok(format)
    }

    fn read_integer(thing: &Value) -> CheckResult<Format> {
        let object = Object::of(thing, &["kind", "bits", "signed"], "a format")?;
        let (bits, signed) = (object.integer("bits", 1)?, object.flag("signed")?);
        Ok(Format {
            is_float: false,
            precision: bits,
            emin: 0,
            emax: 0,
            greatest: Dyadic::power(bits - i64::from(signed)).minus(&Dyadic::power(0)),
            signed,
            zero: true,
            negative_zero: false,
            nan: false,
            subnormals: false,
        })
    }

    /// True if the code of no rounded number is that of a NaN, or of another number.
    pub(crate) fn can_hold_results(&self) -> bool {
        !self.is_float || self.zero && self.signed && self.negative_zero && self.subnormals
    }

    /// A number with so many fraction bits that is at most the greatest one.
    pub(crate) fn largest(&self, fraction: i64) -> Dyadic {
        if fraction == self.precision - 1 {
            return self.greatest.clone();
        }
        // The code of the greatest number with fewer bits may be that of a NaN.
        let largest = self.greatest.rounded(fraction + 1, self.emin, false);
        largest.minus(&Dyadic::power(self.emax - fraction))
    }
}
