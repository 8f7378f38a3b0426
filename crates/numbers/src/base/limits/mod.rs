//! Limits of work: a deadline, a greatest effort of the solver, a greatest amount of memory, and an
//! interrupt flag.

mod budget;

pub use budget::program_ends;
pub use budget::{Account, free, stop, work};

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The conditions under which work ends without an answer.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    deadline: Option<Instant>,
    conflicts: Option<i32>,
    /// The limit of memory in bytes.
    memory: Option<u64>,
    /// The place to which work reports its progress.
    progress: Option<Arc<Progress>>,
    interrupt: Arc<AtomicBool>,
    /// A flag that is set when another engine has found the answer.
    decided: Option<Arc<AtomicBool>>,
}

/// Why work ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The deadline passed.
    TimeLimit,
    /// The solver reached its limit of conflicts.
    ConflictLimit,
    /// The interrupt flag was set.
    Interrupted,
    /// This program, or another solver, reached its limit of memory.
    MemoryLimit,
    /// The solver answered "unknown".
    GaveUp,
}

impl Stopped {
    /// The reason in words, for a person.
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
    /// Limits that end work when `interrupt` is set.
    pub fn interruptible(interrupt: Arc<AtomicBool>) -> Self {
        Limits {
            interrupt,
            ..Limits::default()
        }
    }

    /// These limits with a deadline at most `time` from now.
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

    /// These limits with the time until the deadline divided by `parts`. Without a deadline,
    /// nothing changes.
    pub fn share(&self, parts: u32) -> Self {
        match self.time_left() {
            Some(left) => self.within(left / parts.max(1)),
            None => self.clone(),
        }
    }

    /// These limits with at most `conflicts` conflicts in each search of a solver. This limits the
    /// effort in a way that does not depend on the speed of the machine.
    #[must_use]
    pub fn with_conflicts(&self, conflicts: u32) -> Self {
        let conflicts = i32::try_from(conflicts).unwrap_or(i32::MAX);
        Limits {
            conflicts: Some(conflicts),
            ..self.clone()
        }
    }

    /// These limits with at most `bytes` bytes for formulas, estimated from their nodes, gates and
    /// clauses.
    #[must_use]
    pub fn with_memory(&self, bytes: u64) -> Self {
        Limits {
            memory: Some(bytes),
            ..self.clone()
        }
    }

    /// The limit of memory in bytes; `None` if there is none.
    pub fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// These limits for one of `parts` threads, each of which has its part of the memory.
    #[must_use]
    pub fn with_part_of_memory(&self, parts: u64) -> Self {
        let memory = self.memory.map(|bytes| bytes / parts.max(1));
        Limits {
            memory,
            ..self.clone()
        }
    }

    /// These limits with this interrupt flag in place of the previous one.
    #[must_use]
    pub fn interrupted_by(&self, interrupt: Arc<AtomicBool>) -> Self {
        Limits {
            interrupt,
            ..self.clone()
        }
    }

    /// These limits for work that reports to `progress`.
    #[must_use]
    pub fn watched_by(&self, progress: Arc<Progress>) -> Self {
        Limits {
            progress: Some(progress),
            ..self.clone()
        }
    }

    /// If the progress of the work is watched, changes its report by `say`.
    pub fn report(&self, say: impl FnOnce(&mut Report)) {
        if let Some(progress) = &self.progress {
            progress.report(say);
        }
    }

    /// These limits for one of several engines that work on one question. The engine also ends its
    /// work when `decided` is set.
    #[must_use]
    pub fn until(&self, decided: Arc<AtomicBool>) -> Self {
        Limits {
            decided: Some(decided),
            ..self.clone()
        }
    }

    /// These limits with a deadline that is earlier by `by`.
    fn sooner(&self, by: Duration) -> Self {
        let deadline = self.deadline;
        Limits {
            deadline: deadline.map(|end| end.checked_sub(by).unwrap_or(end)),
            ..self.clone()
        }
    }

    /// The time until the deadline; `None` if there is no deadline.
    pub fn time_left(&self) -> Option<Duration> {
        let left = |deadline: Instant| deadline.saturating_duration_since(Instant::now());
        self.deadline.map(left)
    }

    pub fn conflicts(&self) -> Option<i32> {
        self.conflicts
    }

    /// The reason why work has to end now; `None` if it may go on.
    pub fn stopped(&self) -> Option<Stopped> {
        self.stopped_after(Duration::ZERO)
    }

    /// The reason why work has to end now, if ending it takes the time `ending`; `None` if it may
    /// go on.
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

/// The progress of some work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The subject of the work, in words.
    pub question: String,
    /// The current step, in words; empty if the work has only one step.
    pub step: String,
    /// The number of questions that have an answer, and the number of all questions.
    pub settled: Option<[usize; 2]>,
    /// The number of vectors drawn, run or checked.
    pub vectors: Option<u64>,
}

/// The last report of some work, shared between threads.
#[derive(Debug, Default)]
pub struct Progress(Mutex<Report>);

impl Progress {
    /// Changes the last report.
    pub fn report(&self, say: impl FnOnce(&mut Report)) {
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
