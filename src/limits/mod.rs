//! Limits of work: a deadline, an effort, memory, and a flag that anyone may raise.

mod budget;

#[cfg(feature = "cli")]
pub(crate) use budget::program_ends;
pub(crate) use budget::{Account, free, stop, work};

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// When work has to end without an answer.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    deadline: Option<Instant>,
    conflicts: Option<i32>,
    /// Bytes.
    memory: Option<u64>,
    /// Where work says what it does.
    progress: Option<Arc<Progress>>,
    interrupt: Arc<AtomicBool>,
    /// Raised when another engine has the answer.
    decided: Option<Arc<AtomicBool>>,
}

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stopped {
    /// The deadline passed.
    TimeLimit,
    /// The solver met as many conflicts as it was given.
    ConflictLimit,
    /// The flag was raised.
    Interrupted,
    /// The memory that this program or another solver was given did not suffice.
    MemoryLimit,
    /// The solver says that it does not know.
    GaveUp,
}

impl Stopped {
    /// In words, for a person.
    pub fn describe(self) -> &'static str {
        match self {
            Stopped::TimeLimit => "time limit reached",
            Stopped::ConflictLimit => "effort limit reached",
            Stopped::Interrupted => "interrupted",
            Stopped::MemoryLimit => "memory limit reached",
            Stopped::GaveUp => "the solver gave up",
        }
    }
}

impl Limits {
    /// Limits that end when `interrupt` is raised.
    pub fn interruptible(interrupt: Arc<AtomicBool>) -> Self {
        Limits {
            interrupt,
            ..Limits::default()
        }
    }

    /// The same limits, and `time` from now on at most.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        let end = Instant::now().checked_add(time);
        let deadline = match (self.deadline, end) {
            (Some(own), Some(end)) => Some(own.min(end)),
            (own, end) => own.or(end),
        };
        Limits {
            deadline,
            ..self.clone()
        }
    }

    /// The same limits, and at most so many conflicts in every search: an effort that does not
    /// depend on the machine.
    #[must_use]
    pub fn with_conflicts(&self, conflicts: u32) -> Self {
        let conflicts = i32::try_from(conflicts).unwrap_or(i32::MAX);
        Limits {
            conflicts: Some(conflicts),
            ..self.clone()
        }
    }

    /// The same limits, and at most so many bytes for what is built of formulas: an estimate from the
    /// nodes, gates and clauses that are held at a time.
    #[must_use]
    pub fn with_memory(&self, bytes: u64) -> Self {
        Limits {
            memory: Some(bytes),
            ..self.clone()
        }
    }

    /// The same limits, ended by this flag alone and not by the one before.
    #[must_use]
    pub fn interrupted_by(&self, interrupt: Arc<AtomicBool>) -> Self {
        Limits {
            interrupt,
            ..self.clone()
        }
    }

    /// The same limits, for work that says to `progress` what it does.
    #[must_use]
    pub fn watched_by(&self, progress: Arc<Progress>) -> Self {
        Limits {
            progress: Some(progress),
            ..self.clone()
        }
    }

    /// Says what is done, if someone wants to know.
    pub fn report(&self, say: impl FnOnce(&mut Report)) {
        if let Some(progress) = &self.progress {
            progress.report(say);
        }
    }

    /// The same limits, for one of several engines that look for the same answer: they end as well
    /// when `decided` is raised.
    #[must_use]
    pub(crate) fn until(&self, decided: Arc<AtomicBool>) -> Self {
        Limits {
            decided: Some(decided),
            ..self.clone()
        }
    }

    /// The same limits, with a deadline that is so much earlier.
    fn sooner(&self, by: Duration) -> Self {
        let deadline = self.deadline;
        Limits {
            deadline: deadline.map(|end| end.checked_sub(by).unwrap_or(end)),
            ..self.clone()
        }
    }

    /// The time that is left, if it is limited.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        let left = |deadline: Instant| deadline.saturating_duration_since(Instant::now());
        self.deadline.map(left)
    }

    pub(crate) fn conflicts(&self) -> Option<i32> {
        self.conflicts
    }

    /// Whether the search has to end, and why.
    pub fn stopped(&self) -> Option<Stopped> {
        self.stopped_after(Duration::ZERO)
    }

    /// Whether a search has to end that takes so long to end, and why.
    fn stopped_after(&self, ending: Duration) -> Option<Stopped> {
        let raised = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        if raised(&self.interrupt) || self.decided.as_ref().is_some_and(raised) {
            return Some(Stopped::Interrupted);
        }
        let passed = self
            .deadline
            .is_some_and(|deadline| Instant::now() + ending >= deadline);
        passed.then_some(Stopped::TimeLimit)
    }
}

/// What is being done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
