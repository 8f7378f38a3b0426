//! Names of types: one name has one meaning. Those with several are a list that only gets shorter.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// How many names of types that other files see have several meanings. The checker of certificates has names of its own.
const SEVERAL: usize = 50;

/// All files of the source.
fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            files(&entry, all);
        } else if entry.extension().is_some_and(|end| end == "rs") {
            all.push(entry);
        }
    }
}

/// The name of the type that a line declares for other files.
fn declared(line: &str) -> Option<&str> {
    let line = line.trim_start().strip_prefix("pub")?;
    let line = match line.strip_prefix('(') {
        Some(rest) => rest.split_once(')')?.1,
        None => line,
    };
    let mut words = line.split_whitespace();
    let is_type = ["struct", "enum", "trait", "type"].contains(&words.next()?);
    let name = words.next().filter(|_| is_type)?;
    let end = name.find(|letter: char| !letter.is_alphanumeric());
    // A macro's name has none yet.
    Some(&name[..end.unwrap_or(name.len())]).filter(|name| !name.is_empty())
}

#[test]
fn no_more_names_of_types_have_several_meanings() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    for folder in [
        "src",
        "crates/core/src",
        "crates/explain/src",
        "crates/questions/src",
    ] {
        files(&root.join(folder), &mut all);
    }
    let mut names: BTreeMap<String, BTreeSet<&Path>> = BTreeMap::new();
    for path in &all {
        let text = std::fs::read_to_string(path).unwrap();
        let own = text
            .split("#[cfg(test)]\nmod tests")
            .next()
            .unwrap_or_default();
        for name in own.lines().filter_map(declared) {
            names.entry(name.to_owned()).or_default().insert(path);
        }
    }
    let several: Vec<_> = names.iter().filter(|(_, files)| files.len() > 1).collect();
    let listed: Vec<String> = several
        .iter()
        .map(|(name, files)| format!("{name} {}", files.len()))
        .collect();
    assert!(
        several.len() <= SEVERAL,
        "{} names have several meanings, {SEVERAL} had: {}",
        several.len(),
        listed.join(", ")
    );
    assert!(
        several.len() + 5 > SEVERAL,
        "only {} are left: lower the number",
        several.len()
    );
}
