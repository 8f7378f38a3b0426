//! Keys of specifications: a table for each algorithm. The documentation, the parser, the printer
//! and the values that a search tries all come from these tables.

mod compositions;
mod doc;
mod formats;
mod key;
mod library;
mod named;
mod ozaki;
mod parameters;
mod schemes;
mod table;
mod unit;
mod values;

pub use doc::{AlgorithmDoc, KeyDoc};
pub(super) use doc::{KeyText, bad_value};
pub use named::named_units;
pub(super) use named::{forget_units, name_unit};

use super::error::ModelError;
use super::spec::{COMPOSE, UNIT};
use crate::machines::algorithms::descriptions::Tree;
use crate::machines::algorithms::{Description, Operation};
use crate::machines::compositions::CompositionKind;
use doc::{KeySet, chain};
use mmasmt_numbers::base::near::did_you_mean;
use std::sync::{Arc, LazyLock};
use unit::NamedDescription;

/// The keys of an algorithm.
enum Algorithm {
    /// The parameters of its description.
    Description(&'static NamedDescription),
    /// A table, as the language of descriptions has no words for a step.
    Table(Box<dyn KeySet<Operation>>),
}

impl Algorithm {
    fn doc(&self) -> AlgorithmDoc {
        match self {
            Algorithm::Description(known) => known.doc.clone(),
            Algorithm::Table(table) => {
                let mut doc = table.doc();
                doc.keys.insert(1, chain());
                doc
            }
        }
    }
}

/// The keys of every algorithm, in the order of the documentation.
static ALGORITHMS: LazyLock<Vec<Algorithm>> = LazyLock::new(|| {
    let texts = DESCRIPTIONS.iter().copied().map(Algorithm::Description);
    let mut all: Vec<Algorithm> = texts.collect();
    all.push(Algorithm::Table(Box::new(ozaki::slices())));
    all.push(Algorithm::Table(Box::new(ozaki::residues())));
    all
});

/// The algorithms that are descriptions. A text of the program is one, so that it is known here.
static DESCRIPTIONS: LazyLock<Vec<&'static NamedDescription>> = LazyLock::new(|| {
    let known = |(name, text): &(&str, &'static str)| {
        let tree = Tree::parse(text).unwrap_or_else(|error| unreachable!("{name}.unit: {error}"));
        let known = NamedDescription::new(Arc::new(tree), (*name).to_owned(), Some(text));
        let known: &'static NamedDescription = Box::leak(Box::new(known));
        known
    };
    library::ALGORITHMS.iter().map(known).collect()
});

/// The table of every composition, in the order of the documentation.
static KINDS: LazyLock<Vec<Box<dyn KeySet<CompositionKind>>>> = LazyLock::new(|| {
    let mut all: Vec<Box<dyn KeySet<CompositionKind>>> = vec![
        Box::new(compositions::promote()),
        Box::new(compositions::split()),
        Box::new(compositions::epilogue()),
        Box::new(compositions::adapt()),
    ];
    all.extend(schemes::all());
    all
});

/// The documentation of every composition.
static KIND_DOCS: LazyLock<Vec<AlgorithmDoc>> =
    LazyLock::new(|| KINDS.iter().map(|table| table.doc()).collect());

/// The documentation of every algorithm.
static DOCS: LazyLock<Vec<AlgorithmDoc>> =
    LazyLock::new(|| ALGORITHMS.iter().map(Algorithm::doc).collect());

/// The documentation of every composition.
pub fn compositions() -> &'static [AlgorithmDoc] {
    &KIND_DOCS
}

/// The documentation of the algorithm or composition with this name.
pub fn documentation(name: &str) -> Option<&'static AlgorithmDoc> {
    if name.starts_with(UNIT) || name.starts_with(COMPOSE) {
        return unit::known(name).ok().map(|known| &known.doc);
    }
    let documented = schemes::documented(name);
    let compositions = KIND_DOCS.iter().find(|doc| doc.name == documented);
    compositions.or_else(|| {
        let mut algorithms = DOCS.iter();
        algorithms.find(|doc| doc.name.eq_ignore_ascii_case(name))
    })
}

/// Whether a composition has this name.
pub fn is_composition(name: &str) -> bool {
    if name.starts_with(COMPOSE) {
        return true;
    }
    let documented = schemes::documented(name);
    KIND_DOCS.iter().any(|doc| doc.name == documented)
}

