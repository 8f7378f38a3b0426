//! The errors that end a command with exit status 2: those of the modules, and those of the command
//! line itself.

use mmasmt_core::machines::model::{AnyBitsError, ModelError};
use mmasmt_numbers::base::excerpt::file_name;
use mmasmt_numbers::float::ValueError;
use mmasmt_questions::agreement::{AtlasError, VariantError};
use mmasmt_questions::circuits::designs::DesignError;
use mmasmt_questions::circuits::export::ExportError;
use mmasmt_questions::claims::property::{ClaimError, DomainError, EmptyDomain};
use mmasmt_questions::claims::query::{ConfirmError, QueryError, ShareError};
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
    /// An error in the specification of a model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// An error in an index of vector files.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// An error of a query.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A share that could not be counted.
    #[error(transparent)]
    Share(#[from] ShareError),
    /// A pair of units that the atlas cannot compare.
    #[error(transparent)]
    Atlas(#[from] AtlasError),
    /// Rows that cannot be compared with a variant.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// An error in a claim.
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// An error in a domain of operands.
    #[error(transparent)]
    Domain(#[from] DomainError),
    /// A model whose random bits cannot be gone through.
    #[error(transparent)]
    AnyBits(#[from] AnyBitsError),
    /// A domain from which nothing could be drawn.
    #[error(transparent)]
    EmptyDomain(#[from] EmptyDomain),
    /// A proof that another engine contradicts.
    #[error(transparent)]
    Confirm(#[from] ConfirmError),
    /// An error of a solver that is another program.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// An error in a hardware design of the user.
    #[error("{}: {error}", file_name(.path))]
    Design {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: DesignError,
    },
    /// An error of an export.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// An error in a family of candidates.
    #[error(transparent)]
    Family(#[from] FamilyError),
    /// An error of a device that answers vectors.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// An error in the identification of a device.
    #[error(transparent)]
    Identify(IdentifyError),
    /// An error in a published table.
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
    /// An error in a value on the command line.
    #[error("{option}: {error}")]
    Value {
        /// The option.
        option: &'static str,
        /// What is wrong.
        error: ValueError,
    },
    /// An error in a vector file.
    #[error("{}, {error}{}", file_name(.path), remedy(.error))]
    Vectors {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: VectorError,
    },
    /// An error in a vector on the command line.
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
    /// Returns a function that turns an error of the system into an error about the file at `path`.
    pub fn file(path: &Path) -> impl Fn(std::io::Error) -> Error + Copy + '_ {
        |error| Error::File {
            path: path.to_owned(),
            error,
        }
    }

    /// The error about the vector file at `path`: it cannot be opened, or its content is wrong.
    pub fn vectors(path: &Path, error: VectorError) -> Error {
        let path = path.to_owned();
        match error {
            VectorError::Closed(error) => Error::File { path, error },
            error => Error::Vectors { path, error },
        }
    }

    /// Whether the error says that the reader of the output has closed it, which is no failure.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Error::Output(error) if error.kind() == std::io::ErrorKind::BrokenPipe)
    }
}

/// The commands that make a file of vectors with results of a file that has only inputs, or only
/// results.
fn remedy(error: &VectorError) -> &'static str {
    match error {
        VectorError::NoResult { .. } => {
            "; `mmasmt eval MODEL --vectors FILE` adds the results of a model, `mmasmt run --runner COMMAND FILE` those of a machine"
        }
        VectorError::OneWord { .. } => {
            "; `paste -d ' ' INPUTS RESULTS` makes vectors of inputs and their results, and `mmasmt probe --results` reads results alone"
        }
        _ => "",
    }
}

/// If a query that `identify` asks fails, the error becomes [`Error::Query`], as for any other
/// query. A query that was stopped is then recognised.
impl From<IdentifyError> for Error {
    fn from(error: IdentifyError) -> Self {
        match error {
            IdentifyError::Query(error) => Error::Query(error),
            error => Error::Identify(error),
        }
    }
}
