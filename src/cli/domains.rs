//! `prove --domains`: the parts of a domain in which a claim holds.

use super::Status;
use super::json::{Cost, NamedModel, ProofBasis, VectorObject, write_json};
use super::output::{PROGRAM, widest};
use crate::cli::error::Error;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::agreement::{DomainVerdict, Verdict, holds};
use mmasmt_questions::claims::property::Claim;
use mmasmt_questions::claims::query::Options;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::time::Instant;

/// Asks about a claim where `assume` holds, and in parts of that.
pub(super) fn domains(
    claim: &Claim,
    assume: &str,
    options: &Options,
    limits: &Limits,
    json: bool,
    out: &mut dyn Write,
) -> Result<Status, Error> {
    if claim.property.is_existential() {
        return Err(Error::Usage(format!(
            "--domains: expected a claim about all operands, found `{}`, which claims that some exist",
            claim.property_text()
        )));
    }
    let start = Instant::now();
    let all = holds(claim.property_text(), &claim.model, assume, options, limits)?;
    let seconds = start.elapsed().as_secs_f64();
    if json {
        let cost = Cost::of_own(seconds, options.seed);
        write_json(out, &DomainsAnswer::new(claim, &all, cost))?;
    } else {
        write_text(claim, &all, seconds, out)?;
    }
    Ok(match all.first().map(|known| &known.verdict) {
        Some(Verdict::Agree(_)) => Status::Yes,
        Some(Verdict::Differ(_)) => Status::No,
        _ => Status::Unknown,
    })
}

fn name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Agree(_) => "proved",
        Verdict::Differ(_) => "refuted",
        Verdict::Unknown(_) => "unknown",
        Verdict::NotAsked => "not asked",
        Verdict::Nothing => "vacuous",
    }
}

/// The answer for a domain.
#[derive(Serialize, JsonSchema)]
pub(super) struct DomainAnswer<'x> {
    name: &'x str,
    assume: &'x str,
    #[schemars(extend("enum" = ["agree", "differ", "proved", "refuted", "unknown", "not asked", "vacuous"]))]
    verdict: &'static str,
    witnesses: Vec<VectorObject>,
    proved: ProofBasis,
}

impl<'x> DomainAnswer<'x> {
    /// The answers for all domains, with the word for each verdict.
    pub(super) fn all(
        signature: &Signature,
        all: &'x [DomainVerdict],
        name: fn(&Verdict) -> &'static str,
    ) -> Vec<Self> {
        let of_one = |known: &'x DomainVerdict| {
            let (witness, proved) = match &known.verdict {
                Verdict::Differ(found) => {
                    let vector = VectorObject::new(signature, &found.0, &found.1);
                    (Some(vector), None)
                }
                Verdict::Agree(reason) => (None, Some(reason)),
                Verdict::Unknown(_) | Verdict::NotAsked | Verdict::Nothing => (None, None),
            };
            DomainAnswer {
                name: &known.name,
                assume: &known.assume,
                verdict: name(&known.verdict),
                witnesses: witness.into_iter().collect(),
                proved: ProofBasis::of_agreement(proved),
            }
        };
        all.iter().map(of_one).collect()
    }
}

fn write_text(
    claim: &Claim,
    all: &[DomainVerdict],
    seconds: f64,
    out: &mut dyn Write,
) -> Result<(), Error> {
    writeln!(out, "{} of {}", claim.property_text(), claim.model)?;
    let width = widest(all.iter().map(|known| &known.name));
    for known in all {
        writeln!(out, "  {:width$}  {}", known.name, name(&known.verdict))?;
    }
    if let Some(Verdict::Differ(found)) = all.first().map(|known| &known.verdict) {
        let line = found.0.to_line(&claim.model.signature());
        writeln!(out, "refuted by: {line}")?;
    }
    writeln!(out, "\n# {PROGRAM}, {seconds:.2} s")?;
    Ok(())
}

/// `mmasmt prove PROPERTY MODEL --domains`
#[derive(Serialize, JsonSchema)]
pub(super) struct DomainsAnswer<'x> {
    #[schemars(extend("enum" = ["proved", "refuted", "unknown", "not asked", "vacuous"]))]
    verdict: &'static str,
    claim: &'x str,
    #[serde(flatten)]
    model: NamedModel,
    domains: Vec<DomainAnswer<'x>>,
    cost: Cost,
}

impl<'x> DomainsAnswer<'x> {
    fn new(claim: &'x Claim, all: &'x [DomainVerdict], cost: Cost) -> Self {
        let first = all.first();
        DomainsAnswer {
            verdict: first.map_or("unknown", |known| name(&known.verdict)),
            claim: claim.property_text(),
            model: NamedModel::of(&claim.model),
            domains: DomainAnswer::all(&claim.model.signature(), all, name),
            cost,
        }
    }
}
