//! Operations that the processor running this program has itself: those of IEEE 754, and the
//! rounding of an integer times a power of two.

/// An operation, rounded to nearest even if it does not say another mode; subnormal operands are not flushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HostOperation {
    /// `x + y`.
    Add,
    /// `x * y`.
    Multiply,
    /// `x * y + z`, rounded once.
    Fma,
    /// `x * y + z` in binary32, rounded once. A result becomes the zero of its sign if it is below the
    /// normal numbers once it is rounded as if the exponent had no limit.
    FlushedFma,
    /// `x + y` in binary32, rounded to odd: a sum that is cut becomes the neighbour whose last bit is one.
    OddSum,
}

/// The format of all operands and of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HostFormat {
    /// binary32.
    F32,
    /// binary64.
    F64,
}

impl HostFormat {
    /// The width of a register in bits.
    pub fn width(self) -> u32 {
        match self {
            HostFormat::F32 => 32,
            HostFormat::F64 => 64,
        }
    }
}

/// The operations of the processor that an instance may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HostOperations {
    /// No operations: floats are computed by operations on integers.
    #[default]
    None,
    /// Additions and multiplications: the processor has no fused multiply-add.
    Unfused,
    /// All operations.
    All,
}

impl HostOperations {
    /// Whether the instance may use the operation `operation`.
    pub fn has(self, operation: HostOperation) -> bool {
        match self {
            HostOperations::None => false,
            HostOperations::Unfused => match operation {
                HostOperation::Add | HostOperation::Multiply | HostOperation::OddSum => true,
                HostOperation::Fma | HostOperation::FlushedFma => false,
            },
            HostOperations::All => true,
        }
    }
}

/// A rounding of `sum * 2^(exponent + exponent_offset)` to binary32, where `sum` is an integer. A
/// magnitude that is too large for binary32 gives an infinity; a sum of zero gives +0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HostRounding {
    /// The offset of the exponent.
    pub exponent_offset: i32,
    /// The significant bits that are kept of the sum before it is rounded; `None` if all are kept.
    pub cut: Option<HostCut>,
    /// The mode of the rounding.
    pub mode: HostMode,
    /// Whether a negative number that is rounded to zero gives -0 and not +0.
    pub keeps_sign_of_zero: bool,
}

/// The mode of a rounding to binary32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HostMode {
    /// To nearest, ties to even.
    Nearest,
    /// Toward zero, with this many fraction bits kept, at most 23.
    TowardZero(u32),
}

/// A first cut of a sum: its leading one and the bits below it are kept. Of a number below the
/// normal numbers of binary32, those bits are kept that the least normal number would keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HostCut {
    /// The number of bits that are kept, the leading one included.
    pub bits: u32,
    /// Whether the sum is cut down, toward negative infinity, and not toward zero.
    pub floor: bool,
}
