//! Plans: which composition of a unit a library runs for a product of matrices.
//!
//! A table has rules; the first one whose conditions hold gives the plan, which is a model. Decisions
//! of a library's heuristic, recorded shape by shape, add to a case what they say (S, the algorithm),
//! so that rules may ask for it.
//!
//! | what | file |
//! | --- | --- |
//! | a product that is asked for: shape, formats, workspace | `case` |
//! | a rule: conditions, and the text of a plan | `rule` |
//! | a table of rules, and what it answers | `table` |
//! | recorded decisions of a heuristic | `decisions` |
//! | a bound beyond which no recorded shape was split | `envelope` |
//! | columns of whole numbers in an archive of NumPy, names of formats | `columns` |
//! | errors | `error` |

mod case;
mod columns;
mod decisions;
mod envelope;
mod error;
mod rule;
mod table;

pub use case::{PlanCase, PlanValue};
pub use decisions::Decisions;
pub use error::PlanError;
pub use table::{CasePlan, LibraryTable};
