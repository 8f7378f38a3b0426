//! Formats of registers, and their finite numbers.

use crate::dyadic::Dyadic;
use crate::given::Numbers;
use crate::json::{LIMIT, Object, dyadic, word};
use crate::{Fails, need};
use serde_json::Value;

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
    pub(crate) infinity: bool,
    pub(crate) nan: bool,
    pub(crate) subnormals: bool,
}

impl Format {
    pub(crate) fn read(thing: &Value) -> Fails<Format> {
        if thing.get("kind").and_then(Value::as_str) == Some("integer") {
            return Format::read_integer(thing);
        }
        let known = [
            "kind",
            "precision",
            "emin",
            "emax",
            "greatest",
            "signed",
            "zero",
            "negative_zero",
            "infinity",
            "nan",
            "subnormals",
        ];
        let object = Object::of(thing, &known, "a format")?;
        word(
            object.get("kind")?,
            &[("float", ()), ("integer", ())],
            "kind",
        )?;
        let format = Format {
            is_float: true,
            precision: object.integer("precision", 1)?,
            emin: object.integer("emin", -LIMIT)?,
            emax: object.integer("emax", -LIMIT)?,
            greatest: dyadic(object.get("greatest")?, "greatest")?,
            signed: object.flag("signed")?,
            zero: object.flag("zero")?,
            negative_zero: object.flag("negative_zero")?,
            infinity: object.flag("infinity")?,
            nan: object.flag("nan")?,
            subnormals: object.flag("subnormals")?,
        };
        let place = format.emax - format.precision + 1;
        let is_number = format.greatest.log2() == Some(format.emax)
            && format.emin <= format.emax
            && format.greatest.down(format.precision, place) == format.greatest;
        need(is_number, || "`greatest` is no number of its format".into())?;
        Ok(format)
    }

    fn read_integer(thing: &Value) -> Fails<Format> {
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
            infinity: false,
            nan: false,
            subnormals: false,
        })
    }

    /// The greatest magnitude.
    pub(crate) fn reach(&self) -> Dyadic {
        match self.is_float || !self.signed {
            true => self.greatest.clone(),
            false => self.greatest.plus(&Dyadic::power(0)),
        }
    }

    /// The finite numbers of the format.
    pub(crate) fn finite(&self) -> Numbers {
        let unit = if self.is_float {
            self.emin - self.precision + 1
        } else {
            0
        };
        let numbers = Numbers {
            unit: Some(unit),
            most: Some(self.reach()),
            least: Some(if self.subnormals || !self.is_float {
                unit
            } else {
                self.emin
            }),
            bits: self.is_float.then_some(self.precision),
            negative: self.signed,
            minus: self.signed,
            zero: self.zero,
        };
        numbers.tidy()
    }

    /// A number that is at most the greatest one with so many fraction bits.
    pub(crate) fn largest(&self, fraction: i64) -> Dyadic {
        if fraction == self.precision - 1 {
            return self.greatest.clone();
        }
        let largest = self.greatest.down(fraction + 1, self.emin);
        // Without infinities, the code of the greatest number with fewer bits may be that of the NaN.
        if self.infinity {
            largest
        } else {
            largest.minus(&Dyadic::power(self.emax - fraction))
        }
    }
}
