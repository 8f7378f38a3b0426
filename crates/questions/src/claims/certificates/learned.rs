//! Learned clauses, trimmed to the clauses that the answers depend on.

use super::search::{GateSearch, SearchStep};
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::bits::blast::Wire;
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::rc::Rc;

/// Clauses that a search learned, in the order in which it learned them.
#[derive(Default)]
pub(super) struct LearnedClauses(Rc<RefCell<Clauses>>);

#[derive(Default)]
struct Clauses {
    /// Each clause with its number and the numbers of the clauses that it follows from.
    all: Vec<(i64, Vec<Wire>, Vec<i64>)>,
    /// The numbers of the clauses that the answers follow from.
    answers: Vec<i64>,
}

impl LearnedClauses {
    /// A search that records the clauses that it learns in `self`.
    pub fn search(&self, limits: &Limits) -> GateSearch {
        let clauses = Rc::clone(&self.0);
        GateSearch::new(limits, true, move |step| match step {
            SearchStep::Learned {
                number,
                clause,
                from,
            } => clauses.borrow_mut().all.push((number, clause, from)),
            // A clause that the search forgets is kept here: it still holds.
            SearchStep::Forgotten(_) => {}
            SearchStep::Concluded(numbers) => clauses.borrow_mut().answers.extend(numbers),
        })
    }

    /// The clauses that the answers need, in the order in which they were learned.
    pub fn needed(&self) -> Vec<Vec<Wire>> {
        let clauses = self.0.borrow();
        let mut needed: FxHashSet<i64> = clauses.answers.iter().copied().collect();
        let mut found = Vec::new();
        for (number, clause, from) in clauses.all.iter().rev() {
            if needed.contains(number) {
                needed.extend(from);
                found.push(clause.clone());
            }
        }
        found.reverse();
        found
    }
}
