//! Keys of specifications: a table for each algorithm, from which come the documentation, the
//! parser, the printer and the values that a search tries.

mod fda;
mod formats;
mod gdfs;
mod hmma8;
mod ieee;
mod key;
mod late;
mod table;
mod values;

use super::error::ModelError;
use crate::algorithms::{Operation, Signature};
use std::sync::LazyLock;
use values::Candidates;

/// Every algorithm, in the order of the documentation.
static TABLES: LazyLock<Vec<Box<dyn Keyed>>> = LazyLock::new(|| {
    vec![
        Box::new(fda::fda()),
        Box::new(hmma8::hmma8()),
        Box::new(ieee::sfma()),
        Box::new(ieee::gps()),
        Box::new(gdfs::gdfs()),
        Box::new(late::fdrda()),
        Box::new(late::gfdrda()),
        Box::new(ieee::exact()),
        Box::new(ieee::ieee()),
    ]
});

/// The same for a person.
static DOCS: LazyLock<Vec<AlgorithmDoc>> = LazyLock::new(|| {
    let mut docs: Vec<_> = TABLES.iter().map(|table| table.doc()).collect();
    for doc in &mut docs {
        doc.keys.insert(1, chain());
    }
    docs
});

/// What an algorithm is, for a person.
#[derive(Clone, Debug)]
pub struct AlgorithmDoc {
    /// Its name in specifications.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Where it is from.
    pub source: &'static str,
    /// Its keys.
    pub keys: Vec<KeyDoc>,
}

/// What a key means.
#[derive(Clone, Debug)]
pub struct KeyDoc {
    /// The key.
    pub name: &'static str,
    /// The values it takes.
    pub values: String,
    /// Its value when it is not given.
    pub default: String,
    /// What it does.
    pub meaning: &'static str,
    candidates: Candidates,
}

impl KeyDoc {
    /// The values of the key that a model of this signature has a use for: of exponents those that
    /// terms can have, of numbers of products those that divide its own. Some of them may not go
    /// together with other keys.
    pub fn candidates(&self, signature: &Signature) -> Vec<String> {
        self.candidates.of(signature)
    }
}

/// Every algorithm has this key as its second one.
fn chain() -> KeyDoc {
    KeyDoc {
        name: "chain",
        values: "1 to 4096".into(),
        default: "1".into(),
        meaning: "operations in sequence, each result the next c; the model takes K * chain \
             products",
        candidates: Candidates::Divisors,
    }
}

/// Every algorithm.
pub fn algorithms() -> &'static [AlgorithmDoc] {
    &DOCS
}

/// The keys of one algorithm, whatever its parameters are.
trait Keyed: Send + Sync {
    fn doc(&self) -> AlgorithmDoc;

    /// The operation that keys give, all of which the algorithm has.
    ///
    /// # Errors
    /// If a key has a value that it cannot have.
    fn read(&self, given: &[(String, String)]) -> Result<Operation, ModelError>;

    /// All keys of an operation of this algorithm with their values.
    fn texts(&self, operation: &Operation) -> Option<Vec<Text>>;
}

/// The operation of the algorithm of that name with these keys, `chain` apart; of one key the last
/// value counts.
///
/// # Errors
/// If there is no such algorithm, or a key is wrong.
pub(super) fn read(name: &str, given: &[(String, String)]) -> Result<Operation, ModelError> {
    let mut known = DOCS.iter().zip(TABLES.iter());
    let Some((doc, table)) = known.find(|(doc, _)| doc.name == name) else {
        return Err(ModelError::UnknownAlgorithm {
            found: name.into(),
            expected: join(DOCS.iter().map(|doc| doc.name), ", "),
        });
    };
    let is_known = |key: &str| doc.keys.iter().any(|doc| doc.name == key);
    match given.iter().find(|(key, _)| !is_known(key)) {
        None => table.read(given),
        Some((key, _)) => Err(ModelError::UnknownKey {
            key: key.clone(),
            algorithm: name.into(),
            expected: join(doc.keys.iter().map(|doc| doc.name), " "),
        }),
    }
}

/// The name of the algorithm of an operation, and all keys with the one that tells the number of
/// products first.
pub(super) fn texts(operation: &Operation) -> (&'static str, Vec<Text>) {
    let mut all = DOCS.iter().zip(TABLES.iter());
    all.find_map(|(doc, table)| Some((doc.name, table.texts(operation)?)))
        .unwrap_or_default()
}

/// A key with its value, and the value that need not be said.
pub(super) struct Text {
    pub key: &'static str,
    pub value: String,
    pub default: String,
}

fn join<'x>(names: impl Iterator<Item = &'x str>, between: &str) -> String {
    names.collect::<Vec<_>>().join(between)
}

pub(super) fn bad_value(key: &str, value: &str, expected: &str) -> ModelError {
    ModelError::BadValue {
        key: key.into(),
        value: value.into(),
        expected: expected.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::algorithms;
    use crate::model::Model;

    #[test]
    fn what_is_printed_is_read_again() {
        for doc in algorithms() {
            let model = Model::parse(doc.name).unwrap();
            for key in &doc.keys {
                // A default that is a value, and not a sentence, changes nothing.
                if let Ok(same) = model.with(&format!("{}={}", key.name, key.default)) {
                    assert_eq!(same.canonical(), model.canonical(), "{}", key.name);
                }
                let mut taken = 0;
                for value in key.candidates(&model.signature()) {
                    // Some values do not go together with the others.
                    let Ok(changed) = model.with(&format!("{}={value}", key.name)) else {
                        continue;
                    };
                    taken += 1;
                    let again = Model::parse(&changed.canonical()).unwrap();
                    assert_eq!(again.algorithm(), changed.algorithm(), "{changed}");
                }
                assert!(taken > 0, "no value of {} of {}", key.name, doc.name);
            }
        }
    }
}
