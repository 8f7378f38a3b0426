//! Types, numbers and conversions in the text of a tape.
//!
//! C computes with integers of at least 32 bits and takes narrower ones for signed; so operands of
//! 8 and 16 bits are widened to `u32` first, and results are cut to their types.

use crate::tape::element::Type;

/// The names of the types that a printed text defines: no function can have one of them.
pub const TYPE_NAMES: [&str; 10] = [
    "u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64", "i128",
];

/// The name of an unsigned type.
pub(super) fn name(of: Type) -> &'static str {
    match of {
        Type::U8 => "u8",
        Type::U16 => "u16",
        Type::U32 => "u32",
        Type::U64 => "u64",
        Type::U128 => "u128",
    }
}

/// The name of the type of two's complement numbers of the same width.
pub(super) fn signed(of: Type) -> &'static str {
    match of {
        Type::U8 => "i8",
        Type::U16 => "i16",
        Type::U32 => "i32",
        Type::U64 => "i64",
        Type::U128 => "i128",
    }
}

/// The type in which numbers of a type are computed.
pub(super) fn wide(of: Type) -> Type {
    of.max(Type::U32)
}

/// A constant of this type or of the type in which it is computed.
pub(super) fn literal(value: u128, of: Type) -> String {
    let value = value & of.mask();
    match of {
        _ if value >> 64 != 0 => format!(
            "((u128){} << 64 | {})",
            literal(value >> 64, Type::U64),
            literal(value, Type::U64)
        ),
        Type::U128 => format!("(u128){}", literal(value, Type::U64)),
        Type::U64 if value < 10 => format!("{value}ull"),
        Type::U64 => format!("{value:#x}ull"),
        _ if value < 10 => format!("{value}u"),
        _ => format!("{value:#x}u"),
    }
}

/// An expression, computed in the wide type, cut to its type.
pub(super) fn cut(to: Type, expression: &str) -> String {
    if to == wide(to) {
        expression.into()
    } else {
        format!("({})({expression})", name(to))
    }
}

/// An expression shifted left by a constant.
pub(super) fn shifted_left(expression: &str, by: u32) -> String {
    match by {
        0 => expression.into(),
        _ => format!("({expression} << {by})"),
    }
}

/// `expression + k`, without a zero.
pub(super) fn plus(expression: &str, k: u128, of: Type) -> String {
    match k & of.mask() {
        0 => expression.into(),
        k => format!("{expression} + {}", literal(k, of)),
    }
}

/// The byte of a truth value that an expression of C gives.
pub(super) fn truth(condition: &str) -> String {
    format!("(u8)-({condition})")
}

/// A truth value or, where `change` is ff, its negation.
pub(super) fn changed(truth: &str, change: u8) -> String {
    match change {
        0 => truth.into(),
        _ => format!("(u8)~{truth}"),
    }
}