/// The composition with this name and these keys; a value without a key belongs to the first key
/// that takes it and has no value yet.
///
/// # Errors
/// If there is no such composition, or a key is wrong.
pub(super) fn read_kind(
    name: &str,
    given: &[(String, String)],
) -> Result<CompositionKind, ModelError> {
    if name.starts_with(COMPOSE) {
        return unit::known(name)?
            .recipe(name, given)
            .map(CompositionKind::Recipe);
    }
    let mut known = KIND_DOCS.iter().zip(KINDS.iter());
    let documented = schemes::documented(name);
    let Some((doc, table)) = known.find(|(doc, _)| doc.name == documented) else {
        return Err(ModelError::UnknownComposition {
            found: name.into(),
            expected: join(KIND_DOCS.iter().map(|doc| doc.name), ", "),
            hint: did_you_mean(name, KIND_DOCS.iter().map(|doc| doc.name)),
        });
    };
    let mut keys: Vec<(String, String)> = Vec::new();
    let (words, named): (Vec<_>, Vec<_>) =
        given.iter().cloned().partition(|(key, _)| key.is_empty());
    keys.extend(named);
    for (_, word) in words {
        let key = table.key_of(&word, &keys);
        let key = key.ok_or_else(|| ModelError::UnknownWord {
            composition: name.into(),
            found: word.clone(),
            expected: join(doc.keys.iter().map(|doc| doc.name), " "),
        })?;
        keys.push((key.into(), word));
    }
    let keys = doc.spelled(&keys);
    doc.knows(&keys)?;
    table.read(&keys)
}

/// If `error` is about a key that the unit lacks and the composition around the unit has, returns
/// an error that says so; otherwise returns `error`.
pub(super) fn key_outside(error: ModelError, composition: &str) -> ModelError {
    let doc = KIND_DOCS.iter().find(|doc| doc.name == composition);
    let has = |key: &str| doc.is_some_and(|doc| doc.keys.iter().any(|known| known.name == key));
    match error {
        ModelError::UnknownKey { key, algorithm, .. } if has(&key) => ModelError::KeyOutside {
            key,
            algorithm,
            composition: composition.into(),
        },
        other => other,
    }
}

/// The name of a composition, and all its keys and values with the number of products first.
pub(super) fn kind_texts(kind: &CompositionKind) -> (&'static str, Vec<KeyText>) {
    if let CompositionKind::Recipe(recipe) = kind {
        return unit::texts_of_recipe(recipe).unwrap_or(("composition", Vec::new()));
    }
    let mut all = KIND_DOCS.iter().zip(KINDS.iter());
    all.find_map(|(doc, table)| Some((doc.name, table.texts(kind)?)))
        .unwrap_or_default()
}

/// The documentation of every algorithm.
pub fn algorithms() -> &'static [AlgorithmDoc] {
    &DOCS
}

/// The operation of the algorithm with this name and these keys, which do not include `chain`. If a
/// key is given twice, its last value counts.
///
/// # Errors
/// If there is no such algorithm, or a key is wrong.
pub(super) fn read(name: &str, given: &[(String, String)]) -> Result<Operation, ModelError> {
    if name.starts_with(UNIT) {
        return unit::known(name)?.read(name, given);
    }
    let mut known = DOCS.iter().zip(ALGORITHMS.iter());
    let Some((doc, algorithm)) = known.find(|(doc, _)| doc.name.eq_ignore_ascii_case(name)) else {
        return Err(ModelError::UnknownAlgorithm {
            found: name.into(),
            expected: join(DOCS.iter().map(|doc| doc.name), ", "),
            hint: near_algorithm(name),
        });
    };
    match algorithm {
        Algorithm::Description(known) => known.read(doc.name, given),
        Algorithm::Table(table) => {
            let given = doc.spelled(given);
            doc.knows(&given)?;
            table.read(&given)
        }
    }
}

/// The name of the algorithm of an operation, and all its keys and values, the number of products
/// first.
pub(super) fn texts(operation: &Operation) -> (&'static str, Vec<KeyText>) {
    if let Some(description) = operation.description() {
        return unit::texts(&DESCRIPTIONS, description);
    }
    let mut all = DOCS.iter().zip(ALGORITHMS.iter());
    let found = all.find_map(|(doc, algorithm)| match algorithm {
        Algorithm::Table(table) => Some((doc.name, table.texts(operation)?)),
        Algorithm::Description(_) => None,
    });
    found.unwrap_or_default()
}

/// Whether the description is that of an algorithm, and not somebody's text.
pub(super) fn is_algorithm(description: &Description) -> bool {
    let mut all = DESCRIPTIONS.iter();
    all.any(|known| Arc::ptr_eq(&known.tree, description.tree()))
}

/// A suggestion for an unknown algorithm.
fn near_algorithm(found: &str) -> String {
    if is_composition(found) {
        format!("; a composition is made of a model, `{found}(MODEL)`")
    } else if found.ends_with(".unit") {
        format!(", did you mean `unit:{found}`?")
    } else {
        did_you_mean(
            found,
            DOCS.iter().chain(KIND_DOCS.iter()).map(|doc| doc.name),
        )
    }
}

fn join<'x>(names: impl Iterator<Item = &'x str>, between: &str) -> String {
    names.collect::<Vec<_>>().join(between)
}
