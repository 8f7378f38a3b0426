//! The atlas: for every two units of one operand format, the simplest inputs on which they differ,
//! and the largest domains on which they are proved to agree.
//!
//! | what | file |
//! | --- | --- |
//! | the units, and the pairs of them | `units` |
//! | the domains, and which of them contain which | `domains` |
//! | the search: one length and one domain after the other; two models alone | `search` |
//! | one question, and how hard it is searched for | `questions` |
//! | what is known of a pair | `known` |
//! | what was found, as it is kept and shown | `record` |

mod domains;
mod known;
mod questions;
mod record;
mod search;
mod units;

pub use known::{AtLength, Entry, Known, Reason, Verdict};
pub use questions::Effort;
pub use record::{DomainRecord, LengthRecord, Record};
pub use search::{Atlas, AtlasError, agree, entry};
pub use units::{LENGTHS, Pair, Unit, lengths, pairs, units};
