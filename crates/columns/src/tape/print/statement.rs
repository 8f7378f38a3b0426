//! The statement of an instruction: the definition of a variable `vN`, where `N` is the number of
//! the value.
//!
//! Names of functions begin with `@`, in whose place the printer puts the name of the whole.

use super::error::PrintError;
use super::operands::{TapeInstruction, variable};
use super::words::{changed, cut, literal, name, plus, shifted_left, signed, truth, wide};
use super::{lists, reals};
use crate::tape::element::Type;
use crate::tape::instruction::{Code, Instruction};

/// A mask of the low half of a constant.
const HALF: u128 = u64::MAX as u128;

/// The lines of the statement, without indentation. An input has none: it is read elsewhere.
pub(super) fn lines(statement: &TapeInstruction<'_>) -> Result<Vec<String>, PrintError> {
    let variable = variable(statement.value);
    let to = name(statement.instruction.to);
    match statement.instruction.code {
        Code::Input => Ok(Vec::new()),
        code if lists::is_list(code) => Ok(lists::lines(statement, &variable, to)),
        _ => {
            let expression = expression(statement)?;
            Ok(vec![format!("const {to} {variable} = {expression};")])
        }
    }
}

fn expression(statement: &TapeInstruction<'_>) -> Result<String, PrintError> {
    let Instruction { code, to, from, .. } = *statement.instruction;
    let [k, l] = statement.instruction.constants;
    let [s, t] = statement.instruction.shifts;
    let [x, y, z] = [0, 1, 2].map(|position| statement.arg(position));
    let (own, shift) = (name(to), |position, by| {
        shifted_left(&statement.wide(position, to), by)
    });
    let bits = |of: Type| of.bits();
    let constant = |value| literal(value, to);
    let of_operand = |value| literal(value, from);
    let signed_constant = |value| format!("({}){}", signed(from), literal(value, from));
    let negations = k.to_le_bytes();
    Ok(match code {
        Code::Constant => constant(k),
        Code::Convert => format!("({own}){x}"),
        Code::ConvertSigned => format!("({own})({}){x}", signed(from)),
        Code::Extract => format!("({own})({})", statement.field(k)),
        Code::ExtractSigned => {
            let shifted = format!("({})(({}){x} >> {s})", name(wide(from)), signed(from));
            format!("({own})({shifted} & {})", of_operand(k))
        }
        Code::SignExtend => {
            format!("({own})(({})({}) >> {s})", signed(to), shift(0, s))
        }
        Code::Scale => cut(to, &plus(&shift(0, s), k, to)),
        Code::Negate => cut(to, &format!("{} - {}", constant(k), shift(0, s))),
        Code::MultiplyConst => cut(to, &format!("{} * {}", statement.wide(0, to), constant(k))),
        Code::Add => cut(
            to,
            &plus(&format!("{} + {}", shift(0, s), shift(1, t)), k, to),
        ),
        Code::Subtract => cut(
            to,
            &plus(&format!("{} - {}", shift(0, s), shift(1, t)), k, to),
        ),
        Code::Multiply => {
            let product = format!("{} * {}", statement.wide(0, to), statement.wide(1, to));
            match s {
                0 => cut(to, &product),
                _ => cut(to, &format!("({product}) << {s}")),
            }
        }
        Code::Choose => format!("{x} ? {y} : {z}"),
        Code::ChooseElse => format!("{x} ? {y} : {}", constant(k)),
        Code::ChooseThen => format!("{x} ? {} : {y}", constant(k)),
        Code::NegateIf => cut(
            to,
            &format!(
                "@negate_if_{}({x}, {})",
                bits(wide(to)),
                statement.wide(1, to)
            ),
        ),
        Code::ShiftLeft => {
            let shifted = format!("@shl_{}({x}, {})", bits(to), statement.amount(to)?);
            if k & to.mask() == to.mask() {
                shifted
            } else {
                format!("{shifted} & {}", constant(k))
            }
        }
        Code::ShiftRight => format!("@shr_{}({x}, {})", bits(to), statement.amount(to)?),
        Code::ShiftRightSigned => format!("@sar_{}({x}, {})", bits(to), statement.amount(to)?),
        Code::Zeros => {
            let counted = bits(wide(from));
            let above = u128::from(counted - bits(from));
            let less = literal(k.wrapping_add(above), Type::U8);
            format!("(u8)(@clz_{counted}({x}) - {less})")
        }
        Code::Select => format!("{x} ? {} : {}", constant(k), constant(l)),
        Code::AddSelect => {
            let [then, otherwise] = [k.wrapping_add(l), l].map(constant);
            let sum = format!("{} + ({y} ? {then} : {otherwise})", statement.wide(0, to));
            cut(to, &sum)
        }
        Code::ExtractOr => {
            let field = statement.field(k);
            format!("({own})({field}) ? ({own})({field}) : {}", constant(l))
        }
        Code::ExtractAdd => {
            let (mask, tested) = (k & HALF, k >> 64);
            let (more, added) = (l & HALF, l >> 64);
            let field = statement.field(mask);
            let is_set = format!("{} & {}", statement.wide(0, from), of_operand(tested));
            let [then, otherwise] = [added, added.wrapping_add(more)].map(constant);
            format!("({own})(({own})({field}) + ({is_set} ? {then} : {otherwise}))")
        }
        Code::AddIf => format!("{z} ? {} : {}", statement.sum_of_two(0), constant(l)),
        Code::AddIfBoth => statement.conditional_sum(0),
        Code::And => cut(
            to,
            &format!("{} & {}", statement.wide(0, to), statement.wide(1, to)),
        ),
        Code::Or => cut(
            to,
            &format!("{} | {}", statement.wide(0, to), statement.wide(1, to)),
        ),
        Code::Xor => cut(
            to,
            &format!("{} ^ {}", statement.wide(0, to), statement.wide(1, to)),
        ),
        Code::EqualConst => truth(&format!("{x} == {}", of_operand(k))),
        Code::LessConst => truth(&format!("{x} < {}", of_operand(k))),
        Code::MoreConst => truth(&format!("{x} > {}", of_operand(k))),
        Code::LessConstSigned => truth(&format!("({}){x} < {}", signed(from), signed_constant(k))),
        Code::MoreConstSigned => truth(&format!("({}){x} > {}", signed(from), signed_constant(k))),
        Code::Equal => truth(&format!("{x} == {y}")),
        Code::Less => truth(&format!("{x} < {y}")),
        Code::LessSigned => {
            let kind = signed(from);
            truth(&format!("({kind}){x} < ({kind}){y}"))
        }
        Code::Bit => truth(&format!("({x} & {}) != 0", of_operand(k))),
        Code::FieldEqual => truth(&format!("({x} & {}) == {}", of_operand(k), of_operand(l))),
        Code::FieldMore => truth(&format!("({x} & {}) > {}", of_operand(k), of_operand(l))),
        Code::BitOfXor => truth(&format!("(({x} ^ {y}) & {}) != 0", of_operand(k))),
        Code::BothBits => truth(&format!(
            "(({x} & {0}) != 0) & (({y} & {0}) != 0)",
            of_operand(k)
        )),
        Code::Lost => {
            let (width, amount) = (bits(from), statement.amount(from)?);
            truth(&format!(
                "@shl_{width}(@shr_{width}({x}, {amount}), {amount}) != {x}"
            ))
        }
        Code::All => {
            let operands = (0..statement.instruction.args.len()).zip(negations);
            let operands =
                operands.map(|(position, change)| changed(&statement.arg(position), change));
            format!("(u8)({})", operands.collect::<Vec<_>>().join(" & "))
        }
        Code::ChooseTruth => {
            let [_, a, b, ..] = negations;
            format!("{x} ? {} : {}", changed(&y, a), changed(&z, b))
        }
        Code::Host(operation) => reals::host(statement, operation)?,
        Code::Real => reals::real(statement)?,
        Code::Power => reals::power(statement)?,
        Code::RealPart => reals::real_part(statement)?,
        Code::Round {
            is_cut,
            may_be_subnormal,
        } => reals::round(statement, is_cut, may_be_subnormal)?,
        // These are made in `lines`, or only where lanes share an operand.
        _ => return Err(statement.unprintable()),
    })
}
