//! Keys of the dot products to which `c` is added late: `fdrda` and `gfdrda`.

use super::doc::bad_value;
use super::fda::{NAN, ZERO};
use super::formats::Formats;
use super::key::Keys;
use super::table::Table;
use crate::machines::algorithms::{Infinities, LateAdd, LateParams, Parameters, ZeroRule};
use crate::numbers::float::{Format, NanCode, Rounding};

const LATE: &[(&str, LateAdd)] = &[
    ("amd", LateAdd::Cut32Normalise31),
    ("paper", LateAdd::Cut31),
];
const OVERFLOW: &[(&str, Infinities)] = &[
    ("together", Infinities::Together),
    ("after", Infinities::OperandsFirst),
];
const ALIGN: &[(&str, Rounding)] = &[("floor", Rounding::Rd), ("trunc", Rounding::Rz)];

const BASE: LateParams = LateParams {
    a: Format::F16,
    b: Format::F16,
    products: 8,
    fraction_bits: 24,
    align: Rounding::Rd,
    late: LateAdd::Cut32Normalise31,
    infinities: Infinities::Together,
    zero: ZeroRule::Skip,
    nan: NanCode::Any,
};

pub(super) fn fdrda() -> Table<LateParams, Parameters> {
    let products = Keys::products(1, 65536, |p: &mut LateParams| &mut p.products)
        .means("products in one fused operation");
    Table {
        name: "fdrda",
        summary: "products aligned, cut and summed; the sum and c aligned, rounded down and \
             added; rounded once (rne)",
        source: "Xie et al. [arXiv:2511.10909] §IV-F, §IV-G (chain); reported MI300 rows (late=amd)",
        base: BASE,
        keys: other_keys(products),
        check: |_| Ok(()),
        make: Parameters::Fdrda,
        params: |parameters| match parameters {
            Parameters::Fdrda(params) => Some(*params),
            _ => None,
        },
    }
}

pub(super) fn gfdrda() -> Table<LateParams, Parameters> {
    let products = Keys::products(1, 65536, |p: &mut LateParams| &mut p.products)
        .means("products in one operation")
        .values_are("2, 4, ... 65536");
    Table {
        name: "gfdrda",
        summary: "fdrda with separate sums of even and of odd products, and a distant c cut \
             toward zero",
        source: "Xie et al. [arXiv:2511.10909] §IV-H, §IV-I (chain); reported MI300 rows (late=amd)",
        base: LateParams {
            a: Format::E4M3FNUZ,
            b: Format::E4M3FNUZ,
            products: 16,
            ..BASE
        },
        keys: other_keys(products),
        check: |p| {
            if p.products.is_multiple_of(2) {
                Ok(())
            } else {
                Err(bad_value("K", &p.products.to_string(), "an even number"))
            }
        },
        make: Parameters::Gfdrda,
        params: |parameters| match parameters {
            Parameters::Gfdrda(params) => Some(*params),
            _ => None,
        },
    }
}

fn other_keys(products: Keys<LateParams>) -> Keys<LateParams> {
    products
        .number("F", 1, 31, |p| &mut p.fraction_bits)
        .means("fraction bits kept of products, and of c")
        .factors(Formats::Factors, |p| &mut p.a, |p| &mut p.b)
        .factors_shown()
        .choice("late", LATE, |p| &mut p.late)
        .means(
            "late addition: dot cut at 32 bits and the normalised total at 31, or dot \
             cut at 31 bits",
        )
        .choice("align", ALIGN, |p| &mut p.align)
        .means(
            "cutting where the unit rounds down; trunc is a hypothetical one that cuts \
             magnitudes",
        )
        .choice("overflow", OVERFLOW, |p| &mut p.infinities)
        .means("a product of 2^128 or more is an infinity beside those of operands, or after them")
        .choice("zero", ZERO, |p| &mut p.zero)
        .means("exponent of a zero product: left out, of its fields, -126 for a zero factor")
        .choice("nan", NAN, |p| &mut p.nan)
        .means("code of a NaN result; any: unspecified")
}
