//! Keys of Ozaki's schemes.

use super::doc::bad_value;
use super::key::Keys;
use super::table::KeyTable;
use crate::machines::algorithms::{Operation, OzakiResidues, OzakiSlices};
use mmasmt_numbers::float::NanCode;

const NAN: &[(&str, NanCode)] = &[
    ("ones", NanCode::Ones),
    ("quiet", NanCode::Quiet),
    ("any", NanCode::Any),
];

/// The most products of `ozaki1`, whose sums of products of slices have to fit int32. Below it, the
/// most products of `ozaki2`, which computes many residues of each factor.
const MOST: u32 = 65536;
const MOST_BY_RESIDUES: u32 = 4096;

pub(super) fn slices() -> KeyTable<OzakiSlices, Operation> {
    KeyTable {
        name: "ozaki1",
        summary: "f64 in slices of b bits below the row's largest exponent, as integers; exact sums of products of \
             slices i + j <= s + 1, added in f64",
        source: "ozIMMU (Ootomo, Ozaki, Yokota 2024), split.cu, gemm.cu",
        base: OzakiSlices {
            products: 4,
            slices: 8,
            bits: None,
            nan: NanCode::Any,
        },
        keys: Keys::products(1, MOST, |p: &mut OzakiSlices| &mut p.products)
            .number("s", 1, 18, |p| &mut p.slices)
            .means("number of slices")
            .shown()
            .own(
                "b",
                |_| super::values::Values::numbers(1, 7),
                |p| p.slice_bits().to_string(),
                |p, text| {
                    p.bits = Some(text.parse().ok().filter(|bits| (1..=7).contains(bits))?);
                    Some(())
                },
            )
            .means("bits of a slice beside its sign")
            .follows("7, or fewer where sums would not fit int32")
            .choice("nan", NAN, |p| &mut p.nan)
            .means("code of a NaN result, which an infinity gives too"),
        check: |p| {
            if p.sums_fit() {
                Ok(())
            } else {
                Err(bad_value(
                    "b",
                    &p.slice_bits().to_string(),
                    "fewer bits, so that K * (2^b - 1)^2 is less than 2^31",
                ))
            }
        },
        make: |p| {
            let bits = Some(p.slice_bits());
            Operation::OzakiSlices(OzakiSlices { bits, ..p })
        },
        params: |operation| match operation {
            Operation::OzakiSlices(ozaki) => Some(*ozaki),
            _ => None,
        },
    }
}

pub(super) fn residues() -> KeyTable<OzakiResidues, Operation> {
    KeyTable {
        name: "ozaki2",
        summary: "f64 as integers below 2^t; their sum of products exactly, from its residues modulo coprime numbers; \
             rounded once",
        source: "GEMMul8 (RIKEN), arXiv 2504.08009; rows scaled by K alone, the sum put together exactly",
        base: OzakiResidues {
            products: 4,
            moduli: 14,
            nan: NanCode::Any,
        },
        keys: Keys::products(1, MOST_BY_RESIDUES, |p: &mut OzakiResidues| &mut p.products)
            .number("n", 2, OzakiResidues::MOST_MODULI, |p| &mut p.moduli)
            .means("number of moduli: 256, 255, 253, 251, 247, ...")
            .shown()
            .choice("nan", NAN, |p| &mut p.nan)
            .means("code of a NaN result, which an infinity gives too"),
        check: |p| match p.bits() {
            0 => Err(bad_value(
                "n",
                &p.moduli.to_string(),
                "more moduli for so many products",
            )),
            _ => Ok(()),
        },
        make: Operation::OzakiResidues,
        params: |operation| match operation {
            Operation::OzakiResidues(ozaki) => Some(*ozaki),
            _ => None,
        },
    }
}
