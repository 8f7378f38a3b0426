//! Writes CNF formulas as DIMACS text, and DRAT proofs.

use std::io::{self, Write};

/// A consumer of clauses. Literals are variable numbers from 1, negative if negated.
pub trait ClauseSink {
    /// Adds a clause: at least one of the literals is true.
    fn add_clause(&mut self, clause: &[i32]);
}

/// A CNF formula with comments.
#[derive(Clone, Debug, Default)]
pub struct Cnf {
    comments: Vec<String>,
    /// The clauses, each followed by 0.
    literals: Vec<i32>,
    variables: i32,
    clauses: usize,
}

impl Cnf {
    /// The number of variables.
    pub fn variables(&self) -> i32 {
        self.variables
    }

    /// The number of clauses.
    pub fn clauses(&self) -> usize {
        self.clauses
    }

    /// The clauses.
    pub fn iter(&self) -> impl Iterator<Item = &[i32]> {
        let clauses = self.literals.split_inclusive(|&literal| literal == 0);
        clauses.map(|clause| &clause[..clause.len() - 1])
    }

    /// Adds a comment line, written before the clauses.
    pub fn comment(&mut self, line: impl Into<String>) {
        self.comments.push(line.into());
    }

    /// Writes the formula as DIMACS.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        for comment in &self.comments {
            writeln!(out, "c {comment}")?;
        }
        writeln!(out, "p cnf {} {}", self.variables, self.clauses)?;
        for clause in self.iter() {
            for literal in clause {
                write!(out, "{literal} ")?;
            }
            writeln!(out, "0")?;
        }
        Ok(())
    }
}

impl ClauseSink for Cnf {
    fn add_clause(&mut self, clause: &[i32]) {
        let highest = clause.iter().map(|literal| literal.abs()).max();
        self.variables = self.variables.max(highest.unwrap_or(0));
        self.literals.extend_from_slice(clause);
        self.literals.push(0);
        self.clauses += 1;
    }
}

/// A writer of a DRAT proof. It keeps the first error until [`finish`](Self::finish) returns it.
pub struct DratWriter {
    out: Box<dyn Write>,
    lemmas: usize,
    error: Option<io::Error>,
}

impl DratWriter {
    /// A writer of a proof that has no steps yet.
    pub fn new(out: Box<dyn Write>) -> Self {
        DratWriter {
            out,
            lemmas: 0,
            error: None,
        }
    }

    /// Adds a lemma, which follows by unit propagation from the clauses so far.
    pub fn add(&mut self, clause: &[i32]) {
        self.lemmas += 1;
        self.write("", clause);
    }

    /// Deletes a clause.
    pub fn delete(&mut self, clause: &[i32]) {
        self.write("d ", clause);
    }

    fn write(&mut self, kind: &str, clause: &[i32]) {
        if self.error.is_none() {
            self.error = self.try_write(kind, clause).err();
        }
    }

    fn try_write(&mut self, kind: &str, clause: &[i32]) -> io::Result<()> {
        self.out.write_all(kind.as_bytes())?;
        for literal in clause {
            write!(self.out, "{literal} ")?;
        }
        self.out.write_all(b"0\n")
    }

    /// Flushes the output, and returns the number of lemmas.
    ///
    /// # Errors
    /// The first error in writing the proof.
    pub fn finish(&mut self) -> io::Result<usize> {
        match self.error.take() {
            Some(error) => Err(error),
            None => self.out.flush().map(|()| self.lemmas),
        }
    }
}
