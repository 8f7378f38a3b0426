//! Results that give no answer.

/// The reason that results give no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// These inputs are not conclusive on this unit.
    Undecided(String),
    /// No unit known to the test gives these results.
    Inconsistent(String),
}

/// The error that the inputs are not conclusive, and the reason.
pub(super) fn undecided<T>(why: impl Into<String>) -> Result<T, Unread> {
    Err(Unread::Undecided(why.into()))
}
