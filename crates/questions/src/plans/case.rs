//! A product that a plan is asked for: what is known of it, by name.

use std::collections::BTreeMap;
use std::fmt;

/// The operators of a calculation with names.
pub(super) const OPERATORS: [&str; 3] = ["mod", "div", "minus"];

/// Something that is known of a product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanValue {
    /// A whole number: an extent, a number of bytes, a field of a heuristic.
    Number(i64),
    /// A word: a format, `true` or `false`.
    Word(String),
}

/// A product with all that is known of it: `M`, `N`, `K`, the formats `a`, `b` and `out`, and whatever
/// else the rules of a table ask for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlanCase(BTreeMap<String, PlanValue>);

impl PlanCase {
    /// A product of M x K by K x N.
    pub fn of_shape([m, n, k]: [u64; 3]) -> PlanCase {
        let extents = [("M", m), ("N", n), ("K", k)];
        let number = |n: u64| PlanValue::Number(i64::try_from(n).unwrap_or(i64::MAX));
        let known = extents.map(|(name, n)| (name.to_owned(), number(n)));
        PlanCase(known.into())
    }

    /// The same case, of which one thing more is known; `text` is read as a number where it is one.
    /// A number may end in K, M or G for 1024, 1024^2 or 1024^3.
    #[must_use]
    pub fn with(self, name: &str, text: &str) -> PlanCase {
        self.with_value(name, PlanValue::read(text))
    }

    /// The same case, of which one thing more is known.
    #[must_use]
    pub(super) fn with_value(mut self, name: &str, value: PlanValue) -> PlanCase {
        self.0.insert(name.to_owned(), value);
        self
    }

    /// The value of a name, or of a calculation with names and whole numbers: `K mod 64`,
    /// `K div 64 mod S`, `K mod 64 minus S`, from left to right. `None` if a name is not known.
    pub fn get(&self, name: &str) -> Option<PlanValue> {
        let mut words = name.split(' ');
        let first = words.next()?;
        let Some(operator) = words.next() else {
            return self.0.get(first).cloned();
        };
        let term = |word: &str| word.parse().ok().or_else(|| self.number(word));
        let (mut number, mut operator): (i64, _) = (term(first)?, Some(operator));
        while let Some(word) = operator {
            let other = term(words.next()?)?;
            number = match word {
                "mod" => number.checked_rem_euclid(other)?,
                "div" => number.checked_div_euclid(other)?,
                "minus" => number.checked_sub(other)?,
                _ => return None,
            };
            operator = words.next();
        }
        Some(PlanValue::Number(number))
    }

    /// The number that is known by this name.
    pub fn number(&self, name: &str) -> Option<i64> {
        match self.0.get(name)? {
            PlanValue::Number(number) => Some(*number),
            PlanValue::Word(_) => None,
        }
    }

    /// The word that is known by this name.
    pub fn word(&self, name: &str) -> Option<&str> {
        match self.0.get(name)? {
            PlanValue::Word(word) => Some(word),
            PlanValue::Number(_) => None,
        }
    }

    /// What is known, by name.
    pub fn known(&self) -> impl Iterator<Item = (&str, &PlanValue)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }
}

impl PlanValue {
    /// A number where the text is one, else a word.
    pub fn read(text: &str) -> PlanValue {
        let (digits, shift) = match text.as_bytes().last() {
            Some(b'K') => (&text[..text.len() - 1], 10),
            Some(b'M') => (&text[..text.len() - 1], 20),
            Some(b'G') => (&text[..text.len() - 1], 30),
            _ => (text, 0),
        };
        let number = digits.parse::<i64>().ok();
        match number.and_then(|number| number.checked_mul(1 << shift)) {
            Some(number) => PlanValue::Number(number),
            None => PlanValue::Word(text.to_owned()),
        }
    }
}

impl fmt::Display for PlanValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanValue::Number(number) => number.fmt(f),
            PlanValue::Word(word) => word.fmt(f),
        }
    }
}
