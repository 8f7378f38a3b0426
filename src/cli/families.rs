//! Which models are candidates, and how long to ask about them: what `separate` and `identify` share.

use super::distinguish::{raise_on_ctrl_c, seconds};
use crate::engine::Limits;
use crate::error::Error;
use crate::identify::{Options, family, same_signature};
use crate::model::{Model, algorithms};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The grammar of families, for `--help`.
pub(super) const HELP: &str = "\
Families: parts with `;` between them, each [MODEL:]KEY=VALUES,... over --base or a model of its own.
VALUES is a value, some with `|` between them, FROM..TO (TO is one of them), or * for all documented
ones; every combination is a candidate. Where K varies and chain is not given, chain keeps the number
of products. By name, with the formats of --base:
  nvidia  fda with F=10..36, every zero rule, emin none or -133, products exact or normalised,
          result rz or rne, align trunc or floor, carry full or 3 bits, chains of 4 products or more;
          FP8 also frac=13 and hmma8; with block scales gdfs and fda
  amd     fdrda and gfdrda with F=10..31, both late additions, align, zero rules, chains; gps; exact
          sums of groups
  full    both, and sums by IEEE operations";

/// Candidates, and limits.
#[derive(Debug, clap::Args)]
pub(super) struct Candidates {
    /// Candidates by ranges of parameters, like F=10..36,zero=skip|raw
    #[arg(long, value_name = "RANGES")]
    family: Option<String>,
    /// The model that a family changes
    #[arg(long, value_name = "MODEL")]
    pub base: Option<String>,
    /// Let operands be infinities and NaNs
    #[arg(long)]
    specials: bool,
    /// What samples and the solver's choices start from
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Seconds for everything
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
    /// Seconds for the proof that two candidates are equal
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pair_timeout: Duration,
}

impl Candidates {
    /// The base, if it is given.
    pub fn base(&self) -> Result<Option<Model>, Error> {
        Ok(self.base.as_deref().map(Model::parse).transpose()?)
    }

    /// The candidates of the family and these models, all of one signature.
    pub fn models(&self, others: &[String]) -> Result<Vec<Model>, Error> {
        let base = self.base()?;
        let mut models = Vec::new();
        for text in others {
            models.push(Model::parse(text)?);
        }
        match (&self.family, base) {
            (Some(text), base) => models.extend(family(text, base.as_ref())?),
            (None, Some(base)) => models.push(base),
            (None, None) => {}
        }
        if models.is_empty() {
            let text =
                "expected candidates, found none; give --family RANGES --base MODEL, or models";
            return Err(Error::Usage(text.into()));
        }
        same_signature(&models)?;
        Ok(models)
    }

    pub fn options(&self) -> Options {
        Options {
            specials: self.specials,
            seed: self.seed,
            budget: Some(self.pair_timeout),
        }
    }

    /// The limits, which Ctrl-C ends as well.
    pub fn limits(&self) -> Result<Limits, Error> {
        let interrupt = Arc::new(AtomicBool::new(false));
        raise_on_ctrl_c(&interrupt)?;
        let limits = Limits::interruptible(interrupt);
        Ok(self
            .timeout
            .map_or(limits.clone(), |time| limits.within(time)))
    }
}

/// Of each algorithm the keys that have several values among `all`, each with its values among
/// `left`, in the order of the documentation.
pub(super) fn parameters(
    all: &[Model],
    left: &[&Model],
) -> Vec<(&'static str, Vec<(&'static str, Vec<String>)>)> {
    let by_algorithm = |models: &[&Model]| {
        let mut found: BTreeMap<String, Vec<Vec<(String, String)>>> = BTreeMap::new();
        for model in models {
            let canonical = model.canonical();
            let (name, list) = canonical.split_once(':').unwrap_or((&canonical, ""));
            let keys = list.split(',').filter_map(|item| item.split_once('='));
            let keys = keys
                .map(|(key, value)| (key.to_owned(), value.to_owned()))
                .collect();
            found.entry(name.to_owned()).or_default().push(keys);
        }
        found
    };
    let values = |members: &[Vec<(String, String)>], key: &str, default: &str| {
        let mut values: Vec<String> = Vec::new();
        for keys in members {
            let given = keys.iter().find(|(name, _)| name == key);
            let value = given.map_or(default.to_owned(), |(_, value)| value.clone());
            if !values.contains(&value) {
                values.push(value);
            }
        }
        values
    };
    let (all, left) = (
        by_algorithm(&all.iter().collect::<Vec<_>>()),
        by_algorithm(left),
    );
    let mut parameters = Vec::new();
    for doc in algorithms() {
        let (Some(all), Some(left)) = (all.get(doc.name), left.get(doc.name)) else {
            continue;
        };
        let varied = doc
            .keys
            .iter()
            .filter(|key| values(all, key.name, key.default).len() > 1);
        let keys = varied.map(|key| (key.name, values(left, key.name, key.default)));
        parameters.push((doc.name, keys.collect()));
    }
    parameters
}

/// The same as JSON: algorithm, key, values.
pub(super) fn parameters_json(all: &[Model], left: &[&Model]) -> Value {
    let parameters = parameters(all, left).into_iter();
    let algorithms = parameters.map(|(name, keys)| {
        let keys = keys
            .into_iter()
            .map(|(key, values)| (key.to_owned(), json!(values)));
        (name.to_owned(), Value::Object(keys.collect::<Map<_, _>>()))
    });
    Value::Object(algorithms.collect())
}
