//! Errors of published tables.

use crate::vectors::device::DeviceError;
use mmasmt_core::machines::model::ModelError;
use thiserror::Error;

/// The reason that a published table cannot be read or computed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PublishedError {
    /// The file of a table is not valid.
    #[error("a published table: {0}")]
    Malformed(#[from] toml::de::Error),
    /// No tests belong to the name of a table.
    #[error("no tests for the table {0}")]
    NoTests(String),
    /// A model of a row is unknown.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The tests could not be run on a model.
    #[error(transparent)]
    Device(#[from] DeviceError),
}
