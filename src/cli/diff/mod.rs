//! `diff`: two machines, each kind of products that both compute.

mod page;
mod report;

pub(super) use report::DiffAnswer;

use super::Status;
use super::json::write_json;
use crate::cli::error::Error;
use crate::cli::frame::{HtmlArgs, SearchArgs, TimeArgs};
use mmasmt_core::machines::model::find_architecture;
use mmasmt_core::machines::product_pairs::{ProductPair, ProductPairs, kind_name, product_pairs};
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::agreement::{relation, sample};
use mmasmt_questions::claims::query::Options;
use report::{DiffReport, PairReport};
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Compare two machines: for each format that both multiply, whether they give the same results
///
/// Each line is one format, and compares the instructions that programs use for it on the two
/// machines. If they have different numbers of products, both are chained along k to a common one.
/// The answer is equal (proved), or different, with an example of ordinary operands: normal numbers
/// with exponents from -4 to 4. Samples of such operands show how often the machines differ, by how
/// much, and how far each is from the exact sum.
#[derive(Debug, clap::Args)]
#[command(
    mut_arg("timeout", |time| time.default_value("10s")),
    after_help = "Examples:\n  mmasmt diff H100 'RTX 5090'\n  mmasmt diff V100 A100 --json\n  mmasmt diff MI300X H100 --all\n  mmasmt diff H100 B200 --html diff.html\n  mmasmt diff B200 'RTX 5090' --expect equal\n\nExit status: 0 some results differ, 1 all are equal (proved), 3 not known."
)]
pub(super) struct Args {
    /// One machine: a product, such as H100, or an architecture
    left: String,
    /// The other machine
    right: String,
    /// Also compare integers, and products of two different formats
    #[arg(long)]
    all: bool,
    /// How many inputs of ordinary operands to draw for each line
    #[arg(long, value_name = "N", default_value_t = SAMPLES, value_parser = clap::value_parser!(u64).range(1..))]
    samples: u64,
    /// Give exit status 0 if the machines are equal in all formats, or different in some, as
    /// expected, and 1 if they are not
    #[arg(long, value_name = "VERDICT", value_parser = ["equal", "different"])]
    expect: Option<String>,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    html: HtmlArgs,
}

/// The default of `--samples`.
const SAMPLES: u64 = 2000;
/// The default of `--time`.
const TIME: Duration = Duration::from_secs(10);

impl Args {
    /// The arguments that compare two machines, with default options otherwise.
    pub fn of([left, right]: [&str; 2], seed: u64) -> Args {
        Args {
            left: left.into(),
            right: right.into(),
            all: false,
            expect: None,
            samples: SAMPLES,
            search: SearchArgs {
                time: TimeArgs {
                    timeout: Some(TIME),
                },
                seed,
            },
            html: HtmlArgs::default(),
        }
    }

    /// The same within this time, if one is given.
    pub fn within(mut self, time: Option<Duration>) -> Args {
        self.search.time.timeout = time.or(self.search.time.timeout);
        self
    }

    /// The same with an expected verdict, if one is given.
    pub fn with_expected(self, expect: Option<String>) -> Args {
        Args { expect, ..self }
    }

    /// The same with a page in this file, if one is given.
    pub fn with_html(self, html: Option<PathBuf>) -> Args {
        let html = HtmlArgs { html };
        Args { html, ..self }
    }

    /// The same with so many samples, if a number is given.
    pub fn with_samples(self, samples: Option<u64>) -> Args {
        let samples = samples.unwrap_or(self.samples);
        Args { samples, ..self }
    }
}

/// Whether both texts name machines, not models.
pub(super) fn are_machines(texts: [&str; 2]) -> bool {
    texts.iter().all(|text| find_architecture(text).is_ok())
}

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    let start = Instant::now();
    let limits = args.search.time.limits()?;
    let machines = [
        find_architecture(&args.left)?,
        find_architecture(&args.right)?,
    ];
    let ProductPairs { shared, alone } = product_pairs(machines, args.all)?;
    let lines = compared(shared, args, &limits)?;
    let report = DiffReport {
        names: [&args.left, &args.right],
        samples: args.samples,
        seed: args.search.seed,
        machines,
        lines: &lines,
        alone: &alone,
        seconds: start.elapsed().as_secs_f64(),
    };
    args.html.write(|| page::html(&report))?;
    if json {
        write_json(out, &report.answer())?;
    } else {
        report.write(out)?;
    }
    Ok(match args.expect.as_deref() {
        Some("equal") => report.status().of_the_contrary(),
        _ => report.status(),
    })
}

/// Compares the machines for each kind of products. Each kind gets an equal share of the time that
/// remains.
fn compared(
    shared: Vec<ProductPair>,
    args: &Args,
    limits: &Limits,
) -> Result<Vec<PairReport>, Error> {
    let options = Options::default()
        .seed(args.search.seed)
        .minimise(Some(Duration::from_millis(200)));
    let count = shared.len();
    let mut lines = Vec::new();
    for (done, shared) in shared.into_iter().enumerate() {
        limits.report(|report| {
            report.question = kind_name(&shared.signature());
            report.settled = Some([done, count]);
        });
        let left = u32::try_from(count - done).unwrap_or(u32::MAX);
        let of_one = limits.share(left);
        let drawn = sample(&shared, args.samples, args.search.seed, &of_one);
        let example = drawn.as_ref().and_then(|drawn| drawn.example.as_ref());
        let relation = relation(&shared, &options, &of_one, example)?;
        lines.push(PairReport {
            shared,
            relation,
            drawn,
        });
    }
    // The time that early answers left belongs to what is open.
    let open: Vec<usize> = (0..lines.len())
        .filter(|place| lines[*place].is_open())
        .collect();
    for (done, place) in open.iter().enumerate() {
        if limits.stopped().is_some() {
            break;
        }
        let PairReport { shared, drawn, .. } = &lines[*place];
        let of_one = limits.share((open.len() - done) as u32);
        let example = drawn.as_ref().and_then(|drawn| drawn.example.as_ref());
        lines[*place].relation = relation(shared, &options, &of_one, example)?;
    }
    Ok(lines)
}
