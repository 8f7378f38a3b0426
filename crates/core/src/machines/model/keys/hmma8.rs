//! Keys of `hmma8`: FP8 products that are computed by f16 instructions.

use super::doc::bad_value;
use super::fda::{BASE, VIA, ZERO, via_is_wider};
use super::formats::Formats;
use super::key::Keys;
use super::table::Table;
use crate::machines::algorithms::parameters::fda::Params;
use crate::machines::algorithms::{Hmma8, Parameters};
use crate::numbers::float::{Format, Rounding};

const FACTORS: Formats = Formats::Of(&[Format::E4M3, Format::E5M2]);
const OUT: Formats = Formats::Of(&[Format::F32, Format::F16]);

pub(super) fn hmma8() -> Table<Hmma8, Parameters> {
    Table {
        name: "hmma8",
        summary: "FP8 through f16: two f16 fused dot-adds from +0 over k mod 4 in {0,1} and \
             {2,3}, then c added (rne)",
        source: "machine code for sm_90 and sm_100; recorded H100, H200, B200 rows",
        base: Hmma8 {
            a: Format::E4M3,
            b: Format::E4M3,
            half: Params {
                products_per_sum: 16,
                fraction_bits: 25,
                ..BASE
            },
        },
        keys: keys(),
        check: |p| {
            let products = p.half.products_per_sum;
            if !products.is_multiple_of(2) || products > 4096 {
                let expected = "an even number from 2 to 4096";
                return Err(bad_value("K", &products.to_string(), expected));
            }
            via_is_wider(&p.half)
        },
        make: Parameters::Hmma8,
        params: |parameters| match parameters {
            Parameters::Hmma8(hmma8) => Some(*hmma8),
            _ => None,
        },
    }
}

fn keys() -> Keys<Hmma8> {
    Keys::products(1, 65536, |p: &mut Hmma8| &mut p.half.products_per_sum)
        .means("products in one f16 fused dot-add; the model takes 2 * K")
        .values_are("2, 4, ... 4096")
        .number("F", 1, 64, |p| &mut p.half.fraction_bits)
        .means("fraction bits kept when terms are aligned")
        .shown()
        .factors(FACTORS, |p| &mut p.a, |p| &mut p.b)
        .factors_shown()
        .own(
            "out",
            |_| OUT.values(),
            |p| p.half.out.name().into(),
            set_out,
        )
        .means("format of c and of the result")
        .choice("via", VIA, |p| &mut p.half.via)
        .means("as in fda, of both sums")
        .choice("zero", ZERO, |p| &mut p.half.zero)
        .means("as in fda")
        .least_exponent(|p| &mut p.half.min_exponent)
        .means("as in fda")
}

/// Sets `out`, the format of the result and of `c`; the rounding follows from it.
fn set_out(p: &mut Hmma8, text: &str) -> Option<()> {
    let out = OUT.named(text)?;
    (p.half.c, p.half.out, p.half.result_fraction) = (out, out, out.fraction_bits);
    p.half.rounding = if out == Format::F16 {
        Rounding::Rne
    } else {
        Rounding::Rz
    };
    Some(())
}
