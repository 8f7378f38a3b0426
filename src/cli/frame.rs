//! Options that many commands have: a limit of time, a seed, a domain of operands.

use super::timeouts::{seconds, until_ctrl_c};
use crate::cli::error::Error;
use crate::cli::output::write_text_file;
use mmasmt_numbers::base::limits::Limits;
use std::path::PathBuf;
use std::time::Duration;

/// The time of a command.
#[derive(Debug, clap::Args)]
pub(super) struct TimeArgs {
    /// Time limit for everything, such as 10s or 5m
    #[arg(long = "time", alias = "timeout", value_name = "TIME", value_parser = seconds)]
    pub timeout: Option<Duration>,
}

impl TimeArgs {
    /// The limits of the command, whose time begins now. Ctrl-C is one of them.
    ///
    /// # Errors
    /// If Ctrl-C cannot be watched for.
    pub fn limits(&self) -> Result<Limits, Error> {
        let limits = until_ctrl_c()?;
        Ok(self
            .timeout
            .map_or(limits.clone(), |time| limits.within(time)))
    }

    /// The same with a time for a command that gives none.
    ///
    /// # Errors
    /// If Ctrl-C cannot be watched for.
    pub fn limits_or(&self, time: Duration) -> Result<Limits, Error> {
        TimeArgs {
            timeout: self.timeout.or(Some(time)),
        }
        .limits()
    }
}

/// The time and the seed of a command that searches.
#[derive(Debug, clap::Args)]
pub(super) struct SearchArgs {
    #[command(flatten)]
    pub time: TimeArgs,
    /// Seed of the random numbers and of the solver
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
}

/// The page of a command.
#[derive(Debug, Default, clap::Args)]
pub(super) struct HtmlArgs {
    /// Write the answer as a page for a browser, with the evaluations of its operands step by step: one file, which needs no
    /// network
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

impl HtmlArgs {
    /// Makes the page and writes it, if one is asked for.
    ///
    /// # Errors
    /// If the page cannot be made, or the file cannot be written.
    pub fn write(&self, page: impl FnOnce() -> Result<String, Error>) -> Result<(), Error> {
        match &self.html {
            Some(path) => write_text_file(path, &page()?),
            None => Ok(()),
        }
    }
}

/// The operands that a command is about.
#[derive(Debug, clap::Args)]
pub(super) struct DomainArgs {
    /// Assumptions about the operands, such as `finite, a normal, c = 0, b[1..] exp -3..5, factors
    /// in f16`
    #[arg(long = "where", alias = "assume", value_name = "DOMAIN")]
    pub assume: Option<String>,
}

impl DomainArgs {
    /// The assumptions as text; an empty one assumes nothing.
    pub fn text(&self) -> &str {
        self.assume.as_deref().unwrap_or_default()
    }
}
