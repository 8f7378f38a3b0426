//! The base of every wing: limits of time and memory, an allocator that counts, child processes,
//! whole files, short excerpts, near names.

pub mod allocator;
pub mod excerpt;
pub mod limits;
pub mod near;
pub mod process;
pub mod whole_file;
