//! Finds architectures and rows by their names.

use super::lists::{architectures, conversions, described, libraries, unmodelled};
use super::products;
use super::row::{Architecture, Row};
use super::unknown::UnknownArithmetic;
use super::usual::usual_row;
use crate::machines::algorithms::Sparsity;
use crate::machines::model::error::ModelError;
use crate::machines::model::name::{matches, table_spelling};
use crate::machines::model::spec::{Name, Spec};
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::base::near::did_you_mean;
use mmasmt_numbers::float::Format;

/// The specification of the row that `spec` names, followed by the keys of `spec`; `None` if `spec`
/// names an algorithm or a composition.
///
/// # Errors
/// If the tables have no such architecture, instruction or variant.
pub(in crate::machines::model) fn look_up(spec: &Spec) -> Result<Option<Spec>, ModelError> {
    let Name::Instruction {
        architecture,
        instruction,
        variant,
    } = &spec.name
    else {
        return Ok(None);
    };
    let row = find_row(find_architecture(architecture)?, instruction)?;
    let mut found = row.spec(variant.as_deref())?;
    found.keys.extend_from_slice(&spec.keys);
    Ok(Some(found))
}

/// If `error` is about an unknown algorithm whose name is that of a machine, of machine code or of
/// a format, returns an error that says so; otherwise returns `error`.
pub(in crate::machines::model) fn meant(error: ModelError) -> ModelError {
    let ModelError::UnknownAlgorithm { found, .. } = &error else {
        return error;
    };
    let shown = excerpt(found);
    let machine = find_architecture(found);
    let what = if machine
        .as_ref()
        .is_ok_and(|machine| machine.rows.is_empty())
    {
        format!(
            "a machine of which no arithmetic is known (`mmasmt models {shown}` lists its instructions)"
        )
    } else if let Ok(architecture) = machine
        && let Some(row) = architecture.rows.first()
    {
        let example = row.sass.first().unwrap_or(&row.name);
        format!(
            "a machine: expected one of its instructions as well, such as {shown}/{example} (`mmasmt models {shown}` lists them)"
        )
    } else if let Some(what) = architectures()
        .ok()
        .and_then(|all| machine_code(all, found))
    {
        what
    } else if let Some((factors, ..)) = Format::scaled_known_as(found) {
        let algorithm = if factors == Format::E2M1 {
            "gdfs"
        } else {
            "fda"
        };
        format!("a format: expected what computes with it, such as {algorithm}:in={shown}")
    } else if Format::known_as(found).is_some() {
        format!("a format: expected what computes with it, such as fda:in={shown}")
    } else {
        return error;
    };
    ModelError::NoAlgorithm {
        found: found.clone(),
        what,
    }
}

/// The most rows that an error names.
const MOST_NAMED: usize = 4;

/// A sentence that names the rows whose arithmetic is that of the machine instruction `text`;
/// `text` may also be only the beginning of its name. `None` if there is no such row. If the name
/// of machine code does not tell the types of the operands, there is a row for each choice of
/// types.
fn machine_code<'a>(
    among: impl IntoIterator<Item = &'a Architecture>,
    text: &str,
) -> Option<String> {
    let same = |word: &str| {
        let begins = word
            .get(..text.len())
            .is_some_and(|begin| begin.eq_ignore_ascii_case(text));
        begins
            && word[text.len()..]
                .chars()
                .next()
                .is_none_or(|next| next == '.')
    };
    // A word with a lower-case letter is prose, not code.
    let is_code = |word: &&str| !word.contains(|letter: char| letter.is_ascii_lowercase());
    let has_it = |row: &&Row| {
        let mut names = row.sass.iter().map(String::as_str);
        let said = row.note.as_deref().unwrap_or_default();
        let mut words = said.split([' ', ',', ';']).filter(is_code);
        names.any(same) || words.any(same)
    };
    let rows = among.into_iter().flat_map(|machine| &machine.rows);
    let rows: Vec<&Row> = rows.filter(has_it).filter(|_| text.len() > 3).collect();
    let names: Vec<String> = (rows.iter().take(MOST_NAMED))
        .map(|row| row.full_name())
        .collect();
    let more = match rows.len().saturating_sub(names.len()) {
        0 => String::new(),
        count => format!(" or {count} more"),
    };
    (!rows.is_empty()).then(|| {
        format!(
            "machine code, whose arithmetic rows have under these names: expected one of {}{more} (`mmasmt models list {}` lists them)",
            names.join(", "),
            excerpt(text)
        )
    })
}

/// The compression of A in the instruction that `spec` names, if A is compressed.
pub(in crate::machines::model) fn sparsity_of(spec: &Spec) -> Option<Sparsity> {
    let Name::Instruction {
        architecture,
        instruction,
        ..
    } = &spec.name
    else {
        return None;
    };
    let row = find_row(find_architecture(architecture).ok()?, instruction).ok()?;
    row.sparsity
}

