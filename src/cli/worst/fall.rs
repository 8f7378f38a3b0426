//! `worst --drop`: by how much a result falls where `c` or a product rises.

use super::report::{QuantityBound, QuotientObject, about, write_runs};
use crate::cli::Status;
use crate::cli::error::Error;
use crate::cli::frame::HtmlArgs;
use crate::cli::json::{Cost, ModelText, VectorObject, write_json};
use crate::cli::notes::note_domain;
use crate::cli::output::{PROGRAM, value_text};
use crate::cli::printed_page::printed_page;
use crate::cli::specification::{floating_point, model};
use crate::cli::timeouts::within;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::bounds::ErrorBound;
use mmasmt_questions::claims::monotone::MovingOperands;
use mmasmt_questions::claims::property::{Claim, Domain};
use mmasmt_questions::claims::query::{Ended, Options, prove};
use mmasmt_questions::errors::worst::{Fall, FallJudge, greatest_fall};
use mmasmt_questions::vectors::measure::{Measure, Quotient};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::time::Instant;

/// The operand that rises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum RisingOperand {
    /// The accumulator c, to its next greater number
    C,
    /// A product: one factor to its next greater number, or to the next smaller one where the other factor is negative
    Products,
}

impl RisingOperand {
    fn moving(self) -> MovingOperands {
        match self {
            RisingOperand::C => MovingOperands::C,
            RisingOperand::Products => MovingOperands::Products,
        }
    }

    /// The property that says that nothing falls.
    fn property(self) -> &'static str {
        match self {
            RisingOperand::C => "monotone-c",
            RisingOperand::Products => "monotone-products",
        }
    }

    fn describe(self) -> &'static str {
        match self {
            RisingOperand::C => "c",
            RisingOperand::Products => "a product",
        }
    }
}

/// `mmasmt worst --drop`
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct FallAnswer<'x> {
    model: ModelText,
    measure: &'static str,
    assume: &'x str,
    name: String,
    /// The operand that rises: c or products.
    rises: &'static str,
    /// The operands before and after the step, each with its result; empty if no fall was found.
    witnesses: Vec<VectorObject>,
    /// The operand that steps.
    operand: Option<String>,
    largest_fall: Option<QuotientObject>,
    /// A number that no fall in the domain exceeds.
    bound_on_domain: Option<QuotientObject>,
    /// True if it is proved that no result falls.
    never_falls: bool,
    /// The number of operands that were tried.
    tried: u64,
    cost: Cost,
}

/// The request.
pub(super) struct FallRequest<'x> {
    pub model: &'x str,
    pub rising: RisingOperand,
    pub measure: Measure,
    /// The text that gives the domain.
    pub assume: &'x str,
    pub limits: &'x Limits,
    pub seed: u64,
    pub html: &'x HtmlArgs,
}

/// The answer, before it is written.
struct FallReport<'x> {
    request: &'x FallRequest<'x>,
    model: &'x Model,
    found: Option<Fall>,
    /// A number that no fall in the domain exceeds.
    bound: Option<Quotient>,
    /// The bounds of falls: for factors that are normal or zero, and for all finite factors.
    bounds: [Option<ErrorBound>; 2],
    no_subnormals: bool,
    never_falls: bool,
    tried: u64,
    seconds: f64,
}

