//! What is open of a row: the questions that a machine would settle.

use mmasmt_core::machines::model::Row;
use schemars::JsonSchema;
use serde::Serialize;

/// A line for each question of each row. A test of `docs/src/open-questions.md` writes the table.
const OPEN: &str = include_str!("open.tsv");

/// A question that is open of a row. The page of open questions has the inputs that settle it.
#[derive(Clone, Copy, Serialize, JsonSchema)]
pub(super) struct OpenQuestion {
    pub question: &'static str,
    pub asks: &'static str,
    /// The readings that nothing contradicts.
    pub readings: &'static str,
}

/// The questions that are open of the row.
pub(super) fn open_questions(row: &Row) -> Vec<OpenQuestion> {
    let lines = OPEN.lines().filter_map(|line| {
        let mut cells = line.split('\t');
        let name = cells.next()?;
        let question = OpenQuestion {
            question: cells.next()?,
            asks: cells.next()?,
            readings: cells.next()?,
        };
        let (architecture, instruction) = name.split_once('/')?;
        (architecture == row.architecture && instruction == row.name).then_some(question)
    });
    lines.collect()
}
