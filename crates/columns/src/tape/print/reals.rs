//! Expressions in floats: operations of IEEE 754, a number of binary32 as an aligned integer, and
//! roundings to binary32.

use super::error::PrintError;
use super::operands::TapeInstruction;
use super::words::literal;
use crate::tape::element::Type;
use crate::tape::instruction::Instruction;
use mmasmt_numbers::bits::HostOperation;

/// An operation of IEEE 754 on registers of binary32 or binary64.
pub(super) fn host(
    statement: &TapeInstruction<'_>,
    operation: HostOperation,
) -> Result<String, PrintError> {
    let bits = match statement.instruction.to {
        Type::U32 => 32,
        Type::U64 => 64,
        _ => return Err(statement.unprintable()),
    };
    let (function, operands) = match operation {
        HostOperation::Add => ("add", 2),
        HostOperation::Multiply => ("multiply", 2),
        HostOperation::Fma => ("fma", 3),
        HostOperation::FlushedFma => ("flushed_fma", 3),
        HostOperation::OddSum => ("odd_sum", 2),
    };
    let operands =
        (0..operands).map(|position| format!("@real_{bits}({})", statement.arg(position)));
    let operands = operands.collect::<Vec<_>>().join(", ");
    Ok(format!("@bits_{bits}(@{function}_{bits}({operands}))"))
}

/// `y * 2^(z + k - 127)`, negated where `x` holds.
pub(super) fn real(statement: &TapeInstruction<'_>) -> Result<String, PrintError> {
    let Instruction {
        from,
        by,
        constants,
        ..
    } = *statement.instruction;
    if by > Type::U16 || from > Type::U32 {
        return Err(statement.unprintable());
    }
    let [negative, number, exponent] = [0, 1, 2].map(|position| statement.arg(position));
    let k = literal(constants[0], Type::U32);
    Ok(format!(
        "@real({negative}, (u32){number}, (u32){exponent} + {k})"
    ))
}

/// `2^(k - x - 127)`, where `x` is first limited from below and from above.
pub(super) fn power(statement: &TapeInstruction<'_>) -> Result<String, PrintError> {
    let Instruction {
        from,
        constants: [k, limits],
        ..
    } = *statement.instruction;
    if from > Type::U32 {
        return Err(statement.unprintable());
    }
    let [k, least, most] = [k, limits, limits >> 64].map(|number| literal(number, Type::U32));
    Ok(format!(
        "@limited_power({k}, (u32){}, {least}, {most})",
        statement.arg(0)
    ))
}

/// `x * 2^(k - y)`, cut to an integer. Two factors are always enough for the power of two.
pub(super) fn real_part(statement: &TapeInstruction<'_>) -> Result<String, PrintError> {
    let Instruction {
        ref args,
        by,
        constants,
        ..
    } = *statement.instruction;
    // A third operand has powers that could serve; the text makes its own.
    if args.len() < 2 || by > Type::U16 {
        return Err(statement.unprintable());
    }
    Ok(format!(
        "@real_part({}, {} - (i32){})",
        statement.arg(0),
        constants[0] as i32,
        statement.arg(1)
    ))
}

/// The function that rounds toward zero, and its name where the power of two is in a range in which no
/// result is subnormal or infinite.
pub(super) const TOWARD_ZERO: [&str; 2] = ["@round_toward_zero(", "@round_in_range("];

/// The exponent field of the power of two of a rounding.
pub(super) fn field_of_round(statement: &TapeInstruction<'_>) -> String {
    let bias = literal(statement.instruction.shifts[0].into(), Type::U32);
    format!("{} + {bias}", statement.wide(0, Type::U32))
}

/// The sum of one or two columns times a power of two, rounded to binary32.
pub(super) fn round(
    statement: &TapeInstruction<'_>,
    is_cut: bool,
    may_be_subnormal: bool,
) -> Result<String, PrintError> {
    let Instruction {
        from,
        by,
        shifts: [_, flags],
        constants: [masks, cut],
        ..
    } = *statement.instruction;
    if by > Type::U16 || !matches!(from, Type::U32 | Type::U64) {
        return Err(statement.unprintable());
    }
    let columns = statement.instruction.args.len() - 1;
    let field = field_of_round(statement);
    let before = literal(masks, Type::U64);
    let after = literal(masks >> 64, Type::U32);
    let [taken_back, positive_zero] = [flags & 1, flags >> 1 & 1];
    // Without a cut before it, and rounded only once, an integer serves as well as a double.
    if !is_cut && (taken_back == 1 || !may_be_subnormal) {
        let operands = (1..=columns).map(|position| statement.arg(position));
        let operands = operands.collect::<Vec<_>>().join(", ");
        let sum = format!("@sum_{columns}_{}({operands})", from.bits());
        return Ok(match (taken_back, may_be_subnormal) {
            (1, true) => {
                format!("@round_toward_zero({sum}, {field}, {before}, {after}, {positive_zero}u)")
            }
            (1, false) => format!("@round_normal({sum}, {field}, {before}, {after})"),
            _ => format!("@round_to_nearest({sum}, {field})"),
        });
    }
    let integers = (1..=columns).map(|position| match from {
        Type::U64 => format!("@integer_64({})", statement.arg(position)),
        _ => format!("(double)(i32){}", statement.arg(position)),
    });
    let integers: Vec<_> = integers.collect();
    let sum = match &integers[..] {
        [one] => one.clone(),
        [one, other] => format!("@add_64({one}, {other})"),
        _ => return Err(statement.unprintable()),
    };
    let scaled = format!("@multiply_64({sum}, @real_64((u64)({field}) << 52))");
    Ok(if is_cut {
        let subnormal = if may_be_subnormal { "_subnormal" } else { "" };
        let floor = literal(0u64.wrapping_sub((cut >> 64) as u64).into(), Type::U64);
        let dropped = literal(cut & u128::from(u32::MAX), Type::U32);
        format!("@round_cut{subnormal}({scaled}, {before}, {dropped}, {floor})")
    } else {
        format!("@round_subnormal({scaled}, {before}, {after}, {taken_back}u, {positive_zero}u)")
    })
}
