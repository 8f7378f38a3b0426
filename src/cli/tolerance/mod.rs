//! `tolerance`: which tolerance a test of a product may have, and what it lets pass.

mod answer;
mod length;
mod matrices;
mod matrices_report;
mod operands;
mod page;
mod plot;
mod report;
mod sentences;
mod words;

pub(super) use answer::ToleranceAnswer;
pub(super) use matrices_report::MatricesAnswer;

use super::Status;
use super::certificate_file::{BoundFile, certificate_path};
use super::draws::{factors, source};
use super::json::write_json;
use super::output::write_text_file;
use super::timeouts::within;
use crate::cli::complete::models;
use crate::cli::error::Error;
use crate::cli::frame::SearchArgs;
use clap_complete::engine::ArgValueCompleter;
use length::of_length;
use matrices::MatricesRequest;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::excerpt::{excerpt, file_name};
use mmasmt_questions::claims::property::Domain;
use mmasmt_questions::claims::query::QueryError;
use mmasmt_questions::errors::tolerance::{
    OwnTolerance, Range, ToleranceBounds, Tolerances, WrongKernel, drawn, wrong_kernels,
};
use mmasmt_questions::inputs::{DrawError, Source, Sources};
use report::{TestTolerance, ToleranceReport};
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

/// Tell which tolerance a test of a product may have, and which wrong kernels it lets pass
///
/// The tolerance is proved: no finite operands have a greater error, as long as nothing overflows. It
/// is relative to the sum of the magnitudes of c and all products; with --range it is an atol. No rtol
/// alone can be proved, as terms may cancel; where none is negative, rtol is the factor of the sum.
///
/// Random operands tell how much smaller errors usually are, and on which share of them a wrong kernel
/// is outside of each tolerance: a sum that is stored in 16 bits, products that are lost, no
/// promotion, fewer bits in the unit, or any model (--wrong).
#[derive(Debug, clap::Args)]
#[command(
    mut_arg("timeout", |time| time.default_value("10m")),
    after_help = "Examples:\n  mmasmt tolerance hopper/HMMA.16816.F32 --k 4096\n  mmasmt tolerance H100/f16 --k 1024 --range 4 --samples 10000\n  mmasmt tolerance 'promote(hopper/wgmma.m64nNk32.f32.e4m3.e4m3, every=4)' --k 4096 --range 2\n  mmasmt tolerance ampere/HMMA.16816.F32 --k 512 --draw weights.npy,activations.npy --wrong volta/HMMA.884.F32.F32\n  mmasmt tolerance H100/f16 --k 1024 --range 4 --atol 1e-5 --rtol 1e-3 --html tolerance.html\n  mmasmt tolerance H100/f16 --matrices A.npy,B.npy --result D.npy --rtol 1e-3\n\nExit status: 0 a tolerance is proved, 1 an element of --result is outside of it, 2 the request was wrong, 3 no bound is known, or a limit was reached."
)]
pub(super) struct Args {
    /// The unit, composition or scheme
    #[arg(add = ArgValueCompleter::new(models))]
    model: String,
    /// The number of products of a sum
    #[arg(long, value_name = "K", required_unless_present = "matrices", value_parser = clap::value_parser!(u32).range(1..))]
    k: Option<u32>,
    /// Matrices of your own, as files of NumPy that `matmul` takes: the bound that is proved for each element of their product
    #[arg(long, value_name = "A,B[,C]", value_delimiter = ',')]
    matrices: Vec<PathBuf>,
    /// The result of a kernel for these matrices: the answer lists its elements outside of what is proved, and of your tolerance
    #[arg(long, value_name = "FILE", requires = "matrices")]
    result: Option<PathBuf>,
    /// Scales of A for a model with block scales, as `matmul` takes them
    #[arg(long, value_name = "FILE", requires = "scale_b")]
    scale_a: Option<PathBuf>,
    /// Scales of B
    #[arg(long, value_name = "FILE", requires = "scale_a")]
    scale_b: Option<PathBuf>,
    /// The greatest magnitude of factors, and of c where it is not 0: for an atol. Random operands
    /// beyond it are drawn again
    #[arg(long, value_name = "X[,C]", value_delimiter = ',', value_parser = magnitude)]
    range: Vec<f64>,
    /// The tolerance of your test, |d - exact| <= atol + rtol |exact|: which share of results of the right kernel
    /// and of wrong ones are outside of it
    #[arg(long, value_name = "X", value_parser = magnitude, allow_negative_numbers = true)]
    atol: Option<f64>,
    /// The relative part of the tolerance of your test
    #[arg(long, value_name = "Y", value_parser = magnitude, allow_negative_numbers = true)]
    rtol: Option<f64>,
    /// The random factors, or those of a and of b, in the words of `compare --bias`: normal, uniform,
    /// positive, 1000*normal, FILE.npy
    #[arg(
        long,
        value_name = "NUMBERS|A,B",
        value_delimiter = ',',
        default_value = "normal"
    )]
    draw: Vec<String>,
    /// The random c, in the same words
    #[arg(long, value_name = "NUMBERS", default_value = "0")]
    draw_c: String,
    /// A model as a wrong kernel; can be given several times
    #[arg(long, value_name = "MODEL")]
    wrong: Vec<String>,
    /// How many elements a test compares: it fails if one of them is outside
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(1..))]
    elements: u64,
    /// How many random dot products to draw
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    samples: u64,
    #[command(flatten)]
    search: SearchArgs,
    /// Write the random operands to FILE.npz as arrays a, b, c, with the results d; of matrices, the exact product, the bound of
    /// each element and the results, as exact, bound and d
    #[arg(short, long, value_name = "FILE.npz")]
    out: Option<PathBuf>,
    /// Draw which share of results is outside, of each kernel, over the tolerance
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    /// Write the answer and the drawing as a page for a browser, which also takes operands apart on which the right kernel fails
    /// your test: one file, which needs no network
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write a certificate of the bound, from which the tolerance follows, to FILE, which `check-proof` checks
    #[arg(long, value_name = "FILE.json", value_parser = certificate_path)]
    proof: Option<PathBuf>,
}

