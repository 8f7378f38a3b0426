//! The queries of the program: asked one by one, and listed with the properties.

use super::Status;
use super::output::{PROGRAM, write_json};
use super::prove::{Args, answered_json, verdict};
use crate::engine::{Limits, solver_version};
use crate::error::Error;
use crate::property::PROPERTIES;
use crate::query::{Expected, Outcome, Query, queries};
use serde_json::{Value, json};
use std::io::Write;

/// Every query of the program.
pub(super) fn all_queries() -> Result<&'static [Query], Error> {
    queries().map_err(Error::Usage)
}

/// Whether the outcome is the expected one; nothing if there is none.
fn as_expected(outcome: &Outcome, expected: Expected) -> Option<bool> {
    match outcome {
        Outcome::Unknown(_) => None,
        _ => Some(verdict(outcome) == expected.name()),
    }
}

/// Queries one by one, a line for each claim, and a closing count.
pub(super) fn library(
    chosen: &[&Query],
    args: &Args,
    limits: &Limits,
    json: bool,
    out: &mut impl Write,
) -> Result<Status, Error> {
    let (mut right, mut wrong, mut unknown) = (0, 0, 0);
    let mut total = 0.0;
    let mut rows = Vec::new();
    for query in chosen {
        if !json {
            writeln!(out, "{} ({})", query.name, query.source)?;
        }
        let claims = query.claims()?;
        let last = claims.len() - 1;
        for (number, (claim, expected)) in claims.into_iter().enumerate() {
            let twin = number == last;
            let tag = if twin {
                "twin".into()
            } else {
                (number + 1).to_string()
            };
            let answered = args.answer(claim, Some(&tag), limits)?;
            let outcome = as_expected(&answered.outcome, expected);
            match outcome {
                Some(true) => right += 1,
                Some(false) => wrong += 1,
                None => unknown += 1,
            }
            total += answered.seconds;
            if json {
                let mut row = answered_json(&answered);
                if let Value::Object(map) = &mut row {
                    map.insert("query".into(), query.name.clone().into());
                    map.insert("twin".into(), twin.into());
                    map.insert("expected".into(), expected.name().into());
                }
                rows.push(row);
                continue;
            }
            let mark = match outcome {
                Some(true) => "",
                Some(false) => "  NOT AS EXPECTED",
                None => "  NOT KNOWN",
            };
            let how = match &answered.outcome {
                Outcome::Proved {
                    by_construction: true,
                } => ", by construction",
                _ => "",
            };
            writeln!(
                out,
                "  {:5} {:8} {:6.2} s  {}{how}{mark}",
                if twin { "twin" } else { "claim" },
                verdict(&answered.outcome),
                answered.seconds,
                answered.claim,
            )?;
            answered.written.write_lines(out)?;
            out.flush()?;
        }
    }
    if json {
        let object = json!({
            "as_expected": right, "not_as_expected": wrong, "not_known": unknown,
            "seconds": total, "claims": rows, "engine": solver_version(), "version": PROGRAM,
        });
        write_json(out, &object)?;
    } else {
        writeln!(
            out,
            "\n{} queries: {right} claims as expected, {wrong} not, {unknown} not known; {total:.2} s",
            chosen.len()
        )?;
    }
    Ok(match (wrong, unknown) {
        (0, 0) => Status::Yes,
        (0, _) => Status::Unknown,
        _ => Status::No,
    })
}

/// Lists properties and queries.
pub(super) fn list(json: bool, out: &mut impl Write) -> Result<Status, Error> {
    let known = all_queries()?;
    if json {
        let properties: Vec<Value> = PROPERTIES
            .iter()
            .map(|doc| json!({ "name": doc.name, "meaning": doc.meaning }))
            .collect();
        let queries: Vec<Value> = known
            .iter()
            .map(|query| json!({ "name": query.name, "source": query.source, "expect": query.expect.name() }))
            .collect();
        let object = json!({ "properties": properties, "queries": queries, "version": PROGRAM });
        write_json(out, &object)?;
        return Ok(Status::Yes);
    }
    writeln!(out, "properties")?;
    for doc in PROPERTIES {
        writeln!(out, "  {:18} {}", doc.name, doc.meaning)?;
    }
    writeln!(out, "\nqueries")?;
    let width = known
        .iter()
        .map(|query| query.name.len())
        .max()
        .unwrap_or(0);
    for query in known {
        writeln!(
            out,
            "  {:width$}  {}  {}",
            query.name,
            query.expect.name(),
            query.source
        )?;
    }
    Ok(Status::Yes)
}
