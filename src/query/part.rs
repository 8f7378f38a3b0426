//! Where two evaluations part: the first stage whose value differs.

use crate::algorithms::{Fused, Grid, Stages, Step};
use crate::bits::{Big, Bv, Concrete};
use crate::float::Dyadic;
use crate::model::Model;
use crate::vectors::Inputs;
use num_bigint::BigInt;

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
        let prefix = if several { format!("step {number}, ") } else { String::new() };
        let mut add = |stage: &str, value: String| all.push((format!("{prefix}{stage}"), value));
        match step {
            Step::Fused(fused) => fused_checkpoints(fused, &mut add),
            Step::Rounded { what, value, .. } => add(what, format!("{:x}", value.to_big())),
        }
    }
    all
}

fn fused_checkpoints(fused: &Fused<Big>, add: &mut impl FnMut(&str, String)) {
    let grid = &fused.grid;
    let last = fused.terms.len() - 1;
    let name = |k: usize| if k == last { "c".to_owned() } else { format!("product {k}") };
    add("number of terms", fused.terms.len().to_string());
    for (k, term) in fused.terms.iter().enumerate() {
        let magnitude = BigInt::from(term.significand.to_big());
        let value = if term.sign { -magnitude } else { magnitude };
        let exponent = exponent(grid, &term.exponent);
        let fraction = if k == last { grid.c_fraction } else { grid.product_fraction };
        add(&name(k), Dyadic::new(value, exponent - i64::from(fraction)).to_string());
    }
    let largest = exponent(grid, &fused.max_exponent);
    add("largest exponent", largest.to_string());
    let unit = largest - i64::from(grid.fraction_bits);
    for (k, aligned) in fused.aligned.iter().enumerate() {
        add(&format!("{} after alignment", name(k)), Dyadic::new(aligned.signed(), unit).to_string());
    }
    add("sum", Dyadic::new(fused.sum.signed(), unit).to_string());
    let result = &fused.result;
    add("rounding of the sum", format!("{:0digits$x}", result.to_big(), digits = result.width().div_ceil(4) as usize));
}

/// The true exponent of a number of the stages.
fn exponent(grid: &Grid, stored: &Big) -> i64 {
    stored.to_u64() as i64 + i64::from(grid.exponent_offset)
}
