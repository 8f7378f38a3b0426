//! An error as JSON.

use super::status::Status;
use schemars::JsonSchema;
use serde::Serialize;

/// Any command, where the request was wrong or something failed.
#[derive(Serialize, JsonSchema)]
pub(super) struct ErrorAnswer<'x> {
    error: &'x str,
    /// The exit status, 2.
    status: i32,
}

impl<'x> ErrorAnswer<'x> {
    /// The error with this text.
    pub fn of(error: &'x str) -> Self {
        let status = Status::Error as i32;
        ErrorAnswer { error, status }
    }
}
