//! A device behind a command that stays alive: it reads and writes one line for each input of a
//! batch.

use super::command::{CommandDevice, LONGEST};
use super::{Device, DeviceError};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::base::process::{ChildProcess, Event};
use std::fmt;
use std::time::{Duration, Instant};

/// The time that a command has to end after its input has ended.
const ENDING: Duration = Duration::from_secs(1);

/// A shell command that is started once. It reads and writes lines as the command of a
/// [`CommandDevice`] does, and flushes its output before it waits for more input. It ends when its
/// input ends.
pub struct LiveDevice {
    command: CommandDevice,
    process: Option<ChildProcess>,
    /// The output after the last whole line.
    rest: Vec<u8>,
    /// The number of output lines read.
    line: usize,
}

impl LiveDevice {
    /// The device behind `command`, with operands and results of `signature`.
    pub fn new(command: &str, signature: Signature, limits: Limits) -> Self {
        LiveDevice {
            command: CommandDevice::new(command, signature, limits),
            process: None,
            rest: Vec::new(),
            line: 0,
        }
    }

    /// The same device, with a limit on the time without output while an answer is due.
    #[must_use]
    pub fn with_patience(self, time: Duration) -> Self {
        let command = self.command.with_patience(time);
        LiveDevice { command, ..self }
    }

    /// The next output line that is not a comment.
    fn next_line(
        &mut self,
        running: &mut ChildProcess,
        begun: Instant,
    ) -> Result<String, DeviceError> {
        loop {
            if let Some(text) = self.whole_line() {
                return Ok(text);
            }
            if self.rest.len() > LONGEST {
                let reason = format!("expected lines of at most {LONGEST} bytes, found more");
                return Err(self.command.failed(reason));
            }
            match running.next(&self.command.limits()) {
                Event::Output(chunk) => self.rest.extend(chunk),
                Event::End => {
                    let expected = "expected a line for each input while it lives";
                    return Err(self.command.ended(running, expected, &self.rest));
                }
                Event::Stopped(stopped) => return Err(self.command.stopped(stopped, begun)),
            }
        }
    }

    /// The next whole line of the output read so far that is not a comment.
    fn whole_line(&mut self) -> Option<String> {
        while let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.rest.drain(..=end).collect();
            self.line += 1;
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            if !text.is_empty() && !text.starts_with('#') {
                return Some(text);
            }
        }
        None
    }

    /// Returns an error if there is output beyond the answers asked for. Read as an answer, such
    /// output would shift all later answers.
    fn refuse_more(&mut self) -> Result<(), DeviceError> {
        let more = self.whole_line().or_else(|| {
            let begun = String::from_utf8_lossy(&self.rest).trim().to_owned();
            (!begun.is_empty() && !begun.starts_with('#')).then_some(begun)
        });
        match more {
            None => Ok(()),
            Some(text) => Err(self.command.failed(format!(
                "expected one line for each input, found one more at line {} of its output: `{}`",
                self.line,
                excerpt(&text)
            ))),
        }
    }
}

impl fmt::Debug for LiveDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LiveDevice").field(&self.command).finish()
    }
}

impl Device for LiveDevice {
    fn signature(&self) -> Signature {
        self.command.signature()
    }

    fn describe(&self) -> Vec<String> {
        let mut said = self.command.describe();
        said.push("device: stays alive between batches".into());
        said
    }

    fn run(&mut self, inputs: &[Inputs]) -> Result<Vec<u64>, DeviceError> {
        let text = self.command.lines(inputs)?;
        let begun = Instant::now();
        let started = match self.process.take() {
            Some(running) => Ok(running),
            None => ChildProcess::open(&self.command.start()),
        };
        let mut running = started.map_err(|error| self.command.failed(error.to_string()))?;
        while let Some(chunk) = running.ready() {
            self.rest.extend(chunk);
            self.refuse_more()?;
        }
        running.write(text);
        let mut results = Vec::with_capacity(inputs.len());
        for inputs in inputs {
            let text = self.next_line(&mut running, begun)?;
            results.push(self.command.result(&text, self.line, inputs)?);
        }
        self.refuse_more()?;
        self.process = Some(running);
        Ok(results)
    }

    fn finish(&mut self) -> Result<(), DeviceError> {
        let Some(mut running) = self.process.take() else {
            return Ok(());
        };
        running.close();
        let limits = self.command.limits().within(ENDING);
        // A command that does not end in time is killed.
        while let Event::Output(chunk) = running.next(&limits) {
            self.rest.extend(chunk);
            self.refuse_more()?;
        }
        Ok(())
    }
}
