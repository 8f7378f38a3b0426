//! Reads the text of a table into rows: expands their names and completes their specifications.

use super::evidence::check_evidence;
use super::row::{Architecture, Row, Translation, is_specification};
use super::unknown::TableUnknown;
use crate::machines::algorithms::Sparsity;
use crate::machines::model::conversion::is_conversion;
use crate::machines::model::keys::algorithms;
use crate::machines::model::name::{NameFields, expanded};
use crate::machines::model::spec::UNIT;
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::float::Format;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTable {
    arch: String,
    title: String,
    #[serde(default)]
    gpus: Vec<String>,
    #[serde(default)]
    variants: BTreeMap<String, String>,
    #[serde(default)]
    row: Vec<TableRow>,
    #[serde(default)]
    unknown: Vec<TableUnknown>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TableRow {
    /// Names, with brace groups: PTX names, names of AMD's instruction set, or names of a library.
    #[serde(alias = "isa", alias = "name")]
    ptx: Vec<String>,
    #[serde(default)]
    sass: Vec<String>,
    #[serde(default)]
    alias: Vec<String>,
    model: String,
    evidence: Vec<String>,
    /// How the compiler translates the instruction, unless it becomes one machine instruction.
    compiled: Option<Translation>,
    note: Option<String>,
    /// The compression of A, if there is one: `2:4`, `1:2` or `4:8`.
    sparse: Option<String>,
    /// The variants of the row, in place of the variants of the architecture.
    variants: Option<BTreeMap<String, String>>,
}

/// The architecture that the text of a table describes.
///
/// # Errors
/// If the text is not a table; the error is one line.
pub fn read_table(text: &str) -> Result<Architecture, String> {
    let table: RawTable = toml::from_str(text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map_or(0, |before| before.matches('\n').count()) + 1;
        format!("line {line}: {}", excerpt(error.message()))
    })?;
    let mut rows = Vec::new();
    for row in &table.row {
        let (sass, alias) = (expanded(&row.sass)?, expanded(&row.alias)?);
        let sparsity = row.sparse.as_deref().map(|name| {
            let known = Sparsity::named(name);
            known.ok_or_else(|| format!("expected 2:4, 1:2 or 4:8, found `{}`", excerpt(name)))
        });
        let sparsity = sparsity.transpose()?;
        let variants = row.variants.as_ref().unwrap_or(&table.variants);
        for names in expanded(&row.ptx)? {
            // From each pattern of `sass` and `alias`, the row gets one name: the name at the same
            // place if the pattern has as many names as this one, else its first name.
            let parallel = |groups: &[Vec<String>], i: usize| -> Vec<String> {
                let of_group = |group: &Vec<String>| {
                    if group.len() == names.len() {
                        group.get(i).cloned()
                    } else {
                        group.first().cloned()
                    }
                };
                groups.iter().filter_map(of_group).collect()
            };
            for (i, name) in names.iter().enumerate() {
                check_evidence(name, &row.evidence)?;
                let variant = |(key, text): (&String, &String)| {
                    let text = if is_specification(text) {
                        complete(text, name)?
                    } else {
                        text.clone()
                    };
                    Ok::<_, String>((key.clone(), text))
                };
                rows.push(Row {
                    architecture: table.arch.clone(),
                    name: name.clone(),
                    sass: parallel(&sass, i),
                    alias: parallel(&alias, i),
                    model: complete(&row.model, name)?,
                    evidence: row.evidence.clone(),
                    compiled: row.compiled,
                    sparsity,
                    note: row.note.clone(),
                    variants: variants.iter().map(variant).collect::<Result<_, _>>()?,
                });
            }
        }
    }
    let unknown = table.unknown.iter();
    let unknown = unknown.map(|unknown| unknown.instructions(&table.arch));
    let unknown = unknown.collect::<Result<Vec<_>, _>>()?.concat();
    Ok(Architecture {
        name: table.arch,
        title: table.title,
        gpus: table.gpus,
        rows,
        unknown,
    })
}

