//! The atlas: for every two units with the same formats of operands and results, the simplest
//! inputs on which they differ, and the largest domains on which they are proved to agree.
//!
//! | what | file |
//! | --- | --- |
//! | the units, and the pairs of them | `units` |
//! | the domains, and which domain contains which | `domains` |
//! | the search of a pair, one length and one domain after the other | `search` |
//! | the greatest domain of a family, by halving | `halves` |
//! | the domains on which two models agree, and those on which any claim holds | `asked` |
//! | what follows for domains that contain each other | `lattice` |
//! | one question, and the effort of its search | `questions` |
//! | the verdicts on a pair, in memory | `known` |
//! | the verdicts on a pair, as JSON and as text | `record` |
//! | two machines, instruction by instruction | `machines` |
//! | rows and one of their variants, key by key | `variants`, `differing_keys` |

mod asked;
mod differing_keys;
mod domains;
mod halves;
mod known;
mod lattice;
mod machines;
mod questions;
mod record;
mod search;
mod units;
mod variants;

pub use asked::{agree, holds};
pub use differing_keys::differing_keys;
pub use known::{AgreementReason, DomainVerdict, LengthVerdicts, PairVerdicts, Verdict};
pub use machines::{Relation, SampleStatistics, relation, sample};
pub use questions::Effort;
pub use record::{DomainRecord, LengthRecord, Record};
pub use search::{Atlas, AtlasError, entry};
pub use units::{AtlasUnit, LENGTHS, UnitPair, lengths, pairs, units};
pub use variants::{
    KeyDifference, KeyEvidence, VariantDifferences, VariantError, VariantWitness,
    variant_differences,
};
