//! `worst`: operands with a large error or a large fall of the result, and a proved bound.

mod fall;
mod report;

pub(super) use fall::FallAnswer;
pub(super) use report::WorstAnswer;

use super::Status;
use super::certificate_file::{BoundFile, certificate_path};
use super::json::write_json;
use super::notes::note_domain;
use super::printed_page::printed_page;
use super::specification::{floating_point, model};
use super::timeouts::within;
use crate::cli::error::Error;
use crate::cli::frame::{DomainArgs, HtmlArgs, SearchArgs};
use crate::cli::grammar::DOMAINS;
use fall::{FallRequest, RisingOperand};
use mmasmt_questions::claims::property::Domain;
use mmasmt_questions::claims::query::QueryError;
use mmasmt_questions::errors::worst::{Judge, RaiseOutcome, Search, raised, worst, worst_of_all};
use mmasmt_questions::vectors::measure::Measure;
use report::WorstReport;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

/// Models of more products than this are not given to the solver.
const MOST_SOLVED: u32 = 8;

/// Look for operands with the largest error, and prove a bound that no error exceeds
///
/// The error is the distance of the result from the exact sum, which is computed without rounding.
/// Operands are finite, and their magnitudes sum to less than the greatest power of two of the
/// result, so the sum itself does not overflow. Operands with which a value on the way does, such as
/// a factor that is converted or a sum that is stored in 16 bits, are left out, and no bound holds
/// for them. A domain of few inputs is tried as a whole, which proves the largest error.
///
/// The search may miss larger errors, unless the answer says that the solver proved that there are
/// none. The bound is a proof that no error is larger. It follows from rules of alignment and
/// rounding, and exists for most units, for chains, promotion, split-K and the simple schemes.
/// Errors relative to the sum of magnitudes are weighed by the bound where there are subnormal
/// factors, so that an error that underflow explains does not count as large.
///
/// With --drop, the command looks for operands on which the result falls though c or a product rises by
/// one step, proves that there are none (`monotone-c`, `monotone-products`), and proves how far a result
/// can fall at most.
#[derive(Debug, clap::Args)]
#[command(
    mut_arg("timeout", |time| time.default_value("20s")),
    mut_arg("assume", |domain| domain.default_value(EVERYWHERE)),
    after_help = "Examples:\n  mmasmt worst hopper/HMMA.16816.F32\n  mmasmt worst 'promote(hopper/wgmma.m64nNk32.f32.e4m3.e4m3, every=4):K=4096'\n  mmasmt worst fda:F=24 --measure ulp --where 'c = 0, factors exp 0..3'\n  mmasmt worst V100/f16 --drop c --html fall.html\n\nExit status: 0 operands were found, 1 no operands are as assumed, or nothing falls, 2 the request was wrong, 3 a limit was reached before any were found.",
    after_long_help = format!("{}\n\n{DOMAINS}", "Examples:\n  mmasmt worst hopper/HMMA.16816.F32\n  mmasmt worst 'promote(hopper/wgmma.m64nNk32.f32.e4m3.e4m3, every=4):K=4096'\n  mmasmt worst fda:F=24 --measure ulp --where 'c = 0, factors exp 0..3'\n  mmasmt worst V100/f16 --drop c --html fall.html\n\nExit status: 0 operands were found, 1 no operands are as assumed, or nothing falls, 2 the request was wrong, 3 a limit was reached before any were found.")
)]
pub(super) struct Args {
    /// The model
    model: String,
    /// The measure of the error: abs, ulp (last places of the result), rel (relative to the exact
    /// sum), sum (relative to the sum of the magnitudes of c and all products)
    #[arg(long, default_value = "sum", value_parser = measure)]
    measure: Measure,
    /// Look for the largest fall of the result where this rises by one step, in place of the largest error
    #[arg(long, value_enum, value_name = "OPERAND")]
    drop: Option<RisingOperand>,
    #[command(flatten)]
    domain: DomainArgs,
    #[command(flatten)]
    search: SearchArgs,
    /// Write a certificate of the bound to FILE, which `check-proof` checks
    #[arg(long, value_name = "FILE.json", value_parser = certificate_path)]
    proof: Option<PathBuf>,
    #[command(flatten)]
    html: HtmlArgs,
}

