//! Where two evaluations part: the first stage whose value differs.

use super::view::fused_view;
use crate::algorithms::{Fused, Stages, Step};
use crate::bits::{Big, Concrete};
use crate::float::{Dyadic, hex_float};
use crate::model::Model;
use crate::vectors::Inputs;

/// The first stage at which two models have different values.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parting {
    /// Which stage, in words: `sum`, `term 3 aligned`, `fused sum 2, largest exponent`.
    pub stage: String,
    /// What each model has there.
    pub values: [String; 2],
}

/// The first stage at which `left` and `right` part on `inputs`; nothing if they never do, or the
/// inputs do not [fit](Inputs::fit) both.
pub fn parting(left: &Model, right: &Model, inputs: &Inputs) -> Option<Parting> {
    if ![left, right]
        .iter()
        .all(|model| inputs.fit(&model.signature()))
    {
        return None;
    }
    let (left_result, left) = left.lifted::<Big>(inputs);
    let (right_result, right) = right.lifted::<Big>(inputs);
    let steps = [left.steps().len(), right.steps().len()];
    if steps[0] != steps[1] {
        let values = steps.map(|steps| steps.to_string());
        return Some(Parting {
            stage: "number of steps".into(),
            values,
        });
    }
    let (left, right) = (checkpoints(&left), checkpoints(&right));
    for ((stage, value), (other_stage, other)) in left.into_iter().zip(right) {
        if stage != other_stage {
            return Some(Parting {
                stage: "kind of step".into(),
                values: [stage, other_stage],
            });
        }
        if value != other {
            return Some(Parting {
                stage,
                values: [value, other],
            });
        }
    }
    let results = [left_result.to_u64(), right_result.to_u64()];
    (results[0] != results[1]).then(|| Parting {
        stage: "special value".into(),
        values: results.map(|result| format!("{result:x}")),
    })
}

/// Every stage by name, with its value in a form in which equal numbers are equal texts.
fn checkpoints(stages: &Stages<Big>) -> Vec<(String, String)> {
    let several = stages.steps().len() > 1;
    let mut all = Vec::new();
    for (number, step) in (1..).zip(stages.steps()) {
        let prefix = if several {
            format!("step {number}, ")
        } else {
            String::new()
        };
        let mut add = |stage: &str, value: String| all.push((format!("{prefix}{stage}"), value));
        match step {
            Step::Fused(fused) => fused_checkpoints(fused, &mut add),
            Step::Rounded {
                what, index, value, ..
            } => add(&step_name(what, *index), format!("{:x}", value.to_big())),
        }
    }
    all
}

fn fused_checkpoints(fused: &Fused<Big>, add: &mut impl FnMut(&str, String)) {
    let view = fused_view(fused);
    add("number of terms", view.terms.len().to_string());
    for term in &view.terms {
        add(&term.name, term.value.to_string());
    }
    add("largest exponent", view.max_exponent.to_string());
    for term in &view.terms {
        let aligned = Dyadic::new(term.aligned.clone(), view.unit);
        add(
            &format!("{} after alignment", term.name),
            aligned.to_string(),
        );
    }
    add("sum", view.sum.to_string());
    if let Some(format) = &fused.grid.result {
        let result = fused.result.to_u64();
        add("rounding of the sum", hex_float(format, result));
        add("code of the result", format!("{result:x}"));
    }
}

/// What a step did, and to which of several values.
pub fn step_name(what: &str, index: Option<usize>) -> String {
    index.map_or_else(|| what.to_owned(), |index| format!("{what} {index}"))
}
