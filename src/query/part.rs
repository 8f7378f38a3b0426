//! Where two evaluations part: the first stage whose value differs.

use super::view::fused_view;
use crate::algorithms::{Fused, Stages, Step};
use crate::bits::{Big, Concrete};
use crate::float::{Dyadic, hex_float};
use crate::model::Model;
use crate::vectors::Inputs;

/// The first stage at which two models have different values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parting {
    /// Which stage, in words: `sum`, `term 3 aligned`, `fused sum 2, largest exponent`.
    pub stage: String,
    /// What each model has there.
    pub values: [String; 2],
}

/// The first stage at which `left` and `right` part on `inputs`; nothing if they never do.
pub fn parting(left: &Model, right: &Model, inputs: &Inputs) -> Option<Parting> {
    let (left_result, left) = left.stages::<Big>(inputs);
    let (right_result, right) = right.stages::<Big>(inputs);
    let (left, right) = (checkpoints(&left), checkpoints(&right));
    let parting = |stage: &str, values: [&String; 2]| Parting {
        stage: stage.to_owned(),
        values: values.map(String::clone),
    };
    for ((stage, value), (other_stage, other)) in left.iter().zip(&right) {
        if stage != other_stage {
            return Some(Parting {
                stage: "order of operations".into(),
                values: [stage.clone(), other_stage.clone()],
            });
        }
        if value != other {
            return Some(parting(stage, [value, other]));
        }
    }
    let (left_bits, right_bits) = (left_result.to_u64(), right_result.to_u64());
    (left_bits != right_bits).then(|| Parting {
        stage: "number of operations".into(),
        values: [left.len().to_string(), right.len().to_string()],
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
            Step::Rounded { what, value, .. } => add(what, format!("{:x}", value.to_big())),
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
    let result = fused.result.to_u64();
    add("rounding of the sum", hex_float(&fused.grid.result, result));
}
