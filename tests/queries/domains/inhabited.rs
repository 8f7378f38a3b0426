//! Domains without subnormal factors.

use mmasmt_core::machines::model::Model;
use mmasmt_questions::claims::property::Domain;

#[test]
fn subnormal_factors_are_excluded_by_what_is_assumed() {
    let signature = Model::parse("fda:K=4").unwrap().signature();
    for (assume, expected) in [
        ("finite", false),
        ("factors zero-or-normal", true),
        ("factors normal, c subnormal", true),
        ("a normal", false),
        ("factors exp -13..2", true),
        ("factors exp -14..2", false),
        ("a normal, b = 1", true),
        ("a[0] normal, b[0] normal, a[1..] = 0, b[1..] zero", true),
        ("factors bits 3", false),
    ] {
        let domain = Domain::parse(assume, &signature).unwrap();
        assert_eq!(domain.has_no_subnormal_factors(), expected, "{assume}");
    }
}
