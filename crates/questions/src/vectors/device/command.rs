//! A device behind a shell command, which reads inputs and writes the results of a machine.

use super::{Device, DeviceError};
use crate::vectors::parse_line;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::base::limits::Stopped;
use mmasmt_numbers::base::process::{ChildProcess, Event, Start};
use std::path::Path;
use std::time::{Duration, Instant};

/// A shell command that is started for every batch of inputs. It reads lines `c a0,a1,… b0,b1,…`
/// (with `sa0,… sb0,…` where there are scales) on standard input. For each of these lines it writes
/// one line, in the same order: the result register in hexadecimal digits, or the whole vector with
/// the result at its end. It may write comments, which begin with `#`, and must exit with status 0.
#[derive(Clone, Debug)]
pub struct CommandDevice {
    command: String,
    signature: Signature,
    limits: Limits,
    /// The longest time without output that is allowed while an answer is due.
    patience: Option<Duration>,
}

/// The most bytes of output for each input; more is an error.
pub(super) const LONGEST: usize = 1 << 14;

impl CommandDevice {
    /// The device behind `command`, with operands and results of `signature`.
    pub fn new(command: &str, signature: Signature, limits: Limits) -> Self {
        CommandDevice {
            command: command.into(),
            signature,
            limits,
            patience: None,
        }
    }

    /// The same device, with a limit on the time without output while an answer is due.
    #[must_use]
    pub fn with_patience(self, time: Duration) -> Self {
        let patience = Some(time);
        CommandDevice { patience, ..self }
    }

    pub(super) fn name(&self) -> String {
        format!("the runner `{}`", self.command)
    }

    pub(super) fn failed(&self, reason: String) -> DeviceError {
        DeviceError::Failed {
            what: self.name(),
            reason,
        }
    }

    /// How to start the process that runs the command.
    pub(super) fn start(&self) -> Start<'static> {
        Start {
            program: Path::new("/bin/sh"),
            arguments: vec!["-c".into(), self.command.clone().into()],
            memory: None,
        }
    }

    /// The text that the command reads for `inputs`: one line for each.
    pub(super) fn lines(&self, inputs: &[Inputs]) -> Result<String, DeviceError> {
        let mut text = String::new();
        for inputs in inputs {
            inputs.checked(&self.signature)?;
            text += &inputs.to_line(&self.signature);
            text.push('\n');
        }
        Ok(text)
    }

    /// The error for a command that was stopped by a limit.
    pub(super) fn stopped(&self, stopped: Stopped, begun: Instant) -> DeviceError {
        DeviceError::Stopped {
            what: self.name(),
            stopped,
            waited: begun.elapsed(),
        }
    }

    /// The error for a command that ended too early, with its last message: the last line of
    /// standard error, or else of `output`.
    pub(super) fn ended(
        &self,
        running: &mut ChildProcess,
        expected: &str,
        output: &[u8],
    ) -> DeviceError {
        let exit = running.exit();
        let last =
            last_line(&running.said()).or_else(|| last_line(&String::from_utf8_lossy(output)));
        let last = last.unwrap_or("no message".into());
        self.failed(format!("{expected}, found {exit}: {last}"))
    }

    /// The limits on waiting for the command's next output, from now on.
    pub(super) fn limits(&self) -> Limits {
        match self.patience {
            Some(time) => self.limits.within(time),
            None => self.limits.clone(),
        }
    }

    /// The whole output of the command.
    fn output(&self, input: String, longest: usize) -> Result<String, DeviceError> {
        let start = self.start();
        let begun = Instant::now();
        let started = ChildProcess::start(&start, input);
        let mut running = started.map_err(|error| self.failed(error.to_string()))?;
        let mut output = Vec::new();
        loop {
            match running.next(&self.limits()) {
                Event::Output(chunk) => output.extend(chunk),
                Event::End => break,
                Event::Stopped(stopped) => {
                    return Err(self.stopped(stopped, begun));
                }
            }
            if output.len() > longest {
                return Err(self.failed(format!("expected at most {longest} bytes, found more")));
            }
        }
        if !running.exit().is_success() {
            return Err(self.ended(&mut running, "expected exit status 0", &output));
        }
        String::from_utf8(output)
            .map_err(|_| self.failed("expected text, found other bytes".into()))
    }

    /// The result in an output line, which may repeat the operands before it.
    pub(super) fn result(
        &self,
        text: &str,
        line: usize,
        inputs: &Inputs,
    ) -> Result<u64, DeviceError> {
        if text.contains(' ') {
            let vector = parse_line(text, line, &self.signature);
            let vector = vector.map_err(|error| self.failed(format!("output, {error}")))?;
            if vector.inputs != *inputs {
                let reason = "output, line {line}: expected the operands that were asked in their order, found others";
                return Err(self.failed(reason.replace("{line}", &line.to_string())));
            }
            return Ok(vector.d);
        }
        let digits = self.signature.d.digits();
        let right = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let bits = u64::from_str_radix(text, 16).ok().filter(|_| right);
        bits.ok_or_else(|| {
            let found = excerpt(text);
            self.failed(format!(
                "output, line {line}: expected {digits} hexadecimal digits for d, found `{found}`"
            ))
        })
    }
}

/// The last non-blank line of a text.
fn last_line(text: &str) -> Option<String> {
    let last = text.lines().rfind(|line| !line.trim().is_empty())?;
    Some(excerpt(last.trim()))
}

impl Device for CommandDevice {
    fn signature(&self) -> Signature {
        self.signature
    }

    fn describe(&self) -> Vec<String> {
        vec![format!("device: behind the command {}", self.command)]
    }

    fn run(&mut self, inputs: &[Inputs]) -> Result<Vec<u64>, DeviceError> {
        let text = self.lines(inputs)?;
        let output = self.output(text, LONGEST * (inputs.len() + 1))?;
        let lines = output.lines().map(str::trim_end).enumerate();
        let lines: Vec<_> = lines
            .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
            .collect();
        if lines.len() != inputs.len() {
            let (expected, found) = (inputs.len(), lines.len());
            return Err(self.failed(format!(
                "expected a line for each of {expected} vectors, found {found}"
            )));
        }
        let results = lines.into_iter().zip(inputs);
        results
            .map(|((index, text), inputs)| self.result(text, index + 1, inputs))
            .collect()
    }
}
