//! Finds out by questions which of many models a black box is: here a function of the host.

use half::f16;
use mmasmt::device::{Device, DeviceError};
use mmasmt::identify::{ClosedLoop, IdentifyOptions, family};
use mmasmt::limits::Limits;
use mmasmt::model::Signature;
use mmasmt::vectors::Inputs;
use std::error::Error;

struct BlackBox<F> {
    signature: Signature,
    function: F,
}

impl<F: Fn(&Inputs) -> u64> Device for BlackBox<F> {
    fn signature(&self) -> Signature {
        self.signature
    }

    fn describe(&self) -> Vec<String> {
        vec!["device: a function of the host".into()]
    }

    fn run(&mut self, inputs: &[Inputs]) -> Result<Vec<u64>, DeviceError> {
        Ok(inputs.iter().map(&self.function).collect())
    }
}

/// `c + a[0]*b[0] + a[1]*b[1] + …` in f32, from left to right.
fn host(inputs: &Inputs) -> u64 {
    let value = |register: u64| f16::from_bits(register as u16).to_f32();
    let products = inputs.a.iter().zip(&inputs.b);
    let products = products.map(|(&a, &b)| value(a) * value(b));
    let d = products.fold(f32::from_bits(inputs.c as u32), |sum, product| {
        sum + product
    });
    // Which NaN an operation gives is not the same on all machines.
    let bits = if d.is_nan() { 0x7fc0_0000 } else { d.to_bits() };
    bits.into()
}

fn main() -> Result<(), Box<dyn Error>> {
    let candidates = family(
        "ieee:order=seq|late|pairwise,round=rne|rz;fda:F=20..28;exact:K=4",
        None,
    )?;
    let limits = Limits::default();
    let mut questions = ClosedLoop::new(&candidates, &IdentifyOptions::default())
        .ok_or("expected candidates, found none")?;
    let signature = candidates[0].signature();
    let mut device = BlackBox {
        signature,
        function: host,
    };
    let identified = questions.identify(&mut device, &limits)?;
    println!("{} candidates", candidates.len());
    for asked in &identified.asked {
        let line = asked.inputs.to_line(&signature);
        println!("  {line} {:08x} leaves {}", asked.result, asked.left);
    }
    for class in &identified.classes {
        let names: Vec<_> = class
            .iter()
            .map(|&one| candidates[one].canonical())
            .collect();
        println!("it is {}", names.join(", which equals "));
    }
    Ok(())
}
