//! Notes on standard error, beside an answer: which number replaces one that its format lacks, and
//! which instruction is meant by the name of a format.

use super::error::Error;
use mmasmt_core::base::excerpt::excerpt;
use mmasmt_core::machines::model::{find_architecture, usual_row};
use mmasmt_core::numbers::float::{Format, taken_for};
use mmasmt_questions::claims::property::Domain;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

/// The notes that were written already: a model may be read more than once.
static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Writes each of these sentences on standard error, unless it was written before.
pub(super) fn note(sentences: impl IntoIterator<Item = String>) -> Result<(), Error> {
    for sentence in sentences {
        let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
        if said.insert(sentence.clone()) {
            writeln!(io::stderr(), "note: {sentence}")?;
        }
    }
    Ok(())
}

/// In a key, `~` before a number means the nearest number of f32. For each number with a `~` in a
/// specification, writes a note that says which number is taken.
pub(super) fn note_keys(specification: &str) -> Result<(), Error> {
    let parts = specification.split([',', ':', '(', ')', '@']);
    let parts = parts.map(str::trim).filter(|part| part.contains('~'));
    note(parts.filter_map(|part| {
        let value = part.rsplit('=').next().unwrap_or(part);
        let taken = taken_for(&Format::F32, value)?;
        Some(format!("`{}`: {taken}", excerpt(part)))
    }))
}

/// For each format that stands for an instruction, as in `H100/fp8`, writes a note that names the
/// instruction.
pub(super) fn note_instructions(specification: &str) -> Result<(), Error> {
    let parts = specification
        .split([',', ':', '(', ')', '@'])
        .map(str::trim);
    note(parts.filter_map(|part| {
        let (machine, format) = part.split_once('/')?;
        let row = usual_row(find_architecture(machine).ok()?, format)?;
        Some(format!(
            "`{}` is {}/{}",
            excerpt(part),
            row.architecture,
            row.name
        ))
    }))
}

/// In a domain, `~` before a number means the nearest number of the format. For each number with a
/// `~`, writes a note that says which number is taken.
pub(super) fn note_domain(domain: &Domain) -> Result<(), Error> {
    note(domain.taken())
}
