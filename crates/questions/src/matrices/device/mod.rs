//! Products of matrices on other processors than this one.
//!
//! | what | file |
//! | --- | --- |
//! | a processor that multiplies, and the test before its first use | `tested` |
//! | operands for this test | `drawn` |
//! | machine code that is kept on the disk | `cache` |
//! | where products are computed, by name, and its errors | `place`, `place_error` |
//! | GPUs of NVIDIA: those in use, their compiler, their memory, their kernels | `gpus`, `nvrtc`, `memory`, `cuda` |

mod cache;
#[cfg(feature = "cuda")]
mod cuda;
mod drawn;
#[cfg(feature = "cuda")]
mod gpus;
#[cfg(feature = "cuda")]
mod memory;
#[cfg(feature = "cuda")]
mod nvrtc;
mod place;
mod place_error;
mod tested;

pub use cache::{Cache, Compiler};
#[cfg(feature = "cuda")]
pub use cuda::{CudaMatrices, Views};
pub use drawn::DrawnOperands;
#[cfg(feature = "cuda")]
pub use gpus::multiply_views;
#[cfg(feature = "cuda")]
pub use memory::View;
#[cfg(feature = "cuda")]
pub use nvrtc::Nvrtc;
pub use place::DevicePlace;
pub use place_error::PlaceError;
pub use tested::{DeviceProducts, Multiplier, TestedDevice};
