//! A device behind a command that stays alive: lines in, lines out, as many as are asked at once.

use super::command::{CommandDevice, LONGEST};
use super::{Device, DeviceError};
use crate::algorithms::Signature;
use crate::limits::Limits;
use crate::process::{Event, Running};
use crate::vectors::Inputs;
use std::fmt;
use std::time::{Duration, Instant};

/// A command of the shell that is started once. It reads and writes lines as that of a [`CommandDevice`], and flushes what it has
/// written before it waits for more; when its input ends it ends.
pub struct LiveDevice {
    command: CommandDevice,
    process: Option<Running>,
    /// What it has written behind the last whole line.
    rest: Vec<u8>,
    /// Lines read so far.
    line: usize,
}

impl LiveDevice {
    /// The device that `command` drives, which takes and gives what `signature` tells.
    pub fn new(command: &str, signature: Signature, limits: Limits) -> Self {
        LiveDevice {
            command: CommandDevice::new(command, signature, limits),
            process: None,
            rest: Vec::new(),
            line: 0,
        }
    }

    /// The same, for a command that is given up once it has been silent for so long while it has something to answer.
    #[must_use]
    pub fn with_patience(self, time: Duration) -> Self {
        let command = self.command.with_patience(time);
        LiveDevice { command, ..self }
    }

    /// The next line that is no comment.
    fn next_line(&mut self, running: &mut Running, begun: Instant) -> Result<String, DeviceError> {
        loop {
            if let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.rest.drain(..=end).collect();
                self.line += 1;
                let text = String::from_utf8_lossy(&line).trim_end().to_owned();
                if !text.is_empty() && !text.starts_with('#') {
                    return Ok(text);
                }
                continue;
            }
            if self.rest.len() > LONGEST {
                let reason = format!("expected lines of at most {LONGEST} bytes, found more");
                return Err(self.command.failed(reason));
            }
            match running.next(&self.command.limits()) {
                Event::Output(chunk) => self.rest.extend(chunk),
                Event::End => {
                    return Err(self.command.failed(format!(
                        "expected a line for each input while it lives, found the end of its output: {}",
                        running.exit()
                    )));
                }
                Event::Stopped(stopped) => return Err(self.command.stopped(stopped, begun)),
            }
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
            None => Running::open(&self.command.start()),
        };
        let mut running = started.map_err(|error| self.command.failed(error.to_string()))?;
        running.write(text);
        let mut results = Vec::with_capacity(inputs.len());
        for inputs in inputs {
            let text = self.next_line(&mut running, begun)?;
            results.push(self.command.result(&text, self.line, inputs)?);
        }
        self.process = Some(running);
        Ok(results)
    }
}
