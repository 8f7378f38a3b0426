//! What can go wrong while a device is identified.

use crate::claims::query::QueryError;
use crate::vectors::device::DeviceError;
use thiserror::Error;

/// Why a device is not identified.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum IdentifyError {
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// It gave more or fewer results than it was asked for.
    #[error("expected {expected} results from the device, found {found}")]
    Count {
        /// How many it was asked for.
        expected: usize,
        /// How many it gave.
        found: usize,
    },
    /// Models could not be compared.
    #[error(transparent)]
    Query(#[from] QueryError),
}
