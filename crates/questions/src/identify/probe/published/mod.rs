//! What the papers found on their GPUs, cell by cell, beside what the models give.

mod cells;
mod error;

pub use error::PublishedError;

use super::answers::{Plan, TestAnswers};
use super::test::Suite;
use crate::vectors::device::SoftwareDevice;
use mmasmt_core::machines::model::Model;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A table of a paper.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedTable {
    /// Its name on the command line: that of the suite.
    pub name: String,
    /// The paper and where in it.
    pub source: String,
    /// What its columns are.
    pub columns: Vec<String>,
    /// Its rows.
    #[serde(rename = "row")]
    pub rows: Vec<PublishedRow>,
}

/// A row: a GPU with one format of factors.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedRow {
    /// The factors, as the paper calls them.
    pub inputs: String,
    /// The GPU.
    pub gpu: String,
    /// The model that stands for it.
    pub model: String,
    /// The same with a narrow result, where there is one.
    pub narrow: Option<String>,
    /// The paper's cells; `-` where it does not say.
    pub cells: Vec<String>,
    /// Why cells differ, by column.
    #[serde(default)]
    pub differs: BTreeMap<String, String>,
}

/// A cell as published and as the model has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// As published; `-` if it is not.
    pub published: String,
    /// As the model has it.
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
/// If one of them is wrong, which tests rule out.
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

    /// The cells of a row, by running the tests on its models.
    ///
    /// # Errors
    /// If a model is not known.
    pub fn cells(&self, row: &PublishedRow) -> Result<Vec<Cell>, PublishedError> {
        let Some(suite) = self.suite() else {
            return Err(PublishedError::NoTests(self.name.clone()));
        };
        let run = |model: &str| -> Result<TestAnswers, PublishedError> {
            let model = Model::parse(model)?;
            let chosen = super::tests().filter(|test| test.suite == suite);
            let plan = Plan::new(&model.signature(), chosen);
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
    /// Whether the model has what is published; `>= n` holds for each count from n on, and what is
    /// not published cannot differ.
    pub fn agrees(&self) -> bool {
        let count = |text: &str| text.trim_start_matches(">= ").parse::<i64>().ok();
        let bound = self.published.strip_prefix(">= ").and_then(count);
        match (bound, count(&self.computed)) {
            (Some(bound), Some(found)) => found >= bound,
            _ => self.published == "-" || self.published == self.computed,
        }
    }
}
