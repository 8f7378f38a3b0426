//! The tables that papers published about their GPUs. Each cell is compared with the answer of a
//! model.

mod cells;
mod error;

pub use error::PublishedError;

use super::answers::{ProbePlan, TestAnswers};
use super::features::tests;
use super::test::Suite;
use crate::vectors::device::SoftwareDevice;
use mmasmt_core::machines::model::Model;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A table of a paper.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedTable {
    /// The name of the table on the command line, which is the name of its suite.
    pub name: String,
    /// The paper and the place in it.
    pub source: String,
    /// The headings of the columns.
    pub columns: Vec<String>,
    /// The rows of the table.
    #[serde(rename = "row")]
    pub rows: Vec<PublishedRow>,
}

/// A row: a GPU with one format of factors.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedRow {
    /// The format of the factors, as the paper names it.
    pub inputs: String,
    /// The GPU.
    pub gpu: String,
    /// The model of the GPU's unit for these factors.
    pub model: String,
    /// The model of the unit with a narrow result, if there is one.
    pub narrow: Option<String>,
    /// The cells of the paper; `-` where the paper makes no statement.
    pub cells: Vec<String>,
    /// The reasons why computed cells differ from the paper's cells, by column.
    #[serde(default)]
    pub differs: BTreeMap<String, String>,
}

/// A cell as published and as computed with the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The text that the paper published; `-` if the paper makes no statement.
    pub published: String,
    /// The text computed with the model.
    pub computed: String,
}

const TABLES: [&str; 3] = [
    include_str!("fttn.toml"),
    include_str!("mma-sim.toml"),
    include_str!("fasi.toml"),
];

/// The tables of the papers.
///
/// # Errors
/// If a table is invalid, which tests rule out.
pub fn published_tables() -> Result<Vec<PublishedTable>, PublishedError> {
    let tables = TABLES.iter().map(|text| toml::from_str(text));
    Ok(tables.collect::<Result<_, _>>()?)
}

impl PublishedTable {
    /// The suite whose tests the table summarises.
    pub fn suite(&self) -> Option<Suite> {
        Suite::ALL
            .into_iter()
            .find(|suite| suite.name() == self.name)
    }

    /// The cells of a row, computed by running the tests on its models.
    ///
    /// # Errors
    /// If a model is unknown.
    pub fn cells(&self, row: &PublishedRow) -> Result<Vec<Cell>, PublishedError> {
        let Some(suite) = self.suite() else {
            return Err(PublishedError::NoTests(self.name.clone()));
        };
        let run = |model: &str| -> Result<TestAnswers, PublishedError> {
            let model = Model::parse(model)?;
            let chosen = tests().filter(|test| test.suite == suite);
            let plan = ProbePlan::new(&model.signature(), chosen);
            Ok(plan.run(&mut SoftwareDevice::new(model))?)
        };
        let wide = run(&row.model)?;
        let narrow = row.narrow.as_deref().map(run).transpose()?;
        let computed = cells::computed(suite, &wide, narrow.as_ref());
        let pairs = row.cells.iter().zip(computed);
        Ok(pairs
            .map(|(published, computed)| Cell {
                published: published.clone(),
                computed,
            })
            .collect())
    }
}

impl Cell {
    /// Whether the model agrees with the publication: a published `>= n` agrees with each count
    /// from n on, and a published `-` with everything.
    pub fn agrees(&self) -> bool {
        let count = |text: &str| text.trim_start_matches(">= ").parse::<i64>().ok();
        let bound = self.published.strip_prefix(">= ").and_then(count);
        match (bound, count(&self.computed)) {
            (Some(bound), Some(found)) => found >= bound,
            _ => self.published == "-" || self.published == self.computed,
        }
    }
}
