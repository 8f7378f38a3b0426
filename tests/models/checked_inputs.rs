//! Operands that a library user makes: those that do not fit a model are an error, and never a
//! panic or a number.

use mmasmt_core::machines::algorithms::Registers;
use mmasmt_core::machines::algorithms::{Inputs, Misfit};
use mmasmt_core::machines::model::{Model, Simulator};
use mmasmt_explain::explain::first_divergence;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::bits::term::{Term, scope};
use mmasmt_numbers::bits::{Big, Bv, W64};
use mmasmt_questions::claims::property::{Claim, Domain};
use mmasmt_questions::claims::query::Question;
use mmasmt_questions::identify::{IdentifyOptions, RecordedLine, exclude, nearest, score};
use mmasmt_questions::vectors::Vector;
use mmasmt_questions::vectors::device::{Device, DeviceError, SoftwareDevice};
use proptest::prelude::*;

/// Inputs of four f16 products that are wrong in one place, and what is said of them.
fn wrong_for_four_products() -> Vec<(Inputs, &'static str)> {
    let right = || Inputs::new(vec![0; 4], vec![0; 4], 0);
    let changed = |change: fn(&mut Inputs)| {
        let mut inputs = right();
        change(&mut inputs);
        inputs
    };
    vec![
        (
            changed(|inputs| inputs.a[2] = 0x1_0000),
            "expected 16 bits (f16) in a[2], found 0x10000",
        ),
        (
            changed(|inputs| inputs.b[3] = u64::MAX),
            "expected 16 bits (f16) in b[3], found 0xffffffffffffffff",
        ),
        (
            changed(|inputs| inputs.c = 1 << 32),
            "expected 32 bits (f32) in c, found 0x100000000",
        ),
        (
            changed(|inputs| inputs.a.truncate(3)),
            "expected 4 factors a, found 3: `Inputs::padded` adds those that are missing",
        ),
        (
            changed(|inputs| inputs.b.push(0)),
            "expected 4 factors b, found 5: `Inputs::padded` adds those that are missing",
        ),
        (
            changed(|inputs| inputs.b_scales.push(0x7f)),
            "expected 0 scales of b, found 1: `Inputs::padded` adds those that are missing",
        ),
    ]
}

/// Every model of four f16 products, one for each word that simulators run on.
fn models() -> Vec<Model> {
    let specs = [
        "fda",
        "fda:F=64,carry=64",
        "exact",
        "fdrda:K=4",
        "gps:K=4",
        "ieee",
    ];
    specs.map(|spec| Model::parse(spec).unwrap()).into()
}

#[test]
fn inputs_that_do_not_fit_are_errors_of_every_evaluation() {
    let words: Vec<_> = models()
        .iter()
        .map(|model| model.simulator().instance())
        .collect();
    assert!(
        ["u64", "u128", "BigUint"]
            .iter()
            .all(|word| words.contains(word))
    );
    for model in models() {
        for (inputs, expected) in wrong_for_four_products() {
            let error = inputs.checked(&model.signature()).unwrap_err();
            assert_eq!(error.to_string(), expected);
            assert_eq!(model.simulator().evaluate(&inputs).unwrap_err(), error);
            assert_eq!(model.evaluate_big(&inputs).unwrap_err(), error);
            assert_eq!(model.stages::<W64>(&inputs).err().unwrap(), error);
            assert!(!inputs.fit(&model.signature()));
        }
    }
}

#[test]
fn scales_are_as_many_as_blocks_and_as_wide_as_their_format() {
    let model = Model::parse("fda:K=4,in=e2m1,scale=ue8m0,block=2").unwrap();
    let right = Inputs::zero(&model.signature());
    assert_eq!(model.simulator().evaluate(&right), Ok(0));
    let mut short = right.clone();
    short.a_scales.pop();
    let mut wide = right;
    wide.b_scales[1] = 0x100;
    for (inputs, expected) in [
        (short, "expected 2 scales of a, found 1"),
        (wide, "expected 8 bits (ue8m0) in sb[1], found 0x100"),
    ] {
        let error = model.simulator().evaluate(&inputs).unwrap_err();
        assert!(error.to_string().starts_with(expected), "{error}");
        assert_eq!(inputs.padded(&model.signature()), None);
    }
}

#[test]
fn inputs_that_were_checked_for_another_signature_are_no_inputs() {
    let [short, long] = ["fda", "fda:K=8"].map(|spec| Model::parse(spec).unwrap());
    let same_shape = Model::parse("fda:in=bf16").unwrap();
    let inputs = Inputs::zero(&short.signature());
    let checked = inputs.checked(&short.signature()).unwrap();
    assert_eq!(checked.inputs(), &inputs);
    assert_eq!(checked.signature(), &short.signature());
    let run = |mut simulator: Simulator<'_>| simulator.evaluate_checked(&checked);
    assert_eq!(run(short.simulator()), Ok(0));
    for other in [&long, &same_shape] {
        let error = run(other.simulator()).unwrap_err();
        assert!(matches!(error, Misfit::Signature { .. }), "{error}");
        assert_eq!(
            error.to_string(),
            format!(
                "expected inputs that were checked for {}, found those for {}",
                other.signature(),
                short.signature()
            )
        );
    }
}

