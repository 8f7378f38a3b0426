//! Inputs whose products cancel.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::claims::property::Domain;
use mmasmt_questions::inputs::cancelled;

/// The inputs of all cases that are in the domain after the bits that the domain fixes have
/// been set.
fn inside(domain: &Domain, model: &Model) -> impl Iterator<Item = Inputs> {
    let fixed = cancelled(model.signature()).map(|inputs| domain.fixed_bits(&inputs));
    fixed.filter(|inputs| domain.contains(inputs))
}

/// The left unit adds a flushed -0 to a pairwise sum of +0, which gives +0. The right unit adds
/// `c` last, so its flushed -0 is the result.
#[test]
fn flushed_zeros_of_two_signs_are_found() {
    let model = |text: &str| Model::parse(text).unwrap();
    let left = model("gps:K=4,G=2,in=bf16,repeat=8");
    let right = model("cpu:K=32,in=bf16,order=even-odd");
    let domain = Domain::parse("a[1..] zero, b[1..] zero", &left.signature()).unwrap();
    let all: Vec<Inputs> = inside(&domain, &left).collect();
    // The product is beside `c` in 6 places. It is beside another product in 1 + 2 + 3 + 4 + 5
    // pairs of places, whose distances are powers of two. Each of these has eight cases.
    assert_eq!(all.len(), (6 + 15) * 8);
    let results =
        |inputs: &Inputs| [&left, &right].map(|model| model.simulator().evaluate(inputs).unwrap());
    let found = all.iter().map(results).find(|[x, y]| x != y);
    assert_eq!(found, Some([0, 0x8000_0000]));
}

/// The right unit, of 8 products, takes a flushed -0 as +0 between two steps. The left unit
/// sums the same products in one step, in which everything after the -0 is -0.
#[test]
fn flushed_zeros_between_steps_are_found() {
    let [left, right] = [
        "gps:K=16,G=4,in=bf16,repeat=4",
        "gps:K=8,G=4,in=bf16,repeat=8",
    ]
    .map(|text| Model::parse(text).unwrap());
    for domain in ["finite", "zero-or-normal", "c = 0"] {
        let domain = Domain::parse(domain, &left.signature()).unwrap();
        let differs = |inputs: &Inputs| {
            let [x, y] = [&left, &right].map(|model| model.simulator().evaluate(inputs));
            x.unwrap() != y.unwrap()
        };
        assert!(
            inside(&domain, &left).any(|inputs| differs(&inputs)),
            "{domain}"
        );
    }
}
