//! `eval`: the results of a model for inputs.

use super::Status;
use super::json::{
    NamedModel, NumberText, RegisterValue, VectorObject, write_json, write_json_line,
};
use super::live::{LiveBatch, LiveVectors, write_vector};
use super::notes::{note, note_archive};
use super::operands::TypedOperands;
use super::output::{PROGRAM, value_text};
use super::specification::model;
use super::timeouts::until_ctrl_c;
use crate::cli::complete::models;
use crate::cli::error::Error;
use clap_complete::engine::ArgValueCompleter;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Dyadic, Format};
use mmasmt_questions::vectors::measure::Summer;
use mmasmt_questions::vectors::write::LinesHead;
use mmasmt_questions::vectors::{Results, VectorFile, is_stdin};
use num_traits::Zero;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, BufWriter, IntoInnerError, Seek, Write};
use std::path::{Path, PathBuf};

/// Evaluate a model
///
/// Give the operands by --a, --b and --c, as one LINE, or as a file of many by --vectors. A vector
/// file has one dot-add on each line (`c a0,a1,… b0,b1,… [d]`, hexadecimal bits), or is JSON Lines
/// or .npz. Its vectors are printed with the d of the model once the whole file has been read;
/// vectors on standard input are answered one by one, as they arrive. With --json vectors are JSON
/// Lines, as `gen --format jsonl` writes them.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mmasmt eval fda:F=24 --a 1,0x1p-12 --b 1,0x1p-12 --c -1\n  mmasmt eval fda:F=24 3f800000 8c00 0800\n  mmasmt eval hopper/HMMA.16816.F32 --vectors inputs.txt\n  mmasmt eval exact:K=1,out=e5m2,round=sr8+0 --a 1.3125 --b 1 --any-bits"
)]
pub(super) struct Args {
    /// The model
    #[arg(add = ArgValueCompleter::new(models))]
    model: String,
    #[command(flatten)]
    operands: TypedOperands,
    /// A vector file, compressed by gzip or not; - is standard input
    #[arg(long, value_name = "FILE")]
    vectors: Option<PathBuf>,
    /// The results over all random bits of the model's stochastic rounding, in place of those that
    /// the model has, for how many random numbers each is the result, and their mean
    #[arg(long, conflicts_with = "vectors")]
    any_bits: bool,
}

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    let model = model(&args.model)?;
    match &args.vectors {
        Some(_) if !args.operands.is_empty() => Err(Error::Usage(
            "--vectors cannot be combined with --a, --b or --c".into(),
        )),
        Some(path) if is_stdin(path) => eval_live(&model, path, json, out),
        Some(path) => eval_file(&model, path, json, out),
        None if args.any_bits => eval_any_bits(&model, &args.operands, json, out),
        None => eval_one(&model, &args.operands, json, out),
    }
}

/// `mmasmt eval`
#[derive(Serialize, JsonSchema)]
pub(super) struct EvalAnswer {
    #[serde(flatten)]
    model: NamedModel,
    vector: VectorObject,
    value: RegisterValue,
}

/// `mmasmt eval --any-bits`: the results over all random numbers of a stochastic rounding, one or
/// two, the one nearer to zero first. The vector has each of them as a d.
#[derive(Serialize, JsonSchema)]
pub(super) struct AnyBitsAnswer {
    #[serde(flatten)]
    model: NamedModel,
    vector: VectorObject,
    /// The number of random bits.
    bits: u32,
    results: Vec<StochasticResult>,
    /// The mean of the results over all random numbers; null if one of them is no number.
    #[schemars(extend("nullable" = true))]
    mean: Option<NumberText>,
    /// The mean less the exact sum; null if one of them is no number.
    #[schemars(extend("nullable" = true))]
    bias: Option<NumberText>,
}

#[derive(Serialize, JsonSchema)]
struct StochasticResult {
    value: RegisterValue,
    /// How many random numbers give it.
    random_numbers: u64,
}

fn eval_one(
    model: &Model,
    operands: &TypedOperands,
    json: bool,
    out: &mut dyn Write,
) -> Result<Status, Error> {
    let signature = model.signature();
    let inputs = operands.inputs(model)?;
    note_replaced(operands, model)?;
    let d = model.simulator().run(&inputs);
    if json {
        let object = EvalAnswer {
            model: NamedModel::of(model),
            vector: VectorObject::new(&signature, &inputs, &[d]),
            value: RegisterValue::new(&signature.d, d),
        };
        write_json(out, &object)?;
    } else {
        writeln!(out, "d  {}", value_text(&signature.d, d))?;
    }
    Ok(Status::Yes)
}

