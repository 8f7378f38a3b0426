//! Vectors: a vector is the inputs of one dot-add together with a result, computed or recorded.

mod blocks;
mod check;
pub mod device;
mod error;
mod evidence;
mod file;
mod header;
mod index;
mod line;
pub mod measure;
mod metadata;
pub mod npy;
mod read;
mod scheme_index;
mod source;
mod tally;
mod vector;
pub mod write;

pub use check::{check_either, check_file, check_vectors};
pub use error::VectorError;
pub use evidence::{EvidenceError, Recording, recorded};
pub use file::Lines;
#[doc(hidden)]
pub use header::check_comment;
pub use header::{signature_of, stated_signature};
pub use index::{IndexEntry, IndexError, parse_index, read_index};
pub use line::{parse_inputs, parse_line};
pub use metadata::MetadataLayout;
pub use read::SectionMember;
pub use read::{Results, VectorFile, is_unstated_archive};
pub use source::{is_stdin, open, unpacked};
pub use tally::{CheckFailure, Checked};
pub use vector::Vector;
