//! What `prove` and `distinguish` say, held against an oracle that shares no code with them: every
//! property as its sentence in `PROPERTIES` says it, over exact rationals, and every domain by its
//! definition.

mod attack;
pub mod domain;
mod draw;
mod equal;
mod gaps;
mod greatest;
pub mod number;
mod once_wrong;
mod overflow;
mod pairs;
mod rises;
mod rounded;
mod sentence;
mod triples;

#[test]
fn every_property_has_its_sentence() {
    let names = mmasmt_questions::claims::property::PROPERTIES.iter();
    let known = names.map(|doc| doc.word());
    let missing: Vec<_> = known
        .filter(|name| !draw::PROPERTIES.contains(name))
        // `integers.rs` has the sentences about integers, `flags.rs` that about flags.
        .filter(|name| !["exact", "no-overflow", "never"].contains(name))
        .collect();
    assert!(missing.is_empty(), "without an oracle: {missing:?}");
}
