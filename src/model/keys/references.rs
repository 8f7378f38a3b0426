//! Keys of the references that users compare with: `exact` and `ieee`.

use super::{A, ANY_NAN, B, CHAIN, KeyDoc, Keys, NAN, ROUND, Text, factor_texts, text_of};
use crate::algorithms::{Exact, Ieee, Order};
use crate::float::{Format, NanCode, Rounding};
use crate::model::ModelError;

const K: KeyDoc = KeyDoc {
    name: "K",
    values: "1 to 4096",
    default: "4",
    meaning: "number of products",
};
const IN: KeyDoc = KeyDoc {
    name: "in",
    values: "format",
    default: "f16",
    meaning: "format of a and b",
};
const ROUNDING: KeyDoc = KeyDoc {
    name: "round",
    values: "rz rne rd ru ra",
    default: "rne",
    meaning: "rounding of every result",
};
const CODE: KeyDoc = KeyDoc {
    default: "quiet",
    ..ANY_NAN
};

pub(in crate::model) const EXACT: &[KeyDoc] = &[
    K,
    CHAIN,
    IN,
    A,
    B,
    KeyDoc {
        name: "c",
        values: "format",
        default: "out",
        meaning: "format of the accumulator in",
    },
    KeyDoc {
        name: "out",
        values: "format with infinities",
        default: "f32",
        meaning: "format of the result",
    },
    ROUNDING,
    CODE,
];

pub(in crate::model) const IEEE: &[KeyDoc] = &[
    K,
    CHAIN,
    IN,
    A,
    B,
    KeyDoc {
        name: "acc",
        values: "format with infinities",
        default: "f32",
        meaning: "format of c, of every intermediate result, and of the result",
    },
    KeyDoc {
        name: "order",
        values: "seq fma late pairwise",
        default: "seq",
        meaning: "c + p0 + p1 + ...; with fused multiply-adds; with those from +0, then c; or c + pairwise sum of products",
    },
    ROUNDING,
    CODE,
];

const ORDER: &[(&str, Order)] = &[
    ("seq", Order::Sequential),
    ("fma", Order::SequentialFma),
    ("late", Order::FmaThenAccumulator),
    ("pairwise", Order::Pairwise),
];

/// # Errors
/// If a key has a value that it cannot have.
pub(in crate::model) fn read_exact(keys: &Keys<'_>) -> Result<Exact, ModelError> {
    let out = keys.format_where(&["out"], Format::F32, Format::has_infinity)?;
    Ok(Exact {
        a: keys.format(&["in", "a"], Format::F16)?,
        b: keys.format(&["in", "b"], Format::F16)?,
        c: keys.format(&["c"], out)?,
        out,
        products: keys.number("K", 4, 1..=4096)?,
        rounding: keys.choice("round", Rounding::Rne, ROUND)?,
        nan: keys.choice("nan", NanCode::Quiet, NAN)?,
    })
}

/// # Errors
/// If a key has a value that it cannot have.
pub(in crate::model) fn read_ieee(keys: &Keys<'_>) -> Result<Ieee, ModelError> {
    Ok(Ieee {
        a: keys.format(&["in", "a"], Format::F16)?,
        b: keys.format(&["in", "b"], Format::F16)?,
        accumulator: keys.format_where(&["acc"], Format::F32, Format::has_infinity)?,
        products: keys.number("K", 4, 1..=4096)?,
        order: keys.choice("order", Order::Sequential, ORDER)?,
        rounding: keys.choice("round", Rounding::Rne, ROUND)?,
        nan: keys.choice("nan", NanCode::Quiet, NAN)?,
    })
}

/// All keys of `exact` with their values and defaults.
pub(in crate::model) fn exact_texts(exact: &Exact) -> Vec<Text> {
    let mut keys = vec![Text::new("K", exact.products, "4")];
    keys.extend(factor_texts(&exact.a, &exact.b, "f16"));
    keys.extend([
        Text::new("c", exact.c, exact.out.name()),
        Text::new("out", exact.out, "f32"),
        Text::new("round", text_of(ROUND, &exact.rounding), "rne"),
        Text::new("nan", text_of(NAN, &exact.nan), "quiet"),
    ]);
    keys
}

/// All keys of `ieee` with their values and defaults.
pub(in crate::model) fn ieee_texts(ieee: &Ieee) -> Vec<Text> {
    let mut keys = vec![Text::new("K", ieee.products, "4")];
    keys.extend(factor_texts(&ieee.a, &ieee.b, "f16"));
    keys.extend([
        Text::new("acc", ieee.accumulator, "f32"),
        Text::new("order", text_of(ORDER, &ieee.order), "seq"),
        Text::new("round", text_of(ROUND, &ieee.rounding), "rne"),
        Text::new("nan", text_of(NAN, &ieee.nan), "quiet"),
    ]);
    keys
}
