//! Properties that compare results with the exact sum of `c` and all products: of which models they are claimed.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::Dyadic;
use mmasmt_questions::claims::property::{Claim, PROPERTIES};
use mmasmt_questions::vectors::measure::ExactSum;

/// Models whose results are something else: epilogues that scale, conversions, sums of `a` and `b`.
const OTHERS: [&str; 9] = [
    "epilogue(fda:K=2,F=24):alpha=0.5",
    "epilogue(fda:K=2,F=24):alpha=-1",
    "epilogue(fda:K=2,F=24):beta=2",
    "epilogue(fda:K=2,F=24):alpha=2,beta=1",
    "epilogue(fda:K=2,F=24):activation=relu",
    "epilogue(fda:K=16,F=25):K=32,out=f16,beta=2,alpha=3",
    "ptx/cvt.rn.f16.f32",
    "wormhole/elwadd.bf16.bf16",
    "unit:{unit adder { a, b: bf16[1]  d: f32  d = round(sum(a[0], b[0])) to f32 by rne nan quiet }}",
];

/// Models whose results are such sums, but for rounding.
const SUMS: [&str; 5] = [
    "fda:K=2,F=24",
    "epilogue(fda:K=2,F=24):beta=1",
    "epilogue(fda:K=2,F=24):out=f16",
    "promote(fda:K=2,F=24):every=1,K=4",
    "rdna3/v_dot2_f32_bf16",
];

/// A value that the property takes.
fn value(name: &str, model: &str) -> String {
    let word = name.split('=').next().unwrap();
    let value = match name.split_once('=').map(|(_, value)| value) {
        None => return word.to_owned(),
        Some("BOUND") => "0x1p-10sum".to_owned(),
        Some("MODEL") => model.to_owned(),
        Some("FORMAT") => "f32".to_owned(),
        Some("MODE") => "rne".to_owned(),
        Some(other) => panic!("no value for {other}"),
    };
    format!("{word}={value}")
}

#[test]
fn what_is_no_sum_of_products_is_not_compared_with_one() {
    let of_sums: Vec<_> = PROPERTIES.iter().filter(|doc| doc.is_of_sums).collect();
    assert!(of_sums.len() > 8, "{}", of_sums.len());
    // Whatever speaks of the exact sum is among them, but for integers alone.
    let others = PROPERTIES.iter().filter(|doc| !doc.is_of_sums);
    let others = others.filter(|doc| doc.meaning.contains("exact sum"));
    let others: Vec<&str> = others.map(|doc| doc.word()).collect();
    assert_eq!(others, ["exact", "no-overflow"]);
    for doc in &of_sums {
        for name in OTHERS {
            let model = Model::parse(name).unwrap();
            let claim = Claim::new(&value(doc.name, name), &model, "finite");
            assert!(claim.is_err(), "{} of {name}", doc.name);
        }
    }
    for name in SUMS {
        let model = Model::parse(name).unwrap();
        let claim = Claim::new("error=0x1p-10sum", &model, "finite");
        assert!(claim.is_ok(), "{name}: {claim:?}");
    }
}

/// Errors are measured from what the model would give without rounding: 2 products of 1 and 1, and `c` = 1.
#[test]
fn errors_are_measured_from_what_is_computed() {
    let one = |format: mmasmt_numbers::float::Format| format.one();
    for (name, expected) in [
        ("fda:K=2,F=24", Some((3, 0))),
        ("epilogue(fda:K=2,F=24):alpha=0.5,beta=1", Some((2, 0))),
        ("epilogue(fda:K=2,F=24):alpha=0.5,beta=3", Some((4, 0))),
        ("epilogue(fda:K=2,F=24):alpha=-3,beta=1", Some((-5, 0))),
        ("epilogue(fda:K=2,F=24):activation=relu", Some((2, 0))),
        (
            "epilogue(fda:K=2,F=24):alpha=-3,beta=1,activation=relu",
            Some((0, 0)),
        ),
        (
            "epilogue(fda:K=2,F=24):beta=1,activation=relu,scale=-2",
            Some((-6, 0)),
        ),
        (
            "unit:{unit adder { a, b: bf16[2]  c, d: f32  d = round(sum(a[0], b[0], c)) to f32 by rne nan quiet }}",
            None,
        ),
    ] {
        let model = Model::parse(name).unwrap();
        let signature = model.signature();
        let factors = |format| vec![one(format); 2];
        let inputs = Inputs::new(factors(signature.a), factors(signature.b), one(signature.c));
        let found = ExactSum::of(&model, &inputs).map(|exact| exact.value);
        let expected =
            expected.map(|(number, exponent): (i64, i64)| Dyadic::new(number.into(), exponent));
        assert_eq!(found, expected, "{name}");
    }
}
