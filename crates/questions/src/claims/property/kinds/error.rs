//! `error=BOUND`: the result lies within a bound of the exact sum.

use crate::claims::property::bound::{self, Bound, BoundUnit};
use crate::claims::property::relative::{self, ReferenceSum, RelativeBound};
use crate::claims::property::{
    ClaimError, Counterpart, Lemma, Meaning, PropertyDoc, PropertyText, Trial,
};
use mmasmt_core::machines::model::{Instance, Model};
use mmasmt_numbers::bits::Big;
use mmasmt_numbers::float::{Dyadic, Format, Rounding, hex_float, parse_value};
use num_traits::ToPrimitive;

pub(super) const DOC: PropertyDoc = PropertyDoc::new(
    "error=BOUND",
    "a finite result for finite operands is within BOUND of the exact sum: 2ulp, last places of the result, that of a zero or a subnormal number being the format's least number; 0x1p-17max, of the power of two of the largest exponent among the terms that are no zeros, subnormal operands having the least exponent; 0x1p-20rel, of the exact sum; 0x1p-20sum, of the sum of the magnitudes of c and all products; 0x1p-20 or 0x1p-20abs, absolute; tosa, half a last place of the result's format for each product and for c, times the sum of the magnitudes (TOSA's bound above the subnormal results)",
)
.of_sums();

/// The result lies within a bound of the exact sum.
#[derive(Clone, Debug)]
pub enum ErrorLimit {
    /// A bound in units of the result or of its terms.
    Units(Bound),
    /// A bound relative to a sum.
    Relative(RelativeBound),
}

impl Meaning for ErrorLimit {
    fn read(text: &PropertyText) -> Result<Self, ClaimError> {
        match text.value {
            "tosa" => Ok(ErrorLimit::Relative(tosa_bound(text.model))),
            bound => parse_bound(bound).ok_or_else(|| text.without_value(near_bound(bound))),
        }
    }

    fn is_violated<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
        match self {
            ErrorLimit::Units(bound) => bound::exceeds(by.model, bound, by.inputs),
            ErrorLimit::Relative(bound) => relative::is_beyond(by.model, bound, by.inputs),
        }
    }

    fn lemmas<B: Instance>(&self, by: &Trial<B>) -> Vec<Lemma<B>> {
        match self {
            ErrorLimit::Units(bound) => bound::lemmas(by.model, bound, by.inputs),
            ErrorLimit::Relative(_) => Vec::new(),
        }
    }

    fn counterparts(&self, by: &Trial<Big>) -> Vec<Counterpart> {
        vec![by.exact_sum("the exact sum, to nearest", Rounding::Rne)]
    }
}

/// The bound of TOSA's test of dot products, relative to the sum of magnitudes: half a last place of the result's format for
/// each product, and for `c`.
fn tosa_bound(model: &Model) -> RelativeBound {
    let signature = model.signature();
    RelativeBound {
        mantissa: u64::from(signature.products) + u64::from(model.reads_c()),
        exponent: -1 - i64::from(signature.d.fraction_bits),
        of: ReferenceSum::Magnitudes,
    }
}

/// The number of a bound, and the unit behind it.
fn suffixed(text: &str) -> (&str, &str) {
    let suffixes = ["ulp", "max", "rel", "sum", "abs"];
    let parts = suffixes
        .iter()
        .find_map(|suffix| Some((text.strip_suffix(suffix)?, *suffix)));
    parts.unwrap_or((text, ""))
}

/// A question that names the bound nearest to one whose number is no binary fraction; `None` if the text has no number.
fn near_bound(text: &str) -> Option<String> {
    let (number, suffix) = suffixed(text);
    let nearest = format!("~{}", number.trim_start_matches('~'));
    let register = parse_value(&Format::F64, &nearest).ok()?;
    let number = hex_float(&Format::F64, register);
    Some(format!(
        " with a number that is exact in binary, did you mean `error={number}{suffix}`?"
    ))
}

/// Reads a bound such as `2ulp`, `0x1p-17max`, `0x1p-20rel`, `0x1p-20sum`, `0x1p-20abs` or
/// `0x1p-20`; `None` if `text` is no bound.
fn parse_bound(text: &str) -> Option<ErrorLimit> {
    let (number, suffix) = suffixed(text);
    // A bound is exact: a `~`, which would take the nearest number in its place, is refused.
    let number = Some(number).filter(|number| !number.contains('~'))?;
    let register = parse_value(&Format::F64, number).ok()?;
    let value = Dyadic::of(&Format::F64, register)?;
    let (mantissa, exponent) = (value.mantissa().to_u64()?, value.exponent());
    let units = |unit| {
        ErrorLimit::Units(Bound {
            mantissa,
            exponent,
            unit,
        })
    };
    let relative = |of| {
        ErrorLimit::Relative(RelativeBound {
            mantissa,
            exponent,
            of,
        })
    };
    Some(match suffix {
        "ulp" => units(BoundUnit::Ulp),
        "max" => units(BoundUnit::Max),
        "rel" => relative(ReferenceSum::Sum),
        "sum" => relative(ReferenceSum::Magnitudes),
        _ => units(BoundUnit::One),
    })
}
