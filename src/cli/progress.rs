//! Progress of a command: one line on a terminal, after the first second; elsewhere one line every
//! ten seconds.

use indicatif::{ProgressBar, ProgressStyle};
use mmasmt_numbers::base::limits::{Progress, Report};
use std::io::{self, IsTerminal, Stdout, Write};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A command that ends before this time shows no line.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the line is drawn anew.
const TICK: Duration = Duration::from_millis(200);
/// How often a line is written to a file or a pipe.
const STEP: Duration = Duration::from_secs(10);

/// The progress line; it is shown until this value is dropped.
pub(super) struct Line {
    bar: ProgressBar,
    drawing: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Line {
    /// Shows on standard error what `progress` says: on a terminal in one line that is drawn anew,
    /// elsewhere in a new line every ten seconds. If `quiet` is set, shows nothing.
    pub fn new(progress: Arc<Progress>, quiet: bool) -> Line {
        if quiet || std::env::var_os("MMASMT_QUIET").is_some_and(|value| !value.is_empty()) {
            let bar = ProgressBar::hidden();
            return Line { bar, drawing: None };
        }
        if !io::stderr().is_terminal() {
            let bar = ProgressBar::hidden();
            let told = move |time| tell(&progress.read(), time, &mut io::stderr());
            let drawing = Some(each(STEP, STEP, told));
            return Line { bar, drawing };
        }
        let bar = ProgressBar::new_spinner();
        let bar = match ProgressStyle::with_template("{wide_msg}") {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        };
        let shown = bar.clone();
        let draw = move |time| {
            shown.set_message(text(&progress.read(), time));
            shown.tick();
        };
        let drawing = Some(each(PATIENCE, TICK, draw));
        Line { bar, drawing }
    }

    /// A writer to `out`. If `out` is a terminal, it takes the progress line away before it writes.
    pub fn cleared_by(&self, out: Stdout) -> ProgressWriter {
        ProgressWriter {
            out,
            bar: self.bar.clone(),
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.drawing.take() {
            drop(sender);
            // The thread only draws, so its result is ignored.
            let _ended = thread.join();
        }
        self.bar.finish_and_clear();
    }
}

/// Starts a thread that calls `work` with the time so far: first after the time `first`, then after
/// every `step`. The thread ends when the returned sender is dropped.
fn each(
    first: Duration,
    step: Duration,
    work: impl Fn(Duration) + Send + 'static,
) -> (Sender<()>, JoinHandle<()>) {
    let (sender, ended) = channel();
    let begun = Instant::now();
    let thread = thread::spawn(move || {
        let mut wait = first;
        while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(wait) {
            wait = step;
            work(begun.elapsed());
        }
    });
    (sender, thread)
}

/// Writes a line of progress for a file or a pipe, if there is anything to tell.
fn tell(report: &Report, time: Duration, out: &mut dyn Write) {
    let Report {
        question,
        step,
        vectors,
        ..
    } = report;
    if !question.is_empty() || !step.is_empty() || vectors.is_some() {
        // If the output cannot be written, nothing important is lost.
        let _ = writeln!(out, "mmasmt: {}", text(report, time));
    }
}

/// A writer that takes the progress line away before it writes.
pub(super) struct ProgressWriter {
    out: Stdout,
    bar: ProgressBar,
}

impl Write for ProgressWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.out.is_terminal() {
            return self.out.write(bytes);
        }
        // After a whole line there is room for the progress line below; after a part of a line
        // there is not.
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

/// The text of the progress line: what is asked, which step, how much is open, and the time so far.
fn text(report: &Report, time: Duration) -> String {
    let mut text = report.question.clone();
    if !report.step.is_empty() {
        let colon = if text.is_empty() { "" } else { ": " };
        text += &format!("{colon}{}", report.step);
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
    #![allow(clippy::unwrap_used, reason = "so tests fail")]

    use super::{each, tell, text};
    use mmasmt_numbers::base::limits::Report;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    #[test]
    fn a_pipe_gets_a_line_where_there_is_anything_to_tell() {
        let told = |report: &Report| {
            let mut out = Vec::new();
            tell(report, Duration::from_secs(20), &mut out);
            String::from_utf8(out).unwrap()
        };
        // A server that waits reports nothing.
        assert_eq!(told(&Report::default()), "");
        let report = Report {
            question: "faithful of fda".into(),
            step: "samples".into(),
            ..Report::default()
        };
        assert_eq!(told(&report), "mmasmt: faithful of fda: samples, 20 s\n");
        let report = Report {
            step: "errors of markidis on volta".into(),
            ..Report::default()
        };
        assert_eq!(told(&report), "mmasmt: errors of markidis on volta, 20 s\n");
    }

    #[test]
    fn work_is_done_again_and_again_until_nobody_waits() {
        let (said, heard) = channel();
        let step = Duration::from_millis(1);
        let work = move |time: Duration| said.send(time).unwrap_or_default();
        let (sender, thread) = each(step, step, work);
        let times: Vec<_> = heard.iter().take(3).collect();
        assert!(times.is_sorted() && times[0] >= step, "{times:?}");
        drop(sender);
        thread.join().unwrap();
    }

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
