//! The parts of a kernel that depend on the family of instructions.

use crate::vectors::device::tile::Tile;
use mmasmt_numbers::float::Format;

/// The core of a program: its threads, their memory, and the instructions from load to store.
pub(super) struct PtxKernel {
    pub threads: u32,
    /// The number of bytes between the places of neighbouring threads in memory.
    pub word: u32,
    pub tile: Tile,
    /// Declarations of shared memory.
    pub shared: String,
    /// The instructions. The register `from` is the thread's place in the input memory, `to` its
    /// place in the output memory, and `tid` its number.
    pub body: String,
}

/// The register type of an accumulator; two f16 elements share a register.
pub(super) fn accumulator_kind(format: &Format) -> &'static str {
    match format.width() {
        _ if format.is_integer() => "b32",
        64 => "f64",
        32 => "f32",
        _ => "b32",
    }
}
