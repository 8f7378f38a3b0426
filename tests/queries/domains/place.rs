//! Drawn operands are brought into a domain.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_core::numbers::bits::{Bv, W128};
use mmasmt_core::numbers::float::Format;
use mmasmt_questions::claims::property::{Domain, Predicate};
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

#[test]
fn fields_hold_all_registers_of_which_a_predicate_is_true() {
    let predicates = [
        Predicate::Finite,
        Predicate::Normal,
        Predicate::Subnormal,
        Predicate::Nonzero,
        Predicate::Exponent(-2, 1),
        Predicate::Exponent(-1000, 0),
    ];
    let formats = Format::ALL.into_iter().chain(Format::SCALES);
    let formats = formats.chain(Format::ELEMENTS);
    for format in formats.filter(|format| format.width() <= 8) {
        for predicate in &predicates {
            let fields = predicate.fields(&format);
            for register in 0..1 << format.width() {
                let word = W128::lit(format.width(), register);
                let field = format.field(register);
                assert!(
                    fields.contains(&field) || !predicate.holds(&format, 0, &word),
                    "{predicate:?} of {}: {register:x}",
                    format.name()
                );
            }
        }
    }
}

/// An exponent field is drawn only if the predicate can hold for numbers with this field.
#[test]
fn fields_of_normal_numbers_leave_out_that_of_subnormal_ones() {
    assert_eq!(Predicate::Normal.fields(&Format::E4M3), 1..=15);
    assert_eq!(Predicate::Normal.fields(&Format::UE8M0), 0..=255);
}
