//! Keys of FP8 through f16.

use super::{CHAIN, KeyDoc, Keys, Text, bad_value, factor_texts, fda};
use crate::algorithms::fda::Params;
use crate::algorithms::{DotAdd, Fda, Hmma8};
use crate::float::Format;
use crate::model::ModelError;

pub(in crate::model) const HMMA8: &[KeyDoc] = &[
    KeyDoc {
        name: "K",
        values: "2, 4, ... 4096",
        default: "16",
        meaning: "products in one f16 fused dot-add; the model takes 2 * K",
    },
    CHAIN,
    KeyDoc {
        name: "F",
        values: "1 to 64",
        default: "25",
        meaning: "fraction bits kept when terms are aligned",
    },
    KeyDoc {
        name: "in",
        values: "e4m3 e5m2",
        default: "e4m3",
        meaning: "format of a and b",
    },
    KeyDoc {
        name: "a",
        values: "e4m3 e5m2",
        default: "in",
        meaning: "format of a",
    },
    KeyDoc {
        name: "b",
        values: "e4m3 e5m2",
        default: "in",
        meaning: "format of b",
    },
    KeyDoc {
        name: "out",
        values: "f32 f16",
        default: "f32",
        meaning: "format of c and of the result",
    },
    KeyDoc {
        name: "via",
        values: "none f32",
        default: "none",
        meaning: "as in fda, of both sums",
    },
    KeyDoc {
        name: "zero",
        values: "skip raw min",
        default: "skip",
        meaning: "as in fda",
    },
    KeyDoc {
        name: "emin",
        values: "none, -4096 to 4096",
        default: "none",
        meaning: "as in fda",
    },
];

/// # Errors
/// If a key has a value that it cannot have.
pub(in crate::model) fn read(keys: &Keys<'_>) -> Result<Hmma8, ModelError> {
    let given = fda::params(keys, 16, Format::E4M3)?;
    for (key, format) in [("a", given.a), ("b", given.b)] {
        if ![Format::E4M3, Format::E5M2].contains(&format) {
            return Err(bad_value(key, format.name(), "e4m3 or e5m2"));
        }
    }
    if ![Format::F32, Format::F16].contains(&given.out) {
        return Err(bad_value("out", given.out.name(), "f32 or f16"));
    }
    let half = given.products_per_sum;
    if half % 2 != 0 || half > 4096 {
        let expected = "an even number from 2 to 4096";
        return Err(bad_value("K", &half.to_string(), expected));
    }
    let params = Params {
        a: Format::F16,
        b: Format::F16,
        c: given.out,
        fraction_bits: keys.number("F", 25, 1..=64)?,
        result_fraction: given.out.fraction_bits,
        ..given
    };
    Ok(Hmma8::new(given.a, given.b, Fda::new(params)))
}

/// All keys with their values and defaults.
pub(in crate::model) fn texts(hmma8: &Hmma8) -> Vec<Text> {
    let signature = hmma8.signature();
    let mut keys = fda::texts(hmma8.half());
    keys.retain(|text| text.key != "in");
    keys[0].default = "16".into();
    let factors = factor_texts(&signature.a, &signature.b, "");
    keys.splice(2..2, factors);
    keys
}
