//! `models`: the tables and the algorithms.

use super::Status;
use super::output::{PROGRAM, write_json};
use crate::error::Error;
use crate::model::{
    Architecture, Model, Row, algorithms, architectures, find_architecture, find_row,
};
use serde_json::{Value, json};
use std::io::Write;

/// List instructions, their models and the evidence for them
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  mmasmt models\n  mmasmt models hopper\n  mmasmt models show hopper/HMMA.16816.F32\n  mmasmt models --algorithms"
)]
pub(super) struct Args {
    /// Only this architecture
    architecture: Option<String>,
    /// List the algorithms and their keys instead
    #[arg(long)]
    algorithms: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Show all that is known of one row or specification
    Show {
        /// ARCH/INSTRUCTION or ALGORITHM:KEY=VALUE,...
        name: String,
    },
}

pub(super) fn run(args: &Args, json: bool, out: &mut impl Write) -> Result<Status, Error> {
    match &args.command {
        Some(Command::Show { name }) => show(name, json, out)?,
        None if args.algorithms => list_algorithms(json, out)?,
        None => list(args.architecture.as_deref(), json, out)?,
    }
    Ok(Status::Yes)
}

fn list(only: Option<&str>, json: bool, out: &mut impl Write) -> Result<(), Error> {
    let chosen: Vec<&Architecture> = match only {
        Some(name) => vec![find_architecture(name)?],
        None => architectures()?.iter().collect(),
    };
    if json {
        let rows = chosen
            .iter()
            .flat_map(|arch| &arch.rows)
            .map(row_json)
            .collect::<Result<Vec<_>, _>>()?;
        return write_json(out, &json!({ "rows": rows, "version": PROGRAM }));
    }
    for (number, architecture) in chosen.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        writeln!(
            out,
            "{} ({}; {})",
            architecture.name,
            architecture.title,
            architecture.gpus.join(", ")
        )?;
        let width = architecture
            .rows
            .iter()
            .map(|row| row.name.len())
            .max()
            .unwrap_or(0);
        for row in &architecture.rows {
            let model = Model::parse(&row.model)?.canonical();
            writeln!(out, "  {:width$}  {model}  [{}]", row.name, kinds(row))?;
        }
    }
    Ok(())
}

/// The kinds of evidence, best first: `recorded, mma-sim, paper`.
fn kinds(row: &Row) -> String {
    let kinds = row
        .evidence
        .iter()
        .filter_map(|evidence| evidence.split(':').next());
    kinds.collect::<Vec<_>>().join(", ")
}

fn row_json(row: &Row) -> Result<Value, Error> {
    Ok(json!({
        "architecture": row.architecture,
        "instruction": row.name,
        "sass": row.sass,
        "model": Model::parse(&row.model)?.canonical(),
        "evidence": row.evidence,
        "note": row.note,
        "variants": row.variants,
    }))
}

fn show(name: &str, json: bool, out: &mut impl Write) -> Result<(), Error> {
    let model = Model::parse(name)?;
    let row = row_of(name)?;
    let signature = model.signature();
    let shape = format!(
        "{} products {} x {}, c {}, d {}",
        signature.products, signature.a, signature.b, signature.c, signature.d
    );
    if json {
        let row = row.map(row_json).transpose()?;
        return write_json(
            out,
            &json!({
                "name": name,
                "model": model.canonical(),
                "shape": shape,
                "widest_word": model.widest(),
                "instance": model.simulator().instance(),
                "row": row,
                "version": PROGRAM,
            }),
        );
    }
    writeln!(out, "{name}")?;
    writeln!(out, "  model     {}", model.canonical())?;
    writeln!(out, "  shape     {shape}")?;
    writeln!(
        out,
        "  words     {} bits at most: {}",
        model.widest(),
        model.simulator().instance()
    )?;
    let Some(row) = row else { return Ok(()) };
    writeln!(out, "  row       {}/{}", row.architecture, row.name)?;
    if !row.sass.is_empty() {
        writeln!(out, "  sass      {}", row.sass.join(", "))?;
    }
    for evidence in &row.evidence {
        writeln!(out, "  evidence  {evidence}")?;
    }
    if let Some(note) = &row.note {
        writeln!(out, "  note      {note}")?;
    }
    for (variant, changes) in &row.variants {
        writeln!(out, "  variant   @{variant}: {changes}")?;
    }
    Ok(())
}

/// The row that a specification names, if it names one.
fn row_of(name: &str) -> Result<Option<&'static Row>, Error> {
    let head = name.split(':').next().unwrap_or(name);
    let Some((architecture, instruction)) = head.split_once('/') else {
        return Ok(None);
    };
    let instruction = instruction.split('@').next().unwrap_or(instruction);
    Ok(Some(find_row(
        find_architecture(architecture)?,
        instruction,
    )?))
}

fn list_algorithms(json: bool, out: &mut impl Write) -> Result<(), Error> {
    if json {
        let all: Vec<Value> = algorithms()
            .iter()
            .map(|algorithm| {
                let keys: Vec<Value> = algorithm
                    .keys
                    .iter()
                    .map(|key| json!({ "key": key.name, "values": key.values, "default": key.default, "meaning": key.meaning }))
                    .collect();
                json!({ "name": algorithm.name, "summary": algorithm.summary, "source": algorithm.source, "keys": keys })
            })
            .collect();
        return write_json(out, &json!({ "algorithms": all, "version": PROGRAM }));
    }
    for (number, algorithm) in algorithms().iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{}: {}", algorithm.name, algorithm.summary)?;
        writeln!(out, "  source: {}", algorithm.source)?;
        for key in algorithm.keys {
            writeln!(
                out,
                "  {:<9} {}; {} (default: {})",
                key.name, key.meaning, key.values, key.default
            )?;
        }
    }
    Ok(())
}
