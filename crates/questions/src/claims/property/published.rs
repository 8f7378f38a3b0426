//! The published claims of `queries/*.toml`. Each has a source, an expected outcome, and a twin: a
//! claim that differs little, for which the opposite outcome is expected.

use super::claim::Claim;
use super::error::ClaimError;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::excerpt::excerpt;
use serde::Deserialize;
use std::sync::OnceLock;

/// A claim about one or more models, which was published or seen on hardware, and its twin: a claim
/// that differs little, for which the opposite outcome is expected.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedClaim {
    /// The name of the claim.
    pub name: String,
    /// The source of the claim, and the question that the claim answers.
    pub source: String,
    claim: String,
    models: Vec<String>,
    #[serde(default)]
    assume: String,
    /// The expected outcome.
    pub expect: ExpectedOutcome,
    twin: Twin,
}

/// The outcome of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExpectedOutcome {
    /// The claim holds.
    Proved,
    /// The claim does not hold.
    Refuted,
}

impl ExpectedOutcome {
    /// The opposite outcome.
    #[must_use]
    pub fn opposite(self) -> ExpectedOutcome {
        match self {
            ExpectedOutcome::Proved => ExpectedOutcome::Refuted,
            ExpectedOutcome::Refuted => ExpectedOutcome::Proved,
        }
    }

    /// The spelling of the outcome in the files.
    pub fn name(self) -> &'static str {
        match self {
            ExpectedOutcome::Proved => "proved",
            ExpectedOutcome::Refuted => "refuted",
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Twin {
    claim: String,
    model: String,
    #[serde(default)]
    assume: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    query: Vec<PublishedClaim>,
}

const FILES: &[&str] = &[
    include_str!("../../../queries/table4.toml"),
    include_str!("../../../queries/carry.toml"),
    include_str!("../../../queries/shape.toml"),
    include_str!("../../../queries/schemes.toml"),
    include_str!("../../../queries/rdna.toml"),
    include_str!("../../../queries/advice.toml"),
];

/// The texts that all published claims are read from.
pub fn query_texts() -> impl Iterator<Item = &'static str> {
    FILES.iter().copied()
}

/// Every published claim that the program knows.
///
/// # Errors
/// If one of the files of claims that are built into the program is wrong. The tests of the program
/// rule this out.
pub fn published() -> Result<&'static [PublishedClaim], String> {
    static PARSED: OnceLock<Result<Vec<PublishedClaim>, String>> = OnceLock::new();
    let parsed = PARSED.get_or_init(|| {
        let files: Result<Vec<_>, String> = FILES.iter().map(|text| read_published(text)).collect();
        files.map(|files| files.into_iter().flatten().collect())
    });
    parsed.as_deref().map_err(Clone::clone)
}

/// The published claims in the text of a file.
///
/// # Errors
/// If the text is no file of published claims; the message has one line, and says which line of the
/// file is wrong.
pub fn read_published(text: &str) -> Result<Vec<PublishedClaim>, String> {
    let file = toml::from_str::<File>(text).map_err(|error| {
        let from = error.span().map_or(0, |span| span.start);
        let line = text.get(..from).unwrap_or_default().matches('\n').count() + 1;
        format!("line {line}: {}", excerpt(error.message()))
    })?;
    Ok(file.query)
}

impl PublishedClaim {
    /// The same query about the models that `resolved` gives for the texts of its models.
    ///
    /// # Errors
    /// As `resolved`.
    pub fn about<E>(mut self, resolved: impl Fn(&str) -> Result<String, E>) -> Result<Self, E> {
        for model in self.models.iter_mut().chain([&mut self.twin.model]) {
            *model = resolved(model)?;
        }
        Ok(self)
    }

    /// The claims with their expected outcomes: first this claim about each of its models, and last
    /// the twin.
    ///
    /// # Errors
    /// If a claim of the file is wrong.
    pub fn claims(&self) -> Result<Vec<(Claim, ExpectedOutcome)>, ClaimError> {
        let own = self.models.iter().map(|model| {
            let claim = Claim::new(&self.claim, &Model::parse(model)?, &self.assume)?;
            Ok((claim, self.expect))
        });
        let mut claims = own.collect::<Result<Vec<_>, ClaimError>>()?;
        let twin = &self.twin;
        let model = Model::parse(&twin.model)?;
        let claim = Claim::new(&twin.claim, &model, &twin.assume)?;
        claims.push((claim, self.expect.opposite()));
        Ok(claims)
    }
}
