//! Tables of plans.

use crate::operands::wrong;
use mmasmt_questions::plans::{Decisions, LibraryTable, PlanCase};
use pyo3::prelude::*;
use std::path::PathBuf;

/// A table of plans, with the decisions of a heuristic or without.
#[pyclass(frozen)]
pub(crate) struct PlanTable(LibraryTable);

#[pymethods]
impl PlanTable {
    #[new]
    #[pyo3(signature = (name, decisions=None))]
    fn new(py: Python<'_>, name: &str, decisions: Option<PathBuf>) -> PyResult<PlanTable> {
        let open = || {
            let table = LibraryTable::open(name)?;
            match decisions {
                None => Ok(table),
                Some(path) => Ok(table.with_decisions(Decisions::open(&path)?)),
            }
        };
        let table = py.detach(open);
        table
            .map(PlanTable)
            .map_err(|error: mmasmt_questions::plans::PlanError| wrong(error))
    }

    /// The machine and the library, in words.
    fn title(&self) -> String {
        self.0.title()
    }

    /// Plan, status, source, decision and note for a shape, of which more is known by name.
    fn answer(
        &self,
        shape: [u64; 3],
        known: Vec<(String, String)>,
    ) -> PyResult<(String, String, String, String, String)> {
        let case = PlanCase::of_shape(shape);
        let case = known
            .iter()
            .fold(case, |case, (name, value)| case.with(name, value));
        let answer = self.0.answer(&case).map_err(wrong)?;
        Ok((
            answer.plan,
            answer.status,
            answer.source,
            answer.decision,
            answer.note,
        ))
    }
}
