//! Errors of products on other processors.

use crate::matrices::GemmError;
use crate::vectors::device::DeviceError;
use thiserror::Error;

/// The reason that a place has computed no product.
#[derive(Debug, Error)]
pub enum PlaceError {
    /// The operands do not fit the model, or a limit was reached.
    #[error(transparent)]
    Product(#[from] GemmError),
    /// The GPU cannot be had.
    #[error(transparent)]
    Device(#[from] DeviceError),
}
