//! The first divergence of two evaluations: the first stage whose value differs.

use super::{Explained, ExplainedSum, explain};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Dyadic, hex_float};

/// The first stage at which two models have different values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The stage in words, with the names of the first model: `sum`, `product[3] after alignment`,
    /// `step 2, largest exponent`.
    pub stage: String,
    /// The value of each model at that stage.
    pub values: [String; 2],
    /// The number of the step, from 0.
    pub step: usize,
    /// The stage within the step.
    pub at: DivergenceStage,
}

impl Divergence {
    /// The difference as a sentence about the two models, whose `names` it says.
    pub fn sentence(&self, names: &[String; 2]) -> String {
        let [one, other] = names;
        let [left, right] = &self.values;
        match (self.at, self.stage.as_str()) {
            (DivergenceStage::Steps, "steps") => {
                format!("First difference: {one} makes {left}, {other} makes {right}.")
            }
            (_, stage) => {
                format!("First difference: {stage} is {left} in {one}, and {right} in {other}.")
            }
        }
    }
}

/// A stage of a step of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DivergenceStage {
    /// The number of steps, or the kind of a step.
    Steps,
    /// The number of terms.
    Terms,
    /// A term.
    Term(usize),
    /// The exponent that terms are aligned to.
    LargestExponent,
    /// A term after alignment.
    Aligned(usize),
    /// The sum.
    Sum,
    /// The register of the step.
    Result,
}

/// The name of a stage, and its value as text. Equal values have equal texts.
struct Checkpoint {
    step: usize,
    at: DivergenceStage,
    stage: String,
    value: String,
}

/// The first stage at which `left` and `right` differ on `inputs`. `None` if no stage differs, if
/// the inputs do not [fit](Inputs::fit) both models, or if the stages of one of the models are
/// unknown.
pub fn first_divergence(left: &Model, right: &Model, inputs: &Inputs) -> Option<Divergence> {
    let left = explain(left, inputs).ok()?;
    let right = explain(right, inputs).ok()?;
    let results = [left.d, right.d];
    let steps = [left.steps.len(), right.steps.len()];
    if steps.contains(&0) && steps[0] != steps[1] {
        // The stages of an external design are unknown.
        return None;
    }
    if steps[0] != steps[1] {
        return Some(Divergence {
            stage: "steps".into(),
            values: [&left.steps, &right.steps].map(|steps| steps_text(steps)),
            step: 0,
            at: DivergenceStage::Steps,
        });
    }
    let (left, right) = (checkpoints(&left.steps), checkpoints(&right.steps));
    for (one, other) in left.into_iter().zip(right) {
        let step = one.step;
        // Two texts may give one stage two names.
        if one.at != other.at {
            return Some(Divergence {
                stage: "kind of step".into(),
                values: [one.stage, other.stage],
                step,
                at: DivergenceStage::Steps,
            });
        }
        if one.value != other.value {
            return Some(Divergence {
                stage: one.stage,
                values: [one.value, other.value],
                step,
                at: one.at,
            });
        }
    }
    (results[0] != results[1]).then(|| Divergence {
        stage: "special value".into(),
        values: results.map(|result| format!("{result:x}")),
        step: steps[0].saturating_sub(1),
        at: DivergenceStage::Result,
    })
}

/// The steps of an evaluation in words: `2 sums of 9 terms`.
fn steps_text(steps: &[Explained]) -> String {
    let count = steps.len();
    let plural = if count == 1 { "" } else { "s" };
    let terms: Vec<Option<usize>> = steps
        .iter()
        .map(|step| match step {
            Explained::Sum(sum) => Some(sum.terms.len()),
            Explained::Rounded { .. } => None,
        })
        .collect();
    match terms.first() {
        Some(Some(number)) if terms.iter().all(|other| *other == Some(*number)) => {
            format!("{count} sum{plural} of {number} terms")
        }
        Some(None) if terms.iter().all(Option::is_none) => format!("{count} rounding{plural}"),
        _ => format!("{count} steps"),
    }
}

fn checkpoints(steps: &[Explained]) -> Vec<Checkpoint> {
    let several = steps.len() > 1;
    let mut all = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        let prefix = if several {
            format!("step {}, ", number + 1)
        } else {
            String::new()
        };
        let mut add = |at, stage: &str, value: String| {
            all.push(Checkpoint {
                step: number,
                at,
                stage: format!("{prefix}{stage}"),
                value,
            });
        };
        match step {
            Explained::Sum(sum) => checkpoints_of_sum(sum, &mut add),
            Explained::Rounded { what, register, .. } => {
                add(DivergenceStage::Result, what, format!("{register:x}"));
            }
        }
    }
    all
}

fn checkpoints_of_sum(sum: &ExplainedSum, add: &mut impl FnMut(DivergenceStage, &str, String)) {
    let count = sum.terms.len().to_string();
    add(DivergenceStage::Terms, "number of terms", count);
    for (k, term) in sum.terms.iter().enumerate() {
        add(DivergenceStage::Term(k), &term.name, term.value.to_string());
    }
    let largest = sum.max_exponent.to_string();
    add(
        DivergenceStage::LargestExponent,
        "largest exponent",
        largest,
    );
    for (k, term) in sum.terms.iter().enumerate() {
        let aligned = Dyadic::new(term.aligned.clone(), sum.unit);
        let stage = format!("{} after alignment", term.name);
        add(DivergenceStage::Aligned(k), &stage, aligned.to_string());
    }
    add(DivergenceStage::Sum, "sum", sum.sum.to_string());
    if let Some((format, register)) = &sum.result {
        let rounded = hex_float(format, *register);
        add(DivergenceStage::Result, "rounding of the sum", rounded);
        add(
            DivergenceStage::Result,
            "code of the result",
            format!("{register:x}"),
        );
    }
}
