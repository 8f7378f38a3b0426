//! Shows as data how a model comes to its result: every step, and what alignment cuts off.

use mmasmt::explain::{Explained, explain};
use mmasmt::float::{hex_float, parse_value};
use mmasmt::model::Model;
use mmasmt::vectors::Inputs;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let model = Model::parse("cdna3/v_mfma_f32_32x32x8_f16")?;
    let signature = model.signature();
    let mut inputs = Inputs::zero(&signature);
    for (k, text) in ["1.5", "0x1.004p-9", "-0x1p-14"].into_iter().enumerate() {
        inputs.a[k] = parse_value(&signature.a, text)?;
        inputs.b[k] = inputs.a[k];
    }
    inputs.c = parse_value(&signature.c, "0x1.8p-25")?;

    let explained = explain(&model, &inputs)?;
    for (number, step) in (1..).zip(&explained.steps) {
        match step {
            Explained::Sum(sum) => {
                println!("step {number}: a sum on multiples of 2^{}", sum.unit);
                let cut = |lost: &mmasmt::float::Dyadic| lost.leading_exponent().is_some();
                for term in sum.terms.iter().filter(|term| cut(&term.lost)) {
                    println!(
                        "  {:<10} {:>14}  shifted by {}, lost {}",
                        term.name,
                        term.value.to_string(),
                        term.shift,
                        term.lost,
                    );
                }
                println!("  {:<10} {:>14}", "sum", sum.sum.to_string());
            }
            Explained::Rounded {
                what,
                format,
                register,
            } => println!("step {number}: {what} {}", hex_float(format, *register)),
        }
    }
    println!("d {}", hex_float(&signature.d, explained.d));
    Ok(())
}
