//! Completes models, keys and properties in a shell.

use clap_complete::engine::CompletionCandidate;
use mmasmt_core::machines::model::{
    add_tables_of_environment, algorithms, architectures, compositions, conversions, described,
    documentation, libraries, named_units, split_name, unmodelled,
};
use mmasmt_questions::claims::property::PROPERTIES;
use std::ffi::OsStr;

/// Algorithms, compositions, descriptions and instructions that begin with what has been typed. If
/// an algorithm or a description and a colon have been typed: its keys.
pub(super) fn models(typed: &OsStr) -> Vec<CompletionCandidate> {
    // Folders that cannot be read are for the command to report.
    let _ = add_tables_of_environment();
    let typed = typed.to_string_lossy();
    let (name, keys) = split_name(&typed);
    if let Some(keys) = keys.strip_prefix(':') {
        let Some(doc) = documentation(name) else {
            return Vec::new();
        };
        let before = keys.rfind(',').map_or(0, |at| at + 1);
        let before = &typed[..name.len() + 1 + before];
        let all = doc.keys.iter().map(|key| format!("{before}{}=", key.name));
        return beginning(all, &typed);
    }
    let algorithms = algorithms().iter().map(|doc| doc.name.to_owned());
    let compositions = compositions().iter().map(|doc| format!("{}(", doc.name));
    let units = named_units().into_iter().map(|name| format!("unit:{name}"));
    let names = algorithms.chain(compositions).chain(units);
    beginning(names.chain(instructions()), &typed)
}

/// Every name of every instruction in the tables, as `ARCH/INSTRUCTION`.
pub(super) fn instructions() -> impl Iterator<Item = String> {
    let tables = [
        architectures(),
        described(),
        libraries(),
        unmodelled(),
        conversions(),
    ]
    .into_iter()
    .flatten()
    .flatten();
    tables.flat_map(|table| {
        let names = table.rows.iter().flat_map(|row| row.names());
        let names = names.chain(table.unknown.iter().map(|unknown| &unknown.name));
        names.map(|name| format!("{}/{name}", table.name))
    })
}

/// Properties that begin with what has been typed.
pub(super) fn properties(typed: &OsStr) -> Vec<CompletionCandidate> {
    let names = PROPERTIES.iter().map(|doc| doc.word());
    beginning(names.map(str::to_owned), &typed.to_string_lossy())
}

/// Keys of any algorithm or composition that begin with what has been typed.
pub(super) fn keys(typed: &OsStr) -> Vec<CompletionCandidate> {
    let docs = algorithms().iter().chain(compositions());
    let mut names: Vec<_> = docs
        .flat_map(|doc| &doc.keys)
        .map(|key| key.name.to_owned())
        .collect();
    names.sort_unstable();
    names.dedup();
    beginning(names.into_iter(), &typed.to_string_lossy())
}

fn beginning(names: impl Iterator<Item = String>, typed: &str) -> Vec<CompletionCandidate> {
    let fitting = names.filter(|name| name.starts_with(typed));
    fitting.map(CompletionCandidate::new).collect()
}
