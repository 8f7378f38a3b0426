//! Devices that answer nonsense: no panic, and no answer that is not theirs.

use super::model;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_questions::identify::probe::{ProbePlan, TestAnswer, tests};
use mmasmt_questions::vectors::device::{Device, DeviceError, SoftwareDevice};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const MODELS: [&str; 6] = [
    "fda:F=25,K=8",
    "gps:K=4",
    "sfma:fmt=f64",
    "fda:out=f16",
    "int:K=4,chain=2,overflow=saturate",
    "int:K=8,in=b1",
];

/// A model whose results are changed on the way.
struct Faulty<F> {
    device: SoftwareDevice,
    signature: Signature,
    fault: F,
}

impl<F: FnMut(usize, u64) -> Option<u64>> Device for Faulty<F> {
    fn signature(&self) -> Signature {
        self.signature
    }
    fn describe(&self) -> Vec<String> {
        Vec::new()
    }
    fn run(&mut self, inputs: &[Inputs]) -> Result<Vec<u64>, DeviceError> {
        let results = self.device.run(inputs)?.into_iter().enumerate();
        Ok(results.filter_map(|(at, d)| (self.fault)(at, d)).collect())
    }
}

fn faulty<F: FnMut(usize, u64) -> Option<u64>>(text: &str, fault: F) -> Faulty<F> {
    let model = model(text);
    let signature = model.signature();
    let device = SoftwareDevice::new(model);
    Faulty {
        device,
        signature,
        fault,
    }
}

fn plan(text: &str) -> ProbePlan {
    ProbePlan::new(&model(text).signature(), tests())
}

/// The answers, by test.
fn answers(plan: &ProbePlan, device: &mut dyn Device) -> Vec<(&'static str, TestAnswer)> {
    let answers = plan.run(device).unwrap().0.into_iter();
    answers
        .map(|outcome| (outcome.test.name, outcome.answer))
        .collect()
}

#[test]
fn nothing_is_read_from_nonsense() {
    for text in MODELS {
        let plan = plan(text);
        let mask = u64::MAX >> (64 - model(text).signature().d.width());
        let one = model(text).signature().d.one();
        for constant in [0, one, mask, mask >> 1, u64::MAX] {
            for (name, answer) in answers(&plan, &mut faulty(text, |_, _| Some(constant))) {
                let found = matches!(answer, TestAnswer::Found(_));
                assert!(!found, "{text}: {name} from {constant:x}: {answer:?}");
            }
        }
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        for (name, answer) in answers(
            &plan,
            &mut faulty(text, |_, _| Some(rng.random::<u64>() & mask)),
        ) {
            let refused = matches!(
                answer,
                TestAnswer::Inconsistent(_) | TestAnswer::NotApplicable(_)
            );
            assert!(refused, "{text}: {name}: {answer:?}");
        }
    }
}

/// One wrong result, far from the right one: a test gives its answer or none.
#[test]
fn one_wrong_result_makes_no_other_answer() {
    let text = "fda:F=24,K=8,chain=2";
    let plan = plan(text);
    let right = answers(&plan, &mut faulty(text, |_, d| Some(d)));
    let count = plan.inputs().len();
    let mut caught = 0;
    for wrong in (0..count).step_by(count / 60) {
        for flip in [1 << 31, 1 << 30, 1 << 23] {
            let mut device = faulty(text, |at, d| Some(if at == wrong { d ^ flip } else { d }));
            for ((name, answer), (_, right)) in answers(&plan, &mut device).iter().zip(&right) {
                let TestAnswer::Found(found) = answer else {
                    caught += usize::from(matches!(right, TestAnswer::Found(_)));
                    continue;
                };
                // The sign of a zero and which NaN it is are answers of their own.
                if [
                    "negative-zero",
                    "nan-of-zero-times-infinity",
                    "nan-of-infinities",
                ]
                .contains(name)
                {
                    continue;
                }
                assert_eq!(
                    &TestAnswer::Found(found.clone()),
                    right,
                    "{name}: result {wrong} ^ {flip:x}"
                );
            }
        }
    }
    assert!(caught > 60, "{caught}");
}

#[test]
fn missing_results_are_an_error() {
    let text = MODELS[0];
    let mut device = faulty(text, |at, d| (at != 7).then_some(d));
    let error = plan(text).run(&mut device).err().unwrap().to_string();
    assert!(error.contains("results, found"), "{error}");
}
