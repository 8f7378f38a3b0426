//! That imports are found wherever they stand, and what only looks like one is not.

use crate::graph::Graph;

fn graph(texts: &[(&str, &str)]) -> Graph {
    let text = |(name, text): &(&str, &str)| (name.to_string(), text.to_string());
    Graph::of(&texts.iter().map(text).collect())
}

const ROOT: (&str, &str) = ("lib.rs", "pub mod a;\npub mod b;\nmod c;\n");

#[test]
fn imports_and_paths_are_found_through_modules_that_pass_names_on() {
    let graph = graph(&[
        ROOT,
        ("a.rs", "use crate::{b::{One, two as three}, c::Four};\n"),
        (
            "b/mod.rs",
            "//! Of two.\nmod one;\nmod two;\npub use one::One;\npub(crate) use two::two;\n",
        ),
        (
            "b/one.rs",
            "fn f() -> u32 { crate::c::f(super::two::g()) }\n",
        ),
        ("b/two.rs", ""),
        ("c.rs", "pub struct Four;\n"),
    ]);
    let expected = [
        ("a.rs", "b/one.rs"),
        ("a.rs", "b/two.rs"),
        ("a.rs", "c.rs"),
        ("b/one.rs", "b/two.rs"),
        ("b/one.rs", "c.rs"),
    ];
    assert_eq!(graph.edges(), expected);
    assert!(graph.circles().is_empty());
}

#[test]
fn comments_texts_and_tests_import_nothing() {
    let text = "// crate::b::f\n/* use crate::b; */ const A: &str = \"crate::b\\\"crate::b\"; const B: char = '\"';\n\
        const C: &str = r#\"\"crate::b\"#; fn f<'a>() {}\n#[cfg(test)]\nmod tests { use crate::b; fn f() {} }\n";
    let graph = graph(&[ROOT, ("a.rs", text), ("b.rs", ""), ("c.rs", "")]);
    assert!(graph.edges().is_empty());
}

#[test]
fn a_circle_is_found_however_long_and_a_module_with_content_is_a_file() {
    let graph = graph(&[
        ROOT,
        ("a.rs", "use crate::b::g;\n"),
        (
            "b/mod.rs",
            "mod inner;\nuse inner::f;\npub fn g() { f() }\n",
        ),
        ("b/inner.rs", "pub fn f() { super::super::c::h() }\n"),
        ("c.rs", "use crate::a;\npub fn h() {}\n"),
    ]);
    let circles: Vec<_> = graph.circles().into_iter().collect();
    assert_eq!(circles, [["a.rs", "b/inner.rs", "b/mod.rs", "c.rs"]]);
}
