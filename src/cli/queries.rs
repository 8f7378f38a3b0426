//! Asks the standard queries, and lists them with the properties. A query is a published claim with
//! the verdict that is expected; with it comes its twin, a claim that must get the opposite
//! verdict.

use super::Status;
use super::asker::Asker;
use super::json::write_json;
use super::output::widest;
use super::query_claims::{QueryClaim, QueryMember};
use super::shards::{Shard, ShardArgs, ShareWork};
use super::specification_text::specification;
use super::verdicts::ClaimWithoutCost;
use crate::cli::error::Error;
use mmasmt_numbers::base::excerpt::{excerpt, file_name};
use mmasmt_numbers::base::limited_file::read_limited;
use mmasmt_questions::claims::property::{PROPERTIES, PublishedClaim, published, read_published};
use mmasmt_questions::claims::query::Question;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// Every query of the program.
pub(super) fn all_queries() -> Result<&'static [PublishedClaim], Error> {
    published().map_err(Error::Usage)
}

/// The most bytes of a file of queries: 1 MiB.
const LONGEST: u64 = 1 << 20;

/// The queries of files of one's own.
///
/// # Errors
/// If a file cannot be read, is no file of queries or has none, or a claim of it is wrong.
pub(super) fn queries_of(paths: &[PathBuf]) -> Result<Vec<PublishedClaim>, Error> {
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

/// A line of `prove --shard`.
#[derive(Serialize)]
struct QueryLine<'x> {
    query: &'x str,
    claims: Vec<QueryClaim<'x, ClaimWithoutCost>>,
}

/// Asks a share of the queries, and writes a line for each with the outcomes of its claims.
pub(super) fn share(
    chosen: &[&PublishedClaim],
    asker: &Asker,
    (shard, args): (Shard, &ShardArgs),
    out: &mut dyn Write,
) -> Result<Status, Error> {
    let names: Vec<_> = chosen.iter().map(|query| query.name.as_str()).collect();
    let mut queries: Vec<Vec<QueryMember<'_>>> = Vec::new();
    for query in chosen {
        queries.push(QueryMember::all(&[query])?);
    }
    // Two files may have other claims by the same names.
    let claims = queries.iter().flatten();
    let claims = claims.map(|one| format!("{}: {}", one.expected.name(), one.claim));
    let claims: Vec<String> = claims.collect();
    let work = ShareWork {
        command: "prove",
        asked: json!({
            "queries": names, "claims": claims, "seed": asker.options.seed, "engine": asker.options.engine.describe(),
        }),
        items: chosen.len() as u64,
        stride: 1,
    };
    work.share(shard, args, &asker.limits, out, |item| {
        let members = &queries[item as usize];
        let (mut rows, mut status) = (Vec::new(), Status::Yes);
        for member in members {
            let question = Question::refuting(&member.claim);
            let answered = asker.answer(question, None, &asker.limits_of_one())?;
            status = status.and(match member.is_as_expected(&answered.answer) {
                Some(expected) => Status::of(expected),
                None => Status::Unknown,
            });
            if asker.limits.stopped().is_some() {
                return Ok(None);
            }
            let answer = ClaimWithoutCost::new(&member.claim, &answered);
            rows.push(QueryClaim::new(answer, member));
        }
        let line = QueryLine {
            query: &chosen[item as usize].name,
            claims: rows,
        };
        Ok(Some((line, status)))
    })
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
pub(super) fn list(
    known: &[PublishedClaim],
    json: bool,
    out: &mut dyn Write,
) -> Result<Status, Error> {
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
