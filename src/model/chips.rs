//! The tables `models/*.toml`: for every architecture its instructions, their model, its evidence.

use super::error::ModelError;
use super::name::{expand, formats, matches};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// One architecture, its rows in the order of its table.
#[derive(Clone, Debug)]
pub struct Architecture {
    /// Its name in specifications: `ada`.
    pub name: String,
    /// Its name in prose: `Ada Lovelace`.
    pub title: String,
    /// Products that have it.
    pub gpus: Vec<String>,
    /// Its instructions.
    pub rows: Vec<Row>,
}

/// One instruction on one architecture.
#[derive(Clone, Debug)]
pub struct Row {
    /// The architecture's name.
    pub architecture: String,
    /// The PTX name, unit and qualifiers: `mma.m16n8k16.f32.f16.f16.f32`.
    pub name: String,
    /// Names of the machine instruction.
    pub sass: Vec<String>,
    /// The specification that follows the best evidence.
    pub model: String,
    /// What the row stands on: `recorded: …`, `reported: …`, `mma-sim: …`, `paper: …`.
    pub evidence: Vec<String>,
    /// Remarks.
    pub note: Option<String>,
    /// Other readings: name and keys that they change.
    pub variants: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    arch: String,
    title: String,
    gpus: Vec<String>,
    #[serde(default)]
    variants: BTreeMap<String, String>,
    row: Vec<TableRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TableRow {
    ptx: Vec<String>,
    #[serde(default)]
    sass: Vec<String>,
    model: String,
    evidence: Vec<String>,
    note: Option<String>,
    /// In place of those of the architecture.
    variants: Option<BTreeMap<String, String>>,
}

const TABLES: &[&str] = &[
    include_str!("../../models/volta.toml"),
    include_str!("../../models/turing.toml"),
    include_str!("../../models/ampere.toml"),
    include_str!("../../models/ada.toml"),
    include_str!("../../models/hopper.toml"),
    include_str!("../../models/blackwell.toml"),
    include_str!("../../models/rtx-blackwell.toml"),
];

/// Every architecture, oldest first.
///
/// # Errors
/// If a table of the program is wrong, which its tests rule out.
pub fn architectures() -> Result<&'static [Architecture], ModelError> {
    static PARSED: OnceLock<Result<Vec<Architecture>, String>> = OnceLock::new();
    let parsed = PARSED.get_or_init(|| TABLES.iter().map(|text| read(text)).collect());
    match parsed {
        Ok(architectures) => Ok(architectures),
        Err(what) => Err(ModelError::Table {
            table: "models".into(),
            what: what.clone(),
        }),
    }
}

fn read(text: &str) -> Result<Architecture, String> {
    let table: Table = toml::from_str(text).map_err(|error| error.to_string())?;
    let mut rows = Vec::new();
    for row in &table.row {
        let sass: Vec<_> = row.sass.iter().map(|pattern| expand(pattern)).collect();
        for pattern in &row.ptx {
            let names = expand(pattern);
            for (i, name) in names.iter().enumerate() {
                let [d, a, b, c] = formats(name).ok_or(format!("no formats in `{name}`"))?;
                let separator = if row.model.contains(':') { ',' } else { ':' };
                let own = format!("{}{separator}a={a},b={b},out={d}", row.model);
                let model = if row.model.starts_with("hmma8") {
                    own
                } else {
                    format!("{own},c={c}")
                };
                // A group in a machine name follows that of the PTX name, or stands for all.
                let sass = sass.iter().filter_map(|s| {
                    if s.len() == names.len() {
                        s.get(i)
                    } else {
                        s.first()
                    }
                });
                rows.push(Row {
                    architecture: table.arch.clone(),
                    name: name.clone(),
                    sass: sass.cloned().collect(),
                    model,
                    evidence: row.evidence.clone(),
                    note: row.note.clone(),
                    variants: row
                        .variants
                        .clone()
                        .unwrap_or_else(|| table.variants.clone()),
                });
            }
        }
    }
    Ok(Architecture {
        name: table.arch,
        title: table.title,
        gpus: table.gpus,
        rows,
    })
}

/// The architecture of that name or title.
///
/// # Errors
/// If there is none.
pub fn find_architecture(name: &str) -> Result<&'static Architecture, ModelError> {
    let all = architectures()?;
    all.iter()
        .find(|arch| arch.name == name || arch.title == name)
        .ok_or_else(|| ModelError::UnknownArchitecture {
            found: name.into(),
            expected: all
                .iter()
                .map(|arch| arch.name.as_str())
                .collect::<Vec<_>>()
                .join(", "),
        })
}

/// The row of an instruction, by its PTX or its SASS name.
///
/// # Errors
/// If the architecture has no such row.
pub fn find_row(
    architecture: &'static Architecture,
    name: &str,
) -> Result<&'static Row, ModelError> {
    let rows = &architecture.rows;
    let named = |row: &&Row| matches(&row.name, name) || row.sass.iter().any(|sass| sass == name);
    rows.iter().find(named).ok_or_else(|| {
        let near: Vec<_> = rows
            .iter()
            .filter(|row| is_near(&row.name, name))
            .take(4)
            .map(|row| row.name.as_str())
            .collect();
        ModelError::UnknownInstruction {
            found: name.into(),
            architecture: architecture.name.clone(),
            hint: if near.is_empty() {
                "nothing comes close".into()
            } else {
                format!("did you mean {}", near.join(" or "))
            },
        }
    })
}

/// Whether two names have unit and shape in common.
fn is_near(row: &str, name: &str) -> bool {
    let shape = |text: &str| text.split('.').take(2).collect::<Vec<_>>().join(".");
    matches(&shape(row), &shape(name))
}
