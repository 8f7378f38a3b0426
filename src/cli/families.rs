//! Options that `separate` and `identify` have in common: the candidates, and the time for
//! questions about them.

use super::specification::model;
use super::timeouts::seconds;
use crate::cli::error::Error;
use crate::cli::frame::SearchArgs;
use mmasmt_core::machines::model::{Model, ModelError};
use mmasmt_questions::identify::{IdentifyOptions, family, same_signature};
use std::io::{self, Write};
use std::time::Duration;

/// The grammar of families, for `--help`.
pub(super) const HELP: &str = "\
Families (--family): parts with `;` between them. A part is [MODEL:]KEY=VALUES,... and changes these
keys of MODEL, or of --base. VALUES is a value, several with `|` between them, FROM..TO with TO
included, or * for all documented ones; every combination is a candidate. A KEY of a unit inside of
a composition is given as it is, or with the path to it where several units have it:
splitk.fda.F=10..20. Where K varies and chain is not given, chain keeps the number of products.
These names stand for families, with the formats of --base:
  nvidia  fda with F=10..36, every zero rule, emin none or -133, products exact or normalised,
          result rz or rne, 16-bit results also rne by way of f32 (via=f32), align trunc or floor,
          carry full or 3 bits, chains of 4 products or more; FP8 also frac=13 and hmma8; with block
          scales gdfs and fda
  amd     fdrda and gfdrda with F=10..31, both late additions, align, zero rules, chains; gps; exact
          sums of groups
  full    both, and sums by IEEE operations; where none is left, also the other sign of zeros
          (negzero)
Named families keep the keys of --base that they do not vary, in models of its algorithm.";

/// Options that give candidates and limits.
#[derive(Debug, clap::Args)]
pub(super) struct CandidateModels {
    /// Take as candidates all models in these ranges of parameters, such as F=10..36,zero=skip|raw
    #[arg(long, value_name = "RANGES")]
    family: Option<String>,
    /// The model that a family changes
    #[arg(long, value_name = "MODEL")]
    pub base: Option<String>,
    /// Let operands be infinities and NaNs, also those that a machine is asked
    #[arg(long)]
    specials: bool,
    /// Time limit for each proof that two candidates are equal
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = seconds)]
    pair_timeout: Duration,
    #[command(flatten)]
    pub search: SearchArgs,
}

impl CandidateModels {
    /// The model of `--base`, if it is given.
    pub fn base(&self) -> Result<Option<Model>, Error> {
        self.base.as_deref().map(model).transpose()
    }

    /// Whether the candidates are those of the family `full`.
    pub fn is_full(&self) -> bool {
        let parts = self.family.iter().flat_map(|text| text.split(';'));
        parts.into_iter().any(|part| part.trim() == "full")
    }

    /// Whether a family is given.
    pub fn has_family(&self) -> bool {
        self.family.is_some()
    }

    /// Whether neither a family nor a base is given.
    pub fn is_empty(&self) -> bool {
        self.family.is_none() && self.base.is_none()
    }

    /// The candidates: the models of the family, and those that `others` names. They must have one
    /// signature. If there is no `--base`, the family has the formats of `described`. Instructions
    /// whose arithmetic is not known are left out, with a note on standard error.
    pub fn models(
        &self,
        others: &[String],
        described: Option<&Model>,
    ) -> Result<Vec<Model>, Error> {
        let base = self.base()?;
        let mut models = Vec::new();
        let mut left_out = None;
        for text in others {
            match model(text) {
                // The other models can be separated without this one.
                Err(Error::Model(error @ ModelError::ArithmeticNotKnown { .. })) => {
                    writeln!(io::stderr(), "note: left out: {error}")?;
                    left_out.get_or_insert(error);
                }
                found => models.push(found?),
            }
        }
        match (&self.family, base) {
            (Some(text), base) => models.extend(family(text, base.as_ref().or(described))?),
            (None, Some(base)) => models.push(base),
            (None, None) => {}
        }
        if let Some(error) = left_out.filter(|_| models.is_empty()) {
            return Err(error.into());
        }
        if models.is_empty() {
            let text = "expected models, found none; give some, or a family, such as `--family F=10..36 --base fda:K=4`";
            return Err(Error::Usage(text.into()));
        }
        same_signature(&models)?;
        Ok(models)
    }

    pub fn options(&self) -> IdentifyOptions {
        IdentifyOptions {
            specials: self.specials,
            seed: self.search.seed,
            budget: Some(self.pair_timeout),
        }
    }
}

/// A class of equal models as text: its first model, and how many more it has.
pub(super) fn class_text(models: &[Model], class: &[usize]) -> String {
    let first = &models[class[0]];
    match class.len() {
        1 => first.to_string(),
        count => format!("{first} (= {} more)", count - 1),
    }
}
