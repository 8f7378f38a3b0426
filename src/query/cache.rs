//! Answers kept in a file, by what was asked and who answered.

use super::basis::Basis;
use super::subject::Subject;
use crate::excerpt::{excerpt, file_name};
use crate::whole_file::write_whole;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a kept answer cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CacheError {
    /// The file cannot be read or written.
    #[error("{}: {error}", file_name(.path))]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// It holds something else.
    #[error(
        "{}: expected a file that --cache wrote, found {}; delete it, or give another one",
        file_name(.path),
        excerpt(.found)
    )]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What is there.
        found: String,
    },
    /// A kept answer is not as it was written.
    #[error(
        "{}: the answer kept as {key} is not what --cache wrote, it was changed or damaged; delete the file",
        file_name(.path)
    )]
    Changed {
        /// The file.
        path: PathBuf,
        /// The name of the answer.
        key: String,
    },
    /// A kept answer is wrong.
    #[error("{}: the answer kept as {key} is not true: {}; delete the file", file_name(.path), excerpt(.what))]
    Untrue {
        /// The file.
        path: PathBuf,
        /// The name of the answer.
        key: String,
        /// What is not.
        what: String,
    },
    /// Only kept answers count, and this one is not there.
    #[error("{}: no answer to this question; ask once without --cache-only", file_name(.path))]
    Miss {
        /// The file.
        path: PathBuf,
    },
}

/// A file of answers. Each answer stands beside a hash over all of it, so that one that was damaged or
/// edited is an error. There is no secret in the hash: who computes it anew can write what they like,
/// and only inputs are then found out, as they are replayed. Several processes may use one: each reads whole files and replaces them
/// whole, so that at worst an answer is not kept.
#[derive(Clone, Debug)]
pub struct Cache {
    path: PathBuf,
    /// Whether a question whose answer is not there is an error.
    only: bool,
}

/// An answer as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Kept {
    /// What was asked, for a person.
    pub subject: String,
    /// Who answered.
    pub engines: Vec<String>,
    pub witnesses: Vec<KeptWitness>,
    pub ended: Ended,
}

/// Inputs that were found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeptWitness {
    /// As in a vector file, without a result.
    pub line: String,
    pub simplest: Option<bool>,
}

/// What is known beyond the witnesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Ended {
    /// All that were asked for.
    Enough,
    /// There are no others.
    NoMore { by: Basis },
    /// There are no operands that are as assumed.
    Vacuous,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    answers: BTreeMap<String, Signed>,
}

/// An answer with the hash over its name and all of its content.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Signed {
    answer: Kept,
    sha256: String,
}

const FORMAT: &str = "mmasmt answers 2";

/// The most bytes of a file of answers: about a hundred thousand.
const LONGEST: u64 = 1 << 28;

impl Cache {
    /// The answers of the file; none yet if there is no such file. With `only` a question whose
    /// answer is not there is an error.
    ///
    /// # Errors
    /// If the file holds something else.
    pub fn open(path: &Path, only: bool) -> Result<Cache, CacheError> {
        let cache = Cache {
            path: path.to_owned(),
            only,
        };
        cache.read()?;
        Ok(cache)
    }

    /// The name of an answer: a hash of the formula, of who is asked, and of what else was wanted.
    pub(super) fn key(subject: &Subject<'_>, engine: &str, wanted: &str) -> String {
        hash(&[
            env!("CARGO_PKG_VERSION"),
            engine,
            wanted,
            subject.script().text(),
        ])
    }

    /// The answer of that name.
    pub(super) fn get(&self, key: &str) -> Result<Option<Kept>, CacheError> {
        let path = self.path.clone();
        match self.read()?.remove(key) {
            None if self.only => Err(CacheError::Miss { path }),
            kept => Ok(kept),
        }
    }

    /// Keeps an answer, beside what others have kept meanwhile.
    pub(super) fn put(&self, key: String, kept: Kept) -> Result<(), CacheError> {
        let mut answers = self.read()?;
        answers.insert(key, kept);
        let signed = answers.into_iter().map(|(key, answer)| {
            let sha256 = signature(&key, &answer);
            (key, Signed { answer, sha256 })
        });
        let (format, answers) = (FORMAT.to_owned(), signed.collect());
        let write = || {
            let text = serde_json::to_string_pretty(&File { format, answers })?;
            write_whole(&self.path, |out| writeln!(out, "{text}"))
        };
        write().map_err(|error| self.io(error))
    }

    /// That a kept answer is not true.
    pub(super) fn untrue(&self, key: &str, what: String) -> CacheError {
        CacheError::Untrue {
            path: self.path.clone(),
            key: excerpt(key).chars().take(12).collect(),
            what,
        }
    }

    fn io(&self, error: io::Error) -> CacheError {
        CacheError::Io {
            path: self.path.clone(),
            error,
        }
    }

    /// All answers of the file, each as it was written.
    fn read(&self) -> Result<BTreeMap<String, Kept>, CacheError> {
        let corrupt = |found: String| CacheError::Corrupt {
            path: self.path.clone(),
            found,
        };
        let opened = match fs::metadata(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
            Ok(there) if !there.is_file() => {
                return Err(corrupt("a folder or a device".into()));
            }
            _ => fs::File::open(&self.path).map_err(|error| self.io(error))?,
        };
        let mut text = Vec::new();
        let read = opened.take(LONGEST + 1).read_to_end(&mut text);
        read.map_err(|error| self.io(error))?;
        if text.len() as u64 > LONGEST {
            return Err(corrupt(format!("more than {LONGEST} bytes")));
        }
        let file: File =
            serde_json::from_slice(&text).map_err(|error| corrupt(error.to_string()))?;
        if file.format != FORMAT {
            return Err(corrupt(format!("the format `{}`", file.format)));
        }
        let checked = file.answers.into_iter().map(|(key, signed)| {
            if signature(&key, &signed.answer) == signed.sha256 {
                return Ok((key, signed.answer));
            }
            Err(CacheError::Changed {
                path: self.path.clone(),
                key: excerpt(&key).chars().take(12).collect(),
            })
        });
        checked.collect()
    }
}

/// The hash over an answer's name, which is one over question, engine and version, and over all
/// that was answered.
fn signature(key: &str, answer: &Kept) -> String {
    // An answer is texts, numbers and lists of them: it can be written.
    let answer = serde_json::to_string(answer).unwrap_or_default();
    hash(&[FORMAT, key, &answer])
}

/// SHA-256 over the parts, a zero byte after each, in hexadecimal digits.
fn hash(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    hash.finalize()
        .iter()
        .fold(String::new(), |mut text, byte| {
            // Writing to a string does not fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
}
