//! Files of clauses and of proofs.

use crate::engine::{EngineError, Limits, Prover, Verdict};
use crate::error::Error;
use crate::proof::{ClauseSink, Cnf};
use crate::whole_file::write_whole;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

fn in_file(path: &Path) -> impl FnOnce(io::Error) -> Error + '_ {
    |error| Error::File {
        path: path.to_owned(),
        error,
    }
}

/// Writes the clauses.
pub(super) fn save(cnf: &Cnf, path: &Path) -> Result<(), Error> {
    write_whole(path, |out| cnf.write(out)).map_err(in_file(path))
}

/// `path` with `end` after its name.
fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// What became of a proof, in a line.
pub(super) enum Proof {
    /// It is there.
    Written(String),
    /// It is not.
    None(String),
}

/// Has the clauses refuted. What is proved is the file beside `path`; the lemmas that are known
/// come first in the proof, and the prover gets them as clauses.
pub(super) fn prove(cnf: &Cnf, path: &Path, limits: &Limits) -> Result<Proof, Error> {
    let prover = Prover::find()?;
    let clauses = with_end(path, ".cnf");
    save(cnf, &clauses)?;
    let parts = [".part.cnf", ".part"].map(|end| with_end(path, end));
    let [given, rest] = &parts;
    let mut extended = cnf.clone();
    for lemma in cnf.lemmas.iter().filter(|lemma| lemma.is_kept) {
        extended.add_clause(&lemma.clause);
    }
    save(&extended, given)?;
    let verdict = prover.solve(given, rest, limits);
    let written = match verdict {
        Ok(Verdict::Unsat) => join(cnf, rest, path).map_err(in_file(path)),
        _ => Ok(()),
    };
    for part in &parts {
        // There may be none.
        let _ = std::fs::remove_file(part);
    }
    written?;
    let name = prover.describe();
    match verdict? {
        Verdict::Unsat => Ok(Proof::Written(format!(
            "{}: proof by {name}; mmasmt check-proof {} {}",
            path.display(),
            clauses.display(),
            path.display()
        ))),
        Verdict::Sat => Err(Error::Engine(EngineError::Disagree {
            sat: name,
            unsat: crate::engine::solver_version(),
        })),
        Verdict::Unknown(stopped) => {
            let why = stopped.describe();
            Ok(Proof::None(format!("no proof by {name}: {why}")))
        }
    }
}

/// Writes the lemmas of the clauses and then the steps of `rest`.
fn join(cnf: &Cnf, rest: &Path, path: &Path) -> io::Result<()> {
    write_whole(path, |out| {
        for (index, lemma) in cnf.lemmas.iter().enumerate() {
            write_step(out, "", &lemma.clause)?;
            let before = index.checked_sub(1).map(|before| &cnf.lemmas[before]);
            if let Some(before) = before.filter(|before| !before.is_kept) {
                write_step(out, "d ", &before.clause)?;
            }
        }
        io::copy(&mut File::open(rest)?, out).map(drop)
    })
}

fn write_step(out: &mut impl Write, kind: &str, clause: &[i32]) -> io::Result<()> {
    write!(out, "{kind}")?;
    for literal in clause {
        write!(out, "{literal} ")?;
    }
    writeln!(out, "0")
}
