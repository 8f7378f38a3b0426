//! Asks the standard queries, and lists them with the properties. A query is a published claim with
//! the verdict that is expected; with it comes its twin, a claim that must get the opposite
//! verdict.

use super::Status;
use super::answered::Subject;
use super::asker::{Answered, Asker};
use super::confirm::confirmation_text;
use super::json::{Cost, write_json};
use super::output::{counted, widest};
use super::shards::{Shard, ShardArgs, Work};
use super::specification_text::specification;
use super::verdicts::{ClaimAnswer, ClaimWithoutCost};
use crate::cli::error::Error;
use mmasmt_core::base::excerpt::{excerpt, file_name};
use mmasmt_core::base::limited_file::read_limited;
use mmasmt_questions::claims::property::{
    Claim, Expected, PROPERTIES, Published, published, read_published,
};
use mmasmt_questions::claims::query::{Answer, Basis, Ended, Question};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// Every query of the program.
pub(super) fn all_queries() -> Result<&'static [Published], Error> {
    published().map_err(Error::Usage)
}

/// The most bytes of a file of queries: 1 MiB.
const LONGEST: u64 = 1 << 20;

/// The queries of files of one's own.
///
/// # Errors
/// If a file cannot be read, is no file of queries or has none, or a claim of it is wrong.
pub(super) fn queries_of(paths: &[PathBuf]) -> Result<Vec<Published>, Error> {
    let mut all = Vec::new();
    for path in paths {
        let wrong = |error: String| Error::Usage(format!("{}: {error}", file_name(path)));
        let text = read_limited(path, LONGEST).map_err(Error::file(path))?;
        let text = text.ok_or_else(|| {
            wrong(format!(
                "expected queries of at most {LONGEST} bytes, found more"
            ))
        })?;
        let queries = read_published(&text).map_err(wrong)?;
        if queries.is_empty() {
            return Err(wrong("expected queries, `[[query]]`, found none".into()));
        }
        for query in queries {
            let name = query.name.clone();
            let query = query.about(|model| Ok::<_, Error>(specification(model)?.into_owned()))?;
            let claims = query.claims();
            claims.map_err(|error| wrong(format!("query `{}`: {error}", excerpt(&name))))?;
            all.push(query);
        }
    }
    Ok(all)
}

/// Whether the verdict on a claim is the expected one; `None` if the verdict is unknown.
fn as_expected(claim: &Claim, answer: &Answer, expected: Expected) -> Option<bool> {
    match answer.ended {
        Ended::Unknown(_) => None,
        _ => Some(Subject::Claim(claim).verdict(answer) == expected.name()),
    }
}

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
    fn count(&mut self, query: &Published, claim: &Claim, answered: &Answered, expected: Expected) {
        match as_expected(claim, &answered.answer, expected) {
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
                    let line = format!("{}, {}: {text}", query.name, answered.question);
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

/// Asks the queries one by one, and writes a line for each claim and a closing count.
pub(super) fn library(
    chosen: &[&Published],
    asker: &Asker,
    json: bool,
    out: &mut dyn Write,
) -> Result<Status, Error> {
    let mut tally = ClaimTally::default();
    let mut rows = Vec::new();
    for (done, query) in chosen.iter().enumerate() {
        let settled = Some([done, chosen.len()]);
        asker.limits.report(|report| report.settled = settled);
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
            let question = Question::refuting(&claim);
            let answered = asker.answer(question, Some(&tag), &asker.limits_of_one())?;
            tally.count(query, &claim, &answered, expected);
            if !json {
                write_claim(&claim, &answered, expected, twin, out)?;
                answered.written.write_lines(out)?;
                out.flush()?;
                continue;
            }
            let answer = ClaimAnswer::new(&claim, &answered, &asker.options);
            rows.push(QueryClaim::new(answer, query, twin, expected));
        }
    }
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

/// A claim of a query, with the verdict that is expected.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "query-claim")]
struct QueryClaim<'x, T> {
    #[serde(flatten)]
    answer: T,
    query: &'x str,
    /// True if it is the twin, which must get the opposite verdict.
    twin: bool,
    expected: &'static str,
}

impl<'x, T> QueryClaim<'x, T> {
    fn new(answer: T, query: &'x Published, twin: bool, expected: Expected) -> Self {
        QueryClaim {
            answer,
            query: &query.name,
            twin,
            expected: expected.name(),
        }
    }
}

/// A line of `prove --shard`.
#[derive(Serialize)]
struct QueryLine<'x> {
    query: &'x str,
    claims: Vec<QueryClaim<'x, ClaimWithoutCost>>,
}

