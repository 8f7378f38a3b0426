//! The verdicts on a pair of units: for each length (number of products) and each domain, whether
//! the two units agree, and why.

use crate::claims::query::{Answer, Basis, Ended};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_numbers::base::limits::Stopped;

/// The verdicts on two units.
#[derive(Clone, Debug)]
pub struct PairVerdicts {
    /// The verdicts for each length, the shortest first.
    pub lengths: Vec<LengthVerdicts>,
}

/// The verdicts at one number of products.
#[derive(Clone, Debug)]
pub struct LengthVerdicts {
    /// The number of products.
    pub products: u32,
    /// The domains that were asked about; the first one has all finite operands. Of each kind of
    /// domain that grows with a number, two are listed: the greatest one on which the two units are
    /// proved to agree, and the least one on which agreement is not proved.
    pub domains: Vec<DomainVerdict>,
}

/// A domain and the verdict on it.
#[derive(Clone, Debug)]
pub struct DomainVerdict {
    /// The name of the domain, in words.
    pub name: String,
    /// The text of the domain, for `--where`.
    pub assume: String,
    /// The verdict.
    pub verdict: Verdict,
}

impl DomainVerdict {
    /// True if more time may decide.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.verdict, Verdict::Unknown(_) | Verdict::NotAsked)
    }
}

/// Whether two units agree on a domain, or whether a claim holds there.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The units are proved to give the same bits on the whole domain.
    Agree(AgreementReason),
    /// The units differ on these inputs, or these inputs refute the claim; the numbers are the results
    /// of the models.
    Differ(Box<(Inputs, Vec<u64>)>),
    /// Neither a proof nor a difference was found.
    Unknown(Stopped),
    /// No time was left to ask.
    NotAsked,
    /// The domain has no operands.
    Nothing,
}

/// The reason why two units are known to agree on a domain.
#[derive(Clone, Debug, PartialEq)]
pub enum AgreementReason {
    /// A proof for this domain.
    Proved(Basis),
    /// The units agree on the larger domain with this name.
    Inside(String),
    /// The units agree on all inputs at this length, infinities and NaNs included, and longer
    /// models repeat the models of this length.
    Repeated(u32),
    /// The units agree on one product at this length, and on zero products for any `c`; a greater
    /// length adds only zero products.
    RepeatedWithZeros(u32),
}

/// The verdict on the domain with this name and text.
pub(super) fn known(
    name: impl Into<String>,
    assume: impl Into<String>,
    verdict: Verdict,
) -> DomainVerdict {
    DomainVerdict {
        name: name.into(),
        assume: assume.into(),
        verdict,
    }
}

impl Verdict {
    /// Whether the two units agree.
    pub fn agrees(&self) -> bool {
        matches!(self, Verdict::Agree(_))
    }

    /// The verdict that follows from the answer to the question on which inputs two models differ, or
    /// which inputs refute a claim.
    pub(super) fn of(answer: Answer) -> Verdict {
        match (answer.witnesses.into_iter().next(), answer.ended) {
            (Some(found), _) => Verdict::Differ(Box::new((found.inputs, found.results))),
            (None, Ended::NoMore { by }) => Verdict::Agree(AgreementReason::Proved(by)),
            (None, Ended::Unknown(stopped)) => Verdict::Unknown(stopped),
            (None, Ended::Enough | Ended::Vacuous) => Verdict::Nothing,
        }
    }

    /// The name of the verdict: `agree`, `differ`, `unknown`, `not asked` or `nothing to compare`.
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
