//! Keys of `sfma` and `gps`, and of the references `exact` and `ieee`.

use super::doc::bad_value;
use super::fda::{NAN, ROUND, rounding_values, set_rounding};
use super::formats::Formats;
use super::key::Keys;
use super::table::Table;
use super::values::Values;
use crate::machines::algorithms::{
    Exact, FmaNan, Gps, Ieee, Order, Parameters, ProductForm, Sfma, Subnormals,
};
use crate::numbers::float::{Format, NanCode, Rounding};

const ANY_NAN: &str = "code of a NaN result; any: unspecified";
const ROUNDING: &str = "rounding of every result";

const FMA_NAN: &[(&str, FmaNan)] = &[
    ("ones", FmaNan::Code(NanCode::Ones)),
    ("quiet", FmaNan::Code(NanCode::Quiet)),
    ("any", FmaNan::Code(NanCode::Any)),
    ("dmma", FmaNan::Dmma),
];

pub(super) fn sfma() -> Table<Sfma, Parameters> {
    Table {
        name: "sfma",
        summary: "fused multiply-adds in sequence, each rounded to nearest even",
        source: "Xie et al. [arXiv:2511.10909] §IV-A",
        base: Sfma {
            format: Format::F64,
            products: 4,
            nan: FmaNan::Code(NanCode::Any),
        },
        keys: Keys::products(1, 65536, |p: &mut Sfma| &mut p.products)
            .format("fmt", Formats::WithInfinities, |p| &mut p.format)
            .means("format of all operands and of the result")
            .shown()
            .choice("nan", FMA_NAN, |p| &mut p.nan)
            .means("code of a NaN result; any: unspecified; dmma: the NaN of b, of the sum so far, or of a"),
        check: |_| Ok(()),
        make: Parameters::Sfma,
        params: |parameters| match parameters {
            Parameters::Sfma(sfma) => Some(*sfma),
            _ => None,
        },
    }
}

const SUBNORMALS: &[(&str, Subnormals)] = &[
    ("flush", Subnormals::Flush),
    ("f32", Subnormals::FlushBelowF32),
    ("keep", Subnormals::Keep),
];
const PRODUCTS: &[(&str, ProductForm)] = &[
    ("mul", ProductForm::Multiply),
    ("fma", ProductForm::FmaZero),
];

pub(super) fn gps() -> Table<Gps, Parameters> {
    Table {
        name: "gps",
        summary: "f32 products, summed pairwise in groups, group sums added to c in sequence, \
         subnormal numbers flushed",
        source: "Xie et al. [arXiv:2511.10909] §IV-B; reported MI210 rows",
        base: Gps {
            factors: Format::F16,
            products: 4,
            group: 4,
            subnormals: Subnormals::Flush,
            product_form: ProductForm::Multiply,
            nan: NanCode::Any,
        },
        keys: Keys::products(1, 65536, |p: &mut Gps| &mut p.products)
            .values_are("1 to 65536, a multiple of G")
            .follows("G")
            .own(
                "G",
                |_| Values::numbers(1, 4096),
                |p| p.group.to_string(),
                set_group,
            )
            .means("products that are summed pairwise before c is added")
            .values_are("1, 2, 4, ... 4096")
            .counts_products()
            .shown()
            .format("in", Formats::Any, |p| &mut p.factors)
            .means("format of a and b")
            .choice("subnormals", SUBNORMALS, |p| &mut p.subnormals)
            .means(
                "operands below the normal numbers of their format, or of f32, and all such \
             results: flushed; or kept",
            )
            .choice("products", PRODUCTS, |p| &mut p.product_form)
            .means("a * b, or fma(a, b, +0), which makes +0 of -0")
            .choice("nan", NAN, |p| &mut p.nan)
            .means(ANY_NAN),
        check: |p| {
            let (group, products) = (p.group, p.products);
            if !group.is_power_of_two() {
                let expected = "a power of two from 1 to 4096";
                return Err(bad_value("G", &group.to_string(), expected));
            }
            if !products.is_multiple_of(group) {
                let expected = format!("a multiple of G={group}");
                return Err(bad_value("K", &products.to_string(), &expected));
            }
            Ok(())
        },
        make: Parameters::Gps,
        params: |parameters| match parameters {
            Parameters::Gps(gps) => Some(*gps),
            _ => None,
        },
    }
}

