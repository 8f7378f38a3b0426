//! The limits of a command: options that are times or bytes, and Ctrl-C.

use super::Status;
use super::json::write_json;
use crate::cli::error::Error;
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::base::limits::{Limits, Stopped, program_ends};
use mmasmt_numbers::base::process::end_processes;
use mmasmt_questions::claims::query::QueryError;
use schemars::JsonSchema;
use serde::Serialize;
use std::cell::Cell;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, OnceLock};
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

/// The value of an option that is a number of bytes, such as `512M`.
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
    /// Whether this thread runs a command for another program, which watches for Ctrl-C itself.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// As long as this value lives, its thread runs a command for another program.
pub(super) struct NestedCommand(());

impl NestedCommand {
    pub(super) fn enter() -> NestedCommand {
        INSIDE.set(true);
        NestedCommand(())
    }
}

impl Drop for NestedCommand {
    fn drop(&mut self) {
        INSIDE.set(false);
    }
}

/// The flag that Ctrl-C, SIGTERM and SIGHUP set, or why these signals cannot be watched for.
static INTERRUPT: OnceLock<Result<Arc<AtomicBool>, String>> = OnceLock::new();
/// Whether the command looks at the flag [`INTERRUPT`], and ends by itself once it is set.
static LISTENS: AtomicBool = AtomicBool::new(false);
/// How long the program waits for its last message to be written.
const LAST_WORD: Duration = Duration::from_millis(200);

/// Watches for Ctrl-C from now on. A command that has not called [`until_ctrl_c`] has no results to
/// keep, and ends at once, with the processes that it has started. A command that has called it
/// ends with its results so far, or at once at the second Ctrl-C.
pub(super) fn watch_for_ctrl_c(json: bool) {
    let _flag = INTERRUPT.get_or_init(|| {
        let interrupt = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&interrupt);
        let handler = move || {
            program_ends();
            let is_second = flag.swap(true, Ordering::Relaxed);
            if !is_second && LISTENS.load(Ordering::Relaxed) {
                return;
            }
            end_processes();
            if !is_second {
                say(move || write_unknown(json, &mut std::io::stdout(), Stopped::Interrupted));
            }
            std::process::exit(Status::Unknown as i32);
        };
        let watched = ctrlc::set_handler(handler);
        watched
            .map(|()| interrupt)
            .map_err(|error| format!("cannot watch for ctrl-c: {error}"))
    });
}

/// Waits for `word` to write the last message, but at most [`LAST_WORD`]: the reader of the output
/// may itself be waiting.
fn say<T: Send + 'static>(word: impl FnOnce() -> T + Send + 'static) {
    let (sender, said) = channel();
    std::thread::spawn(move || sender.send(word()));
    let _late = said.recv_timeout(LAST_WORD);
}

/// The limits of the program, and Ctrl-C as one of them: the first Ctrl-C ends a search with its
/// results so far. The second one ends the program.
pub(super) fn until_ctrl_c() -> Result<Limits, Error> {
    if INSIDE.get() {
        return Ok(Limits::active());
    }
    watch_for_ctrl_c(false);
    match INTERRUPT.get() {
        Some(Err(error)) => Err(Error::Usage(error.clone())),
        Some(Ok(interrupt)) => {
            LISTENS.store(true, Ordering::Relaxed);
            Ok(Limits::active().interrupted_by(Arc::clone(interrupt)))
        }
        None => Ok(Limits::active()),
    }
}

/// Writes that the command was stopped, and why.
pub(super) fn write_unknown(
    json: bool,
    out: &mut dyn Write,
    stopped: Stopped,
) -> Result<(), Error> {
    write_reason(json, out, stopped.describe())
}

/// Any command that ran into a limit before it had anything to say.
#[derive(Serialize, JsonSchema)]
pub(super) struct UnknownAnswer<'x> {
    #[schemars(extend("const" = "unknown"))]
    verdict: &'static str,
    reason: &'x str,
}

/// Writes that there is no answer, and why.
pub(super) fn write_reason(json: bool, out: &mut dyn Write, why: &str) -> Result<(), Error> {
    if json {
        let verdict = "unknown";
        write_json(
            out,
            &UnknownAnswer {
                verdict,
                reason: why,
            },
        )
    } else {
        Ok(writeln!(out, "unknown: {why}")?)
    }
}

/// Runs `work` within the limits, and returns its result. If a limit is reached, returns the error
/// that the work was stopped.
pub(super) fn within<T, E: Into<Error>>(
    limits: &Limits,
    work: impl FnOnce() -> Result<T, E>,
) -> Result<T, Error> {
    let done = limits.run(work).map_err(QueryError::Stopped)?;
    done.map_err(Into::into)
}
