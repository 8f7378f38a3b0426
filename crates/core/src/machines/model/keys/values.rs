//! The values that a key takes: for a person, and for a search.

use crate::machines::algorithms::Signature;
use mmasmt_numbers::float::Format;
use std::fmt::Display;
use std::ops::RangeInclusive;

/// The values of a key.
pub(super) struct Values {
    /// The text for the values in the documentation.
    pub text: String,
    /// The text for the values in an error, after the word `expected`.
    pub expected: String,
    pub candidates: Candidates,
    /// The least and the greatest number, if the values are whole numbers, or a word and such.
    pub range: Option<[i64; 2]>,
    /// The format, if the values are numbers of a format.
    pub format: Option<Format>,
}

/// The values that a search tries.
#[derive(Clone, Debug)]
pub(super) enum Candidates {
    Listed(Vec<String>),
    Numbers(RangeInclusive<i64>),
    /// A word, and these whole numbers.
    WordOr(String, RangeInclusive<i64>),
    /// The divisors of the model's number of products.
    Divisors,
    /// The numbers of factors that can share a scale; the last block may be shorter.
    Blocks,
    /// The numbers of parts that products can have, the last of which may be shorter: the small ones, and
    /// the divisors. Or a word, if there is one.
    Parts(Option<&'static str>),
    /// A word, and the exponents that terms can have.
    Exponents(String),
}

impl Candidates {
    pub(super) fn of(&self, signature: &Signature) -> Vec<String> {
        let products = signature.products;
        match self {
            Candidates::Listed(all) => all.clone(),
            Candidates::Numbers(numbers) => texts(numbers.clone()),
            Candidates::WordOr(word, numbers) => with_word(word, numbers.clone()),
            Candidates::Divisors => texts((1..=products).filter(|n| products.is_multiple_of(*n))),
            Candidates::Blocks => texts(1..=products),
            Candidates::Parts(word) => {
                let is_tried = |n: &u32| *n <= FEW || products.is_multiple_of(*n);
                let all = (1..=products).filter(is_tried);
                match word {
                    Some(word) => with_word(word, all),
                    None => texts(all),
                }
            }
            Candidates::Exponents(word) => with_word(word, exponents(signature)),
        }
    }
}

/// The roundings of a result that a search tries: all but `odd` and the stochastic ones.
pub(super) const ROUNDINGS: [&str; 10] = [
    "rz", "rne", "rd", "ru", "ra", "rna", "rnz", "rnu", "rnd", "rno",
];

/// All numbers of parts up to this one are tried.
const FEW: u32 = 64;
/// The numbers of f32 that a search tries: those that do nothing, those beside them, and those that change
/// exponents and signs.
const NUMBERS: [&str; 8] = [
    "1",
    "0",
    "-1",
    "0x1.000002p+0",
    "0x1.fffffep-1",
    "2",
    "0.5",
    "0x1.8p+0",
];

/// The exponents from the least to the greatest that a term can have, and a few greater ones.
fn exponents(signature: &Signature) -> RangeInclusive<i64> {
    let Signature { a, b, c, .. } = signature;
    let low = |format: &Format| i64::from(format.least_exponent());
    let high = |format: &Format| format.field_ones() as i64 + 1 - format.field_of(0);
    (low(a) + low(b)).min(low(c))..=(high(a) + high(b)).max(high(c))
}

fn texts(values: impl Iterator<Item = impl Display>) -> Vec<String> {
    values.map(|value| value.to_string()).collect()
}

fn with_word(word: &str, numbers: impl Iterator<Item = impl Display>) -> Vec<String> {
    let mut all = texts(numbers);
    all.insert(0, word.into());
    all
}

impl Values {
    /// The whole numbers from `least` to `most`.
    pub(super) fn numbers(least: u32, most: u32) -> Values {
        Values {
            text: format!("{least} to {most}"),
            expected: format!("a whole number from {least} to {most}"),
            candidates: Candidates::Numbers(least.into()..=most.into()),
            range: Some([least.into(), most.into()]),
            format: None,
        }
    }

    /// The words `words`.
    pub(super) fn words(words: &[&str]) -> Values {
        Values {
            text: words.join(" "),
            expected: format!("one of {}", words.join(", ")),
            candidates: Candidates::Listed(texts(words.iter())),
            range: None,
            format: None,
        }
    }

    /// These listed values, or a word before them.
    pub(super) fn or_word(mut self, word: &str) -> Values {
        if let Candidates::Listed(all) = &mut self.candidates {
            all.insert(0, word.into());
        }
        Values {
            text: format!("{word} {}", self.text),
            expected: format!("{word}, or {}", self.expected),
            ..self
        }
    }

    /// A word, or a whole number from `least` to `most`.
    pub(super) fn word_or(word: &'static str, least: i32, most: i32) -> Values {
        Values {
            text: format!("{word}, {least} to {most}"),
            expected: format!("`{word}` or a whole number from {least} to {most}"),
            candidates: Candidates::WordOr(word.into(), least.into()..=most.into()),
            range: Some([least.into(), most.into()]),
            format: None,
        }
    }

    /// The numbers of f32; a search tries a few of them.
    pub(super) fn f32() -> Values {
        Values {
            text: "f32 number".into(),
            expected: "a number that f32 holds, such as 0x1p-3, or `~` and a number for the nearest one, such as ~0.3".into(),
            candidates: Candidates::Listed(texts(NUMBERS.iter())),
            range: None,
            format: Some(Format::F32),
        }
    }

    /// The same values with another text in the documentation.
    pub(super) fn said(self, text: &str) -> Values {
        let text = text.into();
        Values { text, ..self }
    }
}
