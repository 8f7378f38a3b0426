//! `export`: a model as text for other tools.

use super::Status;
use super::json::write_json;
use super::output::write_text_file;
use super::specification::{difference, model, of_products, two_models};
use super::timeouts::{until_ctrl_c, within};
use crate::cli::complete::models;
use crate::cli::error::Error;
use crate::cli::frame::DomainArgs;
use clap_complete::engine::ArgValueCompleter;
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_questions::circuits::export::{
    ExportAdditions, ExportFormat, ExportOptions, Exported, Function, PortShape, Subject, functions,
};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Write a model for other tools: C, Verilog, BTOR2, SMT-LIB, ACL2, DPI-C, CUDA, or as a description
///
/// The file has one function or module without state: registers in native bits go in, the register
/// of the result comes out; a tape has arrays of both. Comments name the model, the version of this
/// program, and the evidence for the model.
#[derive(Debug, clap::Args)]
#[command(
    mut_arg("assume", |domain| domain.requires("other")),
    after_help = "Examples:\n  mmasmt export hopper/HMMA.16816.F32 --to c -o hmma.c\n  mmasmt export fda:K=4,F=25 --to verilog --name dot4 --ports packed --latency 2 -o dot4.v\n  mmasmt export fda:F=24 fda:F=25 --to btor2 -o miter.btor2\n  mmasmt export fda:F=24 --name f --function g=fda:F=25 --to smt2 -o both.smt2\n  mmasmt export hopper/HMMA.16816.F32 --to tape-cuda -o hmma.cu\n\nExit status: 0 written, 2 the request was wrong, 3 ended before that."
)]
pub(super) struct Args {
    /// The model
    #[arg(add = ArgValueCompleter::new(models))]
    model: String,
    /// A second model. The file then asks whether the two give different results, and calls that
    /// `bad`
    #[arg(add = ArgValueCompleter::new(models))]
    other: Option<String>,
    /// The format to write
    #[arg(long, value_name = "FORMAT")]
    to: ExportTarget,
    /// The name of the function or module
    #[arg(long, default_value = "mma")]
    name: String,
    /// Make a port for each register, or one for each row of operands, with its first register in
    /// the low bits (in C: an array)
    #[arg(long, default_value = "scalar")]
    ports: PortsArg,
    /// For Verilog: cycles until the result, as registers behind the output; 0 makes a module
    /// without a clock
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=64))]
    latency: u32,
    /// For SMT-LIB: one more function in the same file. Can be given several times
    #[arg(long, value_name = "NAME=MODEL", conflicts_with = "other")]
    function: Vec<String>,
    /// For SMT-LIB: functions of the stages as well (NAME.1.exponent, NAME.1.aligned.0, NAME.1.sum,
    /// NAME.1.result)
    #[arg(long, conflicts_with = "other")]
    stages: bool,
    /// For SMT-LIB: a function NAME.value.FORMAT for each format, the number in a register as a
    /// FloatingPoint
    #[arg(long, conflicts_with = "other")]
    values: bool,
    /// For SMT-LIB: a function NAME.real.FORMAT for each format, the number in a register as a Real
    #[arg(long, conflicts_with = "other")]
    reals: bool,
    #[command(flatten)]
    domain: DomainArgs,
    /// With two models: let operands be infinities and NaNs
    #[arg(long, requires = "other")]
    specials: bool,
    /// The file to write, - for standard output; other files that belong to it have its name with another extension
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum ExportTarget {
    /// FILE.c and FILE.h: a pure function of fixed-width integers
    C,
    /// A module of IEEE 1364-2005, combinational unless there is a latency
    Verilog,
    /// BTOR2, a word-level circuit: the result is an output, and `bad` says whether two models
    /// differ
    Btor2,
    /// SMT-LIB: a function for each model, or the question whether two models differ
    Smt2,
    /// A book of ACL2: a function over integers with its guard; of two models, 1 where they differ and
    /// else 0
    Acl2,
    /// FILE: a SystemVerilog package that imports the function by DPI-C; FILE.c and FILE.h
    Dpi,
    /// A C function of arrays: many dot-adds in a loop, of which compilers make vector instructions
    TapeC,
    /// CUDA C++: a kernel of arrays, a thread for each dot-add
    TapeCuda,
    /// CUDA C++: kernels of products of matrices
    MatrixCuda,
    /// The description of the unit, which `unit:FILE` reads as a model
    Unit,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum PortsArg {
    /// a0, a1, …, b0, …, c, sa0, …
    Scalar,
    /// a, b, c, sa, sb
    Packed,
}

/// What is to be exported: one model, or the question whether two models differ.
fn subject(args: &Args) -> Result<Subject, Error> {
    let Some(other) = &args.other else {
        let model = model(&args.model)?;
        if let ExportTarget::MatrixCuda = args.to {
            of_products(&model)?;
        }
        return Ok(Subject::Model(model));
    };
    let [left, right] = two_models([&args.model, other])?;
    let question = difference(
        [&left, &right],
        args.domain.assume.as_deref(),
        args.specials,
    )?;
    Ok(Subject::Question(question))
}

/// A function that is written as `NAME=MODEL`.
pub(super) fn named_function(text: &str) -> Result<Function, Error> {
    let wrong = || Error::Usage(format!("expected NAME=MODEL, found `{}`", excerpt(text)));
    let (name, specified) = text.split_once('=').ok_or_else(wrong)?;
    Ok(Function {
        name: name.into(),
        model: model(specified)?,
    })
}

/// The functions of all models, in SMT-LIB.
fn as_functions(args: &Args) -> Result<Vec<Exported>, Error> {
    let mut all = vec![Function {
        name: args.name.clone(),
        model: model(&args.model)?,
    }];
    for text in &args.function {
        all.push(named_function(text)?);
    }
    let beside = ExportAdditions {
        stages: args.stages,
        values: args.values,
        reals: args.reals,
    };
    let text = functions(&all, beside)?;
    Ok(vec![Exported {
        extension: "smt2",
        text,
    }])
}

/// `mmasmt export`: the files that were written.
#[derive(Serialize, JsonSchema)]
pub(super) struct ExportAnswer {
    files: Vec<PathBuf>,
}

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    let limits = until_ctrl_c()?;
    let format = match args.to {
        ExportTarget::C => ExportFormat::C,
        ExportTarget::Verilog => ExportFormat::Verilog,
        ExportTarget::Btor2 => ExportFormat::Btor2,
        ExportTarget::Smt2 => ExportFormat::Smtlib,
        ExportTarget::Acl2 => ExportFormat::Acl2,
        ExportTarget::Dpi => ExportFormat::Dpi,
        ExportTarget::TapeC => ExportFormat::TapeC,
        ExportTarget::TapeCuda => ExportFormat::TapeCuda,
        ExportTarget::MatrixCuda => ExportFormat::MatrixCuda,
        ExportTarget::Unit => ExportFormat::Unit,
    };
    let shape = match args.ports {
        PortsArg::Scalar => PortShape::Scalar,
        PortsArg::Packed => PortShape::Packed,
    };
    let stem = args.out.file_stem().unwrap_or_default();
    let options = ExportOptions {
        name: args.name.clone(),
        shape,
        latency: args.latency,
        stem: stem.to_string_lossy().into_owned(),
    };
    let files = within(&limits, || {
        if format == ExportFormat::Smtlib && args.other.is_none() {
            return as_functions(args);
        }
        Ok::<_, Error>(subject(args)?.export(format, &options)?)
    })?;
    if args.out == Path::new("-") {
        let [file] = &files[..] else {
            return Err(Error::Usage(
                "--out: expected the name of a file, found `-`: there are several files, of which others have its name".into(),
            ));
        };
        write!(out, "{}", file.text)?;
        return Ok(Status::Yes);
    }
    let mut paths = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let path = match index {
            0 => args.out.clone(),
            _ => args.out.with_extension(file.extension),
        };
        write_text_file(&path, &file.text)?;
        paths.push(path);
    }
    if json {
        write_json(out, &ExportAnswer { files: paths })?;
    } else {
        let paths: Vec<_> = paths
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        writeln!(out, "wrote {}", paths.join(", "))?;
    }
    Ok(Status::Yes)
}
