//! The choices of each part of a unit, each with the words of the description for all that it
//! may be. The first word of a choice is the plainest one.

use super::layout::UnitLayout;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_numbers::float::{Format, NanCode};

/// A choice: one part of a unit, and what it may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LearnChoice {
    /// The part of the unit.
    pub part: String,
    /// The property that the choice is about.
    pub about: &'static str,
    /// Its possible values, as words that the text of the description is made of.
    pub words: Vec<String>,
}

/// The places of the choices that a unit has once.
pub mod unit {
    pub const FACTORS: usize = 0;
    pub const ADDEND: usize = 1;
    pub const FACTOR_ZEROS: usize = 2;
    pub const ADDEND_ZEROS: usize = 3;
    pub const WIDEN: usize = 4;
    pub const PRODUCTS: usize = 5;
    pub const PRODUCT_TINY: usize = 6;
    pub const CAP: usize = 7;
    pub const VIA: usize = 8;
    pub const BY: usize = 9;
    pub const FRACTION: usize = 10;
    pub const TINY: usize = 11;
    pub const OVERFLOW: usize = 12;
    pub const SIGN: usize = 13;
    pub const NAN: usize = 14;
    pub const SPECIAL: usize = 15;
    pub const ADDEND_CUT: usize = 16;
    pub const COUNT: usize = 17;
}

/// The places of the choices of a class of sums, behind those of the unit and of earlier classes.
pub mod sum {
    pub const KEEP: usize = 0;
    pub const BY: usize = 1;
    pub const LEAST: usize = 2;
    pub const CARRY: usize = 3;
    pub const NEGATE: usize = 4;
    pub const STICKY: usize = 5;
    pub const OUT: usize = 6;
    pub const FRACTION: usize = 7;
    pub const TINY: usize = 8;
    pub const OVERFLOW: usize = 9;
    pub const SIGN: usize = 10;
    pub const OF_SUMS: usize = 11;
    pub const FAR: usize = 12;
    pub const COUNT: usize = 13;
}

/// The word for what is not done.
pub(super) const PLAIN: &str = "";
/// The words that are read by the text of a description, beside those that it copies.
pub(super) const FLUSH: &str = "flush";
pub(super) const FLUSH_PLUS: &str = "flush to plus zero";
pub(super) const NORMALISE: &str = "normalise";

const ROUNDINGS: [&str; 6] = ["rne", "rz", "rd", "ru", "ra", "odd"];
const CUTTINGS: [&str; 5] = ["by rz", "by rd", "by rne", "by rna", "by odd"];
const TINY: [&str; 4] = [PLAIN, "tiny before", "tiny after", "tiny register"];
const OVERFLOW: [&str; 2] = [PLAIN, "overflow infinity"];
const SIGN: [&str; 4] = [PLAIN, "sign plus", "sign shared", "sign total"];
const NEGATE: [&str; 3] = [PLAIN, "negate ones", "negate ones_of_nonzero"];
/// The most fraction bits that a fused sum may keep.
const KEEP: u32 = 64;
/// The farthest distance from which terms may be cut towards zero, whatever is done with nearer ones.
const FAR: u32 = 40;
/// The significant bits that a sum may be cut to.
const CUT: std::ops::RangeInclusive<u32> = 8..=48;
/// The significant bits that the last sum may be cut to before it is rounded.
const VIA: std::ops::RangeInclusive<u32> = 25..=36;
/// The integer bits beyond the first that a sum may have.
const CARRY: u32 = 7;
/// How far the least exponent of a sum may be below and above one of its formats.
const LEAST: [i32; 2] = [-12, 3];

/// The orders in which the NaNs of operands come: `a` and `b` are the factors, product by product,
/// `s` the other terms, and `t` the other terms with the last one first.
const NAN_ORDERS: [&str; 8] = ["abs", "sab", "abt", "tab", "bas", "sba", "bsa", "asb"];

fn words(all: &[&str]) -> Vec<String> {
    all.iter().map(|word| (*word).into()).collect()
}

/// The formats that a value between operands and result may be rounded to.
fn between(signature: &Signature) -> Vec<Format> {
    let mut formats = vec![Format::F32];
    for format in [signature.d, signature.c, Format::F16, Format::BF16] {
        if !formats.contains(&format) && !format.is_integer() && format.exponent_bits >= 5 {
            formats.push(format);
        }
    }
    formats
}

fn roundings(formats: &[Format]) -> impl Iterator<Item = String> {
    let formats = formats.iter();
    formats.flat_map(|format| ROUNDINGS.map(|by| format!("to {format} by {by}")))
}

fn fractions(most: u32) -> Vec<String> {
    let bits = (1..most).rev().map(|bits| format!("fraction {bits}"));
    std::iter::once(PLAIN.into()).chain(bits).collect()
}

fn least(signature: &Signature) -> Vec<String> {
    let Signature { a, b, c, d, .. } = signature;
    let product = a.min_exponent() + b.min_exponent();
    let mut all: Vec<i32> = [c.min_exponent(), d.min_exponent(), -126, product]
        .into_iter()
        .flat_map(|middle| middle + LEAST[0]..=middle + LEAST[1])
        .collect();
    all.sort_unstable();
    all.dedup();
    let exponents = all
        .into_iter()
        .rev()
        .map(|exponent| format!("least {exponent}"));
    std::iter::once(PLAIN.into()).chain(exponents).collect()
}

