//! Sets of finite numbers: multiples of a power of two of limited magnitude.

use crate::dyadic::Dyadic;
use crate::json::{LIMIT, Object, natural};
use crate::{Fails, need};
use serde_json::Value;

/// Above every exponent: not known. Its negative: there is none.
pub(crate) const FAR: i64 = 1 << 40;

/// A set of finite numbers. `None`: nothing is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    /// All are multiples of 2^unit.
    pub(crate) unit: Option<i64>,
    /// The greatest magnitude.
    pub(crate) most: Option<Dyadic>,
    /// All but zero are at least 2^least.
    pub(crate) least: Option<i64>,
    /// Magnitudes are integers of at most so many bits times a power of two.
    pub(crate) bits: Option<i64>,
    /// Whether one may be less than zero, have the sign bit 1, be zero.
    pub(crate) negative: bool,
    pub(crate) minus: bool,
    pub(crate) zero: bool,
}

/// The better one of two bounds, of which one may be unknown.
fn pick<T: Clone>(x: &Option<T>, y: &Option<T>, choose: impl Fn(&T, &T) -> T) -> Option<T> {
    match (x, y) {
        (Some(x), Some(y)) => Some(choose(x, y)),
        (Some(one), None) | (None, Some(one)) => Some(one.clone()),
        (None, None) => None,
    }
}

impl Numbers {
    /// All numbers.
    pub(crate) fn any() -> Numbers {
        Numbers {
            unit: None,
            most: None,
            least: None,
            bits: None,
            negative: true,
            minus: true,
            zero: true,
        }
    }

    /// Zero alone.
    pub(crate) fn zero(minus: bool) -> Numbers {
        Numbers {
            unit: Some(0),
            most: Some(Dyadic::zero()),
            least: Some(0),
            bits: Some(0),
            negative: false,
            minus,
            zero: true,
        }
    }

    pub(crate) fn read(thing: &Value, what: &str) -> Fails<Numbers> {
        let known = [
            "multiple", "most", "least", "bits", "negative", "minus", "zero",
        ];
        let object = Object::of(thing, &known, what)?;
        let unit = object.maybe_integer("multiple", -LIMIT)?;
        let most = match (object.maybe("most"), unit) {
            (None, _) => None,
            (Some(most), Some(unit)) => Some(Dyadic::new(natural(most, "most")?, unit)),
            (Some(_), None) => return Err(format!("expected `multiple` beside `most` in {what}")),
        };
        let numbers = Numbers {
            unit,
            most,
            least: object.maybe_integer("least", -LIMIT)?,
            bits: object.maybe_integer("bits", 0)?,
            negative: object.flag_or("negative", true)?,
            minus: object.flag_or("minus", true)?,
            zero: object.flag_or("zero", true)?,
        };
        Ok(numbers.tidy())
    }

    /// The same set; what follows of one part for another is filled in.
    pub(crate) fn tidy(mut self) -> Numbers {
        for _ in 0..2 {
            if let Some(unit) = self.unit {
                self.least = Some(self.least.map_or(unit, |least| least.max(unit)));
                if let Some(most) = &self.most {
                    let (bits, most) = most.multiple(unit);
                    self.bits = Some(self.bits.map_or(bits, |own| own.min(bits)));
                    self.most = Some(most);
                }
            }
            if let (Some(least), Some(bits)) = (self.least, self.bits) {
                let unit = least - bits + 1;
                self.unit = Some(self.unit.map_or(unit, |own| own.max(unit)));
            }
        }
        let is_below = match (&self.most, self.least) {
            (Some(most), Some(least)) => *most < Dyadic::power(least),
            _ => false,
        };
        if self.is_zero() || self.bits == Some(0) || is_below {
            return Numbers::zero(self.minus);
        }
        self.negative &= self.minus;
        self
    }

    /// Whether all are zero.
    pub(crate) fn is_zero(&self) -> bool {
        self.most.as_ref().is_some_and(Dyadic::is_zero)
    }

    /// u where all are known to be multiples of 2^u.
    pub(crate) fn place(&self) -> i64 {
        if self.is_zero() {
            FAR
        } else {
            self.unit.unwrap_or(-FAR)
        }
    }

    /// l where all but zero are known to be at least 2^l.
    pub(crate) fn floor(&self) -> i64 {
        if self.is_zero() {
            FAR
        } else {
            self.least.unwrap_or(-FAR)
        }
    }

    /// The exponent of the leading one of the greatest magnitude; `-FAR` for zero alone.
    pub(crate) fn top(&self) -> Option<i64> {
        self.most.as_ref().map(|most| most.log2().unwrap_or(-FAR))
    }

