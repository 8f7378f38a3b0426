//! Keys of the fused dot-add: from text to parameters and back.

use super::{
    A, ALIGN, B, CHAIN, KeyDoc, Keys, NAN, ROUND, Text, ZERO, bad_value, factor_texts, text_of,
};
use crate::algorithms::BlockScales;
use crate::algorithms::fda::{
    Align, Carry, Fda, NegativeZeros, Params, Products, SubnormalC, ZeroRule,
};
use crate::float::{Format, NanCode, Rounding};
use crate::model::ModelError;

/// Keys of `fda`.
pub(in crate::model) const FDA: &[KeyDoc] = &[
    KeyDoc {
        name: "K",
        values: "1 to 65536",
        default: "4",
        meaning: "products in one fused operation",
    },
    CHAIN,
    KeyDoc {
        name: "F",
        values: "1 to 64",
        default: "24",
        meaning: "fraction bits kept when terms are aligned",
    },
    KeyDoc {
        name: "in",
        values: "format",
        default: "f16",
        meaning: "format of a and b",
    },
    A,
    B,
    KeyDoc {
        name: "scale",
        values: "none ue8m0",
        default: "none",
        meaning: "format of block scales of a and b",
    },
    KeyDoc {
        name: "block",
        values: "1 to 65536",
        default: "32",
        meaning: "factors that share a scale",
    },
    KeyDoc {
        name: "c",
        values: "format",
        default: "f32; f16 for out=f16",
        meaning: "format of the accumulator in",
    },
    KeyDoc {
        name: "out",
        values: "format with infinities, or e8m13",
        default: "f32",
        meaning: "format of the result; e8m13 is f32 with frac=13",
    },
    KeyDoc {
        name: "round",
        values: "rz rne rd ru ra",
        default: "rne for formats of 16 bits and fewer, else rz",
        meaning: "rounding of the result",
    },
    KeyDoc {
        name: "frac",
        values: "1 to the format's",
        default: "the format's",
        meaning: "fraction bits kept of the result",
    },
    KeyDoc {
        name: "via",
        values: "none f32",
        default: "none",
        meaning: "format that the sum is cut to (rz) before it is rounded to out, which has fewer bits",
    },
    KeyDoc {
        name: "products",
        values: "exact normalised",
        default: "exact",
        meaning: "whether products are normalised before alignment",
    },
    KeyDoc {
        name: "align",
        values: "trunc floor",
        default: "trunc",
        meaning: "what happens to bits shifted out",
    },
    KeyDoc {
        name: "carry",
        values: "full, 0 to 64",
        default: "full",
        meaning: "the sum has a sign, 1 + n integer bits and F fraction bits, and wraps beyond",
    },
    KeyDoc {
        name: "zero",
        values: "skip raw min",
        default: "skip",
        meaning: "exponent of a zero: left out, its field, -126 and counted",
    },
    KeyDoc {
        name: "emin",
        values: "none, -4096 to 4096",
        default: "none",
        meaning: "lower limit of the alignment exponent",
    },
    KeyDoc {
        name: "csub",
        values: "own f32",
        default: "own",
        meaning: "exponent of a subnormal c: of its format, or as if widened to f32 first",
    },
    KeyDoc {
        name: "negzero",
        values: "plus minus",
        default: "plus",
        meaning: "sign of the result where every summand is -0",
    },
    KeyDoc {
        name: "nan",
        values: "ones quiet any",
        default: "ones",
        meaning: "code of a NaN result: 7fffffff and 7fff, 7fc00000 and 7e00, or unspecified",
    },
];

const PRODUCTS: &[(&str, Products)] = &[
    ("exact", Products::Exact),
    ("normalised", Products::Normalised),
];
const CSUB: &[(&str, SubnormalC)] = &[("own", SubnormalC::Own), ("f32", SubnormalC::Widened)];
const NEGZERO: &[(&str, NegativeZeros)] = &[
    ("plus", NegativeZeros::Plus),
    ("minus", NegativeZeros::Minus),
];
const VIA_FORMATS: &[(&str, Option<Format>)] = &[("none", None), ("f32", Some(Format::F32))];
/// A result format that is an abbreviation of another one with fewer fraction bits.
const E8M13: (&str, u32) = ("e8m13", 13);

/// # Errors
/// If a key has a value that it cannot have.
pub(in crate::model) fn read(keys: &Keys<'_>) -> Result<Fda, ModelError> {
    params(keys, 4, Format::F16).map(Fda::new)
}

