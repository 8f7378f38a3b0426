//! Names of types: one name has one meaning in the workspace.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Names that stand in several files and have one meaning, each with the reason.
const ONE_MEANING: [(&str, &str); 2] = [
    (
        "Args",
        "the arguments of a command, in the module of each command, as clap has it",
    ),
    ("Z3", "one type, with the feature `z3` and without it"),
];

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

/// The folders of source. The checker of certificates shares no code with the rest, and has names of its own.
fn folders(root: &Path) -> Vec<PathBuf> {
    let crates = std::fs::read_dir(root.join("crates")).unwrap();
    let crates = crates.map(|entry| entry.unwrap().path());
    let others = crates.filter(|path| !path.ends_with("certificates"));
    let mut all = vec![root.join("src")];
    all.extend(others.map(|path| path.join("src")));
    all
}

/// The files that declare each name for other files.
fn declarations(root: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut all = Vec::new();
    for folder in folders(root) {
        files(&folder, &mut all);
    }
    let mut names: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in &all {
        let text = std::fs::read_to_string(path).unwrap();
        let own = text
            .split("#[cfg(test)]\nmod tests")
            .next()
            .unwrap_or_default();
        let shown = path.strip_prefix(root).unwrap().display().to_string();
        for name in own.lines().filter_map(declared) {
            let places = names.entry(name.to_owned()).or_default();
            places.insert(shown.clone());
        }
    }
    names
}

#[test]
fn no_name_of_a_type_has_several_meanings() {
    let names = declarations(Path::new(env!("CARGO_MANIFEST_DIR")));
    assert!(names.len() > 500, "{} names were found", names.len());
    let several = |name: &str| names.get(name).is_some_and(|places| places.len() > 1);
    let listed: Vec<String> = names
        .iter()
        .filter(|(name, _)| several(name) && !ONE_MEANING.iter().any(|(one, _)| one == name))
        .map(|(name, places)| {
            let places: Vec<&str> = places.iter().map(String::as_str).collect();
            format!("`{name}` stands in {}", places.join(", "))
        })
        .collect();
    assert!(
        listed.is_empty(),
        "each of these names has one meaning already, so the other type takes another name:\n{}",
        listed.join("\n")
    );
    for (name, reason) in ONE_MEANING {
        assert!(several(name), "`{name}` stands in one file: {reason}");
    }
}
