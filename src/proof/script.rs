//! Steps of a DRAT proof as they are written.

use std::io::{self, Write};

/// A proof that is being written. The first error is kept until the end.
pub struct Script<W> {
    out: W,
    lemmas: usize,
    error: Option<io::Error>,
}

impl<W: Write> Script<W> {
    /// A proof without steps.
    pub fn new(out: W) -> Self {
        Script {
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
