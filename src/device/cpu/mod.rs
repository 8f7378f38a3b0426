//! The processor that this program runs on: its dot instructions, where it has them.

mod instructions;

use super::{Device, DeviceError};
use crate::algorithms::Signature;
use crate::model::{Model, ModelError, Row};
use crate::vectors::Inputs;
use instructions::{Tdpbf16ps, Tile, Vdpbf16ps};

/// One dot instruction of this processor.
#[derive(Clone, Debug)]
pub struct CpuDevice {
    instruction: Instruction,
    signature: Signature,
    name: String,
}

#[derive(Clone, Copy, Debug)]
enum Instruction {
    Vdpbf16ps(Vdpbf16ps),
    Tdpbf16ps(Tdpbf16ps),
}

impl Instruction {
    /// The instruction of that name, if this program knows it and the processor has it.
    fn find(name: &str) -> Option<Option<Instruction>> {
        Some(match name {
            "vdpbf16ps" => Vdpbf16ps::find().map(Instruction::Vdpbf16ps),
            "tdpbf16ps" => Tdpbf16ps::find().map(Instruction::Tdpbf16ps),
            _ => return None,
        })
    }
}

/// The instructions that [`CpuDevice`] runs, by their rows on x86.
pub const INSTRUCTIONS: [&str; 2] = ["vdpbf16ps", "tdpbf16ps"];

impl CpuDevice {
    /// The instruction of a row of x86.
    ///
    /// # Errors
    /// If the row is of no instruction that is run, or the processor lacks it.
    pub fn open(row: &Row) -> Result<Self, DeviceError> {
        let name = format!("{}/{}", row.architecture, row.name);
        let missing = |reason: String| DeviceError::Missing {
            what: name.clone(),
            reason,
        };
        let known = match row.architecture.as_str() {
            "x86" => Instruction::find(&row.name),
            _ => None,
        };
        let instruction = known.ok_or_else(|| {
            let expected = INSTRUCTIONS.map(|name| format!("x86/{name}")).join(" or ");
            missing(format!("expected {expected} for --device cpu"))
        })?;
        let instruction = instruction.ok_or_else(|| {
            missing(
                "this processor or its system does not have it; a model stands in for it with --software".into(),
            )
        })?;
        let of_row = |error: ModelError| missing(error.to_string());
        Ok(CpuDevice {
            instruction,
            signature: Model::parse(&row.model).map_err(of_row)?.signature(),
            name,
        })
    }
}

impl Device for CpuDevice {
    fn signature(&self) -> Signature {
        self.signature
    }

    fn describe(&self) -> Vec<String> {
        vec![
            format!("device: this processor, {}", processor()),
            format!("instruction: {}", self.name),
        ]
    }

    fn run(&mut self, inputs: &[Inputs]) -> Result<Vec<u64>, DeviceError> {
        for one in inputs {
            one.checked(&self.signature)?;
        }
        Ok(match self.instruction {
            Instruction::Vdpbf16ps(unit) => inputs
                .chunks(4)
                .flat_map(|some| lanes(unit, some))
                .collect(),
            Instruction::Tdpbf16ps(unit) => inputs
                .chunks(16)
                .flat_map(|some| diagonal(unit, some))
                .collect(),
        })
    }
}

/// Factors `2n` and `2n + 1` of a row: the first in the low word.
fn pair(row: &[u64], n: usize) -> u32 {
    row[2 * n] as u32 | (row[2 * n + 1] as u32) << 16
}

fn lanes(unit: Vdpbf16ps, inputs: &[Inputs]) -> Vec<u64> {
    let [mut c, mut a, mut b] = [[0; 4]; 3];
    for (lane, one) in inputs.iter().enumerate() {
        c[lane] = one.c as u32;
        (a[lane], b[lane]) = (pair(&one.a, 0), pair(&one.b, 0));
    }
    unit.run(&mut c, &a, &b);
    c.iter().take(inputs.len()).map(|d| u64::from(*d)).collect()
}

/// Vector `i` is row `i` of A and column `i` of B; what the others compute is not looked at.
fn diagonal(unit: Tdpbf16ps, inputs: &[Inputs]) -> Vec<u64> {
    let [mut c, mut a, mut b]: [Tile; 3] = [[[0; 16]; 16]; 3];
    for (i, one) in inputs.iter().enumerate() {
        c[i][i] = one.c as u32;
        for k in 0..16 {
            a[i][k] = pair(&one.a, k);
            b[k][i] = pair(&one.b, k);
        }
    }
    unit.run(&mut c, &a, &b);
    let results = (0..inputs.len()).map(|i| u64::from(c[i][i]));
    results.collect()
}

/// What the system says that the processor is.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = |name: &str| {
        let mut lines = text.lines().filter(|line| line.starts_with(name));
        let (_, value) = lines.next()?.split_once(':')?;
        Some(value.trim().to_owned())
    };
    let parts = [
        "vendor_id",
        "model name",
        "cpu family",
        "model\t",
        "stepping",
    ];
    let parts = parts
        .iter()
        .filter_map(|name| Some(format!("{} {}", name.trim(), line(name)?)));
    let said = parts.collect::<Vec<_>>().join(", ");
    match said.is_empty() {
        true => std::env::consts::ARCH.into(),
        false => said,
    }
}
