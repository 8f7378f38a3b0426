//! The failures that `check` shows, and their format.

use super::explain::write_stages;
use super::output::{value_text, write_inputs};
use crate::cli::error::Error;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::vectors::{CheckFailure, Checked};
use std::io::Write;

/// The number of failures that are shown if `--show` is not given.
pub(super) const SHOWN: usize = 3;

/// How many failures are shown: so many for each file, or so many for all files together.
pub(super) struct ShownFailures {
    /// The number of failures to show for each file, if `--show` gives it.
    asked: Option<usize>,
    /// The number of failures of all files that may still be shown, if `--show` is not given.
    left: usize,
}

impl ShownFailures {
    pub fn new(asked: Option<usize>) -> ShownFailures {
        ShownFailures { asked, left: SHOWN }
    }

    /// How many failures of a file must be kept, so that they can be shown.
    pub fn keep(&self) -> usize {
        self.asked.unwrap_or(SHOWN)
    }

    /// Writes the failures of a file, with their stages if `--show` is given.
    pub fn write(
        &mut self,
        out: &mut dyn Write,
        model: &Model,
        checked: &Checked,
    ) -> Result<(), Error> {
        if self.asked.is_some() {
            for failure in &checked.failures {
                write_failure(out, model, failure)?;
                write_stages(out, model, &failure.vector.inputs)?;
            }
            return Ok(());
        }
        let some = checked.failures.iter().take(self.left);
        let count = some.len();
        for failure in some {
            write_failure(out, model, failure)?;
        }
        if count > 0 && checked.failed > count {
            writeln!(out, "  {}", more(checked.failed - count))?;
        }
        self.left -= count;
        Ok(())
    }
}

fn write_failure(out: &mut dyn Write, model: &Model, failure: &CheckFailure) -> Result<(), Error> {
    let format = model.signature().d;
    writeln!(out, "  line {}:", failure.line)?;
    write_inputs(out, &model.into(), &failure.vector.inputs)?;
    writeln!(
        out,
        "    recorded  {}",
        value_text(&format, failure.vector.d)
    )?;
    writeln!(
        out,
        "    computed  {}",
        value_text(&format, failure.computed)
    )?;
    Ok(())
}

/// The note that there are `failures` more failures, which are not shown.
pub(super) fn more(failures: usize) -> String {
    format!("and {failures} more: `--show N` shows N of them")
}
