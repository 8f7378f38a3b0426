//! A feature test, and its answers.

use super::asker::{CONTROLS, TestInputs, TestResults};
use super::sums::FormatMisfit;
use super::tree::SummationTree;
use super::unread::ReadingFailure;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::Signature;
use std::fmt;

/// The paper that a test comes from, or the tests of integers, which no paper has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Suite {
    /// Li et al., FTTN.
    Fttn,
    /// Xie et al., MMA-Sim.
    MmaSim,
    /// Fasi et al., Numerical behavior of NVIDIA tensor cores.
    Fasi,
    /// Units of integers.
    Integers,
}

impl Suite {
    /// Every suite.
    pub const ALL: [Suite; 4] = [Suite::Fttn, Suite::MmaSim, Suite::Fasi, Suite::Integers];

    /// The name of the suite on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Suite::Fttn => "fttn",
            Suite::MmaSim => "mma-sim",
            Suite::Fasi => "fasi",
            Suite::Integers => "integers",
        }
    }

    /// Whether the suite is for units of these operands: integers or floating-point numbers.
    pub fn suits(self, signature: &Signature) -> bool {
        (self == Suite::Integers) == signature.is_integer()
    }
}

/// A feature test.
pub struct Test {
    /// The paper that the test comes from.
    pub suite: Suite,
    /// The name of the test, which is the paper's name for it if the paper has one.
    pub name: &'static str,
    /// The section of the paper that describes the test; `-` if no paper does.
    pub section: &'static str,
    /// Adds the test's inputs for the formats of a signature, and returns the rule that reads the
    /// results of these inputs.
    pub(super) ask: fn(&mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit>,
}

/// A rule that reads the answer of a test from the results of its inputs.
pub(super) type ReadingRule = Box<dyn Fn(&TestResults<'_>) -> Reading>;

/// A test for one signature.
pub struct AskedTest {
    /// The test's inputs. Their scale depends only on the formats, not on the unit.
    pub inputs: Vec<Inputs>,
    read: ReadingRule,
}

impl Test {
    /// Makes the test for units of this signature.
    ///
    /// # Errors
    /// If these formats or this number of products do not allow the test's inputs.
    pub fn ask(&self, signature: &Signature) -> Result<AskedTest, FormatMisfit> {
        if !self.suite.suits(signature) {
            let found = match signature.is_integer() {
                true => "integers",
                false => "floating-point numbers",
            };
            return Err(FormatMisfit(format!("the operands are {found}")));
        }
        let mut asker = TestInputs::new(signature);
        let read = (self.ask)(&mut asker)?;
        let inputs = asker.into_inputs();
        Ok(AskedTest { inputs, read })
    }
}

impl AskedTest {
    /// Changes the test into one for units that do not read `c`.
    ///
    /// # Errors
    /// If the test needs a `c` other than 0.
    pub(super) fn without_c(mut self) -> Result<Self, FormatMisfit> {
        self.inputs
            .iter_mut()
            .take(CONTROLS)
            .for_each(|control| control.c = 0);
        if self.inputs.iter().any(|inputs| inputs.c != 0) {
            Err(FormatMisfit(
                "the test needs c, which the unit does not read".into(),
            ))
        } else {
            Ok(self)
        }
    }

    /// Reads the answer from `results`, the results of the test's inputs in their order.
    ///
    /// # Errors
    /// If no unit known to the test gives these results, or the results are not conclusive.
    pub fn read(&self, signature: &Signature, results: &[u64]) -> Reading {
        let results = TestResults::new(signature, &self.inputs, results);
        results.check_controls()?;
        (self.read)(&results)
    }
}

/// The answer of a test, or the reason why there is none.
pub type Reading = Result<TestFinding, ReadingFailure>;

/// The answer of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestFinding {
    /// The short answer.
    pub value: ProbeValue,
    /// A sentence that explains the short answer.
    pub shows: String,
    /// The summation tree, if the test determines it.
    pub tree: Option<SummationTree>,
}

/// A short answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProbeValue {
    /// Yes or no.
    Flag(bool),
    /// A count.
    Exactly(i64),
    /// The inputs reach no further: the count is at least this number.
    AtLeast(i64),
    /// A name.
    Named(String),
}

impl fmt::Display for ProbeValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProbeValue::Flag(true) => f.write_str("yes"),
            ProbeValue::Flag(false) => f.write_str("no"),
            ProbeValue::Exactly(count) => count.fmt(f),
            ProbeValue::AtLeast(count) => write!(f, ">= {count}"),
            ProbeValue::Named(name) => f.write_str(name),
        }
    }
}

/// The answer of a test: the short answer `value`, and the sentence `shows`.
pub(super) fn found(value: ProbeValue, shows: impl Into<String>) -> Reading {
    let shows = shows.into();
    Ok(TestFinding {
        value,
        shows,
        tree: None,
    })
}

/// The answer yes or no, as `holds` says. `yes` and `no` are the sentences that explain the two
/// answers.
pub(super) fn flag(holds: bool, yes: &str, no: &str) -> Reading {
    found(ProbeValue::Flag(holds), if holds { yes } else { no })
}

/// The answer `name`, with the sentence `shows`.
pub(super) fn named(name: impl Into<String>, shows: impl Into<String>) -> Reading {
    found(ProbeValue::Named(name.into()), shows)
}
