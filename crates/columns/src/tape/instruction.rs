//! Instructions: the operations of a program, before columns are allotted to its values.

use super::element::Type;
use mmasmt_numbers::bits::HostOperation;

/// The number of a value: the position of the instruction that makes it.
pub type Value = usize;

/// The cost of a pass over one instruction, in the unit of [`work`](mmasmt_numbers::base::limits::work).
pub(super) const OPERATION: u64 = 64;

/// The operation of an instruction; `x`, `y`, `z`, `w` are its operands, `k` and `l` its constants,
/// `s` and `t` its shifts. Truth values are bytes, 0 or ff. All arithmetic is modulo 2^width, where
/// `width` is the number of bits of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// The input with the number `k`.
    Input,
    /// The constant `k`.
    Constant,
    /// `x` in another type: its low bits, or `x` with zeros above it.
    Convert,
    /// `x` in a wider type, with copies of its sign above it.
    ConvertSigned,
    /// `x >> s & k`.
    Extract,
    /// `x >> s & k`, with copies of the sign of `x` shifted in.
    ExtractSigned,
    /// The low `width - s` bits of `x`, sign-extended.
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
    /// `x * y << s`; the factors may be narrower than the result.
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
    /// `x >> y` or `x >> (y - z)`, with copies of the sign of `x` shifted in.
    ShiftRightSigned,
    /// The processor's own operation, on `f32` or on `f64` depending on the type of the result.
    Host(HostOperation),
    /// The number of leading zeros of `x`, less `k`.
    Zeros,
    /// `x ? k : l`.
    Select,
    /// `x + (y ? k : 0) + l`.
    AddSelect,
    /// `x >> s & k`, or `l` where this field is zero.
    ExtractOr,
    /// `(x >> s & k) + l'`, plus `l` where `x & k'` is zero; `k'` and `l'` are the high halves of
    /// the two constants, `k` and `l` the low halves.
    ExtractAdd,
    /// `z ? x + y + k : l`.
    AddIf,
    /// `z & w ? x + y + k : l`. The lowest byte of `s` negates `z` if it is ff; the next byte does
    /// the same to `w`.
    AddIfBoth,
    /// The same as `AddIfBoth`, where all lanes use `x` and `z` of the first lane.
    AddIfBothUniform,
    /// The maximum of `t` conditional sums and of plain numbers. The first `4 * t` operands are the
    /// operands of the sums, four for each sum as in `AddIfBoth`; the operands after them are the
    /// numbers.
    MaximumOfSums,
    /// The same as `MaximumOfSums`, where all lanes use the first number and the first truth value
    /// of each sum from the first lane.
    MaximumOfSumsUniform,
    /// The greatest `x` of sums of two numbers, which come in pairs: `x + l'` if `x` exceeds `l`, else
    /// `l"`, where `l`, `l'` and `l"` are the lowest three words of 32 bits of the second constant.
    /// `k` is one if all lanes use the first number of each pair from the first lane.
    MaximumOfPairs,
    /// Bitwise conjunction.
    And,
    /// Bitwise disjunction.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Bitwise exclusive or of bytes, where all lanes use `x` of the first lane.
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
    /// Conjunction of up to four truth values. If a byte of `k` is ff, the truth value at the same
    /// position is negated.
    All,
    /// The operands come in pairs: whether there is no pair in which both operands are true. If bit
    /// `i` of `k` is set, the first operand of pair `i` is negated; if bit `i` of `l` is set, the
    /// second.
    NoPair,
    /// `x ? y : z` of truth values. If the second byte of `k` is ff, `y` is negated; if the third
    /// byte is ff, `z` is negated.
    ChooseTruth,
    /// The sum of products and plain numbers, each negated where its truth value holds. Operands
    /// come in groups of four: first `t` groups of a truth value, two factors and an unused
    /// operand; then groups of a truth value, a plain number and two unused operands. Products are
    /// shifted left by `s`. `k` is one if the highest bits of factors and of plain numbers are
    /// zeros, and two if products also have at most 15 bits. `l` is one if all lanes use the first
    /// factor of each product from the first lane.
    SignedSum,
    /// The same as `SignedSum`, with an additional operand before all others. Each product or plain
    /// number is first shifted right by the additional operand less the last operand of its own
    /// group.
    AlignedSum,
    /// The sum of numbers, each shifted left by its exponent and negated where its truth value holds.
    /// Operands come in groups of four: a truth value, a number, an unused operand and an exponent.
    /// Numbers with exponents from `s` on are summed apart.
    SumOfPlaced,
    /// `y * 2^(z + k - 127)` in `f32`, negated where `x` holds; 127 is the bias of `f32`.
    Real,
    /// `2^(k - x - 127)` in `f32`, where `x` is first limited to the range from the low half of `l`
    /// to the high half of `l`; 127 is the bias of `f32`.
    Power,
    /// `x * 2^(k - y)`, cut to a signed integer, where `x` is a number of `f32`. A third operand has
    /// powers of two that may serve; the constant `l` says where.
    RealPart,
    /// The sum of products of two signed numbers, shifted left by `s`; the operands come in pairs.
    /// `k` is one if all lanes use the first number of each pair from the first lane.
    DotProduct,
    /// The sum of one or two columns of integers times `2^(e + s - 1023)`, rounded to binary32; 1023
    /// is the bias of binary64. The first operand is `e`. The constants and `t` say how it is cut
    /// and rounded.
    Round {
        /// Whether the sum is first cut to a number of significant bits.
        is_cut: bool,
        /// Whether a result may be subnormal.
        may_be_subnormal: bool,
    },
    /// The sum of products of three numbers of `f32`, each product cut to an integer. The first
    /// operand is a factor of every product. The operands after it come in pairs, one pair for each
    /// product: its other two factors. `k` is the most bits of an aligned product. `l` is one if all
    /// lanes use the first number of each pair from the first lane.
    SumOfReals,
    /// The sum of products of numbers of `f64`, which has all bits of each product, rounded once to nearest even. The operands
    /// come in pairs; if `s` is one, a number that is added comes before them, of `f32` if `t` is 24. `k` is the
    /// [format](super::ResultFormat) of the result. `l` is one if all lanes use the first number of each pair from the first
    /// lane.
    ExactSum,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// The operation.
    pub code: Code,
    /// The type of the result.
    pub to: Type,
    /// The type of the operands; for a sum of products, the type of the factors.
    pub from: Type,
    /// The type of shift amounts and of exponents.
    pub by: Type,
    /// Operands.
    pub args: Vec<Value>,
    /// The shifts `s` and `t`.
    pub shifts: [u32; 2],
    /// The constants `k` and `l`.
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

    /// The instruction with the constants `k` and `l`. The caller has cut each constant to the
    /// width in which the operation uses it.
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