#[test]
fn bit_vectors_of_another_width_are_errors() {
    let model = Model::parse("fda:K=2").unwrap();
    scope(|| {
        let terms = |width| {
            let row = |from| (from..from + 2).map(|k| Term::input(k, width)).collect();
            Registers::new(row(0), row(2), Term::input(4, 32))
        };
        assert!(model.dot_add(&terms(16)).is_ok());
        let error = model.dot_add(&terms(17)).err().unwrap();
        assert_eq!(
            error.to_string(),
            "expected 16 bits (f16) in a[0], found 17 bits"
        );
    });
    let short = Registers::new(
        vec![Big::lit(16, 0)],
        vec![Big::lit(16, 0)],
        Big::lit(32, 0),
    );
    assert!(matches!(
        model.dot_add(&short).err().unwrap(),
        Misfit::Count { .. }
    ));
}

#[test]
fn what_does_not_fit_refutes_nothing_and_is_no_witness() {
    let [left, right] = ["fda:F=23", "fda:F=24"].map(|spec| Model::parse(spec).unwrap());
    let claim = Claim::new("equal=:F=25", &left, "c = 1").unwrap();
    let question = Question::difference(&left, &right, None).unwrap();
    let domain = Domain::parse("c = 1", &left.signature()).unwrap();
    for (inputs, expected) in wrong_for_four_products() {
        assert!(!claim.is_refuted_by(&inputs) && !claim.is_refuted_on_big(&inputs));
        assert!(claim.counterparts(&inputs).is_empty());
        assert_eq!(claim.fixed(&inputs), inputs);
        assert!(!domain.contains(&inputs));
        assert_eq!(first_divergence(&left, &right, &inputs), None);
        let error = question.replay(&inputs).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn devices_answer_no_inputs_that_do_not_fit() {
    let model = Model::parse("fda").unwrap();
    let mut device = SoftwareDevice::new(model.clone());
    for (inputs, expected) in wrong_for_four_products() {
        let error = device.run(&[Inputs::zero(&model.signature()), inputs]);
        let error = error.unwrap_err();
        assert!(matches!(error, DeviceError::Misfit(_)));
        assert_eq!(error.to_string(), expected);
    }
}

fn operands() -> impl Strategy<Value = Inputs> {
    let register = || prop_oneof![any::<u16>().prop_map(u64::from), any::<u64>()];
    let row = |most| prop::collection::vec(register(), 0..most);
    (row(6), row(6), register(), row(2), row(2)).prop_map(|(a, b, c, a_scales, b_scales)| Inputs {
        a_scales,
        b_scales,
        ..Inputs::new(a, b, c)
    })
}

proptest! {
    #[test]
    fn any_operands_give_an_error_or_what_the_exact_instance_gives(inputs in operands()) {
        for model in models() {
            let signature = model.signature();
            let found = model.simulator().evaluate(&inputs);
            prop_assert_eq!(&found, &model.evaluate_big(&inputs));
            prop_assert_eq!(found.is_ok(), inputs.fit(&signature));
            if let Some(padded) = inputs.clone().padded(&signature) {
                prop_assert!(model.simulator().evaluate(&padded).is_ok());
            }
        }
    }
}

/// Results that were recorded of another unit, or that nothing has checked, tell nothing of candidates.
#[test]
fn candidates_are_not_judged_by_inputs_that_they_do_not_take() {
    let four = [Model::parse("fda").unwrap()];
    let both = [four[0].clone(), Model::parse("fda:K=8").unwrap()];
    let recorded = |inputs: &Inputs, d| RecordedLine {
        file: 0,
        line: 1,
        vector: Vector {
            inputs: inputs.clone(),
            d,
        },
    };
    let options = IdentifyOptions::default();
    let limits = Limits::default();
    let said = |models: &[Model], inputs: &Inputs, d: u64| {
        let line = recorded(inputs, d);
        let excluded = exclude(models, std::slice::from_ref(&line)).map(drop);
        let near = nearest(models, &[&line.vector], 1).map(drop);
        let [excluded, near] = [excluded, near].map(|done| done.unwrap_err().to_string());
        assert_eq!(excluded, near);
        excluded
    };
    for (inputs, expected) in wrong_for_four_products() {
        assert_eq!(said(&four, &inputs, 0), expected);
        let scored = score(&four[0], &[inputs], &options, &limits);
        assert_eq!(scored.unwrap_err().to_string(), expected);
    }
    let right = Inputs::new(vec![0; 4], vec![0; 4], 0);
    let wide = "expected 32 bits (f32) in d, found 0x100000000";
    assert_eq!(said(&four, &right, 1 << 32), wide);
    let few = "expected 8 factors a, found 4: `Inputs::padded` adds those that are missing";
    assert_eq!(said(&both, &right, 0), few);
    assert_eq!(exclude(&four, &[recorded(&right, 0)]).unwrap().left, [0]);
}
