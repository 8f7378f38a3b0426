//! The exit status of a command.

use serde::{Deserialize, Serialize};
use std::process::ExitCode;

/// How a command ended; the numbers are the exit statuses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub enum Status {
    /// The answer asked for was found, or holds.
    #[default]
    Yes = 0,
    /// What was asked for was refuted, or it is proved that nothing exists.
    No = 1,
    /// The request was wrong, or something failed.
    Error = 2,
    /// There is no answer within the limits.
    Unknown = 3,
}

impl Status {
    /// The status of a claim that holds, or does not.
    pub(super) fn of(holds: bool) -> Status {
        if holds { Status::Yes } else { Status::No }
    }

    /// The status where the contrary is expected.
    pub(super) fn of_the_contrary(self) -> Status {
        match self {
            Status::Yes => Status::No,
            Status::No => Status::Yes,
            other => other,
        }
    }

    pub(super) fn is_yes(&self) -> bool {
        *self == Status::Yes
    }

    /// The status of work with a part that may be open.
    pub(super) fn unless_open(is_open: bool) -> Status {
        match is_open {
            true => Status::Unknown,
            false => Status::Yes,
        }
    }

    /// The status of two answers together: one no is a no, and otherwise an unknown stays one.
    pub(super) fn and(self, other: Status) -> Status {
        let rank = |status| match status {
            Status::Yes => 0,
            Status::Unknown => 1,
            Status::No => 2,
            Status::Error => 3,
        };
        if rank(other) > rank(self) {
            other
        } else {
            self
        }
    }
}

impl From<Status> for u8 {
    fn from(status: Status) -> u8 {
        status as u8
    }
}

impl TryFrom<u8> for Status {
    type Error = String;

    fn try_from(number: u8) -> Result<Status, String> {
        let all = [Status::Yes, Status::No, Status::Error, Status::Unknown];
        let status = all.get(usize::from(number)).copied();
        status.ok_or_else(|| format!("expected a status from 0 to 3, found {number}"))
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(status as u8)
    }
}
