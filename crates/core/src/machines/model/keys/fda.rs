//! Keys of the fused dot-add.

use super::cpu::RESULTS;
use super::doc::bad_value;
use super::formats::Formats;
use super::integer::OVERFLOW;
use super::key::Keys;
use super::table::Table;
use super::values::{Candidates, Values};
use crate::machines::algorithms::parameters::fda::{Carry, NegativeZeros, Params};
use crate::machines::algorithms::{
    BlockScales, FlushedResults, Parameters, Products, SubnormalC, SumOverflow, ZeroRule,
};
use crate::machines::model::ModelError;
use crate::numbers::float::{Format, NanCode, Rounding};

pub(super) const ROUND: &[(&str, Rounding)] = &[
    ("rz", Rounding::Rz),
    ("rne", Rounding::Rne),
    ("rd", Rounding::Rd),
    ("ru", Rounding::Ru),
    ("ra", Rounding::Ra),
];
/// The other roundings to nearest.
const NEAREST: [&str; 5] = ["rna", "rnz", "rnu", "rnd", "rno"];
pub(super) const ZERO: &[(&str, ZeroRule)] = &[
    ("skip", ZeroRule::Skip),
    ("raw", ZeroRule::Raw),
    ("min", ZeroRule::Min),
];
pub(super) const NAN: &[(&str, NanCode)] = &[
    ("ones", NanCode::Ones),
    ("quiet", NanCode::Quiet),
    ("any", NanCode::Any),
];
const ALIGN: &[(&str, Rounding)] = &[
    ("trunc", Rounding::Rz),
    ("floor", Rounding::Rd),
    ("sticky", Rounding::Odd),
];
const PRODUCTS: &[(&str, Products)] = &[
    ("exact", Products::Exact),
    ("normalised", Products::Normalised),
];
/// The formats that products can be rounded to.
const PROUND: &[(&str, Option<Format>)] = &[
    ("none", None),
    ("f16", Some(Format::F16)),
    ("bf16", Some(Format::BF16)),
    ("tf32", Some(Format::TF32)),
    ("f32", Some(Format::F32)),
    ("f64", Some(Format::F64)),
];
const STICKY: &[(&str, bool)] = &[("none", false), ("sum", true)];
const CSUB: &[(&str, SubnormalC)] = &[("own", SubnormalC::Own), ("f32", SubnormalC::Widened)];
const NEGZERO: &[(&str, NegativeZeros)] = &[
    ("plus", NegativeZeros::Plus),
    ("minus", NegativeZeros::Minus),
];
pub(super) const VIA: &[(&str, Option<Format>)] = &[("none", None), ("f32", Some(Format::F32))];

pub(super) const BASE: Params = Params {
    products_per_sum: 4,
    fraction_bits: 24,
    a: Format::F16,
    b: Format::F16,
    scales: None,
    c: Format::F32,
    out: Format::F32,
    rounding: Rounding::Rz,
    result_fraction: Format::F32.fraction_bits,
    via: None,
    products: Products::Exact,
    rounded_products: None,
    align: Rounding::Rz,
    sticky: false,
    carry: Carry::Full,
    overflow: SumOverflow::Wrap,
    results: FlushedResults::Kept,
    zero: ZeroRule::Skip,
    min_exponent: None,
    subnormal_c: SubnormalC::Own,
    negative_zeros: NegativeZeros::Plus,
    nan: NanCode::Ones,
};

pub(super) fn fda() -> Table<Params, Parameters> {
    Table {
        name: "fda",
        summary: "fused dot-add: align all terms to the largest exponent, cut, sum exactly, \
             round once",
        source: "Xie et al. [arXiv:2511.10909] §IV-C, §IV-D (chain); recorded hardware",
        base: BASE,
        keys: keys(),
        check,
        make: Parameters::Fda,
        params: |parameters| match parameters {
            Parameters::Fda(params) => Some(*params),
            _ => None,
        },
    }
}

