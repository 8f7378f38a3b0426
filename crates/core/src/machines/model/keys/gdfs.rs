//! Keys of the group-dot fused sum.

use super::doc::bad_value;
use super::fda::{NAN, ZERO};
use super::formats::Formats;
use super::key::Keys;
use super::table::Table;
use crate::machines::algorithms::{BlockScales, Cancelled, Gdfs, Parameters, ZeroRule};
use crate::machines::model::ModelError;
use crate::numbers::float::{Format, NanCode};

const GROUP: u32 = 16;
const SCALE: &[(&str, Format)] = &[
    ("ue8m0", Format::UE8M0),
    ("ue4m3", Format::UE4M3),
    ("ue5m3", Format::UE5M3),
];
const CANCELLED: &[(&str, Cancelled)] = &[("zero", Cancelled::Zero), ("scales", Cancelled::Scales)];
const SMALL: Formats = Formats::Of(&[Format::E2M1, Format::E2M3, Format::E3M2]);

pub(super) fn gdfs() -> Table<Gdfs, Parameters> {
    Table {
        name: "gdfs",
        summary: "exact dot products of 16 small factors, block scales, groups and c \
             aligned, cut, summed, rounded once (rz)",
        source: "Xie et al. [arXiv:2511.10909] §IV-E",
        base: Gdfs {
            a: Format::E2M1,
            b: Format::E2M1,
            scales: BlockScales {
                format: Format::UE8M0,
                block: 32,
            },
            products: 64,
            group: GROUP,
            fraction_bits: 35,
            zero: ZeroRule::Skip,
            cancelled: Cancelled::Zero,
            min_exponent: None,
            nan: NanCode::Ones,
        },
        keys: keys(),
        check: are_whole,
        make: Parameters::Gdfs,
        params: |parameters| match parameters {
            Parameters::Gdfs(gdfs) => Some(*gdfs),
            _ => None,
        },
    }
}

fn keys() -> Keys<Gdfs> {
    Keys::products(GROUP, 4096, |p: &mut Gdfs| &mut p.products)
        .values_are("16 to 4096, a multiple of block")
        .number("F", 1, 64, |p| &mut p.fraction_bits)
        .means("fraction bits kept when groups of 16 and c are aligned")
        .shown()
        .factors(SMALL, |p| &mut p.a, |p| &mut p.b)
        .choice("scale", SCALE, |p| &mut p.scales.format)
        .means("format of block scales of a and b")
        .shown()
        .number("block", GROUP, 4096, |p| &mut p.scales.block)
        .means("factors that share a scale")
        .values_are("16, 32, 48, ... 4096")
        .counts_factors()
        .shown()
        .choice("zero", ZERO, |p| &mut p.zero)
        .means(
            "exponent of zeros: of a zero group none, or that of its scales; of a zero \
             scale or c its field, or -126",
        )
        .choice("cancelled", CANCELLED, |p| &mut p.cancelled)
        .means("exponent of a group whose products cancel: of a zero group, or of its scales")
        .least_exponent(|p| &mut p.min_exponent)
        .choice("nan", NAN, |p| &mut p.nan)
        .means("code of a NaN result: 7fffffff, 7fc00000, or unspecified")
}

fn are_whole(p: &Gdfs) -> Result<(), ModelError> {
    let block = p.scales.block;
    if !block.is_multiple_of(GROUP) {
        let expected = format!("a multiple of {GROUP}");
        return Err(bad_value("block", &block.to_string(), &expected));
    }
    if !p.products.is_multiple_of(block) {
        let expected = format!("a multiple of block={block}");
        return Err(bad_value("K", &p.products.to_string(), &expected));
    }
    Ok(())
}
