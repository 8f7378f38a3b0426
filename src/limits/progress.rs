//! What work says of itself while it goes on: data, for whoever shows it.

use std::sync::{Mutex, PoisonError};

/// What is being done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// What is asked.
    pub question: String,
    /// Which step of the way to its answer, in words; empty if there is but one.
    pub step: String,
    /// How many of all questions have an answer, and how many there are.
    pub settled: Option<[usize; 2]>,
    /// How many vectors were drawn, run or checked.
    pub vectors: Option<u64>,
}

/// The last report of some work, which another thread may read.
#[derive(Debug, Default)]
pub struct Progress(Mutex<Report>);

impl Progress {
    /// Changes the report.
    pub(crate) fn report(&self, say: impl FnOnce(&mut Report)) {
        say(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// The last report.
    pub fn read(&self) -> Report {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}
