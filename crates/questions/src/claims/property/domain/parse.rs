//! The parser of domains.

use super::Domain;
use super::classes::Classes;
use super::equalities::{Equalities, Pair};
use super::predicate::{Clause, Predicate};
use mmasmt_core::base::excerpt::excerpt;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Model;
use mmasmt_core::numbers::float::{Format, ValueError, parse_value, taken_for};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use thiserror::Error;

/// Why a text is not a domain.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum DomainError {
    /// The text does not follow the grammar of domains.
    #[error("assumption `{}`: expected {expected}", excerpt(.clause))]
    Syntax {
        /// The clause.
        clause: String,
        /// What was expected.
        expected: String,
    },
    /// A value that the format of an operand does not have.
    #[error("assumption `{}`: {error}", excerpt(.clause))]
    Value {
        /// The clause.
        clause: String,
        /// What is wrong with the value.
        error: ValueError,
    },
}

impl Domain {
    /// The domain that `text` describes for operands of `signature`; all inputs if the text is
    /// empty.
    ///
    /// # Errors
    /// If `text` does not follow the grammar, or names an operand or a value that does not exist.
    pub fn parse(text: &str, signature: &Signature) -> Result<Domain, DomainError> {
        let texts = text.split(',').map(str::trim);
        let texts: Vec<&str> = texts.filter(|clause| !clause.is_empty()).collect();
        let formats = formats(signature);
        let (mut clauses, mut pairs) = (Vec::new(), Vec::new());
        for (index, clause) in texts.iter().enumerate() {
            match parse_equality(clause, index, signature, &formats)? {
                Some(equal) => pairs.extend(equal),
                None => clauses.push(parse_clause(clause, signature)?),
            }
        }
        let equalities = Equalities::of(formats.len(), &pairs).map_err(|pair| {
            let operand = name(signature, pair.operands[0]);
            DomainError::Syntax {
                clause: texts[pair.clause].into(),
                expected: format!(
                    "equalities that numbers can meet, found that {operand} is its own negative"
                ),
            }
        })?;
        Ok(Domain {
            text: text.into(),
            signature: *signature,
            clauses: equalities.spread(clauses, &formats),
            equalities,
            classes: Classes::default(),
            has_no_c: false,
        })
    }

    /// The domain that `text` describes for operands of `model`, whose `c` is 0 if the model does
    /// not read it.
    ///
    /// # Errors
    /// The errors of [`parse`](Self::parse).
    pub fn of(text: &str, model: &Model) -> Result<Domain, DomainError> {
        let domain = Domain::parse(text, &model.signature())?;
        Ok(match model.reads_c() {
            true => domain,
            false => domain.without_c(),
        })
    }

    /// The same domain for models that do not read `c`, which take no other `c` than 0. The text
    /// stays: this is no assumption on what such a model computes.
    #[must_use]
    pub fn without_c(mut self) -> Domain {
        if !self.has_no_c {
            let rows = rows(&self.signature).into_iter();
            let chosen = rows.flat_map(|(row, count)| std::iter::repeat_n(row == "c", count));
            let chosen: Vec<bool> = chosen.collect();
            self.clauses
                .push(Clause::new(&chosen, Predicate::Values(vec![0])));
            self.has_no_c = true;
        }
        self
    }

    /// In an assumption, a `~` before a number means: take the nearest number of the format. For
    /// each such number that the format does not have, a sentence that says which number is taken.
    pub fn taken(&self) -> Vec<String> {
        let clauses = self.text.split(',').map(str::trim);
        let mut all = Vec::new();
        for clause in clauses {
            let Some((operands, value)) = clause.split_once('=') else {
                continue;
            };
            if !value.contains('~') {
                continue;
            }
            let chosen = parse_operands(operands.trim(), &self.signature).unwrap_or_default();
            let formats = formats(&self.signature).into_iter().zip(chosen);
            let mut formats: Vec<_> = formats
                .filter(|(_, is_chosen)| *is_chosen)
                .map(|(format, _)| format)
                .collect();
            formats.dedup();
            let taken = formats.iter().filter_map(|format| taken_for(format, value));
            all.extend(taken.map(|taken| format!("assumption `{}`: {taken}", excerpt(clause))));
        }
        all
    }
}

