//! The steps of the proof, in wires, and the gates that they mention.

use super::circuit::literal;
use crate::solver::proof::DratWriter;
use mmasmt_numbers::bits::blast::Wire;
use std::io::{self, Write};

/// A proof that is being written.
pub(super) struct CertificateSteps {
    script: DratWriter,
    /// For each gate, by its index, whether a clause mentioned it.
    spoken_of: Vec<bool>,
}

impl CertificateSteps {
    pub fn new(out: Box<dyn Write>) -> Self {
        CertificateSteps {
            script: DratWriter::new(out),
            spoken_of: Vec::new(),
        }
    }

    /// Adds a clause, which follows by unit propagation from the clauses before it.
    pub fn add(&mut self, clause: &[Wire]) {
        for wire in clause {
            let gate = wire.gate();
            if self.spoken_of.len() <= gate {
                self.spoken_of.resize(gate + 1, false);
            }
            self.spoken_of[gate] = true;
        }
        self.script.add(&literals(clause));
    }

    /// Deletes a clause that was added.
    pub fn delete(&mut self, clause: &[Wire]) {
        self.script.delete(&literals(clause));
    }

    /// The gates that clauses mentioned.
    pub fn gates(&self) -> impl Iterator<Item = usize> {
        let gates = self.spoken_of.iter().enumerate();
        gates.filter_map(|(gate, is)| is.then_some(gate))
    }

    /// Writes what is left, and returns the number of clauses that were added.
    ///
    /// # Errors
    /// The first error of writing.
    pub fn finish(&mut self) -> io::Result<usize> {
        self.script.finish()
    }
}

/// The literals of wires that are not constants.
pub(super) fn literals(wires: &[Wire]) -> Vec<i32> {
    wires.iter().map(|wire| literal(*wire)).collect()
}
