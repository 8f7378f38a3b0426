//! Limits of a search: a deadline, and a flag that anyone may raise.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// When a search has to end without an answer.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    deadline: Option<Instant>,
    interrupt: Arc<AtomicBool>,
}

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The deadline passed.
    TimeLimit,
    /// The flag was raised.
    Interrupted,
}

impl Stopped {
    /// In words, for a person.
    pub fn describe(self) -> &'static str {
        match self {
            Stopped::TimeLimit => "time limit reached",
            Stopped::Interrupted => "interrupted",
        }
    }
}

impl Limits {
    /// Limits that end when `interrupt` is raised.
    pub fn interruptible(interrupt: Arc<AtomicBool>) -> Self {
        Limits { deadline: None, interrupt }
    }

    /// The same limits, and `time` from now on at most.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        let end = Instant::now().checked_add(time);
        let deadline = match (self.deadline, end) {
            (Some(own), Some(end)) => Some(own.min(end)),
            (own, end) => own.or(end),
        };
        Limits { deadline, interrupt: Arc::clone(&self.interrupt) }
    }

    /// Whether the search has to end, and why.
    pub fn stopped(&self) -> Option<Stopped> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Some(Stopped::Interrupted);
        }
        let passed = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        passed.then_some(Stopped::TimeLimit)
    }
}
