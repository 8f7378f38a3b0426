//! Enforcement of limits on work that cannot return an error.
//!
//! Algorithms over bit-vectors return values, not errors. The bytes that they allocate for nodes,
//! gates and clauses are counted, and limits are checked once every [`INTERVAL`] bytes. When a
//! limit is reached, the stack unwinds to the enclosing [`Limits::run`], without a message or a
//! call of the panic hook.

use super::{Limits, Stopped};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The number of counted bytes between two checks of the limits. They stand for about a hundred
/// nodes, or for 0.1 ms of work.
const INTERVAL: u64 = 64 << 10;

/// The longest time that is reserved for freeing memory.
const LONGEST_FREEING: Duration = Duration::from_secs(1);

thread_local! {
    /// The limits of the current work of this thread.
    static ACTIVE: RefCell<Option<Limits>> = const { RefCell::new(None) };
    /// The number of bytes until the limits are checked again.
    static LEFT: Cell<u64> = const { Cell::new(INTERVAL) };
    /// The number of bytes that the accounts of this thread count as in use.
    static USED: Cell<u64> = const { Cell::new(0) };
}

/// The payload of an unwinding that ends work: the reason why the work ends.
struct LimitUnwind(Stopped);

/// Restores the limits of the enclosing work when dropped.
struct RestoreLimits(Option<Limits>);

impl Drop for RestoreLimits {
    fn drop(&mut self) {
        ACTIVE.replace(self.0.take());
    }
}

impl Limits {
    /// Runs `work` on this thread within these limits.
    ///
    /// # Errors
    /// If a limit is reached before `work` ends. The result of `work` is then lost.
    pub fn run<R>(&self, work: impl FnOnce() -> R) -> Result<R, Stopped> {
        let _restore = RestoreLimits(ACTIVE.replace(Some(self.clone())));
        catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
            match panic.downcast::<LimitUnwind>() {
                Ok(unwound) => unwound.0,
                Err(panic) => resume_unwind(panic),
            }
        })
    }

    /// These limits with an earlier deadline, which leaves time to free the memory of this thread.
    pub fn before_freeing(&self) -> Limits {
        self.sooner(freeing())
    }

    /// Whether this thread may allocate `bytes` more bytes.
    pub fn have_room_for(&self, bytes: u64) -> bool {
        let used = USED.get().saturating_add(bytes);
        self.memory.is_none_or(|most| used <= most)
    }

    /// The limits of the current work of this thread. Outside of [`Limits::run`], work has no
    /// limits.
    pub fn active() -> Limits {
        ACTIVE.with_borrow(|active| active.clone().unwrap_or_default())
    }
}

/// The time that it takes to free the memory of this thread: 1 ns per byte (measured), 1 s at most.
fn freeing() -> Duration {
    Duration::from_nanos(USED.get()).min(LONGEST_FREEING)
}

/// Ends the current work for the reason `stopped`, by unwinding.
pub fn stop(stopped: Stopped) -> ! {
    resume_unwind(Box::new(LimitUnwind(stopped)))
}

/// Counts work as a number of bytes: the bytes of the nodes that could be made in the time that the
/// work takes. Ends the current work if a limit is reached.
#[inline]
pub fn work(bytes: u64) {
    match LEFT.get().checked_sub(bytes) {
        Some(left) => LEFT.set(left),
        None => look(),
    }
}

#[cold]
fn look() {
    LEFT.set(INTERVAL);
    let stopped = ACTIVE.with_borrow(|active| {
        let limits = active.as_ref()?;
        let over = limits.memory.is_some_and(|most| USED.get() > most);
        limits
            .stopped_after(freeing())
            .or(over.then_some(Stopped::MemoryLimit))
    });
    if let Some(stopped) = stopped {
        stop(stopped);
    }
}

/// An estimated number of bytes in use. When the account is dropped, these bytes count as free.
#[derive(Debug, Default)]
pub struct Account(u64);

impl Account {
    /// Counts `bytes` more bytes. Ends the current work if a limit is reached.
    #[inline]
    pub fn take(&mut self, bytes: u64) {
        self.0 += bytes;
        USED.set(USED.get() + bytes);
        work(bytes);
    }
}

impl Drop for Account {
    fn drop(&mut self) {
        // The access fails only while the thread ends.
        let _ended = USED.try_with(|used| used.set(used.get().saturating_sub(self.0)));
    }
}

static ENDING: AtomicBool = AtomicBool::new(false);

/// Declares that the process ends after the current work.
pub fn program_ends() {
    ENDING.store(true, Ordering::Relaxed);
}

/// Drops a large value. If the process is about to end, leaks the value instead, because the system
/// frees memory faster.
pub fn free<T>(held: T) {
    if ENDING.load(Ordering::Relaxed) {
        std::mem::forget(held)
    } else {
        drop(held)
    }
}
