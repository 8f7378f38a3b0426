//! The parser of domains.

use super::Domain;
use super::equalities::{EqualPair, Equalities};
use super::operand_sets::OperandSets;
use super::operands::{ROWS, formats, name, names, parse_operands, rows};
use super::predicate::Predicate;
use super::words::{PredicateWord, WORDS, parse_predicate};
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::float::{Format, ValueError, parse_value, taken_for};
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
        let (mut sets, mut pairs) = (OperandSets::all(&formats), Vec::new());
        let mut has_clauses = false;
        for (index, clause) in texts.iter().enumerate() {
            match parse_equality(clause, index, signature, &formats)? {
                Some(equal) => pairs.extend(equal),
                None => {
                    let assumed = parse_clause(clause, signature)?;
                    sets.keep(|operand| assumed[operand].as_ref());
                    has_clauses = true;
                }
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
        sets.spread(&equalities);
        Ok(Domain {
            text: text.into(),
            signature: *signature,
            sets,
            equalities,
            has_clauses,
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
            self.sets
                .keep(|operand| chosen[operand].then_some(&Predicate::Is(0)));
            self.sets.spread(&self.equalities);
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

/// What the clause assumes of each operand.
fn parse_clause(
    clause: &str,
    signature: &Signature,
) -> Result<Vec<Option<Predicate>>, DomainError> {
    let syntax = |expected: &str| DomainError::Syntax {
        clause: clause.into(),
        expected: expected.into(),
    };
    if let Some((operands, value)) = clause.split_once('=') {
        let chosen = parse_operands(operands.trim(), signature).map_err(|e| syntax(&e))?;
        let value = value.trim();
        // Operands of one format are adjacent, so that the value is parsed once for all of them.
        let mut last = None;
        let formats = formats(signature).into_iter().zip(&chosen);
        let values = formats.map(|(format, chosen)| {
            if !chosen {
                return Ok(None);
            }
            let value = match last {
                Some((of, value)) if of == format => value,
                _ => parse_value(&format, value)?,
            };
            last = Some((format, value));
            Ok(Some(Predicate::Is(value)))
        });
        let values: Result<Vec<_>, _> = values.collect();
        return values.map_err(|error| match error {
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
        });
    }
    let words: Vec<&str> = clause.split_whitespace().collect();
    let (operands, rest) = match parse_predicate(&words) {
        Some(predicate) => ("all", Some(predicate)),
        None => (words[0], parse_predicate(&words[1..])),
    };
    let predicate = rest.ok_or_else(|| {
        let words: Vec<_> = WORDS.iter().map(PredicateWord::to_string).collect();
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
    if predicate.asks_for_zeros() && formats.any(is_scale) {
        return Err(syntax(
            "operands that can be zero before `zero`, `in FORMAT` and `from LOW..HIGH`: a, b, c or factors",
        ));
    }
    let assumed = chosen
        .into_iter()
        .map(|chosen| chosen.then(|| predicate.clone()));
    Ok(assumed.collect())
}
