//! Keys of the fused dot-add: from text to parameters and back.

use super::error::ModelError;
use super::keys::{KeyDoc, Keys, bad_value, text_of};
use super::spec::Spec;
use crate::algorithms::Chain;
use crate::algorithms::fda::{
    Align, Carry, Fda, NegativeZeros, Params, Products, SubnormalC, ZeroRule,
};
use crate::float::{Format, NanCode, Rounding};

/// Keys of `fda`.
pub(super) const FDA: &[KeyDoc] = &[
    KeyDoc {
        name: "K",
        values: "1 to 65536",
        default: "4",
        meaning: "products in one fused operation",
    },
    KeyDoc {
        name: "chain",
        values: "1 to 4096",
        default: "1",
        meaning: "fused operations in sequence; the model takes K * chain products",
    },
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
    KeyDoc {
        name: "a",
        values: "format",
        default: "in",
        meaning: "format of a",
    },
    KeyDoc {
        name: "b",
        values: "format",
        default: "in",
        meaning: "format of b",
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
        values: "ones quiet",
        default: "ones",
        meaning: "code of a NaN result: 7fffffff and 7fff, or 7fc00000 and 7e00",
    },
];

const ROUND: &[(&str, Rounding)] = &[
    ("rz", Rounding::Rz),
    ("rne", Rounding::Rne),
    ("rd", Rounding::Rd),
    ("ru", Rounding::Ru),
    ("ra", Rounding::Ra),
];
const PRODUCTS: &[(&str, Products)] = &[
    ("exact", Products::Exact),
    ("normalised", Products::Normalised),
];
const ALIGN: &[(&str, Align)] = &[("trunc", Align::Trunc), ("floor", Align::Floor)];
const ZERO: &[(&str, ZeroRule)] = &[
    ("skip", ZeroRule::Skip),
    ("raw", ZeroRule::Raw),
    ("min", ZeroRule::Min),
];
const CSUB: &[(&str, SubnormalC)] = &[("own", SubnormalC::Own), ("f32", SubnormalC::Widened)];
const NEGZERO: &[(&str, NegativeZeros)] = &[
    ("plus", NegativeZeros::Plus),
    ("minus", NegativeZeros::Minus),
];
const NAN: &[(&str, NanCode)] = &[("ones", NanCode::Ones), ("quiet", NanCode::Quiet)];

/// A result format that is an abbreviation of another one with fewer fraction bits.
const E8M13: (&str, u32) = ("e8m13", 13);

/// The most products that a model takes.
const MOST_PRODUCTS: u64 = 1 << 20;

/// # Errors
/// If a key is unknown or has a value that it cannot have.
pub(super) fn fda(spec: &Spec) -> Result<Chain<Fda>, ModelError> {
    let keys = Keys::of(spec, FDA)?;
    let params = params(&keys, 4, Format::F16)?;
    let links = keys.number("chain", 1, 1..=4096)?;
    if u64::from(links) * u64::from(params.products_per_sum) > MOST_PRODUCTS {
        let expected = format!("K * chain of at most {MOST_PRODUCTS}");
        return Err(bad_value("chain", &links.to_string(), &expected));
    }
    let rest = Params {
        c: params.out,
        ..params
    };
    Ok(Chain::new(Fda::new(params), Fda::new(rest), links))
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
    Ok(Params {
        products_per_sum: keys.number("K", products, 1..=65536)?,
        fraction_bits: keys.number("F", 24, 1..=64)?,
        a: keys.format(&["in", "a"], factors)?,
        b: keys.format(&["in", "b"], factors)?,
        c: keys.format(&["c"], default_c)?,
        out,
        rounding: keys.choice("round", default_rounding(&out), ROUND)?,
        result_fraction: keys.number("frac", all, 1..=out.fraction_bits)?,
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
        min_exponent: keys.get(
            &["emin"],
            None,
            "`none` or a whole number from -4096 to 4096",
            |value| match value {
                "none" => Some(None),
                _ => value
                    .parse()
                    .ok()
                    .filter(|n| (-4096..=4096).contains(n))
                    .map(Some),
            },
        )?,
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

/// The keys that say more than the defaults do, in the order of the documentation.
pub(super) fn fda_texts(chain: &Chain<Fda>) -> Vec<(&'static str, String)> {
    let p = chain.first().params();
    let default_c = if p.out == Format::F16 {
        Format::F16
    } else {
        Format::F32
    };
    let factors = if p.a == p.b {
        vec![("in", p.a.name().to_owned(), "f16".to_owned())]
    } else {
        vec![
            ("a", p.a.name().to_owned(), "f16".to_owned()),
            ("b", p.b.name().to_owned(), "f16".to_owned()),
        ]
    };
    let carry = match p.carry {
        Carry::Full => "full".to_owned(),
        Carry::Bits(n) => n.to_string(),
    };
    let emin = p
        .min_exponent
        .map_or_else(|| "none".to_owned(), |n| n.to_string());
    let mut keys = vec![
        ("K", p.products_per_sum.to_string(), "4".to_owned()),
        ("chain", chain.links().to_string(), "1".to_owned()),
        ("F", p.fraction_bits.to_string(), String::new()),
    ];
    keys.extend(factors);
    keys.extend([
        ("c", p.c.name().to_owned(), default_c.name().to_owned()),
        ("out", p.out.name().to_owned(), "f32".to_owned()),
        (
            "round",
            text_of(ROUND, &p.rounding),
            text_of(ROUND, &default_rounding(&p.out)),
        ),
        (
            "frac",
            p.result_fraction.to_string(),
            p.out.fraction_bits.to_string(),
        ),
        (
            "products",
            text_of(PRODUCTS, &p.products),
            "exact".to_owned(),
        ),
        ("align", text_of(ALIGN, &p.align), "trunc".to_owned()),
        ("carry", carry, "full".to_owned()),
        ("zero", text_of(ZERO, &p.zero), "skip".to_owned()),
        ("emin", emin, "none".to_owned()),
        ("csub", text_of(CSUB, &p.subnormal_c), "own".to_owned()),
        (
            "negzero",
            text_of(NEGZERO, &p.negative_zeros),
            "plus".to_owned(),
        ),
        ("nan", text_of(NAN, &p.nan), "ones".to_owned()),
    ]);
    keys.into_iter()
        .filter(|(_, text, default)| text != default)
        .map(|(key, text, _)| (key, text))
        .collect()
}
