//! Domains that are parts of others.

use mmasmt_core::machines::model::Model;
use mmasmt_questions::claims::property::Domain;
use mmasmt_questions::inputs::Sampler;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

const CLAUSES: [&str; 20] = [
    "",
    "finite",
    "normal",
    "zero-or-normal",
    "subnormal",
    "nonzero",
    "positive",
    "factors zero",
    "factors = 0",
    "a = 1",
    "exp -3..2",
    "exp -3..1",
    "bits 2",
    "bits 1",
    "factors in e2m1",
    "factors in e3m2",
    "factors from -3..4",
    "factors from 0..3",
    "b[1..] = 0",
    "a[1] = a[0]",
];

/// Inputs drawn from a part lie in the whole; of the pairs that are no parts, most have inputs
/// that say so.
#[test]
fn inputs_of_a_part_lie_in_the_whole() {
    let signature = Model::parse("fda:K=2,in=e4m3").unwrap().signature();
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut sampler = Sampler::new(signature, 7);
    let mut domains = Vec::new();
    for (number, first) in CLAUSES.into_iter().enumerate() {
        for second in &CLAUSES[number..] {
            let text = format!("{first}, {second}");
            if let Ok(domain) = Domain::parse(&text, &signature) {
                let drawn = (0..40).map(|_| sampler.sample());
                let placed = drawn.filter_map(|drawn| domain.place(drawn, &mut rng).ok());
                let placed: Vec<_> = placed.collect();
                domains.push((domain, placed));
            }
        }
    }
    let (mut parts, mut left_out) = (0, [0; 2]);
    for (part, inputs) in &domains {
        for (whole, _) in &domains {
            let outside = inputs
                .iter()
                .filter(|inputs| !whole.contains(inputs))
                .count();
            if part.is_part_of(whole) {
                parts += 1;
                assert_eq!(outside, 0, "`{part}` in `{whole}`");
            } else {
                left_out[usize::from(outside > 0 || inputs.is_empty())] += 1;
            }
        }
    }
    assert!(parts > 2000, "{parts}");
    assert!(left_out[1] > 3 * left_out[0], "{left_out:?}");
}
