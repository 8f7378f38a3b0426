//! Questions whose answers are kept: asked only where there is none, replayed before it counts.

use super::cache::{Cache, CacheError, Ended, Kept, KeptWitness};
use super::distinguish::{Answer, Distinguish, Found};
use super::prove::{Outcome, Prove, Settled};
use super::subject::Subject;
use super::witness::Witness;
use crate::model::Model;
use crate::property::Claim;
use crate::vectors::{Inputs, parse_inputs};

/// Whether an answer was kept or is new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// It was in the file.
    Kept,
    /// It was asked for.
    Asked,
}

impl Cache {
    /// The answer to `claim`: that of the file, its inputs replayed, or else that of `ask`.
    ///
    /// # Errors
    /// If the file cannot be used or has a wrong answer, or `ask` fails.
    pub fn prove<E: From<CacheError>>(
        &self,
        claim: &Claim,
        options: &Prove,
        ask: impl FnOnce() -> Result<Settled, E>,
    ) -> Result<(Settled, Origin), E> {
        let subject = Subject::Violation(claim);
        let engine = options.engine.describe();
        let key = Cache::key(&subject, &engine, &wanted(1, options.minimise.is_some()));
        if let Some(kept) = self.get(&key)? {
            let outcome = outcome(claim, &kept).map_err(|what| self.untrue(&key, what))?;
            let engine = kept.engines.join(" and ");
            return Ok((Settled { outcome, engine }, Origin::Kept));
        }
        let settled = ask()?;
        let (ended, inputs) = match &settled.outcome {
            Outcome::Proved { by } => (Ended::NoMore { by: *by }, None),
            Outcome::Refuted { inputs, simplest } => (Ended::Enough, Some((inputs, *simplest))),
            Outcome::Vacuous => (Ended::Vacuous, None),
            Outcome::Unknown(_) => return Ok((settled, Origin::Asked)),
        };
        let witness = |(inputs, simplest): (&Inputs, bool)| KeptWitness {
            line: inputs.to_line(&subject.signature()),
            simplest: Some(simplest),
        };
        let kept = Kept {
            subject: claim.to_string(),
            engines: vec![settled.engine.clone()],
            witnesses: inputs.into_iter().map(witness).collect(),
            ended,
        };
        self.put(key, kept)?;
        Ok((settled, Origin::Asked))
    }

    /// Inputs on which `models` differ: those of the file, replayed, or else what `ask` finds.
    ///
    /// # Errors
    /// If the file cannot be used or has a wrong answer, or `ask` fails.
    pub fn distinguish<E: From<CacheError>>(
        &self,
        models: [&Model; 2],
        options: &Distinguish,
        ask: impl FnOnce() -> Result<Found, E>,
    ) -> Result<(Found, Origin), E> {
        let subject = asked(models, options);
        let wanted = wanted(options.count, options.minimise.is_some());
        let key = Cache::key(&subject, &options.engine.describe(), &wanted);
        if let Some(kept) = self.get(&key)? {
            let found = found(models, options, kept).map_err(|what| self.untrue(&key, what))?;
            return Ok((found, Origin::Kept));
        }
        let found = ask()?;
        let ended = match found.answer {
            Answer::Enough => Ended::Enough,
            Answer::NoMore { by } => Ended::NoMore { by },
            Answer::Unknown(_) => return Ok((found, Origin::Asked)),
        };
        let witnesses = found
            .witnesses
            .iter()
            .map(|(witness, simplest)| KeptWitness {
                line: witness.inputs.to_line(&subject.signature()),
                simplest: *simplest,
            });
        let kept = Kept {
            subject: format!("{} and {}", models[0], models[1]),
            engines: found.engines.clone(),
            witnesses: witnesses.collect(),
            ended,
        };
        self.put(key, kept)?;
        Ok((found, Origin::Asked))
    }
}

/// What an answer depends on beside formula and engine. Budgets and seeds change which inputs are
/// found, not whether they answer.
fn wanted(count: usize, simple: bool) -> String {
    format!(
        "{count} inputs{}",
        if simple { ", made simple" } else { "" }
    )
}

/// The inputs of a kept line, if they are inputs of the question.
fn inputs(subject: &Subject<'_>, kept: &KeptWitness) -> Result<Inputs, String> {
    let signature = subject.signature();
    let parsed = parse_inputs(&kept.line, 1, &signature).map_err(|error| error.to_string())?;
    let parsed = parsed.padded(&signature);
    parsed.ok_or_else(|| format!("`{}` does not fit the formats", kept.line))
}

fn outcome(claim: &Claim, kept: &Kept) -> Result<Outcome, String> {
    let witness = match (&kept.witnesses[..], kept.ended) {
        ([], Ended::NoMore { by }) => return Ok(Outcome::Proved { by }),
        ([], Ended::Vacuous) => return Ok(Outcome::Vacuous),
        ([witness], Ended::Enough) => witness,
        (witnesses, _) => return Err(format!("{} inputs refute the claim", witnesses.len())),
    };
    let inputs = inputs(&Subject::Violation(claim), witness)?;
    if !claim.is_refuted_by(&inputs) || !claim.is_refuted_on_big(&inputs) {
        return Err(format!("`{}` does not refute the claim", witness.line));
    }
    Ok(Outcome::Refuted {
        inputs,
        simplest: witness.simplest == Some(true),
    })
}

fn asked<'x>(models: [&'x Model; 2], options: &'x Distinguish) -> Subject<'x> {
    Subject::Difference {
        models,
        specials: options.specials,
        domain: options.domain.as_ref(),
    }
}

fn found(models: [&Model; 2], options: &Distinguish, kept: Kept) -> Result<Found, String> {
    let subject = asked(models, options);
    let mut witnesses: Vec<(Witness, _)> = Vec::new();
    for kept in &kept.witnesses {
        let inputs = inputs(&subject, kept)?;
        let is_new = witnesses.iter().all(|(known, _)| known.inputs != inputs);
        let is_finite = options.specials || inputs.is_finite(&subject.signature());
        let mut domain = options.domain.iter();
        if !is_new || !is_finite || !domain.all(|domain| domain.contains(&inputs)) {
            return Err(format!("`{}` is not what was asked for", kept.line));
        }
        let witness = Witness::replay(models, inputs);
        let witness = witness.map_err(|_| format!("`{}` shows no difference", kept.line))?;
        witnesses.push((witness, kept.simplest));
    }
    let answer = match kept.ended {
        Ended::Enough if witnesses.len() == options.count.max(1) => Answer::Enough,
        Ended::NoMore { by } => Answer::NoMore { by },
        _ => return Err(format!("{} inputs are not enough", witnesses.len())),
    };
    Ok(Found {
        witnesses,
        answer,
        engines: kept.engines,
    })
}
