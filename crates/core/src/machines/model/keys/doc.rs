//! Descriptions of keys: for a person, and for the code that reads and prints them.

use super::values::Candidates;
use crate::machines::algorithms::Signature;
use crate::machines::model::error::ModelError;
use mmasmt_numbers::base::near::did_you_mean;
use mmasmt_numbers::float::Format;

/// The documentation of an algorithm.
#[derive(Clone, Debug)]
pub struct AlgorithmDoc {
    /// The name of the algorithm in specifications.
    pub name: &'static str,
    /// A summary of one line.
    pub summary: &'static str,
    /// The source of the algorithm.
    pub source: &'static str,
    /// The keys of the algorithm.
    pub keys: Vec<KeyDoc>,
}

impl AlgorithmDoc {
    /// Checks that the algorithm has every given key.
    ///
    /// # Errors
    /// If one of the given keys is not a key of this algorithm.
    pub(super) fn knows(&self, given: &[(String, String)]) -> Result<(), ModelError> {
        let is_known = |key: &str| self.keys.iter().any(|doc| doc.name == key);
        let Some((key, _)) = given.iter().find(|(key, _)| !is_known(key)) else {
            return Ok(());
        };
        Err(self.unknown(key))
    }

    /// The error about a key that this algorithm does not have.
    pub(in crate::machines::model) fn unknown(&self, key: &str) -> ModelError {
        let keys: Vec<_> = self.keys.iter().map(|doc| doc.name).collect();
        ModelError::UnknownKey {
            key: key.into(),
            algorithm: self.name.into(),
            expected: keys.join(" "),
            hint: did_you_mean(key, keys.iter().copied()),
        }
    }

    /// The key with this name; if there is none, the only key whose name differs from `name` in
    /// upper and lower case alone.
    pub(in crate::machines::model) fn key(&self, name: &str) -> Option<&KeyDoc> {
        let exact = self.keys.iter().find(|doc| doc.name == name);
        let mut alike = (self.keys.iter()).filter(|doc| doc.name.eq_ignore_ascii_case(name));
        exact.or(alike.next().filter(|_| alike.next().is_none()))
    }

    /// The given keys and values in the spelling of this algorithm, each key once with its last value. A key that
    /// differs from a key of the algorithm in upper and lower case alone is spelled like that key. A format with block
    /// scales, such as `in=nvfp4`, is split into the keys `in`, `scale` and `block`, and `out=e8m13` into `out` and
    /// `frac`, if the algorithm has these.
    pub(super) fn spelled(&self, given: &[(String, String)]) -> Vec<(String, String)> {
        let spell = |key: &String| {
            self.key(key)
                .map_or_else(|| key.clone(), |doc| doc.name.into())
        };
        let has = |key: &str| self.keys.iter().any(|doc| doc.name == key);
        let mut spelled = Vec::with_capacity(given.len());
        for (number, (key, value)) in given.iter().enumerate() {
            let key = &*spell(key);
            if given[number + 1..]
                .iter()
                .any(|(later, _)| spell(later) == key)
            {
                continue;
            }
            let scaled = Format::scaled_known_as(value).filter(|_| key == "in" && has("scale"));
            let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
            match scaled {
                Some((factors, scale, block)) => {
                    spelled.push(pair(key, factors.name()));
                    spelled.push(pair("scale", scale.name()));
                    spelled.push(pair("block", &block.to_string()));
                }
                None if (key, &**value) == ("out", E8M13.0) && has("frac") => {
                    spelled.push(pair(key, Format::F32.name()));
                    spelled.insert(0, pair("frac", E8M13.1));
                }
                None => spelled.push(pair(key, value)),
            }
        }
        spelled
    }
}

/// The short name of f32 with fewer fraction bits, and their number.
const E8M13: (&str, &str) = ("e8m13", "13");

/// The documentation of a key.
#[derive(Clone, Debug)]
pub struct KeyDoc {
    /// The key.
    pub name: &'static str,
    /// The values that the key takes.
    pub values: String,
    /// The default value of the key.
    pub default: String,
    /// The effect of the key.
    pub meaning: &'static str,
    pub(super) candidates: Candidates,
    /// The least and the greatest number that the key takes, if it takes numbers.
    pub(in crate::machines::model) range: Option<[i64; 2]>,
}

impl KeyDoc {
    /// The values of the key that are useful for a model of this signature. For an exponent, these
    /// are the exponents that terms can have; for a number of products, the divisors of the model's
    /// number of products. Some values cannot be combined with some values of other keys.
    pub fn candidates(&self, signature: &Signature) -> Vec<String> {
        self.candidates.of(signature)
    }
}

/// The keys of one algorithm or composition, from which a `T` is made. The trait hides the type of
/// the parameters.
pub(super) trait KeySet<T>: Send + Sync {
    fn doc(&self) -> AlgorithmDoc;

    /// Makes a `T` from the given keys. The algorithm must have every given key.
    ///
    /// # Errors
    /// If a key has a value that it cannot have.
    fn read(&self, given: &[(String, String)]) -> Result<T, ModelError>;

    /// All keys with the values that they have in `made`; `None` if `made` belongs to another
    /// algorithm.
    fn texts(&self, made: &T) -> Option<Vec<KeyText>>;

    /// The key of `word`, a value that is given without a key: the first key that is not in `given`
    /// and takes this value. It is never the number of products.
    fn key_of(&self, word: &str, given: &[(String, String)]) -> Option<&'static str>;
}

/// A key with its value, and its default value.
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

/// The key `chain`, which every algorithm has as its second key.
pub(super) fn chain() -> KeyDoc {
    KeyDoc {
        name: "chain",
        values: "1 to 4096".into(),
        default: "1".into(),
        meaning: "operations in sequence, each result the next c; the model takes K * chain \
             products",
        candidates: Candidates::Divisors,
        range: Some([1, 4096]),
    }
}
