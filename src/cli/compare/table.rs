//! The table of `compare`, as text, JSON and comma-separated values.

use crate::cli::error::Error;
use crate::cli::json::{Cost, ModelText, NumberText, VectorObject};
use crate::cli::output::{PROGRAM, shell_word, widest};
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Stopped;
use mmasmt_numbers::float::Exponents;
use mmasmt_questions::errors::compare::Errors;
use mmasmt_questions::vectors::measure::{Measure, Quotient};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::Write;

/// The rows of the table, and how they were computed.
pub(super) struct CompareTable<'x> {
    pub rows: &'x [CompareRow],
    pub measure: Measure,
    pub samples: u64,
    pub seed: u64,
    pub stopped: Option<Stopped>,
    pub seconds: f64,
}

/// One scheme on one unit, for one number of products and one range of exponents.
pub(super) struct CompareRow {
    pub exponents: Exponents,
    pub products: u32,
    pub scheme: String,
    /// The unit that the scheme was made of, as the request names it; empty if the scheme needs no
    /// unit.
    pub on: String,
    pub outcome: CompareOutcome,
}

/// The model of a row and its errors; or why it has no model or no errors.
pub(super) type CompareOutcome = Result<(Model, Box<Errors>), String>;

/// Rows that have the same exponents and the same number of products.
pub(super) type Group<'x> = (Exponents, u32, Vec<&'x CompareRow>);

/// A scheme on a unit, as they were asked for: without the number of products.
pub(super) fn asked([scheme, on]: [&str; 2]) -> String {
    match (scheme, on) {
        ("_", on) => on.to_owned(),
        (scheme, "") => scheme.to_owned(),
        (scheme, on) => format!("{scheme} on {on}"),
    }
}

impl CompareRow {
    /// How many of the drawn operands overflow on the way, and that no bound holds for these; `None` if
    /// none do.
    fn overflows(&self, has_bounds: bool) -> Option<String> {
        let (_, errors) = self.outcome.as_ref().ok()?;
        let (all, infinite) = (errors.distribution.samples, errors.distribution.infinite);
        let bound = match &errors.bound {
            Some(_) if has_bounds => "; the bound holds for the others",
            _ => "",
        };
        let percent = 100.0 * infinite as f64 / all.max(1) as f64;
        (infinite > 0).then(|| {
            format!(
                "{}, {} products, exponents {}: a value on the way overflows for {infinite} of {all} operands ({percent:.1} %){bound}",
                self.subject(),
                self.products,
                self.exponents
            )
        })
    }

    /// The model of the row; if there is none, the scheme and the unit.
    pub(super) fn subject(&self) -> String {
        let model = self.outcome.as_ref().map(|(model, _)| model);
        subject(model.ok(), [&self.scheme, &self.on])
    }
}

/// The model of a row; if there is none, the scheme and the unit.
pub(super) fn subject(model: Option<&Model>, [scheme, on]: [&str; 2]) -> String {
    match model {
        Some(model) => model.to_string(),
        None if on.is_empty() => scheme.into(),
        None => format!("{scheme} on {on}"),
    }
}

