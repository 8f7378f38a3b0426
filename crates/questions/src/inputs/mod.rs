//! Kinds of inputs on which models differ: how they are drawn, changed, and improved by small
//! changes.
//!
//! | what | file |
//! | --- | --- |
//! | sums that lie where the steps of a unit decide | `aimed` |
//! | random inputs of the kinds that `gen` draws | `draw` |
//! | inputs that may tell many models apart at once | `separating` |
//! | inputs of every kind, in turn | `kinds` |
//! | whether `c` is drawn | `interface` |
//! | the ends of a domain, results that are flushed, products beside ties | `directed` |
//! | the parts of `directed`, kind by kind | `ends`, `cancelled`, `ties`, `great_and_low` |
//! | a large term, and terms that alignment just cuts off | `far_below` |
//! | a number that steps to a power of two, beside simple products | `crossing` |
//! | small changes at random | `change` |
//! | changes that make inputs simpler, and how simple they are | `simpler`, `simplicity` |
//! | the best inputs that changes lead to | `climb` |

mod aimed;
mod cancelled;
#[doc(hidden)]
pub mod change;
mod climb;
mod crossing;
mod directed;
mod draw;
mod ends;
mod far_below;
mod great_and_low;
mod interface;
mod kinds;
mod separating;
mod simpler;
mod simplicity;
mod ties;

pub use aimed::{AimedDraw, kept_places};
#[doc(hidden)]
pub use cancelled::cancelled;
pub use change::Change;
pub use climb::Climb;
pub use crossing::{CrossingOperand, crossings};
pub use directed::directed;
pub use draw::{
    Draw, DrawError, DrawnDistribution, FewTerms, Kind, MOST_DRAWN, NumberList, Sampler, Source,
    Sources, minus_zeros,
};
#[doc(hidden)]
pub use draw::{codes, reals, targets, tosa};
pub use ends::OperandRange;
pub use far_below::far_below;
pub use interface::Interface;
pub use kinds::Kinds;
pub use separating::SeparatingDraws;
pub use simpler::{simplest, simplified, simplified_by};
pub use simplicity::{Simplicity, counts, simplicity};
#[doc(hidden)]
pub use ties::products_beside_ties;
