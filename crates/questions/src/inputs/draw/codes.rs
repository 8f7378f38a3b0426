//! Every code of elements and scales of at most 8 bits, one after the other: of `a`, of `b`, of the scales of A and of B. The
//! other factor of the first product is 1, the other products are zero.

use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_core::numbers::float::Format;

/// The inputs with this number; they begin again after the last code.
pub(super) fn inputs(signature: &Signature, number: u64) -> Inputs {
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

#[cfg(test)]
mod tests {
    use super::inputs;
    use mmasmt_core::machines::model::Model;
    use std::collections::HashSet;

    #[test]
    fn every_code_of_elements_and_scales_is_there_once() {
        for (text, count) in [
            ("gdfs:in=mxfp4,K=64", 16 + 16 + 256 + 256),
            ("fda:in=mxfp8,K=32", 4 * 256),
            ("fda:a=e4m3,b=e2m3,K=4", 256 + 64),
        ] {
            let signature = Model::parse(text).unwrap().signature();
            let all: Vec<_> = (0..count)
                .map(|number| inputs(&signature, number))
                .collect();
            let codes: HashSet<u64> = all.iter().map(|inputs| inputs.a[0]).collect();
            assert_eq!(codes.len(), 1 << signature.a.width(), "{text}");
            // 1 is among the codes of each operand.
            let lines: HashSet<String> = all.iter().map(|one| one.to_line(&signature)).collect();
            let rows = if signature.scales.is_some() { 4 } else { 2 };
            assert_eq!(lines.len() as u64, count - rows + 1, "{text}");
            assert_eq!(inputs(&signature, count), all[0], "{text}");
        }
    }
}
