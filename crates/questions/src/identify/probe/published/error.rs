//! What can be wrong with a published table.

use crate::vectors::device::DeviceError;
use mmasmt_core::machines::model::ModelError;
use thiserror::Error;

/// Why a published table cannot be read, or not be computed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PublishedError {
    /// Its file is none of a table.
    #[error("a published table: {0}")]
    Malformed(#[from] toml::de::Error),
    /// There are no tests of that name.
    #[error("no tests for the table {0}")]
    NoTests(String),
    /// A model of a row is not known.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A test is not for the formats of a model.
    #[error(transparent)]
    Device(#[from] DeviceError),
}
