//! Claims that were once answered wrongly, each with inputs that show why.

use mmasmt::engine::Limits;
use mmasmt::model::Model;
use mmasmt::property::Claim;
use mmasmt::query::{Engine, Outcome, Prove, prove};
use std::time::Duration;

fn ask(property: &str, model: &str, domain: &str) -> Outcome {
    let claim = Claim::new(property, &Model::parse(model).unwrap(), domain).unwrap();
    let options = Prove {
        seed: 0,
        minimise: None,
        engine: Engine::Embedded,
    };
    let limits = Limits::default().within(Duration::from_secs(300));
    prove(&claim, &options, &limits).unwrap().outcome
}

fn is_refuted(property: &str, model: &str, domain: &str) {
    let outcome = ask(property, model, domain);
    let refuted = matches!(outcome, Outcome::Refuted { .. });
    assert!(refuted, "{property} of {model} where {domain}: {outcome:?}");
}

fn is_proved(property: &str, model: &str, domain: &str) {
    let outcome = ask(property, model, domain);
    let proved = matches!(outcome, Outcome::Proved { .. });
    assert!(proved, "{property} of {model} where {domain}: {outcome:?}");
}

/// The other order of inputs in the domain lies outside of it.
#[test]
fn an_order_that_leaves_the_domain_counts() {
    is_refuted("order-independent", "gfdrda:K=4", "finite, a[2..] zero");
    is_proved("order-independent", "fda:K=4", "finite, a[2..] zero");
}

/// Between two numbers of eight bits lies the next number of the format, which has more.
#[test]
fn the_next_number_is_that_of_the_domain() {
    let model = "fda:K=2,F=6,in=e4m3,out=f16";
    let domain = "finite, c positive, c bits 8, c normal";
    is_refuted("monotone-c", model, domain);
}

#[test]
fn a_product_rises_where_a_factor_falls_and_the_other_is_negative() {
    let model = "fda:K=1,F=4,in=e4m3,out=f16";
    is_refuted("monotone-products", model, "finite, b negative");
    is_refuted("monotone-products", model, "finite, a = 0x1p-6, b negative");
}
