//! `compare`: errors of schemes on units, as a table.

mod bias;
mod curve;
mod page;
mod pairs;
mod plot;
mod spoken;
mod table;

use super::Status;
use super::diff::{self, are_machines};
use super::output::write_text_file;
use super::shards::{Shard, ShardArgs, ShareWork};
use super::timeouts::within;
use super::worst::measure;
use crate::cli::error::Error;
use crate::cli::frame::SearchArgs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::Exponents;
use mmasmt_questions::errors::compare::{CompareError, OperandDraw, errors, usual_exponents};
use mmasmt_questions::vectors::measure::Measure;
use pairs::{model, pairs};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use table::{CompareRow, CompareTable, ErrorsRow, asked};

pub(super) use bias::BiasAnswer;
pub(super) use table::ErrorsAnswer;

/// Compare the errors of schemes and units: on random operands, at worst, and a proved bound
///
/// A scheme is one of three: the name of a composition (markidis, 3xtf32, promote:every=4), a
/// specification with `_` in place of the unit, or a model. Random operands have uniform signs and
/// significands, exponents in a range, and c = 0; all schemes with operands of the same formats get
/// the same operands. Each error is the exact distance of the result from the exact sum. The column
/// `worst` has the largest error that a search finds, as by `mmasmt worst`; larger ones may exist.
/// The column `bound` is proved, for normal operands where no sum overflows.
#[derive(Debug, clap::Args)]
#[command(
    mut_arg("timeout", |time| time.help("Time limit for the whole table [default: 10m]")),
    after_help = "Examples:\n  mmasmt compare markidis ootomo-yokota 3xtf32 --on volta,ampere,hopper\n  mmasmt compare 'promote:every=1' 'promote:every=4' _ --on hopper/wgmma.m64nNk32.f32.e4m3.e4m3 --lengths 4096 --exponents -6..8\n  mmasmt compare cdna3/v_mfma_f32_32x32x8_f16 --bias --draw '1000*normal' --draw-c normal\n  mmasmt compare 'splitk(_, 8)' _ --on ampere/HMMA.16816.F32 --lengths 1024 --svg errors.svg\n\nExit status: 0 the table has every scheme on every unit that it can use, 2 the request was wrong, 3 ended before that."
)]
pub(super) struct Args {
    /// The schemes to compare
    #[arg(required = true, value_name = "SCHEME")]
    schemes: Vec<String>,
    /// The units. For an architecture or a machine, the unit is the instruction that the scheme can
    /// use; if there are several, the one of f16 with sums in f32
    #[arg(long, value_name = "ARCH/INSTRUCTION|ARCH,...")]
    on: Vec<String>,
    /// Numbers of products of a dot product; 16..4096 doubles from 16 to 4096. With four numbers or
    /// more, --svg draws a curve
    #[arg(long, value_name = "K|FIRST..LAST", value_delimiter = ',', default_value = "16,1024", value_parser = lengths)]
    lengths: Vec<Lengths>,
    /// Range of the exponents of the factors, where 1 has the exponent 0. Without this, those from
    /// -15 to 14 that all operands have and with which no sum overflows
    #[arg(long, value_name = "LOWEST..HIGHEST", value_delimiter = ',', allow_hyphen_values = true, value_parser = Exponents::parse)]
    exponents: Vec<Exponents>,
    /// The measure of errors: abs, ulp (last places of the result), rel (relative to the exact
    /// sum), sum (relative to the sum of the magnitudes of all products)
    #[arg(long, default_value = "sum", value_parser = measure)]
    measure: Measure,
    /// How many random dot products to draw for each line of the table [default: 100000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    samples: Option<u64>,
    #[command(flatten)]
    search: SearchArgs,
    /// Write the table as comma-separated values
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Draw the table
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the table and the drawing as a page for a browser, which also takes the worst operands
    /// apart: one file, which needs no network
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    bias: bias::BiasArgs,
    #[command(flatten)]
    shards: ShardArgs,
}

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    if let [left, right] = &args.schemes[..]
        && args.on.is_empty()
        && are_machines([left, right])
    {
        return diff::run(
            &diff::Args::of([left, right], args.search.seed)
                .within(args.search.time.timeout)
                .with_samples(args.samples)
                .with_html(args.html.clone()),
            json,
            out,
        );
    }
    let start = Instant::now();
    let limits = args.search.time.limits_or(TIME)?;
    if args.bias.bias {
        let request = bias::BiasRequest {
            schemes: &args.schemes,
            on: &args.on,
            lengths: args.all_lengths(),
            operands: &args.bias,
            measure: args.measure,
            samples: args.samples(),
            seed: args.search.seed,
            csv: args.csv.as_deref(),
            svg: args.svg.as_deref(),
        };
        return bias::run(&request, &limits, json, out);
    }
    if let Some(shard) = args.shards.shard {
        return share(args, shard, &limits, out);
    }
    let rows = rows(args, &limits)?;
    let table = CompareTable {
        rows: &rows,
        measure: args.measure,
        samples: args.samples(),
        seed: args.search.seed,
        stopped: limits.stopped(),
        seconds: start.elapsed().as_secs_f64(),
    };
    if let Some(path) = &args.csv {
        write_text_file(path, &table.as_csv())?;
    }
    if let Some(path) = &args.svg {
        write_text_file(path, &plot::svg(&table)?)?;
    }
    if let Some(path) = &args.html {
        write_text_file(path, &page::html(&table)?)?;
    }
    if json {
        super::json::write_json(out, &table.answer())?
    } else {
        table.write(out)?
    }
    Ok(match limits.stopped() {
        None => Status::Yes,
        Some(_) => Status::Unknown,
    })
}

