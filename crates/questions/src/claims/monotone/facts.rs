//! What the walk knows of each step, as facts of a certificate.

use super::value::{MonotoneValue, MovingOperands};
use super::walk::MonotoneWalk;
use crate::claims::stepwise::{are_aligned, dyadic};
use mmasmt_core::machines::algorithms::descriptions::Program;
use serde_json::{Map, json};

/// The facts of each step.
pub(in crate::claims) fn facts(
    program: &Program,
    moving: MovingOperands,
) -> Vec<Map<String, serde_json::Value>> {
    let walk = MonotoneWalk::along(program, moving);
    let steps = walk.values.iter().zip(are_aligned(program));
    steps
        .map(|(value, is_aligned)| of_value(value, is_aligned))
        .collect()
}

fn of_value(value: &MonotoneValue, is_aligned: bool) -> Map<String, serde_json::Value> {
    let rises = match value {
        MonotoneValue::Fixed { is_negative_never } => {
            json!({"fixed": {"nonnegative": is_negative_never}})
        }
        MonotoneValue::Factor {
            side,
            index,
            may_vanish,
        } => {
            let side = ["a", "b"][*side];
            json!({"factor": {"side": side, "index": index, "may_vanish": may_vanish}})
        }
        MonotoneValue::Rising(rising) => {
            let step = rising.step.as_ref().filter(|_| is_aligned);
            let of: Vec<_> = rising
                .of
                .ranges()
                .map(|[first, last]| json!([first, last, 1]))
                .collect();
            json!({"rising": {"of": of, "step": step.map(dyadic)}})
        }
        MonotoneValue::Unknown => return Map::new(),
    };
    Map::from_iter([("rises".to_owned(), rises)])
}
