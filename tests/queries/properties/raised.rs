//! Factors that are raised to the next number.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::bits::{Concrete, W128};
use mmasmt_questions::claims::property::Domain;
use mmasmt_questions::claims::property::raised_factors;

/// The step of each factor depends on the assumptions on that factor alone.
#[test]
fn a_factor_is_raised_in_its_own_domain() {
    let signature = Model::parse("fda:K=2,in=e4m3").unwrap().signature();
    // 0x38 is 1. With 4, 3, 2 or 1 bits of significand, the next number is 1.125, 1.25, 1.5 or
    // 2.
    let domain = "a[0] bits 4, a[1] bits 3, b[0] bits 2, b[1] bits 1";
    let domain = Domain::parse(domain, &signature).unwrap();
    let inputs = Inputs::new(vec![0x38; 2], vec![0x38; 2], 0);
    let inputs = inputs.lifted::<W128>(&signature);
    let found = raised_factors(&signature, &domain, &inputs)
        .map(|(name, raised)| (name, raised.number.to_u64()))
        .collect::<Vec<_>>();
    let expected = [
        ("a[0]", 0x39),
        ("b[0]", 0x3c),
        ("a[1]", 0x3a),
        ("b[1]", 0x40),
    ];
    assert_eq!(found, expected.map(|(name, next)| (name.to_owned(), next)));
}
