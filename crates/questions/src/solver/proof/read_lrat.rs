//! A reader of textual LRAT proofs.

use super::read::{NumberedLines, ReadError, literals, numbers_before_zero};
use std::io::BufRead;

/// A step of a proof with hints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HintedStep {
    /// Adds a lemma; the last lemma is the empty clause.
    Add {
        /// The number of the lemma.
        number: u64,
        /// Its literals.
        lemma: Vec<i32>,
        /// The numbers of the clauses that it follows from.
        hints: Vec<i64>,
    },
    /// Deletes the clauses of these numbers.
    Delete(Vec<u64>),
}

/// The steps of a textual LRAT proof, one on each line: `NUMBER LITERALS 0 HINTS 0`, or
/// `NUMBER d NUMBERS 0`.
pub struct HintedSteps<R> {
    lines: NumberedLines<R>,
    variables: u32,
}

impl<R: BufRead> HintedSteps<R> {
    /// The steps of `file`, on clauses over the variables `1..=variables`.
    pub fn read(file: R, variables: u32) -> Self {
        HintedSteps {
            lines: NumberedLines::of(file),
            variables,
        }
    }
}

/// Iterates over the steps, each with the number of its line.
impl<R: BufRead> Iterator for HintedSteps<R> {
    type Item = Result<(usize, HintedStep), ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (number, line) = match self.lines.next_step()? {
            Ok(numbered) => numbered,
            Err(error) => return Some(Err(error)),
        };
        Some(step(number, &line, self.variables).map(|step| (number, step)))
    }
}

fn step(line: usize, text: &str, variables: u32) -> Result<HintedStep, ReadError> {
    let wrong = |expected| ReadError::line(line, expected, text);
    let no_number = || wrong("the number of a clause, then its literals, 0, its hints and 0");
    let (number, rest) = text.split_once(' ').ok_or_else(no_number)?;
    let number: u64 = number.parse().map_err(|_| no_number())?;
    if let Some(deleted) = rest.strip_prefix("d ") {
        let numbers = numbers_before_zero(deleted.split_whitespace());
        let numbers = numbers.ok_or_else(|| wrong("numbers of clauses to delete, then 0"))?;
        return Ok(HintedStep::Delete(numbers));
    }
    let words: Vec<&str> = rest.split_whitespace().collect();
    let end = words.iter().position(|word| *word == "0");
    let end = end.map_or(words.len(), |end| end + 1);
    let lemma = literals(line, text, words[..end].iter().copied(), variables)?;
    let hints = numbers_before_zero(words[end..].iter().copied());
    let hints = hints.ok_or_else(|| wrong("hints, then 0, behind the literals of a lemma"))?;
    Ok(HintedStep::Add {
        number,
        lemma,
        hints,
    })
}
