//! Keys of the chain of fused multiply-adds.

use super::{ANY_NAN, CHAIN, KeyDoc, Keys, NAN, Text, text_of};
use crate::algorithms::Sfma;
use crate::float::{Format, NanCode};
use crate::model::ModelError;

pub(in crate::model) const SFMA: &[KeyDoc] = &[
    KeyDoc {
        name: "K",
        values: "1 to 65536",
        default: "4",
        meaning: "number of products",
    },
    CHAIN,
    KeyDoc {
        name: "fmt",
        values: "format with infinities",
        default: "f64",
        meaning: "format of all operands and of the result",
    },
    ANY_NAN,
];

/// # Errors
/// If a key has a value that it cannot have.
pub(in crate::model) fn read(keys: &Keys<'_>) -> Result<Sfma, ModelError> {
    Ok(Sfma {
        format: keys.format_where(&["fmt"], Format::F64, Format::has_infinity)?,
        products: keys.number("K", 4, 1..=65536)?,
        nan: keys.choice("nan", NanCode::Any, NAN)?,
    })
}

/// All keys with their values and defaults.
pub(in crate::model) fn texts(sfma: &Sfma) -> Vec<Text> {
    vec![
        Text::new("K", sfma.products, "4"),
        Text::new("fmt", sfma.format, ""),
        Text::new("nan", text_of(NAN, &sfma.nan), "any"),
    ]
}
