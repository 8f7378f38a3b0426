//! A seed always draws the same inputs.

use mmasmt_core::machines::model::Model;
use mmasmt_questions::inputs::SeparatingDraws;

/// A seed always draws the same inputs, so that sets of inputs can be made again.
#[test]
fn a_seed_draws_what_it_always_drew() {
    for (model, expected) in [
        ("fda:K=4,in=f16", 0xa799_40e3_3bdd_7d02u64),
        ("fda:K=8,in=e4m3,out=f16", 0xc1d9_166a_31f9_0b78),
    ] {
        let signature = Model::parse(model).unwrap().signature();
        let mut candidates = SeparatingDraws::new(signature, true, 7);
        let mut sum = 0xcbf2_9ce4_8422_2325u64;
        for _ in 0..2000 {
            let drawn = candidates.draw();
            let near = candidates.near(&drawn);
            for byte in [drawn, near]
                .iter()
                .flat_map(|x| x.to_line(&signature).into_bytes())
            {
                // FNV-1a.
                sum = (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
        assert_eq!(sum, expected, "{model}: {sum:#018x}");
    }
}