/// A magnitude of `--range`.
fn magnitude(text: &str) -> Result<f64, String> {
    let number = text
        .parse()
        .ok()
        .filter(|x: &f64| x.is_finite() && *x >= 0.0);
    number.ok_or_else(|| {
        format!(
            "expected a magnitude, such as 4 or 0.5, found `{}`",
            excerpt(text)
        )
    })
}

/// The range of operands.
///
/// # Errors
/// If there are more than two numbers, the range of factors is 0, or that of `c` is missing.
fn range(given: &[f64], c: &Source) -> Result<Option<Range>, Error> {
    let found = match (given, c) {
        ([], _) => return Ok(None),
        ([x, ..], _) if *x == 0.0 => "a range of factors above 0, found 0".into(),
        ([factors], Source::Zero) => return Ok(Some(Range::new(*factors, 0.0))),
        ([_], _) => "X,C, as c is not 0, found X alone".into(),
        ([factors, c], _) => return Ok(Some(Range::new(*factors, *c))),
        (more, _) => format!("X or X,C, found {} numbers", more.len()),
    };
    Err(Error::Usage(format!("--range: expected {found}")))
}

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    let start = Instant::now();
    let limits = args.search.time.limits()?;
    if let Some(path) = &args.out
        && path.extension().is_none_or(|end| end != "npz")
    {
        let found = file_name(path);
        return Err(Error::Usage(format!(
            "--out: expected FILE.npz, found `{found}`"
        )));
    }
    if !args.matrices.is_empty() {
        let own = args.own();
        let request = MatricesRequest {
            model: &args.model,
            matrices: &args.matrices,
            scales: args.scale_a.as_deref().zip(args.scale_b.as_deref()),
            result: args.result.as_deref(),
            own: own.as_ref(),
            out: args.out.as_deref(),
            start,
        };
        return within(&limits, || request.run(&limits, json, out));
    }
    let products = args.k.unwrap_or(1);
    let model = within(&limits, || of_length(&args.model, products))?;
    let sources = Sources {
        factors: factors(&args.draw)?,
        c: source("--draw-c", &args.draw_c)?,
        within: [None, None],
        seed: args.search.seed,
    };
    let range = range(&args.range, &sources.c)?;
    let sources = Sources {
        within: [range.map(|range| range.factors), range.map(|range| range.c)],
        ..sources
    };
    let proved = within(&limits, || {
        Ok::<_, Error>(ToleranceBounds::of(&model, range))
    })?;
    let wrong = within(&limits, || wrong(args, &model, &sources.c))?;
    let own = args.own();
    limits.report(|report| report.question = format!("random operands of {model}"));
    let found = drawn(
        &model,
        &sources,
        Tolerances {
            proved: proved.as_ref(),
            own: own.as_ref().map(|own| &own.tolerance),
        },
        &wrong,
        args.samples,
        &limits,
    );
    let found = match (found, limits.stopped()) {
        (Ok(found), _) => found,
        (Err(DrawError::Stopped), Some(stopped)) => {
            return Err(Error::Query(QueryError::Stopped(stopped)));
        }
        (Err(error), _) => {
            return Err(Error::Usage(format!(
                "`{}`: {error}",
                excerpt(&model.to_string())
            )));
        }
    };
    if let Some(path) = &args.out {
        within(&limits, || {
            operands::write(path, &model, &sources, args.samples, &limits)
        })?;
    }
    let report = ToleranceReport {
        model: &model,
        range,
        proved: proved.as_ref(),
        own: own.as_ref(),
        sources: &sources,
        samples: args.samples,
        elements: args.elements,
        wrong: &wrong,
        found: &found,
        seconds: start.elapsed().as_secs_f64(),
    };
    if let Some(path) = &args.svg {
        write_text_file(path, &plot::svg(&report)?)?;
    }
    if let Some(path) = &args.html {
        write_text_file(path, &page::html(&report)?)?;
    }
    let domain = Domain::parse("finite", &model.signature())?;
    let certificate = BoundFile::of(&model, &domain, args.proof.as_deref())?;
    if json {
        write_json(out, &ToleranceAnswer::new(&report, certificate.written()))?;
    } else {
        report.write(out)?;
        certificate.write(out)?;
    }
    Ok(match proved {
        Some(_) => Status::Yes,
        None => Status::Unknown,
    })
}

impl Args {
    /// The tolerance of somebody's test, if one is given.
    fn own(&self) -> Option<TestTolerance> {
        let is_given = self.atol.is_some() || self.rtol.is_some();
        let [atol, rtol] = [self.atol, self.rtol].map(|number| number.unwrap_or(0.0));
        is_given.then(|| TestTolerance {
            numbers: [atol, rtol],
            tolerance: OwnTolerance::new(atol, rtol),
        })
    }
}

/// The wrong kernels: those of every model, and the models of `--wrong`.
fn wrong(args: &Args, model: &Model, c: &Source) -> Result<Vec<WrongKernel>, Error> {
    let mut all = wrong_kernels(model, *c != Source::Zero)?;
    let signature = model.signature();
    for text in &args.wrong {
        let other = of_length(text, signature.products)?;
        let found = other.signature();
        if found != signature {
            return Err(Error::Usage(format!(
                "--wrong: expected operands and results as those of `{}`, {signature}, found {found}",
                excerpt(&args.model)
            )));
        }
        all.push(WrongKernel::of_model(&other.to_string(), other));
    }
    Ok(all)
}
