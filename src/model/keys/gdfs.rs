//! Keys of the group-dot fused sum.

use super::{CHAIN, KeyDoc, Keys, NAN, Text, ZERO, bad_value, emin_text, factor_texts, text_of};
use crate::algorithms::{BlockScales, Gdfs, ZeroRule};
use crate::float::{Format, NanCode};
use crate::model::ModelError;

pub(in crate::model) const GDFS: &[KeyDoc] = &[
    KeyDoc {
        name: "K",
        values: "16 to 4096, a multiple of block",
        default: "64",
        meaning: "number of products",
    },
    CHAIN,
    KeyDoc {
        name: "F",
        values: "1 to 64",
        default: "35",
        meaning: "fraction bits kept when groups of 16 and c are aligned",
    },
    KeyDoc {
        name: "in",
        values: "e2m1 e2m3 e3m2",
        default: "e2m1",
        meaning: "format of a and b",
    },
    KeyDoc {
        name: "a",
        values: "e2m1 e2m3 e3m2",
        default: "in",
        meaning: "format of a",
    },
    KeyDoc {
        name: "b",
        values: "e2m1 e2m3 e3m2",
        default: "in",
        meaning: "format of b",
    },
    KeyDoc {
        name: "scale",
        values: "ue8m0 ue4m3",
        default: "ue8m0",
        meaning: "format of block scales of a and b",
    },
    KeyDoc {
        name: "block",
        values: "16, 32, 48, ... 4096",
        default: "32",
        meaning: "factors that share a scale",
    },
    KeyDoc {
        name: "zero",
        values: "skip raw min",
        default: "skip",
        meaning: "exponent of zeros: of a zero group none, or that of its scales; of a zero scale or c its field, or -126",
    },
    KeyDoc {
        name: "emin",
        values: "none, -4096 to 4096",
        default: "none",
        meaning: "lower limit of the alignment exponent",
    },
    KeyDoc {
        name: "nan",
        values: "ones quiet any",
        default: "ones",
        meaning: "code of a NaN result: 7fffffff, 7fc00000, or unspecified",
    },
];

const GROUP: u32 = 16;

/// # Errors
/// If a key has a value that it cannot have.
pub(in crate::model) fn read(keys: &Keys<'_>) -> Result<Gdfs, ModelError> {
    let is_small: fn(&Format) -> bool = |format| !format.has_nan();
    let scales = [("ue8m0", Format::UE8M0), ("ue4m3", Format::UE4M3)];
    let block: u32 = keys.number("block", 32, GROUP..=4096)?;
    if !block.is_multiple_of(GROUP) {
        let expected = format!("a multiple of {GROUP}");
        return Err(bad_value("block", &block.to_string(), &expected));
    }
    let products: u32 = keys.number("K", 64, GROUP..=4096)?;
    if !products.is_multiple_of(block) {
        let expected = format!("a multiple of block={block}");
        return Err(bad_value("K", &products.to_string(), &expected));
    }
    Ok(Gdfs {
        a: keys.format_where(&["in", "a"], Format::E2M1, is_small)?,
        b: keys.format_where(&["in", "b"], Format::E2M1, is_small)?,
        scales: BlockScales {
            format: keys.choice("scale", Format::UE8M0, &scales)?,
            block,
        },
        products,
        group: GROUP,
        fraction_bits: keys.number("F", 35, 1..=64)?,
        zero: keys.choice("zero", ZeroRule::Skip, ZERO)?,
        min_exponent: keys.emin()?,
        nan: keys.choice("nan", NanCode::Ones, NAN)?,
    })
}

/// All keys with their values and defaults.
pub(in crate::model) fn texts(gdfs: &Gdfs) -> Vec<Text> {
    let mut keys = vec![
        Text::new("K", gdfs.products, "64"),
        Text::new("F", gdfs.fraction_bits, ""),
    ];
    keys.extend(factor_texts(&gdfs.a, &gdfs.b, "e2m1"));
    keys.extend([
        Text::new("scale", gdfs.scales.format, ""),
        Text::new("block", gdfs.scales.block, ""),
        Text::new("zero", text_of(ZERO, &gdfs.zero), "skip"),
        Text::new("emin", emin_text(gdfs.min_exponent), "none"),
        Text::new("nan", text_of(NAN, &gdfs.nan), "ones"),
    ]);
    keys
}
