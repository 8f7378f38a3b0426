//! `engines`: who can be asked on this machine.

use super::Status;
use super::output::{PROGRAM, write_json};
use crate::engine::{SmtSolver, solver_version};
use crate::error::Error;
use serde_json::{Value, json};
use std::io::Write;

/// List the engines that can answer queries on this machine
///
/// CaDiCaL is part of this program and the default. Solvers that are other programs are looked for
/// on PATH; any other one that reads SMT-LIB is --solver-cmd "COMMAND".
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  mmasmt engines\n  mmasmt engines --json")]
pub(super) struct Args {}

pub(super) fn run(_args: &Args, json: bool, out: &mut impl Write) -> Result<Status, Error> {
    let found = SmtSolver::all();
    let missing: Vec<_> = SmtSolver::known_names()
        .into_iter()
        .filter(|name| found.iter().all(|solver| solver.name != *name))
        .collect();
    if json {
        write_json(out, &as_json(&found, &missing))?;
        return Ok(Status::Yes);
    }
    let own = solver_version();
    writeln!(out, "{own:<15} part of this program: the default")?;
    for solver in &found {
        let (name, text, path) = (&solver.name, solver.describe(), solver.path.display());
        writeln!(out, "{text:<15} {path}: --engine smtlib:{name}")?;
    }
    for name in missing {
        writeln!(out, "{name:<15} not on PATH")?;
    }
    Ok(Status::Yes)
}

fn as_json(found: &[SmtSolver], missing: &[&str]) -> Value {
    let embedded = solver_version();
    let (name, version) = embedded.split_once('-').unwrap_or((&embedded, ""));
    let own = json!({ "name": name, "version": version, "path": null, "engine": "cadical" });
    let others = found.iter().map(|solver| {
        json!({
            "name": solver.name,
            "version": solver.version,
            "path": solver.path,
            "engine": format!("smtlib:{}", solver.name),
        })
    });
    let engines: Vec<Value> = std::iter::once(own).chain(others).collect();
    json!({ "engines": engines, "missing": missing, "version": PROGRAM })
}
