//! What `prove` and `distinguish` say, held against an oracle that shares no code with them: every
//! property as its sentence in `PROPERTIES` says it, over exact rationals, and every domain by its
//! definition.

mod attack;
mod domain;
mod draw;
pub mod number;
mod once_wrong;
mod pairs;
mod rounded;
mod sentence;
mod triples;

use std::str::FromStr;

/// A number that the environment gives, or the usual one.
fn setting<T: FromStr>(name: &str, usual: T) -> T {
    match std::env::var(name) {
        Ok(text) => match text.parse() {
            Ok(number) => number,
            Err(_) => panic!("{name}: expected a number, found `{text}`"),
        },
        Err(_) => usual,
    }
}

#[test]
fn every_property_has_its_sentence() {
    let names = mmasmt::property::PROPERTIES.iter();
    let known = names.map(|doc| doc.name.split('=').next().unwrap());
    let missing: Vec<_> = known
        .filter(|name| !draw::PROPERTIES.contains(name))
        // Those of integers have theirs in `integers.rs`.
        .filter(|name| !["exact", "no-overflow"].contains(name))
        .collect();
    assert!(missing.is_empty(), "without an oracle: {missing:?}");
}