/// Asks a share of the queries, and writes a line for each with the outcomes of its claims.
pub(super) fn share(
    chosen: &[&Published],
    asker: &Asker,
    (shard, args): (Shard, &ShardArgs),
    out: &mut dyn Write,
) -> Result<Status, Error> {
    let names: Vec<_> = chosen.iter().map(|query| query.name.as_str()).collect();
    // Two files may have other claims by the same names.
    let mut claims = Vec::new();
    for query in chosen {
        let all = query.claims()?.into_iter();
        claims.extend(all.map(|(claim, expected)| format!("{}: {claim}", expected.name())));
    }
    let work = Work {
        command: "prove",
        asked: json!({
            "queries": names, "claims": claims, "seed": asker.options.seed, "engine": asker.options.engine.describe(),
        }),
        items: chosen.len() as u64,
        stride: 1,
    };
    work.share(shard, args, &asker.limits, out, |item| {
        let query = chosen[item as usize];
        let claims = query.claims()?;
        let last = claims.len() - 1;
        let (mut rows, mut status) = (Vec::new(), Status::Yes);
        for (number, (claim, expected)) in claims.into_iter().enumerate() {
            let question = Question::refuting(&claim);
            let answered = asker.answer(question, None, &asker.limits_of_one())?;
            status = status.and(match as_expected(&claim, &answered.answer, expected) {
                Some(expected) => Status::of(expected),
                None => Status::Unknown,
            });
            if asker.limits.stopped().is_some() {
                return Ok(None);
            }
            let answer = ClaimWithoutCost::new(&claim, &answered);
            rows.push(QueryClaim::new(answer, query, number == last, expected));
        }
        let line = QueryLine {
            query: &query.name,
            claims: rows,
        };
        Ok(Some((line, status)))
    })
}

fn write_claim(
    claim: &Claim,
    answered: &Answered,
    expected: Expected,
    twin: bool,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let mark = match as_expected(claim, &answered.answer, expected) {
        Some(true) => "",
        Some(false) => "  NOT AS EXPECTED",
        None => "  NOT KNOWN",
    };
    let how = match answered.answer.proved() {
        Some(by) if by != Basis::Solver => format!(", {}", by.describe()),
        _ => String::new(),
    };
    writeln!(
        out,
        "  {:5} {:8} {:6.2} s  {}{how}{mark}",
        if twin { "twin" } else { "claim" },
        Subject::Claim(claim).verdict(&answered.answer),
        answered.seconds,
        claim,
    )?;
    for confirmation in &answered.confirmations {
        writeln!(out, "        {}", confirmation_text(confirmation))?;
    }
    Ok(())
}

/// `mmasmt prove --list`
#[derive(Serialize, JsonSchema)]
pub(super) struct ListAnswer<'x> {
    properties: Vec<PropertyRow>,
    queries: Vec<QueryRow<'x>>,
}

#[derive(Serialize, JsonSchema)]
struct PropertyRow {
    name: &'static str,
    meaning: &'static str,
}

#[derive(Serialize, JsonSchema)]
struct QueryRow<'x> {
    name: &'x str,
    source: &'x str,
    /// The verdict that is expected.
    expect: &'static str,
}

/// Lists properties and the queries.
pub(super) fn list(known: &[Published], json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    if json {
        let properties = PROPERTIES.iter().map(|doc| PropertyRow {
            name: doc.name,
            meaning: doc.meaning,
        });
        let queries = known.iter().map(|query| QueryRow {
            name: &query.name,
            source: &query.source,
            expect: query.expect.name(),
        });
        let object = ListAnswer {
            properties: properties.collect(),
            queries: queries.collect(),
        };
        write_json(out, &object)?;
        return Ok(Status::Yes);
    }
    writeln!(out, "properties")?;
    let width = widest(PROPERTIES.iter().map(|doc| doc.name));
    for doc in PROPERTIES {
        writeln!(out, "  {:width$}  {}", doc.name, doc.meaning)?;
    }
    writeln!(out, "\nqueries")?;
    let width = widest(known.iter().map(|query| &query.name));
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
