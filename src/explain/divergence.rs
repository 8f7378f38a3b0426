//! The first divergence of two evaluations: the first stage whose value differs.

use super::{Explained, ExplainedSum, explain};
use crate::float::{Dyadic, hex_float};
use crate::model::Model;
use crate::vectors::Inputs;

/// The first stage at which two models have different values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// Which stage, in words: `sum`, `term 3 aligned`, `fused sum 2, largest exponent`.
    pub stage: String,
    /// What each model has there.
    pub values: [String; 2],
}

/// The first stage at which `left` and `right` part on `inputs`; nothing if they never do, or the
/// inputs do not [fit](Inputs::fit) both.
pub fn first_divergence(left: &Model, right: &Model, inputs: &Inputs) -> Option<Divergence> {
    let left = explain(left, inputs).ok()?;
    let right = explain(right, inputs).ok()?;
    let results = [left.d, right.d];
    let steps = [left.steps.len(), right.steps.len()];
    if steps.contains(&0) && steps[0] != steps[1] {
        // A design of somebody else has no stages that are known.
        return None;
    }
    if steps[0] != steps[1] {
        let values = steps.map(|steps| steps.to_string());
        return Some(Divergence {
            stage: "number of steps".into(),
            values,
        });
    }
    let (left, right) = (checkpoints(&left.steps), checkpoints(&right.steps));
    for ((stage, value), (other_stage, other)) in left.into_iter().zip(right) {
        if stage != other_stage {
            return Some(Divergence {
                stage: "kind of step".into(),
                values: [stage, other_stage],
            });
        }
        if value != other {
            return Some(Divergence {
                stage,
                values: [value, other],
            });
        }
    }
    (results[0] != results[1]).then(|| Divergence {
        stage: "special value".into(),
        values: results.map(|result| format!("{result:x}")),
    })
}

/// Every stage by name, with its value in a form in which equal numbers are equal texts.
fn checkpoints(steps: &[Explained]) -> Vec<(String, String)> {
    let several = steps.len() > 1;
    let mut all = Vec::new();
    for (number, step) in (1..).zip(steps) {
        let prefix = if several {
            format!("step {number}, ")
        } else {
            String::new()
        };
        let mut add = |stage: &str, value: String| all.push((format!("{prefix}{stage}"), value));
        match step {
            Explained::Sum(sum) => checkpoints_of_sum(sum, &mut add),
            Explained::Rounded { what, register, .. } => add(what, format!("{register:x}")),
        }
    }
    all
}

fn checkpoints_of_sum(sum: &ExplainedSum, add: &mut impl FnMut(&str, String)) {
    add("number of terms", sum.terms.len().to_string());
    for term in &sum.terms {
        add(&term.name, term.value.to_string());
    }
    add("largest exponent", sum.max_exponent.to_string());
    for term in &sum.terms {
        let aligned = Dyadic::new(term.aligned.clone(), sum.unit);
        add(
            &format!("{} after alignment", term.name),
            aligned.to_string(),
        );
    }
    add("sum", sum.sum.to_string());
    if let Some((format, register)) = &sum.result {
        add("rounding of the sum", hex_float(format, *register));
        add("code of the result", format!("{register:x}"));
    }
}
