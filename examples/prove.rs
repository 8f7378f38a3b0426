//! Proves claims about a model, or refutes them.

use mmasmt::engine::Limits;
use mmasmt::model::Model;
use mmasmt::property::Claim;
use mmasmt::query::{Outcome, Prove, prove};
use std::error::Error;
use std::time::Duration;

/// Property, model, and what is assumed of the operands.
const CLAIMS: [[&str; 3]; 4] = [
    ["order-independent", "hopper/HMMA.16816.F32", "finite"],
    ["no-negative-zero", "hopper/HMMA.16816.F32", ""],
    ["equal=:carry=full", "fda:carry=3", "finite"],
    ["equal=:carry=full", "fda:carry=4", "finite"],
];

fn main() -> Result<(), Box<dyn Error>> {
    for [property, model, domain] in CLAIMS {
        let model = Model::parse(model)?;
        let claim = Claim::new(property, &model, domain)?;
        let limits = Limits::default().within(Duration::from_secs(60));
        let settled = prove(&claim, &Prove::default(), &limits)?;
        let outcome = match settled.outcome {
            Outcome::Proved { .. } => "proved".into(),
            Outcome::Refuted { inputs, .. } => {
                format!("refuted by {}", inputs.to_line(&model.signature()))
            }
            Outcome::Unknown(stopped) => format!("no answer: {}", stopped.describe()),
            other => format!("{other:?}"),
        };
        println!("{claim}: {outcome}");
    }
    Ok(())
}
