//! What a family of instructions makes of a shape.

use crate::vectors::device::tile::Tile;
use mmasmt_core::numbers::float::Format;

/// The heart of a program: its threads, their memory, and the instructions between load and store.
pub(super) struct Kernel {
    pub threads: u32,
    /// Bytes between the places of neighbouring threads in memory.
    pub word: u32,
    pub tile: Tile,
    /// Declarations of shared memory.
    pub shared: String,
    /// The instructions: the register `from` is the thread's place in the memory that goes in, `to`
    /// in that which comes out, `tid` its number.
    pub body: String,
}

/// The type of registers for an accumulator; f16 come in pairs.
pub(super) fn accumulator_kind(format: &Format) -> &'static str {
    match format.width() {
        _ if format.is_integer() => "b32",
        64 => "f64",
        32 => "f32",
        _ => "b32",
    }
}
