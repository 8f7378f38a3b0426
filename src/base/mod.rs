//! What every wing stands on: limits of time and memory, child processes, whole files, short excerpts, near names.

pub(crate) mod excerpt;
pub mod limits;
pub(crate) mod near;
pub mod process;
pub(crate) mod whole_file;
