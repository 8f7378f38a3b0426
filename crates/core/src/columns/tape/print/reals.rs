//! Expressions in floats: operations of IEEE 754, a number of binary32 as an aligned integer, and
//! roundings to binary32.

use super::error::Unprintable;
use super::operands::Statement;
use super::words::literal;
use crate::columns::tape::element::Type;
use crate::columns::tape::instruction::Instruction;
use crate::numbers::bits::HostOperation;

/// An operation of IEEE 754 on registers of binary32 or binary64.
pub(super) fn host(
    statement: &Statement<'_>,
    operation: HostOperation,
) -> Result<String, Unprintable> {
    let bits = match statement.instruction.to {
        Type::U32 => 32,
        Type::U64 => 64,
        _ => return Err(statement.unprintable()),
    };
    let (function, operands) = match operation {
        HostOperation::Add => ("add", 2),
        HostOperation::Multiply => ("multiply", 2),
        HostOperation::Fma => ("fma", 3),
    };
    let operands =
        (0..operands).map(|position| format!("@real_{bits}({})", statement.arg(position)));
    let operands = operands.collect::<Vec<_>>().join(", ");
    Ok(format!("@bits_{bits}(@{function}_{bits}({operands}))"))
}

/// `x * 2^(k - y)`, cut to an integer. Two factors are always enough for the power of two.
pub(super) fn real_part(statement: &Statement<'_>) -> Result<String, Unprintable> {
    let Instruction {
        ref args,
        by,
        constants,
        ..
    } = *statement.instruction;
    if args.len() != 2 || by > Type::U16 {
        return Err(statement.unprintable());
    }
    Ok(format!(
        "@real_part({}, {} - (i32){})",
        statement.arg(0),
        constants[0] as i32,
        statement.arg(1)
    ))
}

/// The sum of one or two columns times a power of two, rounded to binary32.
pub(super) fn round(
    statement: &Statement<'_>,
    is_cut: bool,
    may_be_subnormal: bool,
) -> Result<String, Unprintable> {
    let Instruction {
        from,
        by,
        shifts: [bias, flags],
        constants: [masks, cut],
        ..
    } = *statement.instruction;
    if by > Type::U16 || !matches!(from, Type::U32 | Type::U64) {
        return Err(statement.unprintable());
    }
    let columns = statement.instruction.args.len() - 1;
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
    let field = format!(
        "{} + {}",
        statement.wide(0, Type::U32),
        literal(bias.into(), Type::U32)
    );
    let scaled = format!("@multiply_64({sum}, @real_64((u64)({field}) << 52))");
    let before = literal(masks, Type::U64);
    Ok(if is_cut {
        let subnormal = if may_be_subnormal { "_subnormal" } else { "" };
        let floor = literal(0u64.wrapping_sub((cut >> 64) as u64).into(), Type::U64);
        let dropped = literal(cut & u128::from(u32::MAX), Type::U32);
        format!("@round_cut{subnormal}({scaled}, {before}, {dropped}, {floor})")
    } else if may_be_subnormal {
        let after = literal(masks >> 64, Type::U32);
        let [taken_back, positive_zero] = [flags & 1, flags >> 1 & 1];
        format!("@round_subnormal({scaled}, {before}, {after}, {taken_back}u, {positive_zero}u)")
    } else {
        format!("@round({scaled}, {before})")
    })
}