fn keys() -> Keys<Params> {
    Keys::products(1, 65536, |p: &mut Params| &mut p.products_per_sum)
        .means("products in one fused operation")
        .number("F", 1, 64, |p| &mut p.fraction_bits)
        .means("fraction bits kept when terms are aligned")
        .shown()
        .factors(Formats::Factors, |p| &mut p.a, |p| &mut p.b)
        .own(
            "scale",
            |_| Values::words(&["none", "ue8m0"]),
            scale,
            set_scale,
        )
        .means("format of block scales of a and b")
        .own("block", |_| Values::numbers(1, 65536), block, set_block)
        .means("factors that share a scale")
        .follows("32")
        .counts_factors()
        .format("c", Formats::Any, |p| &mut p.c)
        .means("format of the accumulator in")
        .follows("f32; f16 for out=f16")
        .own("out", |_| out_values(), |p| p.out.name().into(), set_out)
        .means("format of the result; e8m13 is f32 with frac=13")
        .own(
            "round",
            |_| rounding_values(),
            |p| p.rounding.to_string(),
            |p, text| set_rounding(&mut p.rounding, text),
        )
        .means("rounding of the result")
        .follows("rne for formats of 16 bits and fewer, else rz")
        .own(
            "frac",
            fractions,
            |p| p.result_fraction.to_string(),
            set_fraction,
        )
        .means("fraction bits kept of the result")
        .values_are("1 to the format's")
        .follows("the format's")
        .choice("via", VIA, |p| &mut p.via)
        .means(
            "format that the sum is cut to (rz) before it is rounded to out, which has fewer bits",
        )
        .choice("products", PRODUCTS, |p| &mut p.products)
        .means("whether products are normalised before alignment")
        .choice("pround", PROUND, |p| &mut p.rounded_products)
        .means("format that each product is rounded to (rne) before alignment")
        .own("align", |_| align_values(), align, set_align)
        .means("what happens to bits shifted out: cut (rz), rounded down (rd), cut with a last bit that is one if a one was lost (odd), or any other mode of round but sr")
        .choice("sticky", STICKY, |p| &mut p.sticky)
        .means("whether a bit below the sum, which rounding sees, is one if alignment lost a one of any term")
        .own(
            "carry",
            |_| Values::word_or("full", 0, 64),
            carry,
            set_carry,
        )
        .means("the sum has a sign, 1 + n integer bits and F fraction bits")
        .choice("overflow", OVERFLOW, |p| &mut p.overflow)
        .means("a sum beyond these bits: its low bits, or the nearest number that they hold")
        .choice("results", RESULTS, |p| &mut p.results)
        .means(
            "tiny results that become zeros of their sign: none; those tiny before rounding, after it with unlimited \
             exponents, or in the register",
        )
        .choice("zero", ZERO, |p| &mut p.zero)
        .means("exponent of a zero: left out, its field, -126 and counted")
        .least_exponent(|p| &mut p.min_exponent)
        .choice("csub", CSUB, |p| &mut p.subnormal_c)
        .means("exponent of a subnormal c: of its format, or as if widened to f32 first")
        .choice("negzero", NEGZERO, |p| &mut p.negative_zeros)
        .means("sign of the result where every summand is -0")
        .choice("nan", NAN, |p| &mut p.nan)
        .means("code of a NaN result: 7fffffff and 7fff, 7fc00000 and 7e00, or unspecified")
}

/// The roundings of one result. A search tries all but the stochastic ones.
pub(super) fn rounding_values() -> Values {
    let words: Vec<_> = ROUND.iter().map(|(word, _)| *word).collect();
    let values = Values::words(&words);
    let expected = format!(
        "{}, rna, rnz, rnu, rnd or rno (nearest, ties away, to zero, up, down, to odd), or srN+R with N random bits R, such as sr8+0x5a",
        values.expected
    );
    let all: Vec<&str> = words.into_iter().chain(NEAREST).collect();
    let said = format!("{} srN+R", all.join(" "));
    let tried = Values::words(&all).candidates;
    Values { expected, ..values }.tried(tried).said(&said)
}

pub(super) fn set_rounding(place: &mut Rounding, text: &str) -> Option<()> {
    *place = text.parse().ok().filter(|other| *other != Rounding::Odd)?;
    Some(())
}

fn scale(p: &Params) -> String {
    let name = p.scales.map_or("none", |scales| scales.format.name());
    name.into()
}

fn set_scale(p: &mut Params, text: &str) -> Option<()> {
    p.scales = match text {
        "none" => None,
        "ue8m0" => Some(BlockScales {
            format: Format::UE8M0,
            block: BLOCK,
        }),
        _ => return None,
    };
    Some(())
}

/// The default number of factors that share a scale.
const BLOCK: u32 = 32;

