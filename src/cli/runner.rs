//! A machine that answers: a command, this processor, a GPU, or a model in its place.

use super::specification::{find, model, on_this_processor};
use super::timeouts::seconds;
use crate::cli::error::Error;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::{Model, Row};
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::vectors::device::{CommandDevice, Device, LiveDevice, SoftwareDevice};
use mmasmt_questions::vectors::signature_of;
use std::time::Duration;

/// Options of the commands that ask a machine.
#[derive(Debug, clap::Args)]
pub(super) struct RunnerArgs {
    /// A machine: a shell command that reads lines `c a0,a1,… b0,b1,…` and writes d for each; or
    /// cpu:INSTRUCTION for this processor, gpu:NUMBER:INSTRUCTION for a GPU, model:MODEL for a model
    /// in its place. As an argument without --runner, a command is run:COMMAND
    #[arg(long, value_name = "COMMAND")]
    pub(super) runner: Option<String>,
    /// Start the command of --runner only once. It must flush each answer, and end when its input
    /// ends
    #[arg(long, requires = "runner")]
    pub(super) alive: bool,
    /// The longest time that the command of --runner may be silent while an answer is due, such as
    /// 10s or 5m
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = seconds, requires = "runner")]
    runner_timeout: Duration,
}

/// The operands that `--signature` states.
///
/// # Errors
/// If the text states none.
pub(super) fn stated_operands(text: &str) -> Result<Signature, Error> {
    signature_of(text).ok_or_else(|| {
        Error::Usage(format!(
            "--signature: expected operands such as `16 products f16 x f16, c f32, result f32`, found `{}`",
            excerpt(text)
        ))
    })
}

/// What answers.
enum Machine<'x> {
    Command(&'x str),
    Processor(&'x str),
    Gpu(usize, &'x str),
    Model(&'x str),
}

impl<'x> Machine<'x> {
    fn of(text: &'x str) -> Result<Machine<'x>, Error> {
        Ok(match text.split_once(':') {
            Some(("run", command)) => Machine::Command(command),
            Some(("cpu", name)) => Machine::Processor(name),
            Some(("model", text)) => Machine::Model(text),
            Some(("gpu", rest)) => {
                let found = rest.split_once(':');
                let found = found.and_then(|(number, name)| Some((number.parse().ok()?, name)));
                let (number, name) = found.ok_or_else(|| {
                    let found = excerpt(text);
                    Error::Usage(format!(
                        "expected gpu:NUMBER:ARCH/INSTRUCTION, such as gpu:0:hopper/HMMA.16816.F32, found `{found}`"
                    ))
                })?;
                Machine::Gpu(number, name)
            }
            _ => Machine::Command(text),
        })
    }
}

/// The longest silence of a command that is given without `--runner-timeout`.
const SILENCE: Duration = Duration::from_secs(300);

/// How a machine that answers begins.
const KINDS: [&str; 4] = ["run:", "cpu:", "gpu:", "model:"];

/// Whether a text names a machine that answers. `cpu:KEY=VALUE` is a model.
pub(super) fn answers(text: &str) -> bool {
    let is_model = text.starts_with("cpu:") && text.contains('=');
    !is_model && KINDS.iter().any(|kind| text.starts_with(kind))
}

impl RunnerArgs {
    /// The machine of this text, with the options as they are without others.
    pub(super) fn of(text: &str) -> RunnerArgs {
        RunnerArgs {
            runner: Some(text.to_owned()),
            alive: false,
            runner_timeout: SILENCE,
        }
    }

    /// Another machine, asked as this one is.
    pub(super) fn like(&self, text: &str) -> RunnerArgs {
        RunnerArgs {
            runner: Some(text.to_owned()),
            ..*self
        }
    }

    fn machine(&self) -> Result<Option<Machine<'_>>, Error> {
        self.runner.as_deref().map(Machine::of).transpose()
    }

    /// A model with the operands of the machine, unless that is a command, whose operands are not known.
    ///
    /// # Errors
    /// If the tables do not have the instruction, or the text is no model.
    pub(super) fn model(&self) -> Result<Option<Model>, Error> {
        match self.machine()? {
            Some(Machine::Processor(name) | Machine::Gpu(_, name)) => {
                find(name)?;
                model(name).map(Some)
            }
            Some(Machine::Model(name)) => model(name).map(Some),
            Some(Machine::Command(_)) | None => Ok(None),
        }
    }

    /// The machine, with these operands; `None` if there is none.
    ///
    /// # Errors
    /// If it cannot be had, or has other operands.
    pub(super) fn device(
        &self,
        signature: Signature,
        limits: &Limits,
    ) -> Result<Option<Box<dyn Device>>, Error> {
        let Some(machine) = self.machine()? else {
            return Ok(None);
        };
        if self.alive && !matches!(machine, Machine::Command(_)) {
            return Err(Error::Usage(
                "--alive is for a command: leave it out".into(),
            ));
        }
        let device: Box<dyn Device> = match machine {
            Machine::Command(command) => {
                let (limits, patience) = (limits.clone(), self.runner_timeout);
                match self.alive {
                    true => Box::new(
                        LiveDevice::new(command, signature, limits).with_patience(patience),
                    ),
                    false => Box::new(
                        CommandDevice::new(command, signature, limits).with_patience(patience),
                    ),
                }
            }
            Machine::Processor(name) => Box::new(on_this_processor(name)?),
            Machine::Gpu(number, name) => {
                let (row, instruction) = find(name)?;
                open_gpu(number, row, instruction)?
            }
            Machine::Model(text) => Box::new(SoftwareDevice::new(model(text)?)),
        };
        let found = device.signature();
        match found == signature {
            true => Ok(Some(device)),
            false => Err(Error::Usage(format!(
                "`{}`: expected a machine of {signature}, found {found}",
                excerpt(self.runner.as_deref().unwrap_or_default())
            ))),
        }
    }
}

/// A GPU with the kernel of an instruction.
///
/// # Errors
/// If there is no such GPU, or it does not have the instruction.
#[cfg(feature = "cuda")]
pub(super) fn open_gpu(
    number: usize,
    row: &Row,
    instruction: &str,
) -> Result<Box<dyn Device>, Error> {
    use mmasmt_questions::vectors::device::ptx::PtxProgram;
    let gpu = mmasmt_questions::vectors::device::Gpu::open(number)?;
    let capability = gpu.capability()?;
    if capability.architecture() != Some(&row.architecture) {
        return Err(Error::Usage(format!(
            "device {number} has compute capability {capability} ({}): expected {} for {}/{}; `mmasmt run --list --capability {capability}` lists what it has",
            capability.architecture().unwrap_or("unknown"),
            row.architecture,
            row.architecture,
            row.name,
        )));
    }
    Ok(Box::new(gpu.load(PtxProgram::new(
        row,
        instruction,
        capability,
    )?)?))
}

/// A GPU with the kernel of an instruction.
///
/// # Errors
/// This program was built without GPUs.
#[cfg(not(feature = "cuda"))]
pub(super) fn open_gpu(number: usize, _: &Row, _: &str) -> Result<Box<dyn Device>, Error> {
    Err(Error::Usage(format!(
        "device {number}: this program was built without GPUs; build it with `cargo build --release --features cuda`, or take `model:MODEL`"
    )))
}
