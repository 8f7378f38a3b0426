//! Statements of operations on any number of operands: a variable, a line for each operand or group
//! of operands, and for some a last line.

use super::operands::{TapeInstruction, variable};
use super::words::{changed, cut, literal, name, wide};
use crate::tape::element::Type;
use crate::tape::instruction::{Code, Instruction, Value};

/// A line that takes some operands into the variable.
pub(super) struct Update {
    /// The operands that no other line of the list reads.
    pub(super) operands: Vec<Value>,
    pub(super) line: String,
}

/// An operation on any number of operands, over a variable.
pub(super) struct List {
    /// What the variable is at first.
    pub(super) start: &'static str,
    /// Operands that every update reads.
    pub(super) common: Vec<Value>,
    pub(super) updates: Vec<Update>,
    /// What the variable becomes in the end, if this is not what the updates leave.
    pub(super) last: Option<String>,
}

/// The lines of the statement.
pub(super) fn lines(statement: &TapeInstruction<'_>, variable: &str, to: &str) -> Vec<String> {
    let list = list(statement);
    let mut lines = vec![format!("{to} {variable} = {};", list.start)];
    lines.extend(list.updates.into_iter().map(|update| update.line));
    lines.extend(list.last);
    lines
}

/// Whether an operation is a list of this kind.
pub(super) fn is_list(code: Code) -> bool {
    matches!(
        code,
        Code::Maximum
            | Code::MaximumOfSums
            | Code::MaximumOfPairs
            | Code::NoPair
            | Code::SignedSum
            | Code::AlignedSum
            | Code::SumOfPlaced
            | Code::DotProduct
            | Code::SumOfReals
    )
}

/// The updates of a maximum, of a sum, or of a test of pairs.
pub(super) fn list(statement: &TapeInstruction<'_>) -> List {
    let variable = &variable(statement.value);
    let (start, common) = match statement.instruction.code {
        Code::NoPair => ("0xffu", 0),
        Code::AlignedSum | Code::SumOfReals => ("0u", 1),
        _ => ("0u", 0),
    };
    let (updates, last) = match statement.instruction.code {
        Code::NoPair => (pairs(statement, variable), None),
        Code::SignedSum | Code::AlignedSum => (terms(statement, variable), None),
        Code::SumOfPlaced => (placed(statement, variable), None),
        Code::MaximumOfPairs => maximum_of_pairs(statement, variable),
        Code::DotProduct => dot_product(statement, variable),
        Code::SumOfReals => (sum_of_reals(statement, variable), None),
        _ => (maxima(statement, variable), None),
    };
    List {
        start,
        common: statement.instruction.args[..common].to_vec(),
        updates,
        last,
    }
}

/// A line that reads the operands at some positions.
fn update(
    statement: &TapeInstruction<'_>,
    positions: impl IntoIterator<Item = usize>,
    line: String,
) -> Update {
    let operands = positions.into_iter();
    let operands = operands.map(|position| statement.instruction.args[position]);
    Update {
        operands: operands.collect(),
        line,
    }
}

/// A line for each pair of operands from a position on.
fn each_pair(
    statement: &TapeInstruction<'_>,
    first: usize,
    line: impl Fn(usize) -> String,
) -> Vec<Update> {
    let positions = (first..statement.instruction.args.len()).step_by(2);
    positions
        .map(|position| update(statement, position..position + 2, line(position)))
        .collect()
}

/// The greatest of conditional sums, if there are any, and of numbers.
fn maxima(statement: &TapeInstruction<'_>, variable: &str) -> Vec<Update> {
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
    let sums = sums.map(|position| {
        let line = raised(&statement.conditional_sum(position));
        update(statement, position..position + 4, line)
    });
    let plain = first..statement.instruction.args.len();
    let plain = plain.map(|position| {
        let line = raised(&statement.arg(position));
        update(statement, position..position + 1, line)
    });
    sums.chain(plain).collect()
}

/// Whether no pair has two truth values that hold.
fn pairs(statement: &TapeInstruction<'_>, variable: &str) -> Vec<Update> {
    let [first, second] = statement.instruction.constants;
    let change = |bits: u128, pair: usize| if bits >> pair & 1 == 1 { 0xff } else { 0 };
    each_pair(statement, 0, |position| {
        let pair = position / 2;
        let x = changed(&statement.arg(position), change(first, pair));
        let y = changed(&statement.arg(position + 1), change(second, pair));
        if x == y {
            format!("{variable} &= (u8)~{x};")
        } else {
            format!("{variable} &= (u8)~({x} & {y});")
        }
    })
}

