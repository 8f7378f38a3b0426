//! Models that differ from one model in the value of one key.

use mmasmt_core::machines::algorithms::descriptions::{CutFlags, Flags, Tininess};
use mmasmt_core::machines::algorithms::{DotAdd, Operation};
use mmasmt_core::machines::model::{Algorithm, Model, ModelError, spelled};
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
/// `splitk.fda.F=19`. A description is changed in each of its options and steps as well. An external
/// design has no mutants.
pub fn mutants(model: &Model) -> Vec<(String, Model)> {
    if let Some((Operation::Flags(flags), _)) = model.algorithm().operation() {
        return of_flags(flags);
    }
    let signature = model.signature();
    let mut known = FxHashSet::from_iter([model.canonical()]);
    let mut all = Vec::new();
    for (path, layer) in model.algorithm().layers() {
        let docs = layer.keys().iter().filter(|doc| doc.name != "chain");
        let changes = docs.flat_map(|doc| {
            let values = doc.candidates(&layer.signature()).into_iter();
            values.map(|value| format!("{}={value}", spelled(&path, doc.name)))
        });
        for change in changes.chain(together(&path, layer)) {
            // Values that the other parameters do not allow, and models with another signature, are
            // not mutants.
            let mutant = with_shape(model, &change, signature.products).ok();
            let Some(mutant) = mutant.filter(|mutant| mutant.signature() == signature) else {
                continue;
            };
            if known.insert(mutant.canonical()) {
                all.push((change, mutant));
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

/// The flags of all mutants of a unit, and with each of the two rules of flags changed.
fn of_flags(flags: &Flags) -> Vec<(String, Model)> {
    let unit = Operation::Description(Box::new(flags.unit().clone()));
    let name = Algorithm::Operation(unit).canonical();
    let tiny = match flags.tininess() {
        Tininess::After => ["after", "before"],
        Tininess::Before => ["before", "after"],
    };
    let cuts = match flags.cuts() {
        CutFlags::Raised => ["raised", "silent"],
        CutFlags::Silent => ["silent", "raised"],
    };
    let flags_of = |unit: &str, [tiny, cuts]: [&str; 2]| {
        Model::parse(&format!("flags({unit}, tiny={tiny}, cuts={cuts})")).ok()
    };
    let own = [tiny[0], cuts[0]];
    let units = Model::parse(&name).map_or(Vec::new(), |unit| mutants(&unit));
    let changed = units
        .into_iter()
        .filter_map(|(change, unit)| Some((change, flags_of(&unit.algorithm().canonical(), own)?)));
    let rules = [
        (format!("tiny={}", tiny[1]), [tiny[1], cuts[0]]),
        (format!("cuts={}", cuts[1]), [tiny[0], cuts[1]]),
    ];
    let rules = rules
        .into_iter()
        .filter_map(|(change, rules)| Some((change, flags_of(&name, rules)?)));
    changed.chain(rules).collect()
}

/// Changes of two keys, where one does nothing beside the value that the other has: what becomes of a
/// sum that has too many bits, where it has all of them.
fn together(path: &str, layer: &Algorithm) -> Vec<String> {
    let (_, own) = layer.parameters();
    let has_all = own
        .iter()
        .any(|(key, value)| *key == CARRY && value == ALL_BITS);
    let mut keys = layer.keys().iter();
    let Some(overflow) = keys.find(|key| has_all && key.name == OVERFLOW) else {
        return Vec::new();
    };
    // A sum of so many terms, each below 4, has at most so many bits beyond the first.
    let most = layer.signature().products.ilog2() + 3;
    let values = overflow.candidates(&layer.signature()).into_iter();
    let values = values.filter(|value| !own.contains(&(OVERFLOW, value.clone())));
    let changes = values.flat_map(|value| {
        let [carry, overflow] = [CARRY, OVERFLOW].map(|key| spelled(path, key));
        (0..=most).map(move |bits| format!("{carry}={bits},{overflow}={value}"))
    });
    changes.collect()
}

/// The keys of a sum with a number of bits, and the value with which it has all of them.
const CARRY: &str = "carry";
const OVERFLOW: &str = "overflow";
const ALL_BITS: &str = "full";

/// The models that have another description of their unit, with one option or one step changed; none
/// if the unit is no description.
fn changed_descriptions(model: &Model) -> Vec<(String, Model)> {
    let inside = model.algorithm().inside();
    let Some(unit) = inside.text() else {
        return Vec::new();
    };
    let (whole, (own, _)) = (model.algorithm().canonical(), inside.parameters());
    let (options, steps) = (unit.tree().changes(), unit.tree().edits());
    let changed = options
        .into_iter()
        .chain(steps)
        .filter_map(|(change, tree)| {
            let text = whole.replace(own, &format!("unit:{{{}}}", tree.one_line()));
            Some((change, Model::parse(&text).ok()?))
        });
    changed.collect()
}
