//! The algorithms and compositions, and their keys.

use super::arguments::documented;
use crate::cli::error::Error;
use crate::cli::json::write_json;
use mmasmt_core::machines::model::{AlgorithmDoc, algorithms, compositions, is_composition};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;

/// `mmasmt models --algorithms`
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct AlgorithmsAnswer {
    algorithms: Vec<AlgorithmRow>,
    compositions: Vec<AlgorithmRow>,
}

#[derive(Serialize, JsonSchema)]
struct AlgorithmRow {
    name: &'static str,
    summary: &'static str,
    source: &'static str,
    keys: Vec<KeyRow>,
}

#[derive(Serialize, JsonSchema)]
struct KeyRow {
    key: &'static str,
    /// The values that it takes, in words.
    values: &'static str,
    default: &'static str,
    meaning: &'static str,
}

/// Writes every algorithm and composition with its keys, or `only` this one.
pub(super) fn list_algorithms(
    only: Option<&AlgorithmDoc>,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let is_wanted = |doc: &&AlgorithmDoc| only.is_none_or(|only| only.name == doc.name);
    if json {
        let all = |docs: &'static [AlgorithmDoc]| {
            let wanted = docs.iter().filter(|doc| is_wanted(doc));
            let row = |doc: &'static AlgorithmDoc| AlgorithmRow {
                name: doc.name,
                summary: doc.summary,
                source: doc.source,
                keys: (doc.keys.iter())
                    .map(|key| KeyRow {
                        key: key.name,
                        values: &key.values,
                        default: &key.default,
                        meaning: key.meaning,
                    })
                    .collect(),
            };
            wanted.map(row).collect()
        };
        let object = AlgorithmsAnswer {
            algorithms: all(algorithms()),
            compositions: all(compositions()),
        };
        return write_json(out, &object);
    }
    for (number, algorithm) in documented().filter(|doc| is_wanted(doc)).enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        let unit = if is_composition(algorithm.name) {
            "(MODEL)"
        } else {
            ""
        };
        writeln!(out, "{}{unit}: {}", algorithm.name, algorithm.summary)?;
        writeln!(out, "  source: {}", algorithm.source)?;
        for key in &algorithm.keys {
            writeln!(
                out,
                "  {:<9} {}; {} (default: {})",
                key.name, key.meaning, key.values, key.default
            )?;
        }
    }
    Ok(())
}