/// All choices of a unit with these sums: those of the unit, then those of each class of sums.
/// `nan` is a NaN that the unit gives, if one is known.
pub(super) fn choices(
    layout: &UnitLayout,
    signature: &Signature,
    nan: Option<u64>,
) -> Vec<LearnChoice> {
    let mut all = Vec::new();
    of_unit(signature, nan, &mut all);
    layout
        .classes
        .iter()
        .for_each(|class| of_sums(class, signature, &mut all));
    all
}

fn of_unit(signature: &Signature, nan: Option<u64>, all: &mut Vec<LearnChoice>) {
    let mut add = |part: &str, about: &'static str, words: Vec<String>| {
        let part = part.into();
        all.push(LearnChoice { part, about, words });
    };
    let subnormals = words(&[PLAIN, FLUSH, FLUSH_PLUS]);
    let zeros = words(&[PLAIN, "zeros field", "zeros -126"]);
    let formats = between(signature);
    add("factors", "subnormal operands", subnormals.clone());
    add("c", "subnormal operands", subnormals);
    add("factors", "exponent of zeros", zeros.clone());
    add("c", "exponent of zeros", zeros);
    add("c", "exponent of subnormals", words(&[PLAIN, "widen"]));
    let mut products = words(&[PLAIN, NORMALISE]);
    products.extend(roundings(&formats));
    add("products", "result", products);
    add("products", "tiny results", words(&TINY));
    add("products", "infinite from", words(&[PLAIN, "exponent 128"]));
    let mut via = words(&[PLAIN]);
    let others: Vec<Format> = formats
        .into_iter()
        .filter(|own| *own != signature.d)
        .collect();
    via.extend(roundings(&others));
    let least = signature.d.min_exponent();
    via.extend(
        VIA.flat_map(|bits| ["rz", "rd"].map(|by| format!("bits {bits} by {by} least {least}"))),
    );
    add("result", "rounded first", via);
    add(
        "result",
        "rounding",
        ROUNDINGS.map(|by| format!("by {by}")).into(),
    );
    add(
        "result",
        "fraction bits",
        fractions(signature.d.fraction_bits),
    );
    add("result", "tiny results", words(&TINY));
    add("result", "overflow", words(&OVERFLOW));
    add("result", "sign of zero", words(&SIGN));
    let mut codes = words(&["nan quiet", "nan ones"]);
    if let Some(nan) = nan {
        let quiet = [NanCode::Quiet, NanCode::Ones].map(|code| signature.d.nan(code));
        if !quiet.contains(&nan) {
            codes.push(format!("nan first(nothing) else {nan:#x}"));
        }
        codes.extend(NAN_ORDERS.map(|order| format!("{order} {nan:#x}")));
    }
    add("result", "NaN", codes);
    let order = words(&[PLAIN, "special"]);
    add("result", "infinities of operands first", order);
    let least = signature.c.min_exponent();
    let mut cut = words(&[PLAIN]);
    cut.extend(
        (2..=signature.c.fraction_bits)
            .flat_map(|bits| ["rz", "rne"].map(|by| format!("bits {bits} by {by} least {least}"))),
    );
    add("c", "cut", cut);
}

fn of_sums(class: &str, signature: &Signature, all: &mut Vec<LearnChoice>) {
    let mut add = |about: &'static str, words: Vec<String>| {
        let part = class.into();
        all.push(LearnChoice { part, about, words });
    };
    let formats = between(signature);
    let kept = (1..=KEEP).map(|bits| format!("keep {bits}"));
    add(
        "alignment",
        std::iter::once(PLAIN.into()).chain(kept).collect(),
    );
    add("cut at alignment", words(&CUTTINGS));
    add("least exponent", least(signature));
    let carries = ["wrap", "saturate"]
        .into_iter()
        .flat_map(|beyond| (0..=CARRY).map(move |bits| format!("carry {bits} beyond {beyond}")));
    add(
        "integer bits",
        std::iter::once(PLAIN.into()).chain(carries).collect(),
    );
    add("negative terms", words(&NEGATE));
    add("lost bits", words(&[PLAIN, "sticky"]));
    let mut out = words(&[PLAIN, NORMALISE]);
    out.extend(roundings(&formats));
    out.extend(CUT.flat_map(|bits| ["rz", "rne"].map(|by| format!("bits {bits} by {by}"))));
    add("result", out);
    add("fraction bits", fractions(Format::F32.fraction_bits));
    add("tiny results", words(&TINY));
    add("overflow", words(&OVERFLOW));
    add("sign of zero", words(&SIGN));
    // Sums that are not rounded may keep more bits than registers.
    let kept = (1..=KEEP).map(|bits| format!("keep {bits}"));
    add(
        "alignment of sums",
        std::iter::once(PLAIN.into()).chain(kept).collect(),
    );
    let far = (1..=FAR).map(|far| format!("far {far}"));
    add(
        "cut by rz from far",
        std::iter::once(PLAIN.into()).chain(far).collect(),
    );
}
