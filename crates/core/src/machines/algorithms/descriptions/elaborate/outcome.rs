//! What elaboration gives: a value, or an error with its place.

use crate::machines::algorithms::descriptions::error::DescriptionError;
use crate::machines::algorithms::descriptions::tree::Place;

pub(crate) type ElaborationResult<T> = Result<T, DescriptionError>;

pub(crate) fn wrong<T>(at: Place, expected: impl Into<String>) -> ElaborationResult<T> {
    Err(DescriptionError {
        at,
        expected: expected.into(),
    })
}
