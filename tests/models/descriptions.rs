//! Descriptions: the text of every algorithm gives what the algorithm gives, and is read as it was
//! written.

use crate::common::drawn::{FAMILIES, INTEGERS};
use crate::common::inputs::draw;
use mmasmt_core::machines::algorithms::descriptions::{Description, Tree};
use mmasmt_core::machines::model::{Algorithm, Model, architectures};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// The first operation of a model as a description, if there is one.
fn described(model: &Model) -> Result<Model, String> {
    let Some((operation, _)) = model.algorithm().operation() else {
        return Err("a composition".into());
    };
    let description = operation.description().map_err(|error| error.to_string())?;
    let text = description.tree().to_string();
    let again = Tree::parse(&text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
    assert_eq!(again.one_line(), description.tree().one_line());
    let read = Description::parse(&description.tree().one_line()).unwrap();
    assert_eq!(read, description, "{text}");
    let name = format!("unit:{{{}}}", description.tree().one_line());
    Ok(Model::parse(&name).unwrap_or_else(|error| panic!("{error} in\n{text}")))
}

/// Compares both on inputs of all kinds.
fn is_the_same(model: &Model, count: usize, seed: u64) -> Result<(), String> {
    let [first, _] = model.operations().unwrap();
    let unit = described(&first)?;
    assert_eq!(unit.signature(), first.signature(), "{model}");
    let (mut rng, signature) = (ChaCha8Rng::seed_from_u64(seed), first.signature());
    let (mut simulator, mut other) = (first.simulator(), unit.simulator());
    for _ in 0..count {
        let inputs = draw(&mut rng, &signature);
        let expected = simulator.evaluate(&inputs).unwrap();
        let found = other.evaluate(&inputs).unwrap();
        assert!(
            first.accepts(found, expected),
            "{first}: {expected:x}, described {found:x} for {}\n{}",
            inputs.to_line(&signature),
            Tree::parse(
                unit.to_string()
                    .trim_start_matches("unit:{")
                    .trim_end_matches('}')
            )
            .map_or_else(|_| unit.to_string(), |tree| tree.to_string()),
        );
    }
    Ok(())
}

/// Why rows have no description, and how many different ones.
const UNSAID: [(&str, u32); 1] = [(
    "expected a unit that a description can say, found one with the order of infinities and NaNs of RDNA, and terms that are complemented against c",
    16,
)];

#[test]
fn every_row_is_described() {
    let mut unsaid = BTreeMap::new();
    for architecture in architectures().unwrap() {
        let mut seen: Vec<Algorithm> = Vec::new();
        for row in &architecture.rows {
            let model = Model::parse(&format!("{}/{}", row.architecture, row.name)).unwrap();
            if seen.contains(model.algorithm()) {
                continue;
            }
            seen.push(model.algorithm().clone());
            if let Err(what) = is_the_same(&model, 300, 7) {
                *unsaid.entry(what).or_insert(0) += 1;
            }
        }
    }
    let said: Vec<(&str, u32)> = unsaid
        .iter()
        .map(|(what, count)| (&what[..], *count))
        .collect();
    assert_eq!(said, UNSAID);
}

#[test]
fn drawn_algorithms_are_described() {
    for (name, draw) in FAMILIES.iter().chain([&INTEGERS]) {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let rounds = 60;
        let said =
            (0..rounds).filter(|round| is_the_same(&draw(&mut rng).model(), 60, *round).is_ok());
        println!("{name}: {} of {rounds}", said.count());
    }
}
