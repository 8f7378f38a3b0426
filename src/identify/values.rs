//! Values that the keys of an algorithm take, as its documentation lists them.

use crate::algorithms::Signature;
use crate::float::Format;
use crate::model::{KeyDoc, Model, ModelError, algorithms};
use rustc_hash::FxHashSet;

/// A range of more numbers is one of exponents, of which those count that terms can have.
const NARROW: i64 = 256;

/// Every value of a key that its documentation names: single words, and whole numbers `A to B`; of
/// exponents those that terms of the signature can have, of numbers of products those that divide it.
/// Some of them may not go together with other keys.
pub(super) fn values(doc: &KeyDoc, signature: &Signature) -> Vec<String> {
    let words: Vec<&str> = doc
        .values
        .split([' ', ','])
        .filter(|word| !word.is_empty())
        .collect();
    let products = signature.products;
    let counts_products = matches!(doc.name, "K" | "chain" | "G" | "block");
    if counts_products {
        // Blocks of scales may be cut short, sums may not.
        let fits = |count: &u32| doc.name == "block" || products.is_multiple_of(*count);
        let counts = (1..=products).filter(fits);
        return counts.map(|count| count.to_string()).collect();
    }
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let range = match words.get(at..at + 3) {
            Some([from, "to", to]) => from.parse().ok().map(|from: i64| (from, to.parse().ok())),
            _ => None,
        };
        match range {
            // `1 to the format's`: as many as any format has.
            Some((from, to)) => {
                let to = to.unwrap_or(64);
                let (from, to) = match to - from {
                    0..NARROW => (from, to),
                    _ => reach(signature),
                };
                all.extend((from..=to).map(|number| number.to_string()));
                at += 3;
            }
            None => {
                all.push((*word).to_owned());
                at += 1;
            }
        }
    }
    if words.contains(&"format") {
        all.extend(Format::ALL.map(|format| format.name().to_owned()));
    }
    all
}

/// The least and the greatest exponent that a term can have, and one more.
fn reach(signature: &Signature) -> (i64, i64) {
    let Signature { a, b, c, .. } = signature;
    let low = |format: &Format| i64::from(format.least_exponent());
    let high = |format: &Format| i64::from((1 << format.exponent_bits) - format.bias());
    let least = (low(a) + low(b)).min(low(c));
    (least, (high(a) + high(b)).max(high(c)))
}

/// The documentation of a key of the algorithm of `model`.
pub(super) fn key_docs(model: &Model) -> &'static [KeyDoc] {
    let (name, _) = model.algorithm().parameters();
    let doc = algorithms().iter().find(|doc| doc.name == name);
    doc.map_or(&[], |doc| doc.keys)
}

/// The model with changes; where they tell how many products there are in one operation and not
/// how many operations, so many of those in sequence that the model takes `products`.
pub(super) fn with_shape(model: &Model, changes: &str, products: u32) -> Result<Model, ModelError> {
    let tells = |key: &str| changes.split(',').any(|change| change.starts_with(key));
    let changed = if !tells("K=") || tells("chain=") {
        model.with(changes)?
    } else {
        let once = model.with(&format!("{changes},chain=1"))?;
        let links = (products / once.signature().products.max(1)).max(1);
        model.with(&format!("{changes},chain={links}"))?
    };
    // By a text that names each key once.
    Model::parse(&changed.canonical())
}

/// All models that differ from `model` in one parameter and take the same inputs: every key with
/// every other value that its documentation names; K and chain change together. With each model
/// the parameter, as `KEY=VALUE`.
pub fn mutants(model: &Model) -> Vec<(String, Model)> {
    let signature = model.signature();
    let mut known = FxHashSet::from_iter([model.canonical()]);
    let mut all = Vec::new();
    for doc in key_docs(model).iter().filter(|doc| doc.name != "chain") {
        for value in values(doc, &signature) {
            let change = format!("{}={value}", doc.name);
            // What the other parameters do not allow, or what takes other inputs, is no mutant.
            let mutant = with_shape(model, &change, signature.products).ok();
            let Some(mutant) = mutant.filter(|mutant| mutant.signature() == signature) else {
                continue;
            };
            if known.insert(mutant.canonical()) {
                all.push((change, mutant));
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{key_docs, values};
    use crate::model::Model;

    #[test]
    fn values_are_those_that_the_signature_has_a_use_for() {
        let model = Model::parse("fda:K=6,in=e2m1,scale=ue8m0,block=4").unwrap();
        let of = |key: &str| {
            let doc = key_docs(&model).iter().find(|doc| doc.name == key).unwrap();
            values(doc, &model.signature())
        };
        assert_eq!(of("K"), ["1", "2", "3", "6"]);
        assert_eq!(of("block"), ["1", "2", "3", "4", "5", "6"]);
        // All exponents that terms have, of the thousands that the key may say.
        let exponents: Vec<i64> = of("emin").iter().flat_map(|word| word.parse()).collect();
        assert!(exponents.len() < 1000, "{}", exponents.len());
        assert!(exponents.contains(&-20) && exponents.contains(&10));
    }
}
