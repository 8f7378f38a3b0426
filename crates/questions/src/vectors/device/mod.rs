//! Devices: what answers vectors, silicon or a model that stands in for it.

mod command;
mod cpu;
#[cfg(feature = "cuda")]
mod cuda;
mod live;
pub mod ptx;
mod software;
pub mod tile;

pub use command::CommandDevice;
pub use cpu::{CpuDevice, INSTRUCTIONS};
#[cfg(feature = "cuda")]
pub use cuda::{CudaDevice, Gpu};
pub use live::LiveDevice;
pub use software::SoftwareDevice;

use mmasmt_core::base::excerpt::excerpt;
use mmasmt_core::base::limits::Stopped;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::algorithms::{Inputs, Misfit};
use std::time::Duration;
use thiserror::Error;

/// Something that computes dot-adds and is asked for its results only.
pub trait Device {
    /// The formats that it takes and gives, and how many products.
    fn signature(&self) -> Signature;

    /// What it is, a line each: for the comments of the files that its results go to.
    fn describe(&self) -> Vec<String>;

    /// The result of each of `inputs`, in their order.
    ///
    /// # Errors
    /// If it cannot be reached or does not answer all of them; no result is given then.
    fn run(&mut self, inputs: &[Inputs]) -> Result<Vec<u64>, DeviceError>;

    /// Ends the dialogue: nothing more is asked, and all results so far are answers to what was
    /// asked.
    ///
    /// # Errors
    /// If it gave results that nobody asked for: those before may be answers to other inputs.
    fn finish(&mut self) -> Result<(), DeviceError> {
        Ok(())
    }
}

/// Why a device gave no results.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// It is not there, or lacks what is asked of it.
    #[error("{}: {reason}", excerpt(.what))]
    Missing {
        /// The device or instruction.
        what: String,
        /// What was expected and what to do.
        reason: String,
    },
    /// Inputs that do not fit its signature.
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// It failed while it ran.
    #[error("{} failed: {reason}", excerpt(.what))]
    Failed {
        /// The device or its program.
        what: String,
        /// What it said.
        reason: String,
    },
    /// A limit was reached before it had answered.
    #[error("{what} {} after {:.1} s", ended(*.stopped), .waited.as_secs_f64())]
    Stopped {
        /// The device or its program.
        what: String,
        /// The limit.
        stopped: Stopped,
        /// How long it was waited for.
        waited: Duration,
    },
}

/// How a wait ended.
fn ended(stopped: Stopped) -> &'static str {
    match stopped {
        Stopped::TimeLimit => "timed out",
        Stopped::Interrupted => "was interrupted",
        Stopped::ConflictLimit | Stopped::MemoryLimit | Stopped::GaveUp => "was stopped by a limit",
    }
}
