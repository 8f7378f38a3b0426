//! Keys of dot products of integers.

use super::doc::bad_value;
use super::formats::Formats;
use super::key::Keys;
use super::table::Table;
use crate::machines::algorithms::{IntegerDot, Pairing, Parameters, SumOverflow};
use crate::numbers::float::Format;

const FACTORS: Formats = Formats::Of(&[
    Format::B1,
    Format::U4,
    Format::S4,
    Format::U8,
    Format::S8,
    Format::U16,
    Format::S16,
]);
const ACCUMULATORS: Formats = Formats::Of(&[Format::S32, Format::U32, Format::S64, Format::S16]);
const PAIRING: &[(&str, Pairing)] = &[("times", Pairing::Product), ("xor", Pairing::Xor)];
pub(super) const OVERFLOW: &[(&str, SumOverflow)] = &[
    ("wrap", SumOverflow::Wrap),
    ("saturate", SumOverflow::Saturate),
];

pub(super) fn integer() -> Table<IntegerDot, Parameters> {
    Table {
        name: "int",
        summary: "integers: the exact sum of c and all products, brought into the accumulator once; each operation of a \
             chain does so",
        source: "PTX ISA 9.1, mma; Intel SDM, VPDPBUSD and its like; Arm ARM, SMMLA",
        base: IntegerDot {
            a: Format::S8,
            b: Format::S8,
            accumulator: Format::S32,
            products: 4,
            pairing: Pairing::Product,
            overflow: SumOverflow::Wrap,
        },
        keys: Keys::products(1, 4096, |p: &mut IntegerDot| &mut p.products)
            .factors(FACTORS, |p| &mut p.a, |p| &mut p.b)
            .factors_shown()
            .format("acc", ACCUMULATORS, |p| &mut p.accumulator)
            .means("format of c and result")
            .choice("pair", PAIRING, |p| &mut p.pairing)
            .means("what a pair of factors adds: their product (of bits, AND), or 1 where two bits differ")
            .choice("overflow", OVERFLOW, |p| &mut p.overflow)
            .means("a sum that the accumulator does not hold: its low bits, or the nearest integer that it holds"),
        check: |p| {
            let bits = |format: &Format| *format == Format::B1;
            if p.pairing == Pairing::Product || bits(&p.a) && bits(&p.b) { Ok(()) } else { Err(bad_value("pair", "xor", "times, as factors are not b1")) }
        },
        make: Parameters::Integer,
        params: |parameters| match parameters {
            Parameters::Integer(dot) => Some(*dot),
            _ => None,
        },
    }
}
