//! Errors while a device is identified.

use crate::claims::query::QueryError;
use crate::vectors::device::DeviceError;
use thiserror::Error;

/// The reason that a device is not identified.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum IdentifyError {
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The number of results differs from the number of inputs.
    #[error("expected {expected} results from the device, found {found}")]
    Count {
        /// The number of inputs.
        expected: usize,
        /// The number of results.
        found: usize,
    },
    /// The models could not be compared.
    #[error(transparent)]
    Query(#[from] QueryError),
}
