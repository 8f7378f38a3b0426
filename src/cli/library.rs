//! Asks all claims of queries side by side, and says whether each verdict is the expected one.

use super::Status;
use super::answered::AnswerSubject;
use super::asker::{Asker, QuestionAnswer};
use super::confirm::confirmation_text;
use super::json::{Cost, write_json};
use super::output::counted;
use super::query_claims::{QueryClaim, QueryMember};
use super::side_by_side::side_by_side;
use super::verdicts::ClaimAnswer;
use crate::cli::error::Error;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::property::PublishedClaim;
use mmasmt_questions::claims::query::{Basis, Question};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;

/// Counts of the outcomes of all claims so far.
#[derive(Default)]
struct ClaimTally {
    right: u32,
    wrong: u32,
    unknown: u32,
    seconds: f64,
    confirmed: u32,
    /// A line for each confirmation that was asked for and is missing.
    unconfirmed: Vec<String>,
}

impl ClaimTally {
    fn count(&mut self, member: &QueryMember<'_>, answered: &QuestionAnswer) {
        match member.is_as_expected(&answered.answer) {
            Some(true) => self.right += 1,
            Some(false) => self.wrong += 1,
            None => self.unknown += 1,
        }
        self.seconds += answered.seconds;
        for confirmation in &answered.confirmations {
            match confirmation.missing {
                None => self.confirmed += 1,
                Some(_) => {
                    let text = confirmation_text(confirmation);
                    let line = format!("{}, {}: {text}", member.query.name, answered.question);
                    self.unconfirmed.push(line);
                }
            }
        }
    }

    fn status(&self) -> Status {
        match (self.wrong, self.unknown, self.unconfirmed.is_empty()) {
            (0, 0, true) => Status::Yes,
            (0, _, _) => Status::Unknown,
            _ => Status::No,
        }
    }

    fn write(&self, queries: usize, out: &mut dyn Write) -> Result<(), Error> {
        let ClaimTally {
            right,
            wrong,
            unknown,
            seconds,
            confirmed,
            unconfirmed,
        } = self;
        writeln!(
            out,
            "\n{}: {right} claims as expected, {wrong} not, {unknown} not known; {seconds:.2} s",
            counted(queries, "query", "queries"),
        )?;
        if *confirmed > 0 || !unconfirmed.is_empty() {
            let missing = unconfirmed.len();
            writeln!(out, "{confirmed} confirmations, {missing} missing")?;
        }
        for line in unconfirmed {
            writeln!(out, "  {line}")?;
        }
        Ok(())
    }
}

/// Asks the claims of the queries side by side, and writes a line for each, in their order, and a closing count.
pub(super) fn library(
    chosen: &[&PublishedClaim],
    asker: &Asker,
    json: bool,
    out: &mut dyn Write,
) -> Result<Status, Error> {
    let mut tally = ClaimTally::default();
    let mut rows = Vec::new();
    let all = QueryMember::all(chosen)?;
    let mut done = 0;
    let mut settle = || {
        let settled = Some([done, all.len()]);
        asker.limits.report(|report| report.settled = settled);
        done += 1;
    };
    settle();
    let answered = |member: &QueryMember<'_>, limits: &Limits| {
        let question = Question::refuting(&member.claim);
        let limits = asker.limits_of_one_within(limits);
        asker.answer(question, Some(&member.tag()), &limits)
    };
    side_by_side(&all, &asker.limits, answered, |member, answered| {
        let answered = answered?;
        settle();
        let QueryMember { query, claim, .. } = member;
        if member.number == 0 && !json {
            writeln!(out, "{} ({})", query.name, query.source)?;
        }
        tally.count(member, &answered);
        if json {
            let answer = ClaimAnswer::new(claim, &answered, &asker.options);
            rows.push(QueryClaim::new(answer, member));
        } else {
            write_claim(member, &answered, out)?;
            answered.written.write_lines(out)?;
            out.flush()?;
        }
        Ok::<_, Error>(())
    })?;
    if json {
        let engine = asker.options.engine.describe();
        let object = QueriesAnswer {
            as_expected: tally.right,
            not_as_expected: tally.wrong,
            not_known: tally.unknown,
            confirmed: tally.confirmed,
            not_confirmed: &tally.unconfirmed,
            claims: rows,
            cost: Cost::of_engine(tally.seconds, asker.options.seed, engine),
        };
        write_json(out, &object)?;
    } else {
        tally.write(chosen.len(), out)?;
    }
    Ok(tally.status())
}

/// `mmasmt prove QUERY…`
#[derive(Serialize, JsonSchema)]
pub(super) struct QueriesAnswer<'x> {
    as_expected: u32,
    not_as_expected: u32,
    not_known: u32,
    confirmed: u32,
    /// A line for each confirmation that was asked for and is missing.
    not_confirmed: &'x [String],
    claims: Vec<QueryClaim<'x, ClaimAnswer>>,
    cost: Cost,
}

fn write_claim(
    member: &QueryMember<'_>,
    answered: &QuestionAnswer,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let mark = match member.is_as_expected(&answered.answer) {
        Some(true) => "",
        Some(false) => ", not as expected",
        None => ", not known",
    };
    let how = match answered.answer.proved() {
        Some(by) if by != Basis::Solver => format!(", {}", by.describe()),
        _ => String::new(),
    };
    writeln!(
        out,
        "  {:5} {:8} {:6.2} s  {}{how}{mark}",
        if member.is_twin { "twin" } else { "claim" },
        AnswerSubject::Claim(&member.claim).verdict(&answered.answer),
        answered.seconds,
        member.claim,
    )?;
    for confirmation in &answered.confirmations {
        writeln!(out, "        {}", confirmation_text(confirmation))?;
    }
    Ok(())
}
