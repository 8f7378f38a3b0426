//! How the source is built: imports go down, and no files import each other in a circle.
//!
//! A file imports what it names, where that stands: a `mod.rs` that only declares modules and passes names on is not
//! between them. One that holds more is a file like another: it may use its children, or they may use it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "so tests fail")]

mod graph;
mod names;
mod read;
mod source;
mod tokens;

use graph::Graph;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The wings of `src`, the lower ones first: each may import those before it.
const ORDER: [&str; 22] = [
    "base",
    "bits",
    "float",
    "tape",
    "machines",
    "batch",
    "operands",
    "explain",
    "solver",
    "vectors",
    "inputs",
    "matrices",
    "plans",
    "claims",
    "errors",
    "agreement",
    "circuits",
    "identify",
    "pages",
    "cli",
    "lib",
    "main",
];

/// Files that import each other: a list that only gets shorter.
const CIRCLES: &[&[&str]] = &[];

/// Imports against the order, as file and what it imports: a list that only gets shorter.
const UPWARD: &[(&str, &str)] = &[];

fn names(pairs: &[(&str, &str)]) -> BTreeSet<String> {
    let names = pairs.iter().map(|(from, to)| format!("{from} -> {to}"));
    names.collect()
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let graph = Graph::read();
    let circles = graph.circles();
    let circles: BTreeSet<_> = circles.iter().map(|files| files.join(", ")).collect();
    let known = CIRCLES.iter().map(|files| files.join(", ")).collect();
    let new: Vec<_> = circles.difference(&known).collect();
    assert!(new.is_empty(), "these files import each other: {new:#?}");
    let gone: Vec<_> = known.difference(&circles).collect();
    assert!(gone.is_empty(), "no circle any more, strike out: {gone:#?}");
}

#[test]
fn no_wing_passes_on_names_of_another() {
    let passed_on = Graph::read().passed_on;
    assert!(
        passed_on.is_empty(),
        "name these where they live: {passed_on:#?}"
    );
}

#[test]
fn imports_go_down() {
    let rank = |file: &str| {
        let top = file.split(['/', '.']).next().unwrap();
        let rank = ORDER.iter().position(|name| *name == top);
        rank.unwrap_or_else(|| panic!("`{top}` has no place in the order"))
    };
    let graph = Graph::read();
    let edges = graph.edges();
    let upward = edges.into_iter().filter(|(from, to)| rank(from) < rank(to));
    let upward = names(&upward.collect::<Vec<_>>());
    let known = names(UPWARD);
    let new: Vec<_> = upward.difference(&known).collect();
    assert!(new.is_empty(), "imports against the order: {new:#?}");
    let gone: Vec<_> = known.difference(&upward).collect();
    assert!(gone.is_empty(), "not there any more, strike out: {gone:#?}");
}

/// The example of an algorithm that CONTRIBUTING shows is the file.
#[test]
fn the_example_of_an_algorithm_is_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("CONTRIBUTING.md")).unwrap();
    let unit = root.join("crates/core/models/units/riscv-bulk.unit");
    assert!(page.contains(&fs::read_to_string(unit).unwrap()));
}

/// What checks certificates shares no code with what makes them.
#[test]
fn the_checker_of_certificates_stands_alone() {
    let manifest = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/crates/certificates/Cargo.toml"
    );
    let text = std::fs::read_to_string(manifest).unwrap();
    let dependencies = text.split_once("[dependencies]").unwrap().1;
    assert!(!dependencies.contains("mmasmt"), "{dependencies}");
}
