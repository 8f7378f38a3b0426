//! All tests for one signature: collects the inputs of the tests without duplicates, and reads the
//! tests' answers from results.

use super::test::{AskedTest, ProbeValue, Test, TestFinding};
use super::unread::ReadingFailure;
use crate::vectors::Vector;
use crate::vectors::device::{Device, DeviceError};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::Signature;
use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

/// The tests for one signature.
pub struct ProbePlan {
    signature: Signature,
    tests: Vec<(&'static Test, Result<AskedTest, String>)>,
}

/// The outcome of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TestAnswer {
    /// The test has an answer.
    Found(TestFinding),
    /// On this unit, the test's inputs are not conclusive.
    Undecided(String),
    /// No unit known to the test gives these results.
    Inconsistent(String),
    /// Results are missing: the number of the test's inputs without a result.
    Missing(usize),
    /// The formats of the unit do not allow the test's inputs.
    NotApplicable(String),
}

impl TestAnswer {
    /// The kind of answer in one word.
    pub fn status(&self) -> &'static str {
        match self {
            TestAnswer::Found(_) => "answered",
            TestAnswer::Undecided(_) => "undecided",
            TestAnswer::Inconsistent(_) => "inconsistent",
            TestAnswer::Missing(_) => "not in the file",
            TestAnswer::NotApplicable(_) => "not applicable",
        }
    }

    /// The short answer, and a sentence that explains the answer or why there is none.
    pub fn texts(&self) -> (String, String) {
        match self {
            TestAnswer::Found(found) => (found.value.to_string(), found.shows.clone()),
            TestAnswer::Undecided(why) => ("undecided".into(), why.clone()),
            TestAnswer::Inconsistent(why) => ("inconsistent".into(), why.clone()),
            TestAnswer::Missing(count) => (
                "not in the file".into(),
                format!("{count} results are missing"),
            ),
            TestAnswer::NotApplicable(why) => ("-".into(), why.clone()),
        }
    }
}

/// A test and its outcome.
pub struct ProbeOutcome {
    /// The test.
    pub test: &'static Test,
    /// The outcome.
    pub answer: TestAnswer,
    /// The test's inputs together with their results; inputs without a result are left out.
    pub vectors: Vec<Vector>,
    /// The number of the test's inputs.
    pub inputs: usize,
}

/// The outcomes of all tests.
pub struct TestAnswers(pub Vec<ProbeOutcome>);

impl TestAnswers {
    /// The answer to the test `name`, if this test is among the outcomes.
    pub fn of(&self, name: &str) -> Option<&TestAnswer> {
        let found = self.0.iter().find(|outcome| outcome.test.name == name);
        found.map(|outcome| &outcome.answer)
    }

    /// The short answer to the test `name`, if the test has an answer.
    pub fn value(&self, name: &str) -> Option<&ProbeValue> {
        match self.of(name) {
            Some(TestAnswer::Found(found)) => Some(&found.value),
            _ => None,
        }
    }
}

/// The same inputs have two different results.
#[derive(Debug, Error)]
#[error("expected one result for the inputs `{inputs}`, found {first} and {second}")]
pub struct TwoResults {
    inputs: String,
    first: String,
    second: String,
}

/// The recorded results as a map from inputs to result.
///
/// # Errors
/// If the same inputs have two results.
pub fn recorded(
    signature: &Signature,
    vectors: impl IntoIterator<Item = Vector>,
) -> Result<FxHashMap<Inputs, u64>, TwoResults> {
    let mut results = FxHashMap::default();
    for Vector { inputs, d } in vectors {
        if let Some(&known) = results.get(&inputs)
            && known != d
        {
            let text = |d: u64| format!("{d:0digits$x}", digits = signature.d.digits());
            return Err(TwoResults {
                inputs: inputs.to_line(signature),
                first: text(known),
                second: text(d),
            });
        }
        results.insert(inputs, d);
    }
    Ok(results)
}

impl ProbePlan {
    /// The tests `chosen` for units of this signature.
    pub fn new(
        signature: &Signature,
        chosen: impl IntoIterator<Item = &'static Test>,
    ) -> ProbePlan {
        let asked = |test: &'static Test| {
            let asked = test.ask(signature).map_err(|unfit| unfit.to_string());
            (test, asked)
        };
        ProbePlan {
            signature: *signature,
            tests: chosen.into_iter().map(asked).collect(),
        }
    }

    /// The same tests, but for units that do not read `c`. Tests that need a `c` become not
    /// applicable.
    #[must_use]
    pub fn without_c(self) -> ProbePlan {
        let asked = |asked: AskedTest| asked.without_c().map_err(|unfit| unfit.to_string());
        let tests = self.tests.into_iter();
        let tests = tests.map(|(test, made)| (test, made.and_then(asked)));
        ProbePlan {
            tests: tests.collect(),
            ..self
        }
    }

    /// The inputs of all tests, each once.
    pub fn inputs(&self) -> Vec<Inputs> {
        let mut seen = FxHashSet::default();
        let asked = self
            .tests
            .iter()
            .filter_map(|(_, asked)| asked.as_ref().ok());
        let all = asked.flat_map(|asked| &asked.inputs);
        all.filter(|&inputs| seen.insert(inputs)).cloned().collect()
    }

    /// Runs the inputs of all tests on a device, and returns the outcomes of the tests.
    ///
    /// # Errors
    /// If the device cannot be reached or does not answer.
    pub fn run(&self, device: &mut dyn Device) -> Result<TestAnswers, DeviceError> {
        let inputs = self.inputs();
        let results = device.run(&inputs)?;
        device.finish()?;
        if results.len() != inputs.len() {
            return Err(DeviceError::Failed {
                what: "the device".into(),
                reason: format!("expected {} results, found {}", inputs.len(), results.len()),
            });
        }
        Ok(self.read(&inputs.into_iter().zip(results).collect()))
    }

    /// Reads the outcomes of all tests from recorded results.
    pub fn read(&self, results: &FxHashMap<Inputs, u64>) -> TestAnswers {
        let read = |(test, asked): &(&'static Test, Result<AskedTest, String>)| {
            let (answer, vectors, inputs) = match asked {
                Ok(asked) => {
                    let vectors = vectors(asked, results);
                    let answer = self.answer(asked, &vectors);
                    (answer, vectors, asked.inputs.len())
                }
                Err(why) => (TestAnswer::NotApplicable(why.clone()), Vec::new(), 0),
            };
            ProbeOutcome {
                test,
                answer,
                vectors,
                inputs,
            }
        };
        TestAnswers(self.tests.iter().map(read).collect())
    }

    fn answer(&self, asked: &AskedTest, vectors: &[Vector]) -> TestAnswer {
        let found: Vec<u64> = vectors.iter().map(|vector| vector.d).collect();
        if found.len() < asked.inputs.len() {
            return TestAnswer::Missing(asked.inputs.len() - found.len());
        }
        match asked.read(&self.signature, &found) {
            Ok(found) => TestAnswer::Found(found),
            Err(ReadingFailure::Undecided(why)) => TestAnswer::Undecided(why),
            Err(ReadingFailure::Inconsistent(why)) => TestAnswer::Inconsistent(why),
        }
    }
}

/// The test's inputs that have a result, each with its result, in the order of the test.
fn vectors(asked: &AskedTest, results: &FxHashMap<Inputs, u64>) -> Vec<Vector> {
    let found = asked.inputs.iter().filter_map(|inputs| {
        let d = *results.get(inputs)?;
        Some(Vector {
            inputs: inputs.clone(),
            d,
        })
    });
    found.collect()
}
