//! Options that write a question to a file for any solver.

use super::output::write_text_file;
use super::timeouts::within;
use crate::cli::error::Error;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::query::Question;
use std::path::PathBuf;

/// Where the question is written to.
#[derive(Debug, clap::Args)]
pub(super) struct DumpArgs {
    /// Also write the question to a file, as SMT-LIB
    #[arg(long, value_name = "FILE")]
    pub dump_smt: Option<PathBuf>,
    /// Write the question and its clauses without our simplifications, as the model has them
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
