//! The vectors recorded on silicon that are part of the program. They are in `evidence/`, whose
//! README names sources and licences.

use super::VectorError;
use super::check::check_file;
use super::tally::Checked;
use lzma_rust2::XzReader;
use mmasmt_core::machines::model::{Model, ModelError};
use std::io::Read;
use thiserror::Error;

/// The name of every source, and its sections, compressed by xz.
const SOURCES: &[(&str, &[u8])] = &[
    (
        "matlab-tensor-core",
        include_bytes!("../../evidence/matlab-tensor-core.xz"),
    ),
    ("mmaemu", include_bytes!("../../evidence/mmaemu.xz")),
    ("rdna", include_bytes!("../../evidence/rdna.xz")),
    ("zen4", include_bytes!("../../evidence/zen4.xz")),
    ("amx", include_bytes!("../../evidence/amx.xz")),
    ("h100", include_bytes!("../../evidence/h100.xz")),
];

/// The start of a section's first line.
const MARK: &str = "## ";

/// An error in the recorded vectors; tests rule it out.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EvidenceError {
    /// A source could not be unpacked, or does not begin with a section.
    #[error("{source_name}: expected sections of recorded vectors, found {found}")]
    Damaged {
        /// The name of the source.
        source_name: &'static str,
        /// The content found instead.
        found: String,
    },
    /// A section does not name a valid model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A line is not a vector.
    #[error(transparent)]
    Vectors(#[from] VectorError),
}

/// Vectors that one card computed with one instruction.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The source of the vectors: a file of `evidence/`.
    pub source: &'static str,
    /// The card or processor.
    pub card: String,
    /// The specification of the model that must reproduce the vectors: a row of the tables, or a
    /// composition of it.
    pub model: String,
    /// Lines `c a0,a1,… b0,b1,… d`.
    pub lines: String,
}

/// All recorded vectors, in the order of the sources.
///
/// # Errors
/// If a source is damaged, which the tests of the program rule out.
pub fn recorded() -> Result<Vec<Recording>, EvidenceError> {
    let mut all = Vec::new();
    for &(source, packed) in SOURCES {
        let damaged = |found: String| EvidenceError::Damaged {
            source_name: source,
            found,
        };
        let mut text = String::new();
        let read = XzReader::new(packed, false).read_to_string(&mut text);
        read.map_err(|error| damaged(error.to_string()))?;
        let mut sections: Vec<Recording> = Vec::new();
        for line in text.lines() {
            if let Some(title) = line.strip_prefix(MARK) {
                let (model, card) = title
                    .split_once('\t')
                    .ok_or_else(|| damaged(format!("`{line}`")))?;
                sections.push(Recording {
                    source,
                    card: card.into(),
                    model: model.into(),
                    lines: String::new(),
                });
            } else {
                let section = sections.last_mut();
                let section = section.ok_or_else(|| damaged(format!("`{line}`")))?;
                section.lines.push_str(line);
                section.lines.push('\n');
            }
        }
        all.extend(sections);
    }
    Ok(all)
}

impl Recording {
    /// Checks the model against the vectors, and keeps the first `keep` failures.
    ///
    /// # Errors
    /// If the tables do not have the model, or a line is not a vector of it; tests rule out both.
    pub fn check(&self, keep: usize) -> Result<(Model, Checked), EvidenceError> {
        let model = Model::parse(&self.model)?;
        let checked = check_file(&model, self.lines.as_bytes(), keep)?;
        Ok((model, checked))
    }
}
