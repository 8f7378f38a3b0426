//! Exception flags against MXCSR of this processor: sums, products and multiply-adds in all rounding modes, with
//! results that are flushed (FTZ) and operands that are (DAZ).
#![cfg(target_arch = "x86_64")]
#![expect(unsafe_code, reason = "instructions of the processor")]

use crate::setting::setting;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::inputs::{Draw, Kind};
use std::arch::asm;

const DRAWN: usize = 40_000;
/// All exceptions masked.
const MASKED: u32 = 0x1f80;
const DAZ: u32 = 1 << 6;
const FTZ: u32 = 1 << 15;
const ROUNDINGS: [&str; 4] = ["rne", "rd", "ru", "rz"];

#[derive(Clone, Copy)]
enum Operation {
    Add,
    Multiply,
    MultiplyAdd,
}

/// A control word, an instruction, and the control word after it.
macro_rules! run {
    ($instruction:literal, $control:expr, $first:ident, $second:expr, $third:expr) => {{
        let (mut old, mut after) = (0u32, 0u32);
        let control: u32 = $control;
        // SAFETY: the control word is put back; the instruction has registers alone.
        unsafe {
            asm!(
                "stmxcsr [{old}]", "ldmxcsr [{new}]", "/* {x} {y} {z} */", $instruction, "stmxcsr [{after}]", "ldmxcsr [{old}]",
                old = in(reg) &mut old, new = in(reg) &control, after = in(reg) &mut after,
                x = inout(xmm_reg) $first, y = in(xmm_reg) $second, z = in(xmm_reg) $third,
            );
        }
        after
    }};
}

impl Operation {
    /// The result of f32, and the flags as MXCSR has them.
    fn single(self, control: u32, operands: [u64; 3]) -> (u64, u32) {
        let [a, b, c] = operands.map(|bits| f32::from_bits(bits as u32));
        let mut x = match self {
            Operation::MultiplyAdd => c,
            _ => a,
        };
        let after = match self {
            Operation::Add => run!("vaddss {x}, {x}, {z}", control, x, b, c),
            Operation::Multiply => run!("vmulss {x}, {x}, {y}", control, x, b, c),
            Operation::MultiplyAdd => run!("vfmadd231ss {x}, {y}, {z}", control, x, a, b),
        };
        (x.to_bits().into(), after)
    }

    fn double(self, control: u32, operands: [u64; 3]) -> (u64, u32) {
        let [a, b, c] = operands.map(f64::from_bits);
        let mut x = match self {
            Operation::MultiplyAdd => c,
            _ => a,
        };
        let after = match self {
            Operation::Add => run!("vaddsd {x}, {x}, {z}", control, x, b, c),
            Operation::Multiply => run!("vmulsd {x}, {x}, {y}", control, x, b, c),
            Operation::MultiplyAdd => run!("vfmadd231sd {x}, {y}, {z}", control, x, a, b),
        };
        (x.to_bits(), after)
    }

    /// The operation as the text of a unit.
    fn text(self, format: &str, rounding: &str, control: u32) -> String {
        let read = |name: &str| match control & DAZ {
            0 => name.to_owned(),
            _ => format!("flush({name})"),
        };
        let [a, b, c] = ["a[0]", "b[0]", "c"].map(read);
        let exact = match self {
            Operation::Add => format!("sum({a}, {c})"),
            Operation::Multiply => format!("{a} * {b}"),
            Operation::MultiplyAdd => format!("sum({a} * {b}, {c})"),
        };
        let tiny = match control & FTZ {
            0 => "",
            _ => " tiny after",
        };
        format!(
            "unit:{{unit u {{ a, b: {format}[1]  c, d: {format}  d = round({exact}) to {format} by {rounding}{tiny} }}}}"
        )
    }
}

/// The flags of MXCSR in the order of `fflags`.
fn raised(mxcsr: u32) -> u64 {
    let flags = [(5, 1), (4, 2), (3, 4), (2, 8), (0, 16)];
    let each = flags.map(|(bit, flag)| u64::from(mxcsr >> bit & 1) * flag);
    each.iter().sum()
}

#[test]
fn flags_are_those_of_the_processor() {
    if !std::is_x86_feature_detected!("fma") {
        eprintln!("skipped: the processor has no FMA");
        return;
    }
    let count = setting("FLAGS_DRAWN", DRAWN);
    for operation in [Operation::Add, Operation::Multiply, Operation::MultiplyAdd] {
        for format in ["f32", "f64"] {
            for (mode, rounding) in (0u32..).zip(ROUNDINGS) {
                for flushing in [0, FTZ | DAZ] {
                    let control = MASKED | mode << 13 | flushing;
                    let text = operation.text(format, rounding, control);
                    let [unit, flags] = [text.clone(), format!("flags({text})")]
                        .map(|text| Model::parse(&text).unwrap());
                    let kinds = [
                        Kind::Random,
                        Kind::Close,
                        Kind::Cancel,
                        Kind::Edge,
                        Kind::Feature,
                        Kind::Rare,
                    ];
                    let mut draws =
                        kinds.map(|kind| Draw::new(unit.signature(), kind, mode.into()));
                    let (mut results, mut all_flags) = (unit.simulator(), flags.simulator());
                    for number in 0..count / (2 * ROUNDINGS.len()) {
                        let inputs = draws[number % draws.len()].draw();
                        let operands = [inputs.a[0], inputs.b[0], inputs.c];
                        let (silicon, mxcsr) = match format {
                            "f32" => operation.single(control, operands),
                            _ => operation.double(control, operands),
                        };
                        let d = results.run(&inputs);
                        let d_is_nan = unit.signature().d.is_nan(d);
                        assert!(
                            d == silicon || d_is_nan && unit.signature().d.is_nan(silicon),
                            "{text}: {}: silicon {silicon:x}, computed {d:x}",
                            line(&inputs)
                        );
                        let (expected, found) = (raised(mxcsr), all_flags.run(&inputs));
                        assert_eq!(
                            found,
                            expected,
                            "{text}: {}: silicon raises {expected:05b}, the unit {found:05b}",
                            line(&inputs)
                        );
                    }
                }
            }
        }
    }
}

fn line(inputs: &Inputs) -> String {
    format!("{:x} {:x} {:x}", inputs.c, inputs.a[0], inputs.b[0])
}