/// The operands that the clause assumes to be equal, or none if it has another form.
fn parse_equality(
    clause: &str,
    index: usize,
    signature: &Signature,
    formats: &[Format],
) -> Result<Option<Vec<Pair>>, DomainError> {
    let Some((left, right)) = clause.split_once('=') else {
        return Ok(None);
    };
    let right = right.trim();
    let (negated, right) = match right.strip_prefix('-') {
        Some(right) => (true, right.trim()),
        None => (false, right),
    };
    if !ROWS.contains(&right.split('[').next().unwrap_or(right)) {
        return Ok(None);
    }
    let syntax = |expected: String| DomainError::Syntax {
        clause: clause.into(),
        expected,
    };
    let places = |text: &str| -> Result<Vec<usize>, DomainError> {
        let chosen = parse_operands(text.trim(), signature).map_err(&syntax)?;
        Ok((0..chosen.len())
            .filter(|operand| chosen[*operand])
            .collect())
    };
    let (left, right) = (places(left)?, places(right)?);
    if right.len() != 1 && left.len() != right.len() {
        return Err(syntax(format!(
            "one operand behind `=`, or as many as before it, found {} and {}",
            left.len(),
            right.len()
        )));
    }
    let pairs = left.iter().zip(right.iter().cycle());
    let pairs = pairs.map(|(&left, &right)| {
        let [format, other] = [left, right].map(|operand| formats[operand]);
        let [of_left, of_right] = [left, right].map(|operand| name(signature, operand));
        if format != other {
            return Err(syntax(format!(
                "operands of one format, found {of_left} in {format} and {of_right} in {other}"
            )));
        }
        if negated && (!format.has_fields() || format.sign_mask() == 0) {
            return Err(syntax(format!(
                "operands with a sign bit where one is the negative of another, found {of_right} in {format}"
            )));
        }
        Ok(Pair {
            operands: [left, right],
            negated,
            clause: index,
        })
    });
    pairs.collect::<Result<_, _>>().map(Some)
}

fn parse_clause(clause: &str, signature: &Signature) -> Result<Clause, DomainError> {
    let syntax = |expected: &str| DomainError::Syntax {
        clause: clause.into(),
        expected: expected.into(),
    };
    if let Some((operands, value)) = clause.split_once('=') {
        let chosen = parse_operands(operands.trim(), signature).map_err(|e| syntax(&e))?;
        let value = value.trim();
        let formats = formats(signature).into_iter().zip(&chosen);
        let formats = formats.filter(|(_, chosen)| **chosen);
        // Operands of one format are adjacent, so that the value is parsed once for all of them.
        let mut last = None;
        let mut values = Vec::new();
        let values = formats
            .map(|(format, _)| format)
            .try_for_each(|format| {
                let value = match last {
                    Some((of, value)) if of == format => value,
                    _ => parse_value(&format, value)?,
                };
                last = Some((format, value));
                values.push(value);
                Ok(())
            })
            .map(|()| values);
        let values = values.map_err(|error| DomainError::Value {
            clause: clause.into(),
            error,
        })?;
        return Ok(Clause::new(&chosen, Predicate::Values(values)));
    }
    let words: Vec<&str> = clause.split_whitespace().collect();
    let (operands, rest) = match parse_predicate(&words) {
        Some(predicate) => ("all", Some(predicate)),
        None => (words[0], parse_predicate(&words[1..])),
    };
    let predicate = rest.ok_or_else(|| {
        let words: Vec<_> = WORDS.iter().map(Word::to_string).collect();
        let words = words.join(", ");
        syntax(&format!(
            "[OPERANDS] {words} (integers), or OPERANDS = VALUE"
        ))
    })?;
    let chosen = parse_operands(operands, signature).map_err(|e| syntax(&e))?;
    if signature.is_integer() && !predicate.is_of_integers() {
        return Err(syntax(
            "of integers finite, zero, nonzero, positive, negative, `from LOW..HIGH`, or OPERANDS = VALUE",
        ));
    }
    let mut formats = formats(signature).into_iter().zip(&chosen);
    let is_scale = |(format, chosen): (Format, &bool)| *chosen && !format.has_zero();
    let has_zeros = matches!(
        predicate,
        Predicate::Zero | Predicate::In(_) | Predicate::Between(..)
    );
    if has_zeros && formats.any(is_scale) {
        return Err(syntax(
            "operands that can be zero before `zero`, `in FORMAT` and `from LOW..HIGH`: a, b, c or factors",
        ));
    }
    Ok(Clause::new(&chosen, predicate))
}

impl Predicate {
    /// Whether the predicate can be assumed of integers.
    fn is_of_integers(&self) -> bool {
        match self {
            Predicate::Finite
            | Predicate::Zero
            | Predicate::Nonzero
            | Predicate::Positive
            | Predicate::Negative
            | Predicate::Between(..)
            | Predicate::Values(_) => true,
            Predicate::Normal
            | Predicate::ZeroOrNormal
            | Predicate::Subnormal
            | Predicate::Exponent(..)
            | Predicate::Bits(_)
            | Predicate::In(_) => false,
        }
    }
}

/// A word that a predicate begins with, and the parser of the predicate.
pub struct Word {
    pub name: &'static str,
    /// The form of the text that follows the word; empty if nothing follows.
    behind: &'static str,
    read: fn(&str) -> Option<Predicate>,
}

