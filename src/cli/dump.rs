//! Options that write a question to a file for any solver.

use super::output::write_text_file;
use super::timeouts::within;
use crate::cli::error::Error;
use mmasmt_core::base::limits::Limits;
use mmasmt_questions::claims::query::Question;
use std::path::PathBuf;

/// Where the question is written to.
#[derive(Debug, clap::Args)]
pub(super) struct DumpArgs {
    /// Write the question as SMT-LIB to a file as well
    #[arg(long, value_name = "FILE")]
    pub dump_smt: Option<PathBuf>,
    /// Write question and clauses as the model has them, with no simplification of ours
    #[arg(long)]
    pub plain: bool,
}

impl DumpArgs {
    /// Writes the question within the limits, if `--dump-smt` is given.
    pub fn write(&self, limits: &Limits, question: &Question) -> Result<(), Error> {
        let Some(path) = &self.dump_smt else {
            return Ok(());
        };
        let text = within(limits, || Ok::<_, Error>(question.script(self.plain)))?;
        write_text_file(path, &text)
    }
}
