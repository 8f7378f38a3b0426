//! Errors in designs, because of which a design cannot be a model.

use thiserror::Error;

/// An error in a design.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum DesignError {
    /// A line that is not BTOR2.
    #[error("line {line}: expected {expected}, found `{found}`")]
    Line {
        /// Line number, from 1.
        line: usize,
        /// The expected text.
        expected: String,
        /// The text found.
        found: String,
    },
    /// An operation that is not allowed in a combinational design over bit-vectors.
    #[error("line {line}: `{found}`: {what}")]
    Unsupported {
        /// Line number, from 1.
        line: usize,
        /// The operation.
        found: String,
        /// The reason and a remedy.
        what: &'static str,
    },
    /// A port map cannot be parsed.
    #[error(
        "--ports: expected ROW=PORT, PORT=NUMBER or latency=CYCLES, separated by commas, found `{0}`"
    )]
    Map(String),
    /// A row of operands has no port.
    #[error(
        "no port for {row}: expected {expected}, found {found}; --ports {row}=PORT says which one it is"
    )]
    NoPort {
        /// The row of operands.
        row: &'static str,
        /// The expected names and widths.
        expected: String,
        /// The ports of the design.
        found: String,
    },
    /// A port has another width than its operands.
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
    /// The result depends on a port that is not an operand.
    #[error(
        "the result depends on {0}, which is no operand: --ports {0}=NUMBER holds a port at a value (a reset at the level that does not reset)"
    )]
    Free(String),
    /// The result depends on the initial content of a register.
    #[error(
        "the result depends on what register {register} holds after {latency} cycles: expected a design that is combinational or a pipeline; \
         --ports latency=CYCLES says after how many cycles the result of held operands is there"
    )]
    State {
        /// The register's name.
        register: String,
        /// The number of cycles for which the operands were held.
        latency: u32,
    },
}
