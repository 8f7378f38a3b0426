//! Options that write a question to a file, for any solver.

use crate::error::Error;
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
    /// Writes what `script` makes, if that is wanted; it is told whether to leave it plain.
    pub fn write<E: Into<Error>>(
        &self,
        script: impl FnOnce(bool) -> Result<String, E>,
    ) -> Result<(), Error> {
        let Some(path) = &self.dump_smt else {
            return Ok(());
        };
        let text = script(self.plain).map_err(Into::into)?;
        std::fs::write(path, text).map_err(|error| Error::File {
            path: path.clone(),
            error,
        })
    }
}
