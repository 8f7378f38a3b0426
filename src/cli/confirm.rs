//! Options that name engines to prove an answer again, and reports of what these engines found.

use super::Status;
use super::timeouts::seconds;
use crate::cli::error::Error;
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_questions::claims::query::{
    Confirmation, ConfirmationRequest, FactsConfirmed, MissingFact,
};
use mmasmt_questions::solver::engine::Solver;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::time::Duration;

/// Options that name the engines which prove an answer again.
#[derive(Debug, clap::Args)]
pub(super) struct ConfirmArgs {
    /// Let other engines prove again that no inputs exist, on the formula without our
    /// simplifications: z3 (in this program) or smtlib:NAME (`mmasmt engines` lists the names). An
    /// answer that rests on facts is proved fact by fact. Give several engines with commas, or give
    /// the option several times
    #[arg(long, value_name = "ENGINE", value_delimiter = ',', value_parser = name)]
    confirm: Vec<String>,
    /// Time limit for each engine of --confirm
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = seconds, requires = "confirm")]
    confirm_timeout: Duration,
}

fn name(text: &str) -> Result<String, String> {
    if text == "z3" || text.starts_with("smtlib:") {
        Ok(text.to_owned())
    } else {
        Err(format!(
            "expected z3 or smtlib:NAME, found `{}`",
            excerpt(text)
        ))
    }
}

impl ConfirmArgs {
    /// Whether no engine is asked to confirm answers.
    pub fn is_empty(&self) -> bool {
        self.confirm.is_empty()
    }

    /// The engines that are asked to confirm answers, found on this machine.
    pub fn find(&self, seed: u64, memory: Option<u64>) -> Result<ConfirmationRequest, Error> {
        let find = |name: &String| Solver::find(name, memory);
        Ok(ConfirmationRequest {
            by: self.confirm.iter().map(find).collect::<Result<_, _>>()?,
            time: self.confirm_timeout,
            seed,
        })
    }
}

/// The outcome of a confirmation, in one line.
pub(super) fn confirmation_text(confirmation: &Confirmation) -> String {
    if let Some(facts) = &confirmation.facts {
        return facts_text(confirmation, facts);
    }
    let Confirmation {
        engine,
        seconds,
        missing,
        facts: _,
    } = confirmation;
    match missing {
        None => format!("confirmed by {engine} in {seconds:.2} s"),
        Some(reason) => format!("not confirmed by {engine}: {reason}"),
    }
}

/// The text that says how many facts are confirmed, and whether the last step is confirmed.
fn facts_text(confirmation: &Confirmation, facts: &FactsConfirmed) -> String {
    let FactsConfirmed {
        facts: all,
        confirmed,
        derived,
        last,
        missing,
    } = facts;
    let by = &confirmation.engine;
    let seconds = confirmation.seconds;
    let mut text = format!("{confirmed} of {all} facts confirmed by {by} in {seconds:.2} s");
    if *derived > 0 {
        text += &format!("; {derived} follow by rewriting and are not asked");
    }
    text += match last {
        Some(true) => "; the last step confirmed",
        Some(false) => "; the last step not confirmed",
        None => "; the last step follows by rewriting",
    };
    if !missing.is_empty() {
        text = format!("not confirmed: {text}");
    }
    text
}

pub(super) fn write_confirmations(
    out: &mut dyn Write,
    confirmations: &[Confirmation],
) -> Result<(), Error> {
    for confirmation in confirmations {
        writeln!(out, "{}", confirmation_text(confirmation))?;
        let facts = confirmation.facts.iter();
        for MissingFact { fact, reason } in facts.flat_map(|facts| &facts.missing) {
            writeln!(out, "  {fact}: {reason}")?;
        }
    }
    Ok(())
}

/// The other solvers that were asked.
#[derive(Serialize, JsonSchema)]
pub(super) struct ConfirmationsObject {
    confirmed_by: Vec<Confirmation>,
    not_confirmed_by: Vec<Confirmation>,
}

impl ConfirmationsObject {
    /// The solvers that were asked; `None` if there are none.
    pub fn of(confirmations: &[Confirmation]) -> Option<ConfirmationsObject> {
        let all = confirmations.iter().cloned();
        let (confirmed_by, not_confirmed_by) = all.partition(|one| one.missing.is_none());
        (!confirmations.is_empty()).then_some(ConfirmationsObject {
            confirmed_by,
            not_confirmed_by,
        })
    }
}

/// The status of an answer: `Unknown` if one of its confirmations is missing, otherwise `status`.
pub(super) fn confirmed_status(status: Status, confirmations: &[Confirmation]) -> Status {
    let missing = |confirmation: &Confirmation| confirmation.missing.is_some();
    if confirmations.iter().any(missing) {
        Status::Unknown
    } else {
        status
    }
}
