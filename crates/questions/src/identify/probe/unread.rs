//! Results that are no answer.

/// Why results are no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// The unit is such that these inputs cannot decide.
    Undecided(String),
    /// The results are not those of any unit that the test knows.
    Inconsistent(String),
}

/// What the unit does not let these inputs decide.
pub(super) fn undecided<T>(why: impl Into<String>) -> Result<T, Unread> {
    Err(Unread::Undecided(why.into()))
}