/// Numbers of products: one, or a range in which each is twice the one before.
#[derive(Clone, Debug)]
struct Lengths(Vec<u32>);

/// The value of `--lengths`.
fn lengths(text: &str) -> Result<Lengths, String> {
    let number = |text: &str| text.parse::<u32>().ok().filter(|number| *number > 0);
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => {
            let doubled = std::iter::successors(Some(first), |number| number.checked_mul(2));
            Ok(Lengths(
                doubled.take_while(|number| *number <= last).collect(),
            ))
        }
        _ => Err(format!(
            "expected a number of products, or a range such as 16..4096, found `{}`",
            excerpt(text)
        )),
    }
}

/// The defaults of `--time` and `--samples`.
const TIME: Duration = Duration::from_secs(600);
const SAMPLES: u64 = 100_000;

impl Args {
    fn samples(&self) -> u64 {
        self.samples.unwrap_or(SAMPLES)
    }

    /// All numbers of products, in their order.
    fn all_lengths(&self) -> Vec<u32> {
        self.lengths
            .iter()
            .flat_map(|Lengths(all)| all)
            .copied()
            .collect()
    }
}

/// A line of the table, before its errors are computed.
struct Cell<'x> {
    exponents: Exponents,
    products: u32,
    scheme: &'x str,
    on: &'x str,
    /// The model, or why this scheme cannot be made of this unit.
    model: Result<Model, String>,
}

