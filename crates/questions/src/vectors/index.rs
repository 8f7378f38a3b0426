//! `index.tsv`, which lists the instruction and architecture, or the scheme and unit, of each file
//! in a folder.

use super::scheme_index::{self, SchemeColumns};
use mmasmt_core::machines::model::{
    Architecture, Model, ModelError, Row, architectures, described, find_row,
};
use mmasmt_numbers::base::excerpt::{excerpt, file_name};
use mmasmt_numbers::base::limited_file::read_limited;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The most bytes of an index: 16 MiB.
const LONGEST: u64 = 1 << 24;

/// An error in an index.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum IndexError {
    /// The index cannot be read.
    #[error("{}: {error}", file_name(.path))]
    Unreadable {
        /// The index file.
        path: PathBuf,
        /// The system's error.
        error: std::io::Error,
    },
    /// The file is too large for an index.
    #[error("{}: expected text of at most {LONGEST} bytes, found more", file_name(.path))]
    TooLong {
        /// The index file.
        path: PathBuf,
    },
    /// The first line lacks a column.
    #[error("{}, line 1: expected a column `{column}`, found {}", file_name(.path), excerpt(.found))]
    NoColumn {
        /// The index file.
        path: PathBuf,
        /// The missing column.
        column: &'static str,
        /// The columns found.
        found: String,
    },
    /// A line lacks a field.
    #[error(
        "{}, line {line}: expected {expected} fields with tabs between them, found {found}",
        file_name(.path)
    )]
    ShortLine {
        /// The index file.
        path: PathBuf,
        /// The line number, from 1.
        line: usize,
        /// The number of columns.
        expected: usize,
        /// The number of fields.
        found: usize,
    },
    /// The index has no entries.
    #[error("{}: expected at least one file, found none", file_name(.path))]
    Empty {
        /// The index file.
        path: PathBuf,
    },
}

/// An entry of an index: one file.
#[derive(Clone, Debug)]
pub struct IndexEntry {
    /// The path of the file.
    pub path: PathBuf,
    /// The architecture, as the index names it; for a scheme, the unit that it uses.
    pub arch: String,
    /// The name of the instruction (unit and qualifier), or of the scheme.
    pub instruction: String,
    /// The number of times that the instruction runs, each time with its last result as
    /// accumulator.
    pub repeats: u64,
    /// The composition that computes the scheme, if the scheme is known.
    composition: Option<String>,
    is_scheme: bool,
}

/// The entries of an index file; paths are relative to its folder. A qualifier that ends with
/// `:repeat=N` stands for N runs of the instruction in sequence.
///
/// # Errors
/// If the file cannot be read, has no entries, or lacks a column. If there is a column `scheme`,
/// the columns are `file scheme unit spec unit_format step K`, otherwise `file arch unit
/// qualifier`.
pub fn read_index(path: &Path) -> Result<Vec<IndexEntry>, IndexError> {
    let owned = || path.to_owned();
    let read = read_limited(path, LONGEST).map_err(|error| IndexError::Unreadable {
        path: owned(),
        error,
    })?;
    match read {
        Some(text) => parse_index(path, &text),
        None => Err(IndexError::TooLong { path: owned() }),
    }
}

