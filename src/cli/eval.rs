//! `eval`: what a model gives for inputs.

use super::Status;
use super::operands::Operands;
use super::output::{PROGRAM, bits, inputs_json, value_json, value_text, write_json};
use crate::error::Error;
use crate::model::Model;
use crate::vectors::{Lines, open, parse_inputs};
use serde_json::{Value, json};
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};

/// Evaluate a model
///
/// Operands are given as bits, hex floats or decimals, or come from a vector file, one dot-add per
/// line (`c a0,a1,… b0,b1,… [d]`, hexadecimal bits); the file is then printed with the model's d.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mmasmt eval fda:F=24 --a 1,0x1p-12 --b 1,0x1p-12 --c -1\n  mmasmt eval hopper/HMMA.16816.F32 --vectors inputs.txt"
)]
pub(super) struct Args {
    /// The model
    model: String,
    #[command(flatten)]
    operands: Operands,
    /// A vector file, compressed by gzip or not; - is standard input
    #[arg(long, value_name = "FILE")]
    vectors: Option<PathBuf>,
}

pub(super) fn run(args: &Args, json: bool, out: &mut impl Write) -> Result<Status, Error> {
    let model = Model::parse(&args.model)?;
    match &args.vectors {
        Some(_) if !args.operands.is_empty() => Err(Error::Usage(
            "--vectors: expected no --a, --b or --c beside it".into(),
        )),
        Some(path) => eval_file(&model, path, json, out),
        None => eval_one(&model, &args.operands, json, out),
    }
}

fn eval_one(
    model: &Model,
    operands: &Operands,
    json: bool,
    out: &mut impl Write,
) -> Result<Status, Error> {
    let signature = model.signature();
    let inputs = operands.inputs(&signature)?;
    let d = model.simulator().run(&inputs);
    if json {
        let mut object = json!({ "model": model.canonical() });
        if let Value::Object(map) = &mut object {
            map.extend(inputs_json(&signature, &inputs));
            map.insert("d".into(), bits(&signature.d, d).into());
            map.insert("value".into(), value_json(&signature.d, d));
            map.insert("version".into(), PROGRAM.into());
        }
        write_json(out, &object)?;
    } else {
        writeln!(out, "d  {}", value_text(&signature.d, d))?;
    }
    Ok(Status::Yes)
}

fn eval_file(
    model: &Model,
    path: &Path,
    json: bool,
    out: &mut impl Write,
) -> Result<Status, Error> {
    let file = open(path).map_err(|error| Error::File {
        path: path.into(),
        error,
    })?;
    let signature = model.signature();
    let mut simulator = model.simulator();
    let mut rows = Vec::new();
    if !json {
        writeln!(out, "# {PROGRAM}, {}", model.canonical())?;
    }
    let located = |error| Error::Vectors {
        path: path.into(),
        error,
    };
    let mut lines = Lines::new(BufReader::new(file));
    while let Some((line, text)) = lines.next_line().map_err(located)? {
        let inputs = parse_inputs(text, line, &signature).map_err(located)?;
        let d = bits(&signature.d, simulator.run(&inputs));
        if json {
            let mut row = inputs_json(&signature, &inputs);
            row.insert("d".into(), d.into());
            rows.push(Value::Object(row));
        } else {
            writeln!(out, "{} {d}", inputs.to_line(&signature))?;
        }
    }
    if json {
        write_json(
            out,
            &json!({ "model": model.canonical(), "vectors": rows, "version": PROGRAM }),
        )?;
    }
    Ok(Status::Yes)
}
