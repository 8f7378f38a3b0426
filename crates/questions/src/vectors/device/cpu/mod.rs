//! A device that runs this processor's dot instructions, where it has them.

mod instructions;

use super::{Device, DeviceError, Elements};
use instructions::{Lanes, PresentInstruction, TileInstruction, TileRegister};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::{Model, ModelError, Row};

/// One dot instruction of this processor.
#[derive(Clone, Debug)]
pub struct CpuDevice {
    instruction: Instruction,
    signature: Signature,
    name: String,
}

#[derive(Clone, Copy, Debug)]
enum Instruction {
    Lanes(PresentInstruction<Lanes>),
    Tiles(PresentInstruction<TileInstruction>),
}

impl Instruction {
    /// The instruction of this name: `None` if this program does not know it, `Some(None)` if the
    /// processor does not have it.
    fn find(name: &str) -> Option<Option<Instruction>> {
        let lanes = |which: Lanes| which.find().map(Instruction::Lanes);
        let tiles = |which: TileInstruction| which.find().map(Instruction::Tiles);
        Some(match name {
            "vdpbf16ps" => lanes(Lanes::Vdpbf16ps),
            "vpdpbusd" => lanes(Lanes::Vpdpbusd),
            "vpdpbusds" => lanes(Lanes::Vpdpbusds),
            "vpdpwssd" => lanes(Lanes::Vpdpwssd),
            "vpdpwssds" => lanes(Lanes::Vpdpwssds),
            "vpmaddubsw" => lanes(Lanes::Vpmaddubsw),
            "vpmaddwd" => lanes(Lanes::Vpmaddwd),
            "vpmaddwd.vpaddd" => lanes(Lanes::VpmaddwdVpaddd),
            "vpmaddubsw.vpaddsw" => lanes(Lanes::VpmaddubswVpaddsw),
            "vpmaddubsw.vpmaddwd.vpaddd" => lanes(Lanes::VpmaddubswVpmaddwdVpaddd),
            "tdpbf16ps" => tiles(TileInstruction::Tdpbf16ps),
            "tdpbssd" => tiles(TileInstruction::Tdpbssd),
            "tdpbsud" => tiles(TileInstruction::Tdpbsud),
            "tdpbusd" => tiles(TileInstruction::Tdpbusd),
            "tdpbuud" => tiles(TileInstruction::Tdpbuud),
            _ => return None,
        })
    }
}

/// The instructions that [`CpuDevice`] runs, by the names of their rows in the table of x86.
pub const INSTRUCTIONS: [&str; 15] = [
    "vdpbf16ps",
    "vpdpbusd",
    "vpdpbusds",
    "vpdpwssd",
    "vpdpwssds",
    "vpmaddubsw",
    "vpmaddwd",
    "vpmaddwd.vpaddd",
    "vpmaddubsw.vpaddsw",
    "vpmaddubsw.vpmaddwd.vpaddd",
    "tdpbf16ps",
    "tdpbssd",
    "tdpbsud",
    "tdpbusd",
    "tdpbuud",
];

