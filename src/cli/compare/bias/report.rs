//! The output of `compare --bias`.

use super::super::table::{quoted, subject};
use crate::cli::error::Error;
use crate::cli::json::{Cost, DrawObject, ModelText};
use crate::cli::output::{PROGRAM, widest};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Stopped;
use mmasmt_questions::errors::bias::{Bias, BiasDirection, Mean};
use mmasmt_questions::inputs::Sources;
use mmasmt_questions::vectors::measure::Measure;
use schemars::JsonSchema;
use serde::Serialize;
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

    pub(super) fn answer(&self) -> BiasAnswer<'_> {
        BiasAnswer {
            measure: self.measure.name(),
            samples: self.samples,
            draw: DrawObject::of(self.sources),
            assume: self.assume,
            rows: self.rows.iter().map(BiasRowObject::of).collect(),
            reason: self.stopped.map(Stopped::describe),
            cost: Cost::new(self.seconds, Some(self.sources.seed)),
        }
    }
}

/// `mmasmt compare --bias`: signed errors of random operands
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct BiasAnswer<'x> {
    measure: &'static str,
    samples: u64,
    draw: DrawObject,
    assume: Option<&'x str>,
    rows: Vec<BiasRowObject<'x>>,
    /// The limit that was reached.
    reason: Option<&'static str>,
    cost: Cost,
}

/// A scheme on a unit, for a number of products.
#[derive(Serialize, JsonSchema)]
struct BiasRowObject<'x> {
    products: u32,
    scheme: &'x str,
    on: &'x str,
    /// The reason if there is no such model.
    #[serde(skip_serializing_if = "Option::is_none")]
    why_not: Option<&'x str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<ModelText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bias: Option<BiasObject>,
}

#[derive(Serialize, JsonSchema)]
struct BiasObject {
    error: Mean,
    /// How far the results are toward zero.
    toward_zero: Mean,
    too_low: u64,
    exact: u64,
    too_high: u64,
    /// Results that are not finite, or whose error is infinite in this measure.
    left_out: u64,
    /// The share of results that are too low among those that are not exact, with 95 % confidence.
    low_of_inexact: [f64; 2],
    #[schemars(extend("enum" = ["down", "up", "none seen"]))]
    by_mean: &'static str,
    #[schemars(extend("enum" = ["down", "up", "none seen"]))]
    by_signs: &'static str,
}

impl<'x> BiasRowObject<'x> {
    fn of(row: &'x BiasRow) -> Self {
        let found = row.outcome.as_ref().ok();
        BiasRowObject {
            products: row.products,
            scheme: &row.scheme,
            on: &row.on,
            why_not: row.outcome.as_ref().err().map(String::as_str),
            model: found.map(|(model, _)| ModelText::of(model)),
            bias: found.map(|(_, bias)| BiasObject {
                error: bias.mean,
                toward_zero: bias.toward_zero,
                too_low: bias.counts[0],
                exact: bias.counts[1],
                too_high: bias.counts[2],
                left_out: bias.left_out,
                low_of_inexact: bias.low,
                by_mean: side(bias.by_mean()),
                by_signs: side(bias.by_signs()),
            }),
        }
    }
}

fn side(side: BiasDirection) -> &'static str {
    match side {
        BiasDirection::Down => "down",
        BiasDirection::Up => "up",
        BiasDirection::Neither => "none seen",
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
        (of_mean, BiasDirection::Neither) => format!("{} (mean)", side(of_mean)),
        (BiasDirection::Neither, of_signs) => format!("{} (signs)", side(of_signs)),
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
