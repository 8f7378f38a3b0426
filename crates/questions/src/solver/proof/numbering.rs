//! Variables, renumbered in the order of first use.

use std::collections::HashMap;

/// The variables of a file that were used so far, numbered from 1. Memory thus does not depend on
/// the greatest number in the file.
#[derive(Default)]
pub(super) struct Numbering {
    numbers: HashMap<u32, i32>,
    /// The number of each variable in the file.
    names: Vec<i32>,
}

impl Numbering {
    /// The number of variables.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// The literal here for a literal of the file; a new variable gets the next number.
    pub fn literal(&mut self, named: i32) -> i32 {
        let next = self.len() as i32 + 1;
        let variable = named.unsigned_abs();
        let number = *self.numbers.entry(variable).or_insert(next);
        if number == next {
            self.names.push(named.abs());
        }
        number * named.signum()
    }

    /// The literal of the file for a literal here.
    pub fn name(&self, literal: i32) -> i32 {
        self.names[literal.unsigned_abs() as usize - 1] * literal.signum()
    }
}
