//! `prove --sample`: how often a claim fails on random operands.

use super::Status;
use super::json::{Cost, NamedModel, VectorObject, write_json};
use super::output::PROGRAM;
use crate::cli::error::Error;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::property::Claim;
use mmasmt_questions::claims::query::{SampledShare, counted, share};
use mmasmt_questions::inputs::DrawnDistribution;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::str::FromStr;
use std::time::Instant;

/// Options for a share of random operands.
#[derive(Debug, clap::Args)]
pub(super) struct SampleArgs {
    /// Draw that many operands and tell on which share of them the claim fails, with an interval of
    /// 95 % confidence; nothing is proved. `all` tries every operand of the domain, of which there are at
    /// most 2^32, and counts
    #[arg(long, value_name = "COUNT|all")]
    sample: Option<SampleCount>,
    /// For --sample: every finite register alike, numbers of mean 0 and variance 1, or numbers from -1
    /// to 1; of `c` too. An operand is drawn again until it is as assumed
    #[arg(
        long,
        value_name = "NUMBERS",
        default_value = "registers",
        requires = "sample"
    )]
    draw: Numbers,
}

/// How many operands are tried.
#[derive(Clone, Copy, Debug)]
pub(super) enum SampleCount {
    /// So many that are drawn.
    Drawn(u64),
    /// All of the domain.
    All,
}

/// The most operands that are drawn.
const MOST: u64 = 1_000_000_000;

impl FromStr for SampleCount {
    type Err = String;

    fn from_str(text: &str) -> Result<SampleCount, String> {
        if text == "all" {
            return Ok(SampleCount::All);
        }
        let count = text.parse().ok().filter(|count| (1..=MOST).contains(count));
        let expected = || format!("expected a number from 1 to {MOST}, or all");
        count.map(SampleCount::Drawn).ok_or_else(expected)
    }
}

/// The distributions by name.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Numbers {
    Registers,
    Normal,
    Uniform,
}

impl Numbers {
    fn distribution(self) -> DrawnDistribution {
        match self {
            Numbers::Registers => DrawnDistribution::Registers,
            Numbers::Normal => DrawnDistribution::Normal,
            Numbers::Uniform => DrawnDistribution::Uniform,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Numbers::Registers => "registers",
            Numbers::Normal => "normal",
            Numbers::Uniform => "uniform",
        }
    }
}

impl SampleArgs {
    /// The number of operands, if any are to be drawn.
    pub fn count(&self) -> Option<SampleCount> {
        self.sample
    }
}

/// `mmasmt prove PROPERTY MODEL --sample COUNT`
#[derive(Serialize, JsonSchema)]
pub(super) struct SampleAnswer<'x> {
    claim: &'x str,
    #[serde(flatten)]
    model: NamedModel,
    assume: String,
    #[schemars(extend("enum" = ["registers", "normal", "uniform", "all"]))]
    draw: &'static str,
    /// How many of the drawn operands violate the claim, or are as it says that some are.
    cases: u64,
    count: u64,
    share: f64,
    /// The limits of the share with 95 % confidence.
    interval: [f64; 2],
    /// The first of these operands.
    first: Option<VectorObject>,
    cost: Cost,
}

/// Tells how often the claim fails, or how often operands are as it says if it says that some are.
pub(super) fn sample(
    args: &SampleArgs,
    count: SampleCount,
    claim: &Claim,
    seed: u64,
    limits: &Limits,
    json: bool,
    out: &mut dyn Write,
) -> Result<Status, Error> {
    let start = Instant::now();
    let found = match count {
        SampleCount::Drawn(count) => share(claim, args.draw.distribution(), count, seed, limits)?,
        SampleCount::All => counted(claim, limits)?,
    };
    let draw = match count {
        SampleCount::Drawn(_) => args.draw.name(),
        SampleCount::All => "all",
    };
    let SampledShare {
        cases,
        count,
        interval: [low, high],
        first,
        ..
    } = &found;
    let signature = claim.model.signature();
    let seconds = start.elapsed().as_secs_f64();
    let part = *cases as f64 / *count as f64;
    if json {
        let first = first.as_ref().map(|inputs| {
            let d = claim.model.simulator().run(inputs);
            VectorObject::new(&signature, inputs, &[d])
        });
        let object = SampleAnswer {
            claim: claim.property_text(),
            model: NamedModel::of(&claim.model),
            assume: claim.domain.to_string(),
            draw,
            cases: *cases,
            count: *count,
            share: part,
            interval: [*low, *high],
            first,
            cost: Cost::new(seconds, Some(seed)),
        };
        write_json(out, &object)?;
        return Ok(Status::Yes);
    }
    let verb = match claim.property.is_existential() {
        true => "is shown by",
        false => "fails on",
    };
    writeln!(out, "{claim}")?;
    match draw {
        "all" => writeln!(out, "{verb} {cases} of {count} inputs, which are all")?,
        _ => writeln!(
            out,
            "{verb} {cases} of {count} drawn operands: {part:.2e}, with 95 % confidence from {low:.2e} to {high:.2e}"
        )?,
    }
    if let Some(inputs) = first {
        writeln!(out, "first: {}", inputs.to_line(&signature))?;
    }
    match draw {
        "all" => writeln!(out, "\n# {PROGRAM}, {seconds:.2} s")?,
        _ => writeln!(
            out,
            "\n# {PROGRAM}, {draw} numbers, seed {seed}, {seconds:.2} s"
        )?,
    }
    Ok(Status::Yes)
}
