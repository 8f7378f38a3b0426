//! The failures that `check` shows, and their format.

use super::explain::write_stages;
use super::output::{value_text, write_inputs};
use crate::cli::error::Error;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::vectors::{Checked, Failure};
use std::io::Write;

/// Failures that are shown where nothing is said of them.
pub(super) const SHOWN: usize = 3;

/// Which failures are shown.
pub(super) struct Shown {
    /// How many of each file, if that was said.
    asked: Option<usize>,
    /// How many more of all files, if not.
    left: usize,
}

impl Shown {
    pub fn new(asked: Option<usize>) -> Shown {
        Shown { asked, left: SHOWN }
    }

    /// How many failures of a file are needed.
    pub fn keep(&self) -> usize {
        self.asked.unwrap_or(SHOWN)
    }

    /// The failures of a file, with their stages where `--show` asks for them.
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

fn write_failure(out: &mut dyn Write, model: &Model, failure: &Failure) -> Result<(), Error> {
    let format = model.signature().d;
    let signature = model.signature();
    writeln!(out, "  line {}:", failure.line)?;
    write_inputs(out, &signature, &failure.vector.inputs)?;
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

/// That there are more failures than those that are shown.
pub(super) fn more(failures: usize) -> String {
    format!("and {failures} more: `--show N` shows N of them")
}
