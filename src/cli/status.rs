//! The exit status of a command.

use std::process::ExitCode;

/// How a command ended; the numbers are the exit statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The answer asked for was found, or holds.
    Yes = 0,
    /// What was asked for was refuted, or it is proved that nothing exists.
    No = 1,
    /// The request was wrong, or something failed.
    Error = 2,
    /// There is no answer within the limits.
    Unknown = 3,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(status as u8)
    }
}
