//! Flushing of subnormal numbers: every register of 16 bits and fewer, edges of the wider formats.

use crate::common::exact::{Datum, decode, register};
use crate::common::inputs::boundary;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::bits::{Bv, Concrete, W64};
use mmasmt_numbers::float::{FlushedZero, Format, flush};

#[test]
fn subnormal_numbers_and_zeros_are_flushed_and_nothing_else() {
    for format in Format::ALL {
        let all = format.width() <= 16;
        let registers = if all {
            (0..1 << format.width()).collect()
        } else {
            boundary(&format)
        };
        for bits in registers {
            let is_flushed = match decode(&format, bits) {
                Datum::Finite(x) => x.significand >> format.fraction_bits == 0,
                _ => false,
            };
            for to in [FlushedZero::Plus, FlushedZero::SameSign] {
                let negative = to == FlushedZero::SameSign && format.is_negative(bits);
                let negative = negative && format.has_negative_zero();
                let zero = register(&format, negative, 0);
                let expected = if is_flushed { zero } else { bits };
                let found = flush(&format, to, &W64::lit(format.width(), bits)).to_u64();
                assert_eq!(found, expected, "{format} {bits:x} to {to:?}");
            }
        }
    }
}

// 80 is the only NaN, 01 the least subnormal number, times 1.
#[test]
fn a_nan_factor_is_not_flushed() {
    let model = Model::parse("gps:in=e4m3fnuz,subnormals=flush,nan=ones").unwrap();
    let product = |a| {
        let inputs = Inputs::new(vec![a], vec![0x40], 0).padded(&model.signature());
        model.simulator().evaluate(&inputs.unwrap()).unwrap()
    };
    assert_eq!(product(0x80), 0x7fff_ffff);
    assert_eq!(product(0x01), 0);
    assert_eq!(product(0x40), 0x3f80_0000);
}
