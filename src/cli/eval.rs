//! `eval`: what a model gives for inputs.

use super::Status;
use super::operands::Operands;
use super::output::{PROGRAM, bits, inputs_json, value_json, value_text, write_json};
use super::specification::model;
use crate::cli::error::Error;
use crate::model::Model;
use crate::vectors::{Results, VectorFile};
use serde_json::{Value, json};
use std::io::{self, BufWriter, IntoInnerError, Seek, Write};
use std::path::{Path, PathBuf};

/// Evaluate a model
///
/// Operands are given as bits, hex floats or decimals, or come from a vector file, one dot-add per
/// line (`c a0,a1,… b0,b1,… [d]`, hexadecimal bits), JSON Lines or .npz; the vectors are then printed with
/// the model's d, once all of the file has been read.
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
    let model = model(&args.model)?;
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
    let inputs = operands.inputs(model)?;
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

/// What is known of a file goes to a file without a name first: nothing is printed unless all of it
/// was read and evaluated.
fn eval_file(
    model: &Model,
    path: &Path,
    json: bool,
    out: &mut impl Write,
) -> Result<Status, Error> {
    let located = |error| Error::vectors(path, error);
    let signature = model.signature();
    let mut file = VectorFile::open(path, &signature, Results::None).map_err(located)?;
    let mut simulator = model.simulator();
    let mut evaluated = BufWriter::new(tempfile::tempfile()?);
    let mut separator = "";
    while let Some((_, vector)) = file.next_vector().map_err(located)? {
        let inputs = &vector.inputs;
        let d = bits(&signature.d, simulator.run(inputs));
        if json {
            let mut row = inputs_json(&signature, inputs);
            row.insert("d".into(), d.into());
            let row = serde_json::to_string_pretty(&row).map_err(io::Error::from)?;
            let row = row.replace('\n', "\n    ");
            write!(evaluated, "{separator}\n    {row}")?;
            separator = ",";
        } else {
            writeln!(evaluated, "{} {d}", inputs.to_line(&signature))?;
        }
    }
    let mut evaluated = evaluated.into_inner().map_err(IntoInnerError::into_error)?;
    evaluated.rewind()?;
    if !json {
        writeln!(out, "# {PROGRAM}, {}", model.canonical())?;
        io::copy(&mut evaluated, out)?;
        return Ok(Status::Yes);
    }
    // As `write_json` writes an object of all of it.
    let (model, version) = (Value::from(model.canonical()), Value::from(PROGRAM));
    write!(out, "{{\n  \"model\": {model},\n  \"vectors\": [")?;
    let end = match io::copy(&mut evaluated, out)? {
        0 => "]",
        _ => "\n  ]",
    };
    writeln!(out, "{end},\n  \"version\": {version}\n}}")?;
    Ok(Status::Yes)
}
