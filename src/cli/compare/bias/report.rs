//! The output of `compare --bias`.

use super::super::table::{quoted, subject};
use crate::cli::error::Error;
use crate::cli::json::cost_json;
use crate::cli::output::{PROGRAM, widest};
use mmasmt_core::base::limits::Stopped;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::errors::bias::{Bias, Mean, Side};
use mmasmt_questions::inputs::Sources;
use mmasmt_questions::vectors::measure::Measure;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write;

const WIDTHS: [usize; 8] = [10, 22, 11, 8, 8, 8, 9, 0];
const TITLES: [&str; 8] = [
    "mean",
    "95 % interval",
    "toward zero",
    "too low",
    "exact",
    "too high",
    "left out",
    "bias",
];

/// One scheme on one unit, for one number of products.
pub(super) struct BiasRow {
    pub(super) products: u32,
    pub(super) scheme: String,
    pub(super) on: String,
    /// The model and its errors, or why there are none.
    pub(super) outcome: Result<(Model, Bias), String>,
}

/// The rows, and how they were computed.
pub(super) struct BiasReport<'x> {
    pub(super) rows: &'x [BiasRow],
    pub(super) sources: &'x Sources,
    pub(super) assume: Option<&'x str>,
    pub(super) measure: Measure,
    pub(super) samples: u64,
    pub(super) stopped: Option<Stopped>,
    pub(super) seconds: f64,
}

impl BiasRow {
    /// The model of the row; if there is none, the scheme and the unit.
    pub(super) fn subject(&self) -> String {
        let model = self.outcome.as_ref().map(|(model, _)| model);
        subject(model.ok(), [&self.scheme, &self.on])
    }
}

impl BiasReport<'_> {
    pub(super) fn write(&self, out: &mut dyn Write) -> Result<(), Error> {
        let (unit, samples) = (self.measure.describe(), self.samples);
        writeln!(
            out,
            "signed errors, {unit}; {samples} random dot products each, {}{}",
            self.sources,
            self.assume
                .map_or_else(String::new, |assume| format!("; {assume}"))
        )?;
        let has_left_out = self
            .rows
            .iter()
            .any(|row| matches!(&row.outcome, Ok((_, bias)) if bias.left_out > 0));
        let mut last = None;
        let width = widest(self.rows.iter().map(BiasRow::subject)).max(8);
        for row in self.rows {
            if last != Some(row.products) {
                last = Some(row.products);
                writeln!(out, "\n{} products\n", row.products)?;
                let head = line(TITLES.map(String::from), has_left_out);
                writeln!(out, "  {:width$}  {head}", "")?;
            }
            let figures = match &row.outcome {
                Ok((_, bias)) => line(cells(bias), has_left_out),
                Err(why) => why.clone(),
            };
            writeln!(out, "  {:width$}  {figures}", row.subject())?;
        }
        if has_left_out {
            writeln!(
                out,
                "\nleft out: results that are not finite, or whose error is infinite in this measure"
            )?;
        }
        let stopped = match self.stopped {
            Some(stopped) => format!(", {}", stopped.describe()),
            None => String::new(),
        };
        let (seed, seconds) = (self.sources.seed, self.seconds);
        writeln!(out, "\n# {PROGRAM}, seed {seed}{stopped}, {seconds:.2} s")?;
        Ok(())
    }

    pub(super) fn as_csv(&self) -> String {
        let mut text = String::from(
            "products,scheme,on,model,measure,a,b,c,assume,samples,seed,mean,from,to,toward_zero,too_low,exact,too_high,left_out,why_not\n",
        );
        for row in self.rows {
            let (model, figures, why) = match &row.outcome {
                Err(why) => (String::new(), vec![String::new(); 8], why.as_str()),
                Ok((model, bias)) => {
                    let of =
                        |number: Option<f64>| number.map_or_else(String::new, |x| format!("{x:e}"));
                    let limits = bias.mean.interval;
                    let numbers = [
                        Some(bias.mean.mean),
                        limits.map(|[low, _]| low),
                        limits.map(|[_, high]| high),
                        Some(bias.toward_zero.mean),
                    ];
                    let counts = bias
                        .counts
                        .iter()
                        .chain([&bias.left_out])
                        .map(u64::to_string);
                    let cells = numbers.map(of).into_iter().chain(counts);
                    (model.canonical(), cells.collect(), "")
                }
            };
            let [a, b] = &self.sources.factors;
            let cells = [
                row.products.to_string(),
                row.scheme.clone(),
                row.on.clone(),
                model,
                self.measure.name().into(),
                a.to_string(),
                b.to_string(),
                self.sources.c.to_string(),
                self.assume.unwrap_or_default().into(),
                self.samples.to_string(),
                self.sources.seed.to_string(),
            ];
            let cells = cells.into_iter().chain(figures).chain([why.into()]);
            let cells: Vec<_> = cells.map(|cell| quoted(&cell)).collect();
            let _ = writeln!(text, "{}", cells.join(","));
        }
        text
    }

    pub(super) fn as_json(&self) -> Value {
        let [a, b] = self.sources.factors.each_ref().map(ToString::to_string);
        json!({
            "measure": self.measure.name(),
            "samples": self.samples,
            "draw": { "a": a, "b": b, "c": self.sources.c.to_string() },
            "assume": self.assume,
            "rows": self.rows.iter().map(row_json).collect::<Vec<_>>(),
            "reason": self.stopped.map(Stopped::describe),
            "cost": cost_json(self.seconds, Some(self.sources.seed), None),
        })
    }
}