/// The first words of all predicates.
pub const WORDS: [Word; 12] = [
    Word::alone("finite", |_| Some(Predicate::Finite)),
    Word::alone("normal", |_| Some(Predicate::Normal)),
    Word::alone("zero-or-normal", |_| Some(Predicate::ZeroOrNormal)),
    Word::alone("subnormal", |_| Some(Predicate::Subnormal)),
    Word::alone("zero", |_| Some(Predicate::Zero)),
    Word::alone("nonzero", |_| Some(Predicate::Nonzero)),
    Word::alone("positive", |_| Some(Predicate::Positive)),
    Word::alone("negative", |_| Some(Predicate::Negative)),
    Word {
        name: "exp",
        behind: "LOW..HIGH",
        read: |range| {
            let [low, high] = limits::<i32>(range)?;
            Some(Predicate::Exponent(low.into(), high.into()))
        },
    },
    Word {
        name: "bits",
        behind: "COUNT",
        read: |count| {
            let count = count.parse().ok()?;
            (count >= 1).then_some(Predicate::Bits(count))
        },
    },
    Word {
        name: "in",
        behind: "FORMAT",
        read: |name| {
            let format = Format::known_as(name)?;
            (format.has_zero() && !format.is_integer()).then_some(Predicate::In(format))
        },
    },
    Word {
        name: "from",
        behind: "LOW..HIGH",
        read: |range| {
            let [low, high] = limits::<i64>(range)?;
            Some(Predicate::Between(low, high))
        },
    },
];

impl Word {
    const fn alone(name: &'static str, read: fn(&str) -> Option<Predicate>) -> Word {
        Word {
            name,
            behind: "",
            read,
        }
    }
}

impl fmt::Display for Word {
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

fn parse_predicate(words: &[&str]) -> Option<Predicate> {
    let (name, behind) = match *words {
        [name] => (name, ""),
        [name, behind] => (name, behind),
        _ => return None,
    };
    let word = WORDS.iter().find(|word| word.name == name)?;
    let is_whole = word.behind.is_empty() == behind.is_empty();
    is_whole.then(|| (word.read)(behind))?
}

/// What operands are called.
const ROWS: [&str; 7] = ["a", "b", "c", "sa", "sb", "factors", "all"];

/// The operand as the grammar of domains names it.
pub(super) fn name(signature: &Signature, mut operand: usize) -> String {
    for (row, count) in rows(signature) {
        if operand < count {
            return match row {
                "c" => row.into(),
                _ => format!("{row}[{operand}]"),
            };
        }
        operand -= count;
    }
    "?".into()
}

/// The name of each row of operands and how many operands it has, in the order of
/// `Registers::each`: a, b, c, sa, sb.
pub(super) fn rows(signature: &Signature) -> [(&'static str, usize); 5] {
    let (products, scales) = (
        signature.products as usize,
        signature.scale_count() as usize,
    );
    [
        ("a", products),
        ("b", products),
        ("c", 1),
        ("sa", scales),
        ("sb", scales),
    ]
}

/// The format of each operand, in the order of `Registers::each`.
pub(super) fn formats(signature: &Signature) -> Vec<Format> {
    let scale = signature
        .scales
        .map_or(Format::UE8M0, |scales| scales.format);
    let formats = [signature.a, signature.b, signature.c, scale, scale];
    let rows = rows(signature).into_iter().zip(formats);
    rows.flat_map(|((_, count), format)| std::iter::repeat_n(format, count))
        .collect()
}

/// For each operand, whether `text` names it.
fn parse_operands(text: &str, signature: &Signature) -> Result<Vec<bool>, String> {
    let (name, index) = match text.split_once('[') {
        Some((name, index)) => (name, Some(index)),
        None => (text, None),
    };
    let wanted: &[&str] = match name {
        "factors" => &["a", "b"],
        "all" => &["a", "b", "c", "sa", "sb"],
        row if ROWS.contains(&row) => &[row],
        _ => {
            return Err(format!(
                "a, b, c, sa, sb, factors or all, found `{}`",
                excerpt(text)
            ));
        }
    };
    let mut chosen = Vec::new();
    for (row, count) in rows(signature) {
        let range = match index {
            Some(index) if wanted.contains(&row) => parse_range(index, count)?,
            _ => 0..count,
        };
        let is_wanted = wanted.contains(&row);
        chosen.extend((0..count).map(|k| is_wanted && range.contains(&k)));
    }
    if !chosen.contains(&true) {
        return Err(format!(
            "operands that the model has, found `{}`",
            excerpt(text)
        ));
    }
    Ok(chosen)
}

/// The indices that a text such as `3]`, `3..]` or `3..5]` names; the index after `..` is excluded.
/// All indices must be below `count`.
fn parse_range(text: &str, count: usize) -> Result<Range<usize>, String> {
    let read = |text: &str| text.parse::<usize>().ok();
    let range = text
        .strip_suffix(']')
        .and_then(|text| match text.split_once("..") {
            None => read(text).map(|k| k..k + 1),
            Some((low, "")) => read(low).map(|low| low..count),
            Some((low, high)) => read(low).zip(read(high)).map(|(low, high)| low..high),
        });
    let fits = |range: &Range<usize>| range.start <= range.end && range.end <= count;
    range.filter(fits).ok_or_else(|| {
        let found = excerpt(text);
        format!("an index below {count}, as in [0], [1..] or [0..2], found `[{found}`")
    })
}
