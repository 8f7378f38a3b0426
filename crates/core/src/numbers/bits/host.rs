//! IEEE 754 operations that the processor running this program has itself.

/// An operation, rounded to nearest even; subnormal operands and results are not flushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HostOperation {
    /// `x + y`.
    Add,
    /// `x * y`.
    Multiply,
    /// `x * y + z`, rounded once.
    Fma,
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
            HostOperations::Unfused => operation != HostOperation::Fma,
            HostOperations::All => true,
        }
    }
}
