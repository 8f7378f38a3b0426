//! Readers of DIMACS formulas and textual DRAT proofs, and of lines of numbers. They share no code
//! with the writers.

use mmasmt_numbers::base::excerpt::excerpt;
use std::io::{self, BufRead, Read};
use std::str::FromStr;
use thiserror::Error;

/// The reason that a file cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// An error of the system.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A line is longer than 2^24 bytes.
    #[error("line {line}: expected at most {LONGEST} bytes, found more; is this the right file?")]
    Long {
        /// The number of the line, from 1.
        line: usize,
    },
    /// A line is not UTF-8.
    #[error("line {line}: expected text, found bytes that are not UTF-8")]
    NoText {
        /// The number of the line, from 1.
        line: usize,
    },
    /// A line is malformed.
    #[error("line {line}: expected {expected}, found `{found}`")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// The expected content.
        expected: &'static str,
        /// The line.
        found: String,
    },
    /// The number of clauses differs from the header.
    #[error("expected {expected} clauses, as the first line says, found {found}")]
    Count {
        /// The number of clauses in the header.
        expected: usize,
        /// The number of clauses found.
        found: usize,
    },
}

/// The most bytes of a line, enough for a million literals.
pub const LONGEST: usize = 1 << 24;

/// A CNF formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DimacsClauses {
    /// The number of variables.
    pub variables: u32,
    /// The clauses.
    pub clauses: Vec<Vec<i32>>,
}

/// A step of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofStep {
    /// Adds a lemma; the last lemma is the empty clause.
    Add(Vec<i32>),
    /// Deletes a clause.
    Delete(Vec<i32>),
}

/// Numbered lines, of at most [`LONGEST`] bytes each.
pub(super) struct NumberedLines<R> {
    file: R,
    number: usize,
}

impl<R> NumberedLines<R> {
    pub fn of(file: R) -> Self {
        NumberedLines { file, number: 0 }
    }
}

impl<R: BufRead> NumberedLines<R> {
    /// The next line that is neither empty nor a comment, without a carriage return.
    pub fn next_step(&mut self) -> Option<Result<(usize, String), ReadError>> {
        self.map(|numbered| {
            numbered.map(|(number, line)| (number, line.trim_end_matches('\r').to_owned()))
        })
        .find(|numbered| {
            let line = numbered.as_ref().map(|(_, line)| &line[..]);
            !line.is_ok_and(|line| line.is_empty() || line.starts_with('c'))
        })
    }
}

impl<R: BufRead> Iterator for NumberedLines<R> {
    type Item = Result<(usize, String), ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.number += 1;
        let line = self.number;
        let mut bytes = Vec::new();
        let most = LONGEST as u64 + 1;
        match self.file.by_ref().take(most).read_until(b'\n', &mut bytes) {
            Err(error) => return Some(Err(error.into())),
            Ok(0) => return None,
            Ok(_) => {}
        }
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        } else if bytes.len() > LONGEST {
            return Some(Err(ReadError::Long { line }));
        }
        let text = String::from_utf8(bytes).map_err(|_| ReadError::NoText { line });
        Some(text.map(|text| (line, text)))
    }
}

impl ReadError {
    /// The error of a malformed line.
    pub(super) fn line(line: usize, expected: &'static str, found: &str) -> ReadError {
        ReadError::Line {
            line,
            expected,
            found: excerpt(found),
        }
    }
}

/// The numbers before the 0 that is the last word, and the only one that is 0; `None` if these
/// words are others.
pub(super) fn numbers_before_zero<'x, N: FromStr + Default + PartialEq>(
    words: impl Iterator<Item = &'x str>,
) -> Option<Vec<N>> {
    let numbers: Result<Vec<N>, _> = words.map(str::parse).collect();
    let mut numbers = numbers.ok()?;
    let zero = N::default();
    (numbers.pop()? == zero && !numbers.contains(&zero)).then_some(numbers)
}

/// The literals before the 0 that ends the words, which are a part of `line`. Their variables must
/// be in `1..=most`.
pub(super) fn literals<'x>(
    number: usize,
    line: &str,
    words: impl Iterator<Item = &'x str>,
    most: u32,
) -> Result<Vec<i32>, ReadError> {
    let literals = numbers_before_zero(words)
        .filter(|literals: &Vec<i32>| literals.iter().all(|l| l.unsigned_abs() <= most));
    let expected = "literals of known variables, then 0";
    literals.ok_or_else(|| ReadError::line(number, expected, line))
}

impl DimacsClauses {
    /// Reads DIMACS with one clause on each line.
    ///
    /// # Errors
    /// If a line is malformed, or the number of clauses differs from the header.
    pub fn read(file: impl BufRead) -> Result<DimacsClauses, ReadError> {
        let mut header: Option<(u32, usize)> = None;
        let mut clauses = Vec::new();
        for line in NumberedLines::of(file) {
            let (number, line) = line?;
            let line = line.trim_end_matches('\r');
            match (line.chars().next(), header) {
                (None | Some('c'), _) => {}
                (Some('p'), None) => header = Some(counts(number, line)?),
                (_, Some((variables, _))) => {
                    clauses.push(literals(number, line, line.split_whitespace(), variables)?);
                }
                (_, None) => return Err(no_header(number, line)),
            }
        }
        let (variables, expected) = header.ok_or_else(|| no_header(1, ""))?;
        if clauses.len() != expected {
            let found = clauses.len();
            return Err(ReadError::Count { expected, found });
        }
        Ok(DimacsClauses { variables, clauses })
    }
}

fn no_header(line: usize, found: &str) -> ReadError {
    ReadError::line(line, "`p cnf VARIABLES CLAUSES`", found)
}

fn counts(number: usize, line: &str) -> Result<(u32, usize), ReadError> {
    let words: Vec<_> = line.split_whitespace().collect();
    let parsed = match words[..] {
        ["p", "cnf", variables, clauses] => variables.parse().ok().zip(clauses.parse().ok()),
        _ => None,
    };
    // A literal is an `i32`, which bounds the number of variables.
    let is_possible = |counts: &(u32, usize)| counts.0 < i32::MAX as u32;
    parsed
        .filter(is_possible)
        .ok_or_else(|| no_header(number, line))
}

/// The steps of a textual DRAT proof, one on each line; deletions begin with `d`.
pub struct ProofSteps<R> {
    lines: NumberedLines<R>,
    variables: u32,
}

impl<R: BufRead> ProofSteps<R> {
    /// The steps of `file`, on clauses over the variables `1..=variables`.
    pub fn read(file: R, variables: u32) -> Self {
        ProofSteps {
            lines: NumberedLines::of(file),
            variables,
        }
    }
}

/// Iterates over the steps, each with the number of its line.
impl<R: BufRead> Iterator for ProofSteps<R> {
    type Item = Result<(usize, ProofStep), ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (number, line) = match self.lines.next_step()? {
            Ok(numbered) => numbered,
            Err(error) => return Some(Err(error)),
        };
        let (kind, rest): (fn(Vec<i32>) -> ProofStep, _) = match line.strip_prefix("d ") {
            Some(rest) => (ProofStep::Delete, rest),
            None => (ProofStep::Add, &line[..]),
        };
        let step = literals(number, &line, rest.split_whitespace(), self.variables).map(kind);
        Some(step.map(|step| (number, step)))
    }
}