impl CompareTable<'_> {
    /// Whether error bounds are known in the measure of the table.
    fn has_bounds(&self) -> bool {
        matches!(self.measure, Measure::RelativeToSum | Measure::Absolute)
    }

    /// Remarks that a reader of the table needs in addition to [`settings`](Self::settings).
    pub(super) fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if !self.has_bounds() {
            remarks.push(
                "no bound: what is proved is a multiple of the sum of magnitudes, which --measure sum and --measure abs show".into(),
            );
        }
        let outcomes = || self.rows.iter().filter_map(|row| row.outcome.as_ref().ok());
        let unbounded = outcomes().find(|(_, errors)| errors.bound.is_none());
        if let Some((model, _)) = unbounded.filter(|_| self.has_bounds()) {
            let model = model.to_string();
            remarks.push(format!(
                "not known: no bound is proved for such a unit; `mmasmt worst {}` searches for large errors",
                shell_word(&model)
            ));
        }
        for row in self.rows {
            remarks.extend(row.overflows(self.has_bounds()));
        }
        let mut factors: Vec<String> = Vec::new();
        for (model, _) in outcomes() {
            let Signature { a, b, .. } = model.signature();
            let of = format!("{a} x {b}");
            if !factors.contains(&of) {
                factors.push(of);
            }
        }
        if factors.len() > 1 {
            remarks.push(format!(
                "rows have different operands, {}: each format has numbers of its own",
                factors.join(" and ")
            ));
        }
        remarks
    }

    /// The rows, in groups: rows with the same exponents and number of products form a group.
    pub(super) fn groups(&self) -> Vec<Group<'_>> {
        let mut groups: Vec<Group<'_>> = Vec::new();
        for row in self.rows {
            let key = (row.exponents, row.products);
            match groups.iter_mut().find(|group| (group.0, group.1) == key) {
                Some(group) => group.2.push(row),
                None => groups.push((key.0, key.1, vec![row])),
            }
        }
        groups
    }

    /// Writes the table as text, for a person.
    pub(super) fn write(&self, out: &mut dyn Write) -> Result<(), Error> {
        writeln!(out, "{}", self.settings())?;
        for remark in self.remarks() {
            writeln!(out, "{remark}")?;
        }
        for (exponents, products, rows) in self.groups() {
            writeln!(
                out,
                "\n{products} products, exponents of the factors {exponents}\n"
            )?;
            let width = widest(rows.iter().map(|row| row.subject())).max(8);
            let head = line(self.columns());
            writeln!(out, "  {:width$}  {head}", "")?;
            for row in &rows {
                let figures = match &row.outcome {
                    Ok((_, errors)) => line(&self.cells(errors)),
                    Err(why) => why.clone(),
                };
                writeln!(out, "  {:width$}  {figures}", row.subject())?;
            }
            if let Some(sentence) = self.least_bound(&rows) {
                writeln!(out, "\n{sentence}")?;
            }
        }
        let (seed, seconds) = (self.seed, self.seconds);
        let stopped = match self.stopped {
            Some(stopped) => format!(", {}", stopped.describe()),
            None => String::new(),
        };
        writeln!(out, "\n# {PROGRAM}, seed {seed}{stopped}, {seconds:.2} s")?;
        Ok(())
    }

    /// The row with the least bound, and those of the same operands that are worse: an error was found of
    /// each that is above this bound. `None` if there are none.
    fn least_bound(&self, rows: &[&CompareRow]) -> Option<String> {
        if !self.has_bounds() {
            return None;
        }
        let outcomes = rows.iter().filter_map(|row| row.outcome.as_ref().ok());
        // A bound says nothing of operands for which a value on the way overflows.
        let bounded = outcomes.clone().filter_map(|(model, errors)| {
            let is_of_all = errors.distribution.infinite == 0;
            Some((model, errors.bound.as_ref().filter(|_| is_of_all)?))
        });
        let (best, bound) = bounded.min_by_key(|(_, bound)| *bound)?;
        let factors = |model: &Model| [model.signature().a, model.signature().b];
        let worse = outcomes
            .filter(|(model, errors)| factors(model) == factors(best) && errors.worst.1 > *bound);
        let worse: Vec<String> = worse.map(|(model, _)| model.to_string()).collect();
        (!worse.is_empty()).then(|| {
            let worse = match worse.len() {
                ..=3 => worse.join(" and of "),
                all if all + 1 == rows.len() => "each of the others".into(),
                all => format!("{} and of {} more", worse[..3].join(" and of "), all - 3),
            };
            format!("proved: no error of {best} is as large as one that was found of {worse}")
        })
    }

    /// A line that says what the errors are counted in, and over which operands.
    pub(super) fn settings(&self) -> String {
        let (unit, samples) = (self.measure.describe(), self.samples);
        format!("errors, {unit}; {samples} random dot products each, c = 0")
    }

    /// The titles of the columns.
    pub(super) fn columns(&self) -> &'static [&'static str] {
        let all = &["median", "99.9 %", "worst found", "proved bound"];
        if self.has_bounds() { all } else { &all[..3] }
    }

    /// The cells of a row, one for each of the columns.
    pub(super) fn cells(&self, errors: &Errors) -> Vec<String> {
        let numbers = numbers(errors).into_iter();
        let cells = numbers.map(|number| number.map_or_else(|| "not known".into(), figure));
        cells.take(self.columns().len()).collect()
    }

    /// The table as comma-separated values: a line with titles, then one line for each row.
    pub(super) fn as_csv(&self) -> String {
        let mut text = String::from(
            "exponents,products,scheme,on,model,measure,samples,seed,median,p99.9,worst,bound,why_not\n",
        );
        for row in self.rows {
            let (measure, samples, seed) = (self.measure.name(), self.samples, self.seed);
            let (model, figures, why) = match &row.outcome {
                Ok((model, errors)) => (model.canonical(), numbers(errors), ""),
                Err(why) => (String::new(), [None; 4], why.as_str()),
            };
            let figures =
                figures.map(|figure| figure.map_or_else(String::new, |x| format!("{x:e}")));
            let cells = [
                row.exponents.to_string(),
                row.products.to_string(),
                row.scheme.clone(),
                row.on.clone(),
                model,
                measure.into(),
                samples.to_string(),
                seed.to_string(),
                figures.join(","),
            ];
            let last = cells.len() - 1;
            for cell in &cells[..last] {
                let _ = write!(text, "{},", quoted(cell));
            }
            let _ = writeln!(text, "{},{}", cells[last], quoted(why));
        }
        text
    }

    /// The table as JSON.
    pub(super) fn answer(&self) -> ErrorsAnswer {
        ErrorsAnswer {
            measure: self.measure.name(),
            samples: self.samples,
            rows: self.rows.iter().map(ErrorsRow::of).collect(),
            reason: self.stopped.map(Stopped::describe),
            cost: Cost::new(self.seconds, Some(self.seed)),
        }
    }
}

