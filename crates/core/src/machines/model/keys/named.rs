//! Descriptions with names: `unit:NAME` stands for a description of the program, or for the file
//! `NAME.unit` of a folder that was added.

use crate::machines::model::ModelError;
use rustc_hash::FxHashMap;
use std::sync::{PoisonError, RwLock};

/// The descriptions that are part of the program.
const BUILT_IN: &[(&str, &str)] = &[
    (
        "amx-fp8",
        include_str!("../../../../models/units/amx-fp8.unit"),
    ),
    (
        "cvfpu-mxdotp",
        include_str!("../../../../models/units/cvfpu-mxdotp.unit"),
    ),
    (
        "psp-vfpu-dot",
        include_str!("../../../../models/units/psp-vfpu-dot.unit"),
    ),
    (
        "riscv-bulk",
        include_str!("../../../../models/units/riscv-bulk.unit"),
    ),
    (
        "riscv-ime",
        include_str!("../../../../models/units/riscv-ime.unit"),
    ),
    (
        "riscv-ime-rounded",
        include_str!("../../../../models/units/riscv-ime-rounded.unit"),
    ),
    (
        "riscv-ime-mx",
        include_str!("../../../../models/units/riscv-ime-mx.unit"),
    ),
    (
        "tenstorrent-elwadd",
        include_str!("../../../../models/units/tenstorrent-elwadd.unit"),
    ),
    ("mx", include_str!("../../../../models/units/mx.unit")),
    (
        "tenstorrent-sfpu-mul",
        include_str!("../../../../models/units/tenstorrent-sfpu-mul.unit"),
    ),
    (
        "tenstorrent-elwmul",
        include_str!("../../../../models/units/tenstorrent-elwmul.unit"),
    ),
    (
        "tenstorrent-matmul",
        include_str!("../../../../models/units/tenstorrent-matmul.unit"),
    ),
    (
        "tenstorrent-mvmul",
        include_str!("../../../../models/units/tenstorrent-mvmul.unit"),
    ),
    (
        "tenstorrent-mvmul-int8",
        include_str!("../../../../models/units/tenstorrent-mvmul-int8.unit"),
    ),
    (
        "tpu-dot",
        include_str!("../../../../models/units/tpu-dot.unit"),
    ),
    (
        "x86-int8",
        include_str!("../../../../models/units/x86-int8.unit"),
    ),
    (
        "x86-vcvtneps2bf16",
        include_str!("../../../../models/units/x86-vcvtneps2bf16.unit"),
    ),
    (
        "x86-vpmaddubsw",
        include_str!("../../../../models/units/x86-vpmaddubsw.unit"),
    ),
    (
        "x86-vpmaddubsw-vpaddsw",
        include_str!("../../../../models/units/x86-vpmaddubsw-vpaddsw.unit"),
    ),
    (
        "x86-vpmaddwd",
        include_str!("../../../../models/units/x86-vpmaddwd.unit"),
    ),
    (
        "x86-vpmaddwd-vpaddd",
        include_str!("../../../../models/units/x86-vpmaddwd-vpaddd.unit"),
    ),
    ("xdna2", include_str!("../../../../models/units/xdna2.unit")),
];

/// Names and texts of added folders.
static ADDED: RwLock<FxHashMap<String, &'static str>> =
    RwLock::new(FxHashMap::with_hasher(rustc_hash::FxBuildHasher));

/// The text of the description with this name.
pub(super) fn text_of(name: &str) -> Option<&'static str> {
    let built_in = BUILT_IN.iter().find(|(known, _)| *known == name);
    built_in.map(|(_, text)| *text).or_else(|| {
        let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
        added.get(name).copied()
    })
}

/// The names of all descriptions that have one, in the order of the alphabet.
pub fn named_units() -> Vec<String> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    let built_in = BUILT_IN.iter().map(|(name, _)| (*name).to_owned());
    let mut names: Vec<String> = built_in.chain(added.keys().cloned()).collect();
    names.sort_unstable();
    names
}

/// Gives the description `text` the name `name`. Returns whether the name is new.
///
/// # Errors
/// If the name is no word, or stands for another description.
pub(in crate::machines::model) fn name_unit(
    name: &str,
    text: &'static str,
) -> Result<bool, ModelError> {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    if name.is_empty() || !name.chars().all(is_letter) {
        return Err(ModelError::UnitName {
            found: name.into(),
            expected: "a name of letters, digits, `-` and `_`",
        });
    }
    match text_of(name) {
        Some(known) if known == text => Ok(false),
        Some(_) => Err(ModelError::UnitName {
            found: name.into(),
            expected: "a name that no other description has",
        }),
        None => {
            let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
            added.insert(name.into(), text);
            Ok(true)
        }
    }
}

/// Takes the names of descriptions away again.
pub(in crate::machines::model) fn forget_units(names: &[String]) {
    let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
    for name in names {
        added.remove(name);
    }
}
