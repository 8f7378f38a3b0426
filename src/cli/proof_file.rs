//! Files of clauses and proofs.

use super::output::write_whole;
use crate::cli::error::Error;
use mmasmt_numbers::base::limits::{Limits, Stopped};
use mmasmt_numbers::base::whole_file::WholeFile;
use mmasmt_questions::claims::certificates::{Certificate, certify};
use mmasmt_questions::claims::query::{Question, Simplification};
use mmasmt_questions::solver::engine::{CadicalVerdict, EngineError, refute, solver_version};
use mmasmt_questions::solver::proof::{
    Cnf, DimacsClauses, HintedProof, ProofRejection, ProofSteps,
};
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

impl Proof {
    /// The line that says what became of it.
    pub(super) fn line(&self) -> &str {
        match self {
            Proof::Written(line) | Proof::None(line) => line,
        }
    }

    /// The path, if the proof is written.
    pub(super) fn path<'p>(&self, path: Option<&'p Path>) -> Option<&'p Path> {
        path.filter(|_| matches!(self, Proof::Written(_)))
    }
}

/// Something that its writer owns and that the caller keeps too.
struct SharedWriter<W>(Rc<RefCell<W>>);

impl<W> Clone for SharedWriter<W> {
    fn clone(&self) -> Self {
        SharedWriter(Rc::clone(&self.0))
    }
}

impl<W: Write> Write for SharedWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().flush()
    }
}

impl<W> SharedWriter<W> {
    fn new(inside: W) -> SharedWriter<W> {
        SharedWriter(Rc::new(RefCell::new(inside)))
    }

    fn into_inside(self) -> io::Result<W> {
        let inside = Rc::try_unwrap(self.0).map(RefCell::into_inner);
        inside.map_err(|_| io::Error::other("the file is still written to"))
    }
}

/// The clauses of a question and a DRAT proof, which `out` receives, that no inputs meet the
/// question.
fn made(
    question: &Question,
    simplify: Simplification,
    seed: u64,
    path: &Path,
    limits: &Limits,
    out: impl Write + 'static,
) -> Result<Certificate, Error> {
    let simplified = match simplify {
        Simplification::UnlessSettled => question.simplified_cnf(),
        Simplification::Nothing => None,
    };
    let Some(cnf) = simplified else {
        return certify(question, seed, limits, out).map_err(Error::file(path));
    };
    let (verdict, lemmas) = refute(&cnf, out, limits).map_err(Error::file(path))?;
    let lemmas = match verdict {
        CadicalVerdict::Unsat => Ok(lemmas),
        CadicalVerdict::Unknown(stopped) => Err(stopped),
        CadicalVerdict::Sat => {
            return Err(Error::Engine(EngineError::Disagree {
                sat: solver_version(),
                unsat: solver_version(),
            }));
        }
    };
    Ok(Certificate {
        cnf,
        lemmas,
        missing: Vec::new(),
    })
}

/// Writes the LRAT proof that a DRAT proof becomes, and returns the number of its lemmas, or the
/// limit that was reached before.
fn with_hints(
    cnf: &Cnf,
    drat: &[u8],
    path: &Path,
    limits: &Limits,
    out: &mut dyn Write,
) -> Result<Result<usize, Stopped>, Error> {
    limits.report(|report| report.step = "proof: hints".into());
    let rejected = |error: ProofRejection| Error::Usage(format!("{}: {error}", path.display()));
    let mut dimacs = Vec::new();
    cnf.write(&mut dimacs).map_err(Error::file(path))?;
    let formula = DimacsClauses::read(&dimacs[..]).map_err(|error| rejected(error.into()))?;
    let steps = ProofSteps::read(drat, formula.variables);
    let hinted = HintedProof::of(&formula, steps.take_while(|_| limits.stopped().is_none()));
    if let Some(stopped) = limits.stopped() {
        return Ok(Err(stopped));
    }
    let lemmas = hinted.map_err(rejected)?.write(out);
    lemmas.map(Ok).map_err(Error::file(path))
}

/// Whether the name of the file says that it holds a proof with hints.
pub(super) fn is_lrat(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "lrat")
}

/// Proves that no inputs meet the question. Writes the proof to `path`, with hints if its name ends
/// in `.lrat`, and the clauses that it refutes to a file beside `path`.
///
/// # Errors
/// If a file cannot be written, or some inputs meet the question.
pub(super) fn prove(
    question: &Question,
    simplify: Simplification,
    seed: u64,
    path: &Path,
    limits: &Limits,
) -> Result<Proof, Error> {
    let file = WholeFile::create(path).map_err(Error::file(path))?;
    let shared = SharedWriter::new(BufWriter::new(file));
    let written = limits.run(|| -> Result<Certificate, Error> {
        let out = shared.clone();
        if !is_lrat(path) {
            return made(question, simplify, seed, path, limits, out);
        }
        let drat = SharedWriter::new(Vec::new());
        let mut certificate = made(question, simplify, seed, path, limits, drat.clone())?;
        if certificate.lemmas.is_ok() {
            let drat = drat.into_inside().map_err(Error::file(path))?;
            let mut out = out;
            certificate.lemmas = with_hints(&certificate.cnf, &drat, path, limits, &mut out)?;
        }
        Ok(certificate)
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
            let file = shared.into_inside().map_err(Error::file(path))?;
            let file = file.into_inner().map_err(io::Error::from);
            let finished = file.and_then(WholeFile::finish);
            finished.map_err(Error::file(path))?;
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