/// `mmasmt compare`: errors of random operands, the largest found, and a bound
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct ErrorsAnswer {
    measure: &'static str,
    samples: u64,
    rows: Vec<ErrorsRow>,
    /// The limit that was reached.
    reason: Option<&'static str>,
    cost: Cost,
}

/// A scheme on a unit, for a number of products and a range of exponents.
#[derive(Serialize, JsonSchema)]
pub(super) struct ErrorsRow {
    exponents: String,
    products: u32,
    scheme: String,
    on: String,
    /// The reason if there is no such model.
    #[serde(skip_serializing_if = "Option::is_none")]
    why_not: Option<String>,
    #[serde(flatten)]
    figures: Option<ErrorFigures>,
}

/// The errors of a model; null if one is infinite, or no bound is known.
#[derive(Serialize, JsonSchema)]
struct ErrorFigures {
    model: ModelText,
    #[schemars(extend("nullable" = true))]
    median: Option<f64>,
    #[serde(rename = "p99.9")]
    #[schemars(extend("nullable" = true))]
    high: Option<f64>,
    #[schemars(extend("nullable" = true))]
    worst: Option<f64>,
    worst_exact: NumberText,
    witnesses: [VectorObject; 1],
    #[schemars(extend("nullable" = true))]
    bound: Option<f64>,
    /// How many of the drawn operands overflow on the way; the bound is for the others.
    infinite: u64,
}

impl ErrorsRow {
    /// A row of the table.
    pub(super) fn of(row: &CompareRow) -> ErrorsRow {
        let outcome = row.outcome.as_ref();
        ErrorsRow {
            exponents: row.exponents.to_string(),
            products: row.products,
            scheme: row.scheme.clone(),
            on: row.on.clone(),
            why_not: outcome.err().cloned(),
            figures: (outcome.ok()).map(|(model, errors)| ErrorFigures::new(model, errors)),
        }
    }
}

impl ErrorFigures {
    fn new(model: &Model, errors: &Errors) -> ErrorFigures {
        let [median, high, worst, bound] = numbers(errors);
        let (inputs, exact) = &errors.worst;
        let d = model.simulator().run(inputs);
        ErrorFigures {
            model: ModelText::of(model),
            median,
            high,
            worst,
            worst_exact: NumberText::of(exact),
            witnesses: [VectorObject::new(&model.signature(), inputs, &[d])],
            bound,
            infinite: errors.distribution.infinite,
        }
    }
}

/// The numbers of a row: median, 99.9th percentile, worst error found, proved bound.
pub(super) fn numbers(errors: &Errors) -> [Option<f64>; 4] {
    let Errors {
        distribution,
        worst,
        ..
    } = errors;
    let bound = errors.bound.as_ref().map(Quotient::approximate);
    [
        Some(distribution.median),
        Some(distribution.high),
        Some(worst.1.approximate()),
        bound,
    ]
}

/// The cells in one line, each padded to the width of its column.
fn line<T: AsRef<str>>(cells: &[T]) -> String {
    let padded = cells.iter().zip([9, 9, 11, 12]);
    let padded = padded.map(|(cell, width)| format!("{:>width$}", cell.as_ref()));
    padded.collect::<Vec<_>>().join("  ")
}

fn figure(x: f64) -> String {
    match x {
        0.0 => "0".into(),
        x if x.is_infinite() => "infinite".into(),
        x => format!("{x:.2e}"),
    }
}

/// A cell of comma-separated values, in quotes if it needs them.
pub(super) fn quoted(cell: &str) -> String {
    match cell.contains([',', '"', '\n']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.into(),
    }
}
