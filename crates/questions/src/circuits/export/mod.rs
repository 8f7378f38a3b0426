//! Export: models and comparisons of models as text for other tools: C, Verilog, BTOR2, SMT-LIB,
//! ACL2, DPI, its tape in C and CUDA, and its description.
//!
//! A model is recorded once as a [`Circuit`](mmasmt_numbers::bits::circuit::Circuit); each
//! output format has a printer of circuits, in a file of its own. Tapes, the programs over columns,
//! are printed where they are made, in the crate of models.

mod about;
mod acl2;
mod btor2;
mod c;
mod dpi;
mod error;
mod functions;
mod limbs;
mod names;
mod ports;
mod smtlib;
mod statements;
mod subject;
mod tapes;
mod unit;
mod verilog;

pub use error::ExportError;
pub use functions::{ExportAdditions, Function, functions, of_format as functions_of_format};
pub use ports::{PortShape, Ports};
pub use subject::{ExportFormat, ExportOptions, Exported, Subject};
pub use unit::unit_text;
