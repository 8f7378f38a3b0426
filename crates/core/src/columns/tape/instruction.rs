//! Instructions: the operations of a program, before columns are allotted to its values.

use super::element::Type;
use crate::numbers::bits::HostOperation;

/// Number of a value: the position of the instruction that makes it.
pub type Value = usize;

/// The cost of a pass over one instruction, in bytes of nodes that are made in the same time.
pub(super) const OPERATION: u64 = 64;

/// The operation of an instruction; `x`, `y`, `z` are its operands, `k` and `l` its constants, `s`
/// and `t` its shifts. Truth values are bytes, 0 or ff. All is modulo the width of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// Input number `k`.
    Input,
    /// `k`.
    Constant,
    /// The low bits of `x`, or `x` with zeros above it.
    Convert,
    /// The same, with copies of the sign above `x`.
    ConvertSigned,
    /// `x >> s & k`.
    Extract,
    /// The same, with copies of the sign shifted in.
    ExtractSigned,
    /// The low `width - s` bits, sign-extended.
    SignExtend,
    /// `(x << s) + k`.
    Scale,
    /// `k - (x << s)`.
    Negate,
    /// `x * k`.
    MultiplyConst,
    /// `(x << s) + (y << t) + k`.
    Add,
    /// `(x << s) - (y << t) + k`.
    Subtract,
    /// `x * y << s`, of factors that may be narrower.
    Multiply,
    /// `x ? y : z`.
    Choose,
    /// `x ? y : k`.
    ChooseElse,
    /// `x ? k : y`.
    ChooseThen,
    /// `x ? -y : y`.
    NegateIf,
    /// The greatest operand.
    Maximum,
    /// `x << y & k`.
    ShiftLeft,
    /// `x >> y`; `x >> (y - z)` with three operands.
    ShiftRight,
    /// The same, with copies of the sign shifted in.
    ShiftRightSigned,
    /// The processor's own operation on `f32` or `f64`, by the type of the result.
    Host(HostOperation),
    /// Leading zeros of `x`, less `k`.
    Zeros,
    /// `x ? k : l`.
    Select,
    /// `x + (y ? k : l)`.
    AddSelect,
    /// `x >> s & k`, or `l` where that is zero.
    ExtractOr,
    /// `(x >> s & k) + l'`, and `l` more where `x & k'` is zero: `k'` and `l'` are the high halves
    /// of the constants.
    ExtractAdd,
    /// `z ? x + y + k : l`.
    AddIf,
    /// `z & w ? x + y + k : l`, `z` and `w` changed by bytes of `s`.
    AddIfBoth,
    /// The same, with `x` and `z` of the first lane.
    AddIfBothUniform,
    /// The greatest of `t` such sums, each with four operands, and of the operands after them.
    MaximumOfSums,
    /// The same, where the first number and the first truth value of each sum are those of the
    /// first lane.
    MaximumOfSumsUniform,
    /// Bitwise conjunction.
    And,
    /// Bitwise disjunction.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// The same on bytes, with `x` of the first lane.
    XorUniform,
    /// `x == k`.
    EqualConst,
    /// `x < k`.
    LessConst,
    /// `x > k`.
    MoreConst,
    /// `x < k` of two's complement numbers.
    LessConstSigned,
    /// `x > k` of two's complement numbers.
    MoreConstSigned,
    /// `x == y`.
    Equal,
    /// `x < y`.
    Less,
    /// `x < y` of two's complement numbers.
    LessSigned,
    /// `x & k != 0`.
    Bit,
    /// `x & k == l`.
    FieldEqual,
    /// `x & k > l`.
    FieldMore,
    /// `(x ^ y) & k != 0`.
    BitOfXor,
    /// `x & k != 0` and `y & k != 0`.
    BothBits,
    /// Whether a one is lost in `x >> y`.
    Lost,
    /// Conjunction of up to four truth values, each changed by a byte of `k`.
    All,
    /// Whether no pair of operands is true in both places. A bit of `k` negates the first operand
    /// of a pair, a bit of `l` the second.
    NoPair,
    /// `x ? y : z` of truth values, `y` and `z` changed by bytes of `k`.
    ChooseTruth,
    /// The sum of numbers, each negated where a truth value holds. Operands come in fours. The
    /// first `t` fours are truth value, factor, factor, unused; the others are truth value, number,
    /// unused, unused. Products are shifted left by `s`. `k` is one where the highest bits of
    /// factors and of numbers are zeros, and two where products also have at most 15 bits. `l` is
    /// one where first factors are those of the first lane.
    SignedSum,
    /// The same, each number shifted right by the first operand less the last operand of its four.
    AlignedSum,
    /// `y * 2^(z + k)` as a number of `f32`, negative where `x` holds; `k` includes the bias of
    /// `f32`.
    Real,
    /// `2^(k - x)` as a number of `f32`, where `x` is limited to the range from the low half of `l`
    /// to its high half; `k` includes the bias.
    Power,
    /// The sum of products of three numbers of `f32`, each cut to an integer: the first operand
    /// times the two numbers of a pair of the operands after it. `l` is one where the first number
    /// of a pair is that of the first lane.
    SumOfReals,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// The operation.
    pub code: Code,
    /// The type of the result.
    pub to: Type,
    /// The type of its operands, or of factors.
    pub from: Type,
    /// The type of shift amounts.
    pub by: Type,
    /// Operands.
    pub args: Vec<Value>,
    /// `s` and `t`.
    pub shifts: [u32; 2],
    /// `k` and `l`.
    pub constants: [u128; 2],
}

impl Instruction {
    pub(super) fn new(code: Code, to: Type, args: &[Value]) -> Instruction {
        Instruction {
            code,
            to,
            from: to,
            by: Type::U8,
            args: args.to_vec(),
            shifts: [0; 2],
            constants: [0; 2],
        }
    }

    pub(super) fn from(self, from: Type) -> Instruction {
        Instruction { from, ..self }
    }

    pub(super) fn by(self, by: Type) -> Instruction {
        Instruction { by, ..self }
    }

    pub(super) fn shifts(self, s: u32, t: u32) -> Instruction {
        let shifts = [s, t];
        Instruction { shifts, ..self }
    }

    /// The instruction with these constants, cut to the wider of the types of operands and result.
    pub(super) fn constants(self, k: u128, l: u128) -> Instruction {
        Instruction {
            constants: [k, l],
            ..self
        }
    }

    pub(super) fn constant(self, k: u128) -> Instruction {
        self.constants(k, 0)
    }
}
