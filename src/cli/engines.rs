//! `engines`: the engines available on this machine.

use super::Status;
use super::json::write_json;
use crate::cli::error::Error;
use mmasmt_questions::solver::engine::{SmtSolver, Z3, solver_version};
use serde_json::{Value, json};
use std::io::Write;

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
        write_json(out, &as_json(z3.ok().as_ref(), &found, &missing))?;
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
        Err(_) => writeln!(out, "{:<15} not part of this program: see README.md", "z3")?,
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

fn as_json(z3: Option<&Z3>, found: &[SmtSolver], missing: &[&str]) -> Value {
    let embedded = solver_version();
    let (name, version) = embedded.split_once('-').unwrap_or((&embedded, ""));
    let own = json!({ "name": name, "version": version, "path": null, "engine": "cadical" });
    let z3 = z3.map(|z3| {
        let text = z3.describe();
        let version = text.split_once(' ').map(|(_, version)| version);
        json!({ "name": "z3", "version": version, "path": null, "engine": "z3" })
    });
    let others = found.iter().map(|solver| {
        json!({
            "name": solver.name,
            "version": solver.version,
            "path": solver.path,
            "engine": format!("smtlib:{}", solver.name),
        })
    });
    let engines: Vec<Value> = std::iter::once(own).chain(z3).chain(others).collect();
    json!({ "engines": engines, "missing": missing })
}
