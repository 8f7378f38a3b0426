//! Statements of operations on any number of operands: a variable, and a line for each operand or
//! group of operands.

use super::operands::Statement;
use super::words::{changed, cut, name, wide};
use crate::columns::tape::element::Type;
use crate::columns::tape::instruction::{Code, Instruction};

/// The lines of a maximum, of a sum, or of a test of pairs.
pub(super) fn lines(statement: &Statement<'_>, variable: &str, to: &str) -> Vec<String> {
    let start = match statement.instruction.code {
        Code::NoPair => "0xffu",
        _ => "0u",
    };
    let mut lines = vec![format!("{to} {variable} = {start};")];
    match statement.instruction.code {
        Code::NoPair => lines.extend(pairs(statement, variable)),
        Code::SignedSum | Code::AlignedSum => lines.extend(terms(statement, variable)),
        _ => lines.extend(maxima(statement, variable)),
    }
    lines
}

/// The greatest of conditional sums, if there are any, and of numbers.
fn maxima(statement: &Statement<'_>, variable: &str) -> Vec<String> {
    let Instruction {
        code, to, shifts, ..
    } = *statement.instruction;
    let sums = match code {
        Code::MaximumOfSums => shifts[1] as usize,
        _ => 0,
    };
    let raised = |by: &str| format!("{variable} = @max_{}({variable}, {by});", to.bits());
    let sums = (0..sums).map(|sum| 4 * sum);
    let first = sums.len() * 4;
    let sums = sums.map(|position| raised(&statement.conditional_sum(position)));
    let plain = first..statement.instruction.args.len();
    let plain = plain.map(|position| raised(&statement.arg(position)));
    sums.chain(plain).collect()
}

/// Whether no pair has two truth values that hold.
fn pairs(statement: &Statement<'_>, variable: &str) -> Vec<String> {
    let [first, second] = statement.instruction.constants;
    let change = |bits: u128, pair: usize| if bits >> pair & 1 == 1 { 0xff } else { 0 };
    let pairs = 0..statement.instruction.args.len() / 2;
    pairs
        .map(|pair| {
            let x = changed(&statement.arg(2 * pair), change(first, pair));
            let y = changed(&statement.arg(2 * pair + 1), change(second, pair));
            if x == y {
                format!("{variable} &= (u8)~{x};")
            } else {
                format!("{variable} &= (u8)~({x} & {y});")
            }
        })
        .collect()
}

/// The terms of a sum, each negated where its truth value holds, and in an aligned sum first
/// shifted right. The flags of the instruction, which say how a term may be computed faster, do not
/// matter here.
fn terms(statement: &Statement<'_>, variable: &str) -> Vec<String> {
    let Instruction {
        code,
        to,
        by,
        shifts: [shift, products],
        ..
    } = *statement.instruction;
    let first = usize::from(code == Code::AlignedSum);
    let groups = (statement.instruction.args.len() - first) / 4;
    let width = wide(to).bits();
    (0..groups)
        .map(|group| {
            let position = first + 4 * group;
            let (sign, x) = (statement.arg(position), statement.wide(position + 1, to));
            let number = if group < products as usize {
                let product = format!("{x} * {}", statement.wide(position + 2, to));
                match shift {
                    0 => product,
                    _ => format!("({product}) << {shift}"),
                }
            } else {
                x
            };
            let number = match code {
                Code::AlignedSum => {
                    let distance = distance(statement, by, position + 3);
                    format!("@shr_{}({}, {distance})", to.bits(), cut(to, &number))
                }
                _ => number,
            };
            let term = format!("@negate_if_{width}({sign}, {number})");
            match to {
                Type::U8 | Type::U16 => {
                    format!("{variable} = ({})({variable} + {term});", name(to))
                }
                _ => format!("{variable} += {term};"),
            }
        })
        .collect()
}

/// The exponent that a sum is aligned to, less the exponent at a position.
fn distance(statement: &Statement<'_>, by: Type, position: usize) -> String {
    let [top, own] = [0, position].map(|position| statement.wide(position, by));
    cut(by, &format!("{top} - {own}"))
}
