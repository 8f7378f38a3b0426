//! Exponents are brought between their limits.

use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_core::machines::model::Model;
use mmasmt_questions::claims::property::Domain;

/// One input for each register of 8 bits in `a[0]`; all other operands are zero.
fn each(signature: Signature) -> impl Iterator<Item = Inputs> {
    let zero = Inputs::zero(&signature);
    (0..1 << signature.a.width()).map(move |register| {
        let mut inputs = zero.clone();
        inputs.a[0] = register;
        inputs
    })
}

#[test]
fn exponents_are_brought_between_their_limits_and_nothing_else_is_changed() {
    let signature = Model::parse("fda:K=1,in=e4m3").unwrap().signature();
    // -6 is the exponent of the least normal numbers and of the subnormal numbers.
    for text in ["exp -6..-3", "exp -5..-3", "exp -2..1", "exp -20..7"] {
        let domain = Domain::parse(&format!("a {text}"), &signature).unwrap();
        for inputs in each(signature) {
            let fixed = domain.fixed_bits(&inputs);
            assert!(domain.contains(&fixed), "{text}: {:x?}", inputs.a);
            if domain.contains(&inputs) {
                assert_eq!(fixed, inputs, "{text}");
            }
        }
    }
}
