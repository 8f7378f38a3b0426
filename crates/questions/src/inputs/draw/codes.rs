//! Every code of elements and scales of at most 8 bits, one after the other: of `a`, of `b`, of the scales of A and of B. The
//! other factor of the first product is 1, the other products are zero.

use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_core::numbers::float::Format;

/// The inputs with this number; they begin again after the last code.
pub fn inputs(signature: &Signature, number: u64) -> Inputs {
    let Signature { a, b, .. } = signature;
    let mut inputs = Inputs::zero(signature);
    (inputs.a[0], inputs.b[0]) = (a.one(), b.one());
    if let Some(scales) = signature.scales {
        for row in [&mut inputs.a_scales, &mut inputs.b_scales] {
            row.fill(scales.format.one());
        }
    }
    let scale = signature.scales.map(|scales| scales.format);
    let formats = [Some(*a), Some(*b), scale, scale];
    let codes = |format: &Option<Format>| {
        let format = format.filter(|format| format.width() <= 8);
        format.map_or(0, |format| 1 << format.width())
    };
    let all: u64 = formats.iter().map(codes).sum();
    let mut left = number % all.max(1);
    for (place, format) in formats.iter().enumerate() {
        let count = codes(format);
        if left >= count {
            left -= count;
            continue;
        }
        match place {
            0 => inputs.a[0] = left,
            1 => inputs.b[0] = left,
            2 => inputs.a_scales[0] = left,
            _ => inputs.b_scales[0] = left,
        }
        break;
    }
    inputs
}
