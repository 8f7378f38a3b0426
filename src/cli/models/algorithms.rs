//! The algorithms and compositions, and their keys.

use super::arguments::documented;
use crate::cli::error::Error;
use crate::cli::json::write_json;
use mmasmt_core::machines::model::{AlgorithmDoc, algorithms, compositions, is_composition};
use serde_json::{Value, json};
use std::io::Write;

/// Writes every algorithm and composition with its keys, or `only` this one.
pub(super) fn list_algorithms(
    only: Option<&AlgorithmDoc>,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let is_wanted = |doc: &&AlgorithmDoc| only.is_none_or(|only| only.name == doc.name);
    if json {
        let doc_json = |doc: &AlgorithmDoc| {
            let keys: Vec<Value> = doc
                .keys
                .iter()
                .map(|key| json!({ "key": key.name, "values": key.values, "default": key.default, "meaning": key.meaning }))
                .collect();
            json!({ "name": doc.name, "summary": doc.summary, "source": doc.source, "keys": keys })
        };
        let all = |docs: &[AlgorithmDoc]| {
            let wanted = docs.iter().filter(|doc| is_wanted(doc));
            wanted.map(doc_json).collect::<Vec<_>>()
        };
        return write_json(
            out,
            &json!({
                "algorithms": all(algorithms()), "compositions": all(compositions()),
            }),
        );
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