fn row_json(row: &BiasRow) -> Value {
    let mut value = json!({ "products": row.products, "scheme": row.scheme, "on": row.on });
    match &row.outcome {
        Err(why) => value["why_not"] = why.as_str().into(),
        Ok((model, bias)) => {
            let mean = |of: &Mean| json!({ "mean": of.mean, "interval": of.interval });
            let [low, exact, high] = bias.counts;
            value["model"] = model.canonical().into();
            value["bias"] = json!({
                "error": mean(&bias.mean),
                "toward_zero": mean(&bias.toward_zero),
                "too_low": low,
                "exact": exact,
                "too_high": high,
                "left_out": bias.left_out,
                "low_of_inexact": bias.low,
                "by_mean": side(bias.by_mean()),
                "by_signs": side(bias.by_signs()),
            });
        }
    }
    value
}

fn side(side: Side) -> &'static str {
    match side {
        Side::Down => "down",
        Side::Up => "up",
        Side::Neither => "none seen",
    }
}

/// The cells of a row, one for each title.
fn cells(bias: &Bias) -> [String; 8] {
    let interval = match bias.mean.interval {
        Some([low, high]) => format!("{low:.2e}..{high:.2e}"),
        None => "not known".into(),
    };
    let [low, exact, high] = bias.counts.map(|count| count.to_string());
    [
        format!("{:.2e}", bias.mean.mean),
        interval,
        format!("{:.2e}", bias.toward_zero.mean),
        low,
        exact,
        high,
        bias.left_out.to_string(),
        verdict(bias),
    ]
}

/// What the mean and the signs say of a bias.
fn verdict(bias: &Bias) -> String {
    match (bias.by_mean(), bias.by_signs()) {
        (one, other) if one == other => side(one).into(),
        (of_mean, Side::Neither) => format!("{} (mean)", side(of_mean)),
        (Side::Neither, of_signs) => format!("{} (signs)", side(of_signs)),
        (of_mean, of_signs) => format!("mean {}, signs {}", side(of_mean), side(of_signs)),
    }
}

/// The cells in one line, each padded to the width of its column.
fn line(cells: [String; 8], has_left_out: bool) -> String {
    let places = cells.iter().zip(WIDTHS).zip(TITLES);
    let shown = places.filter(|(_, title)| has_left_out || *title != "left out");
    let padded = shown.map(|((cell, width), _)| format!("{cell:>width$}"));
    padded.collect::<Vec<_>>().join("  ")
}