/// The domain of all operands of which bounds speak.
const EVERYWHERE: &str = "finite";

/// Parses the value of `--measure`, the name of an error measure.
pub(super) fn measure(text: &str) -> Result<Measure, String> {
    Measure::named(text).ok_or_else(|| {
        let names = Measure::ALL.map(Measure::name).join(", ");
        let found = mmasmt_numbers::base::excerpt::excerpt(text);
        format!("expected one of {names}, found `{found}`")
    })
}

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    if let Some(rising) = args.drop {
        let request = FallRequest {
            model: &args.model,
            rising,
            measure: args.measure,
            assume: args.domain.text(),
            limits: &args.search.time.limits()?,
            seed: args.search.seed,
            html: &args.html,
        };
        return fall::run(&request, json, out);
    }
    let start = Instant::now();
    let limits = args.search.time.limits()?;
    let model = within(&limits, || model(&args.model))?;
    floating_point(&model)?;
    let domain = Domain::of(args.domain.text(), &model)?;
    note_domain(&domain)?;
    limits.report(|report| report.question = format!("large errors of {model}"));
    let search = Search {
        measure: args.measure,
        seed: args.search.seed,
        // Without subnormal factors, what is lost of small parts belongs to the model, as `compare` counts it.
        excuses_underflow: !domain.has_no_subnormal_factors(),
    };
    let mut judge = Judge::new(&model, search, &domain);
    let (found, tried, of_all) = match worst_of_all(&mut judge, &limits) {
        Some((found, of_all)) => (found, of_all.tried(), Some(of_all)),
        None => {
            let (found, tried) = worst(&mut judge, &limits);
            (found, tried, None)
        }
    };
    let stopped = limits.stopped();
    let (found, raised) = match (found, stopped) {
        (found, _) if of_all.is_some() => (found, of_all.unwrap_or(RaiseOutcome::NotAsked)),
        (Some(found), None) if model.signature().products <= MOST_SOLVED => {
            let (found, raised) = raised(&model, args.domain.text(), &mut judge, found, &limits)?;
            (Some(found), raised)
        }
        (found, Some(stopped)) => (found, RaiseOutcome::Unknown(stopped)),
        (found, None) => (found, RaiseOutcome::NotAsked),
    };
    if let Some(found) = found.as_ref().filter(|found| judge.exceeds_bound(found)) {
        let line = found.inputs.to_line(&model.signature());
        let model = model.to_string();
        return Err(QueryError::Bound { model, line }.into());
    }
    let status = match (&found, stopped) {
        (Some(_), _) => Status::Yes,
        (None, None) => Status::No,
        (None, Some(_)) => Status::Unknown,
    };
    let seconds = start.elapsed().as_secs_f64();
    let report = WorstReport {
        model: &model,
        search,
        assume: args.domain.text(),
        no_subnormals: domain.has_no_subnormal_factors(),
        found: found.as_ref(),
        bounds: judge.bounds(),
        of_scales: judge.bounds_of_scales(),
        is_everywhere: domain.assumes_nothing() || args.domain.text() == EVERYWHERE,
        greatest: judge.greatest().filter(|_| !domain.assumes_nothing()),
        raised,
        tried,
        seconds,
    };
    let certificate = BoundFile::of(&model, &domain, args.proof.as_deref())?;
    args.html.write(|| {
        let operands = found.iter().map(|found| ("these operands", &found.inputs));
        let title = format!("The largest error of {model}");
        printed_page(title, &model, operands, |out| report.write(out))
    })?;
    if json {
        write_json(out, &report.answer(certificate.written()))?;
    } else {
        report.write(out)?;
        certificate.write(out)?;
    }
    Ok(status)
}
