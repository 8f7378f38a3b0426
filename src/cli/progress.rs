//! One line on a terminal that says what a command is doing, once that takes more than a second.

use crate::limits::{Progress, Report};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// What ends before this is not worth a line.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the line is drawn anew.
const TICK: Duration = Duration::from_millis(200);

/// The line, as long as the command works.
pub(super) struct Line {
    bar: ProgressBar,
    drawing: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Line {
    /// A line on standard error that shows what `progress` says; nothing unless that is a terminal.
    pub fn new(progress: Arc<Progress>, quiet: bool) -> Line {
        if quiet || !io::stderr().is_terminal() {
            let bar = ProgressBar::hidden();
            return Line { bar, drawing: None };
        }
        let bar = ProgressBar::new_spinner();
        let bar = match ProgressStyle::with_template("{wide_msg}") {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        };
        let (sender, ended) = channel();
        let shown = bar.clone();
        let begun = Instant::now();
        let thread = thread::spawn(move || {
            let mut wait = PATIENCE;
            while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(wait) {
                wait = TICK;
                shown.set_message(text(&progress.read(), begun.elapsed()));
                shown.tick();
            }
        });
        Line {
            bar,
            drawing: Some((sender, thread)),
        }
    }

    /// What takes the line away before it writes to `out`, if that is a terminal.
    pub fn cleared_by<W: Write>(&self, out: W) -> Cleared<W> {
        Cleared {
            out,
            bar: self.bar.clone(),
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.drawing.take() {
            drop(sender);
            // A thread that only draws has nothing to tell.
            let _ended = thread.join();
        }
        self.bar.finish_and_clear();
    }
}

/// A writer before whose output the line goes away.
pub(super) struct Cleared<W> {
    out: W,
    bar: ProgressBar,
}

impl<W: Write + IsTerminal> Write for Cleared<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.out.is_terminal() {
            return self.out.write(bytes);
        }
        // Whole lines leave room for it below; the rest of a line does not.
        if bytes.ends_with(b"\n") {
            return self.bar.suspend(|| self.out.write(bytes));
        }
        self.bar.finish_and_clear();
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// What is asked, which step, how much is open, and how long it took so far.
fn text(report: &Report, time: Duration) -> String {
    let mut text = report.question.clone();
    if !report.step.is_empty() {
        text += &format!(": {}", report.step);
    }
    if let Some([settled, all]) = report.settled {
        text += &format!(", {} of {all} open", all.saturating_sub(settled));
    }
    if let Some(vectors) = report.vectors {
        text += &format!(", {vectors} vectors");
    }
    text + &format!(", {} s", time.as_secs())
}

#[cfg(test)]
mod tests {
    use super::text;
    use crate::limits::Report;
    use std::time::Duration;

    #[test]
    fn a_line_says_what_is_asked_which_step_how_long_and_how_much_is_open() {
        let mut report = Report {
            question: "fda:F=24 and fda:F=25".into(),
            step: "samples".into(),
            ..Report::default()
        };
        let time = Duration::from_secs(3);
        assert_eq!(text(&report, time), "fda:F=24 and fda:F=25: samples, 3 s");
        report.settled = Some([2, 30]);
        report.vectors = Some(7);
        assert_eq!(
            text(&report, time),
            "fda:F=24 and fda:F=25: samples, 28 of 30 open, 7 vectors, 3 s"
        );
    }
}
