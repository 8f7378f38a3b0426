//! The output of `tolerance`.

use super::words::{counts, percent};
use crate::cli::error::Error;
use crate::cli::output::{PROGRAM, widest};
use mmasmt_core::machines::model::Model;
use mmasmt_questions::claims::query::confidence;
use mmasmt_questions::errors::tolerance::{
    ErrorSample, OutsideCounts, OwnTolerance, Range, Sizes, ToleranceBounds, WrongKernel,
};
use mmasmt_questions::inputs::Sources;
use std::io::Write;

/// The answer of `tolerance`.
pub(super) struct ToleranceReport<'x> {
    pub(super) model: &'x Model,
    pub(super) range: Option<Range>,
    pub(super) proved: Option<&'x ToleranceBounds>,
    pub(super) own: Option<&'x TestTolerance>,
    pub(super) sources: &'x Sources,
    pub(super) samples: u64,
    pub(super) elements: u64,
    pub(super) wrong: &'x [WrongKernel],
    pub(super) found: &'x ErrorSample,
    pub(super) seconds: f64,
}

/// The tolerance of somebody's test, and its `atol` and `rtol` as they were given.
pub(super) struct TestTolerance {
    pub(super) numbers: [f64; 2],
    pub(super) tolerance: OwnTolerance,
}

impl ToleranceReport<'_> {
    pub(super) fn write(&self, out: &mut dyn Write) -> Result<(), Error> {
        let signature = self.model.signature();
        writeln!(out, "{}: {signature}\n", self.model)?;
        let (head, lines) = self.proved_lines();
        writeln!(out, "{head}")?;
        if !lines.is_empty() {
            writeln!(out)?;
        }
        write_lines(out, &lines)?;
        let samples = self.samples;
        writeln!(
            out,
            "\nrandom: {samples} dot products, {}{}\n",
            self.sources,
            self.limits()
        )?;
        let percentile = self.found.relative.percentile;
        let name = percentile.map_or(String::new(), |high| format!("{} %", high.percent));
        writeln!(
            out,
            "             {:>9}  {name:>9}  {:>9}",
            "median", "largest"
        )?;
        for (name, sizes) in [
            ("error / S", &self.found.relative),
            ("error", &self.found.absolute),
        ] {
            let Sizes {
                median,
                percentile,
                largest,
            } = sizes;
            let high = percentile.map_or(String::new(), |high| format!("{:.2e}", high.size));
            writeln!(
                out,
                "  {name:<9}  {median:>9.2e}  {high:>9}  {largest:>9.2e}"
            )?;
        }
        if self.found.not_finite > 0 {
            let count = self.found.not_finite;
            writeln!(
                out,
                "  {count} results are not finite: these operands overflow"
            )?;
        }
        self.write_wrong(out)?;
        if let Some((head, lines)) = self.own_lines() {
            writeln!(out, "\n{head}")?;
            write_lines(out, &lines)?;
        }
        if let Some(head) = self.paste_head() {
            writeln!(out, "\n{head}\n")?;
            write_lines(out, &self.paste())?;
        }
        let (seed, seconds) = (self.sources.seed, self.seconds);
        writeln!(out, "\n# {PROGRAM}, seed {seed}, {seconds:.2} s")?;
        Ok(())
    }

    /// Writes which wrong kernels are caught.
    fn write_wrong(&self, out: &mut dyn Write) -> Result<(), Error> {
        let elements = self.elements;
        writeln!(
            out,
            "\noutside of the tolerance: share of results, and of tests of {elements} results that fail\n"
        )?;
        let (head, rows) = (self.columns(), self.rows());
        let names: Vec<&str> = rows.iter().map(|(name, _)| *name).collect();
        let width = widest(names.iter());
        let titles: Vec<_> = head.iter().map(|title| format!("{title:>17}")).collect();
        writeln!(out, "  {:width$}  {}", "", titles.join("  "))?;
        for (name, shares) in rows {
            let cells = shares.iter().map(|[share, test]| {
                format!(
                    "{:>7} {:>9}",
                    percent(*share),
                    format!("({})", percent(*test))
                )
            });
            let cells: Vec<_> = cells.collect();
            writeln!(out, "  {name:width$}  {}", cells.join("  "))?;
        }
        writeln!(out, "\n{}", self.none())?;
        Ok(())
    }

    /// The sentence that explains a share of 0 %.
    pub(super) fn none(&self) -> String {
        format!(
            "0 %: none of {}, so with 95 % confidence at most {} of results",
            self.samples,
            percent(confidence(0, self.samples)[1])
        )
    }

    /// The titles of the columns of tolerances.
    pub(super) fn columns(&self) -> Vec<&'static str> {
        let has_atol = self.proved.is_some_and(|proved| proved.within.is_some());
        let optional = [
            (self.proved.is_some(), "proved"),
            (has_atol, "atol"),
            (self.own.is_some(), "yours"),
        ];
        let titles = optional
            .into_iter()
            .filter_map(|(is, title)| is.then_some(title));
        titles
            .chain(["largest random", "the model's bits"])
            .collect()
    }

    /// Each kernel with the shares that are outside of each tolerance: of results, and of tests.
    pub(super) fn rows(&self) -> Vec<(&str, Vec<[f64; 2]>)> {
        let wrong = self.wrong.iter().map(|wrong| wrong.name.as_str());
        let all = [&self.found.right].into_iter().chain(&self.found.wrong);
        let rows = ["right"].into_iter().chain(wrong).zip(all);
        let shares = |outside: &OutsideCounts| -> Vec<[f64; 2]> {
            let counts = counts(outside).into_iter().flatten();
            counts.map(|count| self.shares(count)).collect()
        };
        rows.map(|(name, outside)| (name, shares(outside)))
            .collect()
    }
}

fn write_lines(out: &mut dyn Write, lines: &[String]) -> Result<(), Error> {
    for line in lines {
        writeln!(out, "  {line}")?;
    }
    Ok(())
}
