//! `prove --sample`: how often a claim fails on random operands.

use super::Status;
use super::json::{Cost, NamedModel, VectorObject, write_json};
use super::output::PROGRAM;
use crate::cli::error::Error;
use mmasmt_core::base::limits::Limits;
use mmasmt_questions::claims::property::Claim;
use mmasmt_questions::claims::query::{Share, share};
use mmasmt_questions::inputs::Distribution;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::time::Instant;

/// Options for a share of random operands.
#[derive(Debug, clap::Args)]
pub(super) struct SampleArgs {
    /// Draw that many operands and tell on which share of them the claim fails, with an interval of
    /// 95 % confidence; nothing is proved
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    sample: Option<u64>,
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

/// The distributions by name.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Numbers {
    Registers,
    Normal,
    Uniform,
}

impl Numbers {
    fn distribution(self) -> Distribution {
        match self {
            Numbers::Registers => Distribution::Registers,
            Numbers::Normal => Distribution::Normal,
            Numbers::Uniform => Distribution::Uniform,
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
    pub fn count(&self) -> Option<u64> {
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
    #[schemars(extend("enum" = ["registers", "normal", "uniform"]))]
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
    count: u64,
    claim: &Claim,
    seed: u64,
    limits: &Limits,
    json: bool,
    out: &mut dyn Write,
) -> Result<Status, Error> {
    let start = Instant::now();
    let found = share(claim, args.draw.distribution(), count, seed, limits)?;
    let Share {
        cases,
        interval: [low, high],
        first,
        ..
    } = &found;
    let signature = claim.model.signature();
    let seconds = start.elapsed().as_secs_f64();
    let part = *cases as f64 / count as f64;
    if json {
        let first = first.as_ref().map(|inputs| {
            let d = claim.model.simulator().run(inputs);
            VectorObject::new(&signature, inputs, &[d])
        });
        let object = SampleAnswer {
            claim: claim.property_text(),
            model: NamedModel::of(&claim.model),
            assume: claim.domain.to_string(),
            draw: args.draw.name(),
            cases: *cases,
            count,
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
    writeln!(
        out,
        "{verb} {cases} of {count} drawn operands: {part:.2e}, with 95 % confidence from {low:.2e} to {high:.2e}"
    )?;
    if let Some(inputs) = first {
        writeln!(out, "first: {}", inputs.to_line(&signature))?;
    }
    let draw = args.draw.name();
    writeln!(
        out,
        "\n# {PROGRAM}, {draw} numbers, seed {seed}, {seconds:.2} s"
    )?;
    Ok(Status::Yes)
}
