//! Results that give no answer.

/// The reason that results give no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadingFailure {
    /// The inputs of the test are not conclusive on this unit.
    Undecided(String),
    /// No unit known to the test gives these results.
    Inconsistent(String),
}

/// Returns the error that the inputs are not conclusive, for the reason `why`.
pub(super) fn undecided<T>(why: impl Into<String>) -> Result<T, ReadingFailure> {
    Err(ReadingFailure::Undecided(why.into()))
}
