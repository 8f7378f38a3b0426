//! Options that write the basis of an answer: clauses and proofs.

use super::Status;
use super::dump::DumpArgs;
use super::proof_file::{Proof, prove, save};
use super::timeouts::seconds;
use crate::cli::error::Error;
use mmasmt_core::base::limits::Limits;
use mmasmt_questions::claims::query::{About, Basis, QueryError, Question, Simplify};
use serde_json::{Map, Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What to write beside the answer.
#[derive(Debug, clap::Args)]
pub(super) struct ArtifactArgs {
    /// Write the question as DIMACS clauses to a file as well
    #[arg(long, value_name = "FILE")]
    dump_cnf: Option<PathBuf>,
    /// Write a DRAT proof of the answer, and its clauses to FILE.cnf
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// Time for clauses and proof together, apart from those of the answer
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = seconds)]
    proof_timeout: Duration,
}

/// What has become of the files.
#[derive(Debug, Default)]
pub(super) struct WrittenFiles {
    lines: Vec<String>,
    json: Map<String, Value>,
    /// A proof was asked for and is not there, though the answer is.
    missing: bool,
}

impl WrittenFiles {
    /// Lines to stand at the end of the answer, each after `# `.
    pub fn write_lines(&self, out: &mut dyn Write) -> Result<(), Error> {
        for line in &self.lines {
            writeln!(out, "# {line}")?;
        }
        Ok(())
    }

    /// What was written, for the object of the answer.
    pub fn as_json(&self) -> Value {
        self.json.clone().into()
    }

    /// The status of a command that asked for files as well.
    pub fn status(&self, status: Status) -> Status {
        if self.missing {
            Status::Unknown
        } else {
            status
        }
    }
}

/// `FOLDER/STEM-TAG.EXTENSION`; `path` if there is no tag.
fn tagged(path: &Path, tag: Option<&str>) -> PathBuf {
    let Some(tag) = tag else {
        return path.to_owned();
    };
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{tag}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

impl ArtifactArgs {
    /// Whether files are asked for.
    pub fn any(&self) -> bool {
        self.dump_cnf.is_some() || self.proof.is_some()
    }

    /// Finds out early what is missing.
    ///
    /// # Errors
    /// If there is nothing to write.
    pub fn check(&self, dump: &DumpArgs) -> Result<(), Error> {
        if dump.plain && dump.dump_smt.is_none() && !self.any() {
            return Err(Error::Usage(
                "--plain says how a question is written: give --dump-smt, --dump-cnf or --proof FILE as well".into(),
            ));
        }
        Ok(())
    }

    /// Writes what is asked for; where something `proved` the answer, there is a proof. With a
    /// `tag` files are named `STEM-TAG.EXTENSION`.
    ///
    /// # Errors
    /// If a file cannot be written, or the proof contradicts the answer.
    pub fn write(
        &self,
        question: &Question,
        proved: Option<Basis>,
        plain: bool,
        tag: Option<&str>,
        limits: &Limits,
    ) -> Result<WrittenFiles, Error> {
        let mut written = WrittenFiles::default();
        if !self.any() {
            return Ok(written);
        }
        let simplify = if plain {
            Simplify::Nothing
        } else {
            Simplify::UnlessSettled
        };
        let limits = limits.within(self.proof_timeout);
        if let Some(path) = &self.dump_cnf {
            let path = tagged(path, tag);
            let cnf = limits.run(|| question.cnf(simplify));
            let cnf = cnf.map_err(QueryError::Stopped)?;
            save(&cnf, &path)?;
            written.lines.push(format!(
                "{}: {} clauses over {} variables",
                path.display(),
                cnf.clauses(),
                cnf.variables()
            ));
            written.json.insert("cnf".into(), json!(path));
        }
        if let Some(path) = &self.proof {
            let path = tagged(path, tag);
            let outcome = match proved {
                Some(basis) => {
                    // A proof of the simplified question will do only if a solver refuted that one.
                    let simplify = match basis {
                        Basis::Solver => simplify,
                        Basis::Facts {
                            about: About::Property,
                            ..
                        } => simplify,
                        _ => Simplify::Nothing,
                    };
                    prove(question, simplify, 0, &path, &limits)?
                }
                None => Proof::None("no proof: the answer is not that there are no inputs".into()),
            };
            match outcome {
                Proof::Written(line) => {
                    written.lines.push(line);
                    written.json.insert("proof".into(), json!(path));
                }
                Proof::None(line) => {
                    written.missing = proved.is_some();
                    written.lines.push(line);
                    written.json.insert("proof".into(), Value::Null);
                }
            }
        }
        Ok(written)
    }
}
