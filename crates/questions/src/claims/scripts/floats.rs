//! The operators of FloatingPoint in scripts, and their sorts.

use super::apply::{Apply, Result, among};
use super::graph::{Id, ScriptOperation};
use super::kind::{ScriptSort, WIDEST, float};

/// Rounding modes, each by its long and its short name.
const ROUNDINGS: [[&str; 2]; 5] = [
    ["roundNearestTiesToEven", "RNE"],
    ["roundNearestTiesToAway", "RNA"],
    ["roundTowardPositive", "RTP"],
    ["roundTowardNegative", "RTN"],
    ["roundTowardZero", "RTZ"],
];
const CONSTANTS: [&str; 5] = ["+oo", "-oo", "+zero", "-zero", "NaN"];
const ROUNDED_OF_TWO: [&str; 4] = ["fp.add", "fp.sub", "fp.mul", "fp.div"];
const ROUNDED_OF_ONE: [&str; 2] = ["fp.sqrt", "fp.roundToIntegral"];
const OF_ONE: [&str; 2] = ["fp.abs", "fp.neg"];
const OF_TWO: [&str; 3] = ["fp.rem", "fp.min", "fp.max"];
const COMPARISONS: [&str; 5] = ["fp.leq", "fp.lt", "fp.geq", "fp.gt", "fp.eq"];
const CLASSES: [&str; 7] = [
    "fp.isNormal",
    "fp.isSubnormal",
    "fp.isZero",
    "fp.isInfinite",
    "fp.isNaN",
    "fp.isNegative",
    "fp.isPositive",
];

/// The rounding mode of this name.
pub(super) fn rounding(name: &str) -> Option<ScriptOperation> {
    let found = ROUNDINGS.iter().find(|names| names.contains(&name));
    found.map(|[_, short]| ScriptOperation::Literal((*short).into()))
}

/// The constant of these words, such as `_ +oo 8 24`, and its sort.
pub(super) fn constant(words: &[&str]) -> Option<(ScriptOperation, ScriptSort)> {
    let ["_", name, exponent, significand] = words else {
        return None;
    };
    let name = among(&CONSTANTS, name)?;
    let (exponent, significand) = (exponent.parse().ok()?, significand.parse().ok()?);
    let kind = float(exponent, significand)?;
    let text = format!("(_ {name} {exponent} {significand})");
    Some((ScriptOperation::Literal(text), kind))
}

fn is_float(of: &Apply<'_, '_>, operand: usize) -> Result<()> {
    match of.kind(operand) {
        ScriptSort::Float(..) => Ok(()),
        _ => Err(of.operands[operand].expected("a FloatingPoint")),
    }
}

/// The node of an operator without indices; `None` if it is none of FloatingPoint.
pub(super) fn float_operator(operation: &str, of: &mut Apply<'_, '_>) -> Result<Option<Id>> {
    let ids = of.ids;
    let count = ids.len();
    let whole = ids.to_vec();
    let find =
        |names: &[&'static str], wanted: usize| among(names, operation).filter(|_| count == wanted);
    if operation == "fp" && count == 3 {
        let [sign, exponent, fraction] = [of.width(0)?, of.width(1)?, of.width(2)?];
        return match float(exponent, fraction + 1).filter(|_| sign == 1) {
            Some(kind) => of.make("fp", &[], whole, kind).map(Some),
            None => of.wrong("(fp SIGN EXPONENT FRACTION), a sign of one bit"),
        };
    }
    let rounded = find(&ROUNDED_OF_TWO, 3)
        .or_else(|| find(&ROUNDED_OF_ONE, 2))
        .or_else(|| find(&["fp.fma"], 4));
    if let Some(name) = rounded {
        of.is(0, ScriptSort::RoundingMode)?;
        is_float(of, 1)?;
        of.are_alike(1)?;
        let kind = of.kind(1);
        return of.make(name, &[], whole, kind).map(Some);
    }
    if let Some(name) = find(&OF_ONE, 1).or_else(|| find(&OF_TWO, 2)) {
        is_float(of, 0)?;
        of.are_alike(0)?;
        let kind = of.kind(0);
        return of.make(name, &[], whole, kind).map(Some);
    }
    if let Some(name) = find(&CLASSES, 1) {
        is_float(of, 0)?;
        return of.make(name, &[], whole, ScriptSort::Truth).map(Some);
    }
    if let Some(name) = among(&COMPARISONS, operation).filter(|_| count > 1) {
        is_float(of, 0)?;
        of.are_alike(0)?;
        return of.chained(name).map(Some);
    }
    if operation == "fp.to_real" && count == 1 {
        is_float(of, 0)?;
        return of
            .make("fp.to_real", &[], whole, ScriptSort::Real)
            .map(Some);
    }
    Ok(None)
}

/// The node of a conversion, such as `((_ to_fp 8 24) RNE x)`; `None` if there is none such.
pub(super) fn conversion(
    name: &str,
    indices: &[u32],
    of: &mut Apply<'_, '_>,
) -> Result<Option<Id>> {
    let ids = of.ids.to_vec();
    let kind = match indices {
        [exponent, significand] => float(*exponent, *significand),
        [width] if (1..=WIDEST).contains(width) => Some(ScriptSort::Word(*width)),
        _ => None,
    };
    let Some(kind) = kind else {
        return Ok(None);
    };
    match (name, kind, ids.len()) {
        ("to_fp", ScriptSort::Float(exponent, significand), 1) => {
            of.is(0, ScriptSort::Word(exponent + significand))?;
            of.make("to_fp", indices, ids, kind).map(Some)
        }
        ("to_fp", ScriptSort::Float(..), 2) => {
            of.is(0, ScriptSort::RoundingMode)?;
            if matches!(of.kind(1), ScriptSort::Truth | ScriptSort::RoundingMode) {
                return Err(of.operands[1].expected("a FloatingPoint, a Real or a bit-vector"));
            }
            of.make("to_fp", indices, ids, kind).map(Some)
        }
        ("to_fp_unsigned", ScriptSort::Float(..), 2) => {
            of.is(0, ScriptSort::RoundingMode)?;
            of.width(1)?;
            of.make("to_fp_unsigned", indices, ids, kind).map(Some)
        }
        ("fp.to_ubv" | "fp.to_sbv", ScriptSort::Word(_), 2) => {
            of.is(0, ScriptSort::RoundingMode)?;
            is_float(of, 1)?;
            let name = among(&["fp.to_ubv", "fp.to_sbv"], name).unwrap_or_default();
            of.make(name, indices, ids, kind).map(Some)
        }
        _ => Ok(None),
    }
}
