//! The reason that an export fails.

use mmasmt_columns::tape::print::PrintError;
use mmasmt_numbers::base::excerpt::excerpt;
use thiserror::Error;

/// The reason that an export fails.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ExportError {
    /// The name of the function or module is not allowed in C or Verilog.
    #[error(
        "--name: expected a letter, then letters, digits and underlines, at most 64, no word of C, Verilog or ACL2 and no name of a port, found `{}`",
        excerpt(.0)
    )]
    Name(String),
    /// Registers are asked for, but the format has none.
    #[error("--latency needs --to verilog, which alone has registers")]
    Latency,
    /// A port is too wide for an integer of C.
    #[error("--to c: expected ports of at most 64 bits, found one of {0}")]
    Wide(u32),
    /// A tape or a description is asked for, but not of one model.
    #[error("--to {0}: expected one model, found {1}")]
    NoModel(&'static str, &'static str),
    /// The model has no tape.
    #[error(
        "--to tape-c, tape-cuda and matrix-cuda: expected words of at most 128 bits and at most 4096 products, found a model of up to {bits} bits and {products} products"
    )]
    NoTape {
        /// The width of its widest word.
        bits: u32,
        /// The number of its products.
        products: u32,
    },
    /// The description of a design is asked for.
    #[error(
        "expected a model of an algorithm, a row of a table or a composition, found a design, which has no description"
    )]
    NoUnit,
    /// The description of several units is asked for.
    #[error(
        "--to unit: expected a model of one unit, found `{}`, which is {steps}; `mmasmt models show MODEL --unit` prints the unit inside",
        excerpt(.model)
    )]
    NotWhole {
        /// The model.
        model: String,
        /// What it is made of.
        steps: String,
    },
    /// The language of descriptions has no words for the unit.
    #[error(
        "expected a unit that a description can say, found `{}`, one of RDNA or of Ozaki's schemes",
        excerpt(.0)
    )]
    Unsaid(String),
    /// The tape has an operation without a text.
    #[error("--to tape-c, tape-cuda and matrix-cuda: {0}")]
    Unprintable(#[from] PrintError),
}
