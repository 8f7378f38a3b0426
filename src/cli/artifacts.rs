//! Options that write what an answer rests on to files: clauses and proofs.

use super::Status;
use super::certificate_file::{certify, is_certificate};
use super::dump::DumpArgs;
use super::proof_file::{Proof, prove, save};
use super::timeouts::seconds;
use crate::cli::error::Error;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::query::{Basis, FactSubject, QueryError, Question, Simplification};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What to write beside the answer.
#[derive(Debug, clap::Args)]
pub(super) struct ArtifactArgs {
    /// Also write the question to a file, as DIMACS clauses
    #[arg(long, value_name = "FILE")]
    dump_cnf: Option<PathBuf>,
    /// Write a proof of the answer to FILE, and its clauses to FILE.cnf. The proof is DRAT; a FILE
    /// whose name ends in `.lrat` is LRAT, whose lemmas have hints; one whose name ends in `.json`
    /// is a certificate of what is known of every step, without clauses
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// Time limit for the clauses and the proof together; --time does not include it
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = seconds, requires = "proof")]
    proof_timeout: Duration,
}

/// The paths of the files that were asked for.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub(super) struct PathsObject {
    #[serde(skip_serializing_if = "Option::is_none")]
    cnf: Option<PathBuf>,
    /// null if there is no proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("nullable" = true))]
    proof: Option<Option<PathBuf>>,
}

/// The names of the files that were written, as lines of text and as JSON. If a file was not
/// written, a line says why.
#[derive(Debug, Default)]
pub(super) struct WrittenFiles {
    lines: Vec<String>,
    paths: PathsObject,
    /// Whether a proof was asked for and was not made, though the answer is proved.
    missing: bool,
}

impl WrittenFiles {
    /// Writes the lines that stand at the end of the answer, each with `# ` in front.
    pub fn write_lines(&self, out: &mut dyn Write) -> Result<(), Error> {
        for line in &self.lines {
            writeln!(out, "# {line}")?;
        }
        Ok(())
    }

    /// The paths of the files, for the JSON of the answer.
    pub fn paths(&self) -> PathsObject {
        self.paths.clone()
    }

    /// The exit status of a command whose answer has `status`: `Unknown` if a proof is missing.
    pub fn status(&self, status: Status) -> Status {
        if self.missing {
            Status::Unknown
        } else {
            status
        }
    }
}

/// The path `FOLDER/STEM-TAG.EXTENSION`; `path` itself if there is no tag.
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
    /// Whether a file of clauses or a proof is asked for.
    pub fn any(&self) -> bool {
        self.dump_cnf.is_some() || self.proof.is_some()
    }

    /// Checks, before the work begins, that `--plain` comes with an option that writes a file.
    ///
    /// # Errors
    /// If `--plain` is given and no file is to be written.
    pub fn check(&self, dump: &DumpArgs) -> Result<(), Error> {
        let is_certificate = self.proof.as_deref().is_some_and(is_certificate);
        let has_formula = self.dump_cnf.is_some() || self.proof.is_some() && !is_certificate;
        if dump.plain && dump.dump_smt.is_none() && !has_formula {
            return Err(Error::Usage(
                "--plain says how a question is written: give --dump-smt, --dump-cnf or --proof FILE as well".into(),
            ));
        }
        Ok(())
    }

    /// Writes the files that are asked for. A proof is written only if the answer is proved;
    /// `proved` says what the proof rests on. With a `tag`, files are named `STEM-TAG.EXTENSION`.
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
            Simplification::Nothing
        } else {
            Simplification::UnlessSettled
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
            written.paths.cnf = Some(path);
        }
        if let Some(path) = &self.proof {
            let path = tagged(path, tag);
            let outcome = match proved {
                Some(_) if is_certificate(&path) => certify(question, &path)?,
                Some(basis) => {
                    // A proof of the simplified question will do only if a solver refuted the
                    // simplified question.
                    let simplify = match basis {
                        Basis::Solver | Basis::AllInputs { .. } => simplify,
                        Basis::Facts {
                            about: FactSubject::Property,
                            ..
                        } => simplify,
                        _ => Simplification::Nothing,
                    };
                    prove(question, simplify, 0, &path, &limits)?
                }
                None => Proof::None("no proof: the answer is not that there are no inputs".into()),
            };
            match outcome {
                Proof::Written(line) => {
                    written.lines.push(line);
                    written.paths.proof = Some(Some(path));
                }
                Proof::None(line) => {
                    written.missing = proved.is_some();
                    written.lines.push(line);
                    written.paths.proof = Some(None);
                }
            }
        }
        Ok(written)
    }
}
