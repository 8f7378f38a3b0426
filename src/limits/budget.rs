//! Work that ends when its limits are reached, however deep inside of it that is noticed.
//!
//! What makes a formula gives values and no errors, and an algorithm that is written over bit-vectors
//! knows of no limits. So what is made (nodes, gates, clauses) is counted, and each time that some
//! more was made the limits are looked at. Once they are reached the work unwinds to the
//! [`Limits::run`] that began it: not a panic, as no message is printed and no hook is called.

use super::{Limits, Stopped};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Bytes after which limits are looked at again: some hundred nodes, a tenth of a millisecond.
const INTERVAL: u64 = 64 << 10;

/// The most time that is set aside for freeing what is held.
const LONGEST_FREEING: Duration = Duration::from_secs(1);

thread_local! {
    /// The limits of the work that this thread does.
    static ACTIVE: RefCell<Option<Limits>> = const { RefCell::new(None) };
    /// Bytes that are left until they are looked at.
    static LEFT: Cell<u64> = const { Cell::new(INTERVAL) };
    /// Bytes that accounts of this thread hold.
    static USED: Cell<u64> = const { Cell::new(0) };
}

/// What unwinds; nobody else can make one.
struct Unwound(Stopped);

/// Puts the limits of the work around back.
struct RestoreLimits(Option<Limits>);

impl Drop for RestoreLimits {
    fn drop(&mut self) {
        ACTIVE.replace(self.0.take());
    }
}

impl Limits {
    /// Runs `work` within these limits, which hold in everything that it builds on this thread.
    ///
    /// # Errors
    /// If they were reached before it ended; what it had done is lost then.
    pub fn run<R>(&self, work: impl FnOnce() -> R) -> Result<R, Stopped> {
        let _restore = RestoreLimits(ACTIVE.replace(Some(self.clone())));
        catch_unwind(AssertUnwindSafe(work)).map_err(|panic| match panic.downcast::<Unwound>() {
            Ok(unwound) => unwound.0,
            Err(panic) => resume_unwind(panic),
        })
    }

    /// These limits, reached as much earlier as it takes to free all that this thread holds. Nobody has the
    /// answer before that.
    pub(crate) fn before_freeing(&self) -> Limits {
        self.sooner(freeing())
    }

    /// Whether this thread may take so many bytes more.
    pub(crate) fn have_room_for(&self, bytes: u64) -> bool {
        let used = USED.get().saturating_add(bytes);
        self.memory.is_none_or(|most| used <= most)
    }

    /// The limits that work on this thread has; none at all outside of [`Limits::run`].
    pub(crate) fn active() -> Limits {
        ACTIVE.with_borrow(|active| active.clone().unwrap_or_default())
    }
}

/// The time that it takes to free all that this thread holds: a nanosecond for a byte, as measured.
fn freeing() -> Duration {
    Duration::from_nanos(USED.get()).min(LONGEST_FREEING)
}

/// Ends the work around, for that reason.
pub(crate) fn stop(stopped: Stopped) -> ! {
    resume_unwind(Box::new(Unwound(stopped)))
}

/// Tells of work that is as much as making so many bytes of a formula; ends the work around if its
/// limits are reached.
#[inline]
pub(crate) fn work(bytes: u64) {
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

/// An estimate of the bytes that something holds, which are free again once it is dropped.
#[derive(Debug, Default)]
pub(crate) struct Account(u64);

impl Account {
    /// Takes so many bytes more; ends the work around if its limits are reached, with nothing
    /// taken that is not there.
    #[inline]
    pub fn take(&mut self, bytes: u64) {
        self.0 += bytes;
        USED.set(USED.get() + bytes);
        work(bytes);
    }
}

impl Drop for Account {
    fn drop(&mut self) {
        // None where the thread ends: nothing is counted any more.
        let _ended = USED.try_with(|used| used.set(used.get().saturating_sub(self.0)));
    }
}

static ENDING: AtomicBool = AtomicBool::new(false);

/// Says that this process ends as soon as the work that goes on has ended.
#[cfg(feature = "cli")]
pub(crate) fn program_ends() {
    ENDING.store(true, Ordering::Relaxed);
}

/// Frees what is held; where the program ends, the system does that at once.
pub(crate) fn free<T>(held: T) {
    match ENDING.load(Ordering::Relaxed) {
        true => std::mem::forget(held),
        false => drop(held),
    }
}

#[cfg(test)]
mod tests {
    use super::{Account, Limits, Stopped, work};
    use std::time::Duration;

    fn forever() {
        loop {
            work(100);
        }
    }

    #[test]
    fn the_innermost_limits_count_and_end_only_their_own_work() {
        let outer = Limits::default();
        let inner = outer.within(Duration::from_millis(1));
        let found = outer.run(|| inner.run(forever));
        assert_eq!(found, Ok(Err(Stopped::TimeLimit)));
        assert_eq!(outer.run(|| work(1 << 40)), Ok(()));
    }

    #[test]
    fn memory_is_counted_and_given_back() {
        let limits = Limits::default().with_memory(1 << 20);
        let hold = |bytes: u64| {
            let mut account = Account::default();
            (0..bytes >> 10).for_each(|_| account.take(1 << 10));
        };
        for _ in 0..4 {
            assert_eq!(limits.run(|| hold(1 << 19)), Ok(()));
            assert_eq!(limits.run(|| hold(1 << 22)), Err(Stopped::MemoryLimit));
        }
    }

    #[test]
    fn a_panic_stays_a_panic() {
        let found = std::panic::catch_unwind(|| {
            Limits::default().run(|| std::panic::resume_unwind(Box::new(7)))
        });
        assert_eq!(found.unwrap_err().downcast_ref(), Some(&7));
    }
}
