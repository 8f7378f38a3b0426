//! `engines`: the engines available on this machine.

use super::Status;
use super::json::write_json;
use crate::cli::error::Error;
use mmasmt_questions::solver::engine::{SmtSolver, Z3, solver_version};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::path::Path;

/// List the engines that can answer queries on this machine
///
/// CaDiCaL is part of this program, and the default. Z3 is part of it if it was built so. The list
/// has the other solvers whose options this program knows and that are on PATH; --solver-cmd
/// "COMMAND" asks any other program that reads SMT-LIB.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  mmasmt engines\n  mmasmt engines --json")]
pub(super) struct Args {}

pub(super) fn run(_args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    let found = SmtSolver::all();
    let z3 = Z3::find(None);
    let missing: Vec<_> = SmtSolver::known_names()
        .into_iter()
        .filter(|name| found.iter().all(|solver| solver.name != *name))
        .collect();
    if json {
        write_json(out, &EnginesAnswer::new(z3.ok().as_ref(), &found, &missing))?;
        return Ok(Status::Yes);
    }
    let own = solver_version();
    writeln!(out, "{own:<15} part of this program: the default")?;
    match z3 {
        Ok(z3) => writeln!(
            out,
            "{:<15} part of this program: --engine z3",
            z3.describe()
        )?,
        Err(_) => writeln!(
            out,
            "{:<15} not part of this program: docs/src/trust.md, *Engines*, says how it becomes one",
            "z3"
        )?,
    }
    for solver in &found {
        let (name, text, path) = (&solver.name, solver.describe(), solver.path.display());
        writeln!(out, "{text:<15} {path}: --engine smtlib:{name}")?;
    }
    for name in missing {
        writeln!(out, "{name:<15} not on PATH")?;
    }
    Ok(Status::Yes)
}

/// `mmasmt engines`
#[derive(Serialize, JsonSchema)]
pub(super) struct EnginesAnswer<'x> {
    engines: Vec<EngineRow<'x>>,
    missing: &'x [&'x str],
}

#[derive(Serialize, JsonSchema)]
struct EngineRow<'x> {
    name: String,
    /// null if a program on PATH does not tell it, or not in time.
    version: Option<String>,
    path: Option<&'x Path>,
    engine: String,
}

impl<'x> EnginesAnswer<'x> {
    fn new(z3: Option<&Z3>, found: &'x [SmtSolver], missing: &'x [&'x str]) -> Self {
        let embedded = solver_version();
        let (name, version) = embedded.split_once('-').unwrap_or((&embedded, ""));
        let own = EngineRow {
            name: name.into(),
            version: Some(version.into()),
            path: None,
            engine: "cadical".into(),
        };
        let z3 = z3.map(|z3| {
            let text = z3.describe();
            EngineRow {
                name: "z3".into(),
                version: text.split_once(' ').map(|(_, version)| version.into()),
                path: None,
                engine: "z3".into(),
            }
        });
        let others = found.iter().map(|solver| EngineRow {
            name: solver.name.clone(),
            version: solver.version.clone(),
            path: Some(&solver.path),
            engine: format!("smtlib:{}", solver.name),
        });
        EnginesAnswer {
            engines: std::iter::once(own).chain(z3).chain(others).collect(),
            missing,
        }
    }
}