impl CpuDevice {
    /// A device that runs the instruction of a row of the table of x86.
    ///
    /// # Errors
    /// If the row is not one of [`INSTRUCTIONS`], or the processor lacks the instruction.
    pub fn open(row: &Row) -> Result<Self, DeviceError> {
        let name = row.full_name();
        let missing = |reason: String| DeviceError::Missing {
            what: name.clone(),
            reason,
        };
        let known = match row.architecture.as_str() {
            "x86" => Instruction::find(&row.name),
            _ => None,
        };
        let instruction = known.ok_or_else(|| {
            let expected = INSTRUCTIONS.join(", ");
            missing(format!(
                "expected an instruction of x86 for `cpu:`: {expected}"
            ))
        })?;
        let instruction = instruction.ok_or_else(|| {
            missing(
                "this processor or its system does not have it; `model:` in place of `cpu:` takes its model".into(),
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

    fn elements(&mut self, inputs: &[Inputs]) -> Result<Vec<Elements>, DeviceError> {
        let width = self.signature.a.width();
        let elements = |one: &Inputs| {
            one.checked(&self.signature)?;
            Ok(match self.instruction {
                Instruction::Lanes(unit) => Elements {
                    rows: 1,
                    columns: 4,
                    results: lanes(
                        unit,
                        &self.signature,
                        &[one.clone(), one.clone(), one.clone(), one.clone()],
                    ),
                },
                Instruction::Tiles(unit) => everywhere(unit, width, one),
            })
        };
        inputs.iter().map(elements).collect()
    }

    fn run(&mut self, inputs: &[Inputs]) -> Result<Vec<u64>, DeviceError> {
        for one in inputs {
            one.checked(&self.signature)?;
        }
        let width = self.signature.a.width();
        Ok(match self.instruction {
            Instruction::Lanes(unit) => inputs
                .chunks(4)
                .flat_map(|some| lanes(unit, &self.signature, some))
                .collect(),
            Instruction::Tiles(unit) => inputs
                .chunks(16)
                .flat_map(|some| diagonal(unit, width, some))
                .collect(),
        })
    }
}

/// The 32-bit word `n` of a row of factors of `width` bits, with the first factor in the low bits.
fn word(row: &[u64], width: u32, n: usize) -> u32 {
    let factors = row.chunks(32 / width as usize).nth(n).unwrap_or_default();
    let packed = factors.iter().rev();
    packed.fold(0, |word, factor| word << width | *factor as u32)
}

fn lanes(unit: PresentInstruction<Lanes>, signature: &Signature, inputs: &[Inputs]) -> Vec<u64> {
    let [mut c, mut a, mut b] = [[0; 4]; 3];
    let width = signature.a.width();
    for (lane, one) in inputs.iter().enumerate() {
        c[lane] = one.c as u32;
        (a[lane], b[lane]) = (word(&one.a, width, 0), word(&one.b, width, 0));
    }
    unit.run(&mut c, &a, &b);
    let read = u64::MAX >> (u64::BITS - signature.d.width());
    let results = c.iter().take(inputs.len());
    results.map(|d| u64::from(*d) & read).collect()
}

/// Computes up to 16 vectors: vector `i` is row `i` of A, column `i` of B and element `(i, i)` of
/// C. The other elements of the result are ignored.
fn diagonal(unit: PresentInstruction<TileInstruction>, width: u32, inputs: &[Inputs]) -> Vec<u64> {
    let [mut c, mut a, mut b]: [TileRegister; 3] = [[[0; 16]; 16]; 3];
    for (i, one) in inputs.iter().enumerate() {
        c[i][i] = one.c as u32;
        for k in 0..16 {
            a[i][k] = word(&one.a, width, k);
            b[k][i] = word(&one.b, width, k);
        }
    }
    unit.run(&mut c, &a, &b);
    let results = (0..inputs.len()).map(|i| u64::from(c[i][i]));
    results.collect()
}

/// All elements for one vector, which is every row of A, column of B and element of C.
fn everywhere(unit: PresentInstruction<TileInstruction>, width: u32, one: &Inputs) -> Elements {
    let mut c: TileRegister = [[one.c as u32; 16]; 16];
    let row = std::array::from_fn(|k| word(&one.a, width, k));
    let column: [u32; 16] = std::array::from_fn(|k| word(&one.b, width, k));
    unit.run(&mut c, &[row; 16], &column.map(|word| [word; 16]));
    Elements {
        rows: 16,
        columns: 16,
        results: c.iter().flatten().map(|d| u64::from(*d)).collect(),
    }
}

/// The processor's name, as the system gives it.
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
    if said.is_empty() {
        std::env::consts::ARCH.into()
    } else {
        said
    }
}
