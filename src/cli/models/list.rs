//! The list of rows: those of the machines and formats that were asked for.

use super::algorithms::list_algorithms;
use super::arguments::Args;
use super::listed::{ModelRow, ModelsAnswer, UnknownRow};
use super::spelled::{is_spelled, open_spelling, unknown_is_spelled};
use super::summary::{everything, summary};
use super::unknown::list_unknown;
use crate::cli::error::Error;
use crate::cli::json::write_json;
use crate::cli::output::widest;
use mmasmt_core::machines::model::{
    Architecture, Row, Translation, documentation, find_architecture,
};
use std::io::Write;

/// Splits the words into names of architectures, and texts that a row must have in one of its
/// names.
fn meant(what: &[String]) -> Result<(Vec<&'static Architecture>, Vec<&str>), Error> {
    match meant_by_words(what) {
        // The words may together be one name, such as RTX 4090.
        Err(error) => match find_architecture(&what.join(" ")) {
            Ok(architecture) => Ok((vec![architecture], Vec::new())),
            Err(_) => Err(error),
        },
        found => found,
    }
}

/// The same as [`meant`], where each word is a name or a text by itself.
fn meant_by_words(what: &[String]) -> Result<(Vec<&'static Architecture>, Vec<&str>), Error> {
    let everything = everything()?;
    let (mut named, mut texts) = (Vec::new(), Vec::new());
    for word in what {
        match find_architecture(word) {
            Ok(architecture) => named.push(architecture),
            Err(error) => {
                let mut all = everything.iter();
                let is_known = all.any(|architecture| {
                    let mut unknown = architecture.unknown.iter();
                    architecture.rows.iter().any(|row| is_spelled(row, word))
                        || unknown.any(|unknown| unknown_is_spelled(unknown, word))
                });
                if !is_known {
                    return Err(error.into());
                }
                texts.push(word.as_str());
            }
        }
    }
    let chosen = if named.is_empty() { everything } else { named };
    Ok((chosen, texts))
}

pub(super) fn list(
    args: &Args,
    what: &[String],
    all: bool,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Error> {
    args.check()?;
    let is_asked = all || args.is_filtered() || json;
    if what.is_empty() && !is_asked {
        return summary(out);
    }
    let found = meant(what);
    // The name of an algorithm is no text of a row.
    if let ([name], Err(_)) = (what, &found)
        && let Some(algorithm) = documentation(name)
    {
        return list_algorithms(Some(algorithm), json, out);
    }
    let (architectures, texts) = found?;
    let shows_integers = !texts.is_empty();
    let chosen = architectures.into_iter().map(|architecture| {
        let rows: Vec<&Row> = architecture
            .rows
            .iter()
            .filter(|row| args.wants(row) && texts.iter().all(|text| is_spelled(row, text)))
            .collect();
        let unknown = architecture.unknown.iter().filter(|unknown| {
            args.wants_unknown(unknown)
                && texts.iter().all(|text| unknown_is_spelled(unknown, text))
        });
        (architecture, rows, unknown.collect::<Vec<_>>())
    });
    let chosen: Vec<_> = chosen
        .filter(|(_, rows, unknown)| !rows.is_empty() || !unknown.is_empty())
        .collect();
    if chosen.is_empty() {
        return Err(Error::Usage("no row matches all filters".into()));
    }
    if json {
        let rows = chosen.iter().flat_map(|(_, rows, _)| rows);
        let unknown = chosen.iter().flat_map(|(.., unknown)| unknown);
        let object = ModelsAnswer {
            rows: rows
                .map(|row| ModelRow::of(row))
                .collect::<Result<_, _>>()?,
            unknown: unknown.map(|unknown| UnknownRow::of(unknown)).collect(),
        };
        return write_json(out, &object);
    }
    for (number, (architecture, rows, unknown)) in chosen.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        let products = match architecture.gpus.is_empty() {
            true => String::new(),
            false => format!("; {}", architecture.gpus.join(", ")),
        };
        writeln!(
            out,
            "{} ({}{products})",
            architecture.name, architecture.title
        )?;
        let is_shown = |row: &Row| is_asked || is_usual(row, shows_integers);
        let (mut rows, mut hidden): (Vec<&Row>, Vec<&Row>) =
            rows.iter().partition(|row| is_shown(row));
        if rows.is_empty() {
            std::mem::swap(&mut rows, &mut hidden);
        }
        let width = widest(rows.iter().map(|row| &row.name));
        for row in &rows {
            let model = open_spelling(row)?;
            let kinds: Vec<_> = row.evidence_kinds().collect();
            let remark = row
                .compiled
                .map_or(String::new(), |how| format!("  ({})", how.describe()));
            writeln!(
                out,
                "  {:width$}  {model}  [{}]{remark}",
                row.name,
                kinds.join(", ")
            )?;
        }
        if !hidden.is_empty() {
            let (count, machine) = (hidden.len(), &architecture.name);
            writeln!(
                out,
                "  and {count} rows of integers, sparse and emulated instructions: `mmasmt models {machine} --all`"
            )?;
        }
        list_unknown(unknown, out)?;
    }
    Ok(())
}

/// Whether a row is shown if not all rows are asked for: an instruction of the machine, for dense
/// operands, and for integers only if `shows_integers`.
fn is_usual(row: &Row, shows_integers: bool) -> bool {
    let is_native = !matches!(
        row.compiled,
        Some(Translation::Emulated | Translation::Absent)
    );
    let is_integer = row.model.starts_with("int:") || row.model == "int";
    is_native && row.sparsity.is_none() && (shows_integers || !is_integer)
}
