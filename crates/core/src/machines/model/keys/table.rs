//! The table of an algorithm: its keys, and the function that makes an operation of them.

use super::doc::{AlgorithmDoc, KeySet, KeyText, bad_value};
use super::key::{Key, Keys};
use super::values::Values;
use crate::machines::model::ModelError;
use mmasmt_numbers::float::{ValueError, parse_value};

/// An algorithm whose parameters are `P`, with its keys.
pub(super) struct KeyTable<P, T> {
    pub name: &'static str,
    pub summary: &'static str,
    pub source: &'static str,
    /// The parameters where no key is given.
    pub base: P,
    pub keys: Keys<P>,
    /// Checks that the values of the keys can be combined.
    pub check: fn(&P) -> Result<(), ModelError>,
    pub make: fn(P) -> T,
    pub params: fn(&T) -> Option<P>,
}

/// The error about a wrong value of a key. If the value is a number that the format of the key
/// lacks, the error names the numbers near it.
fn wrong(key: &str, value: &str, values: &Values) -> ModelError {
    let found = values.format.map(|format| parse_value(&format, value));
    match found {
        Some(Err(error @ (ValueError::Inexact { .. } | ValueError::OutOfRange { .. }))) => {
            ModelError::NotInFormat {
                key: key.into(),
                value: value.into(),
                error: Box::new(error),
            }
        }
        _ => bad_value(key, value, &values.expected),
    }
}

impl<P: Copy + Send + Sync, T> KeySet<T> for KeyTable<P, T> {
    fn doc(&self) -> AlgorithmDoc {
        let keys = self.keys.0.iter().map(|key| key.doc(&self.base));
        AlgorithmDoc {
            name: self.name,
            summary: self.summary,
            source: self.source,
            keys: keys.collect(),
        }
    }

    fn read(&self, given: &[(String, String)]) -> Result<T, ModelError> {
        let mut params = self.base;
        for follows in [false, true] {
            for (name, value) in given {
                let key = self.keys.0.iter().find(|key| key.name == name);
                let Some(key) = key.filter(|key| key.follows == follows) else {
                    continue;
                };
                let set = (key.set)(&mut params, value);
                set.ok_or_else(|| wrong(name, value, &(key.values_beside)(&params)))?;
            }
        }
        (self.check)(&params)?;
        Ok((self.make)(params))
    }

    fn texts(&self, made: &T) -> Option<Vec<KeyText>> {
        let params = (self.params)(made)?;
        // The base parameters with all keys set that do not follow from other keys. They show the
        // defaults of the keys that do follow from other keys.
        let mut implied = self.base;
        for key in self.keys.0.iter().filter(|key| !key.follows) {
            // The text of a key's own value is always one of its values.
            let _ = (key.set)(&mut implied, &(key.get)(&params));
        }
        let said = self.keys.0.iter().filter(|key| (key.is_said)(&params));
        let text = |key: &Key<P>| KeyText {
            key: key.name,
            value: (key.get)(&params),
            default: match (key.is_shown, key.follows) {
                (true, _) => String::new(),
                (false, false) => (key.get)(&self.base),
                (false, true) => (key.get)(&implied),
            },
        };
        Some(said.map(text).collect())
    }

    fn key_of(&self, word: &str, given: &[(String, String)]) -> Option<&'static str> {
        let is_free = |key: &&Key<P>| given.iter().all(|(name, _)| name != key.name);
        let mut keys = self.keys.0.iter().skip(1).filter(is_free);
        let takes = |key: &&Key<P>| (key.set)(&mut self.base.clone(), word).is_some();
        keys.find(takes).map(|key| key.name)
    }
}
