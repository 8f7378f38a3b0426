//! Processors that multiply matrices: their names, programs for them, and the test before their first use.

mod cache;
#[cfg(feature = "cuda")]
mod nvrtc;
mod places;
mod tested;
