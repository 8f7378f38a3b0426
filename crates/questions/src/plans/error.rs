//! Errors of tables of plans; each is one line of text.

use mmasmt_core::machines::model::ModelError;
use mmasmt_numbers::base::excerpt::excerpt;
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
    /// Each rule asks for something that is not known.
    #[error("no rule of {table} fits: each asks for {name}, which is not known; say {name}=VALUE")]
    NotSaid {
        /// The table.
        table: String,
        /// What each rule asks for.
        name: String,
    },
    /// No rule reads something that was said of the product.
    #[error("expected what a rule of {table} reads, one of {}, found `{}`", .known.join(", "), excerpt(.found))]
    Unread {
        /// The table.
        table: String,
        /// The name that was found.
        found: String,
        /// The names that rules read.
        known: Vec<String>,
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
