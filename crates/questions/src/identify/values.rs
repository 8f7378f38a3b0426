//! Models that differ from one model in the value of one key.

use mmasmt_core::machines::algorithms::DotAdd;
use mmasmt_core::machines::model::{Algorithm, Model, ModelError, Operation, spelled};
use rustc_hash::FxHashSet;

/// The model with the changes `KEY=VALUE,...`. If the changes give K but not chain, chain is set so
/// that the model takes `products` products.
pub(super) fn with_shape(model: &Model, changes: &str, products: u32) -> Result<Model, ModelError> {
    let tells = |key: &str| changes.split(',').any(|change| change.starts_with(key));
    let is_chain = model.algorithm().operation().is_some();
    // The canonical text of a composition states the values that were derived from its unit. So a
    // change of the unit does not change these values.
    let said;
    let model = if let Algorithm::Composition(_) = model.algorithm() {
        said = Model::parse(&model.canonical())?;
        &said
    } else {
        model
    };
    let changed = if !is_chain || !tells("K=") || tells("chain=") {
        model.with(changes)?
    } else {
        let once = model.with(&format!("{changes},chain=1"))?;
        let links = (products / once.signature().products.max(1)).max(1);
        model.with(&format!("{changes},chain={links}"))?
    };
    // The model is parsed again from a text that names each key once.
    Model::parse(&changed.canonical())
}

/// All models that differ from `model` in one parameter and take the same inputs: every key with
/// each of its other values, in each layer of a composition. If K changes, chain changes with it.
/// Each model comes with its change, `KEY=VALUE`; a key of an inner layer is given with its path:
/// `splitk.fda.F=19`. A description is changed in each of its options as well. An external design has
/// no mutants.
pub fn mutants(model: &Model) -> Vec<(String, Model)> {
    let signature = model.signature();
    let mut known = FxHashSet::from_iter([model.canonical()]);
    let mut all = Vec::new();
    for (path, layer) in model.algorithm().layers() {
        let docs = layer.keys().iter().filter(|doc| doc.name != "chain");
        for doc in docs {
            for value in doc.candidates(&layer.signature()) {
                let change = format!("{}={value}", spelled(&path, doc.name));
                // Values that the other parameters do not allow, and models with another signature,
                // are not mutants.
                let mutant = with_shape(model, &change, signature.products).ok();
                let Some(mutant) = mutant.filter(|mutant| mutant.signature() == signature) else {
                    continue;
                };
                if known.insert(mutant.canonical()) {
                    all.push((change, mutant));
                }
            }
        }
    }
    for (change, mutant) in changed_descriptions(model) {
        if mutant.signature() == signature && known.insert(mutant.canonical()) {
            all.push((change, mutant));
        }
    }
    all
}

/// The models that have another description of their unit, with one option changed; none if the
/// unit is no description.
fn changed_descriptions(model: &Model) -> Vec<(String, Model)> {
    let inside = model.algorithm().inside();
    let Some((Operation::Description(unit), _)) = inside.operation() else {
        return Vec::new();
    };
    let (whole, (own, _)) = (model.canonical(), inside.parameters());
    let changes = unit.tree().changes().into_iter();
    let changed = changes.filter_map(|(change, tree)| {
        let text = whole.replace(own, &format!("unit:{{{}}}", tree.one_line()));
        Some((change, Model::parse(&text).ok()?))
    });
    changed.collect()
}

#[cfg(test)]
mod tests {
    use mmasmt_core::machines::model::Model;

    #[test]
    fn values_are_those_that_the_signature_has_a_use_for() {
        let model = Model::parse("fda:K=6,in=e2m1,scale=ue8m0,block=4").unwrap();
        let of = |key: &str| model.values(key, &model.signature()).unwrap();
        assert_eq!(of("K"), ["1", "2", "3", "6"]);
        assert_eq!(of("block"), ["1", "2", "3", "4", "5", "6"]);
        // The values are all exponents that terms can have, out of the thousands of values that the
        // key admits.
        let exponents: Vec<i64> = of("emin").iter().flat_map(|word| word.parse()).collect();
        assert!(exponents.len() < 1000, "{}", exponents.len());
        assert!(exponents.contains(&-20) && exponents.contains(&10));
    }
}
