//! The kernel of elements that are not finite, or that a guard forbids: a thread for each element goes
//! on with the program for any operands from the link where the other kernel stopped.

use super::operands::ProductPrograms;
use super::sides::{parameters, register};
use crate::tape::print::body;
use crate::tape::print::error::PrintError;
use crate::tape::side::Side;
use std::fmt::Write as _;

/// The kernel.
pub(super) fn kernel(products: &ProductPrograms<'_>) -> Result<String, PrintError> {
    let (state, d) = (products.state_bits(), products.result.bits());
    let sides = [(Side::Left, "row"), (Side::Right, "column")];
    let given: String = sides
        .iter()
        .flat_map(|(side, _)| products.of_side(*side))
        .map(|(_, operand)| format!("{}, ", parameters(operand)))
        .collect();
    let mut body = String::new();
    let read = |input: usize| {
        let of_sides = sides.iter().flat_map(|(side, at)| {
            products
                .of_side(*side)
                .map(move |(first, operand)| (first, operand, at))
        });
        let mut own = of_sides
            .filter(|(first, operand, _)| (*first..*first + operand.array.length).contains(&input));
        own.next().map_or_else(
            || "state".into(),
            |(first, operand, at)| register(operand, input - first, at),
        )
    };
    for line in body::lines(products.whole, read)? {
        let _ = writeln!(body, "        {line}");
    }
    let result = body::result(products.whole);
    let (c, start) = products
        .accumulator()
        .map_or((8, "0".into()), |(_, operand)| {
            (operand.array.bits(), operand.array.cut("c[at]".into()))
        });
    Ok(format!(
        "extern \"C\" __global__ void @general(u64 rows, u64 columns, u64 first, u32 links, {given}const u{c} *c, u{d} *d, const u32 *stopped)\n{{\n    \
         const u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x;\n    \
         if (at >= rows * columns || stopped[at] == 0xffffffffu)\n        return;\n    \
         const u64 row = at / columns, column = at % columns;\n    \
         u{state} state = stopped[at] == 0 ? (u{state})({start}) : (u{state})d[at];\n    \
         for (u32 link = stopped[at]; link < links; link++) {{\n{body}        state = (u{state}){result};\n    }}\n    \
         d[at] = (u{d})state;\n}}\n\n"
    ))
}
