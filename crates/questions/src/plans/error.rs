//! Errors of tables of plans; each is one line of text.

use mmasmt_core::base::excerpt::excerpt;
use mmasmt_core::machines::model::ModelError;
use std::path::Path;
use thiserror::Error;

/// The reason that a table gives no plan.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The file cannot be read.
    #[error("{}: {error}", excerpt(.path))]
    File {
        /// The file.
        path: String,
        /// What went wrong.
        error: String,
    },
    /// No table has this name.
    #[error("expected a table of plans, FILE.toml or one of {known}, found `{}`", excerpt(.found))]
    Unknown {
        /// The text that was found.
        found: String,
        /// The names of all tables.
        known: String,
    },
    /// No rule fits.
    #[error("no rule of {table} fits {}", excerpt(.case))]
    NoRule {
        /// The table.
        table: String,
        /// What is known of the product.
        case: String,
    },
    /// The plan of the rule that fits needs to know more.
    #[error("the plan `{}` needs {name}: say {name}=VALUE", excerpt(.plan))]
    Missing {
        /// The text of the plan.
        plan: String,
        /// What is not known.
        name: String,
    },
    /// The plan is no model.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// An error of a file.
pub(super) fn wrong(path: &Path, error: &dyn std::fmt::Display) -> PlanError {
    PlanError::File {
        path: path.display().to_string(),
        error: error.to_string(),
    }
}
