//! `compare --bias`: signed errors over random operands.

mod plot;
mod report;

pub(in crate::cli) use report::BiasAnswer;

use super::pairs::{model, pairs};
use super::table::asked;
use crate::cli::Status;
use crate::cli::draws::{factors, source};
use crate::cli::error::Error;
use crate::cli::frame::DomainArgs;
use crate::cli::output::write_text_file;
use crate::cli::timeouts::within;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::property::{ClaimError, Domain};
use mmasmt_questions::errors::bias::{Bias, bias};
use mmasmt_questions::inputs::{DrawError, Sources};
use mmasmt_questions::vectors::measure::Measure;
use report::{BiasReport, BiasRow};
use std::io::Write;
use std::path::Path;
use std::time::Instant;

/// Options for signed errors.
#[derive(Debug, clap::Args)]
#[command(mut_arg("assume", |domain| domain.requires("bias").help("For --bias: assumptions about the operands, such as `b = a`: each number is drawn again until it is as assumed")))]
pub(in crate::cli) struct BiasArgs {
    /// Tell the mean of the signed errors with an interval of 95 % confidence, and how many results are
    /// too low, exact and too high; nothing is searched or proved
    #[arg(long, conflicts_with_all = ["exponents", "html", "shard"])]
    pub bias: bool,
    /// For --bias: the factors, or those of a and of b: normal (mean 0, variance 1), uniform (from -1 to
    /// 1), positive (from 0 to 1), times a scale such as 1000*normal, or any elements of an array
    /// FILE.npy; rounded to nearest
    #[arg(
        long,
        value_name = "NUMBERS|A,B",
        value_delimiter = ',',
        default_value = "normal",
        requires = "bias"
    )]
    pub draw: Vec<String>,
    /// For --bias: c, in the same words
    #[arg(long, value_name = "NUMBERS", default_value = "0", requires = "bias")]
    pub draw_c: String,
    #[command(flatten)]
    pub domain: DomainArgs,
}

/// What is asked.
pub(super) struct BiasRequest<'x> {
    pub(super) schemes: &'x [String],
    pub(super) on: &'x [String],
    pub(super) lengths: Vec<u32>,
    pub(super) operands: &'x BiasArgs,
    pub(super) measure: Measure,
    pub(super) samples: u64,
    pub(super) seed: u64,
    pub(super) csv: Option<&'x Path>,
    pub(super) svg: Option<&'x Path>,
}

/// Tells the bias of each scheme on each unit.
pub(super) fn run(
    args: &BiasRequest<'_>,
    limits: &Limits,
    json: bool,
    out: &mut dyn Write,
) -> Result<Status, Error> {
    let start = Instant::now();
    let sources = within(limits, || {
        Ok::<_, Error>(Sources {
            factors: factors(&args.operands.draw)?,
            c: source("--draw-c", &args.operands.draw_c)?,
            within: [None, None],
            seed: args.seed,
        })
    })?;
    let rows = rows(args, &sources, limits)?;
    let report = BiasReport {
        rows: &rows,
        sources: &sources,
        assume: args.operands.domain.assume.as_deref(),
        measure: args.measure,
        samples: args.samples,
        stopped: limits.stopped(),
        seconds: start.elapsed().as_secs_f64(),
    };
    if let Some(path) = args.csv {
        write_text_file(path, &report.as_csv())?;
    }
    if let Some(path) = args.svg {
        write_text_file(path, &plot::svg(&report)?)?;
    }
    match json {
        true => crate::cli::json::write_json(out, &report.answer())?,
        false => report.write(out)?,
    }
    Ok(match limits.stopped() {
        None => Status::Yes,
        Some(_) => Status::Unknown,
    })
}

/// The signed errors of a model, or why there are none.
fn signed_errors(
    args: &BiasRequest<'_>,
    sources: &Sources,
    model: &Model,
    limits: &Limits,
) -> Result<Result<Bias, DrawError>, Error> {
    let assume = args.operands.domain.assume.as_deref();
    let domain = within(limits, || {
        let parsed = assume.map(|text| Domain::parse(text, &model.signature()));
        parsed.transpose().map_err(ClaimError::from)
    })?;
    let (measure, samples) = (args.measure, args.samples);
    Ok(bias(
        model,
        sources,
        domain.as_ref(),
        measure,
        samples,
        limits,
    ))
}

fn rows(args: &BiasRequest<'_>, sources: &Sources, limits: &Limits) -> Result<Vec<BiasRow>, Error> {
    let pairs = pairs(args.schemes, args.on)?;
    let mut rows = Vec::new();
    for products in args.lengths.iter().copied() {
        for [scheme, on] in &pairs {
            let subject = asked([scheme, on]);
            limits.report(|report| {
                report.question = format!("signed errors of {subject}, K={products}")
            });
            let made = within(limits, || model([scheme, on], products))?;
            let outcome = match made {
                Err(why) => Err(why),
                Ok(model) => match signed_errors(args, sources, &model, limits)? {
                    Ok(found) => Ok((model, found)),
                    Err(error @ DrawError::Stopped) => Err(error.to_string()),
                    Err(error) => {
                        let model = model.to_string();
                        return Err(Error::Usage(format!("`{}`: {error}", excerpt(&model))));
                    }
                },
            };
            rows.push(BiasRow {
                products,
                scheme: (*scheme).into(),
                on: (*on).into(),
                outcome,
            });
        }
    }
    let why = rows.iter().find_map(|row| row.outcome.as_ref().err());
    match why {
        Some(why) if limits.stopped().is_none() && rows.iter().all(|row| row.outcome.is_err()) => {
            Err(Error::Usage(why.clone()))
        }
        _ => Ok(rows),
    }
}
