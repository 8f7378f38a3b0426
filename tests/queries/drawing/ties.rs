//! Products beside ties.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::claims::property::Domain;
use mmasmt_questions::inputs::products_beside_ties;

/// Draws `tries` inputs, sets the bits that the domain fixes, and keeps the inputs that are in
/// the domain.
fn inside(domain: &Domain, model: &Model, tries: u32) -> impl Iterator<Item = Inputs> {
    let drawn = products_beside_ties(model.signature(), 0, tries);
    let fixed = drawn.map(|inputs| domain.fixed_bits(&inputs));
    fixed.filter(|inputs| domain.contains(inputs))
}

/// The first model rounds the exact product; the second model has lost bits of the product.
#[test]
fn a_single_product_tells_two_roundings_of_subnormal_results_apart() {
    let models = [
        "exact:K=2,in=bf16,nan=any,repeat=8",
        "fdrda:in=bf16,chain=2",
    ];
    let models = models.map(|text| Model::parse(text).unwrap());
    let mut simulators = models.each_ref().map(Model::simulator);
    for domain in [
        "a[1..] zero, b[1..] zero, c = 0",
        "a[1..] zero, b[1..] zero, c = 0, zero-or-normal",
    ] {
        let domain = Domain::parse(domain, &models[0].signature()).unwrap();
        let differing = inside(&domain, &models[0], 200).find(|inputs| {
            let [left, right] = simulators.each_mut().map(|model| model.run(inputs));
            left != right
        });
        assert!(differing.is_some(), "{domain:?}");
    }
}

#[test]
fn signatures_without_such_products_have_none() {
    let [integers, scaled] = [
        "int:K=4,in=s8",
        "fda:K=32,F=25,in=e4m3,scale=ue8m0,emin=-133",
    ]
    .map(|text| Model::parse(text).unwrap());
    for model in [&integers, &scaled] {
        assert_eq!(products_beside_ties(model.signature(), 0, 100).count(), 0);
    }
}
