//! Faults of this program that work reports while it goes on, such as a rule that inputs refute: lines on standard
//! error, which the gate looks for.

use super::notes::note;
use log::{LevelFilter, Log, Metadata, Record};
use mmasmt_questions::claims::query::WRONG_RULE;

struct Faults;

impl Log for Faults {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == WRONG_RULE
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            // Where standard error is closed, nobody can be told.
            let _ = note([record.args().to_string()]);
        }
    }

    fn flush(&self) {}
}

/// Shows faults from now on. A program that has a log of its own keeps it.
pub(super) fn show_faults() {
    if log::set_logger(&Faults).is_ok() {
        log::set_max_level(LevelFilter::Error);
    }
}