/// The architecture or library with this name or title, or the architecture of the product with
/// this name: `H100`, `RTX 4090`, `zen4`. Upper and lower case are the same, but `P100` is a GPU of NVIDIA
/// as well.
///
/// # Errors
/// If there is no such architecture.
pub fn find_architecture(name: &str) -> Result<&'static Architecture, ModelError> {
    let is_it = |arch: &&Architecture| arch.name == name || arch.title == name;
    // Most names are those of a machine here; the other tables are read where one is not.
    if let Some(found) = architectures()?.iter().find(is_it) {
        return Ok(found);
    }
    let all = || {
        let known = architectures()?.iter().chain(described()?);
        let known = known.chain(libraries()?).chain(unmodelled()?);
        Ok::<_, ModelError>(known.chain(conversions()?))
    };
    let what = products::without_tensor_cores(name).or_else(|| products::without_recordings(name));
    let means = |arch: &&Architecture| what.is_none() && products::means(arch, name);
    if let Some(found) = all()?.find(is_it).or(all()?.find(means)) {
        return Ok(found);
    }
    let found = name.into();
    let conversions = conversions()?;
    Err(match what {
        Some(what) => ModelError::NoAlgorithm { found, what },
        None => ModelError::UnknownArchitecture {
            found,
            // Tables of conversions are many, and a list of all would be no help.
            expected: all()?
                .filter(|arch| !conversions.iter().any(|table| table.name == arch.name))
                .map(|arch| arch.name.as_str())
                .collect::<Vec<_>>()
                .join(", "),
            hint: did_you_mean(name, all()?.flat_map(products::names)),
        },
    })
}

/// The row of the instruction with this name: a PTX name in full or as the tables spell it, a name
/// in AMD's instruction set, or a SASS name. The name of a format, such as `fp8`, stands for the
/// instruction that programs use for it.
///
/// # Errors
/// If the architecture has no such row, or the instruction is one whose arithmetic is not known.
pub fn find_row(
    architecture: &'static Architecture,
    name: &str,
) -> Result<&'static Row, ModelError> {
    let rows = &architecture.rows;
    let short = table_spelling(name);
    let named =
        |row: &&Row| matches(&row.name, &short) || row.names().any(|other| matches(other, name));
    let found = rows.iter().find(named);
    found
        .or_else(|| usual_row(architecture, name))
        .ok_or_else(|| {
            if let Some(unknown) = find_unknown(architecture, name) {
                return unknown.error();
            }
            let forms = forms(architecture, name);
            if !forms.is_empty() {
                return ModelError::UnknownInstruction {
                    found: name.into(),
                    architecture: architecture.name.clone(),
                    hint: format!("its forms are {}", forms.join(" and ")),
                };
            }
            if let Some(what) = machine_code([architecture], name) {
                let found = name.into();
                return ModelError::NoAlgorithm { found, what };
            }
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
                    near_names(architecture, name)
                } else {
                    format!("did you mean {}", near.join(" or "))
                },
            }
        })
}

/// The rows whose name is `name` and a word behind it, as they are named: forms of one instruction, such
/// as `bfdot.ebf0`. None if they are many, or no whole name.
fn forms(architecture: &Architecture, name: &str) -> Vec<String> {
    let is_form = |row: &&Row| {
        let begins = row.name.get(..name.len());
        let rest = row
            .name
            .get(name.len()..)
            .and_then(|rest| rest.strip_prefix('.'));
        begins.is_some_and(|begin| begin.eq_ignore_ascii_case(name))
            && rest.is_some_and(|rest| !rest.contains('.'))
    };
    let forms: Vec<String> = architecture
        .rows
        .iter()
        .filter(is_form)
        .map(Row::full_name)
        .collect();
    if forms.len() > MOST_NAMED {
        Vec::new()
    } else {
        forms
    }
}

/// The instruction with this name, if its arithmetic is not known.
pub fn find_unknown(
    architecture: &'static Architecture,
    name: &str,
) -> Option<&'static UnknownArithmetic> {
    let mut unknown = architecture.unknown.iter();
    unknown.find(|unknown| unknown.is_named(name))
}

/// A hint with the names of instructions that are spelled like `name`.
fn near_names(architecture: &Architecture, name: &str) -> String {
    let names = architecture.rows.iter().flat_map(Row::names);
    let names = names.chain(architecture.unknown.iter().map(|unknown| &unknown.name));
    match did_you_mean(name, names.map(String::as_str)).strip_prefix(", ") {
        Some(hint) => hint.trim_end_matches('?').to_owned(),
        None => "nothing comes close".into(),
    }
}

/// Whether two names have the same unit and the same shape.
fn is_near(row: &str, name: &str) -> bool {
    let shape = |text: &str| text.split('.').take(2).collect::<Vec<_>>().join(".");
    let amd_shape = |text: &str| text.split('_').take(4).collect::<Vec<_>>().join("_");
    if row.starts_with("v_mfma") {
        amd_shape(row) == amd_shape(name)
    } else {
        matches(&shape(row), &shape(name))
    }
}
