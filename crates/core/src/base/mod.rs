//! The base of all other modules: limits of time and memory, child processes, files that are
//! written as a whole, short excerpts, suggestions for misspelt names.

pub mod excerpt;
pub mod limits;
pub mod near;
pub mod process;
pub mod whole_file;
