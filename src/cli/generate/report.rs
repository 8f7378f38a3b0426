//! The report of `gen`: on standard output, or on standard error if the vectors go to standard
//! output.

use super::super::json::write_json;
use super::args::Args;
use super::destination::{Destination, FileFormat};
use crate::cli::error::Error;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Stopped;
use mmasmt_questions::identify::{PairRelation, PairRelations};
use mmasmt_questions::vectors::write::Origin;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;

/// The outcome of `gen`: how many vectors were written, and what is known of the models.
pub(super) struct WrittenVectors {
    pub count: u64,
    /// If there are fewer vectors than were asked for: the reason, or `None` if it is proved that
    /// there are no more.
    pub stopped: Option<Stopped>,
    /// For every two models, whether they differ, are proved equal, or neither is known; empty if
    /// inputs were drawn, not searched for.
    pub pairs: PairRelations,
}

/// `mmasmt gen --out`
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct GenAnswer<'x> {
    /// The number of vectors that were written.
    count: u64,
    asked: u64,
    /// The reason for fewer vectors than were asked for.
    reason: Option<&'static str>,
    files: Vec<String>,
    format: FileFormat,
    models: &'x [String],
    kind: &'x str,
    seed: u64,
    assume: &'x str,
    /// Every two models; none if inputs were drawn, not searched for.
    pairs: Vec<PairVerdict<'x>>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "told-pair")]
struct PairVerdict<'x> {
    models: [&'x str; 2],
    #[schemars(extend("enum" = ["different", "equal", "unknown", "not asked"]))]
    verdict: &'static str,
    /// True if there are no others that tell them apart.
    all: bool,
}

pub(super) fn write(
    out: &mut dyn Write,
    args: &Args,
    json: bool,
    models: &[Model],
    origin: &Origin,
    destination: &Destination,
    written: &WrittenVectors,
) -> Result<(), Error> {
    let files = destination.files(models.len());
    let files: Vec<String> = files
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    if json {
        let pairs = written.pairs.iter();
        let pairs = pairs.map(|([left, right], told)| {
            let (verdict, all) = match told {
                PairRelation::Apart { all } => ("different", *all),
                PairRelation::Equal => ("equal", true),
                PairRelation::Unknown(_) => ("unknown", false),
                PairRelation::NotAsked => ("not asked", false),
            };
            PairVerdict {
                models: [&origin.models[*left], &origin.models[*right]],
                verdict,
                all,
            }
        });
        let object = GenAnswer {
            count: written.count,
            asked: args.count,
            reason: stopped(args, written),
            files,
            format: destination.format,
            models: &origin.models,
            kind: &origin.kind,
            seed: origin.seed,
            assume: &origin.assume,
            pairs: pairs.collect(),
        };
        return write_json(out, &object);
    }
    let mut notes = notes(models, origin, written);
    if let Some(why) = stopped(args, written) {
        notes.push(format!(
            "{} of {} vectors: {why}",
            written.count, args.count
        ));
    }
    if files.is_empty() {
        let mut beside = std::io::stderr();
        for note in &notes {
            let _ = writeln!(beside, "# {note}");
        }
        return Ok(());
    }
    for (index, file) in files.iter().enumerate() {
        let named = if files.len() == models.len() {
            models[index].to_string()
        } else {
            let names: Vec<_> = models.iter().map(Model::to_string).collect();
            names.join(" ")
        };
        writeln!(
            out,
            "{file}: {} vectors, {}, seed {}  [{named}]",
            written.count, origin.kind, origin.seed
        )?;
    }
    for note in notes {
        writeln!(out, "{note}")?;
    }
    Ok(())
}

/// Why there are fewer vectors than were asked for; `None` if there are as many as were asked for.
fn stopped(args: &Args, written: &WrittenVectors) -> Option<&'static str> {
    (written.count < args.count).then_some(match written.stopped {
        Some(stopped) => stopped.describe(),
        None => "there are no others on which the models differ, proved",
    })
}

/// A note on every two models that the vectors do not tell apart.
fn notes(models: &[Model], origin: &Origin, written: &WrittenVectors) -> Vec<String> {
    let domain = match origin.assume.as_str() {
        "" => "all operands".into(),
        assume => format!("all operands in `{assume}`"),
    };
    let note = |([left, right], told): &([usize; 2], PairRelation)| {
        let names = format!("{} and {}", models[*left], models[*right]);
        match told {
            PairRelation::Apart { .. } => None,
            PairRelation::Equal => Some(format!("equal: {names}, proved for {domain}")),
            PairRelation::Unknown(stopped) => {
                Some(format!("not told apart: {names}, {}", stopped.describe()))
            }
            PairRelation::NotAsked => Some(format!(
                "not told apart: {names}, the vectors that were asked for did not suffice"
            )),
        }
    };
    written.pairs.iter().filter_map(note).collect()
}
