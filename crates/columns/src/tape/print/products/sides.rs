//! The kernel of a side: a thread for each link of each row of A or column of B, which computes what
//! they give to elements, and whether the program of elements is right for them.

use super::operands::{OperandRegisters, ProductPrograms};
use super::panel::Panel;
use crate::tape::element::Type;
use crate::tape::instruction::Code;
use crate::tape::lower::Tape;
use crate::tape::print::body;
use crate::tape::print::error::PrintError;
use crate::tape::print::operands::variable;
use crate::tape::print::words::literal;
use crate::tape::side::Side;
use rustc_hash::FxHashSet;
use std::fmt::Write as _;

/// The parameters of a kernel that stand for a matrix: its elements, how many there are along k, and
/// how far apart two are across k and along it.
pub(super) fn parameters(operand: &OperandRegisters) -> String {
    let (name, bits) = (&operand.array.name, operand.array.bits());
    format!("const u{bits} *{name}, u64 {name}_count, u64 {name}_across, u64 {name}_along")
}

/// The register of a matrix at position `place` of the link `link`, in the row or column `at`.
pub(super) fn register(operand: &OperandRegisters, place: usize, at: &str) -> String {
    let (name, length) = (&operand.array.name, operand.array.length);
    let k = format!("(first + link) * {length} + {place}");
    let element = format!("{name}[{at} * {name}_across + ({k}) * {name}_along]");
    let of = Type::of(operand.array.bits());
    let plain = literal(operand.plain.into(), of);
    let register = operand.array.cut(element);
    format!(
        "{k} < {name}_count ? (u{0})({register}) : (u{0}){plain}",
        of.bits()
    )
}

/// Whether a register, which its type holds, is an infinity or a NaN; `None` if its format has none.
pub(super) fn special(operand: &OperandRegisters, register: &str) -> Option<String> {
    let bits = operand.array.bits();
    let of = Type::of(bits);
    let [offset, mask, limit] = operand.special?.map(|number| literal(number.into(), of));
    Some(format!(
        "((u{bits})((u{bits}){register} + {offset}) & {mask}) > {limit}"
    ))
}

/// The kernel of a side, whose program has its results in the order of their numbers, then the guard.
pub(super) fn kernel(
    products: &ProductPrograms<'_>,
    side: Side,
    tape: &Tape,
    has_guard: bool,
    panel: &Panel,
    lanes: usize,
) -> Result<String, PrintError> {
    let inputs = tape
        .instructions
        .iter()
        .filter(|one| one.code == Code::Input);
    let read: FxHashSet<usize> = inputs.map(|one| one.constants[0] as usize).collect();
    let (mut body, mut given) = (String::new(), String::new());
    for (first, operand) in products.of_side(side) {
        let bits = operand.array.bits();
        let _ = write!(given, "{}, ", parameters(operand));
        for place in 0..operand.array.length {
            let input = first + place;
            let special = special(operand, &format!("r{input}"));
            if special.is_none() && !read.contains(&input) {
                continue;
            }
            let register = register(operand, place, "at");
            let plain = literal(operand.plain.into(), Type::of(bits));
            let _ = writeln!(
                body,
                "    const u{bits} r{input} = at < outer ? ({register}) : (u{bits}){plain};"
            );
            if let Some(special) = special {
                let _ = writeln!(body, "    flag |= {special};");
            }
        }
    }
    for line in body::lines(tape, |input| format!("r{input}"))? {
        let _ = writeln!(body, "    {line}");
    }
    if has_guard && let Some(guard) = tape.results.last() {
        let _ = writeln!(body, "    flag |= {};", variable(*guard));
    }
    for line in panel.stores(|number| variable(tape.results[number])) {
        match line.starts_with('#') {
            true => body += &format!("{line}\n"),
            false => body += &format!("    {line}\n"),
        }
    }
    let structure = panel.name();
    Ok(format!(
        "extern \"C\" __global__ void {structure}_side(u64 outer, u64 first, u32 links, {given}{structure} *panels)\n{{\n    \
         const u64 thread = (u64)blockIdx.x * blockDim.x + threadIdx.x;\n    \
         const u64 padded = (outer + {0}) / {lanes} * {lanes};\n    \
         const u64 at = thread % padded, link = thread / padded;\n    \
         if (link >= links)\n        return;\n    \
         const u32 lane = (u32)(at % {lanes});\n    \
         {structure} &to = panels[at / {lanes} * links + link];\n    \
         u32 flag = 0;\n{body}    to.flag[lane] = flag != 0;\n}}\n\n",
        lanes - 1
    ))
}