/// The entries in `text`, which is the content of the index file at `path`.
///
/// # Errors
/// As [`read_index`].
pub fn parse_index(path: &Path, text: &str) -> Result<Vec<IndexEntry>, IndexError> {
    let owned = || path.to_owned();
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let column = |name: &'static str| {
        header
            .iter()
            .position(|title| *title == name)
            .ok_or_else(|| IndexError::NoColumn {
                path: owned(),
                column: name,
                found: header.join(" "),
            })
    };
    let file = column("file")?;
    let columns = match header.contains(&"scheme") {
        true => Columns::Scheme(SchemeColumns::of(column)?),
        false => Columns::Instruction {
            arch: column("arch")?,
            unit: column("unit")?,
            qualifier: column("qualifier")?,
        },
    };

    let folder = path.parent().unwrap_or(Path::new(""));
    let mut entries = Vec::new();
    for (number, line) in lines.enumerate().filter(|(_, line)| !line.is_empty()) {
        let fields: Vec<&str> = line.split('\t').collect();
        if fields.len() != header.len() {
            let (expected, found) = (header.len(), fields.len());
            return Err(IndexError::ShortLine {
                path: owned(),
                line: number + 2,
                expected,
                found,
            });
        }
        let path = folder.join(fields[file]);
        entries.push(match &columns {
            Columns::Instruction {
                arch,
                unit,
                qualifier,
            } => {
                let (qualifier, repeats) = repeated(fields[*qualifier]);
                IndexEntry {
                    path,
                    arch: fields[*arch].to_owned(),
                    instruction: instruction(fields[*unit], qualifier),
                    repeats,
                    composition: None,
                    is_scheme: false,
                }
            }
            Columns::Scheme(columns) => IndexEntry {
                path,
                arch: columns.unit(&fields).to_owned(),
                instruction: columns.scheme(&fields).to_owned(),
                repeats: 1,
                composition: scheme_index::composition(columns, &fields),
                is_scheme: true,
            },
        });
    }
    if entries.is_empty() {
        return Err(IndexError::Empty { path: owned() });
    }
    Ok(entries)
}

/// The kind of an index, and the positions of its columns.
enum Columns {
    Instruction {
        arch: usize,
        unit: usize,
        qualifier: usize,
    },
    Scheme(SchemeColumns),
}

/// A qualifier without the `:repeat=N` at its end, and N, which is 1 by default.
fn repeated(qualifier: &str) -> (&str, u64) {
    let split = qualifier.split_once(":repeat=");
    let read = split.and_then(|(plain, count)| Some((plain, count.parse().ok()?)));
    read.unwrap_or((qualifier, 1))
}

/// The name of the instruction as PTX or AMD spells it.
fn instruction(unit: &str, qualifier: &str) -> String {
    match unit {
        "mfma" => format!("v_mfma_{qualifier}"),
        "tcgen05mma" => format!("tcgen05.mma.{qualifier}"),
        "tcgen05mma_block_scale" => format!("tcgen05.mma.block_scale.{qualifier}"),
        // An instruction of a processor has no unit, and the names of AMD's instructions contain
        // their unit.
        "cpu" | "dot2" => qualifier.to_owned(),
        "wmma" if qualifier.starts_with("v_") => qualifier.to_owned(),
        "mma_block_scale" => format!("mma.block_scale.{qualifier}"),
        _ => format!("{unit}.{qualifier}"),
    }
}

impl IndexEntry {
    /// The model that computes the results in the file; `None` if no model is known. For an
    /// instruction, it is the model of its row (of this variant, if the row has variants); for a
    /// scheme, it is the composition of the scheme on its unit.
    ///
    /// # Errors
    /// If the row has no such variant, or the unit of a scheme does not exist.
    pub fn model(&self, variant: Option<&str>) -> Result<Option<Model>, ModelError> {
        if let Some(composition) = &self.composition {
            return Model::parse(composition).map(Some);
        }
        let Some(row) = self.row()? else {
            return Ok(None);
        };
        // A row without variants ignores the variant.
        let variant = variant.filter(|_| !row.variants.is_empty());
        let suffix = variant.map_or_else(String::new, |variant| format!("@{variant}"));
        let once = format!("{}/{}{suffix}", row.architecture, row.name);
        if self.repeats == 1 {
            return Model::parse(&once).map(Some);
        }
        let products = u64::from(Model::parse(&once)?.signature().products);
        let whole = self.repeats.saturating_mul(products);
        Model::parse(&format!("repeat({once}):K={whole}")).map(Some)
    }

    /// The row of the tables for this file, if there is one.
    ///
    /// # Errors
    /// If the tables of instructions are not valid.
    pub fn row(&self) -> Result<Option<&'static Row>, ModelError> {
        if self.is_scheme {
            return Ok(None);
        }
        let named = |arch: &&Architecture| arch.name == self.arch || arch.title == self.arch;
        let mut known = architectures()?.iter().chain(described()?);
        let Some(architecture) = known.find(named) else {
            return Ok(None);
        };
        Ok(find_row(architecture, &self.instruction).ok())
    }
}
