//! Errors of published tables.

use crate::vectors::device::DeviceError;
use mmasmt_core::machines::model::ModelError;
use thiserror::Error;

/// The reason that a published table cannot be read or computed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PublishedError {
    /// Its file is not a valid table.
    #[error("a published table: {0}")]
    Malformed(#[from] toml::de::Error),
    /// There are no tests of that name.
    #[error("no tests for the table {0}")]
    NoTests(String),
    /// A model of a row is unknown.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A test does not fit the formats of a model.
    #[error(transparent)]
    Device(#[from] DeviceError),
}
