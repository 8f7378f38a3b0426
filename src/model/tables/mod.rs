//! The tables `models/*.toml`: for every architecture its instructions, their model, its evidence.

mod read;
mod row;

pub use read::read_table;
pub use row::{Architecture, Compiled, Row};

use super::error::ModelError;
use super::name::{matches, table_spelling};
use super::spec::{Name, Spec};
use std::sync::OnceLock;

const TABLES: &[&str] = &[
    include_str!("../../../models/volta.toml"),
    include_str!("../../../models/turing.toml"),
    include_str!("../../../models/ampere.toml"),
    include_str!("../../../models/ada.toml"),
    include_str!("../../../models/hopper.toml"),
    include_str!("../../../models/blackwell.toml"),
    include_str!("../../../models/rtx-blackwell.toml"),
    include_str!("../../../models/cdna1.toml"),
    include_str!("../../../models/cdna2.toml"),
    include_str!("../../../models/cdna3.toml"),
];

/// Every architecture, those of one vendor together, oldest first.
///
/// # Errors
/// If a table of the program is wrong, which its tests rule out.
pub fn architectures() -> Result<&'static [Architecture], ModelError> {
    static PARSED: OnceLock<Result<Vec<Architecture>, String>> = OnceLock::new();
    let parsed = PARSED.get_or_init(|| TABLES.iter().map(|text| read_table(text)).collect());
    match parsed {
        Ok(architectures) => Ok(architectures),
        Err(what) => Err(ModelError::Table {
            table: "models".into(),
            what: what.clone(),
        }),
    }
}

/// What `spec` means in terms of an algorithm: its name and all keys, those of the row that it
/// names first.
///
/// # Errors
/// If the tables have no such architecture, instruction or variant.
pub(super) fn look_up(spec: &Spec) -> Result<(String, Vec<(String, String)>), ModelError> {
    match &spec.name {
        Name::Algorithm(name) | Name::Composition { name, .. } => {
            Ok((name.clone(), spec.keys.clone()))
        }
        Name::Instruction {
            architecture,
            instruction,
            variant,
        } => {
            let row = find_row(find_architecture(architecture)?, instruction)?;
            let (algorithm, mut keys) = look_up(&row.spec(variant.as_deref())?)?;
            keys.extend_from_slice(&spec.keys);
            Ok((algorithm, keys))
        }
    }
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

/// The row of an instruction, by its PTX name, in full or as the tables have it, by its name in
/// AMD's instruction set, or by its SASS name.
///
/// # Errors
/// If the architecture has no such row.
pub fn find_row(
    architecture: &'static Architecture,
    name: &str,
) -> Result<&'static Row, ModelError> {
    let rows = &architecture.rows;
    let short = table_spelling(name);
    let named = |row: &&Row| {
        let mut other = row.sass.iter().chain(&row.alias);
        matches(&row.name, &short) || other.any(|other| matches(other, name))
    };
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
    let amd_shape = |text: &str| text.split('_').take(4).collect::<Vec<_>>().join("_");
    match row.starts_with("v_mfma") {
        true => amd_shape(row) == amd_shape(name),
        false => matches(&shape(row), &shape(name)),
    }
}
