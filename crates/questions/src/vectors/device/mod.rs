//! Devices compute the results of vectors: silicon, or a model that stands in for silicon.

mod command;
mod cpu;
#[cfg(feature = "cuda")]
mod cuda;
mod elements;
mod live;
pub mod ptx;
mod software;
pub mod tile;

pub use command::CommandDevice;
pub use cpu::{CpuDevice, INSTRUCTIONS};
#[cfg(feature = "cuda")]
pub use cuda::{CudaDevice, Gpu};
pub use elements::{ElementDifference, Elements};
pub use live::LiveDevice;
pub use software::SoftwareDevice;

use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::algorithms::{Inputs, Misfit};
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::base::limits::Stopped;
use std::time::Duration;
use thiserror::Error;

/// A unit that computes dot-adds, of which only the results are visible.
pub trait Device {
    /// The formats of operands and result, and the number of products.
    fn signature(&self) -> Signature;

    /// A description in lines, for the comments of the files that hold the device's results.
    fn describe(&self) -> Vec<String>;

    /// The result of each of `inputs`, in their order.
    ///
    /// # Errors
    /// If the device cannot be reached or does not answer all inputs; no result is returned then.
    fn run(&mut self, inputs: &[Inputs]) -> Result<Vec<u64>, DeviceError>;

    /// All elements of D of one instruction for each of `inputs`, which are put in every row of A,
    /// column of B and element of C. Nothing for a device that has one element.
    ///
    /// # Errors
    /// If the device cannot be reached or does not answer all inputs.
    fn elements(&mut self, inputs: &[Inputs]) -> Result<Vec<Elements>, DeviceError> {
        let _ = inputs;
        Ok(Vec::new())
    }

    /// Ends the dialogue: no more inputs follow. On success, all results so far belong to their
    /// inputs.
    ///
    /// # Errors
    /// If the device gave results that were not asked for: earlier results may belong to other
    /// inputs.
    fn finish(&mut self) -> Result<(), DeviceError> {
        Ok(())
    }
}

/// The reason that a device gave no results.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// The device is missing, or lacks a feature that was asked for.
    #[error("{}: {reason}", excerpt(.what))]
    Missing {
        /// The device or instruction.
        what: String,
        /// The expected feature and a remedy.
        reason: String,
    },
    /// The inputs do not fit the device's signature.
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// The device failed while it ran.
    #[error("{} failed: {reason}", excerpt(.what))]
    Failed {
        /// The device or its program.
        what: String,
        /// The message of the device or its program.
        reason: String,
    },
    /// A limit was reached before the device answered.
    #[error("{what} {} after {:.1} s", ended(*.stopped), .waited.as_secs_f64())]
    Stopped {
        /// The device or its program.
        what: String,
        /// The limit that was reached.
        stopped: Stopped,
        /// The time spent waiting.
        waited: Duration,
    },
}

/// The way in which a wait ended, in words.
fn ended(stopped: Stopped) -> &'static str {
    match stopped {
        Stopped::TimeLimit => "timed out",
        Stopped::Interrupted => "was interrupted",
        Stopped::ConflictLimit | Stopped::MemoryLimit | Stopped::GaveUp => "was stopped by a limit",
    }
}
