//! Proves claims about a model, or refutes them.

use mmasmt::limits::Limits;
use mmasmt::model::Model;
use mmasmt::property::Claim;
use mmasmt::query::{Ended, Options, prove};
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
        let answer = prove(&claim, &Options::default(), &limits)?;
        let outcome = match (answer.witness(), answer.ended) {
            (Some(witness), _) => {
                let line = witness.inputs.to_line(&model.signature());
                format!("refuted by {line}")
            }
            (None, Ended::NoMore { .. }) => "proved".into(),
            (None, Ended::Unknown(stopped)) => format!("no answer: {}", stopped.describe()),
            (None, other) => format!("{other:?}"),
        };
        println!("{claim}: {outcome}");
    }
    Ok(())
}
