//! Evaluates one dot-add on the units of several generations.

use mmasmt::float::{decimal, hex_float, parse_value};
use mmasmt::model::Model;
use mmasmt::vectors::Inputs;
use std::error::Error;

const UNITS: [&str; 5] = [
    "volta/HMMA.884.F32.F32",
    "ampere/HMMA.16816.F32",
    "hopper/HMMA.16816.F32",
    "cdna3/v_mfma_f32_32x32x8_f16",
    "exact:K=16",
];

fn main() -> Result<(), Box<dyn Error>> {
    // 1 * 1 - 2^-12 * 2^-13; the other products and the accumulator are +0.
    let (a, b) = (["1", "-0x1p-12"], ["1", "0x1p-13"]);
    for unit in UNITS {
        let model = Model::parse(unit)?;
        let signature = model.signature();
        let mut inputs = Inputs::zero(&signature);
        for k in 0..a.len() {
            inputs.a[k] = parse_value(&signature.a, a[k])?;
            inputs.b[k] = parse_value(&signature.b, b[k])?;
        }
        let d = model.simulator().evaluate(&inputs)?;
        let (hex, decimal) = (hex_float(&signature.d, d), decimal(&signature.d, d));
        println!("{unit:<30} {d:08x}  {hex:<14} {decimal}");
    }
    Ok(())
}
