//! A progress bar of vectors.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;

/// A bar on standard error where that is a terminal, unless the vectors are written to a terminal
/// too; without a `count` it says how many there were so far.
pub(super) fn progress(count: Option<u64>, to_stdout: bool) -> ProgressBar {
    if to_stdout && std::io::stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    let (bar, style) = match count {
        Some(count) => (
            ProgressBar::new(count),
            "{wide_bar} {human_pos} of {human_len} vectors, {per_sec}, {eta} left",
        ),
        None => (
            ProgressBar::new_spinner(),
            "{human_pos} vectors, {per_sec}, {elapsed}",
        ),
    };
    match ProgressStyle::with_template(style) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
