//! Drawn operands are brought into a domain.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::claims::property::Domain;
use mmasmt_questions::inputs::Sampler;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// One of 100,001 integers lies in all ranges: draws from one range alone would hardly meet it.
#[test]
fn integers_are_drawn_from_what_two_ranges_have_in_common() {
    let signature = Model::parse("ieee:K=2,in=f32").unwrap().signature();
    let domain = "factors from -50000..50000, a from 777..90000, a from -9..777";
    let domain = Domain::parse(domain, &signature).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut sampler = Sampler::new(signature, 0);
    for _ in 0..20 {
        let inputs: Inputs = domain.place(sampler.sample(), &mut rng).unwrap();
        assert_eq!(inputs.a, [u64::from(777f32.to_bits()); 2]);
    }
    let none = Domain::parse("a from 1..3, a from 5..9", &signature).unwrap();
    assert!(none.place(sampler.sample(), &mut rng).is_err());
}
