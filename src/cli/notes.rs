//! Notes beside an answer: the numbers that replaced those which the formats lack.

use super::error::Error;
use mmasmt_core::base::excerpt::excerpt;
use mmasmt_core::numbers::float::{Format, taken_for};
use mmasmt_questions::claims::property::Domain;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

/// What was said already: a model may be read more than once.
static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Says each of these sentences, once.
pub(super) fn note(sentences: impl IntoIterator<Item = String>) -> Result<(), Error> {
    for sentence in sentences {
        let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
        if said.insert(sentence.clone()) {
            writeln!(io::stderr(), "note: {sentence}")?;
        }
    }
    Ok(())
}

/// Says which numbers are taken for those behind a `~` in the keys of a specification, all of which
/// are numbers of f32.
pub(super) fn note_keys(specification: &str) -> Result<(), Error> {
    let parts = specification.split([',', ':', '(', ')', '@']);
    let parts = parts.map(str::trim).filter(|part| part.contains('~'));
    note(parts.filter_map(|part| {
        let value = part.rsplit('=').next().unwrap_or(part);
        let taken = taken_for(&Format::F32, value)?;
        Some(format!("`{}`: {taken}", excerpt(part)))
    }))
}

/// Says the same of the values of a domain.
pub(super) fn note_domain(domain: &Domain) -> Result<(), Error> {
    note(domain.taken())
}
