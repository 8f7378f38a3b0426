//! The words of predicates, and their parsers.

use super::predicate::Predicate;
use mmasmt_numbers::float::Format;
use std::fmt;
use std::str::FromStr;

/// A word that a predicate begins with, and the parser of the predicate.
pub struct PredicateWord {
    pub name: &'static str,
    /// The form of the text that follows the word; empty if nothing follows.
    behind: &'static str,
    read: fn(&str) -> Option<Predicate>,
}

/// The first words of all predicates.
pub const WORDS: [PredicateWord; 12] = [
    PredicateWord::alone("finite", |_| Some(Predicate::Finite)),
    PredicateWord::alone("normal", |_| Some(Predicate::Normal)),
    PredicateWord::alone("zero-or-normal", |_| Some(Predicate::ZeroOrNormal)),
    PredicateWord::alone("subnormal", |_| Some(Predicate::Subnormal)),
    PredicateWord::alone("zero", |_| Some(Predicate::Zero)),
    PredicateWord::alone("nonzero", |_| Some(Predicate::Nonzero)),
    PredicateWord::alone("positive", |_| Some(Predicate::Positive)),
    PredicateWord::alone("negative", |_| Some(Predicate::Negative)),
    PredicateWord {
        name: "exp",
        behind: "LOW..HIGH",
        read: |range| {
            let [low, high] = limits::<i32>(range)?;
            Some(Predicate::Exponent(low.into(), high.into()))
        },
    },
    PredicateWord {
        name: "bits",
        behind: "COUNT",
        read: |count| {
            let count = count.parse().ok()?;
            (count >= 1).then_some(Predicate::Bits(count))
        },
    },
    PredicateWord {
        name: "in",
        behind: "FORMAT",
        read: |name| {
            let format = Format::known_as(name)?;
            (format.has_zero() && !format.is_integer()).then_some(Predicate::In(format))
        },
    },
    PredicateWord {
        name: "from",
        behind: "LOW..HIGH",
        read: |range| {
            let [low, high] = limits::<i64>(range)?;
            Some(Predicate::Between(low, high))
        },
    },
];

impl PredicateWord {
    const fn alone(name: &'static str, read: fn(&str) -> Option<Predicate>) -> PredicateWord {
        PredicateWord {
            name,
            behind: "",
            read,
        }
    }
}

impl fmt::Display for PredicateWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.behind {
            "" => f.write_str(self.name),
            behind => write!(f, "`{} {behind}`", self.name),
        }
    }
}

/// The limits that `LOW..HIGH` names; `None` if LOW is greater than HIGH or the text has another
/// form.
fn limits<N: FromStr + PartialOrd>(range: &str) -> Option<[N; 2]> {
    let (low, high) = range.split_once("..")?;
    let limits: [N; 2] = [low.parse().ok()?, high.parse().ok()?];
    (limits[0] <= limits[1]).then_some(limits)
}

/// The predicate of these words: one that begins it, and what follows.
pub(super) fn parse_predicate(words: &[&str]) -> Option<Predicate> {
    let (name, behind) = match *words {
        [name] => (name, ""),
        [name, behind] => (name, behind),
        _ => return None,
    };
    let word = WORDS.iter().find(|word| word.name == name)?;
    let is_whole = word.behind.is_empty() == behind.is_empty();
    is_whole.then(|| (word.read)(behind))?
}
