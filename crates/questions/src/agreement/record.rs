//! The verdicts on a pair as a line of JSON, and as text for people.

use super::known::{AgreementReason, DomainVerdict, PairVerdicts, Verdict};
use super::units::UnitPair;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A pair of units with its verdicts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Record {
    /// The two models, in canonical form.
    pub models: [String; 2],
    /// The instructions that each model stands for.
    pub names: [Vec<String>; 2],
    /// The verdicts for each number of products.
    pub lengths: Vec<LengthRecord>,
}

/// The verdicts at one number of products.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LengthRecord {
    /// The number of products.
    pub products: u32,
    /// The verdict on each domain.
    pub domains: Vec<DomainRecord>,
}

/// The verdict on a domain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DomainRecord {
    /// The name of the domain, in words.
    pub name: String,
    /// The text of the domain, for `--where`.
    pub assume: String,
    /// The verdict: `agree`, `differ` or `unknown`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["agree", "differ", "unknown"])))]
    pub verdict: String,
    /// The proof that the units agree; `by` is `larger domain`, `repeated` or `repeated with zeros`
    /// where another proof implies it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("type" = "object")))]
    pub proved: Option<Value>,
    /// Operands on which the units differ, as a line of text without the +0 products at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// The two results on these operands.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(inner(regex(pattern = "^[0-9a-f]+$"))))]
    pub d: Vec<String>,
    /// Why the verdict is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Record {
    /// The record of the verdicts on a pair.
    pub fn of(pair: UnitPair<'_>, entry: &PairVerdicts) -> Record {
        let signature = pair.left.model.signature();
        let both = [pair.left, pair.right];
        let lengths = entry.lengths.iter().map(|length| LengthRecord {
            products: length.products,
            domains: (length.domains.iter())
                .map(|known| DomainRecord::of(known, &signature))
                .collect(),
        });
        Record {
            models: both.map(|unit| unit.model.canonical()),
            names: both.map(|unit| unit.names.clone()),
            lengths: lengths.collect(),
        }
    }

    /// Whether the unit with number `side`, 0 or 1, has this name or is this model.
    pub fn is_of(&self, side: usize, text: &str) -> bool {
        self.models[side] == text || self.names[side].iter().any(|name| name == text)
    }

    /// The number of domains with an unknown verdict.
    pub fn open(&self) -> usize {
        let domains = self.lengths.iter().flat_map(|length| &length.domains);
        domains.filter(|known| known.verdict == "unknown").count()
    }
}

impl DomainRecord {
    fn of(known: &DomainVerdict, signature: &Signature) -> DomainRecord {
        let mut record = DomainRecord {
            name: known.name.clone(),
            assume: known.assume.clone(),
            verdict: known.verdict.name().into(),
            proved: None,
            line: None,
            d: Vec::new(),
            reason: None,
        };
        match &known.verdict {
            Verdict::Agree(reason) => record.proved = Some(reason.as_json()),
            Verdict::Differ(found) => {
                let digits = signature.d.digits();
                record.line = Some(short_line(&found.0, signature));
                record.d = found.1.iter().map(|d| format!("{d:0digits$x}")).collect();
            }
            Verdict::Unknown(stopped) => record.reason = Some(stopped.describe().into()),
            Verdict::NotAsked | Verdict::Nothing => {}
        }
        record
    }

    /// The larger domain, or the shorter length, on which the proof of agreement rests; `None` if
    /// the proof is for this domain itself.
    pub fn rests_on(&self) -> Option<String> {
        let proved = self.proved.as_ref()?;
        match proved["by"].as_str()? {
            "larger domain" => proved["name"].as_str().map(str::to_owned),
            "repeated" => Some(format!(
                "as with {} products, infinities and NaNs included",
                proved["products"]
            )),
            "repeated with zeros" => Some(format!("as with {} products", proved["products"])),
            _ => None,
        }
    }
}

impl AgreementReason {
    /// The reason as a JSON object with the key `by`.
    pub fn as_json(&self) -> Value {
        match self {
            AgreementReason::Proved(by) => by.as_json(),
            AgreementReason::Inside(larger) => json!({"by": "larger domain", "name": larger}),
            AgreementReason::Repeated(products) => json!({"by": "repeated", "products": products}),
            AgreementReason::RepeatedWithZeros(products) => {
                json!({"by": "repeated with zeros", "products": products})
            }
        }
    }
}

/// The inputs as a line of text without the +0 products at the end.
fn short_line(inputs: &Inputs, signature: &Signature) -> String {
    let used = |row: &[u64]| {
        let last = row.iter().rposition(|bits| *bits != 0);
        last.map_or(1, |last| last + 1)
    };
    let kept = used(&inputs.a).max(used(&inputs.b));
    let mut inputs = inputs.clone();
    inputs.a.truncate(kept);
    inputs.b.truncate(kept);
    inputs.to_line(signature)
}
