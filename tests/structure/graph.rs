//! Which file of the source imports which.

use crate::source::{Path, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

pub struct Graph {
    /// Names of files below `src`, with those that each imports.
    imports: BTreeMap<String, BTreeSet<String>>,
    /// Files that pass on a name of another wing, with the name.
    pub passed_on: BTreeSet<(String, String)>,
}

impl Graph {
    /// Of all crates but the package for Python, as if they were one: no wing is in two of them.
    pub fn read() -> Self {
        let mut texts = BTreeMap::new();
        let mut root = String::new();
        for folder in [
            "crates/numbers/src",
            "crates/columns/src",
            "crates/core/src",
            "crates/explain/src",
            "crates/questions/src",
            "src",
        ] {
            read_folder(&format!("{ROOT}/{folder}"), "", &mut texts);
            let head = texts.remove("lib.rs").unwrap();
            // What `mmasmt` passes on is for others: the source names things where they live.
            root += if folder == "src" { "mod cli;" } else { &head };
        }
        texts.insert("lib.rs".into(), root);
        Self::of(&texts)
    }

    /// Of files by their names.
    pub fn of(texts: &BTreeMap<String, String>) -> Self {
        let mut names = BTreeMap::new();
        let mut sources = BTreeMap::new();
        for (name, text) in texts {
            let module = module(name);
            names.insert(module.clone(), name.clone());
            sources.insert(module.clone(), Source::read(module, text));
        }
        let imports = sources.values().map(|source| {
            let used = source.used.iter().map(|path| place(&sources, path));
            let used = used.filter(|module| *module != source.module && !module.is_empty());
            let used = used.map(|module| names[&module].clone());
            (names[&source.module].clone(), used.collect())
        });
        let imports = imports.collect();
        let passed_on = sources.values().flat_map(|source| {
            let foreign = source.passed_on.iter();
            let foreign = foreign.filter(|(_, path)| path.first() != source.module.first());
            foreign.map(|(name, _)| (names[&source.module].clone(), name.clone()))
        });
        Graph {
            imports,
            passed_on: passed_on.collect(),
        }
    }

    /// Every import, as who imports and who is imported.
    pub fn edges(&self) -> Vec<(&str, &str)> {
        let mut edges = Vec::new();
        for (from, targets) in &self.imports {
            edges.extend(targets.iter().map(|to| (from.as_str(), to.as_str())));
        }
        edges
    }

    /// The sets of two and more files that all reach each other.
    pub fn circles(&self) -> BTreeSet<Vec<&str>> {
        let reached: BTreeMap<_, _> = self
            .imports
            .keys()
            .map(|file| (file.as_str(), self.reached(file)))
            .collect();
        let circle = |file: &&str| -> Vec<&str> {
            let mutual = reached[file]
                .iter()
                .filter(|other| reached[*other].contains(file));
            mutual.copied().collect()
        };
        let circles = reached.keys().map(circle);
        circles.filter(|files| files.len() > 1).collect()
    }

    fn reached(&self, file: &str) -> BTreeSet<&str> {
        let mut reached = BTreeSet::new();
        let mut left: Vec<&str> = self.imports[file].iter().map(String::as_str).collect();
        while let Some(file) = left.pop() {
            if reached.insert(file) {
                left.extend(self.imports[file].iter().map(String::as_str));
            }
        }
        reached
    }
}

/// The module where an item stands: names that are passed on are followed.
fn place(sources: &BTreeMap<Path, Source>, path: &[String]) -> Path {
    let mut module = Path::new();
    for (index, segment) in path.iter().enumerate() {
        let source = &sources[&module];
        if source.children.contains(segment) {
            module.push(segment.clone());
        } else if let Some(target) = source.passed_on.get(segment) {
            let rest = &path[index + 1..];
            return place(sources, &[target, rest].concat());
        } else {
            break;
        }
    }
    module
}

/// `a/b.rs` and `a/b/mod.rs` are the module `a::b`; `lib.rs` is the root.
fn module(name: &str) -> Path {
    let name = name.trim_end_matches(".rs");
    let name = name.strip_suffix("/mod").unwrap_or(name);
    let name = if name == "lib" { "" } else { name };
    let segments = name.split('/').filter(|segment| !segment.is_empty());
    segments.map(str::to_owned).collect()
}

fn read_folder(folder: &str, before: &str, texts: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let text = path.to_str().unwrap();
        if path.is_dir() {
            read_folder(text, &format!("{before}{name}/"), texts);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            texts.insert(
                format!("{before}{name}"),
                fs::read_to_string(&path).unwrap(),
            );
        }
    }
}
