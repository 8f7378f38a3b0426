//! Domains say of registers what they say of words.

use mmasmt_core::machines::model::Model;
use mmasmt_numbers::bits::{Concrete, W128};
use mmasmt_questions::claims::property::Domain;
use mmasmt_questions::inputs::Sampler;

/// Answers about registers equal the answers about words, when asked first and when asked
/// again.
#[test]
fn registers_are_told_as_words_are() {
    let mut inside = 0;
    for (model, assume) in [
        ("fda:K=2", "factors from -40..2000, c from -5000..900000"),
        ("fda:K=2", "factors exp -3..2, factors bits 4, c zero"),
        ("fda:K=2,in=bf16", "zero-or-normal, positive, b[1..] zero"),
        ("fda:K=2,in=tf32", "factors from -1..1000000, a[1] = 1"),
        (
            "fda:K=2,a=e4m3,b=e5m2",
            "a from -9..9, c from -100..7, b in e2m1",
        ),
        ("int:K=2,in=s8", "a from -3..100, c from -5..1000000"),
        (
            "gdfs:F=35,scale=ue4m3,block=16",
            "factors from 0..3, sa exp -2..2, c from -70..10",
        ),
    ] {
        let signature = Model::parse(model).unwrap().signature();
        let domain = Domain::parse(assume, &signature).unwrap();
        let mut sampler = Sampler::new(signature, 5);
        for _ in 0..400 {
            let drawn = sampler.sample();
            let fixed = domain
                .fixed(&drawn.lifted::<W128>(&signature))
                .map(&signature, |_, word| word.to_u64());
            for _ in 0..2 {
                assert_eq!(domain.fixed_bits(&drawn), fixed, "{assume}");
                for inputs in [&drawn, &fixed] {
                    let holds = domain.holds(&inputs.lifted::<W128>(&signature));
                    assert_eq!(domain.contains(inputs), holds, "{assume}: {inputs:x?}");
                    inside += usize::from(holds);
                }
            }
        }
    }
    assert!(inside > 100, "{inside}");
}