    /// The numbers in both sets.
    pub(crate) fn both(&self, other: &Numbers) -> Numbers {
        let numbers = Numbers {
            unit: pick(&self.unit, &other.unit, |x, y| *x.max(y)),
            most: pick(&self.most, &other.most, |x, y| x.min(y).clone()),
            least: pick(&self.least, &other.least, |x, y| *x.max(y)),
            bits: pick(&self.bits, &other.bits, |x, y| *x.min(y)),
            negative: self.negative && other.negative,
            minus: self.minus && other.minus,
            zero: self.zero && other.zero,
        };
        numbers.tidy()
    }

    /// Fails unless every number of this set is one of `claimed`.
    pub(crate) fn need_within(&self, claimed: &Numbers) -> Fails<()> {
        let fail = |part: &str, expected: String, found: String| {
            Err(format!(
                "`{part}` of the value does not follow: expected {expected}, found {found}"
            ))
        };
        let show = |own: Option<String>| own.unwrap_or_else(|| "nothing".into());
        if !self.is_zero() {
            let at_least = |part: &str, own: Option<i64>, claimed: Option<i64>| match claimed {
                Some(claimed) if own.is_none_or(|own| own < claimed) => fail(
                    part,
                    format!("at most {}", show(own.map(|x| x.to_string()))),
                    claimed.to_string(),
                ),
                _ => Ok(()),
            };
            at_least("multiple", self.unit, claimed.unit)?;
            at_least("least", self.least, claimed.least)?;
            if let Some(claimed) = &claimed.most
                && self.most.as_ref().is_none_or(|own| own > claimed)
            {
                return fail(
                    "most",
                    format!(
                        "at least {}",
                        show(self.most.as_ref().map(|x| x.to_string()))
                    ),
                    claimed.to_string(),
                );
            }
            if let Some(claimed) = claimed.bits
                && self.bits.is_none_or(|own| own > claimed)
            {
                return fail(
                    "bits",
                    format!("at least {}", show(self.bits.map(|x| x.to_string()))),
                    claimed.to_string(),
                );
            }
        }
        for (part, own, claimed) in [
            ("negative", self.negative, claimed.negative),
            ("minus", self.minus, claimed.minus),
            ("zero", self.zero, claimed.zero),
        ] {
            need(claimed || !own, || {
                format!("`{part}` of the value does not follow: expected true, found false")
            })?;
        }
        Ok(())
    }

    /// The numbers that are products of one of each set.
    pub(crate) fn times(&self, other: &Numbers) -> Numbers {
        let minus = self.minus || other.minus;
        if self.is_zero() || other.is_zero() {
            return Numbers::zero(minus);
        }
        let join = |x: Option<i64>, y: Option<i64>| Some(x? + y?);
        let bits = match (self.bits, other.bits) {
            (Some(1), bits) | (bits, Some(1)) => bits,
            (x, y) => join(x, y),
        };
        let numbers = Numbers {
            unit: join(self.unit, other.unit),
            most: self
                .most
                .as_ref()
                .zip(other.most.as_ref())
                .map(|(x, y)| x.times(y)),
            least: join(self.least, other.least),
            bits,
            negative: self.negative || other.negative,
            minus,
            zero: self.zero || other.zero,
        };
        numbers.tidy()
    }

    /// The numbers that are sums of one of each set; `None` if one set is not known.
    pub(crate) fn sum(sets: &[Option<&Numbers>]) -> Option<Numbers> {
        let all: Vec<&Numbers> = sets.iter().copied().collect::<Option<_>>()?;
        let minus = all.iter().any(|one| one.minus);
        let some: Vec<&Numbers> = all.into_iter().filter(|one| !one.is_zero()).collect();
        match some.as_slice() {
            [] => return Some(Numbers::zero(minus)),
            [one] => {
                return Some(Numbers {
                    minus,
                    ..(*one).clone()
                });
            }
            _ => {}
        }
        let negative = some.iter().any(|one| one.negative);
        let mosts: Option<Vec<&Dyadic>> = some.iter().map(|one| one.most.as_ref()).collect();
        let units: Option<Vec<i64>> = some.iter().map(|one| one.unit).collect();
        let numbers = Numbers {
            unit: units.and_then(|units| units.into_iter().min()),
            most: mosts.map(crate::dyadic::sum),
            least: None,
            bits: None,
            negative,
            minus,
            zero: negative || some.iter().all(|one| one.zero),
        };
        Some(numbers.tidy())
    }
}
