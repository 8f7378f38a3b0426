//! Keys of the dot products to which `c` is added late: `fdrda` and `gfdrda`.

use super::{
    A, ALIGN, ANY_NAN, B, CHAIN, KeyDoc, Keys, NAN, Text, ZERO, bad_value, factor_texts, text_of,
};
use crate::algorithms::{Align, Fdrda, Gfdrda, LateAdd, LateParams, ZeroRule};
use crate::float::{Format, NanCode};
use crate::model::ModelError;

const F: KeyDoc = KeyDoc {
    name: "F",
    values: "1 to 31",
    default: "24",
    meaning: "fraction bits kept of products, and of c",
};
const LATE: KeyDoc = KeyDoc {
    name: "late",
    values: "amd paper",
    default: "amd",
    meaning: "late addition: dot cut at 32 bits and the normalised total at 31, or dot cut at 31 bits",
};
const ALIGNMENT: KeyDoc = KeyDoc {
    name: "align",
    values: "floor trunc",
    default: "floor",
    meaning: "cutting where the unit rounds down; trunc is a hypothetical one that cuts magnitudes",
};
const ZEROS: KeyDoc = KeyDoc {
    name: "zero",
    values: "skip raw min",
    default: "skip",
    meaning: "exponent of a zero product: left out, of its fields, -126 for a zero factor",
};

pub(in crate::model) const FDRDA: &[KeyDoc] = &[
    KeyDoc {
        name: "K",
        values: "1 to 65536",
        default: "8",
        meaning: "products in one fused operation",
    },
    CHAIN,
    F,
    KeyDoc {
        name: "in",
        values: "format",
        default: "f16",
        meaning: "format of a and b",
    },
    A,
    B,
    LATE,
    ALIGNMENT,
    ZEROS,
    ANY_NAN,
];

pub(in crate::model) const GFDRDA: &[KeyDoc] = &[
    KeyDoc {
        name: "K",
        values: "2, 4, ... 65536",
        default: "16",
        meaning: "products in one operation",
    },
    CHAIN,
    F,
    KeyDoc {
        name: "in",
        values: "format",
        default: "e4m3fnuz",
        meaning: "format of a and b",
    },
    A,
    B,
    LATE,
    ALIGNMENT,
    ZEROS,
    ANY_NAN,
];

const LATE_ADD: &[(&str, LateAdd)] = &[
    ("amd", LateAdd::Cut32Normalise31),
    ("paper", LateAdd::Cut31),
];

fn params(keys: &Keys<'_>, products: u32, factors: Format) -> Result<LateParams, ModelError> {
    Ok(LateParams {
        a: keys.format(&["in", "a"], factors)?,
        b: keys.format(&["in", "b"], factors)?,
        products: keys.number("K", products, 1..=65536)?,
        fraction_bits: keys.number("F", 24, 1..=31)?,
        align: keys.choice("align", Align::Floor, ALIGN)?,
        late: keys.choice("late", LateAdd::Cut32Normalise31, LATE_ADD)?,
        zero: keys.choice("zero", ZeroRule::Skip, ZERO)?,
        nan: keys.choice("nan", NanCode::Any, NAN)?,
    })
}

/// # Errors
/// If a key has a value that it cannot have.
pub(in crate::model) fn read_fdrda(keys: &Keys<'_>) -> Result<Fdrda, ModelError> {
    params(keys, 8, Format::F16).map(Fdrda::new)
}

/// # Errors
/// If a key has a value that it cannot have.
pub(in crate::model) fn read_gfdrda(keys: &Keys<'_>) -> Result<Gfdrda, ModelError> {
    let params = params(keys, 16, Format::E4M3FNUZ)?;
    if !params.products.is_multiple_of(2) {
        return Err(bad_value(
            "K",
            &params.products.to_string(),
            "an even number",
        ));
    }
    Ok(Gfdrda::new(params))
}

/// All keys with their values and defaults.
pub(in crate::model) fn texts(p: &LateParams, products: &str) -> Vec<Text> {
    let mut keys = vec![
        Text::new("K", p.products, products),
        Text::new("F", p.fraction_bits, "24"),
    ];
    keys.extend(factor_texts(&p.a, &p.b, ""));
    keys.extend([
        Text::new("late", text_of(LATE_ADD, &p.late), "amd"),
        Text::new("align", text_of(ALIGN, &p.align), "floor"),
        Text::new("zero", text_of(ZERO, &p.zero), "skip"),
        Text::new("nan", text_of(NAN, &p.nan), "any"),
    ]);
    keys
}
