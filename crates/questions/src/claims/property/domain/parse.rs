//! The parser of domains.

use super::Domain;
use super::classes::Classes;
use super::equalities::{EqualPair, Equalities};
use super::operands::{ROWS, formats, name, names, parse_operands, rows};
use super::predicate::{Clause, Predicate};
use super::words::{WORDS, Word, parse_predicate};
use mmasmt_core::base::excerpt::excerpt;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Model;
use mmasmt_core::numbers::float::{Format, ValueError, parse_value, taken_for};
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
            let zero = Clause::new(&chosen, Predicate::Values(vec![0]));
            let formats = formats(&self.signature);
            self.clauses
                .extend(self.equalities.spread(vec![zero], &formats));
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
) -> Result<Option<Vec<EqualPair>>, DomainError> {
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
        Ok(EqualPair {
            operands: [left, right],
            negated,
            clause: index,
        })
    });
    pairs.collect::<Result<_, _>>().map(Some)
}

fn begins_as_a_name(text: &str) -> bool {
    let text = text.trim_start_matches('-').trim_start();
    text.starts_with(|letter: char| letter.is_ascii_alphabetic())
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
        let values = values.map_err(|error| match error {
            // What begins with a letter was to name operands.
            ValueError::Syntax { text } if begins_as_a_name(&text) => {
                let names = names(signature).join(", ");
                let text = excerpt(&text).to_string();
                syntax(&format!(
                    "a number, or operands of the model ({names}), behind `=`, found `{text}`"
                ))
            }
            error => DomainError::Value {
                clause: clause.into(),
                error,
            },
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
