//! Finds the simplest inputs on which two units differ, and says where they part.

use mmasmt::explain::first_divergence;
use mmasmt::float::show;
use mmasmt::limits::Limits;
use mmasmt::model::Model;
use mmasmt::query::{Ended, Options, distinguish};
use std::error::Error;
use std::time::Duration;

fn main() -> Result<(), Box<dyn Error>> {
    let left = Model::parse("volta/HMMA.884.F32.F32")?;
    let right = Model::parse("turing/HMMA.884.F32.F32@paper")?;
    let options = Options::default().count(3);
    let options = options.minimise(Duration::from_secs(2));
    let limits = Limits::default().within(Duration::from_secs(60));
    let found = distinguish(&left, &right, &options, &limits)?;
    let signature = left.signature();
    for witness in &found.witnesses {
        println!("{}", witness.inputs.to_line(&signature));
        for (model, result) in [&left, &right].into_iter().zip(&witness.results) {
            println!("  {model}: {}", show(&signature.d, *result));
        }
        if let Some(divergence) = first_divergence(&left, &right, &witness.inputs) {
            let [first, second] = divergence.values;
            println!(
                "  first difference: {}: {first} and {second}",
                divergence.stage
            );
        }
    }
    match found.ended {
        Ended::NoMore { .. } => println!("proved: there are no more"),
        Ended::Unknown(stopped) => println!("no answer: {}", stopped.describe()),
        _ => println!("there may be more"),
    }
    Ok(())
}
