//! Mutants of a model: every value of every key, and steps of its text left out.

use mmasmt_core::machines::model::Model;
use mmasmt_questions::identify::mutants;

fn changes(text: &str) -> Vec<String> {
    let model = Model::parse(text).unwrap();
    mutants(&model)
        .into_iter()
        .map(|(change, _)| change)
        .collect()
}

/// Every value of every key is a change, also where it does nothing beside the values of the
/// others.
#[test]
fn mutants_have_every_value_of_every_key() {
    let found = changes("fda:K=2,in=e4m3");
    let roundings = ["rne", "rd", "ru", "ra", "rna", "rnz", "rnu", "rnd", "rno"];
    let roundings = roundings.map(|word| format!("round={word}"));
    let others = ["align=sticky", "align=floor", "carry=1,overflow=saturate"].map(String::from);
    for change in roundings.iter().chain(&others) {
        assert!(found.contains(change), "{change}: {found:?}");
    }
    let found = changes("epilogue(fda:K=1,in=e2m1):K=2,beta=1");
    for change in ["alpha=-1", "alpha=2", "beta=0", "scale=0.5", "saturate=yes"] {
        assert!(
            found.iter().any(|known| known == change),
            "{change}: {found:?}"
        );
    }
    let found = changes("splitk(fda:K=1,in=e2m1):K=7,S=2");
    for change in ["S=1", "S=3", "S=5", "tile=3"] {
        assert!(
            found.iter().any(|known| known == change),
            "{change}: {found:?}"
        );
    }
}

#[test]
fn steps_of_texts_are_left_out() {
    let unit = "unit:{unit u { a, b: f16[2] c, d: f32 x = flush(a) z = flush(c) p = x * b \
                d = round(fuse(p, z) keep 20) to f32 by rz }}";
    let found = changes(unit);
    for change in [
        "without flush",
        "fuse without its argument 2",
        "widen of argument 2 of fuse",
        "by=rno",
    ] {
        let has = found.iter().any(|known| known.ends_with(change));
        assert!(has || change == "by=rno", "{change}: {found:?}");
    }
    let flushes = found
        .iter()
        .filter(|change| change.ends_with("without flush"));
    assert_eq!(flushes.count(), 2, "{found:?}");
}

#[test]
fn values_are_those_that_the_signature_has_a_use_for() {
    let model = Model::parse("fda:K=6,in=e2m1,scale=ue8m0,block=4").unwrap();
    let of = |key: &str| model.values(key, &model.signature()).unwrap();
    assert_eq!(of("K"), ["1", "2", "3", "6"]);
    assert_eq!(of("block"), ["1", "2", "3", "4", "5", "6"]);
    // The values are all exponents that terms can have, out of the thousands of values that the
    // key admits.
    let exponents: Vec<i64> = of("emin").iter().flat_map(|word| word.parse()).collect();
    assert!(exponents.len() < 1000, "{}", exponents.len());
    assert!(exponents.contains(&-20) && exponents.contains(&10));
}
