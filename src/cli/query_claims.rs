//! The claims of queries, each with the verdict that is expected.

use super::answered::AnswerSubject;
use crate::cli::error::Error;
use mmasmt_questions::claims::property::{Claim, ExpectedOutcome, PublishedClaim};
use mmasmt_questions::claims::query::{Answer, Ended};
use schemars::JsonSchema;
use serde::Serialize;

/// A claim of a query.
pub(super) struct QueryMember<'x> {
    pub query: &'x PublishedClaim,
    /// The number of the claim among those of its query, from 0.
    pub number: usize,
    /// True if it is the twin, the last claim, which must get the opposite verdict.
    pub is_twin: bool,
    pub claim: Claim,
    pub expected: ExpectedOutcome,
}

impl<'x> QueryMember<'x> {
    /// The claims of the queries, in their order.
    ///
    /// # Errors
    /// If a claim is wrong.
    pub fn all(chosen: &[&'x PublishedClaim]) -> Result<Vec<QueryMember<'x>>, Error> {
        let mut all = Vec::new();
        for query in chosen {
            let claims = query.claims()?;
            let last = claims.len() - 1;
            let claims = claims.into_iter().enumerate();
            all.extend(claims.map(|(number, (claim, expected))| QueryMember {
                query,
                number,
                is_twin: number == last,
                claim,
                expected,
            }));
        }
        Ok(all)
    }

    /// The part that the claim has in the names of files.
    pub fn tag(&self) -> String {
        match self.is_twin {
            true => "twin".into(),
            false => (self.number + 1).to_string(),
        }
    }

    /// True if the verdict is the expected one; `None` if the verdict is unknown.
    pub fn is_as_expected(&self, answer: &Answer) -> Option<bool> {
        match answer.ended {
            Ended::Unknown(_) => None,
            _ => Some(AnswerSubject::Claim(&self.claim).verdict(answer) == self.expected.name()),
        }
    }
}

/// A claim of a query, with the verdict that is expected.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "query-claim")]
pub(super) struct QueryClaim<'x, T> {
    #[serde(flatten)]
    answer: T,
    query: &'x str,
    /// True if it is the twin, which must get the opposite verdict.
    twin: bool,
    expected: &'static str,
}

impl<'x, T> QueryClaim<'x, T> {
    pub fn new(answer: T, member: &QueryMember<'x>) -> Self {
        QueryClaim {
            answer,
            query: &member.query.name,
            twin: member.is_twin,
            expected: member.expected.name(),
        }
    }
}
