//! Claims that were once answered wrongly, each with inputs that show why.

use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::property::Claim;
use mmasmt_questions::claims::query::{Ended, Options, prove};
use std::time::Duration;

fn ask(property: &str, model: &str, domain: &str) -> Ended {
    let claim = Claim::new(property, &Model::parse(model).unwrap(), domain).unwrap();
    let options = Options::default();
    let limits = Limits::default().within(Duration::from_secs(300));
    prove(&claim, &options, &limits).unwrap().ended
}

fn is_refuted(property: &str, model: &str, domain: &str) {
    let outcome = ask(property, model, domain);
    let refuted = matches!(outcome, Ended::Enough);
    assert!(refuted, "{property} of {model} where {domain}: {outcome:?}");
}

fn is_proved(property: &str, model: &str, domain: &str) {
    let outcome = ask(property, model, domain);
    let proved = matches!(outcome, Ended::NoMore { .. });
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
    // A step of `b` alone is always greater than what the alignment of `c` loses by it.
    is_proved("monotone-products", model, "finite, a = 0x1p-6, b negative");
}

/// Both follow from correct rounding.
#[test]
fn what_was_once_refuted_is_proved() {
    is_proved("monotone-products", "exact:in=e2m1,K=1,out=f32", "finite");
    is_proved("sign-symmetric", "exact:in=e4m3fnuz,K=1", "finite");
}

/// Inputs that were once said to refute a claim which they do not.
#[test]
fn inputs_that_refute_nothing_are_not_said_to() {
    for (property, model, inputs) in [
        // The number after the greatest one is no zero: there is none.
        ("monotone-products", "exact:in=e2m1,K=1,out=f32", [7, 2, 0]),
        ("monotone-c", "exact:K=1,c=e2m1", [0, 0, 7]),
        ("monotone-c", "exact:K=1,c=e5m2fnuz", [0, 0, 0x7f]),
        // A format without -0 negates +0 to +0.
        ("sign-symmetric", "exact:in=e4m3fnuz,K=1", [0, 0, 0]),
        // The sum is 2^-21, the result the least number, 2^-16.
        (
            "error=1ulp",
            "exact:in=e5m2,K=1,out=e5m2,round=ra",
            [0x18, 0x0c, 0],
        ),
        (
            "error=1ulp",
            "exact:in=e5m2,K=1,out=e5m2,round=ru",
            [0x18, 0x0c, 0],
        ),
        // The two zeros are one number.
        (
            "rounds-partial-sums=rd",
            "fda:K=1,round=rd",
            [0x3c00, 0x3c00, 0xbf80_0000],
        ),
    ] {
        let claim = Claim::new(property, &Model::parse(model).unwrap(), "finite").unwrap();
        let [a, b, c] = inputs;
        let inputs = mmasmt_core::machines::algorithms::Inputs::new(vec![a], vec![b], c);
        assert!(!claim.is_refuted_by(&inputs), "{claim}");
        assert!(!claim.is_refuted_on_big(&inputs), "{claim}");
    }
}