/// The greatest sum of two numbers, and what it stands for.
fn maximum_of_pairs(
    statement: &TapeInstruction<'_>,
    variable: &str,
) -> (Vec<Update>, Option<String>) {
    let to = statement.instruction.to;
    let updates = each_pair(statement, 0, |position| {
        let [x, y] = [position, position + 1].map(|position| statement.wide(position, to));
        let sum = cut(to, &format!("{x} + {y}"));
        format!("{variable} = @max_{}({variable}, {sum});", to.bits())
    });
    (updates, Some(unraised(statement, variable)))
}

/// The number that the greatest sum of raised numbers stands for.
pub(super) fn unraised(statement: &TapeInstruction<'_>, variable: &str) -> String {
    let to = statement.instruction.to;
    let rule = statement.instruction.constants[1];
    let [limit, more, otherwise] = [0, 32, 64].map(|by| literal(rule >> by, to));
    let sum = cut(to, &format!("{variable} + {more}"));
    format!("{variable} = {variable} > {limit} ? {sum} : {otherwise};")
}

/// The sum of products of two numbers.
fn dot_product(statement: &TapeInstruction<'_>, variable: &str) -> (Vec<Update>, Option<String>) {
    let Instruction { to, shifts, .. } = *statement.instruction;
    let updates = each_pair(statement, 0, |position| {
        let [x, y] = [position, position + 1].map(|position| statement.wide(position, to));
        let sum = cut(to, &format!("{variable} + {x} * {y}"));
        format!("{variable} = {sum};")
    });
    let shifted = cut(to, &format!("{variable} << {}", shifts[0]));
    let last = (shifts[0] > 0).then(|| format!("{variable} = {shifted};"));
    (updates, last)
}

/// The sum of products of binary32 times a power of two, each cut to an integer.
fn sum_of_reals(statement: &TapeInstruction<'_>, variable: &str) -> Vec<Update> {
    let power = statement.arg(0);
    each_pair(statement, 1, |position| {
        let [x, y] = [position, position + 1].map(|position| statement.arg(position));
        format!("{variable} += @cut_product({x}, {y}, {power});")
    })
}

/// The terms of a sum, each negated where its truth value holds, and in an aligned sum first
/// shifted right. The flags of the instruction, which say how a term may be computed faster, do not
/// matter here.
fn terms(statement: &TapeInstruction<'_>, variable: &str) -> Vec<Update> {
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
    let term = |group: usize| {
        let position = first + 4 * group;
        let (sign, x) = (statement.arg(position), statement.wide(position + 1, to));
        let is_product = group < products as usize;
        let number = if is_product {
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
        let line = match to {
            Type::U8 | Type::U16 => {
                format!("{variable} = ({})({variable} + {term});", name(to))
            }
            _ => format!("{variable} += {term};"),
        };
        let mut positions = vec![position, position + 1];
        positions.extend(is_product.then_some(position + 2));
        positions.extend((code == Code::AlignedSum).then_some(position + 3));
        update(statement, positions, line)
    };
    (0..groups).map(term).collect()
}

/// The numbers of a sum, each shifted left and negated where its truth value holds.
fn placed(statement: &TapeInstruction<'_>, variable: &str) -> Vec<Update> {
    let bits = statement.instruction.to.bits();
    let groups = (0..statement.instruction.args.len()).step_by(4);
    let lines = groups.map(|position| {
        let (sign, e) = (statement.arg(position), statement.arg(position + 3));
        let number = format!(
            "({}){}",
            name(statement.instruction.to),
            statement.arg(position + 1)
        );
        let shifted = format!("@shl_{bits}({number}, {e})");
        let line = format!("{variable} += @negate_if_{bits}({sign}, {shifted});");
        update(statement, [position, position + 1, position + 3], line)
    });
    lines.collect()
}

/// The exponent that a sum is aligned to, less the exponent at a position.
fn distance(statement: &TapeInstruction<'_>, by: Type, position: usize) -> String {
    let [top, own] = [0, position].map(|position| statement.wide(position, by));
    cut(by, &format!("{top} - {own}"))
}