/// Sets `G`, the number of products of one group, which is also the default number of products.
fn set_group(p: &mut Gps, text: &str) -> Option<()> {
    p.group = text.parse().ok().filter(|n| (1..=4096).contains(n))?;
    p.products = p.group;
    Some(())
}

pub(super) fn exact() -> Table<Exact, Parameters> {
    Table {
        name: "exact",
        summary: "the exact sum, rounded once; in a chain, over groups of K products (CDNA1)",
        source: "definition; reported MI100 rows",
        base: Exact {
            a: Format::F16,
            b: Format::F16,
            c: Format::F32,
            out: Format::F32,
            products: 4,
            scales: None,
            rounding: Rounding::Rne,
            nan: NanCode::Quiet,
        },
        keys: Keys::products(1, 4096, |p: &mut Exact| &mut p.products)
            .factors(Formats::Any, |p| &mut p.a, |p| &mut p.b)
            .format("c", Formats::Any, |p| &mut p.c)
            .means("format of the accumulator in")
            .follows("out")
            .own(
                "out",
                |_| Formats::WithInfinities.values(),
                |p| p.out.name().into(),
                set_out,
            )
            .means("format of the result")
            .own(
                "round",
                |_| rounding_values(),
                |p| p.rounding.to_string(),
                |p, text| set_rounding(&mut p.rounding, text),
            )
            .means(ROUNDING)
            .choice("nan", NAN, |p| &mut p.nan)
            .means(ANY_NAN),
        check: |_| Ok(()),
        make: Parameters::Exact,
        params: |parameters| match parameters {
            Parameters::Exact(exact) => Some(*exact),
            _ => None,
        },
    }
}

/// Sets `out`, the format of the result, which is also the default format of `c`.
fn set_out(p: &mut Exact, text: &str) -> Option<()> {
    p.out = Formats::WithInfinities.named(text)?;
    p.c = p.out;
    Some(())
}

const ORDER: &[(&str, Order)] = &[
    ("seq", Order::Sequential),
    ("fma", Order::SequentialFma),
    ("late", Order::FmaThenAccumulator),
    ("pairwise", Order::Pairwise),
];

pub(super) fn ieee() -> Table<Ieee, Parameters> {
    Table {
        name: "ieee",
        summary: "IEEE 754 operations in one accumulator format, in a stated order",
        source: "definition",
        base: Ieee {
            a: Format::F16,
            b: Format::F16,
            accumulator: Format::F32,
            products: 4,
            order: Order::Sequential,
            rounding: Rounding::Rne,
            nan: NanCode::Quiet,
        },
        keys: Keys::products(1, 4096, |p: &mut Ieee| &mut p.products)
            .factors(Formats::Any, |p| &mut p.a, |p| &mut p.b)
            .format("acc", Formats::WithInfinities, |p| &mut p.accumulator)
            .means("format of c, of every intermediate result, and of the result")
            .choice("order", ORDER, |p| &mut p.order)
            .means(
                "c + p0 + p1 + ...; with fused multiply-adds; with those from +0, then c; or \
             c + pairwise sum of products",
            )
            .choice("round", ROUND, |p| &mut p.rounding)
            .means(ROUNDING)
            .choice("nan", NAN, |p| &mut p.nan)
            .means(ANY_NAN),
        check: |_| Ok(()),
        make: Parameters::Ieee,
        params: |parameters| match parameters {
            Parameters::Ieee(ieee) => Some(*ieee),
            _ => None,
        },
    }
}
