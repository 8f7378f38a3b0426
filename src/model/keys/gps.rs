//! Keys of the group-pairwise sum.

use super::{ANY_NAN, CHAIN, KeyDoc, Keys, NAN, Text, bad_value, text_of};
use crate::algorithms::{Gps, ProductForm, Subnormals};
use crate::float::{Format, NanCode};
use crate::model::ModelError;

pub(in crate::model) const GPS: &[KeyDoc] = &[
    KeyDoc {
        name: "K",
        values: "1 to 65536, a multiple of G",
        default: "G",
        meaning: "number of products",
    },
    CHAIN,
    KeyDoc {
        name: "G",
        values: "1, 2, 4, ... 4096",
        default: "4",
        meaning: "products that are summed pairwise before c is added",
    },
    KeyDoc {
        name: "in",
        values: "format",
        default: "f16",
        meaning: "format of a and b",
    },
    KeyDoc {
        name: "subnormals",
        values: "flush f32 keep",
        default: "flush",
        meaning: "operands below the normal numbers of their format, or of f32, and all such results: flushed; or kept",
    },
    KeyDoc {
        name: "products",
        values: "mul fma",
        default: "mul",
        meaning: "a * b, or fma(a, b, +0), which makes +0 of -0",
    },
    ANY_NAN,
];

const SUBNORMALS: &[(&str, Subnormals)] = &[
    ("flush", Subnormals::Flush),
    ("f32", Subnormals::FlushBelowF32),
    ("keep", Subnormals::Keep),
];
const PRODUCTS: &[(&str, ProductForm)] = &[
    ("mul", ProductForm::Multiply),
    ("fma", ProductForm::FmaZero),
];

/// # Errors
/// If a key has a value that it cannot have.
pub(in crate::model) fn read(keys: &Keys<'_>) -> Result<Gps, ModelError> {
    let group: u32 = keys.number("G", 4, 1..=4096)?;
    if !group.is_power_of_two() {
        let expected = "a power of two from 1 to 4096";
        return Err(bad_value("G", &group.to_string(), expected));
    }
    let products: u32 = keys.number("K", group, 1..=65536)?;
    if !products.is_multiple_of(group) {
        let expected = format!("a multiple of G={group}");
        return Err(bad_value("K", &products.to_string(), &expected));
    }
    Ok(Gps {
        factors: keys.format(&["in"], Format::F16)?,
        products,
        group,
        subnormals: keys.choice("subnormals", Subnormals::Flush, SUBNORMALS)?,
        product_form: keys.choice("products", ProductForm::Multiply, PRODUCTS)?,
        nan: keys.choice("nan", NanCode::Any, NAN)?,
    })
}

/// All keys with their values and defaults.
pub(in crate::model) fn texts(gps: &Gps) -> Vec<Text> {
    vec![
        Text::new("K", gps.products, gps.group.to_string()),
        Text::new("G", gps.group, ""),
        Text::new("in", gps.factors, "f16"),
        Text::new("subnormals", text_of(SUBNORMALS, &gps.subnormals), "flush"),
        Text::new("products", text_of(PRODUCTS, &gps.product_form), "mul"),
        Text::new("nan", text_of(NAN, &gps.nan), "any"),
    ]
}
