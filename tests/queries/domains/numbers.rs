//! The numbers that a domain admits for an operand.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_core::numbers::float::Format;
use mmasmt_questions::claims::property::Domain;
use std::collections::BTreeSet;

const CLAUSES: [&str; 13] = [
    "finite",
    "normal",
    "subnormal",
    "zero",
    "nonzero",
    "positive",
    "negative",
    "exp -2..1",
    "exp -20..0",
    "exp 0..2",
    "exp 1..500",
    "bits 1",
    "bits 2",
];

/// Signs and codes of the registers of at most 8 bits that the domain admits for the operand
/// that `put` sets. Codes in which one of the lowest `cleared` bits is set are left out.
fn admitted(
    domain: &Domain,
    format: &Format,
    cleared: u32,
    put: impl Fn(u64) -> Inputs,
) -> BTreeSet<(bool, u64)> {
    let registers = 0..1 << format.width();
    let numbers = registers.filter(|&bits| !format.is_nan(bits) && domain.contains(&put(bits)));
    let codes = numbers.map(|bits| (format.is_negative(bits), format.magnitude(bits)));
    codes
        .filter(|(_, code)| code % (1 << cleared) == 0)
        .collect()
}

#[test]
fn numbers_are_those_of_which_the_domain_holds() {
    for (name, row, operand) in [
        ("fda:K=1,in=e4m3", "a[0]", 0),
        ("fda:K=1,in=e5m2", "a[0]", 0),
        ("fda:K=1,in=e2m1,scale=ue8m0", "sa[0]", 3),
    ] {
        let signature = Model::parse(name).unwrap().signature();
        let zero = Inputs::zero(&signature);
        let put = |register: u64| {
            let mut inputs = zero.clone();
            match operand {
                0 => inputs.a[0] = register,
                _ => inputs.a_scales[0] = register,
            }
            inputs
        };
        let format = match operand {
            0 => signature.a,
            _ => signature.scales.unwrap().format,
        };
        for (first, second) in CLAUSES.iter().flat_map(|x| CLAUSES.map(|y| (x, y))) {
            let text = format!("{row} {first}, {row} {second}");
            // Operands of a format without a zero cannot be assumed to be zero.
            if !format.has_zero() && (*first == "zero" || second == "zero") {
                continue;
            }
            let domain = Domain::parse(&text, &signature).unwrap();
            let numbers = domain.numbers(operand, &format);
            let codes = |negative: bool| {
                let range = if negative {
                    numbers.negative.clone()
                } else {
                    numbers.positive.clone()
                };
                let step = 1 << numbers.cleared;
                range.step_by(step).map(move |code| (negative, code))
            };
            let found: BTreeSet<_> = codes(false).chain(codes(true)).collect();
            let expected = admitted(&domain, &format, numbers.cleared, put);
            assert_eq!(found, expected, "{name}: {text}");
        }
    }
}
