//! Answers kept in a file, by what was asked and who answered.

use super::basis::Basis;
use super::subject::Subject;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{fs, process};
use thiserror::Error;

/// Why a kept answer cannot be used.
#[derive(Debug, Error)]
pub enum CacheError {
    /// The file cannot be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// It holds something else.
    #[error(
        "{path}: expected a file that --cache wrote, found {found}; delete it, or give another one"
    )]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What is there.
        found: String,
    },
    /// A kept answer is wrong.
    #[error("{path}: the answer kept as {key} is not true: {what}; delete the file")]
    Untrue {
        /// The file.
        path: PathBuf,
        /// The name of the answer.
        key: String,
        /// What is not.
        what: String,
    },
    /// Only kept answers count, and this one is not there.
    #[error("{path}: no answer to this question; ask once without --cache-only")]
    Miss {
        /// The file.
        path: PathBuf,
    },
}

/// A file of answers. Several processes may use one: each reads whole files and replaces them
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
    answers: BTreeMap<String, Kept>,
}

const FORMAT: &str = "mmasmt answers 1";

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
        let mut hash = Sha256::new();
        for part in [
            env!("CARGO_PKG_VERSION"),
            engine,
            wanted,
            subject.script().text(),
        ] {
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
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let mut answers = self.read()?;
        answers.insert(key, kept);
        let format = FORMAT.to_owned();
        let mut name = self.path.as_os_str().to_owned();
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        name.push(format!(".{}-{count}.new", process::id()));
        let new = PathBuf::from(name);
        let write = || {
            let mut file = fs::File::create(&new)?;
            let mut text = serde_json::to_string_pretty(&File { format, answers })?;
            text.push('\n');
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&new, &self.path)
        };
        write().map_err(|error| {
            let _ = fs::remove_file(&new);
            self.io(error)
        })
    }

    /// That a kept answer is not true.
    pub(super) fn untrue(&self, key: &str, what: String) -> CacheError {
        CacheError::Untrue {
            path: self.path.clone(),
            key: key.chars().take(12).collect(),
            what,
        }
    }

    fn io(&self, error: io::Error) -> CacheError {
        CacheError::Io {
            path: self.path.clone(),
            error,
        }
    }

    fn read(&self) -> Result<BTreeMap<String, Kept>, CacheError> {
        let text = match fs::read(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
            Err(error) => return Err(self.io(error)),
        };
        let corrupt = |found: String| CacheError::Corrupt {
            path: self.path.clone(),
            found,
        };
        let file: File =
            serde_json::from_slice(&text).map_err(|error| corrupt(error.to_string()))?;
        if file.format != FORMAT {
            return Err(corrupt(format!("the format `{}`", file.format)));
        }
        Ok(file.answers)
    }
}