/// The results over all random bits, the one nearer to zero first.
fn eval_any_bits(
    model: &Model,
    operands: &TypedOperands,
    json: bool,
    out: &mut dyn Write,
) -> Result<Status, Error> {
    let signature = model.signature();
    let any = model.any_bits()?;
    let inputs = operands.inputs(model)?;
    note_replaced(operands, model)?;
    let all = 1u64 << any.bits();
    let found = any.results(&inputs)?;
    let mut results = vec![(found.below, all - found.count)];
    if found.count > 0 {
        results.push((found.above, found.count));
    }
    let mean = mean(&signature.d, &results, any.bits());
    let exact = Summer::of(model).sum(&inputs);
    let bias = mean.as_ref().zip(exact);
    let bias = bias.map(|(mean, exact)| mean.minus(&exact.value));
    if json {
        let registers: Vec<u64> = results.iter().map(|(d, _)| *d).collect();
        let counted = results.iter().map(|&(d, random_numbers)| StochasticResult {
            value: RegisterValue::new(&signature.d, d),
            random_numbers,
        });
        let object = AnyBitsAnswer {
            model: NamedModel::of(model),
            vector: VectorObject::new(&signature, &inputs, &registers),
            bits: any.bits(),
            results: counted.collect(),
            mean: mean.as_ref().map(NumberText::of),
            bias: bias.as_ref().map(NumberText::of),
        };
        write_json(out, &object)?;
    } else {
        for (d, count) in results {
            let text = value_text(&signature.d, d);
            writeln!(out, "d  {text}  {count} of {all} random numbers")?;
        }
        if let (Some(mean), Some(bias)) = (mean, bias) {
            let off = match bias.mantissa().is_zero() {
                true => "the exact sum: no bias".into(),
                false => format!("{bias} from the exact sum"),
            };
            writeln!(out, "mean over all random numbers  {mean}, {off}")?;
        }
    }
    Ok(Status::Yes)
}

/// The mean of results, each with how many of the random numbers of so many bits give it; `None` if one is no number.
fn mean(format: &Format, results: &[(u64, u64)], bits: u32) -> Option<Dyadic> {
    let mut mean = Dyadic::new(0.into(), 0);
    for (d, count) in results {
        let share = Dyadic::new((*count).into(), -i64::from(bits));
        mean = mean.plus(&Dyadic::of(format, *d)?.times(&share));
    }
    Some(mean)
}

/// For each operand that its format does not have, writes a note that says which number was taken
/// in its place.
pub(super) fn note_replaced(operands: &TypedOperands, model: &Model) -> Result<(), Error> {
    note(operands.replaced(model))
}

/// Evaluates the vectors of a file. The results go to an anonymous file first: nothing is printed
/// unless the whole file was read and evaluated.
fn eval_file(model: &Model, path: &Path, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    let located = |error| Error::vectors(path, error);
    let signature = model.signature();
    note_archive(path)?;
    let mut file = VectorFile::open(path, model, Results::None).map_err(located)?;
    let mut simulator = model.simulator();
    let mut evaluated = BufWriter::new(tempfile::tempfile()?);
    while let Some((_, vector)) = file.next_vector().map_err(located)? {
        let inputs = &vector.inputs;
        let d = simulator.run(inputs);
        write_vector(&mut evaluated, &signature, inputs, d, json)?;
    }
    let mut evaluated = evaluated.into_inner().map_err(IntoInnerError::into_error)?;
    evaluated.rewind()?;
    write_head(out, model, json)?;
    io::copy(&mut evaluated, out)?;
    Ok(Status::Yes)
}

/// The most vectors that are evaluated before their results are written.
const BATCH: usize = 4096;

/// Evaluates the vectors of standard input. Each vector is answered at once, so that another
/// program may wait for the answer before it sends the next vector.
fn eval_live(model: &Model, path: &Path, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    let limits = until_ctrl_c()?;
    let signature = model.signature();
    let mut vectors = LiveVectors::open(path, model, BATCH);
    let mut simulator = model.simulator();
    write_head(out, model, json)?;
    loop {
        let (batch, stopped) = match vectors.next(BATCH, &limits) {
            Ok(LiveBatch::Some(batch)) => (batch, false),
            Ok(LiveBatch::Stopped(batch, _)) => (batch, true),
            Ok(LiveBatch::End) => return Ok(Status::Yes),
            Err(error) => return Err(error),
        };
        for inputs in &batch {
            let d = simulator.run(inputs);
            write_vector(out, &signature, inputs, d, json)?;
        }
        out.flush()?;
        if stopped {
            return Ok(Status::Unknown);
        }
    }
}

/// Writes the line above the vectors: a comment, or, with `json`, the header of JSON Lines.
fn write_head(out: &mut dyn Write, model: &Model, json: bool) -> Result<(), Error> {
    let name = model.canonical();
    if json {
        let (models, signature) = ([name], model.signature().to_string());
        let head = LinesHead {
            models: Some(&models),
            ..LinesHead::new(&signature, PROGRAM)
        };
        write_json_line(out, &head)?
    } else {
        writeln!(out, "# {PROGRAM}, {name}")?
    }
    Ok(())
}
