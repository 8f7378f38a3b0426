//! A machine behind a command: `--runner`, and `--alive` for a command that stays alive.

use super::timeouts::seconds;
use mmasmt_core::base::limits::Limits;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_questions::vectors::device::{CommandDevice, Device, LiveDevice};
use std::time::Duration;

/// Options of the commands that ask a machine.
#[derive(Debug, clap::Args)]
pub(super) struct RunnerArgs {
    /// A shell command that reads lines `c a0,a1,… b0,b1,…` and writes d for each
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

impl RunnerArgs {
    /// The machine behind the command of `--runner`, if one is given.
    pub(super) fn device(&self, signature: Signature, limits: &Limits) -> Option<Box<dyn Device>> {
        let command = self.runner.as_deref()?;
        let (limits, patience) = (limits.clone(), self.runner_timeout);
        Some(if self.alive {
            Box::new(LiveDevice::new(command, signature, limits).with_patience(patience))
        } else {
            Box::new(CommandDevice::new(command, signature, limits).with_patience(patience))
        })
    }
}
