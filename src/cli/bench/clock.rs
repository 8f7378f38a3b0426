//! How often something is done in a second of this thread's processor time.

use crate::cli::error::Error;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::query::QueryError;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// How often each speed is measured; the highest of the results counts.
pub(super) const SPELLS: u32 = 5;

/// How many rows `rows` evaluates in a second of this thread's processor time, where one call
/// evaluates `each` rows. The best of several measurements is returned, as other programs use the
/// machine, too.
pub(super) fn per_second(
    time: Duration,
    each: usize,
    limits: &Limits,
    mut rows: impl FnMut(),
) -> Result<f64, Error> {
    let begun = Instant::now();
    let mut best: f64 = 0.0;
    for spell in 0..SPELLS {
        // One run of a large model may take longer than all measurements together.
        if spell > 0 && begun.elapsed() > time {
            break;
        }
        let (start, spent) = (Instant::now(), processor_time());
        let mut count = 0;
        while count == 0 || start.elapsed() < time / SPELLS {
            rows();
            // A run that was stopped early must not count as done.
            if let Some(stopped) = limits.stopped() {
                return Err(Error::Query(QueryError::Stopped(stopped)));
            }
            count += 1;
        }
        let spent = processor_time().saturating_sub(spent);
        // The clock may be too coarse for a short measurement.
        let spent = if spent.is_zero() {
            start.elapsed()
        } else {
            spent
        };
        best = best.max(f64::from(count) * each as f64 / spent.as_secs_f64());
    }
    Ok(best)
}

/// The processor time of this thread, which does not count what other programs take; the time of
/// day where the system does not tell it.
fn processor_time() -> Duration {
    #[cfg(unix)]
    {
        use nix::time::{ClockId, clock_gettime};
        if let Ok(time) = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID) {
            return time.into();
        }
    }
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}
