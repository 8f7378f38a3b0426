//! The errors that end a command with exit status 2: those of the modules, and those of the command
//! line itself.

use mmasmt_core::base::excerpt::file_name;
use mmasmt_core::machines::model::ModelError;
use mmasmt_core::numbers::float::ValueError;
use mmasmt_questions::agreement::AtlasError;
use mmasmt_questions::circuits::designs::DesignError;
use mmasmt_questions::circuits::export::ExportError;
use mmasmt_questions::claims::property::{ClaimError, DomainError, TooNarrow};
use mmasmt_questions::claims::query::{ConfirmError, QueryError};
use mmasmt_questions::identify::probe::{PublishedError, TwoResults};
use mmasmt_questions::identify::{FamilyError, IdentifyError};
use mmasmt_questions::solver::engine::EngineError;
use mmasmt_questions::vectors::device::DeviceError;
use mmasmt_questions::vectors::{IndexError, VectorError};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Anything that ends a command with exit status 2.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A model specification.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// An index of vector files.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A query.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A page of the atlas.
    #[error(transparent)]
    Atlas(#[from] AtlasError),
    /// A claim.
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// A domain of operands.
    #[error(transparent)]
    Domain(#[from] DomainError),
    /// A domain that nothing was drawn from.
    #[error(transparent)]
    TooNarrow(#[from] TooNarrow),
    /// A proof that another engine contradicts.
    #[error(transparent)]
    Confirm(#[from] ConfirmError),
    /// A solver that is another program.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A design of somebody else.
    #[error("{}: {error}", file_name(.path))]
    Design {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: DesignError,
    },
    /// An export.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// A family of candidates.
    #[error(transparent)]
    Family(#[from] FamilyError),
    /// A device that answers vectors.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// A device that is identified.
    #[error(transparent)]
    Identify(IdentifyError),
    /// A published table.
    #[error(transparent)]
    Published(#[from] PublishedError),
    /// Recorded results that contradict each other.
    #[error("{}: {error}", file_name(.path))]
    Contradiction {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: TwoResults,
    },
    /// A value on the command line.
    #[error("{option}: {error}")]
    Value {
        /// The option.
        option: &'static str,
        /// What is wrong.
        error: ValueError,
    },
    /// A vector file.
    #[error("{}, {error}", file_name(.path))]
    Vectors {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: VectorError,
    },
    /// A vector on the command line.
    #[error("the operands, {0}")]
    Line(VectorError),
    /// A file that cannot be opened.
    #[error("{}: {error}", file_name(.path))]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// Arguments that do not go together.
    #[error("{0}")]
    Usage(String),
    /// Output that cannot be written.
    #[error("cannot write the output: {0}")]
    Output(#[from] std::io::Error),
}

impl Error {
    /// That something cannot be done with a file.
    pub fn file(path: &Path) -> impl Fn(std::io::Error) -> Error + Copy + '_ {
        |error| Error::File {
            path: path.to_owned(),
            error,
        }
    }

    /// That a vector file is not what it should be, or cannot be opened.
    pub fn vectors(path: &Path, error: VectorError) -> Error {
        let path = path.to_owned();
        match error {
            VectorError::Closed(error) => Error::File { path, error },
            error => Error::Vectors { path, error },
        }
    }

    /// Whether the reader of the output went away, which is no failure.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Error::Output(error) if error.kind() == std::io::ErrorKind::BrokenPipe)
    }
}

/// A query that was stopped is one wherever it was asked.
impl From<IdentifyError> for Error {
    fn from(error: IdentifyError) -> Self {
        match error {
            IdentifyError::Query(error) => Error::Query(error),
            error => Error::Identify(error),
        }
    }
}
