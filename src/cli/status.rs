//! The exit status of a command.

use std::process::ExitCode;

/// How a command ended; the numbers are the exit statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The answer asked for was found, or holds.
    Yes = 0,
    /// It was refuted, or nothing exists: proved.
    No = 1,
    /// The request was wrong, or something failed.
    Error = 2,
    /// No answer within the limits.
    Unknown = 3,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(status as u8)
    }
}