pub(super) fn run(
    request: &FallRequest<'_>,
    json: bool,
    out: &mut dyn Write,
) -> Result<Status, Error> {
    let (start, rising) = (Instant::now(), request.rising);
    let limits = request.limits;
    let model = within(limits, || model(request.model))?;
    floating_point(&model)?;
    let domain = Domain::of(request.assume, &model)?;
    note_domain(&domain)?;
    limits.report(|report| report.question = format!("falls of the result of {model}"));
    let claim = Claim::new(rising.property(), &model, request.assume)?;
    let mut judge = FallJudge::new(
        &model,
        rising.moving(),
        request.measure,
        &domain,
        request.seed,
    );
    let (found, tried) = greatest_fall(&mut judge, limits);
    let found = found.filter(Fall::is_one);
    let bound = judge.bound();
    let never_falls = found.is_none() && {
        let answer = prove(&claim, &Options::default().minimise(None), limits)?;
        matches!(answer.ended, Ended::NoMore { .. })
    };
    let stopped = limits.stopped();
    let status = match (&found, never_falls, stopped) {
        (Some(_), ..) => Status::Yes,
        (None, true, _) => Status::No,
        (None, false, _) => Status::Unknown,
    };
    let seconds = start.elapsed().as_secs_f64();
    let report = FallReport {
        request,
        model: &model,
        found,
        bound,
        bounds: judge.bounds(),
        no_subnormals: domain.has_no_subnormal_factors(),
        never_falls,
        tried,
        seconds,
    };
    request.html.write(|| {
        let operands = report.found.iter().flat_map(|fall| {
            [
                ("the operands before the step", &fall.before),
                ("the operands after it", &fall.after),
            ]
        });
        let title = format!("The largest fall of {model}");
        printed_page(title, &model, operands, |out| report.write(out))
    })?;
    match json {
        true => write_json(out, &report.answer())?,
        false => report.write(out)?,
    }
    Ok(status)
}

impl FallReport<'_> {
    fn write(&self, out: &mut dyn Write) -> Result<(), Error> {
        let signature = self.model.signature();
        let (what, property) = (
            self.request.rising.describe(),
            self.request.rising.property(),
        );
        writeln!(out, "{}: {signature}\n", self.model)?;
        if let Some(fall) = &self.found {
            write_runs(out, &signature, &fall.before)?;
            let [before, after] = fall.results.map(|d| value_text(&signature.d, d));
            let number = fall.stepped(&signature);
            writeln!(out, "\n  d = {before}")?;
            writeln!(out, "  d = {after} with {} = {number}\n", fall.operand)?;
            let unit = self.request.measure.describe();
            writeln!(out, "  falls by {} {unit}\n", about(&fall.fall))?;
            writeln!(out, "{property}: refuted by these operands")?;
        } else if self.never_falls {
            writeln!(
                out,
                "{property}: proved, the result never falls where {what} rises"
            )?;
        } else {
            writeln!(
                out,
                "{property}: not known; no operands were found on which the result falls where {what} rises"
            )?;
        }
        if !self.never_falls {
            let proved = QuantityBound {
                what: "a fall is",
                assume: None,
                bounds: &self.bounds,
                of_scales: &[None, None],
                no_subnormals: self.no_subnormals,
            };
            proved.write(out)?;
        }
        let (seed, tried, seconds) = (self.request.seed, self.tried, self.seconds);
        writeln!(
            out,
            "\n# {PROGRAM}, seed {seed}, {tried} operands tried, {seconds:.2} s"
        )?;
        Ok(())
    }

    fn answer(&self) -> FallAnswer<'_> {
        let signature = self.model.signature();
        let of_fall = |fall: &Fall| {
            let [before, after] = fall.results;
            vec![
                VectorObject::new(&signature, &fall.before, &[before]),
                VectorObject::new(&signature, &fall.after, &[after]),
            ]
        };
        FallAnswer {
            model: ModelText::of(self.model),
            measure: self.request.measure.name(),
            assume: self.request.assume,
            name: self.model.to_string(),
            rises: match self.request.rising {
                RisingOperand::C => "c",
                RisingOperand::Products => "products",
            },
            witnesses: self.found.as_ref().map(of_fall).unwrap_or_default(),
            operand: self.found.as_ref().map(|fall| fall.operand.clone()),
            largest_fall: self
                .found
                .as_ref()
                .map(|fall| QuotientObject::of(&fall.fall)),
            bound_on_domain: self.bound.as_ref().map(QuotientObject::of),
            never_falls: self.never_falls,
            tried: self.tried,
            cost: Cost::of_own(self.seconds, self.request.seed),
        }
    }
}
