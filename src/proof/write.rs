//! Writing: CNF formulas as DIMACS text, and DRAT proofs.

use std::io::{self, Write};

/// Who takes clauses: literals are numbers of variables from 1 on, negative where negated.
pub trait ClauseSink {
    /// Demands that one of the literals holds.
    fn add_clause(&mut self, clause: &[i32]);
}

/// A conjunction of clauses, with comments for a person.
#[derive(Clone, Debug, Default)]
pub struct Cnf {
    comments: Vec<String>,
    /// Every clause with a 0 after it.
    literals: Vec<i32>,
    variables: i32,
    clauses: usize,
}

impl Cnf {
    /// How many variables the clauses speak of.
    pub fn variables(&self) -> i32 {
        self.variables
    }

    /// How many clauses there are.
    pub fn clauses(&self) -> usize {
        self.clauses
    }

    /// The clauses.
    pub fn iter(&self) -> impl Iterator<Item = &[i32]> {
        let clauses = self.literals.split_inclusive(|&literal| literal == 0);
        clauses.map(|clause| &clause[..clause.len() - 1])
    }

    /// Adds a line, to stand before the clauses.
    pub fn comment(&mut self, line: impl Into<String>) {
        self.comments.push(line.into());
    }

    /// Writes the text.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
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

/// A proof that is being written. The first error is kept until the end.
pub struct DratWriter<W> {
    out: W,
    lemmas: usize,
    error: Option<io::Error>,
}

impl<W: Write> DratWriter<W> {
    /// A proof without steps.
    pub fn new(out: W) -> Self {
        DratWriter {
            out,
            lemmas: 0,
            error: None,
        }
    }

    /// Adds a clause, which follows by unit propagation from those before it.
    pub fn add(&mut self, clause: &[i32]) {
        self.lemmas += 1;
        self.write("", clause);
    }

    /// Deletes a clause that was added.
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

    /// How many clauses were added, once all is written.
    ///
    /// # Errors
    /// The first one of all.
    pub fn finish(&mut self) -> io::Result<usize> {
        match self.error.take() {
            Some(error) => Err(error),
            None => self.out.flush().map(|()| self.lemmas),
        }
    }
}
