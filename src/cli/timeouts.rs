//! How long a command runs: options in seconds, and Ctrl-C.

use super::Status;
use crate::cli::error::Error;
use crate::engine::{Limits, end_processes};
use crate::excerpt::excerpt;
use crate::limits::program_ends;
use crate::query::QueryError;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The value of an option that is a time: seconds, or a number with its unit.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let units = [("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let mut with_unit = units.iter().filter_map(|(unit, factor)| {
        let number: f64 = text.strip_suffix(unit)?.parse().ok()?;
        Some(number * factor)
    });
    let parsed: Option<f64> = text.parse().ok().or_else(|| with_unit.next());
    parsed
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| {
            let found = excerpt(text);
            format!("expected a time, like 2, 0.5, 10s, 5m or 1h, found `{found}`")
        })
}

/// The value of an option in bytes.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    let unit = match &text[digits.len()..] {
        "" => Some(0),
        "K" => Some(10),
        "M" => Some(20),
        "G" => Some(30),
        "T" => Some(40),
        _ => None,
    };
    let number: Option<u64> = digits.parse().ok();
    let bytes = number
        .zip(unit)
        .and_then(|(number, unit)| number.checked_mul(1 << unit));
    bytes
        .filter(|bytes| *bytes > 0)
        .ok_or_else(|| format!("expected bytes, like 512M or 4G, found `{}`", excerpt(text)))
}

thread_local! {
    /// Whether this thread runs a command of another program, which watches for Ctrl-C itself.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// A command of another program, as long as this value is there.
pub(super) struct Inside(());

impl Inside {
    pub(super) fn enter() -> Inside {
        INSIDE.set(true);
        Inside(())
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        INSIDE.set(false);
    }
}

/// The limits of the program, which the first Ctrl-C reaches as well, so that a search ends with what it has; a second one ends
/// the program.
pub(super) fn until_ctrl_c() -> Result<Limits, Error> {
    if INSIDE.get() {
        return Ok(Limits::active());
    }
    let interrupt = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupt);
    let handler = move || {
        program_ends();
        if flag.swap(true, Ordering::Relaxed) {
            end_processes();
            std::process::exit(Status::Unknown as i32);
        }
    };
    ctrlc::set_handler(handler)
        .map_err(|error| Error::Usage(format!("cannot watch for ctrl-c: {error}")))?;
    Ok(Limits::active().interrupted_by(interrupt))
}

/// What `work` gives; that it was stopped, once the limits are reached.
pub(super) fn within<T, E: Into<Error>>(
    limits: &Limits,
    work: impl FnOnce() -> Result<T, E>,
) -> Result<T, Error> {
    let done = limits.run(work).map_err(QueryError::Stopped)?;
    done.map_err(Into::into)
}