/// The specification, completed by the formats and numbers in the name of the row. If the name has
/// none, as the names of instructions of processors, the specification has to be complete already.
/// A description always is.
fn complete(model: &str, name: &str) -> Result<String, String> {
    if model.starts_with(UNIT) || is_conversion(model) {
        return Ok(model.to_owned());
    }
    let unreadable = || {
        let (model, name) = (excerpt(model), excerpt(name));
        format!(
            "expected formats: the name `{name}` has none, and `{model}` has no key `in` or `a`"
        )
    };
    if model.contains('{') {
        return Ok(with_formats(
            model,
            &NameFields::formats(name).ok_or_else(unreadable)?,
        ));
    }
    match NameFields::read(name) {
        _ if model.contains('(') => Ok(model.to_owned()),
        Some(named) => Ok(with_keys(model, &named)),
        None if says_operands(model) => Ok(model.to_owned()),
        None => Err(unreadable()),
    }
}

/// Whether the keys of a specification give the formats of the factors.
fn says_operands(model: &str) -> bool {
    let (_, keys) = model.split_once(':').unwrap_or_default();
    let mut keys = keys.split(',');
    keys.any(|key| key.starts_with("in=") || key.starts_with("a="))
}

/// The specification of a composition with the formats of the name in place of `{a}`, `{b}`, `{c}`
/// and `{d}`.
fn with_formats(model: &str, [d, a, b, c]: &[Format; 4]) -> String {
    let formats = [("{a}", a), ("{b}", b), ("{c}", c), ("{d}", d)];
    formats
        .iter()
        .fold(model.to_owned(), |text, (key, format)| {
            text.replace(key, format.name())
        })
}

/// The specification, completed by the formats, the scales and the number of products in the name
/// of the instruction.
fn with_keys(model: &str, named: &NameFields) -> String {
    let (name, given) = model.split_once(':').unwrap_or((model, ""));
    let has_key = |key: &str| {
        let algorithm = algorithms().iter().find(|algorithm| algorithm.name == name);
        algorithm.is_some_and(|doc| doc.keys.iter().any(|known| known.name == key))
    };
    let value_of = |key: &str| {
        let keys = given.split(',').filter_map(|item| item.split_once('='));
        let mut values = keys.filter(|(given, _)| *given == key);
        values
            .next()
            .and_then(|(_, value)| value.parse::<u32>().ok())
    };
    let mut keys: Vec<String> = given.split(',').map(str::to_owned).collect();
    keys.retain(|key| !key.is_empty());
    let mut add = |key: &str, value: &dyn std::fmt::Display| {
        if has_key(key) {
            keys.push(format!("{key}={value}"));
        }
    };
    // The keys of a row may describe the factors more exactly than its name: e4m3 of Gaudi 3 has
    // infinities.
    if !says_operands(model) {
        if has_key("a") {
            add("a", &named.a);
            add("b", &named.b);
        } else {
            add("in", &named.a);
        }
    }
    for (key, format) in [
        ("c", named.c),
        ("out", named.d),
        ("fmt", named.d),
        ("acc", named.d),
    ] {
        add(key, &format);
    }
    if let Some((format, block)) = named.scales {
        add("scale", &format);
        add("block", &block);
    }
    // The number of products in the name is `K` times `chain`, so that each of these two keys
    // follows from the other. The `K` of `hmma8` is the number of products of one half.
    let whole = if name == "hmma8" {
        named.products / 2
    } else {
        named.products
    };
    match (value_of("K"), value_of("chain")) {
        // A `K` or `chain` of zero stays in the text; it is refused when all keys are read.
        (None, links) => add("K", &(whole / links.unwrap_or(1).max(1))),
        (Some(products), None) if products < whole => add("chain", &(whole / products.max(1))),
        _ => {}
    }
    format!("{name}:{}", keys.join(","))
}
