//! What is known of a pair: of each length and each domain whether the two agree, and why.

use crate::claims::query::{Answer, Basis, Ended};
use mmasmt_core::base::limits::Stopped;
use mmasmt_core::machines::algorithms::Inputs;

/// What is known of two units.
#[derive(Clone, Debug)]
pub struct Entry {
    /// For each length, the shortest first.
    pub lengths: Vec<AtLength>,
}

/// What is known at one number of products.
#[derive(Clone, Debug)]
pub struct AtLength {
    /// Products.
    pub products: u32,
    /// The domains that were asked about, everything first; of those that grow with a number the
    /// greatest on which they agree and the least on which that is not proved.
    pub domains: Vec<Known>,
}

/// What is known of a domain.
#[derive(Clone, Debug)]
pub struct Known {
    /// In words.
    pub name: String,
    /// As `--assume` takes it.
    pub assume: String,
    /// What is known.
    pub verdict: Verdict,
}

/// Whether two units agree on a domain.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Proved: the same bits on all of it.
    Agree(Reason),
    /// They differ on these inputs, with their results.
    Differ(Box<(Inputs, [u64; 2])>),
    /// Neither was found.
    Unknown(Stopped),
    /// No time was left to ask.
    NotAsked,
    /// The domain has no operands.
    Nothing,
}

/// What proves that two units agree.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// A proof for this domain.
    Proved(Basis),
    /// They agree on this larger one.
    Inside(String),
    /// They agree on all inputs, infinities and NaNs included, at this length, which is repeated.
    Repeated(u32),
    /// They agree on one product at this length, and on products that are zero whatever `c` is,
    /// which come after it at a greater one.
    RepeatedWithZeros(u32),
}

impl Verdict {
    /// Whether the two agree.
    pub fn agrees(&self) -> bool {
        matches!(self, Verdict::Agree(_))
    }

    /// What the answer to their difference says.
    pub(super) fn of(answer: Answer) -> Verdict {
        match (answer.witnesses.into_iter().next(), answer.ended) {
            (Some(found), _) => {
                let results = [found.results[0], found.results[1]];
                Verdict::Differ(Box::new((found.inputs, results)))
            }
            (None, Ended::NoMore { by }) => Verdict::Agree(Reason::Proved(by)),
            (None, Ended::Unknown(stopped)) => Verdict::Unknown(stopped),
            (None, Ended::Enough | Ended::Vacuous) => Verdict::Nothing,
        }
    }

    /// `agree`, `differ`, `unknown`, `not asked` or `nothing to compare`.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Agree(_) => "agree",
            Verdict::Differ(_) => "differ",
            Verdict::Unknown(_) => "unknown",
            Verdict::NotAsked => "not asked",
            Verdict::Nothing => "nothing to compare",
        }
    }
}
