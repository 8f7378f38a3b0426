//! The report of `mutants --faults`: which stuck-at faults of a unit's circuit inputs show, as text and as JSON.

use super::json::{Cost, ModelText, VectorObject};
use super::output::{answer_text, counted, head_of_lines};
use crate::cli::error::Error;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::identify::FaultCoverage;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::path::Path;

/// A unit, and which faults of its circuit are shown.
pub(super) struct FaultsReport<'x> {
    pub base: &'x Model,
    /// The file whose inputs are scored; `None` if the program found them.
    pub file: Option<&'x Path>,
    pub coverage: &'x FaultCoverage,
    /// Whether operands may be infinities and NaNs.
    pub specials: bool,
}

impl FaultsReport<'_> {
    /// The inputs, each with the result of the unit without a fault.
    fn results(&self) -> impl Iterator<Item = (&Inputs, u64)> {
        let mut simulator = self.base.simulator();
        let inputs = self.coverage.inputs.iter();
        inputs.map(move |inputs| (inputs, simulator.run(inputs)))
    }

    /// The text of a vector file: a unit without a fault gives these results.
    pub fn as_file(&self) -> String {
        let signature = self.base.signature();
        let title = format!("stuck-at faults of {}", self.base);
        let lines = "a unit without a fault gives the d at the end";
        head_of_lines(&title, &signature, lines)
            + &format!("# {}\n", self.summary())
            + &self.lines("")
    }

    fn lines(&self, before: &str) -> String {
        let signature = self.base.signature();
        let line = |(inputs, d): (&Inputs, u64)| {
            let d = answer_text(&signature, d);
            format!("{before}{} {d}\n", inputs.to_line(&signature))
        };
        self.results().map(line).collect()
    }

    /// One line that says how many faults are shown.
    fn summary(&self) -> String {
        let FaultCoverage {
            gates,
            shown,
            hidden,
            ..
        } = *self.coverage;
        let subject = match self.file {
            Some(path) => path.display().to_string(),
            None => counted(self.coverage.inputs.len(), "input", "inputs"),
        };
        let all = self.coverage.faults() - hidden;
        let percent = 100.0 * shown as f64 / all.max(1) as f64;
        format!("{subject}: {shown} of {all} stuck-at faults of {gates} gates show: {percent:.1} %")
    }

    pub fn write(&self, out: &mut dyn Write) -> Result<(), Error> {
        let FaultCoverage {
            missed,
            hidden,
            open,
            ..
        } = *self.coverage;
        writeln!(out, "{}", self.summary())?;
        if hidden > 0 {
            let is_any = self.specials || self.base.signature().is_integer();
            let operands = if is_any { "" } else { "finite " };
            writeln!(
                out,
                "{hidden} more change no result for any {operands}operands: proved"
            )?;
        }
        if open > 0 {
            writeln!(
                out,
                "{open} are not decided in time: --pair-timeout gives each more"
            )?;
        }
        if missed > 0 {
            writeln!(out, "\n{missed} are missed, and shown by these:")?;
        }
        if !self.coverage.inputs.is_empty() {
            write!(out, "\n{}", self.lines("  "))?;
        }
        writeln!(
            out,
            "\nthe gates are those of textbook adders, multipliers and shifters for these steps; a chip has others, and a fault that depends on \
             time or heat is none that is stuck"
        )?;
        Ok(())
    }

    pub fn answer(&self, cost: Cost) -> FaultsAnswer {
        let signature = self.base.signature();
        let vectors = self.results();
        let vectors = vectors.map(|(inputs, d)| VectorObject::new(&signature, inputs, &[d]));
        FaultsAnswer {
            model: ModelText::of(self.base),
            name: self.base.to_string(),
            gates: self.coverage.gates,
            faults: self.coverage.faults(),
            shown: self.coverage.shown,
            missed: self.coverage.missed,
            hidden: self.coverage.hidden,
            open: self.coverage.open,
            vectors: vectors.collect(),
            cost,
        }
    }
}

/// `mmasmt mutants --faults`
#[derive(Serialize, JsonSchema)]
pub(super) struct FaultsAnswer {
    model: ModelText,
    name: String,
    /// The gates of the circuit that the result depends on.
    gates: usize,
    /// All faults: each gate has two, its output is always 0 or always 1.
    faults: usize,
    /// Faults that the vectors show, or with `--score` the vectors of the file.
    shown: usize,
    /// Faults that the vectors show and the file does not.
    missed: usize,
    /// Faults that are proved to change no result.
    hidden: usize,
    open: usize,
    /// Inputs with the results of the unit without a fault.
    vectors: Vec<VectorObject>,
    cost: Cost,
}
