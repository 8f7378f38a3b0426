//! Steps of a DRAT proof as they are written.

use std::io::{self, Write};

/// A proof that is being written. Errors are kept until its end.
pub(super) struct Script<'x> {
    out: &'x mut dyn Write,
    pub lemmas: usize,
    error: Option<io::Error>,
}

impl<'x> Script<'x> {
    pub fn new(out: &'x mut dyn Write) -> Self {
        Script {
            out,
            lemmas: 0,
            error: None,
        }
    }

    /// Adds a clause.
    pub fn add(&mut self, clause: &[i32]) {
        self.lemmas += 1;
        self.write("", clause);
    }

    /// Deletes a clause that was added.
    pub fn delete(&mut self, clause: &[i32]) {
        self.write("d ", clause);
    }

    fn write(&mut self, kind: &str, clause: &[i32]) {
        if self.error.is_some() {
            return;
        }
        let mut line = String::from(kind);
        for literal in clause {
            line += &literal.to_string();
            line.push(' ');
        }
        line += "0\n";
        self.error = self.out.write_all(line.as_bytes()).err();
    }

    /// The first error.
    pub fn end(self) -> io::Result<()> {
        self.error.map_or_else(|| self.out.flush(), Err)
    }
}
