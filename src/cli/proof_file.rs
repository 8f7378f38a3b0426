//! Files of clauses and proofs.

use super::output::write_whole;
use crate::cli::error::Error;
use mmasmt_core::base::limits::{Limits, Stopped};
use mmasmt_core::base::whole_file::WholeFile;
use mmasmt_questions::claims::certificates::{Certificate, certify};
use mmasmt_questions::claims::query::{Question, Simplify};
use mmasmt_questions::solver::engine::{EngineError, Verdict, refute, solver_version};
use mmasmt_questions::solver::proof::Cnf;
use std::cell::RefCell;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Writes the clauses to the file at `path`.
pub(super) fn save(cnf: &Cnf, path: &Path) -> Result<(), Error> {
    write_whole(path, |out| cnf.write(out)).map_err(Error::file(path))
}

/// `path` with `end` after its name.
fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// The outcome of making a proof, as a line of text.
pub(super) enum Proof {
    /// The proof is written.
    Written(String),
    /// There is no proof.
    None(String),
}

/// A file that its writer owns and that the caller keeps too, to give it its name at the end.
#[derive(Clone)]
struct Shared(Rc<RefCell<BufWriter<WholeFile>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().flush()
    }
}

impl Shared {
    fn create(path: &Path) -> io::Result<Shared> {
        let file = BufWriter::new(WholeFile::create(path)?);
        Ok(Shared(Rc::new(RefCell::new(file))))
    }

    /// Completes the file, and gives it its name.
    fn finish(self) -> io::Result<()> {
        match Rc::try_unwrap(self.0) {
            Ok(file) => file.into_inner().into_inner()?.finish(),
            Err(_) => Err(io::Error::other("the file is still written to")),
        }
    }
}

/// Proves that no inputs meet the question. Writes the proof to `path`, and the clauses that it
/// refutes to a file beside `path`.
///
/// # Errors
/// If a file cannot be written, or some inputs meet the question.
pub(super) fn prove(
    question: &Question,
    simplify: Simplify,
    seed: u64,
    path: &Path,
    limits: &Limits,
) -> Result<Proof, Error> {
    let shared = Shared::create(path).map_err(Error::file(path))?;
    let written = limits.run(|| -> Result<Certificate, Error> {
        let out = shared.clone();
        let simplified = match simplify {
            Simplify::UnlessSettled => question.simplified_cnf(),
            Simplify::Nothing => None,
        };
        let Some(cnf) = simplified else {
            return certify(question, seed, limits, out).map_err(Error::file(path));
        };
        let (verdict, lemmas) = refute(&cnf, out, limits).map_err(Error::file(path))?;
        let lemmas = match verdict {
            Verdict::Unsat => Ok(lemmas),
            Verdict::Unknown(stopped) => Err(stopped),
            Verdict::Sat => {
                return Err(Error::Engine(EngineError::Disagree {
                    sat: solver_version(),
                    unsat: solver_version(),
                }));
            }
        };
        let missing = Vec::new();
        Ok(Certificate {
            cnf,
            lemmas,
            missing,
        })
    });
    let none = |stopped: Stopped, missing: &[String]| {
        let mut line = format!("no proof: {}", stopped.describe());
        if let Some(first) = missing.first() {
            line += &format!("; not proved: {first}");
        }
        Ok(Proof::None(line))
    };
    let Certificate {
        cnf,
        lemmas,
        missing,
    } = match written {
        Ok(certificate) => certificate?,
        Err(stopped) => return none(stopped, &[]),
    };
    match lemmas {
        Ok(lemmas) => {
            let clauses = with_end(path, ".cnf");
            save(&cnf, &clauses)?;
            shared.finish().map_err(Error::file(path))?;
            Ok(Proof::Written(format!(
                "{}: proof of {lemmas} lemmas; mmasmt check-proof {} {}",
                path.display(),
                clauses.display(),
                path.display()
            )))
        }
        Err(stopped) => none(stopped, &missing),
    }
}
