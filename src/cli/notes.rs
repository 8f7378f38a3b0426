//! Notes beside an answer: numbers that were replaced because the formats lack them, instructions
//! that formats stand for.

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

/// Writes each of these sentences on standard error, once.
pub(super) fn note(sentences: impl IntoIterator<Item = String>) -> Result<(), Error> {
    for sentence in sentences {
        let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
        if said.insert(sentence.clone()) {
            writeln!(io::stderr(), "note: {sentence}")?;
        }
    }
    Ok(())
}

/// Writes a note on each number behind a `~` in the keys of a specification: which number of f32 is
/// taken for it.
pub(super) fn note_keys(specification: &str) -> Result<(), Error> {
    let parts = specification.split([',', ':', '(', ')', '@']);
    let parts = parts.map(str::trim).filter(|part| part.contains('~'));
    note(parts.filter_map(|part| {
        let value = part.rsplit('=').next().unwrap_or(part);
        let taken = taken_for(&Format::F32, value)?;
        Some(format!("`{}`: {taken}", excerpt(part)))
    }))
}

/// Writes a note on each format that stands for an instruction, as in `H100/fp8`: which one.
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

/// Writes a note on each number behind a `~` in a domain.
pub(super) fn note_domain(domain: &Domain) -> Result<(), Error> {
    note(domain.taken())
}
