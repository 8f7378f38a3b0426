//! Why a file is no design that can be a model.

use thiserror::Error;

/// What is wrong with a design.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum DesignError {
    /// A line that is not BTOR2.
    #[error("line {line}: expected {expected}, found `{found}`")]
    Line {
        /// From 1.
        line: usize,
        /// What should stand there.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// A line that no combinational design over bit-vectors has.
    #[error("line {line}: `{found}`: {what}")]
    Unsupported {
        /// From 1.
        line: usize,
        /// The operation.
        found: String,
        /// Why, and what to do.
        what: &'static str,
    },
    /// The text of a port map.
    #[error(
        "--ports: expected ROW=PORT, PORT=NUMBER or latency=CYCLES, separated by commas, found `{0}`"
    )]
    Map(String),
    /// No port for a row of operands.
    #[error(
        "no port for {row}: expected {expected}, found {found}; --ports {row}=PORT says which one it is"
    )]
    NoPort {
        /// The row.
        row: &'static str,
        /// Names and widths.
        expected: String,
        /// Ports of the design.
        found: String,
    },
    /// A port of another width.
    #[error("port `{port}`: expected {expected} bits for {row}, found {found}")]
    Width {
        /// The port.
        port: String,
        /// The row of operands.
        row: String,
        /// Bits of the operands.
        expected: u32,
        /// Bits of the port.
        found: u32,
    },
    /// A result that depends on something else.
    #[error(
        "the result depends on {0}, which is no operand: --ports {0}=NUMBER holds a port at a value (a reset at the level that does not reset)"
    )]
    Free(String),
    /// A result that depends on what registers held before.
    #[error(
        "the result depends on what register {register} holds after {latency} cycles: expected a design that is combinational or a pipeline; \
         --ports latency=CYCLES says after how many cycles the result of held operands is there"
    )]
    State {
        /// Its name.
        register: String,
        /// Cycles that operands were held for.
        latency: u32,
    },
}
