//! Derived clauses, each with the clauses that it follows from by unit propagation.

/// Clauses in the order in which they were derived. They are numbered from 0, after the clauses of
/// the formula.
#[derive(Debug, Default)]
pub(super) struct Derivations {
    literals: Vec<i32>,
    antecedents: Vec<u32>,
    /// For each clause, the ends of its literals and of its antecedents.
    ends: Vec<[usize; 2]>,
}

/// A derived clause.
pub(super) struct Derivation<'x> {
    /// The literals.
    pub clause: &'x [i32],
    /// The numbers of the clauses that become unit, in this order, when the literals are false. The
    /// last of them has only false literals then.
    pub antecedents: &'x [u32],
}

impl Derivations {
    pub fn push(&mut self, clause: impl IntoIterator<Item = i32>, antecedents: &[u32]) {
        self.literals.extend(clause);
        self.antecedents.extend_from_slice(antecedents);
        self.ends
            .push([self.literals.len(), self.antecedents.len()]);
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn get(&self, index: usize) -> Derivation<'_> {
        let before = index.checked_sub(1).map_or([0, 0], |last| self.ends[last]);
        let end = self.ends[index];
        Derivation {
            clause: &self.literals[before[0]..end[0]],
            antecedents: &self.antecedents[before[1]..end[1]],
        }
    }
}
