//! Bounds of compositions, by their steps and by their runs.

use mmasmt_core::machines::model::{Algorithm, Model};
use mmasmt_numbers::float::Dyadic;
use mmasmt_questions::claims::bounds::Factors;
use mmasmt_questions::claims::bounds::{ErrorBound, scaled};
use mmasmt_questions::claims::bounds::{error_bound, of_composition};

fn bound(text: &str) -> Option<ErrorBound> {
    let model = Model::parse(text).unwrap();
    error_bound(&model, Factors::finite(&model.signature()))
}

/// True if the numbers are the same up to their rounding.
fn are_near(x: &Dyadic, y: &Dyadic) -> bool {
    let above = |x: &Dyadic| x.times(&scaled((1 << 40) + 1, -40));
    !x.magnitude_exceeds(&above(y)) && !y.magnitude_exceeds(&above(x))
}

/// A recipe that does what a composition does has its bound.
#[test]
fn recipes_have_the_bounds_of_compositions() {
    let promote = "compose:{composition p(N = 2 in 1..64) { t = c; for k in 0..K step N * STEP { t = round(sum(t, run(a[k..k + N * STEP] * b[k..k + N * STEP]))) } d = t }}(fda:K=4,F=24):K=64";
    let chain = "compose:{composition p { d = run(a * b, c) }}(fda:K=4,F=24):K=64";
    for (recipe, named) in [
        (promote, "promote(fda:K=4,F=24, every=2):K=64"),
        (chain, "repeat(fda:K=4,F=24):K=64"),
    ] {
        let [x, y] = [recipe, named].map(|text| bound(text).unwrap());
        assert!(are_near(&x.of_all, &y.of_all), "{named}");
        assert!(are_near(&x.of_products, &y.of_products), "{named}");
        assert!(are_near(&x.absolute, &y.absolute), "{named}");
    }
}

/// The exact sum of a composition that does not read `c` is that of the products.
#[test]
fn what_does_not_read_c_has_the_bound_of_its_products() {
    let text = "compose:{composition p { d = run(a * b) }}(fda:K=4,F=24):K=64";
    let [without, with] = [text, "repeat(fda:K=4,F=24):K=64"].map(|text| bound(text).unwrap());
    assert!(!without.relative().magnitude_exceeds(&with.relative()));
}

/// There is none where products are left out, summed twice, or where a sum is taken twice.
#[test]
fn what_is_not_the_whole_sum_has_no_bound() {
    for body in [
        "d = run(a[0..32] * b[0..32], c)",
        "t = run(a * b, c); d = run(a * b, t)",
        "t = run(a[0..32] * b[0..32]); u = round(sum(t, t)); d = round(sum(u, c))",
        "t = run(a * b, c); d = round(sum(t, c))",
        "t = run(a * b, c); d = scale(t) exponent 1",
    ] {
        let text = format!("compose:{{composition p {{ {body} }}}}(fda:K=4,F=24):K=64");
        assert!(bound(&text).is_none(), "{body}");
    }
}

/// The bound of a composition from the bound of its unit alone is no less than the bound from its steps.
#[test]
fn bounds_of_runs_hold_too() {
    for text in [
        "promote(fda:K=4,F=24):every=2,K=64",
        "splitk(fda:K=4,F=24):S=3",
        "splitk(fda:K=4,F=24):S=5,combine=tree,round=ru",
        "splitk(fda:K=4,F=24):S=4,part=bf16",
        "epilogue(fda:K=4,F=24):out=bf16,beta=1",
    ] {
        let model = Model::parse(text).unwrap();
        let factors = Factors::finite(&model.signature());
        let by_steps = error_bound(&model, factors).unwrap();
        let Algorithm::Composition(composition) = model.algorithm() else {
            panic!("{text}");
        };
        let by_runs = of_composition(composition, factors).unwrap();
        let nearly = |x: &Dyadic| x.times(&scaled((1 << 40) - 1, -40));
        let [runs, steps] = [by_runs, by_steps].map(|bound| bound.relative());
        assert!(!nearly(&steps).magnitude_exceeds(&runs), "{text}");
        assert!(!runs.magnitude_exceeds(&steps.shifted(2)), "{text}");
    }
}
