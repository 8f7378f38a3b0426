//! The base of all other modules: limits of time and memory, an allocator that counts, child
//! processes, files that are written as a whole, text files of limited length, short excerpts, suggestions for misspelt names.

pub mod allocator;
pub mod excerpt;
pub mod limited_file;
pub mod limits;
pub mod near;
pub mod process;
pub mod whole_file;
