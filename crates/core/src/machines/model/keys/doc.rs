//! What is told of keys: to a person, and to whoever reads and prints them.

use super::values::Candidates;
use crate::base::near::did_you_mean;
use crate::machines::algorithms::Signature;
use crate::machines::model::error::ModelError;
use crate::numbers::float::Format;

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

impl AlgorithmDoc {
    /// # Errors
    /// If one of the keys that are given is none of these.
    pub(super) fn knows(&self, given: &[(String, String)]) -> Result<(), ModelError> {
        let is_known = |key: &str| self.keys.iter().any(|doc| doc.name == key);
        let Some((key, _)) = given.iter().find(|(key, _)| !is_known(key)) else {
            return Ok(());
        };
        Err(self.unknown(key))
    }

    /// The error about a key that is none of these.
    pub(in crate::machines::model) fn unknown(&self, key: &str) -> ModelError {
        let keys: Vec<_> = self.keys.iter().map(|doc| doc.name).collect();
        ModelError::UnknownKey {
            key: key.into(),
            algorithm: self.name.into(),
            expected: keys.join(" "),
            hint: did_you_mean(key, keys.iter().copied()),
        }
    }

    /// The key of that name, or the only one that differs from it in upper and lower case alone.
    pub(in crate::machines::model) fn key(&self, name: &str) -> Option<&KeyDoc> {
        let exact = self.keys.iter().find(|doc| doc.name == name);
        let mut alike = (self.keys.iter()).filter(|doc| doc.name.eq_ignore_ascii_case(name));
        exact.or(alike.next().filter(|_| alike.next().is_none()))
    }

    /// The keys that are given, spelled as these are where they differ in upper and lower case
    /// alone; a format with block scales, `in=nvfp4`, is taken apart into formats and block.
    pub(super) fn spelled(&self, given: &[(String, String)]) -> Vec<(String, String)> {
        let mut spelled = Vec::with_capacity(given.len());
        for (key, value) in given {
            let key = self.key(key).map_or(key.as_str(), |doc| doc.name);
            let scaled = Format::scaled_known_as(value).filter(|_| key == "in");
            let has_scales = self.keys.iter().any(|doc| doc.name == "scale");
            match scaled.filter(|_| has_scales) {
                Some((factors, scale, block)) => {
                    spelled.push((key.into(), factors.name().into()));
                    spelled.push(("scale".into(), scale.name().into()));
                    spelled.push(("block".into(), block.to_string()));
                }
                None => spelled.push((key.into(), value.clone())),
            }
        }
        spelled
    }
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
    pub(super) candidates: Candidates,
}

impl KeyDoc {
    /// The values of the key that a model of this signature has a use for: of exponents those that
    /// terms can have, of numbers of products those that divide its own. Some of them may not go
    /// together with other keys.
    pub fn candidates(&self, signature: &Signature) -> Vec<String> {
        self.candidates.of(signature)
    }
}

/// The keys of one algorithm or composition, of which they make a `T`, whatever its parameters are.
pub(super) trait Keyed<T>: Send + Sync {
    fn doc(&self) -> AlgorithmDoc;

    /// What keys give, all of which the algorithm has.
    ///
    /// # Errors
    /// If a key has a value that it cannot have.
    fn read(&self, given: &[(String, String)]) -> Result<T, ModelError>;

    /// All keys of what this algorithm makes, with their values.
    fn texts(&self, made: &T) -> Option<Vec<KeyText>>;

    /// The key that a word without one is a value of: the first that takes it, of those that are
    /// not in `given`. The number of products is none of them.
    fn key_of(&self, word: &str, given: &[(String, String)]) -> Option<&'static str>;
}

/// A key with its value, and the value that need not be said.
pub(in crate::machines::model) struct KeyText {
    pub key: &'static str,
    pub value: String,
    pub default: String,
}

pub(in crate::machines::model) fn bad_value(key: &str, value: &str, expected: &str) -> ModelError {
    ModelError::BadValue {
        key: key.into(),
        value: value.into(),
        expected: expected.into(),
    }
}
