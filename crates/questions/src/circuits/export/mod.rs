//! Export: models and comparisons of models as text for other tools: C, Verilog, BTOR2, SMT-LIB,
//! DPI.
//!
//! A model is recorded once as a [`Circuit`](mmasmt_core::numbers::bits::circuit::Circuit); each
//! output format has a printer of circuits, in a file of its own.

mod about;
mod btor2;
mod c;
mod dpi;
mod limbs;
mod ports;
mod smtlib;
mod statements;
mod subject;
mod verilog;

pub use ports::{Ports, Shape};
pub use subject::{ExportError, Exported, Format, Options, Subject};