/// The parameters that `keys` give to a fused dot-add.
pub(super) fn params(
    keys: &Keys<'_>,
    products: u32,
    factors: Format,
) -> Result<Params, ModelError> {
    let known = Format::ALL
        .into_iter()
        .filter(Format::has_infinity)
        .map(|format| format.name());
    let expected = format!(
        "a format with infinities: one of {}, e8m13",
        known.collect::<Vec<_>>().join(", ")
    );
    let (out, abbreviated) = keys.get(&["out"], (Format::F32, None), &expected, |name| {
        if name == E8M13.0 {
            return Some((Format::F32, Some(E8M13.1)));
        }
        Format::named(name)
            .filter(Format::has_infinity)
            .map(|format| (format, None))
    })?;
    let default_c = if out == Format::F16 {
        Format::F16
    } else {
        Format::F32
    };
    let all = abbreviated.unwrap_or(out.fraction_bits);
    let full = Carry::Full;
    let scale = keys.choice(
        "scale",
        None,
        &[("none", None), ("ue8m0", Some(Format::UE8M0))],
    )?;
    let block = keys.number("block", 32, 1..=65536)?;
    let result_fraction = keys.number("frac", all, 1..=out.fraction_bits)?;
    let via = keys.choice("via", None, VIA_FORMATS)?;
    if let Some(wide) = &via
        && result_fraction >= wide.fraction_bits
    {
        let expected = format!(
            "`none` for a result of {result_fraction} fraction bits, which is not narrower than {wide}"
        );
        return Err(bad_value("via", wide.name(), &expected));
    }
    Ok(Params {
        products_per_sum: keys.number("K", products, 1..=65536)?,
        fraction_bits: keys.number("F", 24, 1..=64)?,
        a: keys.format(&["in", "a"], factors)?,
        b: keys.format(&["in", "b"], factors)?,
        scales: scale.map(|format| BlockScales { format, block }),
        c: keys.format(&["c"], default_c)?,
        out,
        rounding: keys.choice("round", default_rounding(&out), ROUND)?,
        result_fraction,
        via,
        products: keys.choice("products", Products::Exact, PRODUCTS)?,
        align: keys.choice("align", Align::Trunc, ALIGN)?,
        carry: keys.get(
            &["carry"],
            full,
            "`full` or a whole number from 0 to 64",
            |value| match value {
                "full" => Some(full),
                _ => value.parse().ok().filter(|n| *n <= 64).map(Carry::Bits),
            },
        )?,
        zero: keys.choice("zero", ZeroRule::Skip, ZERO)?,
        min_exponent: keys.emin()?,
        subnormal_c: keys.choice("csub", SubnormalC::Own, CSUB)?,
        negative_zeros: keys.choice("negzero", NegativeZeros::Plus, NEGZERO)?,
        nan: keys.choice("nan", NanCode::Ones, NAN)?,
    })
}

fn default_rounding(out: &Format) -> Rounding {
    if out.width() <= 16 {
        Rounding::Rne
    } else {
        Rounding::Rz
    }
}

/// All keys with their values and defaults, in the order of the documentation.
pub(in crate::model) fn texts(fda: &Fda) -> Vec<Text> {
    let p = fda.params();
    let default_c = if p.out == Format::F16 {
        Format::F16
    } else {
        Format::F32
    };
    let carry = match p.carry {
        Carry::Full => "full".to_owned(),
        Carry::Bits(n) => n.to_string(),
    };
    let scale = p.scales.map_or("none", |scales| scales.format.name());
    let block = p.scales.map_or(32, |scales| scales.block);
    let mut keys = vec![
        Text::new("K", p.products_per_sum, "4"),
        Text::new("F", p.fraction_bits, ""),
    ];
    keys.extend(factor_texts(&p.a, &p.b, "f16"));
    keys.extend([
        Text::new("scale", scale, "none"),
        Text::new("block", block, "32"),
        Text::new("c", p.c, default_c.name()),
        Text::new("out", p.out, "f32"),
        Text::new(
            "round",
            text_of(ROUND, &p.rounding),
            text_of(ROUND, &default_rounding(&p.out)),
        ),
        Text::new("frac", p.result_fraction, p.out.fraction_bits.to_string()),
        Text::new("via", text_of(VIA_FORMATS, &p.via), "none"),
        Text::new("products", text_of(PRODUCTS, &p.products), "exact"),
        Text::new("align", text_of(ALIGN, &p.align), "trunc"),
        Text::new("carry", carry, "full"),
        Text::new("zero", text_of(ZERO, &p.zero), "skip"),
        Text::new("emin", super::emin_text(p.min_exponent), "none"),
        Text::new("csub", text_of(CSUB, &p.subnormal_c), "own"),
        Text::new("negzero", text_of(NEGZERO, &p.negative_zeros), "plus"),
        Text::new("nan", text_of(NAN, &p.nan), "ones"),
    ]);
    keys
}
