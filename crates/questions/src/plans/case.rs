//! A product that a plan is asked for: what is known of it, by name.

use std::collections::BTreeMap;
use std::fmt;

/// Something that is known of a product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A whole number: an extent, a number of bytes, a field of a heuristic.
    Number(i64),
    /// A word: a format, `true` or `false`.
    Word(String),
}

/// What is known of a product: `M`, `N`, `K`, the formats `a`, `b` and `out`, and whatever else the
/// rules of a table ask for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case(BTreeMap<String, Value>);

impl Case {
    /// A product of M x K by K x N.
    pub fn of_shape([m, n, k]: [u64; 3]) -> Case {
        let extents = [("M", m), ("N", n), ("K", k)];
        let number = |n: u64| Value::Number(i64::try_from(n).unwrap_or(i64::MAX));
        let known = extents.map(|(name, n)| (name.to_owned(), number(n)));
        Case(known.into())
    }

    /// The same case, of which one thing more is known; `text` is read as a number where it is one.
    /// A number may end in K, M or G for 1024, 1024^2 or 1024^3.
    #[must_use]
    pub fn with(mut self, name: &str, text: &str) -> Case {
        self.0.insert(name.to_owned(), Value::read(text));
        self
    }

    /// What is known by this name. `X mod N` is the remainder of the number X; `loses_k` says whether
    /// a split kernel of cuBLASLt leaves out the last products (bitequiv/cublas_match of
    /// facebookexperimental/triton).
    pub fn get(&self, name: &str) -> Option<Value> {
        if name == "loses_k" {
            let (k, parts) = (self.number("K")?, self.number("S")?.max(1));
            let (blocks, rest) = (k.div_euclid(64), k.rem_euclid(64));
            let loses = rest > 0 && blocks % parts == 0 && parts > rest;
            return Some(Value::Word(loses.to_string()));
        }
        match name.split_once(" mod ") {
            None => self.0.get(name).cloned(),
            Some((number, modulus)) => {
                let modulus: i64 = modulus.trim().parse().ok().filter(|modulus| *modulus > 0)?;
                let number = self.number(number.trim())?;
                Some(Value::Number(number.rem_euclid(modulus)))
            }
        }
    }

    /// The number that is known by this name.
    pub fn number(&self, name: &str) -> Option<i64> {
        match self.0.get(name)? {
            Value::Number(number) => Some(*number),
            Value::Word(_) => None,
        }
    }

    /// The word that is known by this name.
    pub fn word(&self, name: &str) -> Option<&str> {
        match self.0.get(name)? {
            Value::Word(word) => Some(word),
            Value::Number(_) => None,
        }
    }

    /// What is known, by name.
    pub fn known(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }
}

impl Value {
    /// A number where the text is one, else a word.
    pub fn read(text: &str) -> Value {
        let (digits, shift) = match text.as_bytes().last() {
            Some(b'K') => (&text[..text.len() - 1], 10),
            Some(b'M') => (&text[..text.len() - 1], 20),
            Some(b'G') => (&text[..text.len() - 1], 30),
            _ => (text, 0),
        };
        let number = digits.parse::<i64>().ok();
        match number.and_then(|number| number.checked_mul(1 << shift)) {
            Some(number) => Value::Number(number),
            None => Value::Word(text.to_owned()),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => number.fmt(f),
            Value::Word(word) => word.fmt(f),
        }
    }
}
