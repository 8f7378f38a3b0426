//! Notes on standard error, beside an answer: which number replaces one that its format lacks,
//! which instruction is meant by the name of a format, and which model is longer than its
//! instruction.

use super::error::Error;
use mmasmt_core::machines::model::{
    Algorithm, Model, Name, Row, Spec, find_architecture, find_row, usual_row,
};
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::float::{Format, taken_for};
use mmasmt_questions::claims::property::Domain;
use mmasmt_questions::vectors::is_unstated_archive;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The notes that were written already: a model may be read more than once.
static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Writes each of these sentences on standard error, unless it was written before.
pub(super) fn note(sentences: impl IntoIterator<Item = String>) -> Result<(), Error> {
    for sentence in sentences {
        let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
        if said.insert(sentence.clone()) {
            writeln!(io::stderr(), "note: {sentence}")?;
        }
    }
    Ok(())
}

/// Writes a note if a file is an archive that does not state its operands.
pub(super) fn note_archive(path: &Path) -> Result<(), Error> {
    note(is_unstated_archive(path).then(|| {
        format!(
            "{}: it has no `about` with a `signature`, so nothing tells whether its registers are of these formats",
            path.display()
        )
    }))
}

/// In a key, `~` before a number means the nearest number of f32. For each number with a `~` in a
/// specification, writes a note that says which number is taken.
pub(super) fn note_keys(specification: &str) -> Result<(), Error> {
    let parts = specification.split([',', ':', '(', ')', '@']);
    let parts = parts.map(str::trim).filter(|part| part.contains('~'));
    note(parts.filter_map(|part| {
        let value = part.rsplit('=').next().unwrap_or(part);
        let taken = taken_for(&Format::F32, value)?;
        Some(format!("`{}`: {taken}", excerpt(part)))
    }))
}

/// For each format that stands for an instruction, as in `H100/fp8`, writes a note that names the
/// instruction.
pub(super) fn note_instructions(specification: &str) -> Result<(), Error> {
    let parts = specification
        .split([',', ':', '(', ')', '@'])
        .map(str::trim);
    note(parts.filter_map(|part| {
        let (machine, format) = part.split_once('/')?;
        let row = usual_row(find_architecture(machine).ok()?, format)?;
        Some(format!(
            "`{}` is {}/{}{}",
            excerpt(part),
            row.architecture,
            row.name,
            of_which(row, format)
        ))
    }))
}

/// The formats of the row, if `format` is a name that machines give to several.
fn of_which(row: &Row, format: &str) -> String {
    let several = ["fp8", "bf8", "fp6", "fp4"];
    let is_one = several.iter().any(|name| format.eq_ignore_ascii_case(name));
    match Model::parse(&row.model) {
        Ok(model) if is_one => {
            let signature = model.signature();
            format!(", whose factors are {} x {}", signature.a, signature.b)
        }
        _ => String::new(),
    }
}

/// For each instruction with a `K` that exceeds its number of products, writes a note: such a model
/// is one operation, which the machine does not have.
pub(super) fn note_lengths<'t>(
    specifications: impl IntoIterator<Item = &'t str>,
) -> Result<(), Error> {
    let specifications = specifications.into_iter();
    note(specifications.filter_map(|text| too_long(&Spec::parse(text).ok()?)))
}

/// The note about the instruction inside of a specification; `None` if it is not too long.
fn too_long(specification: &Spec) -> Option<String> {
    let name = match &specification.name {
        Name::Algorithm(_) => return None,
        Name::Composition { unit, .. } => return too_long(unit),
        Name::Instruction {
            architecture,
            instruction,
            variant,
        } => {
            let variant = variant.as_ref().map(|variant| format!("@{variant}"));
            let variant = variant.unwrap_or_default();
            format!("{architecture}/{instruction}{variant}")
        }
    };
    let (lengths, others): (Vec<_>, Vec<_>) =
        (specification.keys.iter()).partition(|(key, _)| key.eq_ignore_ascii_case("K"));
    let length: u32 = lengths.last()?.1.parse().ok()?;
    let (architecture, instruction) = name.split_once('/')?;
    let instruction = instruction.split('@').next()?;
    let row = find_row(find_architecture(architecture).ok()?, instruction).ok()?;
    let own = Model::parse(&row.model).ok()?;
    let products = own.signature().products;
    // The K of a composition is the length of its sum, whatever the instruction.
    if length <= products || matches!(own.algorithm(), Algorithm::Composition(_)) {
        return None;
    }
    let with_keys = |keys: Vec<String>| match &keys[..] {
        [] => name.clone(),
        keys => format!("{name}:{}", keys.join(",")),
    };
    let others = others.iter().map(|(key, value)| format!("{key}={value}"));
    let others: Vec<_> = others.collect();
    let given = with_keys([vec![format!("K={length}")], others.clone()].concat());
    let chain = format!("repeat({}):K={length}", with_keys(others));
    let chain = match Model::parse(&chain) {
        Ok(_) => format!("; a chain of instructions is `{chain}`"),
        Err(_) => String::new(),
    };
    Some(format!(
        "`{given}` is one operation of {length} products, and the instruction has {products}{chain}"
    ))
}

/// In a domain, `~` before a number means the nearest number of the format. For each number with a
/// `~`, writes a note that says which number is taken.
pub(super) fn note_domain(domain: &Domain) -> Result<(), Error> {
    note(domain.taken())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "so tests fail")]

    use super::too_long;
    use mmasmt_core::machines::model::Spec;

    #[test]
    fn an_instruction_is_not_longer_than_it_is() {
        for (text, chain) in [
            ("H100/f16:K=4096", "`repeat(H100/f16):K=4096`"),
            (
                "splitk(H100/f16:K=64,F=24, 2)",
                "`repeat(H100/f16:F=24):K=64`",
            ),
        ] {
            let note = too_long(&Spec::parse(text).unwrap()).unwrap();
            assert!(note.contains("has 16") && note.ends_with(chain), "{note}");
        }
        for text in [
            "fda:K=4096",
            "H100/f16",
            "H100/f16:K=4",
            "repeat(H100/f16):K=4096",
            "cublas/gemm.hopper.f32.f16.f16:K=4096",
        ] {
            assert_eq!(too_long(&Spec::parse(text).unwrap()), None, "{text}");
        }
    }
}
