//! `never` against what every number raises: conversions of 16 bits, gone through on the simulator.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::descriptions::FLAG_NAMES;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::property::Claim;
use mmasmt_questions::claims::query::{Ended, Options, prove};

const CONVERSIONS: [&str; 5] = [
    "flags(f16 -> e5m2)",
    "flags(bf16 -> e4m3 overflow saturate by rz)",
    "flags(f16 -> f32)",
    "flags(bf16 -> f16, tiny=before)",
    "flags(unit:{unit u { a: f16  d: f16  d = round(flush(a)) to f16 }})",
];

#[test]
fn flags_that_are_never_raised_are_those_that_no_number_raises() {
    for name in CONVERSIONS {
        let model = Model::parse(name).unwrap();
        let mut simulator = model.simulator();
        let numbers = (0..1u64 << 16).map(|bits| Inputs::new(vec![bits], Vec::new(), 0));
        let finite = numbers.filter(|inputs| inputs.is_finite(&model.signature()));
        let raised = finite.fold(0, |raised, inputs| raised | simulator.run(&inputs));
        for (bit, flag) in FLAG_NAMES.iter().enumerate() {
            let claim = Claim::new(&format!("never={flag}"), &model, "finite").unwrap();
            let answer = prove(&claim, &Options::default(), &Limits::default()).unwrap();
            let is_never = matches!(answer.ended, Ended::NoMore { .. });
            assert_eq!(
                is_never,
                raised >> bit & 1 == 0,
                "{name}: {flag}: {:?}",
                answer.ended
            );
        }
    }
}