fn block(p: &Params) -> String {
    let block = p.scales.map_or(BLOCK, |scales| scales.block);
    block.to_string()
}

/// Sets `block`, which has no effect where there are no scales.
fn set_block(p: &mut Params, text: &str) -> Option<()> {
    let block = text.parse().ok().filter(|n| (1..=65536).contains(n))?;
    p.scales = p.scales.map(|scales| BlockScales { block, ..scales });
    Some(())
}

/// The short name of f32 with 13 fraction bits, and the number of these bits.
const E8M13: (&str, u32) = ("e8m13", 13);

fn out_values() -> Values {
    let formats = Formats::WithInfinities.values();
    let short = E8M13.0;
    let candidates = match formats.candidates {
        Candidates::Listed(names) => {
            Candidates::Listed([short.into()].into_iter().chain(names).collect())
        }
        other => other,
    };
    Values {
        text: format!("{}, or {short}", formats.text),
        expected: format!("a format with infinities: {}, {short}", formats.expected),
        candidates,
        range: None,
        format: None,
    }
}

/// Sets `out`, the format of the result. The format of `c`, the rounding and the fraction bits
/// follow from it.
fn set_out(p: &mut Params, text: &str) -> Option<()> {
    (p.out, p.result_fraction) = if text == E8M13.0 {
        (Format::F32, E8M13.1)
    } else {
        let out = Formats::WithInfinities.named(text)?;
        (out, out.fraction_bits)
    };
    let is_half = p.out == Format::F16;
    p.c = if is_half { Format::F16 } else { Format::F32 };
    p.rounding = match p.out.width() {
        0..=16 => Rounding::Rne,
        _ => Rounding::Rz,
    };
    Some(())
}

fn fractions(p: &Params) -> Values {
    let all = Values::numbers(1, 64).candidates;
    Values::numbers(1, p.out.fraction_bits).tried(all)
}

fn set_fraction(p: &mut Params, text: &str) -> Option<()> {
    let range = 1..=p.out.fraction_bits;
    p.result_fraction = text.parse().ok().filter(|n| range.contains(n))?;
    Some(())
}

fn align_values() -> Values {
    let names: Vec<&str> = ALIGN.iter().map(|(name, _)| *name).collect();
    Values::words(&names)
}

fn align(p: &Params) -> String {
    let named = ALIGN.iter().find(|(_, align)| *align == p.align);
    named.map_or_else(|| p.align.to_string(), |(name, _)| (*name).into())
}

/// Reads a word for what units do, or any mode in which the bits cut off alone decide.
fn set_align(p: &mut Params, text: &str) -> Option<()> {
    let mut all = ALIGN.iter().chain(&Rounding::NAMES);
    p.align = all.find(|(name, _)| *name == text)?.1;
    Some(())
}

fn carry(p: &Params) -> String {
    match p.carry {
        Carry::Full => "full".into(),
        Carry::Bits(bits) => bits.to_string(),
    }
}

fn set_carry(p: &mut Params, text: &str) -> Option<()> {
    p.carry = match text {
        "full" => Carry::Full,
        _ => Carry::Bits(text.parse().ok().filter(|bits| *bits <= 64)?),
    };
    Some(())
}

/// Checks that the values of the keys can be combined.
fn check(p: &Params) -> Result<(), ModelError> {
    via_is_wider(p)?;
    let rounded = p.rounded_products.map(|format| format.name());
    match rounded {
        Some(name) if p.scales.is_some() => {
            Err(bad_value("pround", name, "none, as factors have scales"))
        }
        Some(name) if p.products == Products::Normalised => Err(bad_value(
            "pround",
            name,
            "none, as products are normalised",
        )),
        _ => match p.via {
            Some(wide) if p.results != FlushedResults::Kept => Err(bad_value(
                "via",
                wide.name(),
                "none, as tiny results become zeros",
            )),
            _ => Ok(()),
        },
    }
}

pub(super) fn via_is_wider(p: &Params) -> Result<(), ModelError> {
    let fraction = p.result_fraction;
    match p.via.filter(|wide| fraction >= wide.fraction_bits) {
        None => Ok(()),
        Some(wide) => {
            let expected = format!(
                "`none` for a result of {fraction} fraction bits, which is not narrower \
                     than {wide}"
            );
            Err(bad_value("via", wide.name(), &expected))
        }
    }
}