/// The lines of the table, in their order.
///
/// # Errors
/// If a text is no model, or a model cannot take the operands that are asked for.
fn cells(args: &Args) -> Result<Vec<Cell<'_>>, Error> {
    let pairs = pairs(&args.schemes, &args.on)?;
    let mut models = Vec::new();
    for products in args.all_lengths() {
        for [scheme, on] in &pairs {
            models.push(model([scheme, on], products)?);
        }
    }
    let made = || models.iter().filter_map(|model| model.as_ref().ok());
    let ranges = match &args.exponents[..] {
        [] => vec![
            usual_exponents(made().map(Model::signature)).ok_or_else(|| {
                Error::Usage(
                    "these operands have no exponents in common: give --exponents LOWEST..HIGHEST"
                        .into(),
                )
            })?,
        ],
        given => given.to_vec(),
    };
    for &exponents in &ranges {
        for model in made() {
            let fits = operands(args, exponents).fit(&model.signature());
            let model = excerpt(&model.to_string());
            fits.map_err(|error| Error::Usage(format!("`{model}`: {error}")))?;
        }
    }
    let all_lengths = args.all_lengths();
    let places = all_lengths
        .iter()
        .flat_map(|products| pairs.iter().map(move |pair| (*products, *pair)));
    let of_range = ranges.into_iter().flat_map(|exponents| {
        let cells = places.clone().zip(&models);
        cells.map(move |((products, [scheme, on]), model)| Cell {
            exponents,
            products,
            scheme,
            on,
            model: model.clone(),
        })
    });
    Ok(of_range.collect())
}

fn operands(args: &Args, exponents: Exponents) -> OperandDraw {
    OperandDraw {
        exponents,
        measure: args.measure,
        samples: args.samples(),
        seed: args.search.seed,
    }
}

fn row(args: &Args, limits: &Limits, cell: &Cell<'_>) -> Result<CompareRow, Error> {
    let Cell {
        exponents,
        products,
        scheme,
        on,
        ..
    } = *cell;
    let subject = asked([scheme, on]);
    limits.report(|report| report.question = format!("errors of {subject}, K={products}"));
    let outcome = match &cell.model {
        Err(why) => Err(why.clone()),
        Ok(model) => {
            let operands = operands(args, exponents);
            let found = limits.run(|| errors(model, &operands, limits));
            match found {
                Ok(Ok(errors)) => Ok((model.clone(), Box::new(errors))),
                Ok(Err(error @ CompareError::Stopped)) => Err(error.to_string()),
                Ok(Err(error)) => return Err(Error::Usage(error.to_string())),
                Err(stopped) => Err(stopped.describe().into()),
            }
        }
    };
    Ok(CompareRow {
        exponents,
        products,
        scheme: scheme.into(),
        on: on.into(),
        outcome,
    })
}

fn rows(args: &Args, limits: &Limits) -> Result<Vec<CompareRow>, Error> {
    let cells = within(limits, || cells(args))?;
    let all = cells.len();
    let rows = cells.iter().enumerate().map(|(done, cell)| {
        limits.report(|report| report.settled = Some([done, all]));
        row(args, limits, cell)
    });
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    // If no row has errors, and no limit was reached, the request is wrong.
    let first = rows.iter().find_map(|row| row.outcome.as_ref().err());
    match first {
        Some(what) if limits.stopped().is_none() && rows.iter().all(|row| row.outcome.is_err()) => {
            Err(Error::Usage(what.clone()))
        }
        _ => Ok(rows),
    }
}

/// Computes a share of the lines of the table, and writes it.
fn share(args: &Args, shard: Shard, limits: &Limits, out: &mut dyn Write) -> Result<Status, Error> {
    let cells = within(limits, || cells(args))?;
    let names = cells.iter().map(|cell| {
        json!([
            cell.exponents.to_string(),
            cell.products,
            cell.scheme,
            cell.on
        ])
    });
    let (measure, samples, seed) = (args.measure, args.samples(), args.search.seed);
    let work = ShareWork {
        command: "compare",
        asked: json!({
            "measure": measure.name(), "samples": samples, "seed": seed, "rows": names.collect::<Vec<_>>(),
        }),
        items: cells.len() as u64,
        stride: 1,
    };
    work.share(shard, &args.shards, limits, out, |item| {
        let row = row(args, limits, &cells[item as usize])?;
        let is_whole = limits.stopped().is_none();
        Ok(is_whole.then(|| (ErrorsRow::of(&row), Status::Yes)))
    })
}
